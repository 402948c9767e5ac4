"""Who makes a request, and whether a page of ours made it.

A browser is known by the session in an HttpOnly cookie; what it changes needs the session's token
(header `X-CSRF-Token` or form field `csrf`). A program is known by a bearer token, and needs none.
"""

from __future__ import annotations

import secrets
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request, Response
from msgspec import Struct

from carril.service.accounts import Accounts, Session
from carril.service.errors import BadToken, NotSignedIn
from carril.service.games import Games
from carril.service.limits import Limits
from carril.service.settings import Rate, Settings
from carril.service.values import User

COOKIE = "carril"
CSRF_HEADER = "X-CSRF-Token"
CSRF_FIELD = "csrf"
_SAFE = ("GET", "HEAD", "OPTIONS")
_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")


class Visitor(Struct, frozen=True):
    """Whoever makes a request: nobody yet, a browser's session, or a program."""

    user: User | None = None
    session: Session | None = None

    @property
    def csrf(self) -> str:
        """The token that the pages of this session carry."""
        return self.session.csrf if self.session else ""


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


def limit(request: Request, kind: str, asker: str, rate: Rate) -> None:
    """Count a request against a limit."""
    limits: Limits = request.app.state.limits
    limits.take(kind, asker, rate)


def address(request: Request) -> str:
    """Return the address a request came from."""
    return request.client.host if request.client else "unknown"


def find_visitor(request: Request) -> Visitor:
    """Return who makes a request, by bearer token or cookie; nothing is checked yet."""
    limit(request, "any", address(request), settings_of(request).reads)
    accounts: Accounts = request.app.state.accounts
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        user = accounts.by_bearer(token.strip())
        if user is None:
            raise NotSignedIn("this bearer token is not known")
        return Visitor(user)
    session = accounts.session(request.cookies.get(COOKIE, ""))
    return Visitor(session.user, session) if session else Visitor()


async def visitor(request: Request, found: Annotated[Visitor, Depends(find_visitor)]) -> Visitor:
    """Return who makes a request; what a browser changes must come from a page of ours."""
    if request.method in _SAFE or (found.user and not found.session):
        return found
    _check_origin(request)
    if found.session:
        given = request.headers.get(CSRF_HEADER) or await _form_token(request)
        if not secrets.compare_digest(given.encode(), found.session.csrf.encode()):
            raise BadToken("this request does not come from a page of this session")
    return found


async def _form_token(request: Request) -> str:
    if not request.headers.get("Content-Type", "").startswith(_FORMS):
        return ""
    return str((await request.form()).get(CSRF_FIELD, ""))


def _check_origin(request: Request) -> None:
    """Refuse what another site's page sends, also where there is no session yet."""
    origin = request.headers.get("Origin")
    if origin and urlsplit(origin).netloc != request.headers.get("Host"):
        raise BadToken("this request comes from another site")
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        raise BadToken("this request comes from another site")


async def signed_in(request: Request, found: Annotated[Visitor, Depends(visitor)]) -> User:
    """Return the user; NotSignedIn if there is none. Changes are counted against his limit."""
    if found.user is None:
        raise NotSignedIn("sign in first, or follow an invitation")
    if request.method not in _SAFE:
        limit(request, "change", found.user.id, settings_of(request).actions)
    return found.user


def set_cookie(response: Response, request: Request, session: Session) -> None:
    """Give a browser its session."""
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
    """Take a browser's session away."""
    response.delete_cookie(COOKIE, httponly=True, samesite="lax")


AnyVisitor = Annotated[Visitor, Depends(visitor)]
SignedIn = Annotated[User, Depends(signed_in)]
TheGames = Annotated[Games, Depends(games_of)]
TheAccounts = Annotated[Accounts, Depends(accounts_of)]
