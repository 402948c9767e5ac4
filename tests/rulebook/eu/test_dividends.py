"""Dividends and the price move that follows (4.4.4, 4.4.5)."""

import pytest

from carril.engine.actions import BuyTrain, DeclareDividend, Pass
from carril.engine.events import DividendPaid, PriceMoved
from carril.engine.market import price
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from tests.rulebook.eu.lines import earning, run, running
from tests.table import (
    NAMES,
    cited,
    code,
    corporation,
    events,
    game,
    offered,
    operate,
    own_minors,
    play,
    tiles,
)


def corp(amount: int, shares: dict[str, int] | None = None) -> State:
    """SNCF at 100 with a 3 (Ana 4, Ben 2, pool 1, treasury 3), having run for so much."""
    shares = shares or {"Ana": 4, "Ben": 2, "pool": 1}
    state = corporation(game(), "SNCF", shares, trains=("3",))
    return earning(state, "SNCF", amount)


def gains(before: State, after: State) -> dict[str, int]:
    """What players and SNCF have more than before, where they have more."""
    found = {name: after.players[name].cash - before.players[name].cash for name in NAMES[:4]}
    found["SNCF"] = after.companies["SNCF"].cash - before.companies["SNCF"].cash
    assert total(before) == total(after)
    return {name: amount for name, amount in found.items() if amount}


def declared(kind: str, amount: int, shares: dict[str, int] | None = None) -> dict[str, int]:
    """What everybody gains by such a dividend."""
    before = corp(amount, shares)
    return gains(before, play(before, DeclareDividend(kind)))


@rule("EU-4.4.4-a")
def test_a_corporation_chooses_full_half_or_nothing() -> None:
    state = corp(130)
    kinds = ("full", "half", "withhold")
    assert state.options() == tuple(DeclareDividend(kind, by="Ana") for kind in kinds)
    assert state.acting == "Ana"
    for kind in kinds:
        assert code(state, DeclareDividend(kind)) == ""
    assert code(state, DeclareDividend("double")) == "no-such-dividend"
    assert cited(state, DeclareDividend("double")) == "EU-4.4.4-a"
    assert code(state, DeclareDividend("")) == "no-such-dividend"


@rule("EU-4.4.4-b")
def test_a_minor_pays_half_to_its_owner_and_keeps_half() -> None:
    state = own_minors(game(), {"1": "Ben"})
    state = running(tiles(state, B7=("58", 0), B9=("8", 1)), "1")
    paris = run("2: A6.0 B7.0 B9 A10.0")
    after = play(state, paris)
    assert after.players["Ben"].cash - state.players["Ben"].cash == 45
    assert after.companies["1"].cash == 45
    assert DividendPaid("1", "half", 45, 45) in events(state, paris)


@rule("EU-4.4.4-b")
@pytest.mark.parametrize("kind", ["full", "half", "withhold"])
def test_a_minor_is_never_asked_for_its_dividend(kind: str) -> None:
    """Its half is paid with the run, and no declaration is taken before or after."""
    state = own_minors(game(), {"1": "Ben", "12": "Ana"})
    state = running(tiles(state, B7=("58", 0), B9=("8", 1)), "1")
    assert code(state, DeclareDividend(kind)) == "not-now"
    after = play(state, run("2: A6.0 B7.0 B9 A10.0"))
    assert code(after, DeclareDividend(kind)) == "not-now"


@rule("EU-A-41")
@pytest.mark.parametrize(("amount", "half"), [(90, 45), (80, 40), (10, 5)])
def test_the_half_of_a_minor_needs_no_rounding(amount: int, half: int) -> None:
    state = own_minors(game(), {"1": "Ben"})
    before = state.players["Ben"].cash
    after = earning(state, "1", amount)
    assert (after.players["Ben"].cash - before, after.companies["1"].cash) == (half, half)
    assert state.bank - after.bank == amount


@rule("EU-4.4.4-c")
@pytest.mark.parametrize(
    ("amount", "dividend", "kept"), [(130, 70, 60), (120, 60, 60), (170, 90, 80), (190, 100, 90)]
)
def test_half_is_rounded_up_to_ten_for_the_shares(amount: int, dividend: int, kept: int) -> None:
    state = corp(amount)
    half = DeclareDividend("half")
    assert DividendPaid("SNCF", "half", dividend, kept) in events(state, half)


@rule("EU-4.4.4-c", "EU-4.4.4-d", "EU-4.4.4-f")
def test_half_of_130_pays_7_a_share_and_the_rest_stays() -> None:
    """The corporation gets the retained 60, and 21 for its three treasury shares."""
    assert declared("half", 130) == {"Ana": 28, "Ben": 14, "SNCF": 60 + 21}


@rule("EU-4.4.4-f")
def test_half_without_treasury_shares_leaves_only_the_retained_part() -> None:
    assert declared("half", 130, {"Ana": 6, "pool": 4}) == {"Ana": 42, "SNCF": 60}


@rule("EU-A-42")
def test_half_of_ten_is_ten() -> None:
    state = corp(10, {"Ana": 5, "Ben": 5})
    half = DeclareDividend("half")
    assert DividendPaid("SNCF", "half", 10, 0) in events(state, half)
    assert gains(state, play(state, half)) == {"Ana": 5, "Ben": 5}


@rule("EU-4.4.4-d", "EU-4.4.4-e")
def test_a_full_dividend_pays_players_and_treasury_and_not_the_pool() -> None:
    """180 with three shares in the treasury: the corporation gets 54, the pool nothing."""
    state = corp(180)
    after = play(state, DeclareDividend("full"))
    assert gains(state, after) == {"Ana": 72, "Ben": 36, "SNCF": 54}
    assert state.bank - after.bank == 180 - 18


@rule("EU-4.4.4-e")
def test_the_pool_gets_nothing_however_much_it_holds() -> None:
    assert declared("full", 200, {"Ana": 5, "pool": 5}) == {"Ana": 100}


@rule("EU-4.4.4-g")
def test_withheld_earnings_go_whole_to_the_treasury() -> None:
    assert declared("withhold", 170) == {"SNCF": 170}


@rule("EU-4.4.4-h")
def test_without_earnings_nothing_is_asked_and_the_price_moves_left() -> None:
    state = corp(0)
    assert not offered(state, DeclareDividend)
    assert price(state, "SNCF") == 90
    assert price(corp(10), "SNCF") == 100, "with earnings there is a choice"
    idle = operate(corporation(game(), "SNCF", {"Ana": 5}, trains=("3",)), "SNCF")
    assert DividendPaid("SNCF", "withhold", 0, 0) in events(idle, Pass())


@rule("EU-4.4.5-a")
@pytest.mark.parametrize(
    ("amount", "kind", "new"),
    [
        (100, "full", 110),
        (90, "full", 100),
        (190, "half", 110),
        (170, "half", 100),
        (190, "withhold", 90),
        (0, "", 90),
    ],
)
def test_the_price_follows_the_dividend(amount: int, kind: str, new: int) -> None:
    state = corp(amount)
    after = play(state, DeclareDividend(kind)) if kind else state
    assert price(after, "SNCF") == new


@rule("EU-4.4.5-a")
def test_the_price_has_moved_before_trains_are_bought() -> None:
    shares = {"Ana": 5, "Ben": 5}
    state = corporation(game(), "SNCF", shares, trains=("3",))
    state = earning(state, "SNCF", 200)
    assert code(state, BuyTrain("3", "stack", 200)) == "not-now"
    after = state.apply(DeclareDividend("withhold"))
    assert PriceMoved("SNCF", 100, 90, "no dividend") in after.events
    assert isinstance(after.state.step, BuyTrains)
    assert price(after.state, "SNCF") == 90
    assert code(after.state, BuyTrain("3", "stack", 200)) == ""
