"""The pages of mail addresses: confirming one, and setting a new password by a link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Form, Request
from fastapi.responses import HTMLResponse, Response

from carril.page import people, render
from carril.page.words import Words
from carril.service.errors import BadRequest, NotSignedIn
from carril.service.names import skeleton
from carril.service.people.api_recovery import count_recovery
from carril.service.people.mail_links import linked_user
from carril.service.visitors import (
    AccountHolder,
    AnyVisitor,
    TheAccounts,
    TheGames,
    Visitor,
    address,
    limit,
    settings_of,
    wrong_passwords,
)

router = APIRouter(include_in_schema=False)


def _page(request: Request, visitor: Visitor, **more: object) -> HTMLResponse:
    words = Words(render.language_of(request))
    context = render.page_context(request, visitor, words) | {"kind": "ask", "name": ""} | more
    return render.Html(render.environment().get_template("recover.html").render(context))


@router.get("/recover")
def forgotten(request: Request, visitor: AnyVisitor) -> HTMLResponse:
    """Return the form for a forgotten password."""
    return _page(request, visitor)


@router.post("/recover")
def ask(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    background: BackgroundTasks,
    account: Annotated[str, Form(max_length=254)],
) -> Response:
    """Send a link, if there is such an account; the page is the same if there is none."""
    count_recovery(request, account)
    background.add_task(accounts.send_recovery, account)
    response = _page(request, visitor, kind="sent")
    response.background = background
    return response


@router.get("/recover/{token}")
def new_password(
    request: Request, visitor: AnyVisitor, accounts: TheAccounts, token: str
) -> HTMLResponse:
    """Return the form for a new password."""
    return _page(request, visitor, kind="set", name=accounts.recovering(token).name)


@router.post("/recover/{token}")
def recover(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    token: str,
    password: Annotated[str, Form()],
    repeated: Annotated[str, Form()],
) -> Response:
    """Set a new password and sign in."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    if password != repeated:
        raise BadRequest("The two new passwords differ.")
    user = accounts.recover(token, password)
    return people.enter(request, Visitor(), accounts, user)


@router.get("/confirm/{token}")
def confirmation(
    request: Request, visitor: AnyVisitor, games: TheGames, token: str
) -> HTMLResponse:
    """Return the page of a link that confirms an address; only its button does so."""
    name = linked_user(games.store, token, "confirm").name
    return _page(request, visitor, kind="confirm", name=name)


@router.post("/confirm/{token}")
def confirm(request: Request, visitor: AnyVisitor, accounts: TheAccounts, token: str) -> Response:
    """Confirm a mail address."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    accounts.confirm_address(token)
    return _page(request, visitor, kind="confirmed")


@router.post("/account/address")
def change_address(
    request: Request,
    visitor: AccountHolder,
    accounts: TheAccounts,
    email: Annotated[str, Form(max_length=254)] = "",
    password: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Send a link to a new mail address, or remove the address."""
    if visitor.user is None:
        raise NotSignedIn("Sign in first.")
    with wrong_passwords(request, skeleton(visitor.user.name)):
        accounts.change_address(visitor.user, password, email)
    return render.go_to(request, "/account#address")
