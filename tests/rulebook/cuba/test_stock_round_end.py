"""The course and the end of a stock round, and the price chart (CUBA-VI.1, VI.2, IXa)."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyShare, Pass, SellShares
from carril.engine.events import OrderDealt, PriceMoved
from carril.engine.market import move_price, price
from carril.engine.move import Move
from carril.engine.state import IPO, POOL, State
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import game, major, minor, priced, stock_round
from tests.table import cash, charter, code, events, play

# G1: the printed chart, all 36 values
CHART = (
    "50 55 60 65 70 75 80 85 90 95 100 105 110 115 120 126 132 138 144 151 158 165 172 180 188 "
    "196 204 213 222 231 240 250 260 275 290 300"
)


def three(**more: int) -> State:
    """Return a stock round of three players in which MS has operated."""
    state = major(game(3, variants=("easy",)), "MS", {"Ana": 4, "Ben": 1})
    return stock_round(cash(state, **more))


@rule("CUBA-VI.1-d", "CUBA-VI.1-e")
def test_the_round_ends_when_all_pass_in_succession() -> None:
    state = play(three(), Pass(), Pass(), BuyShare("FC", IPO), Pass(), Pass())
    assert str(state.round) == "SR 2"  # the buyer must pass as well
    assert state.acting == "Cleo"
    assert play(state, Pass()).round.kind == "OR"
    # a player who has passed acts again
    again = play(three(), Pass(), BuyShare("FC", IPO), Pass())
    assert again.acting == "Ana"
    assert code(again, BuyShare("FC", IPO)) == ""


@rule("CUBA-VI.1-e")
def test_a_sale_alone_is_an_action() -> None:
    state = play(three(), Pass(), SellShares("MS", 1), Pass(), Pass(), Pass())
    assert str(state.round) == "SR 2"
    assert state.acting == "Ben"


@rule("CUBA-VI.2-a")
def test_the_lowest_order_card_opens_and_play_goes_round() -> None:
    state, seen = three(), []
    for _ in range(4):
        seen.append(state.acting)
        state = play(state, BuyShare("FC", IPO))
    assert seen == ["Ana", "Ben", "Cleo", "Ana"]


@rule("CUBA-VI.2-b", "CUBA-C9")
def test_the_order_is_dealt_by_most_cash() -> None:
    # 120 / 300 / 45 gives B, A, C
    assert OrderDealt(("Ben", "Ana", "Cleo")) in _last_events(three(Ana=120, Ben=300, Cleo=45))


def _last_events(state: State) -> tuple[object, ...]:
    """Return the events of the pass that ends the round."""
    for _ in state.players:
        found = events(state, Pass())
        if any(isinstance(event, OrderDealt) for event in found):
            return found
        state = play(state, Pass())
    raise AssertionError("the round goes on")


@rule("CUBA-VI.2-c")
def test_equal_cash_keeps_the_order() -> None:
    found = _last_events(three(Ana=100, Ben=300, Cleo=100))
    assert OrderDealt(("Ben", "Ana", "Cleo")) in found


@rule("CUBA-VI.2-a", "CUBA-VI.2-e", "CUBA-V-a")
def test_the_order_stays_in_the_operating_rounds_and_opens_the_next_round() -> None:
    state = play(stock_round(cash(game(3, variants=("easy",)), Ben=900)), Pass(), Pass(), Pass())
    # no company of a player operates: the FC has its turn, and the next stock round begins
    assert list(state.players) == ["Ben", "Ana", "Cleo"]
    assert str(state.round) == "SR 3"
    assert state.acting == state.priority == "Ben"


@rule("CUBA-IXa.1-a", "CUBA-G1")
def test_the_chart_is_a_zigzag_of_36_values() -> None:
    rows = game(4).tables.rows
    assert rows == (tuple(int(value) for value in CHART.split()),)
    assert len(rows[0]) == 36


@rule("CUBA-IXa.1-a", "CUBA-IXa.1-c", "CUBA-IXa.1-d")
@pytest.mark.parametrize(
    ("start", "way", "end"),
    [
        (90, "right", 100),
        (85, "right", 95),
        (90, "left", 80),
        (90, "up", 95),
        (90, "down", 85),
        (275, "right", 300),
        (290, "right", 300),
        (300, "right", 300),
        (300, "up", 300),
        (290, "up", 300),
        (60, "left", 50),
        (55, "left", 50),
        (50, "left", 50),
        (50, "down", 50),
    ],
)
def test_moves_on_the_chart(start: int, way: str, end: int) -> None:
    move = Move(priced(game(4), "MS", start))
    move_price(move, "MS", way, "test")
    assert price(move.state, "MS") == end


@rule("CUBA-IXa.1-b")
def test_a_marker_that_moves_goes_below_and_one_that_cannot_stays() -> None:
    state = priced(priced(priced(game(4), "MS", 300), "CVC", 300), "Oe", 290)
    move = Move(state)
    move_price(move, "MS", "up", "test")  # stays on top
    move_price(move, "Oe", "right", "test")
    assert [m.company for m in move.state.markers] == ["FC", "MS", "CVC", "Oe"]


def sold_out(state: State, symbol: str, **more: int) -> State:
    """Let Ana and Ben hold all shares of a major."""
    return major(state, symbol, {"Ana": 6, "Ben": 4}, **more)


def prices_after(state: State) -> State:
    """End the stock round by passes and return the position after it."""
    return play(stock_round(state), *(Pass() for _ in state.players))


@rule("CUBA-IXa.3-b")
def test_a_company_in_the_hands_of_players_rises_one_step() -> None:
    state = sold_out(game(4), "MS", value=80)
    state = minor(state, "HG", {"Ana": 3, "Ben": 2}, value=90)
    after = prices_after(state)
    assert (price(after, "MS"), price(after, "HG")) == (85, 95)


@rule("CUBA-IXa.3-b")
@pytest.mark.parametrize("place", ["treasury", "pool"])
def test_a_share_elsewhere_prevents_the_rise(place: str) -> None:
    state = major(game(4), "MS", {"Ana": 6, "Ben": 3, place: 1})
    state = minor(state, "HG", {"Ana": 3, "Ben": 1, place: 1})
    after = prices_after(state)
    assert (price(after, "MS"), price(after, "HG")) == (80, 80)


@rule("CUBA-VII.3.12-h", "CUBA-C14", "CUBA-IXa.3-b")
def test_the_state_railway_rises_when_players_hold_all_of_it() -> None:
    all_sold = charter(game(4), "FC", shares={"Ana": 5, "Ben": 5}, operated=True)
    found = _last_events(stock_round(all_sold))
    assert PriceMoved("FC", 50, 55, "sold out") in found
    pool = charter(game(4), "FC", shares={"Ana": 5, "Ben": 4, POOL: 1}, operated=True)
    found = _last_events(stock_round(pool))
    assert not [event for event in found if getattr(event, "reason", "") == "sold out"]


@rule("CUBA-IXa.3-c", "CUBA-G21")
def test_rises_are_made_in_operating_order_with_the_state_railway_last() -> None:
    state = sold_out(game(4), "MS", value=80)
    state = sold_out(state, "CVC", value=100)
    state = minor(state, "HG", {"Ana": 3, "Ben": 2}, value=100)
    state = minor(state, "JU", {"Ana": 3, "Ben": 2}, value=70)
    state = charter(state, "FC", shares={"Ana": 5, "Ben": 5}, operated=True)
    found = [e for e in _last_events(stock_round(state)) if isinstance(e, PriceMoved)]
    risen = [event.company for event in found if event.reason == "sold out"]
    # minors from the lowest price (JU 70, HG 100), majors from the highest (CVC 100, MS 80), FC
    assert risen == ["JU", "HG", "CVC", "MS", "FC"]


@rule("CUBA-VI.1-a")
def test_a_player_who_can_do_nothing_passes_by_themselves() -> None:
    state = major(game(4), "MS", {"Ben": 5, "Cleo": 2})
    state = stock_round(cash(state, Ana=0))
    assert state.acting == "Ben"
