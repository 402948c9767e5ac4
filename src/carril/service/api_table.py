"""The API of the table: look, act, take back, try, talk, watch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Query, Request
from fastapi.responses import Response
from sse_starlette.sse import EventSourceResponse

from carril.engine.actions import convert_action
from carril.service import api_models as models
from carril.service.api_shapes import (
    answer,
    entry_shape,
    options_shape,
    refusal_shape,
    state_shape,
)
from carril.service.games import Games
from carril.service.visitors import AnyVisitor, SignedIn, TheGames

router = APIRouter(prefix="/games/{game}", tags=["table"])

At = Annotated[
    int | None, Query(ge=0, description="After so many actions; the latest if left out.")
]
Fork = Annotated[str | None, Query(max_length=40, description="A what-if line of one's own.")]
_PING = 15


@router.get("/state", response_model=models.StateModel)
def state(
    request: Request,
    game: str,
    games: TheGames,
    who: AnyVisitor,
    at: At = None,
    fork: Fork = None,
) -> Response:
    """Show a position: the whole public state, whose turn it is, and what may be done."""
    here = games.position(game, at, fork, who.user)
    tag = f'"{here.tag}-{here.version}"'
    if request.headers.get("If-None-Match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    response = answer(state_shape(game, here))
    response.headers.update({"ETag": tag, "Cache-Control": "private, no-cache"})
    return response


@router.get("/options", response_model=models.OptionsModel)
def options(
    game: str, games: TheGames, who: AnyVisitor, at: At = None, fork: Fork = None
) -> Response:
    """List every legal action of a position; those with an amount as ranges."""
    return answer(options_shape(games.position(game, at, fork, who.user)))


@router.post("/why", response_model=models.WhyModel)
def why(game: str, body: models.WhyBody, games: TheGames, who: AnyVisitor) -> Response:
    """Say why an action would be refused, or null if it is legal. Nothing is played."""
    refusal = games.why(game, convert_action(body.action), body.at, body.fork, who.user)
    return answer({"refusal": refusal_shape(refusal) if refusal else None})


@router.post("/actions", response_model=models.ActedModel)
def act(
    game: str,
    body: models.ActBody,
    games: TheGames,
    user: SignedIn,
    idempotency_key: Annotated[str, Header(max_length=80)] = "",
) -> Response:
    """Act. 409 if somebody acted first, 422 with code, facts and rule if the rules refuse it."""
    acted = games.act(
        game,
        user,
        convert_action(body.action),
        body.head,
        version=body.version,
        key=body.key or idempotency_key,
        fork=body.fork,
    )
    return answer(acted)


@router.get("/log", response_model=list[models.EntryModel])
def log(
    game: str,
    games: TheGames,
    who: AnyVisitor,
    since: Annotated[int, Query(ge=0)] = 0,
    until: Annotated[int | None, Query(ge=0)] = None,
    fork: Fork = None,
) -> Response:
    """List the actions that stand, with what they did."""
    return answer([entry_shape(one) for one in games.log(game, since, until, fork, who.user)])


# --- taking back ---------------------------------------------------------------------------


@router.get("/undo", response_model=models.UndonePointsModel)
def undo_points(game: str, games: TheGames, user: SignedIn, fork: Fork = None) -> Response:
    """Say where one step back and the start of my turn are, and which request is open."""
    points = games.undo_points(game, user, fork)
    at_once = bool(fork) or not games.info(game).others(user)
    told = {"at_once": at_once, "request": games.undo_request(game)}
    return answer(msgspec.structs.asdict(points) | told)


@router.post("/undo", response_model=models.UndoneModel)
def undo(game: str, body: models.UndoBody, games: TheGames, user: SignedIn) -> Response:
    """Take back: at once on a table of one's own, else a request to the others."""
    return answer(games.undo(game, user, body.to, fork=body.fork))


@router.post("/undo/{request_id}", response_model=models.UndoneModel)
def answer_undo(
    game: str, request_id: int, body: models.AnswerBody, games: TheGames, user: SignedIn
) -> Response:
    """Accept or decline a request to take back; its maker withdraws it by declining."""
    return answer(games.answer(game, user, request_id, body.accept))


# --- what-if lines -------------------------------------------------------------------------


@router.get("/forks", response_model=list[models.ForkModel])
def forks(game: str, games: TheGames, user: SignedIn) -> Response:
    """List my what-if lines of a game."""
    return answer(games.forks(game, user))


@router.post("/forks", response_model=models.ForkModel, status_code=201)
def fork(game: str, body: models.ForkBody, games: TheGames, user: SignedIn) -> Response:
    """Begin a private what-if line at a position."""
    made = games.fork(game, user, body.at)
    return answer(next(one for one in games.forks(game, user) if one.id == made), 201)


@router.delete("/forks/{fork_id}", status_code=204)
def discard_fork(game: str, fork_id: str, games: TheGames, user: SignedIn) -> Response:
    """Throw a what-if line away."""
    games.discard_fork(game, user, fork_id)
    return Response(status_code=204)


@router.post("/forks/{fork_id}/keep", response_model=models.GameModel)
def keep_fork(game: str, fork_id: str, games: TheGames, user: SignedIn) -> Response:
    """Make a what-if line the game's own, on a table of one's own."""
    return answer(games.keep_fork(game, user, fork_id))


# --- talking, checking, watching -----------------------------------------------------------


@router.get("/chat", response_model=list[models.RemarkModel])
def chat(
    game: str, games: TheGames, who: AnyVisitor, since: Annotated[int, Query(ge=0)] = 0
) -> Response:
    """List what was said."""
    return answer(games.chat(game, since))


@router.post("/chat", response_model=models.RemarkModel, status_code=201)
def say(game: str, body: models.SayBody, games: TheGames, user: SignedIn) -> Response:
    """Say something at a table where one sits."""
    return answer(games.post_remark(game, user, body.text), 201)


@router.get("/verify", response_model=models.VerifiedModel)
def verify(game: str, games: TheGames, user: SignedIn) -> Response:
    """Check the chain of hashes over the game, and play all its actions again."""
    return answer(games.verify(game))


@router.get("/live", response_class=EventSourceResponse)
async def live(
    game: str,
    games: TheGames,
    who: AnyVisitor,
    after: Annotated[int | None, Query(ge=0)] = None,
    fork: Fork = None,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> EventSourceResponse:
    """Watch a table by server-sent events.

    Events: action, undo, keep, chat, request, join. Begin with `after` = the `heard` of the state
    you have, and nothing is missed; a browser that comes back sends `Last-Event-ID` by itself.
    """
    await asyncio.to_thread(games.position, game, 0, fork, who.user)
    place = int(last_event_id) if last_event_id.isdigit() else after
    return EventSourceResponse(_events(games, fork or game, place), ping=_PING)


async def _events(games: Games, line: str, place: int | None) -> AsyncIterator[dict[str, str]]:
    async for message in games.subscribe(line, place):
        data = msgspec.json.encode(message.data).decode()
        yield {"id": str(message.id), "event": message.kind, "data": data}
