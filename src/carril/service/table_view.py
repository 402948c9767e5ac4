"""Everything that a page shows of a table, read in one transaction."""

from __future__ import annotations

from carril.service.chat import last_remarks
from carril.service.company_runs import company_runs
from carril.service.game_store import Reader
from carril.service.people.notes import read_up_to
from carril.service.playing import log
from carril.service.programs.giving import list_programs
from carril.service.redoing import next_redo, read_changes
from carril.service.since import read_since
from carril.service.store.journal import Line, who_acted
from carril.service.table_clocks.view import view_clock
from carril.service.undoing import undo_points
from carril.service.values import (
    ForkInfo,
    GameInfo,
    Position,
    TableView,
    UndoPoints,
    User,
)
from carril.service.votes.voting import open_requests

LOG_ENTRIES = 40
"""Log entries shown with a table; earlier ones are loaded on demand."""
REMARKS = 50
"""Remarks of the chat shown with a table."""


def read_table(
    reader: Reader, game: str, user: User | None, at: int | None = None, fork: str | None = None
) -> TableView:
    """Return a position of a game or fork with its log, chat and undo points."""
    line = reader.line(game, fork, user)
    info = reader.info(game, user)
    position = reader.position(line, at)
    entries = log(reader, line, position.at - LOG_ENTRIES, position.at + 1)
    later = [entry for entry in entries if entry.number > position.at]
    undo = _undo_points(reader, line, info, position, user)
    changes = read_changes(reader.connection, line.id)
    shown = entries[: len(entries) - len(later)]
    return TableView(
        info=info,
        position=position,
        log=tuple(shown),
        first=reader.position(line, shown[0].number - 1).state if shown else position.state,
        since=read_since(reader, line, info, position, user, shown),
        next=later[0] if later else None,
        undo=undo,
        redo=next_redo(reader.connection, line.id, changes) if undo else None,
        changes=tuple(changes),
        requests=() if fork else open_requests(reader.connection, line),
        chat=tuple(last_remarks(reader.connection, game, REMARKS)),
        read=read_up_to(reader.connection, game, user) if info.seats_of(user) else 0,
        fork=_fork_info(line),
        runs=company_runs(reader, line, position.at),
        clock=view_clock(reader.connection, info),
        programs=tuple(list_programs(reader, game, user if info.seats_of(user) else None)),
    )


def _fork_info(line: Line) -> ForkInfo | None:
    if line.kind != "fork":
        return None
    return ForkInfo(line.id, line.game, line.base, line.head, line.version, line.created)


def _undo_points(
    reader: Reader, line: Line, info: GameInfo, position: Position, user: User | None
) -> UndoPoints | None:
    """Return where undo leads, or None for a user who may not undo here."""
    if user is None:
        return None
    if position.fork:
        last = line.head - 1
        return UndoPoints(last if last >= line.base else None, line.base)
    seats = () if info.read_only else info.seats_of(user)
    return undo_points(who_acted(reader.connection, line.id), seats) if seats else None
