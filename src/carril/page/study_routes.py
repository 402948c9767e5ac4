"""The routes for studying a game: runs, bots that play on, and new tables from a position."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.datastructures import FormData

from carril.page import render, study
from carril.page.table_request import At, OpenPosition, find_position, shown_table
from carril.service.advising import advice
from carril.service.continuing import Continuation
from carril.service.errors import BadRequest
from carril.service.fields import Number, parse_number
from carril.service.opponents import bot_names, default_bot
from carril.service.playing_on import Goal, PlayOnOrder
from carril.service.values import GameInfo, Seat, User
from carril.service.visitors import AnyVisitor, Given, SignedIn, TheGames

router = APIRouter(prefix="/table", include_in_schema=False)


@router.get("/{game}/view/study")
def study_view(
    request: Request,
    given: Given,
    games: TheGames,
    game: str,
    at: At = None,
    fork: str = "",
    sort: str = "",
    part: str = "",
) -> HTMLResponse:
    """Return every run next to the best one, as far as they have been searched."""
    with games.reading() as reader:
        asked = find_position(reader, request, given, game, at, fork)
    found = games.study(game, fork or None, asked.visitor.user)
    model = study.study_model(found, asked.look.words, sort == "missed")
    template = "study_chart.html" if part == "chart" else "view_study.html"
    return asked.fragment(template, **model)


@router.get("/{game}/advice")
async def advised(
    request: Request,
    given: Given,
    user: SignedIn,
    games: TheGames,
    game: str,
    at: At = None,
    fork: str = "",
) -> HTMLResponse:
    """Return what the planner would do in a position, and why."""
    found = await advice(games, game, user, at, fork or None)

    def show() -> HTMLResponse:
        with games.reading() as reader:
            asked = find_position(reader, request, given, game, found.at, fork)
        return asked.fragment("advice.html", advised=study.advised(found, asked.look.words))

    return await run_in_threadpool(show)


# --- bots that play on ---------------------------------------------------------------------


@router.post("/{game}/bots")
def let_bots_play(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    fork: str,
    goal: Annotated[Goal, Form()],
    since: Annotated[Number, Form()],
    version: Annotated[Number, Form()],
    bot: Annotated[str, Form(max_length=40)],
) -> HTMLResponse:
    """Let bots play a few actions in a what-if line and return the table after them."""
    played = games.play_on(game, user, fork, PlayOnOrder(goal, since, version, bot))
    table = games.table(game, user, fork=fork)
    response = shown_table(request, visitor, table).parts(render.notice(""))
    response.headers["X-Carril-Done"] = "yes" if played.done else "no"
    response.headers["X-Carril-Version"] = str(played.version)
    return response


# --- new tables from a position ------------------------------------------------------------


@router.get("/{game}/play-on")
def play_on_form(asked: OpenPosition, user: SignedIn) -> HTMLResponse:
    """Return the form for a new table that begins at a position."""
    return asked.fragment(
        "play_on.html",
        bots=bot_names(),
        seats=_suggested(asked.look.info, asked.look.state.players, asked.look.state.acting, user),
        conventions=asked.look.info.conventions,
    )


def _suggested(
    info: GameInfo, players: Any, acting: str | None, user: User
) -> list[tuple[str, str]]:
    """Return each player with a suggested seat: mine as they are, others by bots."""
    mine = info.seats_of(user) or ((acting or next(iter(players))),)
    found = []
    for player in players:
        seat = info.seat(player)
        bot = seat.bot if seat and seat.bot else default_bot()
        found.append((player, "me" if player in mine else f"bot:{bot}"))
    return found


@router.post("/{game}/play-on")
async def play_on(request: Request, user: SignedIn, games: TheGames, game: str) -> RedirectResponse:
    """Create the new table and go there."""
    wanted = _continuation(await request.form())
    made = await run_in_threadpool(games.continue_from, game, user, wanted)
    return RedirectResponse(f"/table/{made.id}", 303)


def _continuation(form: FormData) -> Continuation:
    at = parse_number(str(form.get("at", "")), None)
    if at is None:
        raise BadRequest("The position must be a whole number.")
    seats = tuple(_seat(str(one)) for one in form.getlist("seat"))
    name, fork = str(form.get("name", "")).strip(), str(form.get("fork", ""))
    return Continuation(at, seats, name, fork)


def _seat(kind: str) -> Seat:
    if kind == "me":
        return Seat("me")
    if kind == "person":
        return Seat("person")
    return Seat("bot", bot=kind.removeprefix("bot:"))
