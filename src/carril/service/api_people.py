"""The API for people and programs: accounts, sessions, invitations, tokens."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from carril.service import api_models as models
from carril.service.account_store import Session
from carril.service.api_shapes import answer
from carril.service.visitors import (
    AnyVisitor,
    TheAccounts,
    TheGames,
    address,
    drop_cookie,
    limit,
    set_cookie,
    settings_of,
)
from carril.service.visitors import sign_in as check_credentials

router = APIRouter(tags=["people"])


def _count_sign_in(request: Request) -> None:
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)


def _with_session(request: Request, session: Session, body: object, status: int = 200) -> Response:
    response = answer(body, status)
    set_cookie(response, request, session)
    return response


@router.post("/accounts", response_model=models.SessionModel, status_code=201)
def register(
    request: Request, body: models.Credentials, accounts: TheAccounts, who: AnyVisitor
) -> Response:
    """Create an account and sign in."""
    _count_sign_in(request)
    user = accounts.register(body.name, body.password)
    session = accounts.open_session(user, who.session)
    return _with_session(request, session, {"user": user, "csrf": session.csrf}, 201)


@router.post("/session", response_model=models.SessionModel)
def sign_in(
    request: Request, body: models.Credentials, accounts: TheAccounts, who: AnyVisitor
) -> Response:
    """Sign in with a name and a password; the response sets a session cookie."""
    user = check_credentials(request, accounts, body.name, body.password)
    session = accounts.open_session(user, who.session)
    return _with_session(request, session, {"user": user, "csrf": session.csrf})


@router.post("/return/{token}", response_model=models.SessionModel)
def come_back(request: Request, token: str, accounts: TheAccounts, who: AnyVisitor) -> Response:
    """Sign a guest in with the token of a return link."""
    _count_sign_in(request)
    user = accounts.returning(token)
    session = accounts.open_session(user, who.session)
    return _with_session(request, session, {"user": user, "csrf": session.csrf})


@router.get("/session", response_model=models.SessionModel)
def who_am_i(who: AnyVisitor) -> Response:
    """Return who is signed in, and the CSRF token for changes by a browser."""
    return answer({"user": who.user, "csrf": who.csrf})


@router.delete("/session", status_code=204)
def sign_out(accounts: TheAccounts, who: AnyVisitor) -> Response:
    """End the session."""
    response = Response(status_code=204)
    if who.session:
        accounts.close_session(who.session)
    drop_cookie(response)
    return response


@router.get("/invitations/{token}", response_model=models.InvitationModel)
def invitation(token: str, games: TheGames) -> Response:
    """Return the seat that an invitation offers."""
    return answer(games.invitation(token))


@router.post("/invitations/{token}", response_model=models.GameModel)
def join(
    request: Request,
    token: str,
    body: models.GuestName,
    games: TheGames,
    accounts: TheAccounts,
    who: AnyVisitor,
) -> Response:
    """Take the seat; a visitor who is not signed in becomes a guest."""
    _count_sign_in(request)
    found = games.invitation(token)
    if who.user:
        return answer(games.join(token, who.user))
    user = accounts.guest(body.name or found.player)
    game = games.join(token, user)
    return _with_session(request, accounts.open_session(user), game)
