"""`carril routes` for runs with wagons, cubes and tolls."""

from __future__ import annotations

from carril.cli import routing
from carril.cli.playing import begin
from carril.cli.routing import Question
from tests.rulebook.cuba.lines import north_coast
from tests.table import tokens


def question(payable: bool = False) -> Question:
    """MS with a 2-train and a 1-wagon: the mill of HG is full with FC, a harbour behind it.

    20 + 20 without a pass; for 20, the harbour and a cube: 40 + 30.
    """
    game, _ = begin("18Cuba", 4, "random", 1, [])
    state = tokens(north_coast("2", "1w", cubes=2, cash=20), B11=(("HG", "FC"),))
    return Question(game, state, 0, "MS", payable)


def test_json_reports_wagons_cubes_by_mill_and_fees() -> None:
    asked = question()
    told = routing._plain(asked, *routing._answer(asked, None))
    assert (told["value"], told["payable"], told["treasury"]) == (50, 70, -20)
    assert told["wagons"] == [{"wagon": "1w", "train": "2", "cubes": {"HG": 1}}]
    assert (told["cubes"], told["tolls"], told["fees"]) == ({"HG": 1}, ["B11.0"], 20)
    asked = question(payable=True)
    assert routing._plain(asked, *routing._answer(asked, None))["value"] == 70


def test_the_terminal_reports_them_too() -> None:
    asked = question()
    answer, worth = routing._answer(asked, None)
    lines = list(routing._extra_lines(asked, answer.runs[0], worth))
    assert lines == ["1w with the 2: 1 from HG", "tolls in B11.0: 20"]
    assert routing._sum(worth) == "In all 50 (70 payable, less tolls of 20)"
