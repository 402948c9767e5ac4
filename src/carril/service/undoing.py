"""Undo: immediate if nobody else plays at the table, otherwise when all the others agree.

Nothing is deleted: an undo is a record of its own, and the undone actions are set aside. A redo
puts them back (`redoing.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile, takewhile

import msgspec

from carril.service.errors import BadRequest, Stale
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.playing import bot_of
from carril.service.redoing import find_series, redo_series
from carril.service.store.journal import Draft, Line, append, record_at, who_acted
from carril.service.store.undone import set_aside
from carril.service.values import GameInfo, Proposal, Undone, UndoPoints, User
from carril.service.votes.voting import (
    Case,
    Kind,
    check_seen,
    check_takes_part,
    fulfil_or_ask,
    register,
)


def undo_points(acted: Iterable[tuple[int, str]], players: tuple[str, ...]) -> UndoPoints:
    """Return the position before the last action, and before the last turn, of these players.

    `acted` yields the numbers of actions and who took them, newest first; it is read no further
    than needed. A turn is an unbroken series of actions by one player.

    >>> undo_points([(4, "Ben"), (3, "Ana"), (2, "Ana"), (1, "Ben")], ("Ana",))
    UndoPoints(step=2, turn=1)
    """
    rest = dropwhile(lambda one: one[1] not in players, acted)
    last, by = next(rest, (0, ""))
    if not last:
        return UndoPoints(None, None)
    turn = [number for number, _ in takewhile(lambda one: one[1] == by, rest)]
    return UndoPoints(last - 1, min([last, *turn]) - 1)


def points_of(reader: Reader, game: str, user: User, fork: str | None) -> UndoPoints:
    """Return the undo points of a user, who acts for every seat on a fork."""
    line, info = reader.line(game, fork, user), reader.info(game)
    players = tuple(s.player for s in info.seats) if fork else info.seats_of(user)
    return undo_points(who_acted(reader.connection, line.id), players)


@operation
def undo(
    store: GameStore, game: str, user: User, to: int, fork: str | None, seen: int | None
) -> Undone:
    """Undo all actions after a position, or ask the others to agree.

    `seen` is the version of the line for which the user decided; None stands for any.
    """
    with store.writing(game="" if fork else game, fork=fork or "") as reader:
        line, info = reader.line(game, fork, user), reader.info(game)
        check_may_undo(line, info, user, seen)
        _check_position(line, to)
        case = Case(reader, line, info, user, Proposal("undo", to))
        line, request = (_undo(case), None) if fork else fulfil_or_ask(case)
    store.changed(line)
    return Undone(line.head, line.version, request)


def check_may_undo(line: Line, info: GameInfo, user: User, seen: int | None) -> None:
    """Raise an error unless this user may undo and redo on a line, which is as they saw it."""
    if line.kind == "game":
        check_takes_part(info, user)
    check_seen(line, seen)


def _check_position(line: Line, to: int) -> None:
    if to < line.base:
        raise BadRequest(f"The line begins at position {line.base}.", {"base": line.base})
    if to >= line.head:
        raise Stale(f"There is nothing to undo after position {to}.", {"head": line.head})


def _check_undo(case: Case) -> Proposal:
    _check_position(case.line, case.proposal.to)
    return case.proposal


def _undo(case: Case) -> Line:
    reader, line, info, user, to = case.reader, case.line, case.info, case.user, case.proposal.to
    row = record_at(reader.connection, line.id, to)
    assert row is not None  # the line is locked, and has more actions
    state = reader.position(line, to).state
    bot = "" if line.kind == "fork" else bot_of(info, state)
    about = msgspec.json.encode({"base": to, "from": line.head}).decode()
    draft = Draft(
        "undo",
        to,
        state,
        bytes(row.snapshot),
        user=user.id,
        bot=bot,
        events=row.events,
        action=about,
    )
    line = append(reader.connection, line, draft, {"from": line.head, "user": user.name})
    set_aside(reader.connection, line.id, line.version, to)
    return line


@operation
def redo(
    store: GameStore, game: str, user: User, series: int | None, fork: str | None, seen: int | None
) -> Undone:
    """Put actions back that were taken back, or ask the others to agree.

    `series` is the version of the record that took them back; None stands for the last one.
    """
    with store.writing(game="" if fork else game, fork=fork or "") as reader:
        line, info = reader.line(game, fork, user), reader.info(game)
        check_may_undo(line, info, user, seen)
        case = Case(reader, line, info, user, Proposal("redo", series=series))
        line, request = (_redo(_with_series(case)), None) if fork else fulfil_or_ask(case)
    store.changed(line)
    return Undone(line.head, line.version, request)


def _with_series(case: Case) -> Case:
    return msgspec.structs.replace(case, proposal=_check_redo(case))


def _check_redo(case: Case) -> Proposal:
    found = find_series(case.reader.connection, case.line, case.proposal.series)
    return Proposal("redo", found.old_head, found.version)


def _redo(case: Case) -> Line:
    assert case.proposal.series is not None  # the check has found it
    return redo_series(case.reader, case.line, case.info, case.user, case.proposal.series)


UNDO = register(Kind("undo", _check_undo, _undo))
REDO = register(Kind("redo", _check_redo, _redo))
