"""Sections VII.3.12 and VII.3.13: the turn of the state railway, and the exports."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import BuyTrain, DiscardTrain, Pass, SellShares
from carril.engine.events import (
    DividendPaid,
    Event,
    MoneyPaid,
    PhaseBegan,
    PriceMoved,
    RoundBegan,
    TrainExported,
    TrainsRusted,
)
from carril.engine.market import price
from carril.engine.play import resume
from carril.engine.state import IPO, Round, State
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.stock import StockRound
from carril.rules.marker import rule
from carril.titles.cuba.events import CitiesCounted, CubesScored
from tests.rulebook.cuba.positions import (
    buying,
    extra,
    four_companies,
    game,
    memory,
    priced,
    reach,
    stock_round,
    supply,
)
from tests.table import cash, charter, cited, code, play, tiles, tokens


def last_turn(state: State, *, number: int = 1, of: int = 2) -> tuple[State, tuple[Event, ...]]:
    """Let the state railway operate as the last company of a round, without the next round.

    By default another round of the set follows; the companies are taken out of it.
    """
    order = tuple(symbol for symbol in state.title.order(state) if symbol != "FC")
    agenda = (OperatingRound(order),)
    state = replace(state, round=Round("OR", 2, number, of), agenda=agenda)
    outcome = resume(state)
    return outcome.state, outcome.events


def alone(**shares: int) -> State:
    """Only the state railway operates; its shares by holder, the rest in the offering."""
    left = 10 - sum(shares.values())
    return charter(game(), "FC", shares={**shares, IPO: left} if left else shares)


def three_tokens(state: State) -> State:
    """Havana (L44, 30), Camagüey (619, 30) and Las Tunas (611, 40) hold a token of the FC."""
    state = tiles(state, B7=("L44", 0), D19=("619", 0), E22=("611", 0))
    state = tokens(state, B7=(("FC",),), D19=(("FC",),), E22=(("FC",),))
    return charter(state, "FC", tokens=5)


def ended(state: State) -> tuple[State, tuple[Event, ...]]:
    """Let the state railway operate at the end of a set; a stock round follows."""
    return last_turn(state, number=1, of=1)


@rule("CUBA-VII.3.12-a", "CUBA-VII.3.12-b", "CUBA-G16", "CUBA-III.2-m")
def test_in_the_first_set_the_printed_train_counts_havana_alone() -> None:
    """The city of Havana that runs east is worth 30; Ana holds two tenths: 6."""
    state = alone(Ana=2)
    assert state.companies["FC"].trains == ("1",)
    after, told = ended(state)
    assert CitiesCounted("FC", "1", ("B7.1",), 30, (30,)) in told
    assert after.players["Ana"].cash == 680 + 6


@rule("CUBA-VII.3.12-b", "CUBA-G16")
def test_the_best_cities_up_to_the_range_without_any_route() -> None:
    """Values 40, 30, 30: a 2 counts 40 + 30 = 70, a 3 counts 100, and so does an 8."""
    for train, income, count in (("1", 40, 1), ("2", 70, 2), ("3", 100, 3), ("8", 100, 3)):
        state = charter(three_tokens(alone(Ana=1)), "FC", trains=("1", train))
        _, told = ended(state)
        (counted,) = [event for event in told if isinstance(event, CitiesCounted)]
        assert (counted.revenue, len(counted.cities)) == (income, count)
        assert counted.train == train, "the newest train alone"


@rule("CUBA-VII.3.12-c", "CUBA-G13")
def test_ten_for_each_cube_left_over_and_the_boxes_are_emptied() -> None:
    """30 for Havana, 10 x (2 + 1) for the cubes: 60, of which Ana's five shares get 30."""
    state = extra(four_companies("1"), cubes={"HG": 2, "JU": 1})
    state = charter(state, "FC", shares={"Ana": 5, IPO: 5})
    after, told = ended(state)
    assert CubesScored("FC", 3, 30) in told
    assert sum(memory(after).cubes.values()) == 0
    assert after.players["Ana"].cash == 680 + 30


@rule("CUBA-VII.3.12-d", "CUBA-VII.3.12-e", "CUBA-C16", "CUBA-C11", "CUBA-G32")
def test_an_fc_turn_with_fees_cubes_and_a_train_that_outranges_its_cities() -> None:
    """The FC has a 5 but only three cities: 40 + 30 + 30 = 100. Two cubes are left: 20.

    120 are paid out, 12 for each share: Ana 3 x 12 = 36, Ben 2 x 12 = 24. The pool (1) and the
    offering (4) get nothing. Two majors have paid 60 for passes, which go to the bank. The bank
    pays 60 and gets 60. The price rises from 70 to 75, one diagonal step.
    """
    state = three_tokens(reach(four_companies("1"), "5"))
    shares = {"Ana": 3, "Ben": 2, "pool": 1, IPO: 4}
    state = charter(state, "FC", trains=("1", "2", "5"), shares=shares)
    state = cash(priced(extra(state, cubes={"HG": 2}), "FC", 70), FC=60)
    bank = state.bank
    after, told = ended(state)
    wanted = [
        CitiesCounted("FC", "5", ("E22.0", "B7.0", "D19.0"), 100, (40, 30, 30)),
        CubesScored("FC", 2, 20),
        MoneyPaid("bank", "Ana", 36, "dividend"),
        MoneyPaid("bank", "Ben", 24, "dividend"),
        DividendPaid("FC", "full", 120, 0),
        MoneyPaid("FC", "bank", 60, "fees"),
        PriceMoved("FC", 70, 75, "dividend"),
    ]
    assert list(told[1 : 1 + len(wanted)]) == wanted
    assert after.companies["FC"].cash == 0
    assert after.bank == bank - 60 + 60


@rule("CUBA-VII.3.12-f", "CUBA-IXa.2-c")
def test_a_payout_moves_the_price_one_diagonal_step() -> None:
    """50, 55, 60 after two rounds in which Havana brings 30; no share need be sold for it."""
    state = alone()
    assert price(state, "FC") == 50
    state, _ = last_turn(state, number=1, of=3)
    # Nobody else operates, so all three rounds of the set are played at once.
    assert price(state, "FC") == 65
    state, _ = last_turn(alone(), number=2, of=3)
    assert price(state, "FC") == 60


@rule("CUBA-VII.3.12-g", "CUBA-C15", "CUBA-X-i")
def test_a_payout_of_0_leaves_the_price() -> None:
    """East game, first round: no Havana and no cube."""
    state = game(2, variants=("easy", "east"))
    state = charter(state, "FC", shares={"Ana": 5, IPO: 5})
    after, told = ended(state)
    assert CitiesCounted("FC", "1", (), 0) in told
    assert (price(after, "FC"), after.players["Ana"].cash) == (50, 720)


@rule("CUBA-VII.3.12-j", "CUBA-G22", "CUBA-IV.5-f")
def test_its_trains_never_rust_or_age_and_have_no_limit() -> None:
    owned = ("1", "2", "2", "3", "3", "4", "4")
    state = reach(charter(four_companies("1"), "FC", trains=owned), "7")
    assert state.companies["FC"].trains == owned


@rule("CUBA-VII.1-f", "CUBA-IV.5-a")
def test_nobody_decides_for_it() -> None:
    """Its turn, the export and the beginning of the next round follow without any action."""
    after, _ = ended(alone(Ana=1))
    assert isinstance(after.step, StockRound)


@rule("CUBA-VII.3.13-a")
def test_the_top_card_is_exported_at_the_end_of_a_set() -> None:
    state = reach(alone(), "4")
    money = state.bank
    after, told = ended(state)
    assert TrainExported("4") in told
    assert after.companies["FC"].trains == ("1", "4")
    assert after.depot.left["4"] == state.depot.left["4"] - 1
    assert after.bank == money, "without payment"
    assert str(after.round) == "SR 3"


@rule("CUBA-VII.3.13-b")
def test_the_last_card_is_always_exported_as_an_8() -> None:
    after, _ = ended(reach(alone(), "7"))
    assert after.companies["FC"].trains == ("1", "8")
    assert after.depot.left["8"] == -1


@rule("CUBA-VII.3.13-c", "CUBA-VII.3.14-a", "CUBA-VII.3.14-c", "CUBA-C41")
def test_the_export_of_a_first_card_begins_its_phase() -> None:
    """Nobody has bought a 2 in the first set: its export begins phase 2."""
    after, told = ended(alone())
    assert (after.phase, after.companies["FC"].trains) == ("2", ("1", "2"))
    assert PhaseBegan("2") in told
    third = supply(after, {"2": 0})
    third, _ = ended(third)
    assert third.phase == "3"


@rule("CUBA-VII.3.13-c", "CUBA-VII.3.14-e", "CUBA-VII.3.14-k", "CUBA-IV.4-d")
def test_rust_and_discards_of_an_export_come_before_the_stock_round() -> None:
    """The export of the first 4 scraps 2 and 2n trains and lowers the limit of majors to 3.

    NPP (100) operates before MS (90), so Ben is asked first.
    """
    state = supply(four_companies("3"), {"3": 0})
    state = charter(state, "HG", trains=("2n",))
    state = charter(state, "MS", trains=("3", "3+", "3", "3", "2"))
    state = charter(state, "NPP", trains=("3", "3+", "3+", "3+"))
    after, told = ended(state)
    assert TrainsRusted("2", ("MS",)) in told
    assert TrainsRusted("2n", ("HG",)) in told
    assert after.companies["HG"].trains == ()
    assert (after.acting, str(after.round)) == ("Ben", "OR 2.1")
    outcome = play(after, DiscardTrain("3"))
    assert outcome.acting == "Ana"
    last = outcome.apply(DiscardTrain("3"))
    assert RoundBegan("SR 3") in last.events
    assert last.state.companies["MS"].trains == ("3+", "3", "3")
    assert isinstance(last.state.step, StockRound)


@rule("CUBA-VII.3.13-d")
def test_nothing_is_exported_between_two_rounds_of_a_set() -> None:
    state = charter(alone(), "FC", operated=True)
    after, told = last_turn(state, number=1, of=2)
    exported = [event for event in told if isinstance(event, TrainExported)]
    rounds = [event for event in told if isinstance(event, RoundBegan)]
    assert exported == [TrainExported("2")]
    assert told.index(RoundBegan("OR 2.2")) < told.index(exported[0])
    assert rounds == [RoundBegan("OR 2.2"), RoundBegan("SR 3")]
    narrow = [name for name in after.companies["FC"].trains if name.endswith(("n", "w"))]
    assert narrow == [], "narrow trains and wagons are never exported"


@rule("CUBA-VII.3.12-j")
def test_nobody_buys_its_trains() -> None:
    state = charter(four_companies("3"), "FC", trains=("1", "2", "3"))
    state = buying(state, "MS", MS=500)
    deal = BuyTrain("3", "FC", 100)
    assert (code(state, deal), cited(state, deal)) == ("keeps-trains", "CUBA-VII.3.12-j")


@rule("CUBA-VII.3.12-h", "CUBA-C14")
def test_a_sold_out_fc_rises_at_the_end_of_a_stock_round() -> None:
    """Sold out: 50 to 55, and in the round that follows 55 to 60 (Havana). Otherwise 50 to 55."""
    for shares, wanted in (({"Ana": 6, "Ben": 4}, 60), ({"Ana": 6, "Ben": 3, "pool": 1}, 55)):
        state = stock_round(charter(game(), "FC", shares=shares))
        state = play(state, *(Pass(),) * 4)
        assert (str(state.round), price(state, "FC")) == ("SR 3", wanted)


@rule("CUBA-VII.3.12-i", "CUBA-VI.4-h")
def test_sales_leave_the_price_of_the_fc() -> None:
    state = charter(game(), "FC", shares={"Ana": 5, IPO: 5}, operated=True)
    state = play(stock_round(priced(state, "FC", 80)), SellShares("FC", 3))
    assert (price(state, "FC"), state.players["Ana"].cash) == (80, 680 + 240)
