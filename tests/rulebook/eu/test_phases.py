"""Phases: what each first train changes (ledger EU-2), and the optional trains."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyTrain, LayTile
from carril.engine.events import PhaseBegan, TrainsRusted, TurnBegan
from carril.engine.runs import best
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains
from carril.engine.trains import stack_top
from carril.rules.marker import rule
from tests.rulebook.eu.dealing import buy_top, buying, go_on, rounds, to_round, top
from tests.table import (
    cash,
    charter,
    code,
    corporation,
    game,
    operate,
    own_minors,
    pass_until,
    phase,
    play,
    stock_round,
    tiles,
    tokens,
)

PHASES = ("2", "3", "4", "5", "6", "8")


def bought(state: State, count: int) -> list[tuple[str, str]]:
    """Let a corporation buy so many trains; return each train and the phase after it."""
    found = []
    for _ in range(count):
        name = stack_top(state)
        state = buy_top(state, "SNCF")
        found.append((name, state.phase))
    return found


@rule("EU-2-a")
def test_only_the_first_train_of_a_number_begins_its_phase() -> None:
    state = corporation(game(), "SNCF", {"Ana": 5})
    assert state.phase == "2"
    begun = []
    for _ in range(16):
        buyer = buying(state, "SNCF")
        outcome = buyer.apply(top(buyer))
        state = outcome.state
        began = [event.phase for event in outcome.events if isinstance(event, PhaseBegan)]
        begun.append(began[0] if began else "-")
    assert "".join(begun) == "3----4---5--6-8-"


@rule("EU-2-j")
def test_no_phase_is_skipped_and_none_comes_back() -> None:
    state = corporation(game(), "SNCF", {"Ana": 5})
    names = [after for _, after in bought(state, 16)]
    assert "".join(names) == "3333344445556688"
    first = buying(state, "SNCF")
    assert code(first, BuyTrain("4", "stack", 300)) == "not-on-top"
    late = phase(state, "5")
    late = replace(late, depot=replace(late.depot, pool=("4",)))
    assert play(buying(late, "SNCF"), BuyTrain("4", "pool", 300)).phase == "5"


@rule("EU-2-b")
@pytest.mark.parametrize(
    ("name", "corporate", "minor"),
    [("2", 4, 2), ("3", 4, 2), ("4", 3, 1), ("5", 2, 1), ("6", 2, 1), ("8", 2, 1)],
)
def test_train_limits_of_corporations_and_minors(name: str, corporate: int, minor: int) -> None:
    state = phase(corporation(game(), "SNCF", {"Ana": 5}), name)
    state = own_minors(state, {"8": "Ana"})
    for company, limit in (("SNCF", corporate), ("8", minor)):
        below = buying(state, company, trains=("5",) * (limit - 1))
        assert code(below, top(below)) == ""
        full = replace(below, companies=charter(below, company, trains=("5",) * limit).companies)
        assert code(full, top(full)) == "train-limit"


UPGRADES = {
    "yellow": (None, LayTile("E6", "57", 0)),
    "green": ("57", LayTile("E6", "14", 0)),
    "brown": ("14", LayTile("E6", "611", 0)),
    "grey": ("611", LayTile("E6", "513", 0)),
}


@rule("EU-2-c")
@pytest.mark.parametrize(
    ("name", "colours"),
    [
        ("2", "yellow"),
        ("3", "yellow green"),
        ("4", "yellow green"),
        ("5", "yellow green brown"),
        ("6", "yellow green brown"),
        ("8", "yellow green brown grey"),
    ],
)
def test_tile_colours_of_a_phase(name: str, colours: str) -> None:
    state = corporation(own_minors(game(), {}), "SNCF", {"Ana": 5}, trains=("5",))
    state = phase(state, name)
    state = tokens(state, E6=(("SNCF",),))
    usable = []
    for colour, (below, lay) in UPGRADES.items():
        ready = tiles(state, E8=("9", 0), E10=("9", 0), E12=("4", 0))
        if below:
            ready = tiles(ready, E6=(below, 0))
        refused = code(operate(ready, "SNCF"), lay)
        assert refused in ("", "colour-not-yet")
        if not refused:
            usable.append(colour)
    assert " ".join(usable) == colours


@rule("EU-2-d", "EU-A-43")
@pytest.mark.parametrize("name", PHASES)
def test_two_operating_rounds_follow_every_stock_round(name: str) -> None:
    state = corporation(own_minors(game(3), {}), "SNCF", {"Ana": 5}, trains=("5",))
    state = phase(state, name)
    told = to_round(stock_round(tokens(state, E6=(("SNCF",),)), turn=2), "SR 3").events
    assert rounds(told) == ["OR 2.1", "OR 2.2", "SR 3"]


OWNED = ("2", "3", "4", "5", "6", "8", "P")


@rule("EU-2-e", "EU-2-f")
@pytest.mark.parametrize(
    ("before", "train", "gone"),
    [("2", "3", ""), ("3", "4", "2"), ("4", "5", ""), ("5", "6", "3"), ("6", "8", "4")],
)
def test_a_new_train_removes_the_old_ones_everywhere(before: str, train: str, gone: str) -> None:
    state = corporation(game(), "SNCF", {"Ana": 5})
    state = corporation(state, "KBS", {"Ben": 5}, trains=("4",))
    state = own_minors(state, {"8": "Cleo"})
    state = replace(phase(state, train), phase=before)
    state = replace(state, depot=replace(state.depot, pool=OWNED))
    state = charter(charter(state, "8", trains=(gone or "5",)), "KBS", trains=("5", gone or "4"))
    state = buying(state, "SNCF", money=800, trains=("8",))
    outcome = state.apply(top(state))
    after = outcome.state
    left = [after.depot.pool.count(name) for name in OWNED]
    assert left == [0 if name == gone else 1 for name in OWNED]
    assert after.companies["8"].trains == (() if gone else ("5",))
    assert after.companies["KBS"].trains == (("5",) if gone else ("5", "4"))
    rusted = [event for event in outcome.events if isinstance(event, TrainsRusted)]
    assert [(event.train, event.owners) for event in rusted] == (
        [(gone, ("8", "KBS"))] if gone else []
    )
    assert (after.companies["8"].cash, after.companies["KBS"].cash) == (0, 0)  # no compensation


@rule("EU-2-g")
@pytest.mark.parametrize(
    ("name", "value"), [("2", 90), ("3", 90), ("4", 90), ("5", 120), ("6", 120), ("8", 120)]
)
def test_london_is_worth_40_and_from_phase_5_on_70(name: str, value: int) -> None:
    state = phase(own_minors(game(), {"1": "Ana"}), name)
    state = charter(state, "1", trains=("5",))
    state = tiles(state, B9=("8", 1), B7=("58", 0))  # Paris, Lille, London
    assert best(state.title.run_problem(state, "1")).value == value


def before_the_first_five() -> State:
    """OR 3.1: Ana's SNCF can buy the first 5 train; Ben and Cleo own minors."""
    state = own_minors(game(3), {"8": "Ben", "12": "Cleo"})
    state = corporation(state, "SNCF", {"Ana": 5, "Ben": 2}, trains=("4",))
    state = tokens(cash(state, SNCF=500, m8=900), E6=(("SNCF",),))
    state = replace(phase(state, "5"), phase="4")
    state = pass_until(operate(state, "SNCF", turn=3, number=1), BuyTrains)
    assert state.step.subject == "SNCF"
    return state


@rule("EU-2-h", "EU-4-c", "EU-4-b")
def test_the_first_five_brings_the_final_exchange_after_the_set() -> None:
    state = play(before_the_first_five(), BuyTrain("5", "stack", 500))
    outcome = to_round(state, "SR 4")
    assert rounds(outcome.events) == ["OR 3.2", "FER", "SR 4"]
    turns = [event.company for event in outcome.events if isinstance(event, TurnBegan)]
    assert turns == ["8", "12", "SNCF"]
    assert all(
        company.closed for company in outcome.state.companies.values() if company.kind == "minor"
    )


@rule("EU-2-h")
def test_until_the_exchange_a_minor_may_own_one_train() -> None:
    state = play(before_the_first_five(), BuyTrain("5", "stack", 500))
    state = charter(cash(state, m8=2000), "8", trains=())

    def due(now: State) -> bool:
        return isinstance(now.step, BuyTrains) and now.step.subject == "8"

    buyer = go_on(state, due).state
    assert str(buyer.round) == "OR 3.2"
    first = BuyTrain("5", "stack", 500)
    assert code(buyer, first) == ""
    full = charter(buyer, "8", trains=("4",))
    assert code(full, first) == "train-limit"


@rule("EU-2-i")
def test_a_ninth_8_train_can_be_bought() -> None:
    """The last rank of trains never runs out (mended elsewhere in May 2026)."""
    state = phase(corporation(game(), "SNCF", {"Ana": 5}), "8")
    for _ in range(8):
        state = buy_top(state, "SNCF")
    buyer = buying(state, "SNCF", money=800)
    assert code(buyer, BuyTrain("8", "stack", 800)) == ""
    assert play(buyer, BuyTrain("8", "stack", 800)).companies["SNCF"].trains == ("8",)


@rule("EU-1.2-h", "EU-4.4.7-b")
@pytest.mark.parametrize(
    ("variants", "stack"),
    [
        (["extra-3"], "33333344445"),
        (["extra-4"], "333334444455"),
        (["extra-3", "extra-3b"], "333333344445"),
        (["extra-3", "extra-3b", "extra-4"], "3333333444445"),
    ],
)
def test_optional_trains_lie_with_their_own_kind(variants: list[str], stack: str) -> None:
    """Reported elsewhere as #7109, #7245 and #7330: they come in their rank and can be bought."""
    state = corporation(game(variants=variants), "SNCF", {"Ana": 5})
    found = bought(state, len(stack))
    assert "".join(name for name, _ in found) == stack
    assert "".join(after for _, after in found) == stack
