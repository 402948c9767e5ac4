"""Who makes a request, and whether one of our own pages sent it.

A browser is identified by the session in an HttpOnly cookie; its changes need the CSRF token of
the session (header `X-CSRF-Token` or form field `csrf`). A program is identified by a bearer token
and needs no CSRF token.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Network
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from msgspec import Struct

from carril.service.account_store import Session, find_bearer, find_session
from carril.service.accounts import Accounts
from carril.service.asking import asking
from carril.service.blocking import Block, block_of
from carril.service.errors import BadToken, Forbidden, NotSignedIn
from carril.service.game_store import Reader
from carril.service.games import Games
from carril.service.limits import Limits
from carril.service.names import skeleton
from carril.service.settings import Rate, Settings
from carril.service.store.infos import check_visible
from carril.service.values import Scope, User

COOKIE = "carril"
CSRF_HEADER = "X-CSRF-Token"
CSRF_FIELD = "csrf"
_SAFE = ("GET", "HEAD", "OPTIONS")
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class Visitor(Struct, frozen=True):
    """The sender of a request: nobody known, a browser session, or a program."""

    user: User | None = None
    session: Session | None = None
    scope: Scope = "account"
    """What a bearer token allows; a browser session allows everything."""

    block: Block | None = None
    """Why the user may not do what they ask for."""

    @property
    def csrf(self) -> str:
        """The CSRF token for the pages of this session."""
        return self.session.csrf if self.session else ""


class Credentials(Struct, frozen=True):
    """What a request says about its sender; nothing has been looked up yet."""

    cookie: str = ""
    bearer: str | None = None
    csrf: str | None = None
    """The CSRF token that was sent; None if the request needs none."""
    changes: bool = False
    """Whether the request may change something."""

    @property
    def nobody(self) -> bool:
        """Whether nobody is signed in, not even with a wrong token."""
        return not self.cookie and self.bearer is None


async def games_of(request: Request) -> Games:
    """Return the games of the service."""
    games: Games = request.app.state.games
    return games


async def accounts_of(request: Request) -> Accounts:
    """Return the accounts of the service."""
    accounts: Accounts = request.app.state.accounts
    return accounts


def settings_of(request: Request) -> Settings:
    """Return the settings of the service."""
    settings: Settings = request.app.state.settings
    return settings


def limit(request: Request, kind: str, client: str, rate: Rate) -> None:
    """Count a request against a rate limit."""
    limits: Limits = request.app.state.limits
    limits.take(kind, client, rate)


def address(request: Request) -> str:
    """Return the address that a request came from; for IPv6, the network of a subscriber."""
    return network(request.client.host) if request.client else "unknown"


def network(host: str) -> str:
    """Return what limits by address are counted for.

    >>> network("192.0.2.7"), network("2001:db8:1:2:3:4:5:6")
    ('192.0.2.7', '2001:db8:1:2::/64')
    """
    if ":" not in host:
        return host
    try:
        return str(IPv6Network((host.partition("%")[0], 64), strict=False))
    except ValueError:
        return host


def sign_in(request: Request, accounts: Accounts, name: str, password: str) -> User:
    """Return the user with a name and password; wrong ones count against the account's limit."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    with wrong_passwords(request, skeleton(name)):
        return accounts.sign_in(name, password)


@contextmanager
def wrong_passwords(request: Request, account: str) -> Iterator[None]:
    """Limit how often a wrong password is given for an account, from any address."""
    limits: Limits = request.app.state.limits
    rate = settings_of(request).account_sign_ins
    limits.check("account", account, rate)
    try:
        yield
    except NotSignedIn:
        limits.take("account", account, rate)
        raise


async def credentials(request: Request) -> Credentials:
    """Return what a request says about its sender; refuse requests from other sites."""
    limit(request, "any", address(request), settings_of(request).reads)
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return Credentials(bearer=token.strip(), changes=request.method not in _SAFE)
    cookie = request.cookies.get(COOKIE, "")
    if request.method in _SAFE:
        return Credentials(cookie)
    _check_origin(request)
    given = request.headers.get(CSRF_HEADER) or (await _form_token(request) if cookie else "")
    return Credentials(cookie, csrf=given)


def identify(reader: Reader, given: Credentials) -> Visitor:
    """Return who sent a request; raise an error if its token is wrong.

    Every request about a table comes through here, so this is also where private tables are hidden:
    for anybody but their people there is no such game.
    """
    found = who_sent(reader, given)
    if game := asking().table:
        check_visible(reader.connection, game, found.user)
    return found


def who_sent(reader: Reader, given: Credentials) -> Visitor:
    """Return who sent a request, whatever it is about."""
    if given.bearer is not None:
        found = find_bearer(reader.connection, given.bearer)
        if found is None:
            raise NotSignedIn("This bearer token is not valid.")
        if given.changes and found[1] == "read":
            raise Forbidden("This bearer token is for reading only.")
        asking().user = found[0].id
        return Visitor(found[0], None, found[1], _block(reader, given, found[0]))
    session = find_session(reader.connection, given.cookie)
    if session is None:
        return Visitor()
    if given.csrf is not None and not _same(given.csrf, session.csrf):
        raise BadToken("This request was not sent from a page of your session. Reload the page.")
    asking().user = session.user.id
    return Visitor(session.user, session, block=_block(reader, given, session.user))


def _block(reader: Reader, given: Credentials, user: User) -> Block | None:
    """Return the block of a user who changes something; everybody may read."""
    changes = given.changes or given.csrf is not None
    return block_of(reader.connection, user.id) if changes else None


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


def visitor(request: Request, given: Annotated[Credentials, Depends(credentials)]) -> Visitor:
    """Return who sent a request, looked up in a transaction of its own."""
    games: Games = request.app.state.games
    with games.reading() as reader:
        return identify(reader, given)


async def _form_token(request: Request) -> str:
    if not request.headers.get("Content-Type", "").startswith(_FORMS):
        return ""
    return str((await request.form()).get(CSRF_FIELD, ""))


def _check_origin(request: Request) -> None:
    """Refuse requests from pages of other sites, even where there is no session yet."""
    origin = request.headers.get("Origin")
    foreign = origin and _host_of(origin) != request.headers.get("Host")
    if foreign or request.headers.get("Sec-Fetch-Site") == "cross-site":
        raise BadToken("This request comes from another site.")


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def require_user(request: Request, found: Visitor) -> User:
    """Return the user; raise NotSignedIn if there is none, or Blocked if they may change nothing.

    Changes count against their limit.
    """
    if found.user is None:
        raise NotSignedIn("Sign in first, or use an invitation link.")
    if found.block:
        raise found.block.error()
    if request.method not in _SAFE:
        limit(request, "change", found.user.id, settings_of(request).actions)
    return found.user


async def signed_in(request: Request, found: Annotated[Visitor, Depends(visitor)]) -> User:
    """Return the user; raise NotSignedIn if there is none."""
    return require_user(request, found)


async def account_holder(request: Request, found: Annotated[Visitor, Depends(visitor)]) -> Visitor:
    """Return a visitor who may change their account; raise Forbidden for a limited token."""
    require_user(request, found)
    if found.scope != "account":
        raise Forbidden('This needs a browser session, or a bearer token with the scope "account".')
    return found


def set_cookie(response: Response, request: Request, session: Session) -> None:
    """Give a browser the cookie of its session."""
    settings = settings_of(request)
    response.set_cookie(
        COOKIE,
        session.token,
        max_age=settings.session_days * 86400,
        httponly=True,
        samesite="lax",
        secure=settings.secure_cookies,
    )


def drop_cookie(response: Response) -> None:
    """Remove the session cookie from a browser."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


Given = Annotated[Credentials, Depends(credentials)]
AnyVisitor = Annotated[Visitor, Depends(visitor)]
AccountHolder = Annotated[Visitor, Depends(account_holder)]
SignedIn = Annotated[User, Depends(signed_in)]
TheGames = Annotated[Games, Depends(games_of)]
TheAccounts = Annotated[Accounts, Depends(accounts_of)]
