"""The page of an account: keep a guest's games, password, sessions, tokens, deletion."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from carril.page import render
from carril.page.words import Words
from carril.service.accounts import Accounts
from carril.service.errors import BadRequest, Forbidden, NotSignedIn
from carril.service.names import skeleton
from carril.service.values import Scope, User
from carril.service.visitors import (
    AccountHolder,
    AnyVisitor,
    TheAccounts,
    Visitor,
    drop_cookie,
    wrong_passwords,
)

router = APIRouter(prefix="/account", include_in_schema=False)


def _user(visitor: Visitor) -> User:
    if visitor.user is None:
        raise NotSignedIn("Sign in first.")
    return visitor.user


def _page(request: Request, visitor: Visitor, accounts: Accounts, **more: str) -> HTMLResponse:
    user = _user(visitor)
    context = render.page_context(request, visitor, Words(render.language_of(request)))
    tokens = accounts.bearers(user)
    known, awaited = accounts.address(user)
    context |= {
        "sessions": accounts.sessions(user, visitor.session),
        "tokens": [token for token in tokens if token.scope != "return"],
        "links": [token for token in tokens if token.scope == "return"],
        "address": known,
        "awaited": awaited,
        "fresh_token": "",
        "fresh_link": "",
    }
    return render.Html(render.environment().get_template("account.html").render(context | more))


@router.get("")
def account(request: Request, visitor: AnyVisitor, accounts: TheAccounts) -> Response:
    """Return the page of the account, or the front door to whoever is not signed in."""
    if visitor.user is None:
        return render.go_to(request, "/")
    return _page(request, visitor, accounts)


@router.post("/password")
def change_password(
    request: Request,
    visitor: AccountHolder,
    accounts: TheAccounts,
    old: Annotated[str, Form()],
    new: Annotated[str, Form()],
    repeated: Annotated[str, Form()],
) -> Response:
    """Change the password; this ends all tokens, and all sessions but this one."""
    user = _user(visitor)
    if new != repeated:
        raise BadRequest("The two new passwords are not the same.")
    with wrong_passwords(request, skeleton(user.name)):
        accounts.change_password(user, old, new, visitor.session)
    return render.go_to(request, "/account")


@router.post("/delete")
def delete(
    request: Request,
    visitor: AccountHolder,
    accounts: TheAccounts,
    password: Annotated[str, Form()] = "",
) -> Response:
    """Delete the account, with the games at which nobody else plays."""
    user = _user(visitor)
    with wrong_passwords(request, skeleton(user.name)):
        accounts.delete(user, password)
    response = render.go_to(request, "/")
    drop_cookie(response)
    return response


@router.post("/sessions")
def end_sessions(
    request: Request,
    visitor: AccountHolder,
    accounts: TheAccounts,
    session: Annotated[str, Form()] = "",
) -> Response:
    """End one session, or all but this one."""
    if session:
        accounts.end_session(_user(visitor), session)
    else:
        accounts.end_other_sessions(_user(visitor), visitor.session)
    return render.go_to(request, "/account")


@router.post("/tokens")
def new_token(
    request: Request,
    visitor: AccountHolder,
    accounts: TheAccounts,
    label: Annotated[str, Form()] = "",
    scope: Annotated[Scope, Form()] = "play",
) -> Response:
    """Create a bearer token and show it once."""
    user = _user(visitor)
    if user.guest or scope == "return":
        raise Forbidden("Guests cannot create tokens. Create an account first.")
    token = accounts.new_bearer(user, label, scope)
    return _page(request, visitor, accounts, fresh_token=token)


@router.post("/revoke")
def revoke(
    request: Request,
    visitor: AccountHolder,
    accounts: TheAccounts,
    token: Annotated[str, Form()],
) -> Response:
    """Revoke a bearer token, or a return link."""
    accounts.revoke(_user(visitor), token)
    return render.go_to(request, "/account")


@router.post("/link")
def link(request: Request, visitor: AccountHolder, accounts: TheAccounts) -> Response:
    """Create a link by which a guest can come back, and show it once."""
    token = accounts.return_link(_user(visitor))
    base = str(request.base_url).rstrip("/")
    return _page(request, visitor, accounts, fresh_link=f"{base}/return/{token}")
