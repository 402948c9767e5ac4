"""Conditional plans: a line of play that is followed until somebody leaves it."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import Action, decode_action
from carril.engine.state import State
from carril.notation.text import write
from carril.notation.words import say
from carril.programs.history import Act, Decision, Halt, History, Wait, halt
from carril.programs.kinds import Plan


def follow(state: State, plan: Plan, since: History) -> Decision:
    """Return the next action of a plan, or where the game has left it."""
    left = still_to_play(plan, since)
    if isinstance(left, Halt):
        return left
    if not any(move.by in plan.mine for move in left):
        return halt("plan-done", count=since.done)
    if left[0].by not in plan.mine:
        return Wait()
    if refused := state.refusal(left[0]):
        return halt("plan-refused", action=write(left[0]), why=say(refused))
    return Act(left[0])


def still_to_play(plan: Plan, since: History) -> list[Action] | Halt:
    """Return the actions of a plan that are left, or where the game has left it."""
    moves = [decode_action(move) for move in plan.moves[since.seen - since.start :]]
    for expected, entry in zip(moves, since.entries, strict=False):
        happened = entry.action and replace(entry.action, by=entry.by)
        if happened != expected:
            return _deviation(entry.number, expected, happened)
    return moves[len(since.entries) :]


def _deviation(number: int, expected: Action, happened: Action | None) -> Halt:
    """Return which action was expected, and what happened instead."""
    instead = write(happened) if happened else ""
    return halt("plan-left", number=number, expected=write(expected), happened=instead)
