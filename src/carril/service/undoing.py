"""Undo: immediate if nobody else plays at the table, otherwise when all the others agree.

Nothing is deleted: an undo is a record of its own, and the undone actions are set aside. A redo
puts them back (`redoing.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile, takewhile
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, insert, select, update

from carril.service.errors import BadRequest, Forbidden, NotFound, ReadOnly, Stale
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.playing import bot_of
from carril.service.redoing import find_series, redo_series
from carril.service.store.journal import Draft, Line, append, now, publish, record_at, who_acted
from carril.service.store.tables import requests
from carril.service.store.undone import set_aside
from carril.service.values import GameInfo, Undone, UndoPoints, UndoRequest, User


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
        others = () if fork else info.others(user)
        request = ask(reader.connection, line, user, to, others) if others else None
        if request is None:
            line = _undo_to(reader, line, info, user, to)
    store.changed(line)
    return Undone(line.head, line.version, request)


def check_may_undo(line: Line, info: GameInfo, user: User, seen: int | None) -> None:
    """Raise an error unless this user may undo and redo on a line, which is as they saw it."""
    if line.kind == "game":
        if info.read_only:
            raise ReadOnly("An imported game cannot be changed. Start a what-if line instead.")
        if not info.seats_of(user) and info.owner != user.id:
            raise Forbidden("Only players at this table can undo actions.")
    if seen not in (None, line.version):
        raise Stale("Somebody else acted first. Look at the new position and try again.")


def _check_position(line: Line, to: int) -> None:
    if to < line.base:
        raise BadRequest(f"The line begins at position {line.base}.", {"base": line.base})
    if to >= line.head:
        raise Stale(f"There is nothing to undo after position {to}.", {"head": line.head})


def _undo_to(reader: Reader, line: Line, info: GameInfo, user: User, to: int) -> Line:
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
        found = find_series(reader.connection, line, series)
        others = () if fork else info.others(user)
        request = None
        if others:
            wanted = (found.old_head, others, found.version)
            request = ask(reader.connection, line, user, *wanted)
        else:
            line = redo_series(reader, line, info, user, found.version)
    store.changed(line)
    return Undone(line.head, line.version, request)


# --- requests to the other players ---------------------------------------------------------


def open_request(connection: Connection, game: str, version: int) -> UndoRequest | None:
    """Return the open request at a table with this version; later actions make a request lapse."""
    query = select(requests).where(
        requests.c.game == game, requests.c.status == "open", requests.c.version == version
    )
    row = connection.execute(query.order_by(requests.c.id.desc()).limit(1)).one_or_none()
    return _request(row) if row else None


def _request(row: Row[Any]) -> UndoRequest:
    waiting = tuple(msgspec.json.decode(row.waiting))
    known = (row.id, row.user, row.name, row.to, row.status, waiting, row.created, row.series)
    return UndoRequest(*known)


def ask(
    connection: Connection,
    line: Line,
    user: User,
    to: int,
    others: tuple[str, ...],
    series: int | None = None,
) -> UndoRequest:
    """Ask the others to agree to an undo, or to a redo of a series."""
    if open_request(connection, line.game, line.version):
        raise BadRequest("There is already a request. It must be answered first.")
    moment, waiting = now(), msgspec.json.encode(others).decode()
    values = {"game": line.game, "user": user.id, "name": user.name, "to": to}
    values |= {"version": line.version, "status": "open", "waiting": waiting, "series": series}
    added = connection.execute(insert(requests).values(**values, created=moment))
    assert added.inserted_primary_key is not None
    number = added.inserted_primary_key[0]
    request = UndoRequest(number, user.id, user.name, to, "open", others, moment, series)
    publish(connection, line.id, "request", msgspec.to_builtins(request))
    return request


@operation
def answer(store: GameStore, game: str, user: User, number: int, accept: bool) -> Undone:
    """Accept or decline a request; the user who made it can withdraw it by declining."""
    with store.writing(game=game) as reader:
        line, info = reader.line(game), reader.info(game)
        request = open_request(reader.connection, game, line.version)
        if request is None or request.id != number:
            raise NotFound("There is no such request, or somebody has acted since.")
        request = _answered(request, user, accept)
        if request.status == "done":
            asker = User(request.by, request.by_name)
            if request.series is None:
                line = _undo_to(reader, line, info, asker, request.to)
            else:
                line = redo_series(reader, line, info, asker, request.series)
        _store_answer(reader.connection, request)
        publish(reader.connection, line.id, "request", msgspec.to_builtins(request))
    store.changed(line)
    return Undone(line.head, line.version, request)


def _store_answer(connection: Connection, request: UndoRequest) -> None:
    changed = connection.execute(
        update(requests)
        .where(requests.c.id == request.id, requests.c.status == "open")
        .values(status=request.status, waiting=msgspec.json.encode(request.waiting).decode())
    )
    if changed.rowcount != 1:
        raise Stale("Somebody else answered first.")


def _answered(request: UndoRequest, user: User, accept: bool) -> UndoRequest:
    if user.id != request.by and user.id not in request.waiting:
        raise Forbidden("You are not asked to answer this request.")
    if not accept:
        return msgspec.structs.replace(request, status="declined", waiting=())
    if user.id == request.by:
        raise Forbidden("Your own request must be answered by the other players.")
    waiting = tuple(one for one in request.waiting if one != user.id)
    return msgspec.structs.replace(request, status="open" if waiting else "done", waiting=waiting)
