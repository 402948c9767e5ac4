"""A service with its pages, and a browser in which Ana has signed in."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from carril.service.account_store import find_session
from tests.browser.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path, poll=60)  # no polling: only requests are counted


@pytest.fixture
def client(stage: Stage) -> TestClient:
    client = TestClient(stage.app)
    cookie = stage.cookie("Ana")
    client.cookies.set(cookie["name"], cookie["value"])
    with stage.games.reading() as reader:
        session = find_session(reader.connection, cookie["value"])
    assert session
    client.headers["X-CSRF-Token"] = session.csrf
    return client
