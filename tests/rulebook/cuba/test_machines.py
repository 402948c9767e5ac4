"""Section VII.3.11: machines of minors."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyMachine, Pass
from carril.engine.move import Move
from carril.engine.play import resume
from carril.engine.state import Round, State
from carril.engine.steps.operating import EndTurn
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.cuba.events import MachineBought
from carril.titles.cuba.figures import figures
from carril.titles.cuba.machines import BuyMachines, take_machine
from tests.rulebook.cuba.positions import extra, four_companies, game, memory, reach
from tests.table import at, cash, charter, cited, code, events, offered, play


def machine_step(phase: str = "1", money: int = 500, *owned: str) -> State:
    """HG of Ana is in its machine step with this money and these machines."""
    state = cash(extra(four_companies(phase), machines={"HG": owned}), HG=money)
    return at(state, EndTurn("HG"), BuyMachines("HG"), round_=Round("OR", 2, 1, 1))


@rule("CUBA-VII.3.11-a", "CUBA-C22", "CUBA-VII.3.1-a")
def test_machines_come_after_trains_and_only_in_the_turns_of_minors() -> None:
    state = four_companies()
    minor = [type(step) for step in reversed(state.title.turn(state, "HG"))]
    assert minor.index(BuyMachines) == minor.index(BuyTrains) + 1
    assert BuyMachines not in [type(step) for step in state.title.turn(state, "MS")]
    major = at(cash(charter(state, "MS", trains=("3",)), MS=300), EndTurn("MS"), BuyTrains("MS"))
    assert code(major, BuyMachine("1")) == "not-now"


@rule("CUBA-VII.3.11-b", "CUBA-C4")
def test_the_bonus_of_each_generation() -> None:
    generations = figures(game()).machinery.generations
    assert [generations[name].bonus for name in "123"] == [10, 20, 40]


@rule("CUBA-VII.3.11-c", "CUBA-III.2-g", "CUBA-VII.3.14-d", "CUBA-VII.3.14-f")
@pytest.mark.parametrize(
    ("phase", "sold"),
    [("1", "1"), ("2", "1"), ("3", "12"), ("4", "12"), ("5", "123"), ("7", "123")],
)
def test_generations_are_unlocked_in_phases_1_3_and_5(phase: str, sold: str) -> None:
    state = machine_step(phase)
    found = [option.generation for option in offered(state, BuyMachine)]  # type: ignore[union-attr]
    assert "".join(found) == sold, "older generations stay on sale"
    for generation in set("123") - set(sold):
        action = BuyMachine(generation)
        assert (code(state, action), cited(state, action)) == (
            "machine-not-yet",
            "CUBA-VII.3.11-c",
        )
    assert code(state, BuyMachine("4")) == "no-such-machine"


@rule("CUBA-VII.3.11-d", "CUBA-III.2-g", "CUBA-G15")
def test_the_price_ladder() -> None:
    """Three cheap ones, then the last price: 12, 8 and 4 machines in all."""
    ladders = {
        "1": [25, 30, 35, *[40] * 9],
        "2": [45, 50, 55, *[60] * 5],
        "3": [65, 70, 75, 80],
    }
    for generation, prices in ladders.items():
        move, paid = Move(reach(game(), "5")), []
        while memory(move.state).machine_prices[generation]:
            paid.append(take_machine(move, "HG", generation))
        assert paid == prices


@rule("CUBA-VII.3.11-d", "CUBA-VII.3.11-f")
def test_the_cheapest_one_left_is_bought_from_the_treasury() -> None:
    """25 + 30 + 35 = 90 of 100."""
    state = machine_step(money=100)
    first = BuyMachine("1")
    assert MachineBought("HG", "1", 25) in events(state, first)
    state = play(state, first, first, first)
    assert state.companies["HG"].cash == 10
    assert memory(state).machines["HG"] == ("1", "1", "1")
    assert memory(state).machine_prices["1"] == (40,) * 9


@rule("CUBA-VII.3.11-d")
def test_a_sold_out_generation() -> None:
    state = machine_step()
    sold_out = extra(state, machine_prices={**memory(state).machine_prices, "1": ()})
    sold_out = at(reach(sold_out, "3"), EndTurn("HG"), BuyMachines("HG"))
    assert code(sold_out, BuyMachine("1")) == "no-machine-left"


@rule("CUBA-VII.3.11-e", "CUBA-VII.3.11-g")
def test_three_machines_of_any_mix_at_most_and_none_is_given_up() -> None:
    state = machine_step("5", 500, "1", "2")
    assert code(state, BuyMachine("3")) == ""
    full = cash(extra(four_companies("5"), machines={"HG": ("1", "2", "3")}), HG=500)
    over = unsettled(full)
    assert code(over, BuyMachine("1")) == "machine-limit"
    assert cited(over, BuyMachine("1")) == "CUBA-VII.3.11-e"


def unsettled(state: State) -> State:
    """Put the machine step on top without settling it, so that it can be asked."""
    return replace(state, agenda=(EndTurn("HG"), BuyMachines("HG")))


@rule("CUBA-VII.3.11-f", "CUBA-VII.3.11-i")
def test_machines_are_paid_from_the_treasury_alone() -> None:
    """The minor has 24; its director has 680, which do not help."""
    state = unsettled(cash(four_companies(), HG=24))
    action = BuyMachine("1")
    assert state.players["Ana"].cash == 680
    assert (code(state, action), cited(state, action)) == ("machine-too-dear", "CUBA-VII.3.11-f")
    assert not resume(state).state.agenda, "the step is skipped"


@rule("CUBA-VII.3.1-b", "CUBA-G33")
def test_machines_are_optional() -> None:
    state = play(machine_step(), Pass())
    assert "HG" not in memory(state).machines or memory(state).machines["HG"] == ()
    assert state.companies["HG"].cash == 500


@rule("CUBA-IV.2-i")
def test_a_machine_for_a_bonus_comes_from_the_dearest_space() -> None:
    """All 12 are there: one of the spaces at 40 is emptied, and the next buyer still pays 25."""
    move = Move(four_companies("1"))
    assert take_machine(move, "HG", "1", dearest=True) == 40
    assert memory(move.state).machine_prices["1"] == (25, 30, 35, *[40] * 8)
