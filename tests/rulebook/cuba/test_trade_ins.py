"""Section VII.3.9 for minors: narrow trains, trade-ins, the discount of concession M6."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyTrain, DiscardTrain
from carril.engine.events import TrainMoved
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.cuba.events import DiscountUsed, TrainTraded
from tests.rulebook.cuba.positions import (
    buying,
    extra,
    four_companies,
    memory,
    pool,
    reach,
    supply,
)
from tests.table import charter, cited, code, events, offered, play


def trade(old: str, new: str, price: int, private: str = "") -> BuyTrain:
    """Buy a narrow train of the supply for an old one."""
    return BuyTrain(new, "stack", price, trade=old, private=private)


def minor_with(phase: str, *trains: str, money: int = 500) -> State:
    """HG of Ana is in its train step with these trains and this money."""
    return buying(charter(four_companies(phase), "HG", trains=trains), "HG", HG=money)


@rule("CUBA-VII.3.9-n")
def test_minors_own_narrow_trains_only() -> None:
    state = minor_with("3", "2n")
    three = BuyTrain("3", "stack", 200)
    assert (code(state, three), cited(state, three)) == ("other-gauge", "CUBA-VII.3.9-n")
    wagon = BuyTrain("1w", "stack", 40)
    assert (code(state, wagon), cited(state, wagon)) == ("class-not-owned", "CUBA-VII.3.9-n")
    assert {option.train for option in offered(state, BuyTrain)} == {"2n", "3n"}  # type: ignore[union-attr]


@rule("CUBA-VII.3.9-y", "CUBA-C42", "CUBA-C46", "CUBA-VII.3.14-b")
@pytest.mark.parametrize(
    ("phase", "prices"),
    [
        ("1", {"2n": 80}),
        ("2", {"2n": 80}),
        ("3", {"2n": 80, "3n": 180}),
        ("4", {"3n": 180, "4n": 280}),
        ("5", {"3-1n": 90, "4n": 280, "5n": 400}),
        ("6", {"4n": 280, "5n": 400}),
        ("7", {"4-1n": 140, "5n": 400}),
    ],
)
def test_narrow_prices_and_when_they_are_unlocked(phase: str, prices: dict[str, int]) -> None:
    """2n from phase 1, 3n from 3, 4n from 4, 5n from 5; 2n go in 4, 3n age in 5 and go in 6."""
    state = buying(four_companies(phase), "HG", HG=500)
    found = {option.train: option.price for option in offered(state, BuyTrain)}  # type: ignore[union-attr]
    assert found == prices


@rule("CUBA-VII.3.9-p", "CUBA-VII.3.9-q", "CUBA-VII.3.9-t", "CUBA-C19", "CUBA-C50")
@pytest.mark.parametrize(
    ("phase", "old", "new", "price"),
    [
        ("3", "2n", "3n", 140),  # 180 - 80 / 2
        ("4", "3n", "4n", 190),  # 280 - 180 / 2
        ("5", "3-1n", "4n", 235),  # 280 - 90 / 2
        ("5", "4n", "5n", 260),  # 400 - 280 / 2
        ("7", "4-1n", "5n", 330),  # 400 - 140 / 2
    ],
)
def test_prices_with_a_trade_in(phase: str, old: str, new: str, price: int) -> None:
    state = minor_with(phase, old)
    assert code(state, trade(old, new, price - 5)) == "face-price"
    after = play(state, trade(old, new, price))
    assert (after.companies["HG"].trains, after.companies["HG"].cash) == ((new,), 500 - price)
    assert any(option.trade == old for option in offered(state, BuyTrain))  # type: ignore[union-attr]


@rule("CUBA-VII.3.9-p")
def test_one_trade_in_a_turn() -> None:
    """Phase 5: the aged 3n goes for a 4n, but that cannot go for a 5n at once."""
    state = play(minor_with("5", "3-1n", money=1000), trade("3-1n", "4n", 235))
    again = trade("4n", "5n", 260)
    assert (code(state, again), cited(state, again)) == ("one-trade", "CUBA-VII.3.9-p")
    assert code(buying(state, "HG"), again) == "", "in the next turn it can"


@rule("CUBA-VII.3.9-p")
@pytest.mark.parametrize(
    ("phase", "old", "new", "price", "refused"),
    [
        ("4", "2n", "4n", 240, "no-such-train-owned"),
        ("5", "4n", "3-1n", 0, "trade-next-type"),
        ("5", "3-1n", "5n", 355, "trade-next-type"),
        ("3", "2n", "2n", 40, "trade-next-type"),
    ],
)
def test_a_trade_in_never_skips_a_type(
    phase: str, old: str, new: str, price: int, refused: str
) -> None:
    owned = () if refused == "no-such-train-owned" else (old,)
    state = minor_with(phase, *owned, "4n" if phase != "3" else "3n")
    assert code(state, trade(old, new, price)) == refused


@rule("CUBA-VII.3.9-p")
def test_no_trade_in_for_a_locked_or_sold_out_type_or_with_another_company() -> None:
    assert code(minor_with("2", "2n"), trade("2n", "3n", 140)) == "not-on-top"
    sold_out = buying(
        supply(charter(four_companies("3"), "HG", trains=("2n",)), {"3n": 0}), "HG", HG=500
    )
    assert code(sold_out, trade("2n", "3n", 140)) == "not-on-top"
    other = charter(four_companies("3"), "JU", trains=("3n",))
    other = buying(charter(other, "HG", trains=("2n",)), "HG", HG=500)
    assert code(other, BuyTrain("3n", "JU", 140, trade="2n")) == "rebate-from-bank"
    major = buying(charter(four_companies("3"), "MS", trains=("2",)), "MS", MS=500)
    assert code(major, BuyTrain("3", "stack", 150, trade="2")) == "rebate-for-minors"


@rule("CUBA-VII.3.9-r", "CUBA-C44")
def test_a_trade_in_is_allowed_at_the_train_limit() -> None:
    state = minor_with("3", "2n", "3n")
    assert code(state, BuyTrain("3n", "stack", 180)) == "train-limit"
    after = play(state, trade("2n", "3n", 140))
    assert after.companies["HG"].trains == ("3n", "3n")


@rule("CUBA-VII.3.9-s", "CUBA-G28")
def test_a_traded_train_leaves_the_game() -> None:
    state = minor_with("3", "2n")
    told = events(state, trade("2n", "3n", 140))
    assert TrainTraded("HG", "2n", "3n", 40) in told
    assert TrainMoved("2n", "HG", "") in told
    after = play(state, trade("2n", "3n", 140))
    assert (after.depot.pool, after.depot.left["2n"]) == ((), state.depot.left["2n"])
    assert after.depot.left["3n"] == state.depot.left["3n"] - 1


@rule("CUBA-VII.3.14-j", "CUBA-G22")
def test_ageing_hits_owned_pool_and_unsold_trains() -> None:
    """Phase 5: with 4 players six 3n are unsold, one is in the pool, one is owned."""
    state = pool(charter(four_companies("4"), "HG", trains=("3n",)), "3n")
    aged = reach(state, "5")
    assert aged.companies["HG"].trains == ("3-1n",)
    assert aged.depot.pool == ("3-1n",)
    assert (aged.depot.left["3n"], aged.depot.left["3-1n"]) == (0, 6)
    minor = buying(aged, "JU", JU=100)
    assert code(minor, BuyTrain("3-1n", "pool", 90)) == ""
    assert code(minor, BuyTrain("3-1n", "stack", 90)) == ""


@rule("CUBA-VII.3.9-q", "CUBA-VII.3.9-s", "CUBA-VII.3.14-f", "CUBA-VII.3.14-h")
def test_a_chain_of_trade_ins_through_both_ageings() -> None:
    """HG trades once in each turn, from the 2n to the 5n, and starts with 1,000.

    Phase 3: 3n for the 2n, 180 - 40 = 140, leaves 860. Phase 5 turns the 3n over (worth 90).
    Phase 5: 4n for the aged 3n, 280 - 45 = 235, leaves 625. Phase 7 turns the 4n over (worth 140).
    Phase 7: 5n for the aged 4n, 400 - 70 = 330, leaves 295. The 5n is never turned over.
    """
    state = play(minor_with("3", "2n", money=1000), trade("2n", "3n", 140))
    assert (state.companies["HG"].trains, state.companies["HG"].cash) == (("3n",), 860)
    state = reach(state, "5")
    assert state.companies["HG"].trains == ("3-1n",)
    state = buying(state, "HG")
    assert code(state, trade("3-1n", "4n", 190)) == "face-price", "the price of a 3n that is new"
    state = play(state, trade("3-1n", "4n", 235))
    assert (state.companies["HG"].trains, state.companies["HG"].cash) == (("4n",), 625)
    state = reach(state, "7")
    assert state.companies["HG"].trains == ("4-1n",)
    state = play(buying(state, "HG"), trade("4-1n", "5n", 330))
    assert (state.companies["HG"].trains, state.companies["HG"].cash) == (("5n",), 295)
    # The two cards that were traded are nowhere, and every other card is still in the bank.
    assert state.depot.pool == ()
    assert (state.depot.left["4-1n"], state.depot.left["5n"]) == (4 - 1, 3 - 1)


# --- the discount of concession M6 ---------------------------------------------------------


def with_discount(state: State, owner: str = "Ana") -> State:
    """Let a player have the discount of concession M6."""
    return extra(state, bonuses={"M6": owner})


def discounted(train: str, price: int, source: str = "stack", old: str = "") -> BuyTrain:
    """Buy a train with concession M6."""
    return BuyTrain(train, source, price, trade=old, private="M6")


@rule("CUBA-IV.2-o")
@pytest.mark.parametrize(("train", "price"), [("2n", 0), ("3n", 100)])
def test_the_concession_lowers_the_price_by_80_once(train: str, price: int) -> None:
    state = with_discount(minor_with("3"))
    assert discounted(train, price) in [replace_by(o) for o in offered(state, BuyTrain)]
    told = events(state, discounted(train, price))
    assert DiscountUsed("Ana", "M6", "HG", train, 80) in told
    after = play(state, discounted(train, price))
    assert (after.companies["HG"].cash, memory(after).bonuses) == (500 - price, {})
    assert code(after, discounted("2n", 0)) == "no-discount"


def replace_by(option: object) -> BuyTrain:
    """Return a purchase without the name of the player."""
    assert isinstance(option, BuyTrain)
    return BuyTrain(
        option.train, option.source, option.price, trade=option.trade, private=option.private
    )


@rule("CUBA-IV.2-p", "CUBA-G10")
def test_the_concession_goes_with_a_trade_in_and_never_below_0() -> None:
    """3n against a 2n: 180 - 40 - 80 = 60. A 2n costs 80 - 80 = 0, not less."""
    state = with_discount(minor_with("3", "2n"))
    after = play(state, discounted("3n", 60, old="2n"))
    assert (after.companies["HG"].cash, after.companies["HG"].trains) == (440, ("3n",))


@rule("CUBA-IV.2-o")
def test_the_concession_is_for_minors_of_its_owner() -> None:
    major = with_discount(buying(four_companies("3"), "MS", MS=500))
    assert code(major, discounted("3", 120)) == "rebate-for-minors"
    rival = with_discount(buying(four_companies("3"), "JU", JU=500))
    assert (code(rival, discounted("3n", 100)), cited(rival, discounted("3n", 100))) == (
        "no-discount",
        "CUBA-IV.2-o",
    )
    other = extra(minor_with("3"), bonuses={"M3": "Ana"})
    assert code(other, BuyTrain("3n", "stack", 100, private="M3")) == "no-discount"


@rule("CUBA-G39")
def test_the_concession_counts_for_the_pool_but_not_for_another_company() -> None:
    state = pool(charter(four_companies("3"), "JU", trains=("3n", "2n")), "3n")
    state = with_discount(buying(state, "HG", HG=500))
    assert code(state, discounted("3n", 100, "pool")) == ""
    assert code(state, discounted("3n", 100, "JU")) == "rebate-from-bank"


@rule("CUBA-VII.3.9-k")
def test_a_minor_cannot_discard_to_make_room() -> None:
    state = minor_with("3", "2n", "2n")
    assert code(state, BuyTrain("3n", "stack", 180, discard="2n")) == "no-voluntary-discard"
    assert code(state, DiscardTrain("2n")) == "not-now"
