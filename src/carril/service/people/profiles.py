"""Profiles: the results and ratings of an account, without what it hides."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, cast, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select, update

from carril.service.account_store import check_exists
from carril.service.errors import BadRequest, NotFound
from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.people.places import ranked
from carril.service.people.rating import Rating, ratings_of
from carril.service.store.clocks import clocks
from carril.service.store.infos import read_infos
from carril.service.store.tables import games, lines, seats, users
from carril.service.values import GameInfo, User

RECENT = 20
"""Games that a profile lists."""

Hideable = Literal["results", "ratings", "games"]
"""What an account can hide from others."""


class TitleResult(Struct, frozen=True):
    """The finished games of a person in one title."""

    title: str
    games: int
    places: dict[int, int]
    """How often each place was reached."""
    best: int
    """The highest worth at the end of a game."""

    @property
    def won(self) -> int:
        """The number of games won, or shared at the top."""
        return self.places.get(1, 0)


class Profile(Struct, frozen=True):
    """What an account shows of itself; what is hidden is None."""

    id: str
    name: str
    since: datetime
    own: bool
    """Whether the viewer looks at their own profile, which hides nothing."""
    hidden: tuple[Hideable, ...]
    """What is hidden from others; only the account itself sees this."""
    results: tuple[TitleResult, ...] | None
    ratings: tuple[Rating, ...] | None
    games: tuple[GameInfo, ...] | None
    """The latest games that the viewer may see."""


def read_profile(connection: Connection, user_id: str, viewer: User | None) -> Profile:
    """Return the profile of an account; raise NotFound for guests and deleted accounts."""
    found = select(users).where(
        users.c.id == user_id, users.c.guest.is_(False), users.c.deleted.is_(False)
    )
    row = connection.execute(found).one_or_none()
    if row is None:
        raise NotFound("There is no such account.")
    own = viewer is not None and viewer.id == user_id
    hidden: tuple[Hideable, ...] = tuple(msgspec.json.decode(row.hidden))
    shown = {one for one in get_args(Hideable) if own or one not in hidden}
    return Profile(
        id=row.id,
        name=row.name,
        since=row.created,
        own=own,
        hidden=hidden if own else (),
        results=results_of(connection, user_id) if "results" in shown else None,
        ratings=ratings_of(connection, user_id) if "ratings" in shown else None,
        games=_recent_games(connection, user_id, viewer) if "games" in shown else None,
    )


def results_of(connection: Connection, user_id: str) -> tuple[TitleResult, ...]:
    """Return the results of a person per title, whoever else played."""
    query = (
        select(games.c.title, lines.c.result, seats.c.player, clocks.c.lost)
        .join(lines, lines.c.id == games.c.id)
        .outerjoin(clocks, clocks.c.game == games.c.id)
        .join(seats, seats.c.game == games.c.id)
        .where(seats.c.user == user_id, lines.c.ended != "", games.c.read_only.is_(False))
    )
    found: dict[str, list[tuple[int, int]]] = {}
    for row in connection.execute(query):
        found.setdefault(row.title, []).append(_result(row))
    return tuple(_title_result(title, found[title]) for title in sorted(found))


def _result(row: Any) -> tuple[int, int]:
    """Return the place and the worth of a player."""
    worth: dict[str, int] = msgspec.json.decode(row.result or "{}")
    ranks = ranked(worth, row.lost or "")
    return ranks.get(row.player, len(worth)), worth.get(row.player, 0)


def _title_result(title: str, found: list[tuple[int, int]]) -> TitleResult:
    counted: dict[int, int] = {}
    for place, _ in sorted(found):
        counted[place] = counted.get(place, 0) + 1
    return TitleResult(title, len(found), counted, max(worth for _, worth in found))


def _recent_games(
    connection: Connection, user_id: str, viewer: User | None
) -> tuple[GameInfo, ...]:
    mine = select(seats.c.game).where(seats.c.user == user_id)
    query = (
        select(games.c.id)
        .join(lines, lines.c.id == games.c.id)
        .where(games.c.id.in_(mine), games.c.read_only.is_(False))
        .order_by(lines.c.updated.desc())
        .limit(5 * RECENT)
    )
    ids = list(connection.execute(query).scalars())
    infos = read_infos(connection, ids, viewer)
    visible = [infos[one] for one in ids if _is_shown(infos[one], viewer)]
    return tuple(visible[:RECENT])


def _is_shown(info: GameInfo, viewer: User | None) -> bool:
    """Return whether a table may be listed: it is public, or the viewer is one of its people."""
    mine = viewer is not None and (info.owner == viewer.id or bool(info.seats_of(viewer)))
    return mine or info.visibility == "public"


@operation
def set_hidden(store: GameStore, user: User, hidden: tuple[str, ...]) -> None:
    """Set what an account hides from others on its profile."""
    wrong = [one for one in hidden if one not in get_args(Hideable)]
    if wrong:
        known = ", ".join(get_args(Hideable))
        raise BadRequest(f"{wrong[0][:40]!r} cannot be hidden. Choose from: {known}.")
    kept = cast("list[Hideable]", sorted(set(hidden)))
    with store.writing(user=user.id) as reader:
        check_exists(reader.connection, user)
        chosen = update(users).where(users.c.id == user.id)
        text = msgspec.json.encode(kept).decode()
        reader.connection.execute(chosen.values(hidden=text))
