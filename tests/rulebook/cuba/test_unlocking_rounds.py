"""Tokens unlocked at the founding, by a purchase and by an issue, in two stock rounds and two sets.

Every sum is worked out from the rulebook.
"""

from __future__ import annotations

from carril.engine.actions import BuyShare, BuyTrain, IssueShares, LayTile, Pass, PlaceToken
from carril.engine.events import Event
from carril.engine.money import total
from carril.engine.state import IPO, POOL, TREASURY, State
from carril.rules.marker import rule
from carril.titles.cuba.events import TokensUnlocked
from tests.rulebook.cuba.lines import run
from tests.rulebook.cuba.rounds import FULL, due, end_turn, money, stocks
from tests.rulebook.cuba.test_founding_majors import two_founded
from tests.table import code, events, play


def stations(state: State, symbol: str) -> tuple[int, int]:
    """Return how many stations of a company are usable and how many are locked."""
    return state.companies[symbol].tokens, state.companies[symbol].locked


def unlocked(told: tuple[Event, ...]) -> list[Event]:
    """Return the events of unlocking."""
    return [event for event in told if isinstance(event, TokensUnlocked)]


def first_set(state: State) -> State:
    """CVC (80) operates before MS (70), then the FC (VII.1).

    CVC has 400 and 50% in its treasury. It issues one for 80 (VII.3.3): 480, price 75; 40% are
    left, too many. Its home tile is compulsory. No run: 75 to 65. The first 2 costs 100: 380.
    MS has 490 and 30%; its third station is usable since the founding. It issues one for 70: 560,
    price 65; 20% are left, which unlocks nothing more. No run: 65 to 55. A 2 for 100: 460.
    The FC counts Havana, but nobody has a share of it; 50 to 55. A 2 is exported.
    """
    state = due(state, "CVC", IssueShares)
    assert stations(state, "CVC") == (1, 2), "the home token is on the map"
    assert not unlocked(events(state, IssueShares(1)))
    state = play(state, IssueShares(1), LayTile("C14", "6", 2))
    state = end_turn(play(state, BuyTrain("2", "stack", 100)), "CVC")
    state = due(state, "MS", IssueShares)
    assert stations(state, "MS") == (2, 1)
    assert not unlocked(events(state, IssueShares(1)))
    state = play(state, IssueShares(1), LayTile("B9", "57", 1))
    return end_turn(play(state, BuyTrain("2", "stack", 100)), "MS")


def second_stock_round(state: State) -> State:
    """Cleo and Dan buy the two treasury shares of MS for 55 each, which MS gets (C17): 570.

    With the first 10% are left, with the second nothing: the fourth station (VII.3.6).
    """
    share = BuyShare("MS", TREASURY)
    assert not unlocked(events(state, share))
    state = play(state, share)
    assert unlocked(events(state, share)) == [TokensUnlocked("MS", 1)]
    state = play(state, share)
    assert (stocks(state, "MS"), stations(state, "MS")) == (((570, 55),), (3, 0))
    return play(state, *(Pass(),) * 4)


def second_set(state: State) -> State:
    """CVC (65) issues one for 65: 445, price 60; 30% are left: its third station (VI.8).

    Plain track on the cane of B13 costs 10 (VII.3.4): 435. No route: 60 to 50.
    MS (55) lays Cárdenas and builds a station there for 40: 530. Its 2 train runs from Havana (30)
    to Matanzas (20): 50, 5 a share (VII.3.8). Ana, Cleo and Dan have three each: 15. The share in
    the pool pays nobody. 55 to 65.
    The FC: a 2 train, but one city: 30; 55 to 60. A 2 is exported.
    """
    state = due(state, "CVC", IssueShares)
    assert unlocked(events(state, IssueShares(1))) == [TokensUnlocked("CVC", 1)]
    state = play(state, IssueShares(1))
    assert stations(state, "CVC") == (2, 1)
    state = end_turn(play(state, LayTile("B13", "8", 5)), "CVC")
    state = play(due(state, "MS", LayTile), LayTile("B11", "57", 1), PlaceToken("B11", 0))
    assert (stocks(state, "MS"), stations(state, "MS")) == (((530, 55),), (2, 0))
    assert code(state, run("2: B9.0 B11.0")) == "better-run"
    return end_turn(play(state, run("2: B7.1 B9.0"), FULL), "MS")


@rule("CUBA-VI.8-g", "CUBA-VI.8-h", "CUBA-VI.8-i", "CUBA-VI.8-j", "CUBA-VI.8-l", "CUBA-C10")
@rule("CUBA-VI.5-f", "CUBA-C17", "CUBA-VII.3.3-c", "CUBA-VII.3.3-f", "CUBA-VII.3.6-c")
def test_tokens_unlocked_at_the_founding_by_a_purchase_and_by_an_issue() -> None:
    state = two_founded()
    # MS at 70 with 70% sold, CVC at 80 with 50% sold (VI.8); all money in has gone to them.
    assert (stocks(state, "CVC", "MS"), state.bank) == (((400, 80), (490, 70)), 5280)
    state = first_set(state)
    assert stocks(state, "CVC", "MS", "FC") == ((380, 65), (460, 55), (0, 55))
    # 5,280 - 80 - 70 for the issues + 200 for the trains.
    assert (str(state.round), state.phase, state.bank) == ("SR 2", "2", 5330)
    state = second_stock_round(state)
    assert money(state) == {"Ana": 390, "Ben": 360, "Cleo": 485, "Dan": 485}
    assert (str(state.round), state.bank) == ("OR 2.1", 5330)
    state = second_set(state)
    assert stocks(state, "CVC", "MS", "FC") == ((435, 50), (530, 65), (0, 60))
    assert money(state) == {"Ana": 405, "Ben": 360, "Cleo": 500, "Dan": 500}
    # 5,330 - 65 + 10 + 40 - 45.
    assert (state.bank, total(state), str(state.round)) == (5270, 8000, "SR 3")
    assert state.companies["MS"].shares == {"Ana": 3, "Cleo": 3, "Dan": 3, POOL: 1}
    assert state.companies["CVC"].held(TREASURY) == 3
    # Eight 2 trains: two bought, two exported.
    assert (state.depot.left["2"], state.companies["FC"].held(IPO)) == (4, 10)
