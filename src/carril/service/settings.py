"""How a service is set: where it keeps its games, and its limits."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Rate(Struct, frozen=True):
    """So many requests at once, and so many more each minute."""

    burst: int
    per_minute: float


class Settings(Struct, frozen=True):
    """What can be set. The defaults are fit for a table at home and for a small server."""

    database: str = "sqlite:///carril.db"
    """An SQLAlchemy URL, or a plain path for an SQLite file."""
    secure_cookies: bool = False
    """Send cookies over HTTPS only; to be set wherever there is HTTPS."""
    session_days: int = 60
    body_bytes: int = 64 << 10
    upload_bytes: int = 4 << 20
    bot_pause: float = 0.0
    """Seconds that bots wait before each action, so that people can follow."""
    bots: bool = True
    """Whether this process plays the bots' seats."""
    poll: float = 0.15
    """Seconds between two looks at an SQLite store for what other processes wrote."""
    sign_ins: Rate = Rate(10, 10)
    """Sign-ins and new accounts from one address."""
    actions: Rate = Rate(60, 300)
    """Changes by one user."""
    imports: Rate = Rate(10, 10)
    reads: Rate = Rate(600, 6000)
    """All requests from one address."""

    @property
    def url(self) -> str:
        """The database as a URL that names its driver."""
        return database_url(self.database)


def database_url(database: str) -> str:
    """Return a database as a URL that names its driver.

    >>> database_url("games.db")
    'sqlite:///games.db'
    >>> database_url("postgres://ana@example.org/carril")
    'postgresql+psycopg://ana@example.org/carril'
    """
    if database == "sqlite://":
        return database
    if "://" not in database:
        return f"sqlite:///{Path(database)}"
    scheme, rest = database.split("://", 1)
    if scheme in ("postgres", "postgresql"):
        return f"postgresql+psycopg://{rest}"
    return database
