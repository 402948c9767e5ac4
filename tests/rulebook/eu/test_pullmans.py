"""Pullman cars: buying, doubling, losing and giving up (4.4.9)."""

import pytest

from carril.engine.actions import (
    Accept,
    BuyTrain,
    Decline,
    DiscardTrain,
    ExchangeMinor,
    Pass,
)
from carril.engine.events import TrainDiscarded
from carril.engine.state import Round, State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.eu.exchange import FinalExchange
from tests.rulebook.eu.lines import (
    buying,
    earned,
    lenient,
    pool,
    run,
    running,
    sncf,
    western_line,
)
from tests.table import (
    at,
    cash,
    charter,
    cited,
    code,
    corporation,
    events,
    game,
    offered,
    own_minors,
    phase,
    play,
    stack_from,
    stock_round,
    tiles,
    tokens,
)

PULLMAN = BuyTrain("P", "pool", 100)
FIRST_4 = BuyTrain("4", "stack", 300)


def two(*trains: str, name: str = "3", other: tuple[str, ...] = ("3",), **money: int) -> State:
    """SNCF (Ana) with these trains and DR (Ben) with others; minor 1 is Ana's."""
    state = own_minors(phase(game(), name), {"1": "Ana"})
    state = corporation(state, "SNCF", {"Ana": 5, "pool": 5}, trains=trains)
    state = corporation(state, "DR", {"Ben": 5, "pool": 5}, trains=other, price=90)
    return cash(state, **({"SNCF": 1000} | money))


@rule("EU-4.4.9-a")
def test_a_pullman_counts_for_the_limit() -> None:
    state = buying(two("3", "3", "P", SNCF=1000), "SNCF")
    full = play(state, BuyTrain("3", "stack", 200))
    assert full.companies["SNCF"].trains == ("3", "3", "P", "3")
    assert not offered(full, BuyTrain)
    without = buying(two("3", "3", SNCF=1000), "SNCF")
    room = play(without, BuyTrain("3", "stack", 200))
    assert code(room, BuyTrain("3", "stack", 200)) == ""


def brussels(*trains: str) -> State:
    """SNCF in Brussels, with the port of Amsterdam, about to run; any legal run will do."""
    state = sncf(western_line(lenient()), "C8", "D3", trains=trains)
    return running(phase(tiles(state, D3=("202", 1)), "4"), "SNCF")


@rule("EU-4.4.9-a")
def test_a_pullman_does_not_run_by_itself() -> None:
    state = brussels("3", "P")
    assert code(state, run("P: A6.0 B7.0 C8.0")) == "run-no-such-train"
    assert code(state, run("3: C8.0 D7.0", "P: A6.0 B7.0 C8.0")) == "run-no-such-train"
    assert earned(state, run("3: C8.0 D7.0", pullman="C8.0")) == 60 + 30


@rule("EU-4.4.9-b")
def test_pullmans_are_sold_from_phase_3_on() -> None:
    """They come at a fixed price, and only beside a train (PR #6931)."""
    early = buying(two("2", name="2"), "SNCF")
    assert code(early, PULLMAN) == "pullman-not-yet"
    assert cited(early, PULLMAN) == "EU-4.4.9-b"
    begun = play(early, BuyTrain("3", "stack", 200))
    assert code(begun, PULLMAN) == "", "phase 3 has just begun, by this very company"
    state = buying(two("2"), "SNCF")
    after = play(state, PULLMAN)
    assert after.companies["SNCF"].trains == ("2", "P")
    assert (after.companies["SNCF"].cash, after.bank) == (900, state.bank + 100)
    assert after.depot.pool == ("P",) * 4


@rule("EU-4.4.9-b")
def test_a_pullman_costs_a_hundred_from_the_treasury() -> None:
    state = buying(two("2", SNCF=300), "SNCF")
    for price in (1, 99, 101):
        assert code(state, BuyTrain("P", "pool", price)) == "face-price"
    assert code(state, BuyTrain("P", "stack", 100)) == "not-on-top"
    poor = buying(two("2", SNCF=99, Ana=500), "SNCF")
    assert code(poor, PULLMAN) == "treasury-short-train"
    assert code(buying(pool(two("2")), "SNCF"), PULLMAN) == "not-in-train-pool"


@rule("EU-4.4.9-c")
def test_one_pullman_in_an_operating_round() -> None:
    """Also when the one bought is gone again; the next turn allows another."""
    state = play(buying(two("3"), "SNCF"), PULLMAN)
    assert code(state, PULLMAN) == "second-pullman"
    lost = charter(state, "SNCF", trains=("3",))
    assert code(lost, PULLMAN) == "pullman-bought"
    assert cited(lost, PULLMAN) == "EU-4.4.9-c"
    assert code(lost, BuyTrain("3", "stack", 200)) == ""
    assert code(buying(lost, "SNCF"), PULLMAN) == ""


@rule("EU-4.4.9-d")
def test_a_company_without_a_train_may_not_buy_a_pullman() -> None:
    """Nor does a Pullman stand for the train a corporation must own (PR #6276, #6931)."""
    state = buying(two(), "SNCF")
    assert code(state, PULLMAN) == "pullman-needs-train"
    assert cited(state, PULLMAN) == "EU-4.4.9-d"
    assert code(state, Pass()) == "must-buy-train"
    assert code(play(state, BuyTrain("3", "stack", 200)), PULLMAN) == ""
    minor = buying(cash(charter(two("3"), "1", trains=()), m1=200), "1")
    assert code(minor, PULLMAN) == "pullman-needs-train"


@rule("EU-4.4.9-e")
def test_no_company_owns_two_pullmans() -> None:
    state = buying(two("3", "P"), "SNCF")
    assert code(state, PULLMAN) == "second-pullman"
    assert cited(state, PULLMAN) == "EU-4.4.9-e"
    assert code(buying(two("3"), "SNCF"), PULLMAN) == ""


@rule("EU-4.4.9-f")
def test_a_pullman_doubles_paris() -> None:
    """Green Paris at 60 brings 60 more."""
    state = sncf(game(), "A10", trains=("3", "P"))
    state = tiles(state, B7=("58", 0), B9=("8", 1), A10=("580", 3))
    state = running(phase(state, "3"), "SNCF")
    line = "3: A6.0 B7.0 B9 A10.0"
    assert earned(state, run(line, pullman="A10.0")) == 110 + 60
    assert code(state, run(line, pullman="A6.0")) == "better-run", "London is worth 40"
    assert code(state, run(line)) == "better-run"


@rule("EU-4.4.9-f")
def test_the_president_chooses_one_city_or_off_map_place() -> None:
    state = brussels("3", "P")
    line = "3: A6.0 B7.0 C8.0 D7.0"
    for stop, more in (("A6.0", 40), ("C8.0", 30), ("D7.0", 30)):
        assert earned(state, run(line, pullman=stop)) == 110 + more
    assert earned(state, run(line)) == 110


@rule("EU-4.4.9-f")
def test_a_pullman_goes_with_one_of_several_trains() -> None:
    state = brussels("3", "2", "P")
    both = ("3: C8.0 D7.0 E6.0", "2: A6.0 B7.0 C8.0")
    assert earned(state, run(*both)) == 80 + 80
    assert earned(state, run(*both, pullman="A6.0")) == 160 + 40
    assert earned(state, run(*both, pullman="C8.0")) == 160 + 30, "not once for each train"


@rule("EU-4.4.9-f")
def test_a_pullman_doubles_no_town_no_port_and_nothing_off_the_routes() -> None:
    state = brussels("3", "2", "P")
    lines = ("3: A6.0 B7.0 C8.0", "2: D3.0 D1.0")
    for stop, refused in (
        ("B7.0", "run-pullman-wrong-stop"),
        ("D1.0", "run-pullman-wrong-stop"),
        ("D7.0", "run-pullman-not-on-route"),
        ("D3.0", ""),
    ):
        assert code(state, run(*lines, pullman=stop)) == refused
    assert cited(state, run(*lines, pullman="B7.0")) == "EU-4.4.9-f"
    assert cited(state, run(*lines, pullman="D7.0")) == "EU-4.4.9-f"
    assert code(brussels("3"), run("3: C8.0 D7.0", pullman="C8.0")) == "run-no-such-extra"


@rule("EU-4.4.9-g")
def test_pullmans_are_not_traded() -> None:
    state = buying(two("3", other=("3", "P")), "SNCF")
    wanted = BuyTrain("P", "DR", 50)
    assert code(state, wanted) == "pullman-not-traded"
    assert cited(state, wanted) == "EU-4.4.9-g"
    assert code(state, BuyTrain("3", "DR", 50)) == ""
    own = buying(charter(two("3"), "1", trains=("2", "P")), "SNCF")
    assert code(own, BuyTrain("P", "1", 50)) == "pullman-not-traded", "nor within one hand"


@rule("EU-4.4.9-h")
def test_a_pullman_alone_after_a_sale_goes_to_the_pool() -> None:
    """A Pullman that is left alone must go (#7251, #7236)."""
    state = buying(pool(two("3", other=("3", "P"))), "SNCF")
    offer = play(state, BuyTrain("3", "DR", 50))
    happened = events(offer, Accept())
    assert TrainDiscarded("DR", "P") in happened
    after = play(offer, Accept())
    assert after.companies["DR"].trains == ()
    assert after.companies["DR"].cash == 50, "only the sold train is paid for"
    assert after.depot.pool == ("P",)
    assert code(after, PULLMAN) == "", "anyone eligible may buy it"
    kept = buying(pool(two("3", other=("3", "3", "P"))), "SNCF")
    assert play(kept, BuyTrain("3", "DR", 50), Accept()).companies["DR"].trains == ("3", "P")


@rule("EU-4.4.9-h")
def test_a_pullman_alone_after_rust_goes_to_the_pool_and_may_be_bought_back() -> None:
    state = stack_from(pool(two("3", other=("2", "P"), DR=600)), "4")
    after = play(buying(state, "SNCF"), FIRST_4)
    assert after.companies["DR"].trains == ()
    assert after.depot.pool == ("P",)
    again = play(buying(after, "DR"), FIRST_4, PULLMAN)
    assert again.companies["DR"].trains == ("4", "P")
    assert again.companies["DR"].cash == 600 - 300 - 100


GIVE_UP = [
    BuyTrain("3", "stack", 200, "P"),
    BuyTrain("2", "pool", 100, "P"),
    BuyTrain("2", "1", 10, "P"),
]


@rule("EU-4.4.9-i", "EU-A-22")
@pytest.mark.parametrize("wanted", GIVE_UP, ids=["stack", "pool", "company"])
def test_a_pullman_may_be_given_up_for_another_train(wanted: BuyTrain) -> None:
    """At the limit, by a company that began its turn with it (#7251)."""
    state = buying(pool(two("3", "3", "3", "P"), "2"), "SNCF")
    assert isinstance(state.step, BuyTrains)
    after = play(state, wanted)
    assert after.companies["SNCF"].trains == ("3", "3", "3", wanted.train)
    assert "P" in after.depot.pool
    assert after.companies["SNCF"].cash == 1000 - wanted.price, "nothing is paid for the Pullman"


@rule("EU-4.4.9-i", "EU-A-22")
def test_a_pullman_is_not_given_up_without_a_purchase() -> None:
    state = buying(two("3", "3", "3", "P"), "SNCF")
    assert code(state, DiscardTrain("P")) == "not-now"
    kept = play(state, Pass())
    assert kept.companies["SNCF"].trains == ("3", "3", "3", "P")
    keeping = BuyTrain("3", "stack", 200)
    assert code(state, keeping) == "train-limit", "at the limit it must go"
    assert cited(state, keeping) == "EU-4.4.6-a"


@rule("EU-4.4.9-i", "EU-A-22")
def test_a_pullman_is_not_given_up_below_the_limit() -> None:
    state = buying(two("3", "3", "P"), "SNCF")
    swap = BuyTrain("3", "stack", 200, "P")
    assert code(state, swap) == "discard-not-needed"
    assert cited(state, swap) == "EU-4.4.9-i"
    assert code(state, BuyTrain("3", "stack", 200)) == ""


@rule("EU-4.4.9-i", "EU-A-22")
def test_a_pullman_bought_in_this_turn_is_not_given_up() -> None:
    state = play(buying(two("3", "3", "3"), "SNCF"), PULLMAN)
    assert state.companies["SNCF"].trains == ("3", "3", "3", "P")
    assert code(state, BuyTrain("3", "stack", 200, "P")) == "not-now", "the step is over"
    assert not offered(state, BuyTrain)


@rule("EU-4.4.9-i", "EU-A-22")
def test_a_pullman_is_given_up_only_at_the_start_of_the_step() -> None:
    """A company that has bought its way up to the limit has missed the moment."""
    state = buying(two("3", "3", "P"), "SNCF")
    full = play(state, BuyTrain("3", "stack", 200))
    assert code(full, BuyTrain("3", "stack", 200, "P")) == "not-now"
    assert not offered(full, BuyTrain)


@rule("EU-4.4.9-i")
def test_a_pullman_is_not_given_up_for_a_pullman() -> None:
    state = buying(two("3", "3", "3", "P"), "SNCF")
    swap = BuyTrain("P", "pool", 100, "P")
    assert code(state, swap) == "pullman-for-pullman"
    assert cited(state, swap) == "EU-4.4.9-i"


@rule("EU-4.4.9-i")
def test_a_pullman_stays_when_the_other_owner_declines() -> None:
    state = buying(pool(two("3", "3", "3", "P")), "SNCF")
    offer = play(state, BuyTrain("3", "DR", 80, "P"))
    assert offer.companies["SNCF"].trains == ("3", "3", "3", "P")
    assert play(offer, Decline()).companies["SNCF"].trains == ("3", "3", "3", "P")
    sold = play(offer, Accept())
    assert sold.companies["SNCF"].trains == ("3", "3", "3", "3")
    assert sold.depot.pool == ("P",)


@rule("EU-4.4.9-i")
def test_a_minor_gives_up_its_pullman_on_the_same_terms() -> None:
    state = cash(charter(pool(two("3")), "1", trains=("2", "P")), m1=300)
    after = play(buying(stack_from(state, "4"), "1"), BuyTrain("4", "stack", 300, "P"))
    assert after.companies["1"].trains == ("4",)
    assert after.depot.pool == ("P",)


@rule("EU-4.4.9-j")
def test_a_pullman_given_up_may_be_bought_back_when_there_is_room() -> None:
    """The first 4 rusts three 2 trains, and so there is room again."""
    state = buying(stack_from(pool(two("2", "2", "2", "P")), "4"), "SNCF")
    after = play(state, BuyTrain("4", "stack", 300, "P"), PULLMAN)
    assert after.companies["SNCF"].trains == ("4", "P")
    assert after.companies["SNCF"].cash == 1000 - 300 - 100
    full = play(buying(two("3", "3", "3", "P"), "SNCF"), BuyTrain("3", "stack", 200, "P"))
    assert code(full, PULLMAN) == "not-now", "without room it may not"


@rule("EU-4.4.9-k")
def test_the_pullman_goes_before_any_train_when_a_limit_falls() -> None:
    """A Pullman above the limit must go, of the buyer as of others (#7251, #7236)."""
    state = stack_from(pool(two("4", "P", name="4", other=("4", "4", "P"))), "5")
    after = play(buying(state, "SNCF"), BuyTrain("5", "stack", 500))
    assert after.companies["SNCF"].trains == ("4", "5")
    assert after.companies["DR"].trains == ("4", "4")
    assert after.depot.pool == ("P", "P")
    assert not isinstance(after.step, DiscardTrains), "nobody is asked"


@rule("EU-4.4.9-k")
def test_after_the_pullman_the_president_chooses_among_trains() -> None:
    state = stack_from(pool(two("3", other=("3", "3", "3", "4", "P"))), "4")
    after = play(buying(state, "SNCF"), FIRST_4)
    assert after.companies["DR"].trains == ("3", "3", "3", "4")
    assert (after.acting, after.step.subject) == ("Ben", "DR")
    assert after.options() == (DiscardTrain("3", by="Ben"), DiscardTrain("4", by="Ben"))


def joined(state: State, **changes: tuple[str, ...]) -> State:
    """Minor 2 (Ana) in Brussels beside SNCF (Ana) in Cologne; DR (Ben) is elsewhere."""
    state = own_minors(western_line(state), {"2": "Ana"})
    state = corporation(state, "SNCF", {"Ana": 5, "Ben": 1}, operated=False, tokens=0)
    state = corporation(state, "DR", {"Ben": 5, "Cleo": 5}, price=90)
    for symbol, trains in changes.items():
        state = charter(state, symbol.removeprefix("m"), trains=trains)
    return tokens(pool(state), D7=(("SNCF",),), J7=(("DR",),))


MERGE = ExchangeMinor("2", "SNCF", "treasury")


@rule("EU-A-21")
def test_the_second_pullman_of_a_merger_goes_to_the_pool_at_once() -> None:
    state = joined(phase(game(), "3"), m2=("2", "P"), SNCF=("2", "P"))
    after = play(stock_round(state), MERGE)
    assert after.companies["SNCF"].trains == ("2", "P", "2")
    assert after.depot.pool == ("P",)
    one = play(stock_round(charter(state, "SNCF", trains=("2",))), MERGE)
    assert sorted(one.companies["SNCF"].trains) == ["2", "2", "P"]
    assert one.depot.pool == ()


@rule("EU-4.4.9-h")
@pytest.mark.parametrize("conventions", ["rulebook", "18xx.games"])
def test_a_merger_takes_no_pullman_from_another_company(conventions: str) -> None:
    """A Pullman beside a train stays where it is, whoever merges (#8398)."""
    state = phase(game(conventions=conventions), "4")
    state = joined(state, m2=("3",), SNCF=("3",), DR=("4", "3", "P"))
    after = play(stock_round(state), MERGE)
    assert after.companies["SNCF"].trains == ("3", "3")
    assert after.companies["DR"].trains == ("4", "3", "P")


@rule("EU-4.4.9-k")
def test_a_pullman_above_the_limit_goes_at_the_end_of_the_final_exchange() -> None:
    """Also in the final exchange a Pullman above the limit must go (#7236)."""
    state = joined(phase(game(), "5"), m2=("4",), SNCF=("5", "P"), DR=("5", "P"))
    state = charter(state, "SNCF", operated=True)
    after = at(state, FinalExchange("Ana"), round_=Round("FER", 2))
    assert after.round == Round("SR", 3)
    assert after.companies["SNCF"].trains == ("5", "4")
    assert after.companies["DR"].trains == ("5", "P")
    assert after.depot.pool == ("P",)
