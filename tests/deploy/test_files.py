"""The files in deploy/: what they name exists, and they fit together."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from carril.cli import app
from carril.service.configuration import described, load_settings, variable
from tests.deploy.stack import DEPLOY, compose_environment

ROOT = DEPLOY.parent
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, Any] = COMPOSE["services"]


def test_settings_of_the_web_processes_are_known() -> None:
    chosen = compose_environment("web")
    assert set(chosen) <= {variable(name) for name in described()}
    settings = load_settings({}, chosen)
    assert settings.secure_cookies
    assert settings.hsts_days
    assert settings.database.startswith("postgresql://carril:")


def test_the_proxy_is_the_one_that_is_believed() -> None:
    address = SERVICES["proxy"]["networks"]["default"]["ipv4_address"]
    assert compose_environment("web")["CARRIL_PROXIES"] == address
    subnet = COMPOSE["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert address.rpartition(".")[0] == subnet.rpartition(".")[0]


def test_the_template_of_the_proxy_is_filled_in() -> None:
    template = (DEPLOY / "nginx.conf.template").read_text("utf-8")
    assert set(re.findall(r"\$\{(\w+)\}", template)) == set(compose_environment("proxy"))


def test_files_that_are_mounted_or_copied_exist() -> None:
    mounted = [one for service in SERVICES.values() for one in service.get("volumes", ())]
    for source in (one.partition(":")[0] for one in mounted):
        assert (DEPLOY / source).exists() if "/" in source else source in COMPOSE["volumes"]
    assert (ROOT / SERVICES["web"]["build"]["dockerfile"]).is_file()


def test_the_image_gets_what_a_build_needs() -> None:
    kept = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    for name in (one[1:] for one in kept if one.startswith("!")):
        assert (ROOT / name).exists(), name
    copied = re.findall(r"-c (\S+)", (DEPLOY / "Dockerfile").read_text("utf-8"))
    assert copied == ["constraints.txt"]
    assert "!constraints.txt" in kept


def test_commands_exist() -> None:
    known = {command.name for command in app.registered_commands}
    docker = (DEPLOY / "Dockerfile").read_text("utf-8")
    unit = (DEPLOY / "carril.service").read_text("utf-8")
    named = re.findall(r'^CMD \["(\w+)"\]', docker, re.MULTILINE)
    named += [*SERVICES["web"]["command"], *re.findall(r"bin/carril (\w+)", unit)]
    assert len(named) == 3
    assert set(named) <= known


def test_the_settings_of_the_unit_are_right() -> None:
    settings = load_settings({"config": str(DEPLOY / "carril.toml")}, {})
    assert settings.proxies == "127.0.0.1"
    assert settings.database.startswith("/var/lib/carril/")


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed")
def test_systemd_understands_the_unit(tmp_path: Path) -> None:
    unit = (
        (DEPLOY / "carril.service")
        .read_text("utf-8")
        .replace("/opt/carril/bin/carril", "/bin/true")
    )
    file = tmp_path / "carril.service"
    file.write_text(unit)
    done = subprocess.run(
        ["systemd-analyze", "verify", str(file)], capture_output=True, text=True, check=False
    )
    assert "carril.service" not in done.stdout + done.stderr, done.stderr
