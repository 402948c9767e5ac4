"""No label, price, revenue or token on the map covers another: measured for whole games."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from carril.bots import Dice, bot_named
from carril.engine.state import State
from carril.notation.files import open_record
from carril.notation.online import OnlineRecord
from tests.browser.conftest import Visit
from tests.browser.map_labels import overlaps
from tests.browser.positions import played
from tests.browser.stage import Stage
from tests.page import esp_hand
from tests.records.test_shared_games import FILES
from tests.rulebook.cuba import positions as cuba_positions

SIZE = (1440, 900)


def _eu(actions: int) -> State:
    return played(3, actions)


def _esp(actions: int) -> State:
    random, state = Random(5), esp_hand.game(seed=5)
    for _ in range(actions):
        if state.finished:
            break
        state = state.apply(esp_hand.hand(state, random)).state
    return state


def _cuba(actions: int) -> State:
    bot, dice, state = bot_named("random"), Dice(3), cuba_positions.game()
    for _ in range(actions):
        if state.finished:
            break
        state = state.apply(bot.choose(state, dice).action).state
    return state


def _check(stage: Stage, visit: Visit, state: State) -> None:
    page = visit("Ana", f"/table/{stage.table(state)}", size=SIZE)
    page.locator("#tab-map").click()
    for area in page.locator("[data-map=area]").all() or [page.locator("[data-map=whole]")]:
        area.click()
        assert overlaps(page) == []


@pytest.mark.parametrize("actions", [0, 500])
@pytest.mark.parametrize("play", [_eu, _esp, _cuba])
def test_no_labels_overlap(
    stage: Stage, visit: Visit, play: Callable[[int], State], actions: int
) -> None:
    _check(stage, visit, play(actions))


def _late(path: Path) -> Iterator[State]:
    record = open_record(path)
    assert isinstance(record, OnlineRecord)
    for part in (5, 8):
        yield record.position(len(record) * part // 8)


@pytest.mark.skipif(not FILES, reason="the folder shared/games is not here")
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name.partition(".")[0])
def test_no_labels_overlap_in_recorded_games(stage: Stage, visit: Visit, path: Path) -> None:
    for state in _late(path):
        _check(stage, visit, state)
