"""Threads that share the caches get the answers that one thread gets alone."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest

from carril.engine import network, runs, setups, track
from carril.engine.cache import Cache
from carril.engine.registry import title_named, title_names
from carril.engine.setups import all_setups
from carril.engine.state import State
from carril.engine.steps import running
from carril.notation.position import decode, encode
from tests.contract.walk import Plan, walk

THREADS = 6
POSITIONS = 5
CACHES: tuple[tuple[Any, str], ...] = (
    (network, "_reach"),
    (network, "_supply"),
    (runs, "_answers"),
    (running, "_grounds"),
    (running, "_problems"),
    (running, "_equal"),
    (setups, "_built"),
    (track, "_fits"),
)


@pytest.fixture
def busy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make every cache of the engine tiny, so that threads evict values, and switch often."""
    for module, name in CACHES:
        monkeypatch.setattr(module, name, Cache(2))
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(usual)


def late_positions(title: str) -> list[bytes]:
    """Return some positions of operating rounds of a game, as they are stored."""
    players, variants = next(all_setups(title_named(title)))
    game = walk(Plan(title, players, seed=2, variants=variants), most=900)
    operating = [n for n in range(len(game)) if game.position(n).round.kind == "OR"]
    chosen = operating[:: max(1, len(operating) // POSITIONS)]
    return [encode(game.position(number)) for number in chosen]


def answers(state: State) -> list[object]:
    """Return what threads ask for most: options, reach, fitting tiles and the best runs."""
    tables, board = state.tables, state.board
    found: list[object] = [state.options()]
    for symbol in state.title.order(state):
        found.append(network.reach(tables, board, symbol))
        problem = state.title.run_problem(state, symbol)
        # Of equally good runs the cache may have another first, so only what is proven counts.
        answer = runs.best(problem)
        found += [problem, answer.value, answer.bound, answer.optimal]
    found += [track.fits(tables, board, hex_id) for hex_id in tables.hexes]
    found.append(network.supply(tables, board))
    return found


def ask(stored: list[bytes], order: Callable[[list[State]], list[State]], start: Barrier) -> Any:
    """Ask about all positions in some order, when all threads are ready."""
    states = [decode(data) for data in stored]
    start.wait()
    asked = {id(state): answers(state) for state in order(states)}
    return [asked[id(state)] for state in states]


@pytest.mark.parametrize("title", title_names())
@pytest.mark.usefixtures("busy")
def test_threads_get_the_answers_that_one_gets_alone(title: str) -> None:
    stored = late_positions(title)
    alone = [answers(decode(data)) for data in stored]
    start = Barrier(THREADS)
    orders = [list, lambda states: states[::-1]]
    with ThreadPoolExecutor(THREADS) as pool:
        asked = [pool.submit(ask, stored, orders[n % 2], start) for n in range(THREADS)]
        assert all(one.result() == alone for one in asked)
