"""Users, sessions and bearer tokens in the store.

Only hashes of tokens are stored, so reading the database does not let anybody act as a user. The
beginning of a hash identifies a token or session in lists.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from msgspec import Struct
from sqlalchemy import Connection, Table, bindparam, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from carril.service.blocking import check_not_blocked
from carril.service.errors import Forbidden, NotFound, NotSignedIn, Taken
from carril.service.game_store import GameStore
from carril.service.names import skeleton
from carril.service.operations import operation
from carril.service.store.journal import now
from carril.service.store.tables import bearers, sessions, users
from carril.service.values import Scope, SessionInfo, TokenInfo, User

_ID = 16
_SESSION = (
    select(users.c.id, users.c.name, users.c.guest, sessions.c.csrf)
    .join(sessions, sessions.c.user == users.c.id)
    .where(sessions.c.token == bindparam("wanted"), sessions.c.expires > bindparam("now"))
)
_BEARER = (
    select(users.c.id, users.c.name, users.c.guest, bearers.c.scope)
    .join(bearers, bearers.c.user == users.c.id)
    .where(bearers.c.token == bindparam("wanted"))
    .where(or_(bearers.c.expires.is_(None), bearers.c.expires > bindparam("now")))
)


class Session(Struct, frozen=True):
    """A browser session: its user, and the CSRF token that requests from pages carry."""

    token: str
    user: User
    csrf: str

    @property
    def id(self) -> str:
        """What identifies the session in lists."""
        return hashed(self.token)[:_ID]


def hashed(token: str) -> str:
    """Return the form in which a token is stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


# --- reading -------------------------------------------------------------------------------


def find_session(connection: Connection, token: str) -> Session | None:
    """Return the session with the token of a cookie, unless it has expired."""
    if not token:
        return None
    row = connection.execute(_SESSION, {"wanted": hashed(token), "now": now()}).one_or_none()
    return Session(token, User(row[0], row[1], row[2]), row[3]) if row else None


def find_bearer(connection: Connection, token: str) -> tuple[User, Scope] | None:
    """Return the user and the scope of a bearer token, unless it has expired."""
    user, scope = _bearer(connection, token)
    return (user, scope) if user and scope != "return" else None


def find_returning(connection: Connection, token: str) -> User | None:
    """Return the user that the token of a return link belongs to, unless it has expired."""
    user, scope = _bearer(connection, token)
    return user if scope == "return" else None


def _bearer(connection: Connection, token: str) -> tuple[User | None, Scope]:
    row = connection.execute(_BEARER, {"wanted": hashed(token), "now": now()}).one_or_none()
    return (User(row[0], row[1], row[2]), row[3]) if row else (None, "read")


def list_sessions(connection: Connection, user: User, current: str) -> list[SessionInfo]:
    """Return the sessions of a user; `current` is the id of the one that asks."""
    query = select(sessions).where(sessions.c.user == user.id, sessions.c.expires > now())
    return [
        SessionInfo(row.token[:_ID], row.created, row.expires, row.token[:_ID] == current)
        for row in connection.execute(query.order_by(sessions.c.created))
    ]


def list_bearers(connection: Connection, user: User) -> list[TokenInfo]:
    """Return the bearer tokens of a user, including those that have expired."""
    query = select(bearers).where(bearers.c.user == user.id).order_by(bearers.c.created)
    return [
        TokenInfo(row.token[:_ID], row.label, row.scope, row.created, row.expires)
        for row in connection.execute(query)
    ]


# --- writing -------------------------------------------------------------------------------


@operation
def add_user(store: GameStore, new_user: User, password: str | None) -> User:
    """Add a user with the hash of their password; raise Taken if an account has such a name."""
    folded = skeleton(new_user.name)
    values = {"id": new_user.id, "name": new_user.name, "guest": new_user.guest}
    values |= {"folded": None if new_user.guest else folded, "password": password}
    taken = Taken("This name is already taken. Please choose another.", {"name": new_user.name})
    try:
        with store.writing() as reader:
            known = select(users.c.id).where(users.c.folded == folded)
            if reader.connection.execute(known).one_or_none():
                raise taken
            reader.connection.execute(insert(users).values(**values, created=now()))
    except IntegrityError:
        raise taken from None
    return new_user


@operation
def upgrade_guest(store: GameStore, user: User, new_name: str, password: str | None) -> User:
    """Turn a guest into an account, which keeps everything; their return links end."""
    folded = skeleton(new_name)
    taken = Taken("This name is already taken. Please choose another.", {"name": new_name})
    try:
        with store.writing(user=user.id) as reader:
            check_exists(reader.connection, user)
            mine = users.c.id == user.id
            guest = select(users.c.id).where(mine, users.c.guest.is_(True))
            if reader.connection.execute(guest).one_or_none() is None:
                raise Forbidden("You already have an account.")
            known = select(users.c.id).where(users.c.folded == folded)
            if reader.connection.execute(known).one_or_none():
                raise taken
            values = {"name": new_name, "folded": folded, "password": password, "guest": False}
            reader.connection.execute(update(users).where(mine).values(**values))
            links = delete(bearers).where(bearers.c.user == user.id, bearers.c.scope == "return")
            reader.connection.execute(links)
    except IntegrityError:
        raise taken from None
    return User(user.id, new_name)


@operation
def set_password(store: GameStore, user: User, password: str | None) -> None:
    """Store the hash of a user's password."""
    with store.writing(user=user.id) as reader:
        check_exists(reader.connection, user)
        chosen = update(users).where(users.c.id == user.id)
        reader.connection.execute(chosen.values(password=password))


@operation
def change_password(store: GameStore, user: User, password: str | None, session_id: str) -> None:
    """Store the hash of a new password; end all tokens, and all sessions but one."""
    with store.writing(user=user.id) as reader:
        check_exists(reader.connection, user)
        chosen = update(users).where(users.c.id == user.id)
        reader.connection.execute(chosen.values(password=password))
        end_everywhere(reader.connection, user, session_id)


@operation
def add_session(store: GameStore, user: User, days: int) -> Session:
    """Add a session that expires after some days; its token goes into the cookie."""
    made = Session(secrets.token_urlsafe(32), user, secrets.token_urlsafe(32))
    values = {"token": hashed(made.token), "user": user.id, "csrf": made.csrf}
    moment = now()
    expires = moment + timedelta(days=days)
    with store.writing(user=user.id) as reader:
        check_may_act(reader.connection, user)
        over = delete(sessions).where(sessions.c.user == user.id, sessions.c.expires < moment)
        reader.connection.execute(over)
        added = insert(sessions).values(**values, created=moment, expires=expires)
        reader.connection.execute(added)
    return made


@operation
def remove_session(store: GameStore, user: User, session_id: str) -> None:
    """End a session; raise NotFound if the user has no such session."""
    with store.writing(user=user.id) as reader:
        _remove(reader.connection, sessions, user, session_id)


@operation
def remove_other_sessions(store: GameStore, user: User, session_id: str) -> None:
    """End all sessions of a user but one."""
    with store.writing(user=user.id) as reader:
        _end(reader.connection, sessions, user, but=session_id)


@operation
def add_bearer(store: GameStore, user: User, label: str, scope: Scope, days: int) -> str:
    """Add a bearer token that expires after some days and return it."""
    token, moment = secrets.token_urlsafe(32), now()
    values = {"token": hashed(token), "user": user.id, "label": label, "scope": scope}
    expires = moment + timedelta(days=days)
    with store.writing(user=user.id) as reader:
        check_may_act(reader.connection, user)
        added = insert(bearers).values(**values, created=moment, expires=expires)
        reader.connection.execute(added)
    return token


@operation
def remove_bearer(store: GameStore, user: User, bearer_id: str) -> None:
    """Revoke a bearer token; raise NotFound if the user has no such token."""
    with store.writing(user=user.id) as reader:
        _remove(reader.connection, bearers, user, bearer_id)


def check_may_act(connection: Connection, user: User) -> None:
    """Raise NotSignedIn if an account has been deleted, or Blocked."""
    check_exists(connection, user)
    check_not_blocked(connection, user.id)


def check_exists(connection: Connection, user: User) -> None:
    """Raise NotSignedIn if an account has been deleted."""
    found = select(users.c.id).where(users.c.id == user.id, users.c.deleted.is_(False))
    if connection.execute(found).one_or_none() is None:
        raise NotSignedIn("This account no longer exists.")


def end_everywhere(connection: Connection, user: User, but: str = "") -> None:
    """End all tokens of a user, and all sessions but one."""
    _end(connection, bearers, user)
    _end(connection, sessions, user, but=but)


def _end(connection: Connection, table: Table, user: User, but: str = "") -> None:
    chosen = delete(table).where(table.c.user == user.id)
    connection.execute(chosen.where(table.c.token.not_like(f"{but}%")) if but else chosen)


def _remove(connection: Connection, table: Table, user: User, wanted: str) -> None:
    found = select(table.c.token).where(table.c.user == user.id)
    tokens = [token for token in connection.execute(found).scalars() if token[:_ID] == wanted]
    if not tokens:
        raise NotFound("There is no such session or token.")
    connection.execute(delete(table).where(table.c.token.in_(tokens)))
