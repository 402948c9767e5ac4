"""Combined trains: coupling, range, crossing a pass (5.2.1)."""

import pytest

from carril.engine.actions import Accept, BuyTrain, CombineTrains, DiscardTrain, Pass
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains as Discards
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.engine.trains import trains_counted
from carril.rules.marker import rule
from carril.titles.esp.combining import CombineStep, recyclable
from tests.rulebook.esp.lines import (
    ACROSS,
    BASQUE,
    OPEN,
    best,
    buying,
    castile,
    earned,
    north,
    owned,
    run,
    running,
)
from tests.rulebook.esp.positions import extra, game, memory, minor
from tests.table import (
    at,
    cash,
    charter,
    cited,
    code,
    offered,
    phase,
    play,
    stack_from,
    tiles,
    tokens,
)

CROSSES = "E21.0 E19.0 H12.0 H10 H8.0"
"""Valladolid, Palencia, Alar del Rey, Reinosa."""
SHORT = "E19.0 H12.0 H10 H8.0"


def norte(*trains: str, name: str = "4", edition: str = "de", **scrap: int) -> State:
    """N on both sides of Alar del Rey with 1000; two cards of the oldest kind have rusted."""
    state = stack_from(phase(north(castile(game(edition=edition))), name), name)
    state = cash(owned(state, "N", *trains), N=1000)
    piles = {key[1:]: count for key, count in scrap.items()} or {"2": 2}
    state = extra(state, scrap=piles, privates={})
    return tokens(state, F24=((), ("N",), ()), E21=(("N",),), H8=(("N",),), H12=OPEN)


def combinations(state: State) -> set[tuple[str, str]]:
    """Return the combinations on offer: train and recycled train."""
    found = offered(state, CombineTrains)
    return {(o.train, o.recycled) for o in found if isinstance(o, CombineTrains)}


@rule("ESP-5.2.1-a")
def test_combined_trains_exist_from_phase_4_on() -> None:
    combine = CombineTrains("3", "1+2")
    for name in ("2", "3"):
        state = buying(norte("3", name=name), "N")
        assert code(state, combine) == "combined-not-yet"
        assert cited(state, combine) == "ESP-5.2.1-a"
        assert not combinations(state)
    assert code(buying(norte("3"), "N"), combine) == ""


@rule("ESP-5.2.1-b")
def test_only_a_combined_train_crosses_a_pass() -> None:
    for train in ("4", "3+4"):
        assert code(running(norte(train), "N"), run(f"{train}: {CROSSES}")) == "run-wrong-gauge"
    assert earned(running(norte("4|1+2"), "N"), run(f"4|1+2: {CROSSES}")) == (30 + 10 + 0 + 30, 0)


@rule("ESP-5.2.1-c")
def test_one_of_each_kind_and_never_three() -> None:
    state = buying(norte("4", "3+4"), "N")
    for train, recycled in (("4", "2"), ("3+4", "1+2")):
        assert code(state, CombineTrains(train, recycled)) == "same-gauge"
        assert cited(state, CombineTrains(train, recycled)) == "ESP-5.2.1-c"
    assert combinations(state) == {("4", "1+2"), ("3+4", "2")}
    coupled = play(state, CombineTrains("4", "1+2"))
    assert code(coupled, CombineTrains("4|1+2", "2")) == "combined-already"
    assert code(coupled, CombineTrains("4|1+2", "1+2")) == "combined-already"


@rule("ESP-5.2.1-d")
def test_one_is_recycled_and_the_other_the_companys_own() -> None:
    state = buying(norte("4", "3+4"), "N")
    assert code(state, CombineTrains("4", "3+4")) == "not-recyclable", "two trains of its own"
    assert code(state, CombineTrains("5", "1+2")) == "no-such-train-owned"
    after = play(state, CombineTrains("4", "1+2"))
    assert after.companies["N"].trains == ("3+4", "4|1+2")
    assert memory(after).scrap == {"2": 1}, "one card is used up (A50)"


@rule("ESP-5.2.1-e", "ESP-5.2.1-g")
def test_recycling_costs_twice_the_face_value_and_adds_the_ranges() -> None:
    state = buying(norte("4"), "N")
    bank = state.bank
    after = play(state, CombineTrains("4", "1+2"))
    assert after.companies["N"].cash == 1000 - 200
    assert after.bank == bank + 200
    assert rooms(after) == (5, 2)
    other = play(buying(norte("3+4"), "N"), CombineTrains("3+4", "2"))
    assert rooms(other) == (5, 4)
    dear = play(buying(norte("6", name="6", _3=1), "N"), CombineTrains("6", "2+3"))
    assert dear.companies["N"].cash == 1000 - 400
    assert rooms(dear) == (8, 3)


def rooms(state: State) -> tuple[int, ...]:
    """Return how many stops of any kind, and how many towns, the only train takes."""
    (train,) = state.title.run_problem(state, "N").trains
    return tuple(room.count for room in train.room)


@rule("ESP-5.2.1-g")
def test_a_five_plus_two_on_the_way_to_bilbao() -> None:
    """Five of any kind and two towns: one town too many for four and two."""
    state = running(norte("4|1+2"), "N")
    through = f"{CROSSES} I7.0 J6.0"
    assert earned(state, run(f"4|1+2: {through}")) == (30 + 10 + 30 + 10, 20)
    long = run(f"4|1+2: {through} K5.0 L6 M5.0")
    assert code(state, long) == "run-too-many-stops", "five cities and three towns"
    assert code(running(norte("4|2+3"), "N"), run(f"4|2+3: {through} K5.0 L6 M5.0")) == ""


@rule("ESP-5.2.1-f", "ESP-DE-6.2.1-a", "ESP-E48")
def test_which_cards_can_be_recycled() -> None:
    for edition, cards in (("en", {"2": 1}), ("es", {"2": 1}), ("de", {"2": 1, "3": 1})):
        state = extra(norte("4", edition=edition, _2=1), exported={"3": 1})
        assert recyclable(state) == cards, "an exported 3 has not rusted"
        combine = CombineTrains("4", "2+3")
        assert code(buying(state, "N"), combine) == ("" if edition == "de" else "not-recyclable")
        assert code(buying(state, "N"), CombineTrains("4", "3+4")) == "not-recyclable"


@rule("ESP-5.2.1-f")
def test_an_exported_card_can_be_recycled_once_its_kind_has_rusted() -> None:
    state = extra(norte("3", name="3", edition="en", _2=0), exported={"2": 1})
    state = owned(stack_from(state, "4"), "MZA", "2", "1+2", by="Ben")
    assert recyclable(state) == {}
    after = play(buying(state, "N"), BuyTrain("4", "stack", 300))
    assert recyclable(after) == {"2": 3}, "the exported card and two that rust now"


@rule("ESP-5.2.1-f", "ESP-DE-6.2.1-a", "ESP-A51")
@pytest.mark.parametrize("edition", ["en", "de"])
def test_a_train_lost_with_a_minor_or_discarded_only_after_its_kind_has_rusted(
    edition: str,
) -> None:
    """A51; in the German edition the minor's 3 goes with it, in the others a 3 is discarded."""
    state = norte("4", edition=edition, _2=0)
    if edition == "de":
        state = minor(stack_from(state, "5"), "ZP", "Cleo", trains=("3",), tokens=0)
        state = play(buying(state, "N"), BuyTrain("5", "stack", 500))
    else:
        state = charter(state, "N", trains=("4", "4", "4", "3"))
        state = at(state, *buying(state, "N").agenda, Discards(("N",)))
        state = play(state, DiscardTrain("3"))
    assert recyclable(state) == {}
    state = cash(charter(stack_from(phase(state, "5"), "6"), "N", trains=("4",)), N=1000)
    assert recyclable(play(buying(state, "N"), BuyTrain("6", "stack", 600))) == {"3": 1}


@rule("ESP-5.2.1-h", "ESP-5.2.1-i", "ESP-5.2.1-j")
def test_it_is_one_train_and_all_may_be_such() -> None:
    state = buying(norte("4", "4", "3+4", _2=3), "N")
    company = state.companies["N"]
    assert trains_counted(state, company) == 3, "the limit of phase 4"
    assert code(state, CombineTrains("4", "1+2")) == "", "at the limit"
    state = play(state, CombineTrains("4", "1+2"), CombineTrains("4", "1+2"))
    state = play(state, CombineTrains("3+4", "2"))
    assert state.companies["N"].trains == ("4|1+2", "4|1+2", "3+4|2")
    assert trains_counted(state, state.companies["N"]) == 3


@rule("ESP-5.2.1-k")
def test_the_parts_stay_together() -> None:
    state = buying(norte("4|1+2", "3"), "N")
    assert code(state, CombineTrains("3", "1+2")) == "", "another card"
    used = buying(norte("4|1+2", "3", _2=0), "N")
    assert refusal(used, CombineTrains("3", "1+2")) == "not-recyclable", "not that one"
    bare = running(norte("4|1+2"), "N")
    assert code(bare, run("4: E21.0 D22.0")) == "run-no-such-train"
    assert code(bare, run("1+2: H8.0 I7.0")) == "run-no-such-train"
    over = norte("4|1+2", "4|1+2", "4|1+2", "3")
    over = at(over, *buying(over, "N").agenda, Discards(("N",)))
    assert code(over, DiscardTrain("4")) == "no-such-train-owned"
    assert code(over, DiscardTrain("4|1+2")) == ""


def refusal(state: State, action: CombineTrains) -> str:
    """Return why N may not combine, also where it is not asked."""
    found = TrainStep("N").refusal(state, action)
    return found.code if found else ""


@rule("ESP-5.2.1-l")
def test_the_recycled_part_goes_with_the_main_train() -> None:
    state = owned(norte("6", name="6"), "MZA", "4|2+3", "5|2+3", by="Ben")
    state = extra(stack_from(state, "8"), scrap={"2": 2, "3": 0})
    after = play(buying(state, "N"), BuyTrain("8", "stack", 800))
    assert after.companies["MZA"].trains == ("5|2+3",), "the combined 4 is lost with the first 8"
    assert memory(after).scrap == {"2": 2, "3": 1, "4": 1}


@rule("ESP-5.2.1-m", "ESP-A53")
def test_another_major_may_buy_it_and_no_minor() -> None:
    state = owned(norte("4|1+2", "3"), "MZA", "3", by="Ben")
    state = minor(state, "ZP", "Cleo")
    state = cash(state, MZA=500, ZP=500)
    deal = BuyTrain("4|1+2", "N", 77)
    sold = play(buying(state, "MZA"), deal)
    assert sold.acting == "Ana"
    sold = play(sold, Accept())
    assert sold.companies["MZA"].trains == ("3", "4|1+2")
    small = buying(state, "ZP")
    assert code(small, deal) == "minor-iberian-only"
    assert code(small, BuyTrain("3", "N", 77)) == "", "a simple one it may"


@rule("ESP-5.2.1-n", "ESP-5.2.1-o", "ESP-A66")
def test_its_route_crosses_a_pass_with_stops_on_both_sides() -> None:
    state = running(norte("4|1+2"), "N")
    assert code(state, run(f"4|1+2: {SHORT}")) == "", "one to the south, one to the north"
    for path in ("F24.1 E23 E21.0", BASQUE, "E21.0 E19.0 H12.0", "H12.0 H10 H8.0"):
        one_sided = run(f"4|1+2: {path}")
        assert code(state, one_sided) == "run-must-visit", path
        assert cited(state, one_sided) == "ESP-5.2.1-n"
    assert code(state, run("4|1+2: F24.1 E23 E21.0 E19.0 H12.0 H10 H8.0")) == "", "the rest is free"


@rule("ESP-5.2.1-p")
def test_it_may_carry_a_tender() -> None:
    state = extra(norte("4|1+2"), tenders=("N",))
    state = running(tokens(state, K5=(("N",),)), "N")
    route = f"4|1+2: {CROSSES} I7.0 J6.0 K5.0"
    assert code(state, run(route)) == "", "five and two"
    more = f"4|1+2: {ACROSS}"
    assert code(state, run(more)) == "run-too-many-stops", "five cities and three towns"
    assert code(state, run(more, tender="4|1+2")) == ""


@rule("ESP-5.2.1-q")
def test_recycling_belongs_to_the_buying_of_trains() -> None:
    state = running(norte("4"), "N")
    assert code(state, CombineTrains("4", "1+2")) == "not-now"
    state = buying(norte("4"), "N")
    state = play(state, CombineTrains("4", "1+2"), BuyTrain("4", "stack", 300))
    assert state.companies["N"].trains == ("4|1+2", "4"), "in any order with purchases"
    online = owned(phase(game(conventions="18xx.games"), "4"), "N", "4")
    online = at(cash(online, N=1000), TrainStep("N"))
    assert code(online, CombineTrains("4", "1+2")) == "combine-later"
    assert code(at(online, CombineStep("N")), CombineTrains("4", "1+2")) == ""


@rule("ESP-5.2.1-r", "ESP-E49")
@pytest.mark.parametrize("edition", ["en", "es", "de"])
def test_a_combination_that_leaves_nothing_to_run(edition: str) -> None:
    strict = "" if edition == "de" else "combine-cannot-run"
    combine = CombineTrains("4", "1+2")
    shut = tokens(norte("4", edition=edition), H12=(("closed", "closed"),))
    state = buying(shut, "N")
    assert code(state, combine) == strict, "no open pass, no other train"
    if strict:
        assert cited(state, combine) == "ESP-5.2.1-r"
        assert not combinations(state)
    assert code(buying(norte("4", edition=edition), "N"), combine) == "", "it crosses Alar del Rey"
    more = charter(shut, "N", trains=("4", "3"))
    assert code(buying(more, "N"), combine) == "", "the 3 can run"


@rule("ESP-DE-6.2.1-b", "ESP-E49")
def test_a_combined_train_that_cannot_cross_earns_nothing_and_is_kept() -> None:
    state = tokens(norte("4|1+2"), H12=(("closed", "closed"),))
    state = running(cash(state, N=0), "N")
    assert best(state) == (0, 0)
    after = play(state, run())
    assert after.companies["N"].trains == ("4|1+2",)
    assert after.companies["N"].cash == 0
    due = buying(cash(after, N=0), "N")
    assert not isinstance(due.step, TrainStep) or code(due, Pass()) == "", (
        "it is a train all the same"
    )


@rule("ESP-5.2.1-s", "ESP-A53")
def test_no_combined_train_for_a_minor() -> None:
    state = cash(minor(norte("4"), "ZP", "Cleo", trains=("4",)), ZP=1000)
    found = TrainStep("ZP").refusal(state, CombineTrains("4", "1+2"))
    assert found is not None
    assert (found.code, found.rule) == ("minor-no-combined", "ESP-5.2.1-s")
    assert not combinations(buying(state, "ZP"))


@rule("ESP-5.2.1-t")
def test_the_company_pays_alone() -> None:
    state = buying(cash(norte("4", "3"), N=199, Ana=1000), "N")
    assert refusal(state, CombineTrains("4", "1+2")) == "combine-too-dear"
    assert not combinations(state)
    assert combinations(buying(cash(norte("4", "3"), N=200), "N")) == {("4", "1+2"), ("3", "1+2")}


@rule("ESP-5.2.1-n")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_a_second_pass_on_the_route(edition: str) -> None:
    """Never two crossed; in the older texts a route may end in a second one (E50)."""
    state = norte("8|3+4", name="8", edition=edition)
    state = tiles(state, J8=("79", 0), J6=("116", 0), G17=("L97", 0))
    state = running(tokens(state, J10=OPEN), "N")
    to_second = f"{CROSSES} I7.0 J6.0 J8 J10.0"
    expected = "run-too-many-of-kind" if edition == "de" else ""
    assert code(state, run(f"8|3+4: {to_second}")) == expected
    assert code(state, run(f"8|3+4: {CROSSES} I7.0 J6.0")) == ""
    both = run(f"8|3+4: {to_second} G17.0")
    assert code(state, both) == "run-too-many-of-kind", "through both"
