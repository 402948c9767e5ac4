"""Ratings of people for each title and number of players, by the Plackett-Luce model of openskill.

They follow from the finished games alone: each game, in the order in which they ended, changes the
ratings of its people. So computing them again gives the same, and an undone end is forgotten. Bots
are not rated: a game counts with the order of its people among themselves, and needs at least two,
each with one seat. The creator of a table can leave it out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from msgspec import Struct
from openskill.models import PlackettLuce
from sqlalchemy import Connection, delete, func, insert, select

from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.people.places import ranked
from carril.service.store.clocks import clocks
from carril.service.store.locks import lock_ratings
from carril.service.store.tables import games, lines, ratings, seats

_MODEL = PlackettLuce()

Pool = tuple[str, int]
"""A title and a number of players, for which ratings are comparable."""
Key = tuple[datetime, str]
"""When a game ended, and its id."""
Known = dict[str, tuple[float, float]]
"""Mean and uncertainty of each user."""


class Rating(Struct, frozen=True):
    """The rating of a person in a pool: its mean and uncertainty, and the games behind it."""

    title: str
    players: int
    mu: float
    sigma: float
    games: int

    @property
    def shown(self) -> int:
        """What a page shows: a cautious estimate, which grows as the uncertainty shrinks.

        >>> Rating("18EU", 3, 25.0, 25.0 / 3, 0).shown
        0
        """
        return round((self.mu - 3 * self.sigma) * 40)


def ratings_of(connection: Connection, user: str) -> tuple[Rating, ...]:
    """Return the latest rating of a user in each pool, by title and number of players."""
    query = select(ratings).where(ratings.c.user == user)
    found: dict[Pool, Rating] = {}
    for row in connection.execute(query.order_by(ratings.c.finished, ratings.c.game)):
        pool = (row.title, row.players)
        count = found[pool].games + 1 if pool in found else 1
        found[pool] = Rating(*pool, row.mu, row.sigma, count)
    return tuple(found[pool] for pool in sorted(found))


# --- computing -----------------------------------------------------------------------------


def is_behind(connection: Connection) -> bool:
    """Return whether a game has ended, or an end was undone, since ratings were computed."""
    return any(first is not None for first in _outdated(connection).values())


@operation
def update_ratings(store: GameStore) -> int:
    """Compute the ratings from the first game of each pool that is not rated yet.

    Return the number of games that were rated. Doing it again changes nothing.
    """
    count = 0
    with store.writing() as reader:
        lock_ratings(reader.connection)
        for pool, first in _outdated(reader.connection).items():
            if first is not None:
                count += _rate_pool(reader.connection, pool, first)
    return count


def _outdated(connection: Connection) -> dict[Pool, Key | None]:
    """Return from which game on each pool must be computed; None if it is up to date."""
    ended, rated = _ended_games(connection), _rated_games(connection)
    return {
        pool: _first_difference(ended.get(pool, []), rated.get(pool, []))
        for pool in ended.keys() | rated.keys()
    }


def _first_difference(one: Sequence[Key], other: Sequence[Key]) -> Key | None:
    """Return the first key at which two sorted lists differ.

    >>> _first_difference([1, 2, 4], [1, 3, 4]), _first_difference([1], [1])
    (2, None)
    """
    different = set(one) ^ set(other)
    return min(different) if different else None


def _ended_games(connection: Connection) -> dict[Pool, list[Key]]:
    """Return the finished games of each pool that count: with two people, each with one seat."""
    people = func.count(seats.c.user)
    query = (
        select(games.c.id, games.c.title, lines.c.updated, func.count().label("players"))
        .join(lines, lines.c.id == games.c.id)
        .join(seats, seats.c.game == games.c.id)
        .where(lines.c.ended != "", games.c.rated.is_(True), games.c.read_only.is_(False))
        .group_by(games.c.id, games.c.title, lines.c.updated)
        .having(people >= 2, people == func.count(seats.c.user.distinct()))
        .order_by(lines.c.updated, games.c.id)
    )
    return _by_pool(
        (row.title, row.players, row.updated, row.id) for row in connection.execute(query)
    )


def _rated_games(connection: Connection) -> dict[Pool, list[Key]]:
    """Return the games of each pool that are rated."""
    wanted = (ratings.c.title, ratings.c.players, ratings.c.finished, ratings.c.game)
    query = select(*wanted).distinct().order_by(ratings.c.finished, ratings.c.game)
    return _by_pool(tuple(row) for row in connection.execute(query))


def _by_pool(rows: Iterable[tuple[str, int, datetime, str]]) -> dict[Pool, list[Key]]:
    found: dict[Pool, list[Key]] = {}
    for title, players, finished, game in rows:
        found.setdefault((title, players), []).append((finished, game))
    return found


def _rate_pool(connection: Connection, pool: Pool, first: Key) -> int:
    """Rate the games of a pool from one on; return how many."""
    in_pool = (ratings.c.title == pool[0], ratings.c.players == pool[1])
    for finished, game in _rated_games(connection).get(pool, []):
        if (finished, game) >= first:
            connection.execute(delete(ratings).where(ratings.c.game == game))
    rows = select(ratings).where(*in_pool).order_by(ratings.c.finished, ratings.c.game)
    known: Known = {row.user: (row.mu, row.sigma) for row in connection.execute(rows)}
    later = [key for key in _ended_games(connection).get(pool, []) if key >= first]
    for key in later:
        made = _rate_game(connection, key[1], known)
        values = {"game": key[1], "finished": key[0], "title": pool[0], "players": pool[1]}
        connection.execute(insert(ratings), [values | one for one in made])
    return len(later)


def _rate_game(connection: Connection, game: str, known: Known) -> list[dict[str, object]]:
    """Return the places and new ratings of the people of a game, and remember them."""
    query = select(seats.c.player, seats.c.user).where(seats.c.game == game)
    seated = connection.execute(query.where(seats.c.user.is_not(None))).all()
    found = select(lines.c.result).where(lines.c.id == game)
    worth: dict[str, int] = msgspec.json.decode(connection.execute(found).scalar_one() or "{}")
    among = {row.player: worth.get(row.player, 0) for row in seated}
    lost = connection.execute(select(clocks.c.lost).where(clocks.c.game == game)).scalar()
    found_places = ranked(among, lost or "")
    ranks = [found_places[row.player] for row in seated]
    before = [known.get(row.user, (_MODEL.mu, _MODEL.sigma)) for row in seated]
    teams = [[_MODEL.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    made: list[dict[str, object]] = []
    for row, rank, (rating,) in zip(seated, ranks, after, strict=True):
        known[row.user] = (rating.mu, rating.sigma)
        made.append({"user": row.user, "place": rank, "mu": rating.mu, "sigma": rating.sigma})
    return made
