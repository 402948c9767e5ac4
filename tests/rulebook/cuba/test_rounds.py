"""Whole operating rounds by hand, with all sums from the rulebook."""

from __future__ import annotations

from carril.engine.actions import (
    BuyMachine,
    BuyTrain,
    IssueShares,
    LayTile,
    Pass,
    PlaceToken,
)
from carril.engine.events import PhaseBegan, RoundBegan, TrainExported
from carril.engine.market import price
from carril.engine.money import total
from carril.engine.state import IPO, State
from carril.engine.steps.stock import StockRound
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import (
    four_companies,
    game,
    major,
    memory,
    minor,
    operate,
    supply,
)
from tests.table import cash, charter, play


def stocks(state: State, *symbols: str) -> tuple[tuple[int, int], ...]:
    """Return treasury and price of companies."""
    return tuple((state.companies[symbol].cash, price(state, symbol)) for symbol in symbols)


def opening() -> State:
    """HG was opened at 80 (treasury 3 x 80 = 240), MS at 90 with 60% sold (6 x 90 = 540)."""
    state = minor(game(), "HG", {"Ana": 3}, value=80, operated=False)
    state = major(state, "MS", {"Ben": 4, "Cleo": 2}, value=90, operated=False)
    state = charter(state, "FC", shares={"Ana": 1, "Ben": 2, IPO: 7})
    return operate(cash(state, HG=240, MS=540), "HG", turn=1)


def first_minor(state: State) -> State:
    """HG, the minor, is first. It has no train, earns nothing and falls from 80 to 70 (IXa.2-b).

    It must buy a 2n for 80 (VII.3.9-y) and buys a machine for 25 (VII.3.11-d): 240 - 105 = 135.
    """
    state = play(state, PlaceToken("D13", 0), Pass(), LayTile("D13", "L59", 0))
    assert stocks(state, "HG") == ((240, 70),)
    state = play(state, BuyTrain("2n", "stack", 80), Pass(), BuyMachine("1"), Pass())
    assert stocks(state, "HG") == ((135, 70),)
    assert memory(state).machine_prices["1"][0] == 30
    return state


def first_major(state: State) -> State:
    """MS issues a share at 90 (VII.3.3-c): 630, and the price falls to 85.

    30% are left in the treasury, so its third station is usable (VI.8-h). No train: one space
    left, 85 to 75. It buys the first 2 for 100, which begins phase 2, and a 1-wagon for 40:
    630 - 140 = 490.
    """
    assert state.acting == "Ben"
    state = play(state, IssueShares(1))
    assert stocks(state, "MS") == ((630, 85),)
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (2, 1)
    state = play(state, LayTile("B9", "57", 1))
    assert stocks(state, "MS") == ((630, 75),)
    bought = state.apply(BuyTrain("2", "stack", 100))
    assert PhaseBegan("2") in bought.events
    return play(bought.state, BuyTrain("1w", "stack", 40))


@rule("CUBA-VII.1-a", "CUBA-VII.1-c", "CUBA-VII.1-f", "CUBA-VII.3.1-a", "CUBA-VII.3.3-f")
@rule("CUBA-VII.3.12-b", "CUBA-VII.3.13-a", "CUBA-VII.3.14-c")
def test_the_first_operating_round() -> None:
    """HG and MS operate as above, then the FC, which counts Havana, 30.

    Ana's share gets 3, Ben's two get 6. The price goes from 50 to 55. The set has one round, so
    the next 2 is exported, the second of eight to go. It begins no phase.
    """
    state = opening()
    bank, money = state.bank, total(state)
    last = first_major(first_minor(state)).apply(Pass())
    assert TrainExported("2") in last.events
    assert RoundBegan("SR 2") in last.events
    assert not [event for event in last.events if isinstance(event, PhaseBegan)]
    state = last.state
    assert stocks(state, "HG", "MS", "FC") == ((135, 70), (490, 75), (0, 55))
    assert state.companies["MS"].trains == ("2", "1w")
    assert state.companies["FC"].trains == ("1", "2")
    assert (state.depot.left["2"], state.depot.left["2n"], state.depot.left["1w"]) == (6, 7, 7)
    cash_now = {name: player.cash for name, player in state.players.items()}
    assert cash_now == {"Ana": 683, "Ben": 686, "Cleo": 680, "Dan": 680}
    # The bank got 80 + 25 + 100 + 40 and paid 90 for the share and 9 for the FC's dividend.
    assert state.bank == bank + 245 - 99
    assert total(state) == money
    assert isinstance(state.step, StockRound)


# --- a chain of trade-ins through both ageings: a set of three rounds ------------------------


def first_round(state: State) -> State:
    """HG trades its 2n for a 3n, 180 - 40 = 140: 900 - 140 = 760.

    NPP (100) buys the 4 for 300: phase 4, the 2n of JU is scrapped. MS (90) buys the 5 for 500:
    phase 5, the 3n of HG is turned over. JU need not buy again now (VII.3.14-l).
    """
    state = turn(state, "JU")
    state = turn(state, "HG", BuyTrain("3n", "stack", 140, trade="2n"))
    state = turn(state, "NPP", BuyTrain("4", "stack", 300))
    assert (state.phase, state.companies["JU"].trains) == ("4", ())
    state = turn(state, "MS", BuyTrain("5", "stack", 500))
    assert (state.phase, state.companies["HG"].trains) == ("5", ("3-1n",))
    assert (state.round.number, state.round.of) == (2, 3)
    assert stocks(state, "HG", "JU") == ((760, 70), (500, 65))
    return state


def second_round(state: State) -> State:
    """JU must buy; the cheapest is an aged 3n for 90, half of 180.

    HG trades its own for a 4n, 280 - 45 = 235: 760 - 235 = 525. NPP buys the 6 for 600: phase 6,
    all aged 3n and the 3 of MS are scrapped. MS buys an 8 for 700: phase 7, the 4 of NPP is
    scrapped and the 4n of HG is turned over.
    """
    state = turn(state, "JU", BuyTrain("3-1n", "stack", 90))
    state = turn(state, "HG", BuyTrain("4n", "stack", 235, trade="3-1n"))
    state = turn(state, "NPP", BuyTrain("6", "stack", 600))
    assert (state.phase, state.companies["JU"].trains) == ("6", ())
    assert state.companies["MS"].trains == ("5",)
    state = turn(state, "MS", BuyTrain("8", "stack", 700))
    assert (state.phase, state.companies["HG"].trains) == ("7", ("4-1n",))
    assert state.companies["NPP"].trains == ("6",)
    return state


def third_round(state: State) -> State:
    """JU must buy again: an aged 4n for 140. HG trades for a 5n, 400 - 70 = 330: 195 are left."""
    state = turn(state, "JU", BuyTrain("4-1n", "stack", 140))
    state = turn(state, "HG", BuyTrain("5n", "stack", 330, trade="4-1n"))
    return turn(turn(state, "NPP"), "MS")


@rule("CUBA-VII.3.9-p", "CUBA-VII.3.9-q", "CUBA-VII.3.14-e", "CUBA-VII.3.14-f")
@rule("CUBA-VII.3.14-h", "CUBA-VII.3.14-k", "CUBA-VII.1-b", "CUBA-IXa.2-b")
def test_three_rounds_with_a_chain_of_trade_ins_through_both_ageings() -> None:
    """Phase 3; one card each of the 4, 5 and 6 is left. No company has a route.

    Nobody earns anything in the three rounds, so all prices but the FC's move left: HG 80, 70, 60,
    50; JU 75, 65, 55, 50; NPP 100, 90, 80, 70; MS 90, 80, 70, 60.
    """
    state = supply(four_companies("3"), {"3": 0, "4": 1, "5": 1, "6": 1})
    state = charter(charter(state, "HG", trains=("2n",)), "JU", trains=("2n",))
    state = charter(state, "MS", trains=("3",))
    state = operate(cash(state, HG=900, JU=500, NPP=900, MS=1200), "JU", of=3)
    state = third_round(second_round(first_round(state)))
    assert state.round.kind == "SR"
    # JU has paid 90 + 140, NPP 300 + 600, MS 500 + 700.
    assert stocks(state, "HG", "JU", "NPP", "MS") == ((195, 50), (270, 50), (0, 70), (0, 60))
    assert state.companies["HG"].trains == ("5n",)
    # Four 4n cards: HG's has left the game, JU has one. Three 5n cards: HG has one.
    assert (state.depot.left["4-1n"], state.depot.left["5n"], state.depot.pool) == (2, 2, ())


def turn(state: State, company: str, *purchases: BuyTrain) -> State:
    """Play a company's turn: nothing but these purchases, and passes."""
    assert state.step.subject == company, f"{state.step.subject} operates"
    waiting, bought = list(purchases), False
    while state.step.subject == company and state.round.kind == "OR" and not _next(state, bought):
        if state.step.mechanism == "trains" and waiting:
            state = play(state, waiting.pop(0))
            bought = True
        else:
            state = play(state, Pass())
    assert not waiting
    return state


def _next(state: State, bought: bool) -> bool:
    """Return whether another turn of the same company has begun."""
    return bought and state.step.mechanism == "stock"
