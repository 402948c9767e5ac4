"""Every run of a game next to the best one that was possible.

The searches run in a thread, one run at a time; a request returns what is known so far and never
waits. `compare_run` is the only function that searches.
"""

from __future__ import annotations

import logging
import queue
import threading
from typing import Any

from msgspec import Struct
from sqlalchemy import Row, or_, select

from carril.engine.actions import RunTrains, decode_action
from carril.engine.cache import Cache
from carril.engine.events import RoundBegan, TrainsRun
from carril.engine.runs.compared import Compared, claimed_sums, compare
from carril.service.game_store import GameStore, Reader
from carril.service.store.infos import read_events
from carril.service.store.journal import Line
from carril.service.store.tables import records, standing

BUDGET = 20_000
"""Nodes that the search for one run may cost; nearly all runs of recorded games need fewer."""
_COMPARED = 20_000
_LISTED = 64
_log = logging.getLogger("carril.service.studying")


class StudiedRun(Struct, frozen=True):
    """A run of a game; what was possible is None until it has been searched."""

    number: int
    """The number of its action; the position before it is one less."""
    by: str
    company: str
    round: str
    claimed: int
    possible: int | None = None
    bound: int | None = None
    """What is proven: no run is worth more. Equal to `possible` if that is optimal."""
    key: str = ""
    """Identifies the record of the action."""

    @property
    def missed(self) -> int | None:
        """How much more was possible, if that is known."""
        return None if self.possible is None else self.possible - self.claimed

    @property
    def optimal(self) -> bool:
        """Whether it is proven that no run is worth more."""
        return self.possible is not None and self.possible == self.bound


class Study(Struct, frozen=True):
    """The runs of a game and how many of them have been compared with the best."""

    runs: tuple[StudiedRun, ...]

    @property
    def checked(self) -> tuple[StudiedRun, ...]:
        """The runs that have been compared."""
        return tuple(run for run in self.runs if run.possible is not None)

    @property
    def claimed(self) -> int:
        """What the compared runs claimed."""
        return sum(run.claimed for run in self.checked)

    @property
    def possible(self) -> int:
        """What the compared runs could have earned."""
        return sum(run.possible or 0 for run in self.checked)


class Studier:
    """Compares runs with the best ones, in one thread that starts with the first request."""

    def __init__(self, store: GameStore) -> None:
        """Start without any results."""
        self._store = store
        self._listed: Cache[tuple[StudiedRun, ...]] = Cache(_LISTED)
        self._found: Cache[Compared] = Cache(_COMPARED)
        self._waiting: set[str] = set()
        self._due: queue.SimpleQueue[tuple[Line, StudiedRun] | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._closing = False

    def study(self, reader: Reader, line: Line) -> Study:
        """Return the runs of a line with what is known; start the searches for the others."""
        listed = self._listed.get((line.id, line.tip), lambda: list_runs(reader, line))
        for run in listed:
            if run.key not in self._found:
                self._ask(line, run)
        return Study(tuple(self._known(run) for run in listed))

    def _known(self, run: StudiedRun) -> StudiedRun:
        found = self._found.find(run.key)
        if found is None:
            return run
        return StudiedRun(
            number=run.number,
            by=run.by,
            company=found.company,
            round=found.round,
            claimed=found.claimed,
            possible=found.possible,
            bound=found.bound,
            key=run.key,
        )

    def _ask(self, line: Line, run: StudiedRun) -> None:
        with self._lock:
            if run.key in self._waiting:
                return
            self._waiting.add(run.key)
            self._due.put((line, run))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="study", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        while (due := self._due.get()) is not None and not self._closing:
            line, run = due
            try:
                self._found.put(run.key, compare_run(self._store, line, run.number))
            except Exception:
                _log.exception("run %s of %s cannot be compared", run.number, line.id)
            with self._lock:
                self._waiting.discard(run.key)

    def close(self) -> None:
        """Finish the current search and stop."""
        self._closing = True
        self._due.put(None)
        if self._thread:
            self._thread.join(timeout=10)


def compare_run(store: GameStore, line: Line, number: int) -> Compared:
    """Return the run with this number next to the best one of the position before it."""
    with store.reading() as reader:
        state = reader.position(line, number - 1).state
        (row,) = _rows(reader, line, number - 1, number)
    action = decode_action(row.action)
    assert isinstance(action, RunTrains)
    claimed = sum(claimed_sums(state, action))
    return compare(state, state.step.subject, claimed, BUDGET)


def list_runs(reader: Reader, line: Line) -> tuple[StudiedRun, ...]:
    """Return the runs of a line, not yet compared."""
    found, now = [], str(reader.position(line, 0).state.round)
    for row in _rows(reader, line, 0, line.head):
        for event in read_events(row.events):
            if isinstance(event, TrainsRun) and _is_run(row):
                earned = event.revenue + event.treasury
                run = StudiedRun(row.number, row.by, event.company, now, earned, key=row.hash)
                found.append(run)
            elif isinstance(event, RoundBegan):
                now = event.round
    return tuple(found)


_RUN = f'%"type":"{RunTrains.__struct_config__.tag}"%'
_ROUND = f'%"event":"{RoundBegan.__struct_config__.tag}"%'


def _is_run(row: Row[Any]) -> bool:
    return bool(row.action) and isinstance(decode_action(row.action), RunTrains)


def _rows(reader: Reader, line: Line, since: int, until: int) -> list[Row[Any]]:
    """Return the records of runs and beginnings of rounds with numbers in a range."""
    query = (
        select(standing.c.number, *(records.c[k] for k in ("by", "action", "events", "hash")))
        .join(standing, standing.c.record == records.c.id)
        .where(standing.c.line == line.id)
        .where(standing.c.number > since, standing.c.number <= until)
        .where(or_(records.c.action.like(_RUN), records.c.events.like(_ROUND)))
        .order_by(standing.c.number)
    )
    return list(reader.connection.execute(query))
