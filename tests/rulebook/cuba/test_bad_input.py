"""Moves that players try and may not make: each is refused with its rule, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from carril.engine.actions import (
    Action,
    Bid,
    BuyMachine,
    BuyShare,
    BuyTrain,
    ConvertConcession,
    LayTile,
    Pass,
    PlaceBonus,
    StartCompany,
)
from carril.engine.refusals import IllegalAction
from carril.engine.state import TREASURY, State
from carril.engine.steps.operating import EndTurn
from carril.notation.position import encode
from carril.notation.words import say
from carril.rules.marker import rule
from carril.titles.cuba.machines import BuyMachines
from tests.rulebook.cuba.building import building
from tests.rulebook.cuba.lines import blocked, north_coast, run, running
from tests.rulebook.cuba.positions import (
    buying,
    extra,
    four_companies,
    game,
    major,
    minor,
    stock_round,
)
from tests.table import at, cash, charter, code, tokens

LINE = "B9.0 B11.0 A12.0"


def dealing(**more: object) -> State:
    """Ana is to act in the first stock round; she has concession M1, Ben has M2."""
    state = extra(game(), concessions={"M1": "Ana", "M2": "Ben"}, **more)
    return stock_round(state, "Ana", turn=1)


def with_treasury() -> State:
    """Two of the five shares of HG are in its treasury; Ben is to act."""
    return stock_round(minor(game(), "HG", {"Ana": 3}), "Ben")


def machines() -> State:
    """HG may buy machines in phase 1."""
    state = cash(minor(game(), "HG", {"Ana": 3}), HG=200)
    return at(state, EndTurn("HG"), BuyMachines("HG"))


def traded() -> State:
    """HG has a 2n in phase 4 of a supply that still sells 4n."""
    return buying(charter(four_companies("4"), "HG", trains=("2n",)), "HG", HG=500)


def rivals() -> State:
    """Ana has the wagon of concession M2; Ben directs MS."""
    state = major(game(), "MS", {"Ben": 6})
    return stock_round(extra(state, bonuses={"M2": "Ana"}), "Ana")


def open_city() -> State:
    """Cárdenas has a free slot: only the FC is there."""
    return running(tokens(blocked("3"), B11=(("FC",),)), "MS")


def half() -> State:
    """NPP lays track in the eastern half, west of which nothing is in play."""
    first = game(2, variants=("easy", "east"))
    return building("NPP", {"D19": ("57", 1)}, {"D19": (("NPP",),)}, state=first)


MOVES: dict[str, tuple[Callable[[], State], Action, str]] = {
    "a major at 105": (dealing, StartCompany("MS", 105), "CUBA-VI.8-a"),
    "a minor at 105": (dealing, ConvertConcession("M1", "HG", 105), "CUBA-VI.7-b"),
    "a bid of 12": (game, Bid(12), "CUBA-VI.6-d"),
    "a pass by the opener": (game, Pass(), "CUBA-VI.6-c"),
    "somebody else's concession": (dealing, ConvertConcession("M2", "HG", 70), "CUBA-VI.6-o"),
    "a minor's treasury share": (with_treasury, BuyShare("HG", TREASURY), "CUBA-VI.5-c"),
    "a wagon for a minor": (
        lambda: buying(four_companies("3"), "HG", HG=200),
        BuyTrain("1w", "stack", 40),
        "CUBA-VII.3.9-n",
    ),
    "two wagons on one train": (
        lambda: running(north_coast("3", "1w", "2w", cubes=3), "MS"),
        run(f"3: {LINE}", extras=("1w 3 HG=1", "2w 3 HG=2")),
        "CUBA-VII.3.7-t",
    ),
    "a cube from an empty box": (
        lambda: running(north_coast("3", "1w"), "MS"),
        run(f"3: {LINE}", extras=("1w 3 HG=1",)),
        "CUBA-VII.3.7-z",
    ),
    "a harbour beyond the range without a cube": (
        lambda: running(north_coast("2", "1w", cubes=1), "MS"),
        run(f"2: {LINE}"),
        "CUBA-VII.3.7-b",
    ),
    "a fee for an open city": (
        open_city,
        run("3: B9.0 C10 B11.0 A12.0", extras=("toll B11.0",)),
        "CUBA-IV.5-j",
    ),
    "a fee by a minor": (
        lambda: building("HG", {"D13": ("L60", 0)}, {"D13": (("HG",),)}),
        LayTile("D11", "L48", 2, passes=("B7.1",)),
        "CUBA-IV.5-l",
    ),
    "a machine of a locked generation": (machines, BuyMachine("2"), "CUBA-VII.3.11-c"),
    "a tile of the other gauge, by a minor": (
        lambda: building("HG", {"D13": ("L60", 0), "D11": ("L48", 2)}, {"D13": (("HG",),)}),
        LayTile("C10", "9", 0),
        "CUBA-VII.3.4-n",
    ),
    "a tile of the other gauge, by a major": (
        lambda: building("MS", {"B9": ("57", 1)}, {"B9": (("MS",),)}),
        LayTile("B11", "L60", 0),
        "CUBA-VII.3.4-u",
    ),
    "a tile outside the half map": (half, LayTile("C14", "57", 0), "CUBA-X-h"),
    "a trade-in that skips a type": (
        traded,
        BuyTrain("4n", "stack", 240, trade="2n"),
        "CUBA-VII.3.9-p",
    ),
    "a bonus in a rival's company": (rivals, PlaceBonus("M2", "MS"), "CUBA-IV.2-f"),
}


@rule("CUBA-VI.6-c", "CUBA-VI.6-d", "CUBA-VII.3.7-p", "CUBA-IV.5-j", "CUBA-IV.5-l", "CUBA-X-h")
@pytest.mark.parametrize("name", MOVES)
def test_a_move_is_refused_with_its_rule_and_changes_nothing(name: str) -> None:
    make, action, cited = MOVES[name]
    state = make()
    before = encode(state)
    assert code(state, action)
    refused = state.refusal(action)
    assert refused is not None
    assert refused.rule == cited
    sentence = say(refused)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    with pytest.raises(IllegalAction):
        state.apply(action)
    assert encode(state) == before
