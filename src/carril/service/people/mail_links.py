"""Links sent by mail: to confirm an address, and to set a new password.

A link works once, for a limited time, and only its hash is stored. Nobody learns from an answer, or
from the time that it takes, whether an account exists.
"""

from __future__ import annotations

import secrets
from datetime import timedelta
from typing import Any, Literal

from sqlalchemy import Connection, Row, delete, func, insert, or_, select, update

from carril.service.account_store import check_exists, end_everywhere, hashed
from carril.service.clock import now
from carril.service.errors import NotFound
from carril.service.game_store import GameStore
from carril.service.names import skeleton
from carril.service.notifications.mail import enqueue
from carril.service.operations import operation
from carril.service.store.tables import mail_links, users
from carril.service.values import User

Purpose = Literal["confirm", "recover"]

LIFE: dict[Purpose, timedelta] = {"confirm": timedelta(days=3), "recover": timedelta(hours=1)}
"""How long a link works."""
MOST_OPEN = 3
"""Links for one purpose that an account can have at a time; no more mails are sent."""

_SUBJECT = {"confirm": "Confirm your mail address", "recover": "Set a new password"}
_BODY = {
    "confirm": "Somebody, probably you, gave this address for the account {name} at Carril."
    " Open this page to confirm it. If it was not you, ignore this mail.",
    "recover": "Somebody, probably you, asked for a new password for the account {name} at Carril."
    " Open this page within an hour to set one. If it was not you, ignore this mail:"
    " your password stays as it is.",
}
_CHANGED = (
    "The account {name} at Carril has a new mail address. If it was not you, set a new"
    " password, and ask the operator of the server for help."
)


@operation
def send_link(store: GameStore, user: User, purpose: Purpose, email: str) -> bool:
    """Send a link to an address, unless several are open already; return whether it was sent."""
    token, moment = secrets.token_urlsafe(32), now()
    mine = (mail_links.c.user == user.id, mail_links.c.purpose == purpose)
    with store.writing(user=user.id) as reader:
        connection = reader.connection
        check_exists(connection, user)
        connection.execute(delete(mail_links).where(mail_links.c.expires < moment))
        count = select(func.count()).select_from(mail_links).where(*mine)
        if connection.execute(count).scalar_one() >= MOST_OPEN:
            return False
        values = {"token": hashed(token), "user": user.id, "purpose": purpose, "email": email}
        connection.execute(insert(mail_links).values(**values, expires=moment + LIFE[purpose]))
        body = _BODY[purpose].format(name=user.name)
        enqueue(connection, email, _SUBJECT[purpose], body, f"/{purpose}/{token}", user=user.id)
    return True


def linked_user(store: GameStore, token: str, purpose: Purpose) -> User:
    """Return the user that a link belongs to; raise NotFound if it does not work."""
    with store.reading() as reader:
        row = _link(reader.connection, token, purpose)
        found = select(users.c.id, users.c.name, users.c.guest).where(users.c.id == row.user)
        return User(*reader.connection.execute(found).one())


def _link(connection: Connection, token: str, purpose: Purpose) -> Row[Any]:
    query = select(mail_links).where(
        mail_links.c.token == hashed(token),
        mail_links.c.purpose == purpose,
        mail_links.c.expires > now(),
    )
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("This link has been used already, or is no longer valid.")
    return row


@operation
def confirm_address(store: GameStore, user: User, link: str) -> str:
    """Make the address of a link that of its user, and return it; a former one is told."""
    with store.writing(user=user.id) as reader:
        connection = reader.connection
        check_exists(connection, user)
        email = str(_own_link(connection, user, link, "confirm").email)
        former = address_of(connection, user)
        connection.execute(update(users).where(users.c.id == user.id).values(email=email))
        _forget(connection, user, "confirm")
        if former and former != email:
            text = _CHANGED.format(name=user.name)
            enqueue(connection, former, "Your mail address was changed", text, user=user.id)
    return email


@operation
def recover_password(store: GameStore, user: User, link: str, password: str | None) -> None:
    """Store the hash of a new password; this ends all sessions, tokens and links."""
    with store.writing(user=user.id) as reader:
        connection = reader.connection
        check_exists(connection, user)
        _own_link(connection, user, link, "recover")
        connection.execute(update(users).where(users.c.id == user.id).values(password=password))
        end_everywhere(connection, user)
        _forget(connection, user, "recover")


@operation
def remove_address(store: GameStore, user: User) -> None:
    """Forget the mail address of a user, and all links that were sent to them."""
    with store.writing(user=user.id) as reader:
        check_exists(reader.connection, user)
        chosen = update(users).where(users.c.id == user.id)
        reader.connection.execute(chosen.values(email=None))
        for purpose in LIFE:
            _forget(reader.connection, user, purpose)


def _own_link(connection: Connection, user: User, token: str, purpose: Purpose) -> Row[Any]:
    row = _link(connection, token, purpose)
    if row.user != user.id:
        raise NotFound("This link has been used already, or is no longer valid.")
    return row


def _forget(connection: Connection, user: User, purpose: Purpose) -> None:
    mine = (mail_links.c.user == user.id, mail_links.c.purpose == purpose)
    connection.execute(delete(mail_links).where(*mine))


def address_of(connection: Connection, user: User) -> str:
    """Return the confirmed mail address of a user, or ""."""
    query = select(users.c.email).where(users.c.id == user.id)
    return connection.execute(query).scalar_one_or_none() or ""


def awaited_address(connection: Connection, user: User) -> str:
    """Return the address that a user has yet to confirm, or ""."""
    query = (
        select(mail_links.c.email)
        .where(mail_links.c.user == user.id, mail_links.c.purpose == "confirm")
        .where(mail_links.c.expires > now())
        .order_by(mail_links.c.expires.desc())
        .limit(1)
    )
    return connection.execute(query).scalar_one_or_none() or ""


def accounts_named(connection: Connection, text: str) -> list[tuple[User, str]]:
    """Return the accounts with a name or a confirmed address, and their addresses."""
    text = text.strip()
    query = select(users.c.id, users.c.name, users.c.email).where(
        or_(users.c.folded == skeleton(text), func.lower(users.c.email) == text.lower()),
        users.c.email.is_not(None),
        users.c.guest.is_(False),
        users.c.deleted.is_(False),
    )
    return [(User(row.id, row.name), row.email) for row in connection.execute(query)]
