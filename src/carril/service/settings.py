"""The settings of a service: its database, its limits and its pace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

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


class Setting(Struct, frozen=True):
    """What a setting means, and the range of its values."""

    about: str
    least: float = 0
    most: float = float("inf")


class Settings(Struct, frozen=True):
    """The settings of a service. The defaults suit a table at home and a small server.

    This is the only list of settings: options, variables and keys of files come from it.
    """

    database: Annotated[
        str, Setting("an SQLite file, or a URL such as `postgresql://user:password@host/carril`")
    ] = "carril.db"
    host: Annotated[str, Setting("the address to listen on; `0.0.0.0` for all")] = "127.0.0.1"
    port: Annotated[int, Setting("the port to listen on; `0` for any free port", most=65535)] = 8018
    api_only: Annotated[bool, Setting("serve the JSON API without pages")] = False
    secure_cookies: Annotated[
        bool, Setting("send cookies over HTTPS only; turn it on wherever HTTPS is used")
    ] = False
    hsts_days: Annotated[
        int, Setting("days for which browsers use HTTPS only (HSTS); `0` for not at all")
    ] = 0
    proxies: Annotated[
        str,
        Setting("addresses of reverse proxies, with commas; only their `X-Forwarded-For` counts"),
    ] = ""
    session_days: Annotated[int, Setting("days before a browser session expires", least=1)] = 60
    body_bytes: Annotated[int, Setting("largest request body", least=1024)] = 64 << 10
    upload_bytes: Annotated[int, Setting("largest uploaded file", least=1024)] = 4 << 20
    stored_positions: Annotated[
        int, Setting("positions that a user may store, each about 2.5 kB", least=100)
    ] = 200_000
    workers: Annotated[int, Setting("processes that answer requests", least=1, most=64)] = 1
    job_processes: Annotated[
        int,
        Setting("processes for long work, for each that answers requests", least=1, most=64),
    ] = 2
    job_seconds: Annotated[
        float, Setting("seconds that a search, an import or another job may take", least=1)
    ] = 30.0
    job_megabytes: Annotated[
        int, Setting("address space of a process for long work, in megabytes", least=300)
    ] = 1500
    metrics_port: Annotated[
        int,
        Setting(
            "port for metrics, on `127.0.0.1`; further workers use the next ones; `0` for none",
            most=65535,
        ),
    ] = 0
    bots: Annotated[bool, Setting("whether this process plays the bots' seats")] = True
    bot_pause: Annotated[
        float, Setting("seconds that bots wait before each action, so that people can follow")
    ] = 0.0
    poll: Annotated[
        float,
        Setting("seconds between polls of an SQLite database for changes by others", least=0.01),
    ] = 0.15
    verify_hours: Annotated[
        float, Setting("hours in which all games are verified once; `0` for never")
    ] = 24.0
    sign_ins: Annotated[Rate, Setting("rate limit for sign-ins and new accounts, per address")] = (
        Rate(10, 10)
    )
    account_sign_ins: Annotated[Rate, Setting("rate limit for wrong passwords, per account")] = (
        Rate(20, 2)
    )
    actions: Annotated[Rate, Setting("rate limit for changes, per user")] = Rate(60, 300)
    imports: Annotated[Rate, Setting("rate limit for uploaded files, per user")] = Rate(10, 10)
    reads: Annotated[Rate, Setting("rate limit for all requests, per address")] = Rate(600, 6000)
    connections: Annotated[int, Setting("open connections", least=10)] = 2000
    address_connections: Annotated[int, Setting("open connections per address", least=2)] = 200
    streams: Annotated[int, Setting("streams of live updates", least=1)] = 1500
    address_streams: Annotated[int, Setting("streams of live updates per address", least=1)] = 150
    header_seconds: Annotated[
        float, Setting("seconds in which the header of a request must arrive", least=0.1)
    ] = 10.0
    body_seconds: Annotated[
        float, Setting("seconds in which the body of a request must arrive", least=0.1)
    ] = 60.0
    public_url: Annotated[
        str,
        Setting("address of the service in mails and other messages; by default host and port"),
    ] = ""
    notify: Annotated[bool, Setting("whether this process sends mails and other messages")] = True
    timers: Annotated[
        bool, Setting("whether this process acts when the time of a player is over")
    ] = True
    smtp_host: Annotated[
        str, Setting("the SMTP server that takes mails; without it none are sent")
    ] = ""
    smtp_port: Annotated[int, Setting("the port of the SMTP server", least=1, most=65535)] = 587
    smtp_user: Annotated[
        str, Setting("the user name at the SMTP server; without it none is given")
    ] = ""
    smtp_password: Annotated[str, Setting("the password at the SMTP server")] = ""
    smtp_security: Annotated[
        Literal["starttls", "tls", "none"],
        Setting("how the connection to the SMTP server is protected: `starttls`, `tls` or `none`"),
    ] = "starttls"
    mail_from: Annotated[str, Setting("the sender of mails")] = "Carril <carril@localhost>"
    private_hooks: Annotated[
        bool,
        Setting("let web-hooks and push messages reach private addresses and use plain HTTP"),
    ] = False
    access_log: Annotated[bool, Setting("log every request, not only those that fail")] = False
    log_format: Annotated[
        Literal["text", "json"], Setting("form of log lines: `text` or `json`")
    ] = "text"

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
