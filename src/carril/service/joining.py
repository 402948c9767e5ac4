"""Putting games into the store, new or recorded, and people into their seats."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

import msgspec
from sqlalchemy import Connection, insert, update

from carril.engine.state import State
from carril.service.errors import BadRequest, NotFound, Taken
from carril.service.game_files import Record
from carril.service.game_store import Desk
from carril.service.setting_up import Laid
from carril.service.store.infos import find_invitation
from carril.service.store.journal import Draft, Line, begin_line, new_line, now, tell
from carril.service.store.snapshots import pack
from carril.service.store.tables import games, seats
from carril.service.values import GameInfo, Invitation, SeatInfo, User


def add_game(desk: Desk, user: User, name: str, laid: Laid) -> GameInfo:
    """Write a new game down."""
    acting = next((seat for seat in laid.seats if seat.player == laid.state.acting), None)
    draft = Draft(
        "start", 0, laid.state, pack(laid.state), user=user.id, bot=acting.bot if acting else ""
    )
    with desk.database.writing() as connection:
        line = _add(connection, user, name, laid, [draft])
        info = desk.info(connection, line.id, user)
    desk.changed(line)
    return info


def add_record(desk: Desk, user: User, name: str, record: Record) -> GameInfo:
    """Write a recorded game down, to be looked through."""
    seated = tuple(SeatInfo(player, "record") for player in record.first.players)
    laid = Laid(seated, record.first)
    drafts = list(_drafts(record, user))
    with desk.database.writing() as connection:
        line = _add(connection, user, name, laid, drafts, record.notes)
        return desk.info(connection, line.id, user)


def _drafts(record: Record, user: User) -> Iterator[Draft]:
    yield Draft("start", 0, record.first, pack(record.first), user=user.id)
    for number, one in enumerate(record.played, start=1):
        action = ""
        if one.action is not None:
            named = msgspec.structs.replace(one.action, by=one.by)
            action = msgspec.json.encode(named).decode()
        yield Draft(
            kind="act" if one.action else "end",
            number=number,
            state=one.state,
            snapshot=pack(one.state),
            by=one.by,
            action=action,
            events=msgspec.json.encode(one.events).decode(),
        )


def _add(
    connection: Connection,
    user: User,
    name: str,
    laid: Laid,
    drafts: list[Draft],
    notes: tuple[str, ...] | None = None,
) -> Line:
    game, moment = secrets.token_urlsafe(9), now()
    setup = laid.state.setup
    values = {
        "id": game,
        "name": name.strip()[:120] or f"{setup.title} {game[:4]}",
        "title": setup.title,
        "edition": setup.edition,
        "variants": msgspec.json.encode(setup.variants).decode(),
        "conventions": _conventions(laid.state),
        "seed": str(setup.seed),
        "owner": user.id,
        "read_only": notes is not None,
        "notes": msgspec.json.encode(notes or ()).decode(),
        "created": moment,
    }
    connection.execute(insert(games).values(**values))
    connection.execute(insert(seats), [_seat(game, n, s) for n, s in enumerate(laid.seats)])
    return begin_line(connection, new_line(game, game, "game", user.id, 0, moment), drafts)


def _conventions(state: State) -> str:
    presets = state.title.conventions.items()
    return next((name for name, one in presets if one == state.setup.conventions), "own")


def _seat(game: str, number: int, seat: SeatInfo) -> dict[str, object]:
    values = {"game": game, "number": number, "player": seat.player, "kind": seat.kind}
    return values | {
        "user": seat.user or None,
        "bot": seat.bot,
        "invitation": seat.invitation or None,
    }


def invitation(desk: Desk, token: str) -> Invitation:
    """Return what an invitation leads to."""
    with desk.database.reading() as connection:
        found = find_invitation(connection, token)
    if found is None:
        raise NotFound("there is no such invitation")
    return found


def join(desk: Desk, token: str, user: User) -> GameInfo:
    """Take the seat that an invitation offers; of two who try, one gets it."""
    found = invitation(desk, token)
    with desk.database.writing() as connection:
        changed = connection.execute(
            update(seats)
            .where(seats.c.invitation == token, seats.c.user.is_(None))
            .values(user=user.id)
        )
        info = desk.info(connection, found.game, user)
        if changed.rowcount != 1:
            if found.player in info.seats_of(user):
                return info
            raise Taken("somebody has taken this seat", {"player": found.player})
        line = desk.line(connection, found.game)
        tell(connection, line.id, "join", {"player": found.player, "name": user.name})
    desk.changed(line)
    return info


def check_name(name: str) -> str:
    """Return a name without what surrounds it; BadRequest if it cannot be one."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= 40 or not name.isprintable():
        raise BadRequest("a name has 1 to 40 letters", {"name": name[:80]})
    return name
