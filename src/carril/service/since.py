"""What has happened at a table since a user last acted."""

from __future__ import annotations

from collections.abc import Sequence

from carril.engine.events import RoundBegan
from carril.service.game_store import Reader
from carril.service.playing import log
from carril.service.store.journal import Line, round_starts, who_acted
from carril.service.values import Entry, GameInfo, Position, RoundEnd, Since, User

MOST = 120
"""Actions that are reported; of more than these, the latest."""
_ROUNDS = 3
"""Ends of rounds that are reported."""


def read_since(
    reader: Reader,
    line: Line,
    info: GameInfo,
    position: Position,
    user: User | None,
    recent: Sequence[Entry],
) -> Since | None:
    """Return what happened since the user's last action; None unless they play and look at now.

    `recent` are the last entries of the log, which have been read already.
    """
    seats = info.seats_of(user)
    if not seats or info.read_only or position.fork or position.at != position.head:
        return None
    acted = who_acted(reader.connection, line.id)
    own = next((number for number, by in acted if by in seats), 0)
    first = max(own, position.head - MOST, 1)
    if recent and recent[0].number <= first:
        entries = [entry for entry in recent if entry.number >= first]
    else:
        entries = log(reader, line, first - 1, position.head)
    return Since(own, tuple(entries), _round_ends(reader, line, entries))


def _round_ends(reader: Reader, line: Line, entries: Sequence[Entry]) -> tuple[RoundEnd, ...]:
    """Return the ends of rounds among some entries, with the positions that they lie between."""
    ended = [e.number for e in entries if any(isinstance(x, RoundBegan) for x in e.events)]
    if not ended:
        return ()
    starts = [*round_starts(reader.connection, line.id, ended[-1], _ROUNDS + 1), 0]
    states = {number: reader.position(line, number).state for number in starts}
    ends = zip(starts[1:], starts, strict=False)
    found = [RoundEnd(end, states[begin], states[end]) for begin, end in ends if end in ended]
    return tuple(reversed(found[:_ROUNDS]))
