"""The API of a table: view, act, undo, fork, chat, watch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated

import msgspec
from fastapi import APIRouter, Header, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from pydantic import Field
from sse_starlette.sse import EventSourceResponse

from carril.engine.actions import convert_action
from carril.service import api_models as models
from carril.service import api_undo_models as undo_models
from carril.service import undoing
from carril.service.api_shapes import (
    answer,
    entry_shape,
    options_shape,
    pending_shape,
    refusal_shape,
    state_shape,
)
from carril.service.fields import Number, parse_number
from carril.service.games import Games
from carril.service.jobs.searches import PATIENCE, SearchPending, finish, patiently
from carril.service.jobs.tasks import verify_game
from carril.service.jobs.waiting import call
from carril.service.redoing import next_redo, read_changes
from carril.service.streams import Stream, visible_messages
from carril.service.values import User
from carril.service.visitors import AnyVisitor, SignedIn, TheGames
from carril.service.votes.voting import open_requests

router = APIRouter(prefix="/games/{game}", tags=["table"])

At = Annotated[
    Number | None,
    Query(description="The number of the position; by default the latest."),
]
Fork = Annotated[str | None, Query(max_length=40, description="One of my what-if lines.")]
Wait = Annotated[
    Annotated[float, Field(ge=0, le=PATIENCE)],
    Query(description="Seconds to wait for a search that is not finished."),
]
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
    """Return a position: the whole public state, whose turn it is, and the pending decision."""
    here = games.position(game, at, fork, who.user)
    tag = f'"{here.tag}-{here.version}"'
    if request.headers.get("If-None-Match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    response = answer(state_shape(game, here))
    response.headers.update({"ETag": tag, "Cache-Control": "private, no-cache"})
    return response


@router.get("/options", response_model=models.OptionsModel)
async def options(
    game: str,
    games: TheGames,
    who: AnyVisitor,
    at: At = None,
    fork: Fork = None,
    wait: Wait = 0,
) -> Response:
    """List every legal action of a position, amounts as ranges.

    If the best run is not proven yet, there are no options, and `pending` has what is known so far.
    """
    here = await run_in_threadpool(games.position, game, at, fork, who.user)
    try:
        return answer(await finish(partial(options_shape, here), wait))
    except SearchPending as pending:
        return answer(pending_shape(here, pending.facts))


@router.post("/why", response_model=models.WhyModel)
@patiently
def why(game: str, body: models.WhyBody, games: TheGames, who: AnyVisitor) -> Response:
    """Return why an action would be refused, or null if it is legal, without playing it."""
    refusal = games.why(game, convert_action(body.action), body.at, body.fork, who.user)
    return answer({"refusal": refusal_shape(refusal) if refusal else None})


@router.post("/actions", response_model=models.ActedModel)
@patiently
def act(
    game: str,
    body: models.ActBody,
    games: TheGames,
    user: SignedIn,
    idempotency_key: Annotated[str, Header(max_length=80)] = "",
) -> Response:
    """Act; 409 if somebody else acted first, 422 with code and rule if the rules refuse it."""
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
    since: Number = 0,
    until: Number | None = None,
    fork: Fork = None,
) -> Response:
    """List the actions in force with their events."""
    return answer([entry_shape(one) for one in games.log(game, since, until, fork, who.user)])


# --- undo ----------------------------------------------------------------------------------


@router.get("/undo", response_model=undo_models.UndonePointsModel)
def undo_points(game: str, games: TheGames, user: SignedIn, fork: Fork = None) -> Response:
    """Return where undo leads, what redo puts back, and the open request."""
    with games.reading() as reader:
        points = undoing.points_of(reader, game, user, fork)
        line = reader.line(game, fork, user).id
        redo = next_redo(reader.connection, line, read_changes(reader.connection, line))
        info = reader.info(game)
        asked = open_requests(reader.connection, reader.line(game))
        request = next((one for one in asked if one.kind in ("undo", "redo")), None)
    at_once = bool(fork) or not info.others(user)
    known = {"redo": redo, "at_once": at_once, "request": request}
    return answer(msgspec.structs.asdict(points) | known)


@router.post("/undo", response_model=undo_models.UndoneModel)
def undo(game: str, body: undo_models.UndoBody, games: TheGames, user: SignedIn) -> Response:
    """Undo immediately if nobody else plays at the table, otherwise ask the others."""
    return answer(games.undo(game, user, body.to, fork=body.fork, version=body.version))


@router.get("/undone", response_model=list[undo_models.ChangeModel])
def undone(game: str, games: TheGames, who: AnyVisitor, fork: Fork = None) -> Response:
    """List what was taken back and put back, by whom, newest first."""
    return answer(games.changes(game, fork, who.user))


@router.post("/redo", response_model=undo_models.UndoneModel)
def redo(game: str, body: undo_models.RedoBody, games: TheGames, user: SignedIn) -> Response:
    """Put back actions that were taken back, by default the last; with others, ask them."""
    done = games.redo(game, user, body.series, fork=body.fork, version=body.version)
    return answer(done)


@router.post("/undo/{request_id}", response_model=undo_models.UndoneModel)
def answer_undo(
    game: str, request_id: Number, body: undo_models.AnswerBody, games: TheGames, user: SignedIn
) -> Response:
    """Accept or decline a request to undo or redo; its author withdraws it by declining."""
    return answer(games.answer(game, user, request_id, body.accept))


# --- what-if lines -------------------------------------------------------------------------


@router.get("/forks", response_model=list[models.ForkModel])
def forks(game: str, games: TheGames, user: SignedIn) -> Response:
    """List my what-if lines of a game."""
    return answer(games.forks(game, user))


@router.post("/forks", response_model=models.ForkModel, status_code=201)
def fork(game: str, body: models.ForkBody, games: TheGames, user: SignedIn) -> Response:
    """Start a private what-if line at a position."""
    made = games.fork(game, user, body.at)
    return answer(next(one for one in games.forks(game, user) if one.id == made), 201)


@router.delete("/forks/{fork_id}", status_code=204)
def discard_fork(game: str, fork_id: str, games: TheGames, user: SignedIn) -> Response:
    """Discard a what-if line."""
    games.discard_fork(game, user, fork_id)
    return Response(status_code=204)


@router.post("/forks/{fork_id}/keep", response_model=models.GameModel)
def keep_fork(game: str, fork_id: str, games: TheGames, user: SignedIn) -> Response:
    """Make a what-if line the main line, if nobody else plays at the table."""
    return answer(games.keep_fork(game, user, fork_id))


# --- chat, verification, live --------------------------------------------------------------


@router.get("/chat", response_model=list[models.RemarkModel])
def chat(game: str, games: TheGames, who: AnyVisitor, since: Number = 0) -> Response:
    """List the remarks of the chat."""
    return answer(games.chat(game, since))


@router.post("/chat", response_model=models.RemarkModel, status_code=201)
def post_remark(game: str, body: models.RemarkBody, games: TheGames, user: SignedIn) -> Response:
    """Add a remark to the chat of a table where I play."""
    return answer(games.post_remark(game, user, body.text), 201)


@router.get("/verify", response_model=models.VerifiedModel)
async def verify(game: str, games: TheGames, user: SignedIn) -> Response:
    """Check the hash chain of the game and replay all its actions."""
    return answer(
        await call(
            games.jobs,
            verify_game,
            games.store.address,
            game,
            key=("verify", game),
            user=user.id,
            table=game,
        )
    )


@router.get("/live", response_class=EventSourceResponse)
async def live(
    request: Request,
    game: str,
    games: TheGames,
    who: AnyVisitor,
    after: Number | None = None,
    fork: Fork = None,
    last_event_id: Annotated[str, Header(max_length=20)] = "",
) -> EventSourceResponse:
    """Stream the messages of a table as server-sent events.

    Events: action, undo, redo, keep, chat, request, join, leave, seat. Start with `after` set to
    the `heard` of a state and you will miss nothing; browsers that reconnect send `Last-Event-ID`
    themselves.
    """
    await asyncio.to_thread(games.position, game, 0, fork, who.user)
    place = parse_number(last_event_id, after)
    return Stream(request, _events(games, fork or game, place, game, who.user), _PING)


async def _events(
    games: Games, line: str, place: int | None, game: str, user: User | None
) -> AsyncIterator[dict[str, str]]:
    async for message in visible_messages(games, line, place, game, user):
        data = msgspec.json.encode(message.data).decode()
        yield {"id": str(message.id), "event": message.kind, "data": data}
