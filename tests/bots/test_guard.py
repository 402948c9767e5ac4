"""Bots that fail lose their decision to the random bot."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from carril import start
from carril.bots import Decision, Dice, bot_named
from carril.bots.guard import guarded_choice
from carril.engine.actions import Pass
from carril.engine.state import State


class Failing:
    """A bot that does what it is told to."""

    name = "failing"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def choose(self, state: State, dice: Dice) -> Decision:
        if isinstance(self.answer, Exception):
            raise self.answer
        decision: Decision = self.answer() if callable(self.answer) else self.answer
        return decision


def _hang() -> Decision:
    while True:
        pass


STATE = start("18EU", ["Ana", "Ben"], seed=2)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (ValueError("no\nidea"), "ValueError: no idea"),
        (None, "answered NoneType, not a decision"),
        ("pass", "answered str, not a decision"),
        (Decision("pass"), "answered Decision, not a decision"),  # type: ignore[arg-type]
        (Decision(Pass()), "its action is refused: choose-first"),
        (_hang, "no answer after 0.05 s"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_failing_bot_is_replaced_by_a_legal_random_choice(answer: Any, fault: str) -> None:
    found = guarded_choice(Failing(answer), STATE, Dice(3), seconds=0.05)
    assert found.fault == fault
    assert STATE.refusal(found.decision.action) is None
    again = guarded_choice(Failing(answer), STATE, Dice(3), seconds=0.05)
    assert again.decision == found.decision


def test_a_sound_bot_keeps_its_decision() -> None:
    found = guarded_choice(bot_named("greedy"), STATE, Dice(3), seconds=10)
    assert (found.fault, STATE.refusal(found.decision.action)) == ("", None)


def test_without_a_main_thread_there_is_no_limit_but_an_answer() -> None:
    found = []
    thread = threading.Thread(
        target=lambda: found.append(guarded_choice(bot_named("random"), STATE, Dice(1), 5))
    )
    thread.start()
    thread.join()
    assert found[0].fault == ""
