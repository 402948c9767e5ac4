"""Users: accounts with a password, guests, sessions, and bearer tokens for programs.

Only hashes of tokens are stored, so reading the database does not let anybody act as a user.
"""

from __future__ import annotations

import hashlib
import secrets
import threading
from datetime import timedelta
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from carril.service.errors import BadRequest, NotSignedIn, Taken
from carril.service.game_store import GameStore
from carril.service.store.journal import now
from carril.service.store.tables import bearers, sessions, users
from carril.service.values import User

LONGEST_NAME = 40
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200
_HASHES_AT_ONCE = 2
"""Hashing is slow and memory-hungry on purpose; this keeps sign-ins from exhausting the server."""


_SESSION = (
    select(users.c.id, users.c.name, users.c.guest, sessions.c.csrf)
    .join(sessions, sessions.c.user == users.c.id)
    .where(sessions.c.token == bindparam("wanted"), sessions.c.expires > bindparam("now"))
)


_BEARER = (
    select(users.c.id, users.c.name, users.c.guest)
    .join(bearers, bearers.c.user == users.c.id)
    .where(bearers.c.token == bindparam("wanted"))
)


class Session(Struct, frozen=True):
    """A browser session: its user, and the CSRF token that requests from pages carry."""

    token: str
    user: User
    csrf: str


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def find_session(connection: Connection, token: str) -> Session | None:
    """Return the session with the token of a cookie, unless it has expired."""
    if not token:
        return None
    row = connection.execute(_SESSION, {"wanted": _hashed(token), "now": now()}).one_or_none()
    return Session(token, User(row[0], row[1], row[2]), row[3]) if row else None


def find_bearer(connection: Connection, token: str) -> User | None:
    """Return the user of a program's bearer token."""
    row = connection.execute(_BEARER, {"wanted": _hashed(token)}).one_or_none()
    return User(row[0], row[1], row[2]) if row else None


def check_name(name: str) -> str:
    """Return a user's name with normalized spaces; raise BadRequest if it is not valid."""
    name = " ".join(name.split())
    if not 1 <= len(name) <= LONGEST_NAME or not name.isprintable():
        raise BadRequest(
            f"A name must have 1 to {LONGEST_NAME} printable characters.", {"name": name[:80]}
        )
    return name


class Accounts:
    """All users of a service."""

    def __init__(self, store: GameStore, session_days: int = 60) -> None:
        """Keep the users in the database of the games."""
        self._database = store.database
        self._days = session_days
        self._hasher = PasswordHasher()
        self._turn = threading.Semaphore(_HASHES_AT_ONCE)

    # --- people --------------------------------------------------------------------------

    def register(self, name: str, password: str) -> User:
        """Create an account."""
        name = check_name(name)
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            facts = {"least": SHORTEST_PASSWORD, "most": LONGEST_PASSWORD}
            raise BadRequest(
                f"A password must have {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters.", facts
            )
        return self._add(User(secrets.token_urlsafe(9), name), self._hash(password))

    def guest(self, name: str) -> User:
        """Create a guest, who has no password: nobody can sign in as them again."""
        return self._add(User(secrets.token_urlsafe(9), check_name(name), guest=True), None)

    @cached_property
    def _decoy(self) -> str:
        return self._hash(secrets.token_hex())

    def _hash(self, password: str) -> str:
        with self._turn:
            return self._hasher.hash(password)

    def _add(self, user: User, password: str | None) -> User:
        values = {"id": user.id, "name": user.name, "guest": user.guest, "password": password}
        values["folded"] = None if user.guest else user.name.casefold()
        try:
            with self._database.writing() as connection:
                connection.execute(insert(users).values(**values, created=now()))
        except IntegrityError:
            raise Taken(
                "This name is already taken. Please choose another.", {"name": user.name}
            ) from None
        return user

    def sign_in(self, name: str, password: str) -> User:
        """Return the user with this name and password."""
        query = select(users).where(users.c.folded == " ".join(name.split()).casefold())
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        try:  # an unknown name takes as long as a wrong password
            known = row.password if row else self._decoy
            with self._turn:
                self._hasher.verify(known, password[:LONGEST_PASSWORD])
        except (Argon2Error, InvalidHashError):
            row = None
        if row is None:
            raise NotSignedIn("The name or the password is wrong.")
        if self._hasher.check_needs_rehash(row.password):
            fresh = update(users).where(users.c.id == row.id)
            with self._database.writing() as connection:
                connection.execute(fresh.values(password=self._hash(password)))
        return User(row.id, row.name)

    # --- browsers ------------------------------------------------------------------------

    def open_session(self, user: User) -> Session:
        """Start a session; its token goes into the cookie."""
        made = Session(secrets.token_urlsafe(32), user, secrets.token_urlsafe(32))
        values = {"token": _hashed(made.token), "user": user.id, "csrf": made.csrf}
        moment = now()
        expires = moment + timedelta(days=self._days)
        with self._database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires < moment))
            connection.execute(insert(sessions).values(**values, created=moment, expires=expires))
        return made

    def close_session(self, token: str) -> None:
        """End a session."""
        with self._database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.token == _hashed(token)))

    # --- programs ------------------------------------------------------------------------

    def new_bearer(self, user: User, label: str = "") -> str:
        """Return a new bearer token, with which a program acts as this user."""
        token = secrets.token_urlsafe(32)
        values = {"token": _hashed(token), "user": user.id, "label": label[:80]}
        with self._database.writing() as connection:
            connection.execute(insert(bearers).values(**values, created=now()))
        return token
