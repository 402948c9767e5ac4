"""A moved clock, and tables that play by it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from carril.service import clock
from carril.service.games import Games
from carril.service.table_clocks.counting import TimeControl
from carril.service.values import GameInfo, NewGame, Seat, User
from tests.service.table import step


class MovedClock:
    """The time of the service, which this moves in all processes that inherit the variable.

    A `fixed` clock stands still in between, so that tests can expect exact times.
    """

    def __init__(self, file: Path, *, fixed: bool = True) -> None:
        self._file = file
        self._fixed = datetime(2026, 3, 2, 12, tzinfo=UTC) if fixed else None
        self._offset = 0.0
        self._write()

    def move(self, **spans: float) -> None:
        """Move the clock on by a span of time."""
        self._offset += timedelta(**spans).total_seconds()
        self._write()

    def _write(self) -> None:
        moved = timedelta(seconds=self._offset)
        text = (self._fixed + moved).isoformat() if self._fixed else str(self._offset)
        part = self._file.with_suffix(".part")
        part.write_text(text, "ascii")
        part.replace(self._file)


@pytest.fixture
def moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MovedClock:
    """The clock of the service, to be moved."""
    file = tmp_path / "clock"
    monkeypatch.setenv(clock.FILE, str(file))
    return MovedClock(file)


DAYS = TimeControl("days", move=86400, penalty="none")


def clocked_table(games: Games, one: User, other: User, control: TimeControl = DAYS) -> GameInfo:
    """A game of two people with a clock, in which one more action ends the turn of the first."""
    seats = (Seat("me", "Ana"), Seat("person", "Ben"))
    made = games.create(one, NewGame("18EU", seats, seed=3, clock=control))
    invitation = next(seat.invitation for seat in made.seats if seat.invitation)
    games.join(invitation, other)
    step(games, made.id, one)  # the next action ends the turn
    return games.info(made.id)
