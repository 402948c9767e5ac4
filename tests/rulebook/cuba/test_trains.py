"""Section VII.3.9: buying trains and wagons, the limit, deals between companies."""

from __future__ import annotations

import pytest

from carril import start
from carril.engine.actions import Accept, BuyTrain, Decline, DiscardTrain, Pass, Range
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains, TrainOffer
from carril.engine.trains import train_limit
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import (
    buying,
    four_companies,
    game,
    pool,
    reach,
    supply,
)
from tests.table import NAMES, charter, cited, code, offered, play


def bank(train: str, price: int) -> BuyTrain:
    """Buy a train of the supply."""
    return BuyTrain(train, "stack", price)


def names(state: State) -> set[str]:
    """Return the trains that are offered."""
    found = [o.action if isinstance(o, Range) else o for o in offered(state, BuyTrain)]
    return {option.train for option in found if isinstance(option, BuyTrain)}


@rule("CUBA-VII.3.9-a", "CUBA-C22")
def test_trains_are_bought_after_the_income_and_run_in_the_next_round() -> None:
    state = four_companies()
    steps = [type(step) for step in reversed(state.title.turn(state, "MS"))]
    assert steps.index(RunStep) < steps.index(BuyTrains)


@rule("CUBA-VII.3.9-b", "CUBA-VII.3.1-b")
def test_every_company_must_own_a_train_of_its_gauge_without_any_route() -> None:
    """No tile and no token is on the map, so nobody has a route."""
    for company, money in (("HG", 80), ("MS", 200)):
        state = buying(four_companies(), company, **{company: money})
        assert (code(state, Pass()), cited(state, Pass())) == ("must-buy-train", "CUBA-VII.3.9-b")
    wagon = charter(four_companies(), "MS", trains=("1w",))
    assert code(buying(wagon, "MS", MS=200), Pass()) == "must-buy-train", "a wagon is no train"
    owner = charter(four_companies(), "MS", trains=("3",))
    assert code(buying(owner, "MS", MS=200), Pass()) == ""


@rule("CUBA-VII.3.9-c")
def test_no_purchase_at_the_limit_even_if_it_would_scrap_trains() -> None:
    """Phase 5: limit 2. MS owns two 3 trains, which the first 6 would scrap."""
    state = charter(reach(four_companies(), "5"), "MS", trains=("3", "3"))
    state = buying(supply(state, {"5": 0}), "MS", MS=700)
    assert (code(state, bank("6", 600)), cited(state, bank("6", 600))) == (
        "train-limit",
        "CUBA-VII.3.9-c",
    )


@rule("CUBA-VII.3.9-d", "CUBA-VII.3.9-l", "CUBA-VII.3.14-f")
def test_a_company_with_a_3_and_a_4_buys_the_first_5() -> None:
    """The book's example: in phase 4 three trains are allowed; the 5 lowers the limit to 2."""
    state = charter(reach(four_companies(), "4"), "MS", trains=("3", "4"))
    state = buying(supply(state, {"4": 0}), "MS", MS=500)
    after = play(state, bank("5", 500))
    assert after.phase == "5"
    assert isinstance(after.step, DiscardTrains)
    assert after.acting == "Ana"
    choices = {option.train for option in offered(after, DiscardTrain)}  # type: ignore[union-attr]
    assert choices == {"3", "4", "5"}
    done = play(after, DiscardTrain("3"))
    assert done.companies["MS"].trains == ("4", "5")
    assert done.depot.pool == ("3",)
    assert done.companies["MS"].cash == 0, "no compensation"


@rule("CUBA-VII.3.9-e", "CUBA-VII.3.9-x")
@pytest.mark.parametrize(
    ("phase", "train", "price"),
    [
        ("1", "2", 100),
        ("3", "3", 200),
        ("3", "3+", 230),
        ("4", "4", 300),
        ("4", "4+", 340),
        ("5", "5", 500),
        ("5", "5+", 550),
        ("6", "6", 600),
        ("6", "6+", 660),
        ("7", "8", 700),
        ("7", "4D", 800),
    ],
)
def test_standard_prices(phase: str, train: str, price: int) -> None:
    state = buying(four_companies(phase), "MS", MS=900)
    assert code(state, bank(train, price - 10)) == "face-price"
    after = play(state, bank(train, price))
    assert (after.companies["MS"].cash, after.companies["MS"].trains) == (900 - price, (train,))


@rule("CUBA-VII.3.9-f", "CUBA-III.2-c")
def test_only_the_top_of_the_standard_stack_but_any_unlocked_narrow_train() -> None:
    state = four_companies("4")
    major = buying(state, "MS", MS=900)
    assert names(major) == {"4", "4+", "1w", "2w"}
    assert (code(major, bank("5", 500)), cited(major, bank("5", 500))) == (
        "not-on-top",
        "CUBA-VII.3.9-f",
    )
    minor = buying(state, "HG", HG=900)
    assert names(minor) == {"3n", "4n"}
    assert code(minor, bank("5n", 400)) == "not-on-top"
    assert code(minor, bank("4n", 280)) == "", "although 3n trains are left"


@rule("CUBA-VII.3.9-g")
def test_several_trains_and_wagons_in_one_turn_within_money() -> None:
    """200 + 200 + 40 = 440 of 470; 30 are left, which no train costs."""
    state = buying(four_companies("3"), "MS", MS=470)
    state = play(state, bank("3", 200), bank("3", 200))
    assert (code(state, bank("3", 200)), cited(state, bank("3", 200))) == (
        "no-help",
        "CUBA-VII.3.10-a",
    )
    state = play(state, bank("1w", 40))
    assert state.companies["MS"].trains == ("3", "3", "1w")
    assert state.companies["MS"].cash == 30


@rule("CUBA-VII.3.9-h", "CUBA-VII.3.14-d", "CUBA-C55")
def test_companies_sell_each_other_trains_from_phase_3_with_consent() -> None:
    early = charter(four_companies("2"), "NPP", trains=("2",))
    deal = BuyTrain("2", "NPP", 1)
    assert code(buying(early, "MS", MS=100), deal) == "trade-not-yet"
    assert cited(buying(early, "MS", MS=100), deal) == "CUBA-VII.3.9-h"
    state = buying(charter(four_companies("3"), "NPP", trains=("2", "2")), "MS", MS=100)
    assert code(state, BuyTrain("2", "NPP", 0)) == "price-too-low"
    asked = play(state, deal)
    assert isinstance(asked.step, TrainOffer)
    assert asked.acting == "Ben"
    sold = play(asked, Accept())
    assert (sold.companies["MS"].cash, sold.companies["NPP"].cash) == (99, 1)
    assert (sold.companies["MS"].trains, sold.companies["NPP"].trains) == (("2",), ("2",))
    declined = play(asked, Decline())
    assert code(declined, deal) == "offer-declined"
    assert Range(BuyTrain("2", "NPP", 2, by="Ana"), "price", 2, 100) in offered(declined, BuyTrain)


@rule("CUBA-VII.3.9-i")
def test_wagons_are_sold_between_majors_at_the_printed_price() -> None:
    state = charter(four_companies("3"), "NPP", trains=("2", "1w"))
    state = buying(charter(state, "MS", trains=("2",)), "MS", MS=100)
    assert code(state, BuyTrain("1w", "NPP", 39)) == "face-price"
    assert code(state, BuyTrain("1w", "NPP", 41)) == "face-price"
    deal = BuyTrain("1w", "NPP", 40, by="Ana")
    assert deal in offered(state, BuyTrain), "one price, no range"
    sold = play(state, deal, Accept())
    assert (sold.companies["MS"].trains, sold.companies["NPP"].cash) == (("2", "1w"), 40)
    refused = play(state, deal, Decline())
    assert code(refused, deal) == "offer-declined"
    minor = buying(state, "HG", HG=100)
    assert code(minor, deal) == "class-not-owned"


@rule("CUBA-VII.3.9-j")
def test_the_company_whose_turn_it_is_sells_nothing() -> None:
    state = buying(charter(four_companies("3"), "MS", trains=("3",)), "MS", MS=500)
    own = BuyTrain("3", "MS", 1)
    assert (code(state, own), cited(state, own)) == ("no-such-seller", "CUBA-VII.3.9-j")
    assert all(option.source != "MS" for option in state.options() if isinstance(option, BuyTrain))


@rule("CUBA-VII.3.9-k")
def test_no_train_is_given_up_voluntarily() -> None:
    state = buying(charter(four_companies("3"), "MS", trains=("3", "3", "2", "2")), "MS", MS=500)
    assert code(state, DiscardTrain("3")) == "not-now"
    assert (
        code(state, BuyTrain("3", "stack", 200, discard="2")),
        cited(state, BuyTrain("3", "stack", 200, discard="2")),
    ) == ("no-voluntary-discard", "CUBA-VII.3.9-k")


@rule("CUBA-VII.3.9-l", "CUBA-VII.3.7-s", "CUBA-G24", "CUBA-VII.3.14-k")
def test_trains_and_wagons_over_the_limit_are_counted_separately() -> None:
    """Phase 5 lowers both limits to 2: MS has 1 train and 3 wagons, NPP 3 trains and 1 wagon.

    MS has bought the card, so it is asked first, although NPP (100) operates before it (90).
    """
    state = charter(reach(four_companies(), "4"), "MS", trains=("1w", "1w", "2w"))
    state = charter(state, "NPP", trains=("4", "4", "3", "1w"))
    state = play(buying(supply(state, {"4": 0}), "MS", MS=500), bank("5", 500))
    assert state.acting == "Ana"
    assert (code(state, DiscardTrain("5")), cited(state, DiscardTrain("5"))) == (
        "no-such-train-owned",
        "CUBA-VII.3.9-l",
    )
    state = play(state, DiscardTrain("1w"))
    assert state.companies["MS"].trains == ("1w", "2w", "5")
    assert state.acting == "Ben"
    assert code(state, DiscardTrain("1w")) == "no-such-train-owned"
    state = play(state, DiscardTrain("4"))
    assert state.companies["NPP"].trains == ("4", "3", "1w")
    assert sorted(state.depot.pool) == ["1w", "4"]


@rule("CUBA-VII.3.9-m")
def test_trains_of_the_pool_at_the_printed_price_by_companies_of_the_gauge() -> None:
    state = pool(four_companies("4"), "3+", "1w", "3n")
    major = buying(state, "MS", MS=500)
    assert code(major, BuyTrain("3+", "pool", 200)) == "face-price"
    assert code(major, BuyTrain("3n", "pool", 180)) == "other-gauge"
    after = play(major, BuyTrain("3+", "pool", 230))
    assert (after.companies["MS"].trains, after.depot.pool) == (("3+",), ("1w", "3n"))
    assert after.phase == "4"
    assert code(major, BuyTrain("3", "pool", 200)) == "not-in-train-pool"
    minor = buying(state, "HG", HG=500)
    assert code(minor, BuyTrain("3n", "pool", 180)) == ""


@rule("CUBA-VII.3.9-u")
def test_majors_buy_no_narrow_trains() -> None:
    state = buying(charter(four_companies("4"), "HG", trains=("3n",)), "MS", MS=500)
    for action in (bank("3n", 180), BuyTrain("3n", "HG", 10)):
        assert code(state, action) == "other-gauge"


@rule("CUBA-VII.3.9-o", "CUBA-VII.3.9-v", "CUBA-VII.3.14-b", "CUBA-VII.3.14-e")
def test_limits_by_phase() -> None:
    """Majors 4, 4, 4, 3, 2, 2, 2 trains and as many wagons; minors 2 trains in every phase."""
    for phase, limit in zip("1234567", (4, 4, 4, 3, 2, 2, 2), strict=True):
        state = four_companies(phase)
        major, minor = state.companies["MS"], state.companies["HG"]
        assert (train_limit(state, major), train_limit(state, major, "wagon")) == (limit, limit)
        assert train_limit(state, minor) == 2
    full = charter(four_companies("3"), "HG", trains=("2n", "2n"))
    assert code(buying(full, "HG", HG=500), bank("3n", 180)) == "train-limit"


@rule("CUBA-VII.3.9-v", "CUBA-VII.3.7-s", "CUBA-C27")
def test_wagons_have_a_limit_of_their_own() -> None:
    """Limit 4 in phase 3: three trains and three wagons leave room for one of each."""
    owned = ("3", "3", "3", "1w", "1w", "1w")
    state = buying(charter(four_companies("3"), "MS", trains=owned), "MS", MS=500)
    state = play(state, bank("1w", 40))
    assert (code(state, bank("1w", 40)), cited(state, bank("1w", 40))) == (
        "train-limit",
        "CUBA-VII.3.9-c",
    )
    assert code(state, bank("3", 200)) == ""


@rule("CUBA-VII.3.9-w", "CUBA-G25", "CUBA-G26")
def test_the_version_of_a_card_is_chosen_once() -> None:
    """One card fewer is left, whichever side is bought; the last type never runs out."""
    for train, price in (("3", 200), ("3+", 230)):
        state = play(buying(four_companies("3"), "MS", MS=700), bank(train, price))
        assert state.depot.left["3"] == 6
        assert state.companies["MS"].trains == (train,)
    last = buying(four_companies("7"), "MS", MS=1500)
    both = play(last, bank("8", 700), bank("4D", 800))
    assert both.companies["MS"].trains == ("8", "4D")
    assert "4D" in names(buying(both, "NPP", NPP=900))


@rule("CUBA-VII.3.9-z", "CUBA-III.2-e", "CUBA-C36")
def test_wagons_by_phase_price_and_number() -> None:
    supply_of = game().depot.left
    assert [supply_of[name] for name in ("1w", "2w", "3w")] == [8, 6, 4]
    first = {"1w": "2", "2w": "4", "3w": "6"}
    for phase in "1234567":
        state = buying(charter(four_companies(phase), "MS", trains=("8",)), "MS", MS=900)
        on_sale = {name for name in names(state) if name.endswith("w")}
        assert on_sale == {name for name, begins in first.items() if begins <= phase}
    for name, price in (("1w", 40), ("2w", 80), ("3w", 150)):
        state = buying(charter(four_companies("7"), "MS", trains=("8",)), "MS", MS=900)
        assert play(state, bank(name, price)).companies["MS"].cash == 900 - price
    assert "1w" in charter(four_companies("1"), "MS", trains=("1w",)).companies["MS"].trains
    old = reach(charter(four_companies("1"), "MS", trains=("1w",)), "7")
    assert old.companies["MS"].trains == ("1w",), "wagons never rust"


COLUMNS = [
    (2, ("easy", "east"), (6, 6, 5), (6, 4, 2, 1)),
    (2, ("easy", "west"), (6, 6, 5), (6, 4, 2, 1)),
    (2, ("hard",), (6, 6, 5), (8, 6, 4, 3)),
    (2, ("challenging",), (6, 6, 5), (10, 8, 6, 4)),
    (3, ("easy",), (7, 7, 5), (7, 5, 3, 2)),
    (3, ("hard",), (7, 7, 5), (10, 8, 6, 4)),
    (4, (), (8, 7, 5), (8, 6, 4, 3)),
    (5, (), (10, 8, 6), (9, 7, 5, 3)),
    (6, (), (12, 9, 6), (10, 8, 6, 4)),
]
"""Players, level, number of 2, 3 and 4 trains, number of 2n, 3n, 4n and 5n trains."""


@rule("CUBA-VII.3.9-aa", "CUBA-VII.3.9-ab", "CUBA-III.2-d", "CUBA-C33", "CUBA-C46", "CUBA-C3")
@pytest.mark.parametrize(("players", "variants", "standard", "narrow"), COLUMNS)
def test_counts_of_all_columns(
    players: int, variants: tuple[str, ...], standard: tuple[int, ...], narrow: tuple[int, ...]
) -> None:
    left = start("18Cuba", NAMES[:players], seed=1, variants=variants).depot.left
    assert tuple(left[name] for name in ("2", "3", "4")) == standard
    assert (left["5"], left["6"], left["8"]) == (4, 3, -1), "the last type never runs out"
    assert tuple(left[name] for name in ("2n", "3n", "4n", "5n")) == narrow
