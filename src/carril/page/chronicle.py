"""The log, told from events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carril.engine.events import Event, MoneyPaid, PhaseBegan, RoundBegan, TurnBegan
from carril.page.words import Words
from carril.service.values import Entry

SHOWN = 40
"""How many entries a table shows before one asks for more."""

# Money that no other event tells of.
_TOLD_MONEY = ("president's help", "flotation", "bankruptcy")


def entries(words: Words, found: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return log entries, the newest first."""
    return [_entry(words, entry) for entry in reversed(found)]


def _entry(words: Words, entry: Entry) -> dict[str, Any]:
    lines, marks = [], []
    for event in entry.events:
        if isinstance(event, RoundBegan | PhaseBegan):
            marks.append(words.describe(event))
        elif worth_telling(event):
            lines.append((words.describe(event), isinstance(event, TurnBegan)))
    return {
        "number": entry.number,
        "by": entry.by,
        "lines": lines,
        "marks": marks,
        "reason": entry.reason,
        "when": entry.when.isoformat(timespec="seconds"),
        "clock": entry.when.strftime("%H:%M"),
    }


def worth_telling(event: Event) -> bool:
    """Return whether an event is shown: money that another event tells of is not."""
    return not isinstance(event, MoneyPaid) or event.reason in _TOLD_MONEY


def in_short(words: Words, events: Sequence[Event]) -> str:
    """Return what an action did as one line: its first event worth telling."""
    for event in events:
        if worth_telling(event):
            return words.describe(event)
    return ""
