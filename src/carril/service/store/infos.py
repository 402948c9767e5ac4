"""Reading games as the lobby shows them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec
from sqlalchemy import Connection, Row, Select, bindparam, or_, select

from carril.engine.actions import Action, any_of
from carril.engine.events import Event
from carril.service.errors import NotFound
from carril.service.store.clocks import clocks
from carril.service.store.tables import games, lines, seats, users
from carril.service.values import GameInfo, Invitation, SeatInfo, User

_GAME = ["id", "name", "title", "edition", "variants", "conventions", "seed", "owner"]
_LINE = ["round", "acting", "last", "ended", "result", "head", "version", "heard", "updated"]
_TABLE = ["visibility", "rated", "rematch"]
_INFOS: Select[Any] = (
    select(
        *(games.c[name] for name in [*_GAME, "read_only", "notes", "created", *_TABLE]),
        *(lines.c[name] for name in _LINE),
        clocks.c.lost,
    )
    .join(lines, lines.c.id == games.c.id)
    .outerjoin(clocks, clocks.c.game == games.c.id)
    .where(games.c.id.in_(bindparam("wanted", expanding=True)))
)
_SEATS = (
    select(seats, users.c.name)
    .outerjoin(users, users.c.id == seats.c.user)
    .where(seats.c.game.in_(bindparam("wanted", expanding=True)))
    .order_by(seats.c.game, seats.c.number)
)

_READ = 8192
"""Actions and events that are kept after reading: every page shows many, most of them again."""


def read_infos(
    connection: Connection, wanted: Sequence[str], user: User | None
) -> dict[str, GameInfo]:
    """Return games by id.

    Open invitations are included for the owner of the game, and once it is played for all players.
    """
    seated = _read_seats(connection, wanted)
    return {
        row.id: _info(row, _shown(seated.get(row.id, []), row, user))
        for row in connection.execute(_INFOS, {"wanted": wanted})
    }


def games_of(connection: Connection, user: User) -> list[str]:
    """Return the games that a user created or plays in."""
    query = (
        select(games.c.id)
        .distinct()
        .outerjoin(seats, seats.c.game == games.c.id)
        .where(or_(games.c.owner == user.id, seats.c.user == user.id))
    )
    return list(connection.execute(query).scalars())


def listed_games(connection: Connection, most: int) -> list[str]:
    """Return the listed games with at least one action that are not over, the latest first."""
    query = (
        select(games.c.id)
        .join(lines, lines.c.id == games.c.id)
        .where(games.c.visibility == "public", lines.c.ended == "", lines.c.head > 0)
        .order_by(lines.c.updated.desc())
        .limit(most)
    )
    return list(connection.execute(query).scalars())


_SEEN = (
    select(games.c.owner, seats.c.user)
    .outerjoin(seats, seats.c.game == games.c.id)
    .where(games.c.id == bindparam("wanted"), games.c.visibility == "private")
)


def check_visible(connection: Connection, game: str, user: User | None) -> None:
    """Raise NotFound if a table is private and the user is not one of its people."""
    people = [one for row in connection.execute(_SEEN, {"wanted": game}) for one in row]
    if people and (user is None or user.id not in people):
        raise NotFound(f"There is no game {game!r}.")


def find_invitation(connection: Connection, token: str) -> Invitation | None:
    """Return the invitation with this token, or None."""
    query = (
        select(games.c.id, games.c.name, games.c.title, seats.c.player, seats.c.user)
        .join(seats, seats.c.game == games.c.id)
        .where(seats.c.invitation == token)
    )
    row = connection.execute(query).one_or_none()
    return Invitation(row[0], row[1], row[2], row[3], bool(row[4])) if row else None


@lru_cache(maxsize=8)
def _reader(kinds: Any) -> msgspec.json.Decoder[Any]:
    """Return a cached decoder; creating one costs more than using it."""
    return msgspec.json.Decoder(kinds)


@lru_cache(maxsize=_READ)
def read_action(data: str) -> Action | None:
    """Return an action from its JSON; None from "", the record of an end by agreement."""
    return cast("Action", _reader(any_of(Action)).decode(data)) if data else None


@lru_cache(maxsize=_READ)
def read_events(data: str) -> tuple[Event, ...]:
    """Return events from their JSON."""
    return tuple(_reader(list[any_of(Event)]).decode(data))  # type: ignore[misc]


def _read_seats(connection: Connection, wanted: Sequence[str]) -> dict[str, list[SeatInfo]]:
    found: dict[str, list[SeatInfo]] = {}
    for row in connection.execute(_SEATS, {"wanted": wanted}):
        invitation = row.invitation or ""
        seat = SeatInfo(row.player, row.kind, row.user or "", row.name or "", row.bot, invitation)
        found.setdefault(row.game, []).append(seat)
    return found


def _shown(found: Sequence[SeatInfo], row: Row[Any], user: User | None) -> tuple[SeatInfo, ...]:
    invites = user is not None and (
        row.owner == user.id or (row.head > 0 and any(s.user == user.id for s in found))
    )
    return tuple(
        s if invites and not s.user else msgspec.structs.replace(s, invitation="") for s in found
    )


def _result(text: str, lost: str | None) -> dict[str, int]:
    """Return the worth of each player, the winner first; who has lost by their time comes last."""
    found: dict[str, int] = msgspec.json.decode(text)
    if lost in found:
        found[lost] = found.pop(lost)
    return found


def _info(row: Row[Any], seated: tuple[SeatInfo, ...]) -> GameInfo:
    acting = next((seat for seat in seated if seat.player == row.acting), None)
    return GameInfo(
        id=row.id,
        name=row.name,
        title=row.title,
        edition=row.edition,
        variants=tuple(msgspec.json.decode(row.variants)),
        conventions=row.conventions,
        seed=int(row.seed),
        owner=row.owner,
        seats=seated,
        read_only=row.read_only,
        round=row.round,
        acting=row.acting,
        acting_user=acting.user if acting else "",
        last=read_events(row.last),
        finished=bool(row.ended),
        result=_result(row.result, row.lost) if row.result else None,
        head=row.head,
        version=row.version,
        heard=row.heard,
        created=row.created,
        updated=row.updated,
        notes=tuple(msgspec.json.decode(row.notes)),
        visibility=row.visibility,
        rated=row.rated,
        ended=row.ended,
        rematch=row.rematch or "",
    )
