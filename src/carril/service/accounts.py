"""Users: accounts with a password, guests, sessions, and bearer tokens for programs."""

from __future__ import annotations

import secrets
import threading
from functools import cached_property

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import select

from carril.service import account_store
from carril.service.account_store import Session
from carril.service.errors import BadRequest, NotSignedIn
from carril.service.game_store import GameStore
from carril.service.store.tables import users
from carril.service.values import User

LONGEST_NAME = 40
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 200
_HASHES_AT_ONCE = 2
"""Hashing is slow and memory-hungry on purpose; this keeps sign-ins from exhausting the server."""


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
        self._store = store
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
        new = User(secrets.token_urlsafe(9), name)
        return account_store.add_user(self._store, new, self._hash(password))

    def guest(self, name: str) -> User:
        """Create a guest, who has no password: nobody can sign in as them again."""
        new = User(secrets.token_urlsafe(9), check_name(name), guest=True)
        return account_store.add_user(self._store, new, None)

    @cached_property
    def _decoy(self) -> str:
        return self._hash(secrets.token_hex())

    def _hash(self, password: str) -> str:
        with self._turn:
            return self._hasher.hash(password)

    def sign_in(self, name: str, password: str) -> User:
        """Return the user with this name and password."""
        query = select(users).where(users.c.folded == " ".join(name.split()).casefold())
        with self._store.reading() as reader:
            row = reader.connection.execute(query).one_or_none()
        try:  # an unknown name takes as long as a wrong password
            known = row.password if row else self._decoy
            with self._turn:
                self._hasher.verify(known, password[:LONGEST_PASSWORD])
        except (Argon2Error, InvalidHashError):
            row = None
        if row is None:
            raise NotSignedIn("The name or the password is wrong.")
        user = User(row.id, row.name)
        if self._hasher.check_needs_rehash(row.password):
            account_store.set_password(self._store, user, self._hash(password))
        return user

    # --- browsers ------------------------------------------------------------------------

    def open_session(self, user: User) -> Session:
        """Start a session; its token goes into the cookie."""
        return account_store.add_session(self._store, user, self._days)

    def close_session(self, session: Session) -> None:
        """End a session."""
        account_store.remove_session(self._store, session.user, session.token)

    # --- programs ------------------------------------------------------------------------

    def new_bearer(self, user: User, label: str = "") -> str:
        """Return a new bearer token, with which a program acts as this user."""
        return account_store.add_bearer(self._store, user, label[:80])
