"""Users, sessions and bearer tokens in the store.

Only hashes of tokens are stored, so reading the database does not let anybody act as a user.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from msgspec import Struct
from sqlalchemy import Connection, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from carril.service.errors import NotSignedIn, Taken
from carril.service.game_store import GameStore
from carril.service.operations import operation
from carril.service.store.journal import now
from carril.service.store.tables import bearers, sessions, users
from carril.service.values import User

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


def hashed(token: str) -> str:
    """Return the form in which a token is stored."""
    return hashlib.sha256(token.encode()).hexdigest()


def find_session(connection: Connection, token: str) -> Session | None:
    """Return the session with the token of a cookie, unless it has expired."""
    if not token:
        return None
    row = connection.execute(_SESSION, {"wanted": hashed(token), "now": now()}).one_or_none()
    return Session(token, User(row[0], row[1], row[2]), row[3]) if row else None


def find_bearer(connection: Connection, token: str) -> User | None:
    """Return the user of a program's bearer token."""
    row = connection.execute(_BEARER, {"wanted": hashed(token)}).one_or_none()
    return User(row[0], row[1], row[2]) if row else None


@operation
def add_user(store: GameStore, new_user: User, password: str | None) -> User:
    """Add a user with the hash of their password; raise Taken if the name is."""
    values = {"id": new_user.id, "name": new_user.name, "guest": new_user.guest}
    values["folded"] = None if new_user.guest else new_user.name.casefold()
    try:
        with store.writing() as reader:
            added = insert(users).values(**values, password=password, created=now())
            reader.connection.execute(added)
    except IntegrityError:
        raise Taken(
            "This name is already taken. Please choose another.", {"name": new_user.name}
        ) from None
    return new_user


@operation
def set_password(store: GameStore, user: User, password: str | None) -> None:
    """Store the hash of a user's password."""
    with store.writing(user=user.id) as reader:
        chosen = update(users).where(users.c.id == user.id)
        reader.connection.execute(chosen.values(password=password))


@operation
def add_session(store: GameStore, user: User, days: int) -> Session:
    """Add a session that expires after some days; its token goes into the cookie."""
    made = Session(secrets.token_urlsafe(32), user, secrets.token_urlsafe(32))
    values = {"token": hashed(made.token), "user": user.id, "csrf": made.csrf}
    moment = now()
    expires = moment + timedelta(days=days)
    with store.writing(user=user.id) as reader:
        reader.connection.execute(
            delete(sessions).where(sessions.c.user == user.id, sessions.c.expires < moment)
        )
        _check_exists(reader.connection, user)
        added = insert(sessions).values(**values, created=moment, expires=expires)
        reader.connection.execute(added)
    return made


def _check_exists(connection: Connection, user: User) -> None:
    found = select(users.c.id).where(users.c.id == user.id)
    if connection.execute(found).one_or_none() is None:
        raise NotSignedIn("This account no longer exists.")


@operation
def remove_session(store: GameStore, user: User, session: str) -> None:
    """End a session, given by its token."""
    chosen = delete(sessions).where(sessions.c.token == hashed(session))
    with store.writing(user=user.id) as reader:
        reader.connection.execute(chosen.where(sessions.c.user == user.id))


@operation
def add_bearer(store: GameStore, user: User, label: str) -> str:
    """Add a bearer token and return it; only its hash is stored."""
    token = secrets.token_urlsafe(32)
    values = {"token": hashed(token), "user": user.id, "label": label}
    with store.writing(user=user.id) as reader:
        _check_exists(reader.connection, user)
        reader.connection.execute(insert(bearers).values(**values, created=now()))
    return token
