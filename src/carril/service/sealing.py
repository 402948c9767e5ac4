"""When the reasons of bots become public: once the lot or the turn they belong to is over.

A reason may contain a valuation, so nobody may read it while the bidding or the turn is open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile

from msgspec.structs import replace

from carril.engine.events import Event, LotSold, RoundBegan, TurnBegan
from carril.engine.state import State
from carril.engine.steps.auction import Auction
from carril.engine.steps.question import Question
from carril.service.game_store import Reader
from carril.service.opponents import is_failure
from carril.service.store.infos import read_events
from carril.service.store.journal import Line, read_line, recent_events
from carril.service.values import Entry

Acted = tuple[int, str, tuple[Event, ...]]
"""The number of an action, who took it, and its events."""


def public_reasons(reader: Reader, line: Line, entries: Iterable[Entry]) -> list[Entry]:
    """Return log entries without the reasons that are not public yet.

    That a bot has failed is public at once: its action was a random one. A what-if line shows no
    more than its game: what happens there ends no lot of the game.
    """
    found = list(entries)
    if not any(entry.reason for entry in found):
        return found
    game = line if line.kind == "game" else read_line(reader.connection, line.game)
    assert game is not None  # a what-if line is deleted with its game
    last = _last_public(reader, game)
    return [
        entry if entry.number <= last or is_failure(entry.reason) else replace(entry, reason="")
        for entry in found
    ]


def _last_public(reader: Reader, game: Line) -> int:
    """Return the number of the last action of a game whose reason is public."""
    rows = recent_events(reader.connection, game.id)
    acted = ((number, by, read_events(events)) for number, by, events in rows)
    return last_public(reader.position(game).state, game.head, acted)


def last_public(state: State, head: int, newest_first: Iterable[Acted]) -> int:
    """Return the number of the last action before the lot or turn that is open in a position."""
    if not state.agenda or state.finished:
        return head
    return head - sum(1 for _ in takewhile(_is_open(state), newest_first))


def _is_open(state: State) -> Callable[[Acted], bool]:
    """Return a test for actions that belong to the lot or turn that is open in a position."""
    if any(isinstance(step, Auction) for step in state.agenda):
        return lambda one: not _contains(one[2], LotSold, RoundBegan)
    due = next(step for step in reversed(state.agenda) if not isinstance(step, Question))
    if due.subject:
        return lambda one: not _contains(one[2], TurnBegan, RoundBegan)
    players = (due.actor(state), state.acting)
    return lambda one: one[1] in players and not _contains(one[2], RoundBegan)


def _contains(events: Iterable[Event], *kinds: type[Event]) -> bool:
    return any(isinstance(event, kinds) for event in events)
