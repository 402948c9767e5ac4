"""Taking back: at once where nobody else sits at the table, else when all others agree.

Nothing is deleted: an undo is a record of its own, and what was undone stays in the store.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import dropwhile, takewhile
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, insert, select, update

from carril.service.errors import BadRequest, Forbidden, NotFound, ReadOnly, Stale
from carril.service.game_store import Desk
from carril.service.playing import bot_of
from carril.service.store.journal import Draft, Line, append, now, read_line, record_at, tell
from carril.service.store.snapshots import unpack
from carril.service.store.tables import requests
from carril.service.values import GameInfo, Undone, UndoPoints, UndoRequest, User


def points(acted: Iterable[tuple[int, str]], players: tuple[str, ...]) -> UndoPoints:
    """Return where one step back and the start of a turn are, for those who play these seats.

    `acted` are the numbers of actions and who took them, newest first; it is read no further than
    needed. A turn is an unbroken row of one player's actions.

    >>> points([(4, "Ben"), (3, "Ana"), (2, "Ana"), (1, "Ben")], ("Ana",))
    UndoPoints(step=2, turn=1)
    """
    rest = dropwhile(lambda one: one[1] not in players, acted)
    last, by = next(rest, (0, ""))
    if not last:
        return UndoPoints(None, None)
    turn = [number for number, _ in takewhile(lambda one: one[1] == by, rest)]
    return UndoPoints(last - 1, min([last, *turn]) - 1)


def undo(desk: Desk, game: str, user: User, to: int, fork: str | None) -> Undone:
    """Take all actions after a number back, or ask the others to agree."""
    with desk.database.reading() as connection:
        line = desk.line(connection, game, fork, user)
        info = desk.info(connection, game)
    _check(line, info, user, to)
    others = () if fork else info.others(user)
    if not others:
        with desk.database.writing() as connection:
            line = _take_back(desk, connection, line, info, user, to)
        desk.changed(line)
        return Undone(line.head, line.version)
    request = _ask(desk, line, user, to, others)
    return Undone(line.head, line.version, request)


def _check(line: Line, info: GameInfo, user: User, to: int) -> None:
    if line.kind == "game":
        if info.read_only:
            raise ReadOnly("an imported record stays as it is")
        if not info.seats_of(user) and info.owner != user.id:
            raise Forbidden("only those who sit at the table may take back")
    if not line.base <= to < line.head:
        raise BadRequest(f"there is nothing to take back to {to}", {"head": line.head})


def _take_back(
    desk: Desk, connection: Connection, line: Line, info: GameInfo, user: User, to: int
) -> Line:
    row = record_at(connection, line.id, to)
    assert row is not None
    state = desk.recent.get(row.hash, lambda: unpack(row.snapshot))
    bot = "" if line.kind == "fork" else bot_of(info, state)
    draft = Draft("undo", to, state, bytes(row.snapshot), user=user.id, bot=bot, events=row.events)
    return append(connection, line, draft, {"from": line.head, "user": user.name})


# --- asking --------------------------------------------------------------------------------


def open_request(connection: Connection, game: str) -> UndoRequest | None:
    """Return the request that is open at a table; one that was overtaken by an action is not."""
    line = read_line(connection, game)
    query = select(requests).where(requests.c.game == game, requests.c.status == "open")
    for row in connection.execute(query.order_by(requests.c.id.desc())):
        if line and row.version == line.version:
            return _request(row)
    return None


def _request(row: Row[Any]) -> UndoRequest:
    waiting = tuple(msgspec.json.decode(row.waiting))
    return UndoRequest(row.id, row.user, row.name, row.to, row.status, waiting, row.created)


def _ask(desk: Desk, line: Line, user: User, to: int, others: tuple[str, ...]) -> UndoRequest:
    with desk.database.writing() as connection:
        if open_request(connection, line.game):
            raise BadRequest("there is a request already; it must be answered first")
        moment, waiting = now(), msgspec.json.encode(others).decode()
        values = {"game": line.game, "user": user.id, "name": user.name, "to": to}
        values |= {"version": line.version, "status": "open", "waiting": waiting}
        added = connection.execute(insert(requests).values(**values, created=moment))
        assert added.inserted_primary_key is not None
        number = added.inserted_primary_key[0]
        request = UndoRequest(number, user.id, user.name, to, "open", others, moment)
        tell(connection, line.id, "request", msgspec.to_builtins(request))
    desk.changed(line)
    return request


def answer(desk: Desk, game: str, user: User, number: int, accept: bool) -> Undone:
    """Accept or decline a request; its maker may withdraw it by declining."""
    with desk.database.writing() as connection:
        line = desk.line(connection, game)
        request = open_request(connection, game)
        if request is None or request.id != number:
            raise NotFound("there is no such request, or it was overtaken")
        request = _answered(request, user, accept)
        if request.status == "done":
            info = desk.info(connection, game)
            maker = User(request.by, request.by_name)
            line = _take_back(desk, connection, line, info, maker, request.to)
        waiting = msgspec.json.encode(request.waiting).decode()
        changed = connection.execute(
            update(requests)
            .where(requests.c.id == number, requests.c.status == "open")
            .values(status=request.status, waiting=waiting)
        )
        if changed.rowcount != 1:
            raise Stale("somebody answered first")
        tell(connection, line.id, "request", msgspec.to_builtins(request))
    desk.changed(line)
    return Undone(line.head, line.version, request)


def _answered(request: UndoRequest, user: User, accept: bool) -> UndoRequest:
    if user.id != request.by and user.id not in request.waiting:
        raise Forbidden("this request is not for you to answer")
    if not accept:
        return msgspec.structs.replace(request, status="declined", waiting=())
    waiting = tuple(one for one in request.waiting if one != user.id)
    if user.id == request.by:
        raise Forbidden("one's own request is answered by the others")
    return msgspec.structs.replace(request, status="open" if waiting else "done", waiting=waiting)
