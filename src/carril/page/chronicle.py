"""The log: sentences made from events, under headings for rounds and companies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from carril.engine.cache import Cache
from carril.engine.events import Bookkeeping, Event, MoneyPaid, PhaseBegan, RoundBegan, TurnBegan
from carril.engine.state import State
from carril.notation.text import write
from carril.page.words import Words
from carril.service.values import Entry

_Piece = tuple["Heading", dict[str, Any] | None]
_entries: Cache[tuple[_Piece, ...]] = Cache(2048)

# Payments that no other event mentions.
_SHOWN_PAYMENTS = ("president's help", "flotation", "bankruptcy")


@dataclass(frozen=True, slots=True)
class Heading:
    """A round, and the company whose turn it is in it, or ""."""

    round: str
    company: str = ""

    def after(self, event: Event) -> Heading:
        """Return the heading for what comes after an event."""
        if isinstance(event, RoundBegan):
            return Heading(event.round)
        return Heading(self.round, event.company) if isinstance(event, TurnBegan) else self


def heading_of(state: State) -> Heading:
    """Return the heading for what happens next in a position."""
    subject = next((step.subject for step in reversed(state.agenda) if step.subject), "")
    return Heading(str(state.round), subject if subject in state.companies else "")


@dataclass(slots=True)
class _Group:
    """Entries under one heading, oldest first; consequences may be those of an earlier entry."""

    heading: Heading
    entries: list[dict[str, Any]] = field(default_factory=list)


def log(
    words: Words, found: Sequence[Entry], first: Heading, shown: Heading | None = None
) -> list[dict[str, Any]]:
    """Return the groups of the log, the newest first, each with its headings and entries.

    `first` is the heading of the oldest entry; `shown` is one that the page already shows.
    """
    rows, last = [], shown or Heading("")
    for group in reversed(list(_groups(words, found, first))):
        heading = group.heading
        if not group.entries and heading.round == last.round:
            continue
        rows.append(
            {
                "round": round_name(words, heading.round) if heading.round != last.round else "",
                "company": heading.company if heading != last else "",
                "entries": group.entries[::-1],
            }
        )
        last = heading
    return rows


def round_name(words: Words, name: str) -> str:
    """Return the name of a round, such as "Operating round 2.1"."""
    kind, *number = name.split(" ")
    return " ".join([words.name("round", kind), *number])


def _groups(words: Words, found: Iterable[Entry], first: Heading) -> Iterator[_Group]:
    """Yield the groups of the log, the oldest first."""
    group = _Group(first)
    for entry in found:
        for number, (heading, made) in enumerate(_pieces(words, entry, group.heading)):
            if number:
                yield group
                group = _Group(heading)
            if made:
                group.entries.append(made)
    yield group


def _pieces(words: Words, entry: Entry, heading: Heading) -> tuple[_Piece, ...]:
    """Return the pieces of an entry under their headings; most pages show the same entries."""
    key = (words, heading, entry.number, entry.when, entry.reason)
    return _entries.get(key, lambda: tuple(_made(words, entry, heading)), owner=entry.events)


def _made(words: Words, entry: Entry, before: Heading) -> Iterator[_Piece]:
    for number, (heading, events) in enumerate(_by_heading(entry.events, before)):
        shown = not number or any(map(is_shown, events))
        yield heading, _entry(words, entry, events, bool(number)) if shown else None


def _by_heading(events: Iterable[Event], heading: Heading) -> Iterator[tuple[Heading, list[Event]]]:
    """Yield the events of an entry by the heading they belong to."""
    part: list[Event] = []
    for event in events:
        if event_heading := heading.after(event) if _begins(event) else None:
            yield heading, part
            heading, part = event_heading, []
        else:
            part.append(event)
    yield heading, part


def _begins(event: Event) -> bool:
    return isinstance(event, RoundBegan | TurnBegan)


def _entry(
    words: Words, entry: Entry, events: Sequence[Event], consequence: bool
) -> dict[str, Any]:
    marks = [words.describe(event) for event in events if isinstance(event, PhaseBegan)]
    lines = [words.describe(event) for event in _told(events) if not isinstance(event, PhaseBegan)]
    if not lines and not marks and entry.action and not consequence:
        lines = [write(entry.action)]
    return {
        "number": entry.number,
        "consequence": consequence,
        "company": next(filter(None, map(company_of, events)), ""),
        "lines": lines,
        "marks": marks,
        "reason": "" if consequence else entry.reason,
        "when": entry.when.isoformat(timespec="seconds"),
        "clock": entry.when.strftime("%H:%M"),
    }


def _told(events: Sequence[Event]) -> list[Event]:
    """Return the events that are shown; where there are none, those of the bookkeeping."""
    shown = [event for event in events if is_shown(event)]
    return shown or [event for event in events if isinstance(event, Bookkeeping)]


def company_of(event: Event) -> str:
    """Return the company that an event is about, or ""."""
    return str(getattr(event, "company", ""))


def is_shown(event: Event) -> bool:
    """Return whether an event is shown; bookkeeping and payments mentioned elsewhere are not."""
    if isinstance(event, MoneyPaid):
        return event.reason in _SHOWN_PAYMENTS
    return not isinstance(event, Bookkeeping)


def in_short(words: Words, events: Sequence[Event]) -> str:
    """Return an action as one line: its first event that is shown."""
    return next((words.describe(event) for event in _told(events)), "")


def in_full(words: Words, events: Sequence[Event]) -> list[str]:
    """Return what an action does until the next turn or round begins, one line for each event."""
    own = list(takewhile(lambda event: not _begins(event), events))
    return [words.describe(event) for event in _told(own)]
