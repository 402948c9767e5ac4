"""A whole operating round with an emergency, with all sums from the rulebook."""

from __future__ import annotations

from carril.engine.actions import BuyTrain, IssueShares, Pass, SellShares
from carril.engine.events import TrainExported
from carril.engine.money import total
from carril.engine.state import IPO, State
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import four_companies, major, operate
from tests.rulebook.cuba.rounds import due, end_turn, money, stocks
from tests.table import cash, charter, code, play

ALL = ("JU", "HG", "NPP", "MS", "FC")


def needy() -> State:
    """Phase 3; no company has a route. JU stands at 75, HG at 80, NPP at 100, MS at 90, FC at 50.

    All but MS have a train. MS has 20, one treasury share, and Ana, its director, has 30 and two
    shares of NPP, which Ben directs. Dan has two shares of the FC.
    """
    state = major(four_companies("3"), "NPP", {"Ben": 5, "Ana": 2}, value=100, trains=("3",))
    for symbol in ("HG", "JU"):
        state = charter(state, symbol, trains=("2n",))
    shares = {"Ana": 5, "Cleo": 4, "treasury": 1}
    state = charter(state, "MS", shares=shares, tokens=1, locked=1)
    state = charter(state, "FC", shares={"Dan": 2, IPO: 8})
    return operate(cash(state, MS=20, Ana=30), "JU")


@rule("CUBA-VII.3.10-b", "CUBA-VII.3.10-c", "CUBA-VII.3.10-e", "CUBA-VII.3.10-i", "CUBA-VI.8-j")
@rule("CUBA-VII.1-g", "CUBA-IXa.2-b", "CUBA-IXa.3-a")
def test_a_round_with_an_emergency_by_issue_cash_and_sales() -> None:
    """JU, HG, NPP, MS and the FC operate in this order (VII.1).

    Nobody but the FC earns anything: one space left (IX.2). JU 75 to 65, HG 80 to 70, NPP 100 to
    90, MS 90 to 80. So MS is at 80 when it must buy the 3 for 200 (VII.3.9). It has 20.
    It issues its share (VII.3.10): 20 + 80 = 100, 80 falls to 75. Nothing is left in its treasury:
    its last station is unlocked (VII.3.6). 100 are missing. Ana has 30 and must sell for 70: one
    share of NPP for 90, not two. NPP falls to 85 (IX.3). She has 120, adds 100 and keeps 20.
    The FC: Havana 30, 3 a share, Dan 6; 50 goes to 55. The set is over: the next 3 is exported.
    """
    state = needy()
    bank, sum_ = state.bank, total(state)
    for symbol in ("JU", "HG", "NPP"):
        state = end_turn(state, symbol)
    state = due(state, "MS", BuyTrain)
    assert stocks(state, *ALL) == ((0, 65), (0, 70), (0, 90), (20, 80), (0, 50))
    assert code(state, Pass()) == "must-buy-train"
    assert code(state, SellShares("NPP", 1)) == "can-still-issue"
    state = play(state, IssueShares(1))
    assert stocks(state, "MS") == ((100, 75),)
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (2, 0)
    assert code(state, SellShares("NPP", 2)) == "over-selling"
    state = play(state, SellShares("NPP", 1))
    assert (state.players["Ana"].cash, stocks(state, "NPP")) == (120, ((0, 85),))
    last = state.apply(BuyTrain("3", "stack", 200))  # MS has 0: its turn is over
    assert TrainExported("3") in last.events
    state = last.state
    assert stocks(state, *ALL) == ((0, 65), (0, 70), (0, 85), (0, 75), (0, 55))
    assert money(state) == {"Ana": 20, "Ben": 680, "Cleo": 680, "Dan": 686}
    assert state.companies["NPP"].shares == {"Ben": 5, "Ana": 1, "treasury": 3, "pool": 1}
    # The bank got 200 and paid 80 for the issue, 90 for the sale and 6 for the FC.
    assert (state.bank, total(state)) == (bank + 200 - 176, sum_)
    assert (str(state.round), state.companies["MS"].owner) == ("SR 3", "Ana")
