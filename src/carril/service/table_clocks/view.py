"""The clock of a table as it is now, for pages and the API."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection

from carril.service.clock import now
from carril.service.store.clocks import charged, read_clock
from carril.service.table_clocks.counting import ClockView
from carril.service.values import GameInfo


def view_clock(connection: Connection, info: GameInfo) -> ClockView | None:
    """Return the clock of a table as it is now, or None if it has none."""
    clock = read_clock(connection, info.id)
    if clock is None:
        return None
    moment = now()
    later = charged(connection, clock, moment)
    people = [seat.player for seat in info.seats if seat.kind == "person"]
    standing = charged(connection, clock, moment - timedelta(seconds=1)).count == later.count
    return ClockView(
        control=clock.control,
        now=moment,
        left={player: later.count.left(clock.control, player) for player in people},
        running=clock.player,
        expires=clock.expires,
        holiday=bool(clock.player) and standing and moment - clock.since > timedelta(seconds=1),
        paused=clock.paused,
        resumes=clock.resumes,
        lost=clock.lost if info.finished else "",
    )
