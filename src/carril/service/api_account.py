"""The API of an account: password, sessions, bearer tokens, deletion."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from carril.service import api_account_models as models
from carril.service.api_models import Credentials, UserModel
from carril.service.api_shapes import answer
from carril.service.errors import Forbidden, NotSignedIn
from carril.service.names import skeleton
from carril.service.values import User
from carril.service.visitors import (
    AccountHolder,
    TheAccounts,
    Visitor,
    address,
    drop_cookie,
    limit,
    settings_of,
    wrong_passwords,
)

router = APIRouter(tags=["account"])


def _user(who: Visitor) -> User:
    if who.user is None:
        raise NotSignedIn("Sign in first.")
    return who.user


@router.post("/tokens", response_model=models.TokenModel, status_code=201)
def new_token(body: models.NewTokenBody, accounts: TheAccounts, who: AccountHolder) -> Response:
    """Create a bearer token, with which a program acts as this user."""
    user = _user(who)
    if user.guest:
        raise Forbidden("Guests cannot create tokens. Create an account first.")
    token = accounts.new_bearer(user, body.label, body.scope, body.days)
    return answer({"token": token}, 201)


@router.get("/tokens", response_model=list[models.TokenInfoModel])
def tokens(accounts: TheAccounts, who: AccountHolder) -> Response:
    """List my bearer tokens."""
    return answer(accounts.bearers(_user(who)))


@router.delete("/tokens/{token_id}", status_code=204)
def revoke_token(token_id: str, accounts: TheAccounts, who: AccountHolder) -> Response:
    """Revoke a bearer token."""
    accounts.revoke(_user(who), token_id)
    return Response(status_code=204)


@router.get("/sessions", response_model=list[models.SessionInfoModel])
def sessions(accounts: TheAccounts, who: AccountHolder) -> Response:
    """List my browser sessions."""
    return answer(accounts.sessions(_user(who), who.session))


@router.delete("/sessions/{session_id}", status_code=204)
def end_session(session_id: str, accounts: TheAccounts, who: AccountHolder) -> Response:
    """End one of my browser sessions."""
    accounts.end_session(_user(who), session_id)
    return Response(status_code=204)


@router.delete("/sessions", status_code=204)
def end_other_sessions(accounts: TheAccounts, who: AccountHolder) -> Response:
    """End all my browser sessions but this one."""
    accounts.end_other_sessions(_user(who), who.session)
    return Response(status_code=204)


@router.post("/password", status_code=204)
def change_password(
    request: Request, body: models.NewPasswordBody, accounts: TheAccounts, who: AccountHolder
) -> Response:
    """Change my password; this ends all tokens, and all sessions but this one."""
    user = _user(who)
    with wrong_passwords(request, skeleton(user.name)):
        accounts.change_password(user, body.old, body.new, who.session)
    return Response(status_code=204)


@router.post("/account", response_model=UserModel)
def upgrade(
    request: Request, body: Credentials, accounts: TheAccounts, who: AccountHolder
) -> Response:
    """Turn a guest into an account, which keeps all games, seats and sessions."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return answer(accounts.upgrade(_user(who), body.name, body.password))


@router.post("/return", response_model=models.LinkModel, status_code=201)
def return_link(accounts: TheAccounts, who: AccountHolder) -> Response:
    """Create a link with which a guest can come back after signing out."""
    return answer({"token": accounts.return_link(_user(who))}, 201)


@router.delete("/account", status_code=204)
def delete_account(
    request: Request, body: models.PasswordBody, accounts: TheAccounts, who: AccountHolder
) -> Response:
    """Delete my account, with the games at which nobody else plays."""
    user = _user(who)
    with wrong_passwords(request, skeleton(user.name)):
        accounts.delete(user, body.password)
    response = Response(status_code=204)
    drop_cookie(response)
    return response
