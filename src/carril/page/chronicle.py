"""The log: sentences made from events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carril.engine.events import Bookkeeping, Event, MoneyPaid, PhaseBegan, RoundBegan, TurnBegan
from carril.page.words import Words
from carril.service.values import Entry

# Payments that no other event mentions.
_SHOWN_PAYMENTS = ("president's help", "flotation", "bankruptcy")


def entries(words: Words, found: Sequence[Entry]) -> list[dict[str, Any]]:
    """Return log entries, the newest first."""
    return [_entry(words, entry) for entry in reversed(found)]


def _entry(words: Words, entry: Entry) -> dict[str, Any]:
    lines, marks = [], []
    for event in entry.events:
        if isinstance(event, RoundBegan | PhaseBegan):
            marks.append(words.describe(event))
        elif is_shown(event):
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


def is_shown(event: Event) -> bool:
    """Return whether an event is shown; bookkeeping and payments mentioned elsewhere are not."""
    if isinstance(event, MoneyPaid):
        return event.reason in _SHOWN_PAYMENTS
    return not isinstance(event, Bookkeeping)


def in_short(words: Words, events: Sequence[Event]) -> str:
    """Return an action as one line: its first event that is shown."""
    for event in events:
        if is_shown(event):
            return words.describe(event)
    return ""
