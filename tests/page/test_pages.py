"""Pages over HTTP: what is shown at once, what follows, and nobody waits for another's file."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient

from carril.engine.actions import RunTrains
from carril.engine.cache import Cache
from carril.engine.state import State
from carril.page import option_cache
from carril.page.option_cache import forget_options, options_known, options_of
from carril.service.account_store import find_session
from tests import table
from tests.browser.positions import played_until
from tests.browser.stage import Stage
from tests.loops import run


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def _client(stage: Stage, name: str = "Ana") -> TestClient:
    client = TestClient(stage.app)
    cookie = stage.cookie(name)
    client.cookies.set(cookie["name"], cookie["value"])
    return client


def test_the_run_of_an_earlier_position_follows_its_page(stage: Stage) -> None:
    state = played_until(3, "run")
    game = stage.table(state)
    run = next(option for option in state.options() if isinstance(option, RunTrains))
    client = _client(stage)
    assert "data-later" not in client.get(f"/table/{game}").text  # one has to decide: not later
    stage.act(game, "Ana", run)
    forget_options()
    first = client.get(f"/table/{game}?at=0").text
    assert 'data-later="1"' in first
    assert 'class="proof"' not in first
    parts = client.get(f"/table/{game}/parts?at=0&search=1").text
    assert "data-later" not in parts
    assert 'class="proof"' in parts
    assert 'class="proof"' in client.get(f"/table/{game}?at=0").text  # now it is known


def test_a_spectators_parts_are_not_kept_without_the_run(stage: Stage) -> None:
    state = played_until(3, "run")
    game = stage.table(state)
    stage.act(game, "Ana", next(o for o in state.options() if isinstance(o, RunTrains)))
    forget_options()
    client = _client(stage, "Zoe")
    url = f"/table/{game}/parts?at=0"
    assert 'data-later="1"' in client.get(url).text
    assert 'class="proof"' in client.get(f"{url}&search=1").text
    assert 'class="proof"' in client.get(url).text


def test_only_a_run_is_left_for_later(stage: Stage) -> None:
    state = table.game(3)
    game = stage.table(state)
    stage.act(game, "Ana", state.options()[0])  # type: ignore[arg-type]
    assert "data-later" not in _client(stage).get(f"/table/{game}?at=0").text


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
    assert [options_known(state) for state in states] == [True, False, True]


def test_nobody_waits_while_a_file_is_read(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page is served while an import is still at work; else the import would wait in vain."""
    other = stage.games.info(stage.table(table.game(3)))
    begun, served, waited = threading.Event(), threading.Event(), []

    def slow(*_: Any) -> Any:
        begun.set()
        waited.append(served.wait(5))
        return other

    monkeypatch.setattr(stage.games, "import_file", slow)
    cookie = stage.cookie("Ana")
    with stage.games.reading() as reader:
        session = find_session(reader.connection, cookie["value"])
    assert session
    csrf = session.csrf

    async def both() -> tuple[int, int]:
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(stage.app),
            base_url="http://table",
            cookies={cookie["name"]: cookie["value"]},
            headers={"X-CSRF-Token": csrf},
        ) as client:
            bring = asyncio.create_task(client.post("/import", files={"file": ("a", b"{}")}))
            await asyncio.to_thread(begun.wait, 5)
            page = await client.get("/")
            served.set()
            return page.status_code, (await bring).status_code

    assert run(both()) == (200, 303)
    assert waited == [True]
