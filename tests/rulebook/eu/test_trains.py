"""Buying trains: stack, pool, other companies, optional trains (4.4.6, 4.4.7)."""

import pytest

from carril.engine.actions import (
    Accept,
    Action,
    BuyTrain,
    DeclareDividend,
    Decline,
    DiscardTrain,
    Pass,
    Range,
)
from carril.engine.play import start
from carril.engine.refusals import BadSetup
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains, TrainOffer
from carril.engine.trains import stack_top
from carril.rules.marker import rule
from tests.rulebook.eu.lines import (
    buying,
    pool,
    run,
    running,
    sncf,
    western_line,
)
from tests.table import (
    NAMES,
    cash,
    charter,
    cited,
    code,
    corporation,
    game,
    offered,
    own_minors,
    phase,
    play,
    stack_from,
)


def table(**money: int) -> State:
    """SNCF (Ana, a 3), DR (Ben, two 3s) and minors 1 (Ana), 2 (Ben) with a 2 each, in phase 3."""
    state = own_minors(phase(game(), "3"), {"1": "Ana", "2": "Ben"})
    state = corporation(state, "SNCF", {"Ana": 5, "pool": 5}, trains=("3",))
    state = corporation(state, "DR", {"Ben": 5, "pool": 5}, trains=("3", "3"), price=90)
    return cash(state, **money)


def buy(train: str, source: str, price: int) -> BuyTrain:
    return BuyTrain(train, source, price)


@rule("EU-4.4.6-a")
def test_trains_are_bought_only_after_the_run() -> None:
    state = western_line(phase(game(), "3"))
    state = cash(sncf(state, "C8", trains=("3",)), SNCF=1000)
    wanted = buy("3", "stack", 200)
    before = running(state, "SNCF")
    assert code(before, wanted) == "not-now"
    ran = play(before, run("3: A6.0 B7.0 C8.0 D7.0 D5.0 E4 F3.0"))
    assert code(ran, wanted) == "not-now", "the dividend comes first"
    assert code(play(ran, DeclareDividend("full")), wanted) == ""


@rule("EU-4.4.6-a")
@pytest.mark.parametrize(
    ("name", "company", "limit"),
    [("3", "SNCF", 4), ("4", "SNCF", 3), ("5", "SNCF", 2), ("3", "1", 2), ("4", "1", 1)],
)
def test_a_company_at_its_limit_buys_nothing(name: str, company: str, limit: int) -> None:
    """Below the limit the top train is offered; at the limit the step is over by itself."""
    state = phase(table(SNCF=2000, m1=2000), name)
    top = stack_top(state)
    wanted = buy(top, "stack", state.title.tables.trains[top].price)
    below = buying(charter(state, company, trains=("5",) * (limit - 1)), company)
    assert code(below, wanted) == ""
    full = buying(charter(state, company, trains=("5",) * limit), company)
    assert code(full, wanted) == "not-now"
    assert not offered(full, BuyTrain)


@rule("EU-4.4.6-a")
def test_the_purchase_that_reaches_the_limit_is_the_last() -> None:
    state = buying(charter(table(SNCF=2000), "SNCF", trains=("3", "3", "3")), "SNCF")
    after = play(state, buy("3", "stack", 200))
    assert len(after.companies["SNCF"].trains) == 4
    assert not offered(after, BuyTrain)


@rule("EU-4.4.6-b")
def test_only_the_top_train_is_sold_from_the_stack() -> None:
    state = buying(table(SNCF=2000), "SNCF")
    for train, price in (("4", 300), ("2", 100), ("8", 800)):
        assert code(state, buy(train, "stack", price)) == "not-on-top"
    assert cited(state, buy("4", "stack", 300)) == "EU-4.4.6-b"
    after = play(state, buy("3", "stack", 200))
    assert after.companies["SNCF"].trains == ("3", "3")
    assert after.depot.left["3"] == state.depot.left["3"] - 1


@rule("EU-4.4.6-b")
def test_the_face_price_goes_from_the_treasury_to_the_bank() -> None:
    state = buying(table(SNCF=250), "SNCF")
    for price in (199, 201, 0, 1):
        assert code(state, buy("3", "stack", price)) == "face-price"
    after = play(state, buy("3", "stack", 200))
    assert after.companies["SNCF"].cash == 50
    assert after.bank == state.bank + 200
    assert after.players == state.players


@rule("EU-4.4.6-b")
def test_the_president_does_not_pay_for_a_train_that_is_not_needed() -> None:
    state = buying(table(SNCF=199, Ana=1000), "SNCF")
    wanted = buy("3", "stack", 200)
    assert code(state, wanted) == "no-help"
    assert cited(state, wanted) == "EU-4.4.6-b"
    assert code(buying(table(SNCF=200, Ana=0), "SNCF"), wanted) == ""


@rule("EU-4.4.6-c")
@pytest.mark.parametrize(
    ("train", "price"), [("3", 200), ("4", 300), ("5", 500), ("6", 600), ("8", 800)]
)
def test_the_price_of_each_train_in_the_stack(train: str, price: int) -> None:
    state = phase(table(SNCF=price), train)
    state = buying(charter(state, "SNCF", trains=("5",)), "SNCF")
    assert offered(state, BuyTrain)[0] == BuyTrain(train, "stack", price, by="Ana")
    assert play(state, buy(train, "stack", price)).companies["SNCF"].cash == 0


@rule("EU-4.4.6-c", "EU-4.4.6-h", "EU-A-17")
@pytest.mark.parametrize(
    ("train", "price"), [("2", 100), ("P", 100), ("3", 200), ("4", 300), ("5", 500), ("6", 600)]
)
def test_trains_of_the_pool_cost_their_face_price(train: str, price: int) -> None:
    for company in ("SNCF", "1"):
        state = buying(pool(table(SNCF=price, m1=price), train), company)
        assert code(state, buy(train, "pool", price)) == ""
        assert code(state, buy(train, "pool", price // 2)) == "face-price"
        assert code(state, buy(train, "pool", 1)) == "face-price"
        after = play(state, buy(train, "pool", price))
        assert train in after.companies[company].trains
        assert after.depot.pool == ()
        assert (after.companies[company].cash, after.bank) == (0, state.bank + price)


@rule("EU-4.4.6-d")
def test_the_numbers_of_trains() -> None:
    state = game()
    assert state.depot.left == {"3": 5, "4": 4, "5": 3, "6": 2, "8": -1}
    assert state.depot.pool == ("P",) * 5
    minors = [c for c in state.companies.values() if c.kind == "minor"]
    assert [c.trains for c in minors] == [("2",)] * 15


def stack(state: State, count: int) -> list[str]:
    """Buy so many trains from the stack with SNCF, which gives each away, and name them."""
    bought = []
    for _ in range(count):
        state = cash(charter(state, "SNCF", trains=()), SNCF=1000)
        state = buying(state, "SNCF")
        top = stack_top(state)
        state = play(state, buy(top, "stack", state.title.tables.trains[top].price))
        bought.append(top)
    return bought


@rule("EU-4.4.6-d")
def test_the_stack_is_sold_in_order_and_its_last_rank_never_ends() -> None:
    """Eight cards are printed; the number of 8 trains has no limit (commit of May 2026)."""
    state = corporation(game(), "SNCF", {"Ana": 5, "pool": 5})
    names = stack(state, 5 + 4 + 3 + 2 + 10)
    assert names == ["3"] * 5 + ["4"] * 4 + ["5"] * 3 + ["6"] * 2 + ["8"] * 10


@rule("EU-4.4.6-e")
def test_several_trains_may_be_bought_in_one_turn_up_to_the_limit() -> None:
    """Four of them in phase 3, the first of which began it."""
    state = cash(corporation(game(), "SNCF", {"Ana": 5, "pool": 5}), SNCF=2000)
    state = buying(state, "SNCF")
    for owned in range(4):
        assert len(state.companies["SNCF"].trains) == owned
        state = play(state, buy("3", "stack", 200))
    assert (state.phase, state.companies["SNCF"].trains) == ("3", ("3",) * 4)
    assert state.companies["SNCF"].cash == 1200
    assert code(state, buy("3", "stack", 200)) == "not-now"


@rule("EU-4.4.6-h")
def test_the_pool_is_open_beside_the_stack() -> None:
    state = buying(pool(table(SNCF=500), "2"), "SNCF")
    assert code(state, buy("4", "pool", 300)) == "not-in-train-pool"
    assert cited(state, buy("4", "pool", 300)) == "EU-4.4.6-h"
    both = play(state, buy("2", "pool", 100), buy("3", "stack", 200))
    assert both.companies["SNCF"].trains == ("3", "2", "3")
    assert both.companies["SNCF"].cash == 200


@rule("EU-4.4.6-i")
def test_a_train_changes_hands_for_a_price_both_owners_agree_on() -> None:
    state = buying(table(SNCF=150, DR=0), "SNCF")
    asked = play(state, buy("3", "DR", 120))
    assert isinstance(asked.step, TrainOffer)
    assert asked.acting == "Ben"
    assert asked.companies == state.companies, "nothing is paid before the answer"
    after = play(asked, Accept())
    assert after.companies["SNCF"].trains == ("3", "3")
    assert after.companies["DR"].trains == ("3",)
    assert (after.companies["SNCF"].cash, after.companies["DR"].cash) == (30, 120)
    assert after.bank == state.bank


@rule("EU-4.4.6-i")
def test_a_declined_offer_changes_nothing_and_a_higher_one_may_follow() -> None:
    state = buying(table(SNCF=150), "SNCF")
    after = play(state, buy("3", "DR", 120), Decline())
    assert after.acting == "Ana"
    assert after.companies == state.companies
    assert code(after, buy("3", "DR", 120)) == "offer-declined"
    assert code(after, buy("3", "DR", 121)) == ""


@rule("EU-4.4.6-i")
def test_the_price_is_at_least_one_and_at_most_the_treasury() -> None:
    state = buying(table(SNCF=150, Ana=1000), "SNCF")
    for price, refused in ((0, "price-too-low"), (-5, "price-too-low"), (1, ""), (150, "")):
        assert code(state, buy("3", "DR", price)) == refused
    assert code(state, buy("3", "DR", 151)) == "treasury-short-train"
    assert cited(state, buy("3", "DR", 0)) == cited(state, buy("3", "DR", 151)) == "EU-4.4.6-i"
    ranges = [option for option in offered(state, BuyTrain) if isinstance(option, Range)]
    assert {(r.least, r.most) for r in ranges} == {(1, 150)}


@rule("EU-4.4.6-i")
def test_between_companies_of_one_owner_nobody_is_asked() -> None:
    state = buying(table(SNCF=150), "SNCF")
    after = play(state, buy("2", "1", 1))
    assert after.companies["SNCF"].trains == ("3", "2")
    assert (after.companies["1"].trains, after.companies["1"].cash) == ((), 1)


@rule("EU-4.4.6-i")
def test_only_trains_that_the_seller_owns_are_for_sale() -> None:
    state = buying(table(SNCF=500), "SNCF")
    for train, seller in (("4", "DR"), ("3", "SNCF"), ("2", "5"), ("3", "Ben")):
        assert code(state, buy(train, seller, 50)) == "no-such-seller"


@rule("EU-4.4.6-j")
def test_minors_buy_from_stack_pool_and_companies() -> None:
    state = pool(table(m1=250), "2")
    sources: list[tuple[BuyTrain, tuple[Action, ...]]] = [
        (buy("3", "stack", 200), ()),
        (buy("2", "pool", 100), ()),
        (buy("2", "2", 1), (Accept(),)),
        (buy("3", "DR", 250), (Accept(),)),
        (buy("3", "SNCF", 250), ()),
    ]
    for wanted, answer in sources:
        after = play(buying(state, "1"), wanted, *answer)
        assert after.companies["1"].trains == ("2", wanted.train)
        assert after.companies["1"].cash == 250 - wanted.price
    assert code(buying(state, "1"), buy("3", "DR", 251)) == "minor-no-help"


@rule("EU-4.4.6-j")
def test_minors_sell_to_corporations() -> None:
    state = buying(table(SNCF=100), "SNCF")
    after = play(state, buy("2", "2", 40), Accept())
    assert after.companies["SNCF"].trains == ("3", "2")
    assert (after.companies["2"].trains, after.companies["2"].cash) == ((), 40)


@rule("EU-4.4.6-j")
def test_a_minor_needs_no_train_at_the_end_of_its_turn() -> None:
    """Minors may go without a train, corporations may not (PR #6276, #6277)."""
    state = charter(charter(table(m1=200, SNCF=200), "1", trains=()), "SNCF", trains=())
    assert code(buying(state, "1"), Pass()) == ""
    assert code(buying(state, "SNCF"), Pass()) == "must-buy-train"


@rule("EU-4.4.6-k")
def test_no_train_is_given_up_of_free_will() -> None:
    state = buying(table(SNCF=500), "SNCF")
    assert isinstance(state.step, BuyTrains)
    assert code(state, DiscardTrain("3")) == "not-now"
    swap = BuyTrain("3", "stack", 200, "3")
    assert code(state, swap) == "no-voluntary-discard"
    assert cited(state, swap) == "EU-4.4.6-k"
    full = buying(charter(table(SNCF=500), "SNCF", trains=("3", "3", "3", "P")), "SNCF")
    assert code(full, swap) == "no-voluntary-discard"
    assert code(full, BuyTrain("3", "stack", 200, "P")) == ""


@rule("EU-4.4.7-a")
@pytest.mark.parametrize(
    ("variants", "threes", "fours"),
    [
        ((), 5, 4),
        (("extra-3",), 6, 4),
        (("extra-3b",), 6, 4),
        (("extra-4",), 5, 5),
        (("extra-3", "extra-4"), 6, 5),
        (("extra-3", "extra-3b"), 7, 4),
        (("extra-3", "extra-3b", "extra-4"), 7, 5),
    ],
)
def test_optional_trains_in_any_mix(variants: tuple[str, ...], threes: int, fours: int) -> None:
    state = game(variants=variants)
    assert (state.depot.left["3"], state.depot.left["4"]) == (threes, fours)
    assert (state.depot.left["5"], state.depot.left["6"]) == (3, 2)


@rule("EU-4.4.7-a")
def test_no_other_optional_train_is_known() -> None:
    with pytest.raises(BadSetup, match="extra-5"):
        start("18EU", NAMES[:4], variants=("extra-5",))
    twice = start("18EU", NAMES[:4], variants=("extra-4", "extra-4"))
    assert twice.depot.left["4"] == 5, "there is one extra 4"


@rule("EU-4.4.7-b")
def test_extra_trains_lie_with_their_kind() -> None:
    """Optional trains come at their own rank and can be bought (#7109, #7245, #7330)."""
    more = ("extra-3", "extra-3b", "extra-4")
    state = corporation(game(variants=more), "SNCF", {"Ana": 5, "pool": 5})
    assert stack(state, 13) == ["3"] * 7 + ["4"] * 5 + ["5"]


@rule("EU-4.4.7-b")
def test_extra_trains_are_ordinary_ones() -> None:
    """The last extra 3 costs 200 and rusts with the others when the first 6 is bought."""
    state = game(variants=("extra-3", "extra-3b"))
    state = corporation(state, "SNCF", {"Ana": 5, "pool": 5})
    state = corporation(state, "DR", {"Ben": 5, "pool": 5}, price=90)
    state = phase(cash(state, SNCF=200), "3")
    for _ in range(6):
        state = cash(charter(state, "SNCF", trains=()), SNCF=200)
        state = play(buying(state, "SNCF"), buy("3", "stack", 200))
    assert state.depot.left["3"] == 1
    state = play(buying(cash(state, DR=200), "DR"), buy("3", "stack", 200))
    assert state.companies["DR"].trains == ("3",)
    state = cash(charter(phase(state, "5"), "SNCF", trains=("5",)), SNCF=600)
    state = stack_from(state, "6")
    state = play(buying(state, "SNCF"), buy("6", "stack", 600))
    assert state.companies["DR"].trains == ()
