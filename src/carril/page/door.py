"""The front door: what there is to play, to watch and to read, before anybody signs in."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import Response

from carril.draw import draw_map
from carril.engine.board import Board
from carril.engine.figures import SetupDef
from carril.engine.registry import TITLES, listed_titles, title_named
from carril.engine.setups import player_counts
from carril.engine.title import Title
from carril.page import people, render
from carril.page.words import Words
from carril.service.errors import NotFound
from carril.service.opponents import default_bot
from carril.service.pleasant_names import new_name
from carril.service.values import GameInfo, NewGame, Seat
from carril.service.visitors import AnyVisitor, TheAccounts, TheGames

router = APIRouter(include_in_schema=False)

_PLAYERS = 3
"""Players of a quick game, if the title allows it."""
_DAY = "public, max-age=86400"


def door_context(request: Request, public: list[GameInfo]) -> dict[str, Any]:
    """Return the template variables of the front door, with the games that can be watched."""
    words = Words(render.language_of(request))
    return {
        "offers": [_offer(words, title) for title in listed_titles()],
        "watch": [
            {
                "id": one.id,
                "name": one.name,
                "title": one.title,
                "round": one.round,
                "players": [seat.user_name or seat.player for seat in one.seats],
            }
            for one in public
        ],
        "suggested": new_name(),
    }


def _offer(words: Words, title: Title) -> dict[str, Any]:
    counts = player_counts(title)
    line = f"about.{title.name}"
    return {
        "name": title.name,
        "line": words.say(line) if words.has(line) else "",
        "least": min(counts),
        "most": max(counts),
    }


@router.get("/picture/{title}.svg")
def picture(title: str) -> Response:
    """Return a picture of a title's map."""
    if title not in TITLES:
        raise NotFound(f"There is no title {title!r}.")
    return Response(_map_of(title), media_type="image/svg+xml", headers={"Cache-Control": _DAY})


@cache
def _map_of(title: str) -> str:
    return draw_map(title_named(title).tables, Board(), coordinates=False)


@router.post("/play")
def play(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    games: TheGames,
    title: Annotated[str, Form()],
    name: Annotated[str, Form()] = "",
) -> Response:
    """Start a game against bots at once; a visitor without an account becomes a guest."""
    setup = _quick_setup(title)
    user = visitor.user or people.new_guest(request, accounts, name)
    bots = tuple(Seat("bot", bot=default_bot()) for _ in range(setup.players - 1))
    wanted = NewGame(title, (Seat("me"), *bots), variants=setup.variants, visibility="public")
    made = games.create(user, wanted)
    return people.enter(request, visitor, accounts, user, f"/table/{made.id}")


@router.post("/watch")
def watch(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    games: TheGames,
    title: Annotated[str, Form()],
) -> Response:
    """Start a game among bots, to be watched."""
    setup = _quick_setup(title)
    user = visitor.user or people.new_guest(request, accounts, "")
    bots = tuple(Seat("bot", bot=default_bot()) for _ in range(setup.players))
    made = games.create(user, NewGame(title, bots, variants=setup.variants, visibility="public"))
    return people.enter(request, visitor, accounts, user, f"/table/{made.id}")


def _quick_setup(title: str) -> SetupDef:
    """Return the set-up of a quick game: the first one for three players, or for the fewest."""
    if title not in TITLES:
        raise NotFound(f"There is no title {title!r}.")
    setups = sorted(title_named(title).tables.setups, key=lambda setup: setup.players)
    return next((setup for setup in setups if setup.players == _PLAYERS), setups[0])
