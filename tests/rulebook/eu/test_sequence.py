"""The sequence of play: sale, operating rounds, stock rounds, the end (ledger EU-4, A-5)."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import BuyShare, DeclareDividend
from carril.engine.events import BankBroken, Event
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.earnings import Earnings as PayOut
from carril.rules.marker import rule
from tests.rulebook.eu.dealing import go_on, rounds, to_round
from tests.table import (
    at,
    cash,
    corporation,
    game,
    operate,
    own_minors,
    play,
    sell_all_minors,
    stock_round,
    tokens,
)


@rule("EU-4-a")
def test_the_game_is_the_sale_then_sets_of_two_operating_rounds() -> None:
    state = sell_all_minors(game())
    assert str(state.round) == "OR 1.1"
    told = to_round(cash(state, Ana=400), "SR 4").events
    assert rounds(told) == [
        "OR 1.2",
        "SR 2",
        "OR 2.1",
        "OR 2.2",
        "SR 3",
        "OR 3.1",
        "OR 3.2",
        "SR 4",
    ]


def poor_bank(bank: int) -> State:
    """All of SNCF is in players' hands, and the bank holds only so much."""
    state = corporation(own_minors(game(3), {}), "SNCF", {"Ana": 6, "Ben": 4}, trains=("5",))
    state = corporation(state, "KBS", {"Cleo": 4}, floated=False, operated=False)
    state = tokens(state, E6=(("SNCF",),), G12=(("KBS",),))
    return cash(state, Ana=state.bank + 450 - bank)


@rule("EU-4-b", "EU-A-5")
def test_a_set_that_has_begun_is_completed_though_the_bank_is_broken() -> None:
    broken = replace(poor_bank(0), broken=True)
    first = go_on(operate(broken, "SNCF", turn=2, number=1), lambda now: now.finished)
    assert rounds(first.events) == ["OR 2.2"]
    assert first.state.ended == "bank"
    sound = to_round(operate(poor_bank(500), "SNCF", turn=2, number=1), "SR 3")
    assert rounds(sound.events) == ["OR 2.2", "SR 3"]
    assert not sound.state.finished


def paid(bank: int, dividend: int = 100) -> tuple[State, tuple[Event, ...]]:
    """Let SNCF pay a dividend to its players."""
    outcome = at(poor_bank(bank), PayOut("SNCF", dividend)).apply(DeclareDividend("full"))
    return outcome.state, outcome.events


@rule("EU-A-5")
def test_the_bank_is_broken_when_a_payment_exceeds_what_it_holds() -> None:
    state, told = paid(100)
    assert (state.bank, state.broken) == (0, False)
    assert BankBroken() not in told
    state, told = paid(99)
    assert (state.bank, state.broken) == (-1, True)
    assert BankBroken() in told


@rule("EU-A-5")
def test_once_broken_the_bank_pays_in_full_and_stays_broken() -> None:
    before = poor_bank(30)
    state, _ = paid(30, 200)
    gains = [state.players[name].cash - before.players[name].cash for name in ("Ana", "Ben")]
    assert gains == [120, 80]
    assert total(state) == 12000
    # Ben buys from the pool: money flows back, and the bank is above zero again.
    state = corporation(cash(state, Ben=600), "FS", {"Cleo": 3, "pool": 5}, at=(0, 11))
    refilled = play(stock_round(state, "Ben"), BuyShare("FS", "pool"))
    assert refilled.bank > 0
    assert refilled.broken
