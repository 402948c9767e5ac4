"""Who somebody is: accounts with a password, guests, sessions, and tokens for programs.

Of tokens only a hash is kept: whoever reads the store cannot act for anybody.
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
from sqlalchemy import bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from carril.service.errors import BadRequest, NotSignedIn, Taken
from carril.service.game_store import Desk
from carril.service.joining import check_name
from carril.service.store.journal import now
from carril.service.store.tables import bearers, sessions, users
from carril.service.values import User

SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200
_HASHES_AT_ONCE = 2
"""Each takes much memory and time on purpose: so many sign-ins cannot take it all."""


_SESSION = (
    select(users.c.id, users.c.name, users.c.guest, sessions.c.csrf)
    .join(sessions, sessions.c.user == users.c.id)
    .where(sessions.c.token == bindparam("wanted"), sessions.c.expires > bindparam("now"))
)


class Session(Struct, frozen=True):
    """A visit: who it is, and the token that requests from pages carry."""

    token: str
    user: User
    csrf: str


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


class Accounts:
    """All users of a service."""

    def __init__(self, desk: Desk, session_days: int = 60) -> None:
        """Keep them in the store of the games."""
        self._database = desk.database
        self._days = session_days
        self._hasher = PasswordHasher()
        self._turn = threading.Semaphore(_HASHES_AT_ONCE)

    # --- people --------------------------------------------------------------------------

    def register(self, name: str, password: str) -> User:
        """Make an account."""
        name = check_name(name)
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            facts = {"least": SHORTEST_PASSWORD, "most": LONGEST_PASSWORD}
            raise BadRequest(f"a password has at least {SHORTEST_PASSWORD} letters", facts)
        return self._add(User(secrets.token_urlsafe(9), name), self._hash(password))

    def guest(self, name: str) -> User:
        """Make a guest: nobody can sign in as him, his session is all there is."""
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
            raise Taken("somebody has this name", {"name": user.name}) from None
        return user

    def sign_in(self, name: str, password: str) -> User:
        """Return the user with this name and password."""
        query = select(users).where(users.c.folded == " ".join(name.split()).casefold())
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        try:  # a name that is not known takes as long as a wrong password
            known = row.password if row else self._decoy
            with self._turn:
                self._hasher.verify(known, password[:LONGEST_PASSWORD])
        except (Argon2Error, InvalidHashError):
            row = None
        if row is None:
            raise NotSignedIn("name and password do not fit")
        if self._hasher.check_needs_rehash(row.password):
            fresh = update(users).where(users.c.id == row.id)
            with self._database.writing() as connection:
                connection.execute(fresh.values(password=self._hash(password)))
        return User(row.id, row.name)

    # --- browsers ------------------------------------------------------------------------

    def open_session(self, user: User) -> Session:
        """Begin a visit; the token goes into the cookie."""
        made = Session(secrets.token_urlsafe(32), user, secrets.token_urlsafe(32))
        values = {"token": _hashed(made.token), "user": user.id, "csrf": made.csrf}
        moment = now()
        expires = moment + timedelta(days=self._days)
        with self._database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.expires < moment))
            connection.execute(insert(sessions).values(**values, created=moment, expires=expires))
        return made

    def session(self, token: str) -> Session | None:
        """Return the visit of a cookie's token, unless it is over."""
        if not token:
            return None
        with self._database.reading() as connection:
            wanted = {"wanted": _hashed(token), "now": now()}
            row = connection.execute(_SESSION, wanted).one_or_none()
        return Session(token, User(row[0], row[1], row[2]), row[3]) if row else None

    def close_session(self, token: str) -> None:
        """End a visit."""
        with self._database.writing() as connection:
            connection.execute(delete(sessions).where(sessions.c.token == _hashed(token)))

    # --- programs ------------------------------------------------------------------------

    def new_bearer(self, user: User, label: str = "") -> str:
        """Return a new token with which a program acts as this user."""
        token = secrets.token_urlsafe(32)
        values = {"token": _hashed(token), "user": user.id, "label": label[:80]}
        with self._database.writing() as connection:
            connection.execute(insert(bearers).values(**values, created=now()))
        return token

    def by_bearer(self, token: str) -> User | None:
        """Return the user of a program's token."""
        query = (
            select(users.c.id, users.c.name, users.c.guest)
            .join(bearers, bearers.c.user == users.c.id)
            .where(bearers.c.token == _hashed(token))
        )
        with self._database.reading() as connection:
            row = connection.execute(query).one_or_none()
        return User(row[0], row[1], row[2]) if row else None
