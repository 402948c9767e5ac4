"""The stock market: starting values and every way a price moves (ledger EU-3, EU-3.2)."""

from __future__ import annotations

import pytest

from carril.engine.actions import (
    BuyShare,
    DeclareDividend,
    IssueShares,
    MergeMinor,
    RedeemShares,
    SellShares,
    StartCompany,
)
from carril.engine.events import PriceMoved
from carril.engine.market import grid, price
from carril.engine.state import State
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.earnings import Earnings as PayOut
from carril.rules.marker import rule
from tests.rulebook.eu.dealing import space, to_round
from tests.table import (
    at,
    cash,
    cited,
    code,
    corporation,
    game,
    own_minors,
    phase,
    play,
    stock_round,
    tokens,
)

Space = tuple[int, int]


def table(where: Space, *, pool: int = 0) -> State:
    """Ana leads SNCF with half of it, at this space; the minors are out of play."""
    shares = {"Ana": 5, "pool": pool}
    return corporation(own_minors(game(3), {}), "SNCF", shares, at=where, trains=("5",))


def after_earning(where: Space, earnings: int, kind: str = "full") -> Space:
    """Return where a price goes when earnings are divided."""
    state = at(table(where), PayOut("SNCF", earnings))
    if earnings:
        state = play(state, DeclareDividend(kind))
    return space(state, "SNCF")


def after_sale(where: Space, count: int) -> Space:
    """Return where a price goes when a player sells so many shares."""
    return space(play(stock_round(table(where)), SellShares("SNCF", count)), "SNCF")


def standing(state: State, where: Space) -> list[str]:
    """Return who stands in a space, the top of the stack first."""
    return [m.company for m in state.markers if (m.row, m.column) == where]


# --- the chart --------------------------------------------------------------------------------


@rule("EU-3-a")
def test_a_price_is_that_of_a_tenth_and_the_presidents_certificate_is_two() -> None:
    state = stock_round(own_minors(cash(game(), Ana=500), {"1": "Ana", "3": "Ana"}))
    started = play(state, StartCompany("SNCF", 90), MergeMinor("1"))
    assert state.players["Ana"].cash - started.players["Ana"].cash == 180
    bought = play(started, BuyShare("SNCF", "treasury"))
    assert started.players["Ben"].cash - bought.players["Ben"].cash == 90


@rule("EU-3-b")
def test_a_corporation_starts_on_one_of_five_spaces_and_nowhere_else() -> None:
    state = stock_round(own_minors(cash(game(), Ana=500), {"1": "Ana"}))
    spaces = {
        value: space(play(state, StartCompany("SNCF", value)), "SNCF")
        for value in (70, 75, 82, 90, 100)
    }
    assert spaces == {70: (4, 2), 75: (4, 3), 82: (3, 3), 90: (3, 4), 100: (2, 4)}
    for value in (65, 110, 60, 0):
        assert code(state, StartCompany("SNCF", value)) == "no-par"
        assert cited(state, StartCompany("SNCF", value)) == "EU-3-b"


@rule("EU-3-c")
def test_each_row_is_at_most_as_long_as_the_one_above() -> None:
    assert [len(row) for row in grid(game()).rows] == [17, 14, 11, 8, 6, 5, 4]


@rule("EU-A-1")
def test_the_space_after_200_is_220_and_on_18xx_games_225() -> None:
    values = {}
    for name in ("rulebook", "18xx.games"):
        state = corporation(game(conventions=name), "SNCF", {"Ana": 5}, at=(0, 10))
        state = corporation(state, "KBS", {"Ben": 5}, at=(1, 11))
        values[name] = (price(state, "SNCF"), price(state, "KBS"))
    assert values == {"rulebook": (220, 220), "18xx.games": (225, 225)}


# --- sales ------------------------------------------------------------------------------------


@rule("EU-3.2-a")
def test_each_share_sold_moves_the_price_one_row_down() -> None:
    assert [after_sale((1, 3), count) for count in (1, 2, 3)] == [(2, 3), (3, 3), (4, 3)]
    issued = play(at(table((1, 3)), DealStock("SNCF")), IssueShares(3))
    assert space(issued, "SNCF") == (4, 3)
    assert price(issued, "SNCF") == 75


@rule("EU-3.2-b")
def test_a_fall_stops_at_the_foot_of_the_column() -> None:
    assert after_sale((5, 3), 3) == (6, 3)
    assert after_sale((4, 4), 3) == (5, 4)
    assert after_sale((5, 4), 2) == (5, 4)
    assert after_sale((0, 16), 1) == (0, 16)


# --- the end of the stock round ---------------------------------------------------------------


def sold_out(where: Space) -> State:
    """SNCF is all in hands of players at this space; KBS gives them something to do."""
    state = own_minors(game(3), {})
    state = corporation(state, "SNCF", {"Ana": 6, "Ben": 4}, at=where, trains=("5",))
    return corporation(state, "KBS", {"Cleo": 5}, at=(3, 3), trains=("5",))


@rule("EU-3.2-c")
def test_a_sold_out_corporation_rises_at_the_end_of_the_stock_round() -> None:
    state = corporation(sold_out((2, 4)), "FS", {"Ana": 5, "pool": 5}, at=(3, 4), trains=("5",))
    state = corporation(state, "DR", {"Ben": 6, "Ana": 3, "pool": 1}, at=(2, 2), trains=("5",))
    state = corporation(state, "NS", {"Ben": 6, "Ana": 3}, at=(2, 1), trains=("5",))
    outcome = to_round(stock_round(state), "OR 2.1")
    rises = [event for event in outcome.events if isinstance(event, PriceMoved)]
    assert rises == [PriceMoved("SNCF", 100, 110, "sold out")]
    assert space(outcome.state, "SNCF") == (1, 4)
    assert [space(outcome.state, name) for name in ("KBS", "FS", "DR", "NS")] == [
        (3, 3),
        (3, 4),
        (2, 2),
        (2, 1),
    ]


@rule("EU-3.2-d", "EU-3.2-k")
def test_on_the_top_row_a_sold_out_price_stays_where_it_is() -> None:
    state = corporation(sold_out((0, 4)), "FS", {"Ana": 5}, at=(0, 4), trains=("5",))
    after = to_round(stock_round(state), "OR 2.1").state
    assert standing(after, (0, 4)) == ["SNCF", "FS"]


@rule("EU-A-10")
def test_sold_out_prices_rise_in_operating_order() -> None:
    state = own_minors(game(3), {})
    state = corporation(state, "KBS", {"Ana": 6, "Ben": 4}, at=(2, 4), trains=("5",))
    state = corporation(state, "SNCB", {"Cleo": 6, "Ben": 4}, at=(2, 4), trains=("5",))
    state = corporation(state, "FS", {"Cleo": 5}, at=(3, 3), trains=("5",))
    after = to_round(stock_round(state), "OR 2.1").state
    assert standing(after, (1, 4)) == ["KBS", "SNCB"]
    assert after.title.order(after) == ["KBS", "SNCB", "FS"]


# --- dividends --------------------------------------------------------------------------------


@rule("EU-3.2-e")
def test_withholding_and_earning_nothing_move_the_price_left() -> None:
    assert after_earning((2, 4), 200, "withhold") == (2, 3)
    assert after_earning((2, 4), 0) == (2, 3)


@rule("EU-3.2-f")
@pytest.mark.parametrize(
    ("earnings", "kind", "where"),
    [
        (100, "full", (2, 5)),
        (190, "half", (2, 5)),
        (200, "half", (2, 5)),
        (170, "half", (2, 4)),
        (90, "full", (2, 4)),
        (500, "full", (2, 5)),
    ],
)
def test_a_dividend_of_at_least_the_price_moves_it_right(
    earnings: int, kind: str, where: Space
) -> None:
    assert after_earning((2, 4), earnings, kind) == where


@rule("EU-3.2-g")
def test_a_smaller_dividend_leaves_the_price_alone() -> None:
    assert after_earning((2, 4), 10, "full") == (2, 4)
    assert after_earning((2, 4), 90, "half") == (2, 4)


@rule("EU-3.2-h")
def test_at_the_end_of_a_row_left_becomes_down_and_right_becomes_up() -> None:
    assert after_earning((3, 0), 0) == (4, 0)
    assert after_earning((3, 7), 200) == (2, 7)
    assert after_earning((1, 13), 300) == (0, 13)
    assert after_earning((6, 3), 100) == (5, 3)


@rule("EU-3.2-i")
def test_in_the_corners_of_the_chart_the_price_stays() -> None:
    assert after_earning((0, 16), 400) == (0, 16)
    assert after_earning((6, 0), 0) == (6, 0)
    assert price(table((0, 16)), "SNCF") == 400
    assert price(table((6, 0)), "SNCF") == 40


# --- stacks -----------------------------------------------------------------------------------


@rule("EU-3.2-j")
def test_a_price_that_arrives_goes_under_those_already_there() -> None:
    state = corporation(table((2, 3)), "KBS", {"Ben": 5}, at=(2, 4))
    moved = play(at(state, PayOut("SNCF", 100)), DeclareDividend("full"))
    assert standing(moved, (2, 4)) == ["KBS", "SNCF"]
    late = phase(cash(moved, Ana=500), "5")
    started = play(stock_round(late), StartCompany("NS", 100))
    assert standing(started, (2, 4)) == ["KBS", "SNCF", "NS"]
    assert started.title.order(started) == ["KBS", "SNCF"]


@rule("EU-3.2-k")
def test_a_price_that_does_not_move_keeps_its_place_in_the_stack() -> None:
    def stack(where: Space) -> State:
        return corporation(table(where), "KBS", {"Ben": 5}, at=where)

    blocked = play(stock_round(stack((5, 4))), SellShares("SNCF", 2))
    assert standing(blocked, (5, 4)) == ["SNCF", "KBS"]
    right = play(at(stack((0, 16)), PayOut("SNCF", 400)), DeclareDividend("full"))
    assert standing(right, (0, 16)) == ["SNCF", "KBS"]
    left = at(stack((6, 0)), PayOut("SNCF", 0))
    assert standing(left, (6, 0)) == ["SNCF", "KBS"]
    small = play(at(stack((2, 4)), PayOut("SNCF", 50)), DeclareDividend("full"))
    assert standing(small, (2, 4)) == ["SNCF", "KBS"]


@rule("EU-3.2-l")
def test_a_corporation_that_does_not_operate_does_not_move() -> None:
    state = tokens(table((2, 4)), E6=(("SNCF",),))
    state = corporation(state, "KBS", {"Ben": 4}, at=(2, 4), floated=False, operated=False)
    state = tokens(state, G12=(("KBS",),))
    after = to_round(stock_round(state), "SR 3").state
    assert space(after, "SNCF") == (2, 2)
    assert space(after, "KBS") == (2, 4)


@rule("EU-3.2-m")
def test_shares_the_bank_takes_over_at_flotation_do_not_move_the_price() -> None:
    state = phase(own_minors(cash(game(), Ben=300), {}), "5")
    state = corporation(state, "SNCF", {"Ana": 4}, floated=False, operated=False)
    bought = play(stock_round(state, "Ben"), BuyShare("SNCF", "treasury"))
    sncf = bought.companies["SNCF"]
    assert sncf.floated
    assert (sncf.held("pool"), sncf.held("treasury"), sncf.cash) == (5, 0, 600)
    assert space(bought, "SNCF") == (2, 4)


@rule("EU-3.2-n")
def test_buying_never_moves_the_price() -> None:
    state = cash(table((2, 4), pool=3), SNCF=400)
    for source in ("treasury", "pool"):
        bought = play(stock_round(state, "Ben"), BuyShare("SNCF", source))
        assert bought.companies["SNCF"].held("Ben") == 1
        assert space(bought, "SNCF") == (2, 4)
    redeemed = play(at(state, DealStock("SNCF")), RedeemShares(3))
    assert redeemed.companies["SNCF"].held("treasury") == 5
    assert space(redeemed, "SNCF") == (2, 4)
