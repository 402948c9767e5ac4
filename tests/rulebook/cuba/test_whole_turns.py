"""Turns in which several rules meet; every sum is worked out from the draft."""

from __future__ import annotations

from carril.engine.actions import (
    BuyTrain,
    IssueShares,
    LayTile,
    PlaceToken,
    SellShares,
)
from carril.engine.events import DividendPaid
from carril.engine.market import price
from carril.engine.state import IPO, POOL, TREASURY
from carril.rules.marker import rule
from carril.titles.cuba.events import CitiesCounted
from tests.rulebook.cuba.lines import earned, offered, run
from tests.rulebook.cuba.positions import (
    buying,
    extra,
    four_companies,
    game,
    major,
    minor,
    operate,
    pool,
    priced,
    reach,
)
from tests.rulebook.cuba.rounds import FULL, due
from tests.rulebook.cuba.test_central import ended
from tests.table import cash, charter, cited, code, play, tiles, tokens


@rule("CUBA-VII.3.12-b", "CUBA-VII.3.12-c", "CUBA-VII.3.12-e", "CUBA-G43")
def test_the_fc_counts_one_of_the_three_cities_of_havana() -> None:
    """VII.3.12: as many cities as the train has range, and 10 for each cube nobody shipped.

    L45 has three cities of 40, the FC is in the one of edges 3 and 4. Santa Clara is green (30),
    Sancti Spiritus brown (40). A 2 counts the best two, 40 + 40 = 80, and one cube is left: 90.
    Ana has four tenths, 36, and Ben one, 9. The fees of 40 go to the bank. 85 rises to 90.
    """
    state = tiles(reach(four_companies("1"), "5"), B7=("L45", 0), C14=("619", 0), D15=("611", 0))
    state = tokens(state, B7=(("Oe",), ("FC",), ()), C14=(("FC",),), D15=(("FC",),))
    state = charter(state, "FC", trains=("1", "2"), shares={"Ana": 4, "Ben": 1, IPO: 5}, tokens=5)
    state = cash(priced(extra(state, cubes={"HG": 1}), "FC", 85), FC=40)
    after, told = ended(state)
    (counted,) = [event for event in told if isinstance(event, CitiesCounted)]
    assert (set(counted.cities), counted.revenue) == ({"B7.1", "D15.0"}, 80)
    assert DividendPaid("FC", "full", 90, 0) in told
    assert (after.players["Ana"].cash, after.players["Ben"].cash) == (680 + 36, 680 + 9)
    assert (after.companies["FC"].cash, price(after, "FC")) == (0, 90)
    assert after.bank == state.bank - 45 + 40


@rule("CUBA-IV.5-g", "CUBA-IV.5-h", "CUBA-IV.5-i", "CUBA-C13", "CUBA-VII.3.6-i")
def test_one_token_is_paid_for_three_times_in_a_turn() -> None:
    """IV.5: 20 for track, 20 for a station, 20 for running, at the same token in Cárdenas.

    Cárdenas is full (FC, NPP); track leads on from it over B13 and C12 to Cienfuegos. Beyond that
    MS lays the city tile of Santa Clara (20), builds in Cienfuegos (20 + 40), and runs a 4: Havana
    30, Matanzas 20, Cárdenas 30, Cienfuegos 20 = 100, for 20. Without the pass the train ends in
    Cárdenas: 80. The treasury has four tenths: 40. So 300 - 20 - 60 - 20 + 40 = 240 are left, and
    the FC has 60. The slot of Santa Clara is kept for CVC, so no station is offered there.
    """
    state = reach(game(), "4")
    state = major(state, "MS", {"Ana": 6}, value=100, trains=("4",), tokens=1)
    state = major(state, "NPP", {"Ben": 6}, value=90, trains=("4",), tokens=0)
    state = tiles(state, B9=("57", 1), B11=("14", 0), B13=("7", 0), C12=("8", 3), D13=("5", 2))
    state = tokens(state, B9=(("MS",),), B11=(("FC", "NPP"),))
    state = due(operate(cash(state, MS=300), "MS"), "MS", LayTile)
    assert code(state, LayTile("C14", "57", 0)) == "not-connected"
    state = play(state, LayTile("C14", "57", 0, passes=("B11.0",)))
    assert code(state, PlaceToken("D13", 0)) == "city-not-reached"
    assert code(state, PlaceToken("C14", 0, passes=("B11.0",))) == "home-reserved"
    state = play(state, PlaceToken("D13", 0, passes=("B11.0",)))
    assert {revenue for revenue, _ in offered(state)} == {80, 100}
    paid = run("4: B7.1 B9.0 B11.0 B13 C12 D13.0", extras=("toll B11.0",))
    assert earned(state, paid) == 100
    state = play(state, paid, FULL)
    assert (state.companies["MS"].cash, state.companies["FC"].cash) == (240, 60)
    assert state.players["Ana"].cash == 680 + 60


@rule("CUBA-VII.3.9-q", "CUBA-VII.3.9-t", "CUBA-VII.3.9-p", "CUBA-VII.3.14-j", "CUBA-IV.2-p")
def test_two_aged_trains_one_trade_and_a_discount() -> None:
    """VII.3.9: an aged 3n is worth 90, of which 45 count; a 4n for it costs 280 - 45 = 235.

    With the concession for 80 it costs 155. A trade that skips a type is refused. An aged 3n from
    the pool costs 90, but two trains are the limit.
    """
    state = minor(reach(game(), "4"), "HG", {"Ana": 3}, trains=("3n", "3n"), tokens=0)
    state = pool(extra(state, bonuses={"M6": "Ana"}), "3n")
    state = reach(state, "5")
    assert state.companies["HG"].trains == ("3-1n", "3-1n")
    assert state.depot.pool == ("3-1n",)
    state = buying(state, "HG", HG=500)
    assert code(state, BuyTrain("3-1n", "pool", 90)) == "train-limit"
    assert cited(state, BuyTrain("5n", "stack", 355, trade="3-1n")) == "CUBA-VII.3.9-p"
    assert code(state, BuyTrain("4n", "stack", 190, trade="3-1n")) != "", "the price of a new one"
    full = play(state, BuyTrain("4n", "stack", 235, trade="3-1n"))
    assert (full.companies["HG"].cash, full.companies["HG"].trains) == (265, ("3-1n", "4n"))
    helped = play(state, BuyTrain("4n", "stack", 155, trade="3-1n", private="M6"))
    assert helped.companies["HG"].cash == 345


@rule("CUBA-VII.3.10-b", "CUBA-VII.3.10-d", "CUBA-VII.3.10-e", "CUBA-VII.3.10-f", "CUBA-VII.3.10-i")
def test_an_emergency_for_the_first_8() -> None:
    """VII.3.10: shares of the company and the director's cash first, then own shares.

    MS must buy an 8 for 700 and has 100. Its four treasury shares stand at 60; the pool has two,
    so three can be issued: 60 + 55 + 50 = 165. 700 - 265 = 435 are missing, and Ana has 200. Of her
    five FC shares at 100 she sells three: the first two would leave 35 missing. She pays 435 and
    keeps 200 + 300 - 435 = 65. A share of MS she may not sell: the pool has five.
    """
    state = reach(four_companies("1"), "6")
    state = charter(state, "MS", shares={"Ana": 4, TREASURY: 4, POOL: 2}, trains=())
    state = charter(state, "FC", shares={"Ana": 5, IPO: 5}, operated=True)
    state = charter(state, "NPP", trains=("6",))
    state = priced(priced(reach(state, "7"), "MS", 60), "FC", 100)
    state = buying(state, "MS", MS=100, Ana=200)
    assert code(state, SellShares("FC", 1)) != "", "shares of the company come first"
    for amount in (60, 55, 50):
        before = state.companies["MS"].cash
        state = play(state, IssueShares(1))
        assert state.companies["MS"].cash == before + amount
    assert code(state, IssueShares(1)) != ""
    assert code(state, SellShares("MS", 1)) != ""
    assert code(state, BuyTrain("8", "stack", 700)) != "", "200 are not enough"
    state = play(state, SellShares("FC", 1), SellShares("FC", 1))
    assert code(state, BuyTrain("8", "stack", 700)) != ""
    state = play(state, SellShares("FC", 1))
    assert cited(state, BuyTrain("4D", "stack", 800)) == "CUBA-VII.3.10-h"
    state = play(state, BuyTrain("8", "stack", 700))
    assert (state.players["Ana"].cash, state.companies["MS"].cash) == (65, 0)
    assert (price(state, "MS"), price(state, "FC")) == (50, 100)
