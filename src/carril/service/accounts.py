"""Users: accounts with a password, guests, sessions, and bearer tokens for programs."""

from __future__ import annotations

import secrets
import threading
from contextlib import suppress
from functools import cached_property
from typing import Any

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError
from sqlalchemy import ColumnElement, Row, case, select

from carril.service import account_store
from carril.service.account_store import Session
from carril.service.errors import Forbidden, NotFound, NotSignedIn, TooMany
from carril.service.game_store import GameStore
from carril.service.names import clean_name, new_id, skeleton
from carril.service.notifications.mail import clean_address
from carril.service.passwords import LONGEST, check_password
from carril.service.people import mail_links
from carril.service.seats import leaving
from carril.service.store.tables import users
from carril.service.values import Scope, SessionInfo, TokenInfo, User

TOKEN_DAYS = 365
"""Days before a bearer token expires, unless others are given."""

RETURN_DAYS = 3650
"""Days before the link that lets a guest come back expires."""

_HASHES_AT_ONCE = 2
"""Hashing is slow and memory-hungry on purpose; this keeps sign-ins from exhausting the server."""


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
        name = clean_name(name)
        check_password(password, name)
        new = User(new_id(), name)
        return account_store.add_user(self._store, new, self._hash(password))

    def guest(self, name: str) -> User:
        """Create a guest, who has no password: only a return link lets them sign in again."""
        new = User(new_id(), clean_name(name), guest=True)
        return account_store.add_user(self._store, new, None)

    def upgrade(self, user: User, name: str, password: str) -> User:
        """Turn a guest into an account, which keeps their games, seats and sessions."""
        name = clean_name(name)
        check_password(password, name)
        return account_store.upgrade_guest(self._store, user, name, self._hash(password))

    def return_link(self, user: User) -> str:
        """Return the token of a link with which a guest can come back after signing out."""
        if not user.guest:
            raise Forbidden("You have an account. Sign in with your name and password.")
        return account_store.add_bearer(self._store, user, "", "return", RETURN_DAYS)

    def returning(self, token: str) -> User:
        """Return the guest that a return link belongs to."""
        with self._store.reading() as reader:
            user = account_store.find_returning(reader.connection, token)
        if user is None:
            raise NotFound("This link is not valid, or no longer.")
        return user

    @cached_property
    def _decoy(self) -> str:
        return self._hash(secrets.token_hex())

    def _hash(self, password: str) -> str:
        with self._turn:
            return self._hasher.hash(password)

    def sign_in(self, name: str, password: str) -> User:
        """Return the user with this name and password."""
        exact = " ".join(name.split()).casefold()
        row = self._check(users.c.folded.in_((exact, skeleton(name))), password, exact)
        user = User(row.id, row.name)
        if self._hasher.check_needs_rehash(row.password):
            account_store.set_password(self._store, user, self._hash(password))
        return user

    def _check(self, chosen: ColumnElement[bool], password: str, first: str = "") -> Row[Any]:
        """Return the row of a user; raise NotSignedIn if there is none or the password is wrong.

        Of several, the one with the folded name `first` is meant.
        """
        query = select(users).where(chosen).order_by(case((users.c.folded == first, 0), else_=1))
        with self._store.reading() as reader:
            row = reader.connection.execute(query.limit(1)).one_or_none()
        try:  # an unknown name takes as long as a wrong password
            known = row.password if row and row.password else self._decoy
            with self._turn:
                self._hasher.verify(known, password[:LONGEST])
        except (Argon2Error, InvalidHashError, UnicodeError):
            row = None
        if row is None:
            raise NotSignedIn("The name or the password is wrong.")
        return row

    def change_password(self, user: User, old: str, new: str, session: Session | None) -> None:
        """Change a password; this ends all tokens, and all sessions but the one that asks."""
        self._check(users.c.id == user.id, old)
        check_password(new, user.name)
        kept = session.id if session else ""
        account_store.change_password(self._store, user, self._hash(new), kept)

    def set_password(self, user: User, new: str) -> None:
        """Set a password without the old one; this ends all tokens and sessions."""
        account_store.change_password(self._store, user, self._hash(new), "")

    # --- mail addresses ------------------------------------------------------------------

    def address(self, user: User) -> tuple[str, str]:
        """Return the confirmed mail address of a user, and the one they have yet to confirm."""
        with self._store.reading() as reader:
            connection = reader.connection
            return mail_links.address_of(connection, user), mail_links.awaited_address(
                connection, user
            )

    def change_address(self, user: User, password: str, address: str) -> None:
        """Send a link to a new mail address, which counts once it is confirmed; "" removes it."""
        if not user.guest:
            self._check(users.c.id == user.id, password)
        if not address.strip():
            mail_links.remove_address(self._store, user)
        elif not mail_links.send_link(self._store, user, "confirm", clean_address(address)):
            raise TooMany("Several mails were sent already. Open the link in one of them.")

    def confirm_address(self, token: str) -> str:
        """Confirm the address that a link was sent to, and return it."""
        user = mail_links.linked_user(self._store, token, "confirm")
        return mail_links.confirm_address(self._store, user, token)

    def send_recovery(self, account: str) -> None:
        """Send a link for a new password to the accounts with a name or address, if there are any.

        Answer before this is done, so that the time shows nothing.
        """
        with self._store.reading() as reader:
            found = mail_links.accounts_named(reader.connection, account)
        for user, address in found:
            mail_links.send_link(self._store, user, "recover", address)

    def recovering(self, token: str) -> User:
        """Return the user whose password a link can set."""
        return mail_links.linked_user(self._store, token, "recover")

    def recover(self, token: str, password: str) -> User:
        """Set a new password with a link; this ends all sessions and tokens."""
        user = self.recovering(token)
        check_password(password, user.name)
        mail_links.recover_password(self._store, user, token, self._hash(password))
        return user

    def delete(self, user: User, password: str) -> None:
        """Delete an account; a guest needs no password."""
        if not user.guest:
            self._check(users.c.id == user.id, password)
        leaving.delete_account(self._store, user)

    # --- browsers ------------------------------------------------------------------------

    def open_session(self, user: User, former: Session | None = None) -> Session:
        """Start a session, whose token goes into the cookie; it replaces the former one."""
        if former:
            self.close_session(former)
        return account_store.add_session(self._store, user, self._days)

    def close_session(self, session: Session) -> None:
        """End a session."""
        with suppress(NotFound):
            account_store.remove_session(self._store, session.user, session.id)

    def sessions(self, user: User, current: Session | None) -> list[SessionInfo]:
        """Return the sessions of a user."""
        with self._store.reading() as reader:
            here = current.id if current else ""
            return account_store.list_sessions(reader.connection, user, here)

    def end_session(self, user: User, wanted: str) -> None:
        """End the session with this id."""
        account_store.remove_session(self._store, user, wanted)

    def end_other_sessions(self, user: User, current: Session | None) -> None:
        """End all sessions but the one that asks."""
        kept = current.id if current else ""
        account_store.remove_other_sessions(self._store, user, kept)

    # --- programs ------------------------------------------------------------------------

    def new_bearer(
        self, user: User, label: str = "", scope: Scope = "play", days: int = TOKEN_DAYS
    ) -> str:
        """Return a new bearer token, with which a program acts as this user."""
        return account_store.add_bearer(self._store, user, label[:80], scope, days)

    def bearers(self, user: User) -> list[TokenInfo]:
        """Return the bearer tokens of a user."""
        with self._store.reading() as reader:
            return account_store.list_bearers(reader.connection, user)

    def revoke(self, user: User, wanted: str) -> None:
        """Revoke the bearer token with this id."""
        account_store.remove_bearer(self._store, user, wanted)
