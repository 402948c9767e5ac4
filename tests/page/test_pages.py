"""Pages over HTTP: what is shown at once, what follows, and nobody waits for another's file."""

from __future__ import annotations

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from carril.engine.cache import Cache
from carril.engine.state import State
from carril.page import option_cache
from carril.page.option_cache import options_of
from tests import table
from tests.browser.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def _client(stage: Stage, name: str = "Ana") -> TestClient:
    client = TestClient(stage.app)
    cookie = stage.cookie(name)
    client.cookies.set(cookie["name"], cookie["value"])
    return client


def test_options_are_asked_for_once_and_few_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[State] = []

    def options(state: State) -> tuple[()]:
        asked.append(state)
        return ()

    monkeypatch.setattr(State, "options", options)
    states = [table.game(3, seed=seed) for seed in range(1, 4)]
    monkeypatch.setattr(option_cache, "_options", Cache(2))
    for state in (states[0], states[0], states[1], states[0], states[2]):
        options_of(state)
    assert len(asked) == 3
    options_of(states[2])
    assert len(asked) == 3
    options_of(states[1])
    assert len(asked) == 4
