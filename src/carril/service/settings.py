"""The settings of a service: its database, its limits and its pace."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Rate(Struct, frozen=True):
    """A rate limit: `burst` requests at once, refilled at `per_minute`."""

    burst: int
    per_minute: float

    @classmethod
    def parse(cls, text: str) -> Rate:
        """Return the rate written as "BURST/PER_MINUTE"; raise ValueError if it is not one.

        >>> Rate.parse("60/300")
        Rate(burst=60, per_minute=300.0)
        """
        burst, _, per_minute = text.partition("/")
        rate = cls(int(burst), float(per_minute))
        if rate.burst < 1 or not 0 < rate.per_minute < float("inf"):
            raise ValueError("a rate must be positive")
        return rate

    def __str__(self) -> str:
        """Write the rate as `parse` reads it."""
        return f"{self.burst}/{self.per_minute:g}"


class Settings(Struct, frozen=True):
    """The settings of a service. The defaults suit a table at home and a small server."""

    database: str = "sqlite:///carril.db"
    """An SQLAlchemy URL, or the path of an SQLite file."""
    secure_cookies: bool = False
    """Send cookies over HTTPS only; set this wherever HTTPS is used."""
    session_days: int = 60
    """Days before a browser session expires."""
    body_bytes: int = 64 << 10
    """Largest request body."""
    upload_bytes: int = 4 << 20
    """Largest uploaded file."""
    bot_pause: float = 0.0
    """Seconds that bots wait before each action, so that people can follow."""
    bots: bool = True
    """Whether this process plays the bots' seats."""
    poll: float = 0.15
    """Seconds between polls of an SQLite database for changes by other processes."""
    sign_ins: Rate = Rate(10, 10)
    """Sign-ins and new accounts per address."""
    actions: Rate = Rate(60, 300)
    """Changes per user."""
    imports: Rate = Rate(10, 10)
    """Uploaded files per user."""
    reads: Rate = Rate(600, 6000)
    """All requests per address."""

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
