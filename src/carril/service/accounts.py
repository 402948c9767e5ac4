"""Who somebody is: accounts with a password, guests, sessions, and tokens for programs."""

from __future__ import annotations

import secrets

from msgspec import Struct

from carril.service.errors import NotSignedIn, Taken
from carril.service.values import User


class Session(Struct, frozen=True):
    """A visit: who it is, and the token that requests from pages carry."""

    token: str
    user: User
    csrf: str


class Accounts:
    """All users of a service. In memory for now; the store takes its place."""

    def __init__(self) -> None:
        """Begin with no users."""
        self._users: dict[str, tuple[User, str]] = {}
        self._sessions: dict[str, Session] = {}
        self._bearers: dict[str, User] = {}

    def register(self, name: str, password: str) -> User:
        """Make an account."""
        if name.lower() in self._users:
            raise Taken("somebody has this name")
        user = User(secrets.token_urlsafe(6), name)
        self._users[name.lower()] = (user, password)
        return user

    def sign_in(self, name: str, password: str) -> User:
        """Return the user with this name and password."""
        found = self._users.get(name.lower())
        if not found or found[1] != password:
            raise NotSignedIn("name and password do not fit")
        return found[0]

    def guest(self, name: str) -> User:
        """Make a guest, who lives as long as his session."""
        return User(secrets.token_urlsafe(6), name, guest=True)

    def open_session(self, user: User) -> Session:
        """Begin a visit; the token goes into the cookie."""
        token = secrets.token_urlsafe(32)
        self._sessions[token] = Session(token, user, secrets.token_urlsafe(32))
        return self._sessions[token]

    def session(self, token: str) -> Session | None:
        """Return the visit of a cookie's token."""
        return self._sessions.get(token)

    def close_session(self, token: str) -> None:
        """End a visit."""
        self._sessions.pop(token, None)

    def new_bearer(self, user: User, label: str = "") -> str:
        """Return a new token with which a program acts as this user."""
        token = secrets.token_urlsafe(32)
        self._bearers[token] = user
        return token

    def by_bearer(self, token: str) -> User | None:
        """Return the user of a program's token."""
        return self._bearers.get(token)
