"""Lists of games."""

from __future__ import annotations

from carril.service.game_store import Reader
from carril.service.store.infos import games_of, listed_games, read_infos
from carril.service.values import GameInfo, User


def list_watchable(reader: Reader, most: int) -> list[GameInfo]:
    """Return the listed games that are being played, the latest first."""
    found = read_infos(reader.connection, listed_games(reader.connection, most), None)
    return sorted(found.values(), key=lambda game: game.updated, reverse=True)


def list_games(reader: Reader, user: User) -> list[GameInfo]:
    """Return the games that a user created or plays in, the latest first."""
    found = read_infos(reader.connection, games_of(reader.connection, user), user)
    return sorted(found.values(), key=lambda game: game.updated, reverse=True)
