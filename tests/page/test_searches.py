"""Pages never wait for a search: they are shown at once, and the best run follows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from fastapi.testclient import TestClient

from carril.engine import runs
from carril.engine.actions import RunTrains
from carril.page.option_cache import forget_options
from carril.service.jobs import searches
from carril.service.jobs.job import failure
from tests import table
from tests.browser.positions import played_until
from tests.browser.stage import Stage


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.games.close()


@pytest.fixture
def hard(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every search be too long for the web process."""
    monkeypatch.setattr(searches, "AT_ONCE", 1)
    _forget()


def _forget() -> None:
    forget_options()
    runs.forget()


def _client(stage: Stage, name: str = "Ana") -> TestClient:
    client = TestClient(stage.app)
    cookie = stage.cookie(name)
    client.cookies.set(cookie["name"], cookie["value"])
    return client


def test_a_short_search_is_answered_at_once(stage: Stage) -> None:
    game = stage.table(played_until(3, "run"))
    _forget()
    page = _client(stage).get(f"/table/{game}").text
    assert "data-later" not in page
    assert 'class="proof"' in page
    assert stage.games.jobs.counts["asked"] == 0


def test_a_long_search_follows_the_page(stage: Stage, hard: None) -> None:
    game = stage.table(played_until(3, "run"))
    _forget()
    client = _client(stage)
    first = client.get(f"/table/{game}").text
    assert 'data-later="1"' in first
    assert 'class="proof"' not in first
    assert "No run earns more than" in first
    parts = client.get(f"/table/{game}/parts?search=1").text
    assert "data-later" not in parts
    assert 'class="proof"' in parts
    assert 'class="proof"' in client.get(f"/table/{game}").text  # now it is known


def test_a_spectators_parts_are_not_cached_without_the_run(stage: Stage, hard: None) -> None:
    state = played_until(3, "run")
    game = stage.table(state)
    stage.act(game, "Ana", next(o for o in state.options() if isinstance(o, RunTrains)))
    _forget()
    client = _client(stage, "Zoe")
    url = f"/table/{game}/parts?at=0"
    assert 'data-later="1"' in client.get(url).text
    assert 'class="proof"' in client.get(f"{url}&search=1").text
    assert 'class="proof"' in client.get(url).text


def test_an_action_waits_for_its_proof(stage: Stage, hard: None) -> None:
    state = played_until(3, "run")
    game = stage.table(state)
    run = next(o for o in state.options() if isinstance(o, RunTrains))
    _forget()
    token = stage.accounts.new_bearer(stage.user("Ana"))
    client = TestClient(stage.app, headers={"Authorization": f"Bearer {token}"})
    body = {"action": msgspec.to_builtins(run), "head": 0}
    acted = client.post(f"/api/games/{game}/actions", json=body)
    assert (acted.status_code, acted.json()["head"]) == (200, 1)
    assert stage.games.info(game).head == 1


def test_the_page_says_that_a_search_failed(
    stage: Stage, hard: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise failure("memory")

    game = stage.table(played_until(3, "run"))
    _forget()
    monkeypatch.setattr(searches.PoolSolver, "_earlier", fail)
    page = _client(stage).get(f"/table/{game}")
    assert page.status_code == 200
    assert "could not be found within the limits" in page.text
    assert "data-later" not in page.text


def test_only_a_run_is_left_for_later(stage: Stage, hard: None) -> None:
    state = table.game(3)
    game = stage.table(state)
    stage.act(game, "Ana", state.options()[0])  # type: ignore[arg-type]
    assert "data-later" not in _client(stage).get(f"/table/{game}?at=0").text
