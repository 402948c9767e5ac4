"""The pages of clocks and messages: pauses, holidays, how I am told, the end of mails."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any
from zoneinfo import available_timezones

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy import select

from carril.page import render
from carril.page.words import Words
from carril.service.clock import now
from carril.service.errors import BadRequest, NotSignedIn
from carril.service.fields import Number
from carril.service.games import Games
from carril.service.notifications import choices
from carril.service.notifications.safe_post import check_address
from carril.service.notifications.web_push import public_key
from carril.service.store.notices import HookKind, Mails, Notices, hooks_of, notices_of, pushes_of
from carril.service.store.tables import users
from carril.service.table_clocks.holidays import (
    DAYS_A_YEAR,
    add_holiday,
    days_taken,
    holidays_of,
    remove_holiday,
)
from carril.service.values import Proposal, User
from carril.service.visitors import (
    AccountHolder,
    AnyVisitor,
    SignedIn,
    TheGames,
    Visitor,
    settings_of,
)

router = APIRouter(include_in_schema=False)

_PAGE = "/account/messages"


# --- pauses ------------------------------------------------------------------------------------


@router.post("/table/{game}/pause")
def pause(
    request: Request,
    game: str,
    games: TheGames,
    user: SignedIn,
    until: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    """Ask the others to pause the clock, until a date or until somebody resumes."""
    games.propose(game, user, Proposal("pause", about={"until": until}))
    return render.go_to(request, f"/table/{game}")


@router.post("/table/{game}/resume")
def resume(request: Request, game: str, games: TheGames, user: SignedIn) -> Response:
    """Let the clock run again."""
    games.resume(game, user)
    return render.go_to(request, f"/table/{game}")


# --- messages and holidays -----------------------------------------------------------------------


def _user(visitor: Visitor) -> User:
    if visitor.user is None:
        raise NotSignedIn("Sign in first.")
    return visitor.user


@router.get(_PAGE)
def messages(request: Request, visitor: AnyVisitor, games: TheGames) -> Response:
    """Return the page on which users choose how they are told, and take holidays."""
    if visitor.user is None:
        return render.go_to(request, "/")
    context = render.page_context(request, visitor, Words(render.language_of(request)))
    context |= _context(games, visitor.user)
    context["can_mail"] = bool(settings_of(request).smtp_host)
    return render.Html(render.environment().get_template("messages.html").render(context))


def _context(games: Games, user: User) -> dict[str, Any]:
    key = public_key(choices.push_private_key(games.store))
    with games.reading() as reader:
        connection = reader.connection
        taken = holidays_of(connection, user.id)
        address = select(users.c.email).where(users.c.id == user.id)
        return {
            "chosen": notices_of(connection, user.id),
            "address": connection.execute(address).scalar() or "",
            "hooks": hooks_of(connection, user.id),
            "browsers": len(pushes_of(connection, user.id)),
            "push_key": key,
            "holidays": [one for one in taken if one.ends > now()],
            "days_left": DAYS_A_YEAR - days_taken(taken)[now().year],
            "most_days": DAYS_A_YEAR,
            "zones": sorted(available_timezones()),
        }


@router.post(f"{_PAGE}/choices")
def choose(
    request: Request,
    visitor: AccountHolder,
    games: TheGames,
    mails: Annotated[Mails, Form()],
    zone: Annotated[str, Form(max_length=40)],
    digest_hour: Annotated[int, Form(ge=0, le=23)],
    quiet_from: Annotated[str, Form(max_length=2)] = "",
    quiet_to: Annotated[str, Form(max_length=2)] = "",
    delay: Annotated[int, Form(ge=0, le=3600)] = 0,
) -> Response:
    """Store how a user is told."""
    quiet = (_hour(quiet_from), _hour(quiet_to))
    chosen = Notices(mails, True, zone, digest_hour, *quiet, delay)
    choices.set_notices(games.store, _user(visitor), chosen)
    return render.go_to(request, _PAGE)


def _hour(text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdecimal():
        raise BadRequest("An hour is a number from 0 to 23.")
    return int(text)


@router.post(f"{_PAGE}/hooks")
def new_hook(
    request: Request,
    visitor: AccountHolder,
    games: TheGames,
    kind: Annotated[HookKind, Form()],
    url: Annotated[str, Form(max_length=1000)],
    game: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    """Add a web-hook for my turns, or for all turns at a table."""
    checked = check_address(url, private=settings_of(request).private_hooks)
    choices.add_hook(games.store, _user(visitor), kind, checked, game or None)
    return render.go_to(request, _hooks_of(game))


@router.post(f"{_PAGE}/hooks/remove")
def remove_hook(
    request: Request,
    visitor: AccountHolder,
    games: TheGames,
    hook: Annotated[str, Form()],
    game: Annotated[str, Form(max_length=40)] = "",
) -> Response:
    """Remove a web-hook."""
    choices.remove_hook(games.store, _user(visitor), hook)
    return render.go_to(request, _hooks_of(game))


def _hooks_of(game: str) -> str:
    """Return the page that lists the web-hooks of a table, or those of a user."""
    return f"/table/{game}/people" if game else _PAGE


@router.post(f"{_PAGE}/holidays")
def new_holiday(
    request: Request,
    visitor: AccountHolder,
    games: TheGames,
    first: Annotated[date, Form()],
    last: Annotated[date, Form()],
) -> Response:
    """Take days off."""
    user = _user(visitor)
    with games.reading() as reader:
        zone = notices_of(reader.connection, user.id).zone
    add_holiday(games.store, user, first, last, zone)
    return render.go_to(request, _PAGE)


@router.post(f"{_PAGE}/holidays/remove")
def end_holiday(
    request: Request, visitor: AccountHolder, games: TheGames, holiday: Annotated[Number, Form()]
) -> Response:
    """Cancel a holiday, or end it now."""
    remove_holiday(games.store, _user(visitor), holiday)
    return render.go_to(request, _PAGE)


# --- the end of mails ----------------------------------------------------------------------------


@router.get("/mails/stop/{stop}")
def ask_stop(request: Request, visitor: AnyVisitor, stop: str) -> HTMLResponse:
    """Return the page that ends mails; a mail program that opens the link changes nothing."""
    context = render.page_context(request, visitor, Words(render.language_of(request)))
    context |= {"stop": stop, "done": False}
    return render.Html(render.environment().get_template("stop_mails.html").render(context))


@router.post("/mails/stop/{stop}")
def stop_mails(request: Request, games: TheGames, stop: str) -> HTMLResponse:
    """End the mails about turns, also for a mail program (RFC 8058), which is not signed in."""
    choices.stop_mails(games.store, stop)
    context = render.page_context(request, Visitor(), Words(render.language_of(request)))
    context |= {"stop": stop, "done": True}
    return render.Html(render.environment().get_template("stop_mails.html").render(context))


@router.get("/worker.js")
def worker() -> Response:
    """Return the script that shows push messages while no page is open."""
    text = (render.STATIC / "worker.js").read_text("utf-8")
    return Response(text, media_type="text/javascript", headers={"Cache-Control": "no-cache"})
