"""`carril serve`: settings from options and from the environment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from typer.testing import CliRunner

from carril.cli import app, serving
from carril.service.configuration import described, option
from carril.service.settings import Rate, Settings

DOCS = Path(__file__).parents[2] / "docs" / "serve.md"
OTHER = {
    "database": "other.db",
    "host": "0.0.0.0",
    "port": 9000,
    "api_only": True,
    "secure_cookies": True,
    "hsts_days": 30,
    "proxies": "10.0.0.1,10.0.0.2",
    "session_days": 7,
    "body_bytes": 2048,
    "upload_bytes": 4096,
    "stored_positions": 1000,
    "bots": False,
    "bot_pause": 1.5,
    "poll": 0.5,
    "verify_hours": 0.0,
    "sign_ins": Rate(1, 2),
    "account_sign_ins": Rate(2, 1),
    "actions": Rate(3, 4),
    "imports": Rate(5, 6),
    "reads": Rate(7, 8.5),
    "workers": 3,
    "job_processes": 1,
    "job_seconds": 9.0,
    "job_megabytes": 700,
    "metrics_port": 9018,
    "connections": 100,
    "address_connections": 10,
    "streams": 20,
    "address_streams": 2,
    "header_seconds": 3.0,
    "body_seconds": 4.0,
    "public_url": "https://carril.example.org",
    "notify": False,
    "timers": False,
    "smtp_host": "mail.example.org",
    "smtp_port": 465,
    "smtp_user": "carril",
    "smtp_password": "secret",
    "smtp_security": "tls",
    "mail_from": "carril@example.org",
    "private_hooks": True,
    "access_log": True,
    "log_format": "json",
}
"""A value other than the default for every setting."""


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[tuple[Any, ...]]]:
    """The applications that would have been served, with host and port."""
    found: list[tuple[Any, ...]] = []
    monkeypatch.setattr(serving, "run_server", lambda *given: found.append(given))
    monkeypatch.setattr(serving, "_serve_workers", _serve_alone)
    monkeypatch.chdir(tmp_path)
    yield found
    for given in found:
        given[0].state.games.close()


def _serve_alone(settings: Settings) -> None:
    """Serve without starting processes."""
    serve_alone: Any = vars(serving)["run_server"]
    serve_alone(serving.make_application(settings), settings.host, settings.port, None)


def _serve(*options: str, **environment: str) -> Any:
    return CliRunner().invoke(app, ["serve", *options], env=environment)


def _variable(name: str) -> str:
    return f"CARRIL_{name.upper()}"


def test_every_setting_has_another_value_here() -> None:
    assert set(OTHER) == set(Settings.__struct_fields__)
    assert all(getattr(Settings(), name) != value for name, value in OTHER.items())


def test_the_defaults(served: list[tuple[Any, ...]]) -> None:
    assert _serve().exit_code == 0
    application, host, port, _ = served[0]
    assert (host, port) == ("127.0.0.1", 8018)
    assert application.state.settings == Settings()


def test_settings_from_the_environment(served: list[tuple[Any, ...]]) -> None:
    variables = {_variable(name): str(value) for name, value in OTHER.items()}
    done = _serve(**variables)
    assert done.exit_code == 0, done.output
    application, host, port, _ = served[0]
    assert (host, port) == ("0.0.0.0", 9000)
    assert application.state.settings == Settings(**OTHER)  # type: ignore[arg-type]


def test_options_win_over_the_environment(served: list[tuple[Any, ...]]) -> None:
    options = ("--bot-pause", "2", "--no-bots", "--secure-cookies", "--reads", "9/10")
    assert _serve(*options, CARRIL_BOT_PAUSE="7", CARRIL_BOTS="1").exit_code == 0
    settings: Settings = served[0][0].state.settings
    assert (settings.bot_pause, settings.bots, settings.secure_cookies) == (2, False, True)
    assert settings.reads == Rate(9, 10)


def test_settings_from_a_file(served: list[tuple[Any, ...]], tmp_path: Path) -> None:
    file = tmp_path / "carril.toml"
    file.write_text('bot-pause = 7\npoll = 0.5\nbots = false\nactions = "1/2"\nport = 9001\n')
    assert _serve("--config", str(file), "--port", "9003", CARRIL_PORT="9002").exit_code == 0
    assert _serve(CARRIL_CONFIG=str(file), CARRIL_PORT="9002").exit_code == 0
    settings: Settings = served[0][0].state.settings
    assert (settings.bot_pause, settings.poll, settings.bots) == (7, 0.5, False)
    assert settings.actions == Rate(1, 2)
    assert [port for _, _, port, _ in served] == [9003, 9002]


@pytest.mark.parametrize("text", ["bot-paws = 1", "port = true", "port = [", "bots = 'perhaps'"])
def test_a_wrong_file_is_one_line(served: list[tuple[Any, ...]], tmp_path: Path, text: str) -> None:
    file = tmp_path / "carril.toml"
    file.write_text(text)
    done = _serve("--config", str(file))
    assert (done.exit_code, done.output.count("\n"), served) == (2, 1, [])
    assert done.output.startswith("carril: ")


WRONG = {
    "CARRIL_PORT": "70000",
    "CARRIL_BOT_PAUSE": "-1",
    "CARRIL_SESSION_DAYS": "many",
    "CARRIL_SECURE_COOKIES": "perhaps",
    "CARRIL_ACTIONS": "60",
    "CARRIL_READS": "0/10",
    "CARRIL_SIGN_INS": "10/inf",
    "CARRIL_DATABASE": "nonsense://here",
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_one_line(served: list[tuple[Any, ...]], name: str) -> None:
    done = _serve(**{name: WRONG[name]})
    assert done.exit_code == 2
    assert done.output.startswith("carril: ")
    assert done.output.count("\n") == 1
    assert name.removeprefix("CARRIL_").lower().replace("_", "-") in done.output
    assert served == []


def test_pages_unless_only_the_api_is_wanted(served: list[tuple[Any, ...]]) -> None:
    assert _serve("--database", "one.db").exit_code == 0
    assert _serve("--database", "two.db", "--api-only").exit_code == 0

    def statuses(application: FastAPI) -> list[int]:
        client = TestClient(application)
        return [client.get(path).status_code for path in ("/", "/api/titles")]

    assert statuses(served[0][0]) == [200, 200]
    assert statuses(served[1][0]) == [404, 200]


def test_there_is_one_content_policy(served: list[tuple[Any, ...]]) -> None:
    assert _serve().exit_code == 0
    client = TestClient(served[0][0])
    paths = ("/", "/rules/18EU", "/nothing", "/api/titles", "/static/page.css")
    policies = {client.get(path).headers["Content-Security-Policy"] for path in paths}
    assert len(policies) == 1
    assert "unsafe" not in policies.pop()


def test_every_variable_is_documented() -> None:
    text = DOCS.read_text("utf-8")
    documented = set(re.findall(r"CARRIL_[A-Z_]+", text))
    assert {_variable(name) for name in Settings.__struct_fields__} <= documented


def test_the_table_of_settings_is_up_to_date() -> None:
    text = DOCS.read_text("utf-8")
    for name, (_, setting) in described().items():
        start = f"| `{option(name)}`"
        row = next(line for line in text.splitlines() if line.startswith(start))
        assert setting.about in row
        default = getattr(Settings(), name)
        words = {"True": "on", "False": "off", "": "none"}
        shown = words.get(str(default), str(default).removesuffix(".0"))
        assert row.split(" | ")[2].strip("`") == shown
