"""Nobody waits for somebody else's search, file or verification."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from carril import routes
from carril.cli.bench_boards import ladder
from carril.engine import runs
from carril.engine.runs import Answer, RunProblem
from carril.engine.state import State
from carril.service.jobs import searches
from carril.service.jobs.tasks import import_game
from tests.browser.positions import played_until
from tests.browser.stage import Stage, served
from tests.service.table import until

NINE_TRAINS = 13
"""The step of the ladder with a board for nine trains."""


def gated(gate: str, problem: RunProblem, budget: int, *more: Any) -> Answer:
    """Search; a long search does not end before the gate is open."""
    if budget > searches.AT_ONCE:
        while not Path(gate).exists():
            time.sleep(0.02)
    return routes.solve(problem, budget, *more)


def gated_import(gate: str, *args: Any) -> Any:
    """Import a file, but not before the gate is open."""
    while not Path(gate).exists():
        time.sleep(0.02)
    return import_game(*args)


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with served(tmp_path) as stage:
        yield stage


@pytest.fixture
def gate(tmp_path: Path) -> Path:
    return tmp_path / "open"


@pytest.fixture
def hard_game(stage: Stage, gate: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A game in which nine trains run, and nobody knows how until the gate is open."""
    problem = ladder(NINE_TRAINS)
    solver = SimpleNamespace(solve=partial(gated, str(gate)), solve_both=None, solve_payments=None)
    monkeypatch.setattr(searches, "routes", solver)
    monkeypatch.setattr("carril.engine.steps.running.run_problem", lambda *_: problem)
    runs.forget()
    return stage.table(played_until(3, "run"))


def _in_thread(work: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(work()), daemon=True)
    thread.start()
    return thread, found


def _player(stage: Stage, name: str) -> httpx.Client:
    token = stage.accounts.new_bearer(stage.user(name))
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=stage.url, headers=headers, timeout=60)


def _play(client: httpx.Client, game: str, actions: int) -> None:
    for _ in range(actions):
        offered = client.get(f"/api/games/{game}/options").json()
        body = {"action": offered["options"][0]["action"], "head": offered["head"]}
        assert client.post(f"/api/games/{game}/actions", json=body).status_code == 200


def _new_game(client: httpx.Client) -> str:
    seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
    made = client.post("/api/games", json={"title": "18EU", "seats": seats, "seed": 3})
    return str(made.json()["id"])


def test_others_play_while_a_run_is_searched(stage: Stage, hard_game: str, gate: Path) -> None:
    url = f"{stage.url}/api/games/{hard_game}/options"
    first = httpx.get(url, timeout=60).json()
    assert first["options"] == []
    assert 0 < first["pending"]["value"] < first["pending"]["bound"]
    waiting, found = _in_thread(lambda: httpx.get(f"{url}?wait=25", timeout=60).json())
    ben = _player(stage, "Ben")
    game = _new_game(ben)
    _play(ben, game, 5)
    for _ in range(40):
        assert httpx.get(url, timeout=60).json()["pending"]
    assert ben.get(f"/table/{game}").status_code == 200
    assert httpx.get(f"{stage.url}/table/{hard_game}", timeout=60).status_code == 200
    assert waiting.is_alive()
    counts = stage.games.jobs.counts
    assert counts["asked"] - counts["shared"] == 1
    gate.touch()
    waiting.join(60)
    assert found[0]["pending"] is None
    assert found[0]["options"][0]["kind"] == "run"
    assert counts["done"] == 1


def test_a_search_that_everybody_has_left_is_cancelled(
    stage: Stage, hard_game: str, gate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searches, "_RETURN", 0.1)
    host, _, port = stage.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        path = f"/api/games/{hard_game}/options?wait=25"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode())
        until(lambda: stage.games.jobs.counts["asked"] == 1, 60)
        time.sleep(0.5)
        assert stage.games.jobs.counts["cancelled"] == 0
    until(lambda: stage.games.jobs.counts["cancelled"] == 1, 60)


def test_a_run_that_is_still_searched_can_be_questioned(
    stage: Stage, hard_game: str, gate: Path
) -> None:
    """Both wait until it is known whether there is a better run."""
    ana = _player(stage, "Ana")
    idle = {"type": "run", "by": _acting(stage, hard_game), "routes": [], "extras": []}
    url = f"/api/games/{hard_game}"
    why, told = _in_thread(lambda: ana.post(f"{url}/why", json={"action": idle}))
    body = {"action": idle, "head": 0}
    act, acted = _in_thread(lambda: _player(stage, "Ana").post(f"{url}/actions", json=body))
    until(lambda: stage.games.jobs.counts["asked"] > 0, 60)
    time.sleep(0.3)
    assert why.is_alive()
    assert act.is_alive()
    gate.touch()
    why.join(60)
    act.join(60)
    assert told[0].status_code == 200
    assert acted[0].status_code in (200, 422)
    refused = told[0].json()["refusal"]
    assert (acted[0].status_code == 422) == (refused is not None)


def _acting(stage: Stage, game: str) -> str:
    state: State = stage.state(game)
    return state.acting or ""


def test_others_play_while_a_file_is_read(
    stage: Stage, gate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = _player(stage, "Ana"), _player(stage, "Ben")
    saved = ana.get(f"/api/games/{_new_game(ana)}/save").content
    slow = partial(gated_import, str(gate))
    monkeypatch.setattr("carril.service.transfers.import_game", slow)
    reading, found = _in_thread(lambda: ana.post("/api/import", files={"file": ("a", saved)}))
    until(lambda: stage.games.jobs.counts["asked"] >= 2, 60)
    _play(ben, _new_game(ben), 5)
    assert reading.is_alive()
    gate.touch()
    reading.join(60)
    assert found[0].status_code == 201
