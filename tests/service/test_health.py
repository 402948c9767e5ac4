"""Health, readiness, regular verification, logs, and starting on a locked database."""

from __future__ import annotations

import io
import json
import logging
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlalchemy.exc import OperationalError

from carril.cli.serving import make_application
from carril.engine.refusals import BadSetup
from carril.service.accounts import Accounts
from carril.service.app import make_api
from carril.service.games import Games
from carril.service.logs import JsonFormatter
from carril.service.settings import Settings
from carril.service.store.tables import records
from carril.service.verifier import Verifier
from tests.service.table import own_table, step


@pytest.fixture
def app() -> Iterator[FastAPI]:
    made = make_api(Settings(database="sqlite://", access_log=True))
    yield made
    made.state.games.close()


def test_health_and_readiness(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    client = TestClient(app)
    assert client.get("/api/health").json() == {"status": "ok"}
    ready = client.get("/api/ready")
    assert (ready.status_code, ready.json()["database"]) == (200, "ok")

    def fail() -> None:
        raise OperationalError("SELECT 1", {}, Exception("gone"))

    monkeypatch.setattr(app.state.games, "reading", fail)
    ready = client.get("/api/ready")
    assert (ready.status_code, ready.json()["ready"]) == (503, False)
    assert client.get("/api/health").status_code == 200


def test_damaged_games_are_reported(
    kept: Games, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ana = Accounts(kept.store).guest("Ana")
    sound, damaged = own_table(kept, ana).id, own_table(kept, ana).id
    step(kept, damaged, ana)
    with kept.store.database.writing() as connection:
        chosen = (records.c.line == damaged) & (records.c.version == 1)
        connection.execute(update(records).where(chosen).values(reason="changed"))
    verifier = Verifier(kept.store, kept.jobs, 0)
    verifier.check_all()
    assert (verifier.found.checked, verifier.found.damaged) == (2, (damaged,))
    errors = [one.getMessage() for one in caplog.records if one.levelno == logging.ERROR]
    assert len(errors) == 1
    assert damaged in errors[0]
    assert sound not in errors[0]
    kept.delete(damaged, ana)
    verifier.check_all()
    assert verifier.found.damaged == ()


@pytest.fixture
def written() -> Iterator[io.StringIO]:
    """What the log of requests contains, as JSON."""
    text = io.StringIO()
    handler = logging.StreamHandler(text)
    handler.setFormatter(JsonFormatter())
    access = logging.getLogger("carril.access")
    access.addHandler(handler)
    access.setLevel(logging.INFO)
    yield text
    access.removeHandler(handler)
    access.setLevel(logging.NOTSET)


def test_requests_that_succeed_are_logged_on_demand_only(written: io.StringIO) -> None:
    quiet = make_api(Settings(database="sqlite://"))
    assert TestClient(quiet).get("/api/titles").status_code == 200
    quiet.state.games.close()
    assert written.getvalue() == ""


def test_lines_of_one_request_have_its_id(app: FastAPI, written: io.StringIO) -> None:
    ids = [TestClient(app).get("/api/titles").headers["X-Request-ID"] for _ in range(2)]
    lines = [json.loads(line) for line in written.getvalue().splitlines()]
    assert [line["request"] for line in lines] == ids
    assert len(set(ids)) == 2
    assert {(one["method"], one["path"], one["status"]) for one in lines} == {
        ("GET", "/api/titles", 200)
    }


def test_a_locked_database_at_the_start_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("carril.service.store.database._BUSY", 0.2)
    file = tmp_path / "games.db"
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with pytest.raises(BadSetup) as refused:
        make_application(Settings(database=str(file)))
    assert "database is locked" in str(refused.value)
    assert "\n" not in str(refused.value)
    holder.close()
