"""A turn that nobody decides, explained step by step from its events."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from carril.engine.state import State
from carril.page.words import Words
from carril.service.values import Entry


def automatic_turn(
    state: State, words: Words, log: Sequence[Entry], mine: Collection[str]
) -> dict[str, Any] | None:
    """Return the last automatic turn in the log.

    It is open as long as none of `mine` is to act or has acted since; for spectators, who have no
    seat, until the next action.
    """
    seen = state.acting in mine
    for entry in reversed(log):
        turn = state.title.answers.automatic_turn(state, entry.events)
        if turn:
            lines = [
                {
                    "text": words.describe(line.note),
                    "sum": "" if line.amount is None else words.money(line.amount),
                    "total": line.total,
                }
                for line in turn.lines
            ]
            return {"company": turn.company, "lines": lines, "open": not seen}
        seen = seen or not mine or entry.by in mine
    return None
