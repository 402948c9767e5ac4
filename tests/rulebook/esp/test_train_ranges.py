"""Trains: what they reach, what they cost, how many a company may own (4.4.1)."""

import pytest

from carril.engine.actions import BuyTrain, DiscardTrain
from carril.engine.runs import Stop
from carril.engine.runs.revenue import fits
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains as Discards
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.engine.trains import train_limit
from carril.rules.marker import rule
from tests.rulebook.esp.lines import (
    OPEN,
    asturias,
    buying,
    castile,
    earned,
    north,
    owned,
    run,
    running,
)
from tests.rulebook.esp.positions import game, minor
from tests.table import at, cash, cited, code, offered, phase, play, stack_from, tokens


def norte(*trains: str, name: str = "3") -> State:
    """N with stations in Madrid and Valladolid on the track of Castile, about to run."""
    state = owned(phase(castile(game()), name), "N", *trains)
    state = tokens(state, F24=((), ("N",), ()), E21=(("N",),))
    return running(state, "N")


def cfea(*trains: str, name: str = "2") -> State:
    """CFEA in Oviedo on the track to San Esteban, about to run."""
    state = owned(phase(asturias(game()), name), "CFEA", *trains)
    return running(tokens(state, D6=(("CFEA",), ())), "CFEA")


def bilbao(*trains: str) -> State:
    """FdSB in Bilbao and Santander; Alar del Rey is open."""
    state = owned(phase(north(game()), "3"), "FdSB", *trains)
    return running(tokens(state, K5=(("FdSB",),), I5=(("FdSB",),), H12=OPEN), "FdSB")


@rule("ESP-4.4.1-a")
def test_a_conventional_train_visits_so_many_locations_of_any_kind() -> None:
    assert earned(norte("3"), run("3: F24.1 E23 E21.0 D22.0")) == (80, 0)
    assert earned(norte("3"), run("3: F24.1 E23 E21.0 E19.1")) == (60, 20), "a mine is one of them"
    long = run("3: F24.1 E23 E21.0 D22.0 C21.0")
    assert code(norte("3"), long) == "run-too-many-stops"
    assert cited(norte("3"), long) == "ESP-4.4.1-a"
    assert earned(norte("4"), run("4: F24.1 E23 E21.0 D22.0 C21.0")) == (110, 0)


@rule("ESP-4.4.1-b")
def test_a_narrow_train_visits_some_of_any_kind_and_towns_besides() -> None:
    state = cfea("1+2")
    assert earned(state, run("1+2: D6.0 C5.0 C3.0")) == (40, 30), "a city and two like towns"
    assert code(state, run("1+2: D6.0 C5.0 C3.0 C1.0")) == "run-too-many-stops"
    north_line = bilbao("1+2")
    assert code(north_line, run("1+2: I5.0 J4.0 K5.0")) == "run-too-many-stops", "two cities"
    assert earned(north_line, run("1+2: I5.0 J4.0")) == (30, 0)


@rule("ESP-4.4.1-b")
def test_three_towns_fit_a_one_plus_two_and_two_cities_do_not() -> None:
    state = cfea("1+2")
    (train,) = state.title.run_problem(state, "CFEA").trains
    town, city = Stop("A3.0", "A3", "town", 10), Stop("D4.0", "D4", "city", 20)
    assert fits(train.room, [town, town, town])
    assert fits(train.room, [city, town, town])
    assert not fits(train.room, [city, city])
    assert not fits(train.room, [town] * 4)
    line = bilbao("1+2", "2+3")
    assert code(line, run("1+2: K5.0 J6.0 I7.0 H8.0")) == "run-too-many-stops"
    assert earned(line, run("2+3: K5.0 J6.0 I7.0 H8.0")) == (80, 20)


@rule("ESP-4.4.1-c")
def test_no_location_on_the_way_may_be_skipped() -> None:
    state = cfea("1+2")
    assert code(state, run("1+2: D6.0 C5 C3.0")) == "run-not-connected", "the mine is not optional"
    assert code(norte("2"), run("2: F24.1 E23 E21 D22.0")) == "run-not-connected"


@rule("ESP-4.4.1-d")
def test_red_areas_and_passes_count_as_cities() -> None:
    state = bilbao("1+2", "2+3")
    assert code(state, run("1+2: K5.0 L6 M5.0")) == "run-too-many-stops", "Bilbao and Irún"
    assert earned(state, run("2+3: K5.0 L6 M5.0")) == (70, 0)
    both = run("2+3: H12.0 H10 H8.0 I7.0 J6.0 K5.0")
    assert code(state, both) == "run-too-many-stops", "a pass and two cities"
    assert earned(bilbao("3+4"), run("3+4: H12.0 H10 H8.0 I7.0 J6.0 K5.0")) == (80, 20)


@rule("ESP-4.4.1-e")
def test_mines_and_harbours_count_as_towns() -> None:
    state = cfea("2+3", name="3")
    assert earned(state, run("2+3: D6.0 C5.0 C3.0 C1.0")) == (40, 40), "one city, three like towns"
    assert earned(cfea("1+2"), run("1+2: D6.0 C5.0 C3.0")) == (40, 30)


@rule("ESP-4.4.1-f")
def test_the_two_sides_of_a_card_cost_the_same() -> None:
    prices = {name: train.price for name, train in game().title.tables.trains.items()}
    expected = {"2": 100, "3": 200, "4": 300, "5": 500, "6": 600, "8": 800}
    narrow = {"1+2": 100, "2+3": 200, "3+4": 300, "4+5": 500, "5+6": 600, "6+8": 800}
    assert prices == {**expected, **narrow, "2P": 0}
    for train, cost in expected.items():
        state = cash(owned(stack_from(phase(game(), train), train), "N"), N=1000)
        paid = play(buying(state, "N"), BuyTrain(train, "stack", cost))
        assert paid.companies["N"].cash == 1000 - cost


RUSTING = [("4", ("2", "1+2")), ("6", ("3", "2+3")), ("8", ("4", "3+4"))]


@rule("ESP-4.4.1-g", "ESP-4.4.1-l")
@pytest.mark.parametrize(("first", "gone"), RUSTING)
def test_the_first_train_of_a_kind_rusts_an_older_one(first: str, gone: tuple[str, str]) -> None:
    before = {"4": "3", "6": "5", "8": "6"}[first]
    state = owned(stack_from(phase(game(), before), first), "N", gone[0])
    state = cash(owned(state, "MZA", *gone, by="Ben"), N=1000, MZA=7)
    price = state.title.tables.trains[first].price
    after = play(buying(state, "N"), BuyTrain(first, "stack", price))
    assert after.companies["N"].trains == (first,)
    assert after.companies["MZA"].trains == (), "both sides of the card"
    assert after.companies["MZA"].cash == 7, "nothing is paid for them"
    assert after.players["Ben"].cash == state.players["Ben"].cash


@rule("ESP-4.4.1-h")
def test_the_later_kinds_never_rust() -> None:
    trains = game().title.tables.trains
    assert {t.name for t in trains.values() if not t.rusted_by} == {
        *("5", "4+5", "6", "5+6", "8", "6+8"),
        "2P",
    }
    state = owned(stack_from(phase(game(), "6"), "8"), "N", "5")
    state = cash(owned(state, "MZA", "6", "4+5", by="Ben"), N=1000)
    after = play(buying(state, "N"), BuyTrain("8", "stack", 800))
    assert after.companies["N"].trains == ("5", "8")
    assert after.companies["MZA"].trains == ("6", "4+5")


LIMITS = [("2", 2, 4), ("3", 2, 4), ("4", 1, 3), ("5", 0, 3), ("6", 0, 2), ("8", 0, 2)]


@rule("ESP-4.4.1-i")
@pytest.mark.parametrize(("name", "minors", "majors"), LIMITS)
def test_the_train_limit_by_phase(name: str, minors: int, majors: int) -> None:
    state = phase(game(), name)
    assert train_limit(state, state.companies["ZP"]) == minors
    assert train_limit(state, state.companies["N"]) == majors
    assert train_limit(state, state.companies["FdSB"]) == majors, "North and South alike"
    buy = BuyTrain(name, "stack", state.title.tables.trains[name].price)
    base = cash(stack_from(state, name), Ana=1000)
    loaded = owned(base, "N", *["8"] * (majors - 1))
    assert code(buying(cash(loaded, N=1000), "N"), buy) == "", "one place is left"
    full = cash(owned(base, "N", *["8"] * majors), N=1000)
    step = TrainStep("N")
    refusal = step.refusal(full, buy)
    assert refusal is not None
    assert (refusal.code, step.has_room(full)) == ("train-limit", False)


@rule("ESP-4.4.1-j")
def test_a_minor_owns_conventional_trains_only() -> None:
    state = buying(cash(minor(game(), "ZP", "Ana"), ZP=500), "ZP")
    narrow = BuyTrain("1+2", "stack", 100)
    assert code(state, narrow) == "minor-iberian-only"
    assert cited(state, narrow) == "ESP-4.4.1-j"
    assert code(state, BuyTrain("2", "stack", 100)) == ""
    assert [o.train for o in offered(state, BuyTrain) if isinstance(o, BuyTrain)] == ["2"]


@rule("ESP-4.4.1-k")
def test_a_major_owns_both_kinds() -> None:
    state = buying(cash(owned(game(), "FdSB"), FdSB=500), "FdSB")
    state = play(state, BuyTrain("2", "stack", 100), BuyTrain("1+2", "stack", 100))
    assert state.companies["FdSB"].trains == ("2", "1+2")


@rule("ESP-4.4.1-l", "ESP-E43")
@pytest.mark.parametrize(("edition", "pool"), [("de", ("3",)), ("en", ())])
def test_a_train_above_the_limit_is_not_paid_for(edition: str, pool: tuple[str, ...]) -> None:
    state = owned(phase(game(edition=edition), "4"), "N", "3", "3", "4", "4")
    state = at(cash(state, N=5), *buying(state, "N").agenda, Discards(("N",)))
    after = play(state, DiscardTrain("3"))
    assert after.companies["N"].trains == ("3", "4", "4")
    assert (after.companies["N"].cash, after.bank) == (5, state.bank)
    assert after.depot.pool == pool, "the open market, or out of the game (E43)"
