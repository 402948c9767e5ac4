"""Leaving: give up a seat, delete a game, delete an account."""

from __future__ import annotations

import secrets

import msgspec
from sqlalchemy import Connection, delete, select, update

from carril.service.account_store import check_exists
from carril.service.errors import Forbidden
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.store.infos import games_of
from carril.service.store.journal import Line, publish, remove_line
from carril.service.store.locks import lock_lines
from carril.service.store.tables import (
    bearers,
    games,
    lines,
    remarks,
    requests,
    seats,
    sessions,
    standing,
    undone,
    users,
)
from carril.service.undoing import open_request
from carril.service.values import GameInfo, User

NOBODY = "Deleted account"
"""The name that replaces that of a deleted account."""


@operation
def leave(store: GameStore, game: str, user: User) -> GameInfo:
    """Give up all seats of a user at a table; somebody else can take them by invitation."""
    with store.writing(game=game) as reader:
        line = reader.line(game)
        if not reader.info(game).seats_of(user):
            raise Forbidden("You have no seat at this table.")
        _free_seats(reader, line, user)
        info = reader.info(game, user)
    store.changed(line)
    return info


def _free_seats(reader: Reader, line: Line, user: User) -> None:
    """Offer the seats of a user by new invitations; an undo request that waits for them ends."""
    connection, game = reader.connection, line.id
    players = reader.info(game).seats_of(user)
    for player in players:
        chosen = update(seats).where(seats.c.game == game, seats.c.player == player)
        connection.execute(chosen.values(user=None, invitation=secrets.token_urlsafe(16)))
    request = open_request(connection, game, line.version)
    if request and user.id in (request.by, *request.waiting):
        over = msgspec.structs.replace(request, status="declined", waiting=())
        chosen = update(requests).where(requests.c.id == request.id)
        connection.execute(chosen.values(status="declined", waiting="[]"))
        publish(connection, game, "request", msgspec.to_builtins(over))
    publish(connection, game, "leave", {"players": players, "name": user.name})


@operation
def delete_game(store: GameStore, game: str, user: User) -> None:
    """Delete a game with everything that belongs to it, if nobody else plays at the table."""
    with store.writing(game=game) as reader:
        info = reader.info(game)
        if info.owner != user.id:
            raise Forbidden("Only the user who created a game can delete it.")
        if info.others(user):
            raise Forbidden("Other people play at this table. They must leave it first.")
        remove_game(reader.connection, game)


def remove_game(connection: Connection, game: str) -> None:
    """Delete all rows of a game, whose main line is locked."""
    found = select(lines.c.id).where(lines.c.game == game, lines.c.id != game)
    forks = list(connection.execute(found).scalars())
    lock_lines(connection, forks)
    for index in (standing, undone):
        connection.execute(delete(index).where(index.c.line.in_([game, *forks])))
    for line in (*forks, game):
        remove_line(connection, line)
    for table in (remarks, requests, seats):
        connection.execute(delete(table).where(table.c.game == game))
    connection.execute(delete(games).where(games.c.id == game))


@operation
def delete_account(store: GameStore, user: User) -> None:
    """Delete an account: its games at which nobody else plays, what-if lines, sessions, tokens.

    At other tables its seats become free, and another player owns the game. Records of played
    games keep the id of the account, which is part of the hash chain, but not its name.
    """
    with store.writing(user=user.id) as reader:
        connection = reader.connection
        check_exists(connection, user)
        lock_lines(connection, games_of(connection, user))
        found = games_of(connection, user)  # those that still exist
        changed = [line for game in found if (line := _leave_behind(reader, game, user))]
        _remove_forks(connection, user)
        for table in (sessions, bearers):
            connection.execute(delete(table).where(table.c.user == user.id))
        for named in (remarks, requests):
            connection.execute(update(named).where(named.c.user == user.id).values(name=NOBODY))
        gone = {"name": NOBODY, "folded": None, "password": None, "deleted": True}
        connection.execute(update(users).where(users.c.id == user.id).values(**gone))
    for line in changed:
        store.changed(line)


def _leave_behind(reader: Reader, game: str, user: User) -> Line | None:
    """Delete a game, or leave it to the others; return its line if it still exists."""
    info, line = reader.info(game), reader.line(game)
    others = info.others(user)
    if info.owner == user.id and not others:
        remove_game(reader.connection, game)
        return None
    if info.owner == user.id:
        for table, key in ((games, games.c.id), (lines, lines.c.id)):
            chosen = update(table).where(key == game)
            reader.connection.execute(chosen.values(owner=others[0]))
    if info.seats_of(user):
        _free_seats(reader, line, user)
    return line


def _remove_forks(connection: Connection, user: User) -> None:
    """Delete the open what-if lines of a user."""
    found = select(lines.c.id).where(
        lines.c.owner == user.id, lines.c.kind == "fork", lines.c.status == "open"
    )
    forks = list(connection.execute(found).scalars())
    lock_lines(connection, forks)
    for fork in forks:
        remove_line(connection, fork)
