"""Writing records of 18ESP."""

from __future__ import annotations

from carril.engine.actions import Action, LayTile, ReachDestination
from carril.engine.events import GoalReached
from carril.engine.play import start
from carril.titles.esp.export import ESPWriter
from carril.titles.export import Played, Written
from tests.rulebook.esp.works import turn

STATE = start("18ESP", ("Ana", "Ben", "Cleo"), 1, conventions="18xx.games")


def written(action: Action, *goals: str) -> list[Written]:
    """Return how an action of FdSB is written that reaches goals."""
    there = turn("FdSB", {})
    events = tuple(GoalReached("FdSB", goal) for goal in goals)
    writer = ESPWriter(STATE, {name: number for number, name in enumerate(STATE.players, 1)})
    return writer.write(Played(there, action, there, events))


def test_a_destination_is_written_with_the_action_that_reaches_it() -> None:
    lay = LayTile("J4", "73", 5)
    (reached,) = written(lay, "destination", "offboard")
    (following,) = reached["auto_actions"]
    assert following["type"] == "destination_connection"
    assert "auto_actions" not in written(lay, "offboard")[0]


def test_a_destination_that_is_declared_is_an_action_by_itself() -> None:
    (declared,) = written(ReachDestination(), "destination")
    assert declared["type"] == "destination_connection"
    assert "auto_actions" not in declared
