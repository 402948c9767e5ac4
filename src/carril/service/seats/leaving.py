"""Leaving: give up a seat, delete a game, delete an account."""

from __future__ import annotations

from sqlalchemy import Connection, delete, select, update

from carril.service.account_store import check_exists
from carril.service.errors import Finished, Forbidden
from carril.service.game_store import GameStore, Reader
from carril.service.operations import operation
from carril.service.opponents import check_bot
from carril.service.seats.assigning import give_to_bot, open_seat, people_changed
from carril.service.store.clocks import clock_marks, clocks, holidays
from carril.service.store.infos import games_of
from carril.service.store.journal import Line, remove_line
from carril.service.store.locks import lock_lines
from carril.service.store.notices import hooks, notices, pushes
from carril.service.store.outbox import outbox
from carril.service.store.programs import remove_programs
from carril.service.store.tables import (
    bearers,
    games,
    lines,
    mail_links,
    notes,
    ratings,
    remarks,
    requests,
    seats,
    sessions,
    standing,
    undone,
    users,
)
from carril.service.values import GameInfo, User

NOBODY = "Deleted account"
"""The name that replaces that of a deleted account."""


@operation
def leave(store: GameStore, game: str, user: User, bot: str) -> GameInfo:
    """Give up all seats of a user at a table.

    A bot takes them; with no bot ("") somebody else can take them by invitation.
    """
    if bot:
        check_bot(bot)
    with store.writing(game=game) as reader:
        line = reader.line(game)
        info = reader.info(game)
        if not info.seats_of(user):
            raise Forbidden("You have no seat at this table.")
        if info.finished:
            raise Finished("The game is over.")
        line = _free_seats(reader, line, user, bot)
        info = reader.info(game, user)
    store.changed(line)
    return info


def _free_seats(reader: Reader, line: Line, user: User, bot: str = "") -> Line:
    """Give the seats of a user to a bot, or offer them; requests that wait for them end."""
    connection, game = reader.connection, line.id
    players = reader.info(game).seats_of(user)
    for player in players:
        if bot:
            give_to_bot(connection, game, player, bot)
        else:
            open_seat(connection, game, player)
    payload: dict[str, object] = {"players": players, "name": user.name, "bot": bot}
    return people_changed(reader, line, "leave", payload, gone=user.id)


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
    remove_programs(connection, game)
    owned = (remarks, requests, seats, notes, ratings, outbox, clocks, clock_marks, hooks)
    for table in owned:
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
        remove_programs(connection, user=user.id)
        owned = (sessions, bearers, mail_links, notes, outbox, holidays, notices, hooks, pushes)
        for table in owned:
            connection.execute(delete(table).where(table.c.user == user.id))
        for named in (remarks, requests):
            connection.execute(update(named).where(named.c.user == user.id).values(name=NOBODY))
        gone = {"name": NOBODY, "folded": None, "password": None, "deleted": True, "email": None}
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
    if info.seats_of(user) and not info.finished:
        line = _free_seats(reader, line, user)
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
