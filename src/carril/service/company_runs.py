"""What the companies of a game have earned, read from its journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import bindparam, select

from carril.engine.cache import Cache
from carril.engine.events import DividendPaid, Event, RoundBegan, TrainsRun
from carril.service.game_store import Reader
from carril.service.store.infos import read_events
from carril.service.store.journal import Line
from carril.service.store.tables import records, standing
from carril.service.values import CompanyRun


class _Read(Struct, frozen=True):
    """The runs of a line up to one of its records, and the round at that point."""

    head: int = 0
    record: int = 0
    round: str = ""
    runs: tuple[CompanyRun, ...] = ()


_lines: Cache[_Read] = Cache(256)
_TOLD = ('"trains-run"', '"dividend-paid"', '"round-began"')
_SINCE = (
    select(standing.c.number, standing.c.record, records.c.events)
    .join(standing, standing.c.record == records.c.id)
    .where(standing.c.line == bindparam("wanted"), standing.c.number >= bindparam("since"))
    .order_by(standing.c.number)
)


def company_runs(reader: Reader, line: Line, at: int) -> tuple[CompanyRun, ...]:
    """Return the runs on a line up to a position, in order.

    What has been read of a line is cached. The next time only its last record, which shows whether
    anything was undone, and newer ones are read.
    """
    known = _lines.find(line.id) or _Read()
    rows = _rows(reader, line, known.head)
    if not rows or rows[0].record != known.record:
        known, rows = _Read(), _rows(reader, line, 0)
    if rows and rows[-1].record != known.record:
        known = _continued(known, rows)
        _lines.put(line.id, known)
    return tuple(_as_seen(run, at) for run in known.runs if run.number <= at)


def last_runs(runs: Iterable[CompanyRun]) -> Mapping[str, CompanyRun]:
    """Return the last run of each company."""
    return {run.company: run for run in runs}


def _rows(reader: Reader, line: Line, since: int) -> Sequence[Any]:
    return reader.connection.execute(_SINCE, {"wanted": line.id, "since": since}).all()


def _as_seen(run: CompanyRun, at: int) -> CompanyRun:
    """Return a run without what happened to its earnings after a position."""
    return replace(run, kind="") if run.paid > at else run


def _continued(known: _Read, rows: Sequence[Any]) -> _Read:
    """Return what is known of a line, with the actions since."""
    runs, current = list(known.runs), known.round
    for row in rows:
        new = row.number > known.head or not known.record
        if new and any(tag in row.events for tag in _TOLD):
            current = _add(runs, current, row.number, read_events(row.events))
    return _Read(rows[-1].number, rows[-1].record, current, tuple(runs))


def _add(runs: list[CompanyRun], current: str, number: int, events: Sequence[Event]) -> str:
    """Add the runs among the events of an action; return the round after it."""
    for event in events:
        if isinstance(event, RoundBegan):
            current = event.round
        elif isinstance(event, TrainsRun):
            runs.append(CompanyRun(event.company, current, number, event.revenue, event.treasury))
        elif isinstance(event, DividendPaid):
            _divide(runs, event, number)
    return current


def _divide(runs: list[CompanyRun], event: DividendPaid, number: int) -> None:
    """Note how the last run of a company was paid."""
    for index in range(len(runs) - 1, -1, -1):
        if runs[index].company == event.company:
            runs[index] = replace(runs[index], kind=event.kind, paid=number)
            return
