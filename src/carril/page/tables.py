"""Lists of tables to join or watch, search, and the profiles of people."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, Response

from carril.engine.registry import listed_titles
from carril.page import render
from carril.page.words import Words
from carril.service.people import finding, profiles
from carril.service.people.api_profiles import Page, Text, read_profile
from carril.service.people.finding import Found, Status
from carril.service.setting_up import is_open_seat_name
from carril.service.values import GameInfo, SeatInfo, User
from carril.service.visitors import AnyVisitor, Given, SignedIn, TheGames, identify

router = APIRouter(include_in_schema=False)

STATUSES = ("open", "running", "finished")
_MOST_PLAYERS = 6


@router.get("/tables")
def tables(
    request: Request,
    given: Given,
    games: TheGames,
    status: Status = "open",
    title: Annotated[str, Query(max_length=40)] = "",
    players: Annotated[str, Query(max_length=2, pattern="^[0-9]*$")] = "",
    search: Text = "",
    page: Page = 1,
) -> HTMLResponse:
    """Return the page of tables: those with open seats, those that are played, finished ones."""
    query = finding.Query(status, title, int(players or 0), search, page)
    with games.reading() as reader:
        visitor = identify(reader, given)
        found = finding.find_tables(reader.connection, visitor.user, query)
        people = finding.find_people(reader.connection, search)
    words = Words(render.language_of(request))
    chosen = {"title": title, "players": players, "search": search}
    context = render.page_context(request, visitor, words) | {
        "found": table_rows(words, found, visitor.user),
        "people": people,
        "titles": [one.name for one in listed_titles()],
        "counts": range(2, _MOST_PLAYERS + 1),
        "statuses": {one: _address(chosen, status=one) for one in STATUSES},
        "query": query,
        "earlier": _address(chosen, status=status, page=page - 1) if page > 1 else "",
        "later": _address(chosen, status=status, page=page + 1) if found.more else "",
    }
    return render.Html(render.environment().get_template("tables.html").render(context))


def _address(chosen: dict[str, str], **more: object) -> str:
    query = {key: value for key, value in (chosen | more).items() if value}
    return f"/tables?{urlencode(query)}"


def table_rows(words: Words, found: Found, user: User | None) -> list[dict[str, Any]]:
    """Return what a list shows of each table."""
    return [table_row(words, info, user) for info in found.tables]


def table_row(words: Words, info: GameInfo, user: User | None) -> dict[str, Any]:
    """Return what a list shows of a table."""
    free = [seat for seat in info.seats if seat.kind == "person" and not seat.user]
    mine = bool(info.seats_of(user))
    result = info.result or {}
    top = next(iter(result.values()), 0)
    best = ", ".join(player for player, worth in result.items() if worth == top)
    return {
        "id": info.id,
        "name": info.name,
        "title": info.title,
        "round": info.round,
        "count": len(info.seats),
        "players": [_name(words, seat) for seat in info.seats if seat not in free],
        "free": len(free),
        "join": bool(free) and not mine and info.visibility == "public" and not info.finished,
        "mine": mine,
        "private": info.visibility == "private",
        "finished": info.finished,
        "winner": best,
        "when": info.updated,
    }


def _name(words: Words, seat: SeatInfo) -> str:
    """Return who plays a seat, by the name of the person if the seat has none of its own."""
    if seat.kind == "bot":
        return words.say("seat.bot", name=seat.player)
    made_up = is_open_seat_name(seat.player)
    return seat.user_name if made_up and seat.user_name else seat.player


@router.get("/people/{user_id}")
def profile(request: Request, visitor: AnyVisitor, games: TheGames, user_id: str) -> HTMLResponse:
    """Return the profile of an account."""
    found = read_profile(games, user_id, visitor.user)
    words = Words(render.language_of(request))
    context = render.page_context(request, visitor, words) | {
        "profile": found,
        "rows": [table_row(words, info, visitor.user) for info in found.games or ()],
        "hideable": ("results", "ratings", "games"),
    }
    return render.Html(render.environment().get_template("profile.html").render(context))


@router.post("/profile")
def hide(
    request: Request,
    user: SignedIn,
    games: TheGames,
    shown: Annotated[list[str] | None, Form()] = None,
) -> Response:
    """Set what the user's profile shows to others."""
    kept = set(shown or ())
    hidden = tuple(one for one in ("results", "ratings", "games") if one not in kept)
    profiles.set_hidden(games.store, user, hidden)
    return render.go_to(request, f"/people/{user.id}")
