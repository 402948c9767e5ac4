"""Signing in and out, guests, and the links by which guests come back."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from carril.page import render
from carril.page.words import Words
from carril.service.accounts import Accounts
from carril.service.pleasant_names import new_name
from carril.service.values import User
from carril.service.visitors import (
    AnyVisitor,
    TheAccounts,
    TheGames,
    Visitor,
    address,
    drop_cookie,
    limit,
    set_cookie,
    settings_of,
)
from carril.service.visitors import sign_in as check_credentials

router = APIRouter(include_in_schema=False)


def new_guest(request: Request, accounts: Accounts, name: str) -> User:
    """Create a guest, with a readable name if they give none."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return accounts.guest(name.strip() or new_name())


def asks_address(request: Request, accounts: Accounts, user: User | None) -> bool:
    """Return whether a form asks for a mail address: of guests who have given none yet."""
    if not settings_of(request).smtp_host:
        return False
    return user is None or (user.guest and not any(accounts.address(user)))


def give_address(request: Request, accounts: Accounts, user: User, email: str) -> None:
    """Send a link to the address that a guest gave in a form that asks for one."""
    if email.strip() and asks_address(request, accounts, user):
        accounts.change_address(user, "", email)


def enter(
    request: Request, visitor: Visitor, accounts: Accounts, user: User, to: str = "/"
) -> Response:
    """Go to a page; whoever is not signed in yet gets a session, which replaces the former one."""
    if visitor.user is not None and visitor.user.id == user.id:
        return render.go_to(request, to)
    return _start_session(request, visitor, accounts, user, to)


def _start_session(
    request: Request, visitor: Visitor, accounts: Accounts, user: User, to: str = "/"
) -> Response:
    """Go to a page with a new session, which replaces the former one."""
    response = render.go_to(request, to)
    set_cookie(response, request, accounts.open_session(user, visitor.session))
    return response


@router.post("/guest")
def guest(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    name: Annotated[str, Form()] = "",
    to: Annotated[Literal["", "new"], Form()] = "",
) -> Response:
    """Sign in as a guest, without a password; on request, go on to the form for a new table."""
    user = new_guest(request, accounts, name)
    return enter(request, visitor, accounts, user, "/?new#new-title" if to else "/")


@router.post("/sign-in")
def sign_in(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> Response:
    """Sign in with a name and a password."""
    user = check_credentials(request, accounts, name, password)
    return _start_session(request, visitor, accounts, user)


@router.post("/sign-up")
def sign_up(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> Response:
    """Create an account and sign in; a guest becomes the account and keeps everything."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    if visitor.user and visitor.user.guest:
        accounts.upgrade(visitor.user, name, password)
        return render.go_to(request, "/")
    return enter(request, visitor, accounts, accounts.register(name.strip(), password))


@router.post("/sign-out")
def sign_out(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    games: TheGames,
    sure: Annotated[str, Form()] = "",
) -> Response:
    """Sign out; a guest with games is warned first, and gets a link that leads back to them."""
    user = visitor.user
    if user and user.guest and not sure and (count := len(games.list_for(user))):
        return _leaving(request, visitor, accounts.return_link(user), count)
    if visitor.session:
        accounts.close_session(visitor.session)
    response = render.go_to(request, "/")
    drop_cookie(response)
    return response


def _leaving(request: Request, visitor: Visitor, token: str, count: int) -> HTMLResponse:
    context = render.page_context(request, visitor, Words(render.language_of(request)))
    context |= {"link": f"{context['base']}/return/{token}", "count": count}
    return render.Html(render.environment().get_template("leaving.html").render(context))


@router.get("/return/{token}")
def welcome_back(
    request: Request, visitor: AnyVisitor, accounts: TheAccounts, token: str
) -> HTMLResponse:
    """Return the page of a return link."""
    context = render.page_context(request, visitor, Words(render.language_of(request)))
    context["name"] = accounts.returning(token).name
    return render.Html(render.environment().get_template("return.html").render(context))


@router.post("/return/{token}")
def come_back(request: Request, visitor: AnyVisitor, accounts: TheAccounts, token: str) -> Response:
    """Sign a guest in again."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return enter(request, visitor, accounts, accounts.returning(token))
