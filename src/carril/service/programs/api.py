"""The API of programs: what the server does in my name."""

from __future__ import annotations

from typing import Any

import msgspec
from fastapi import APIRouter
from fastapi.responses import Response

from carril.programs import convert_program, describe, describe_stop, say_reason, sensible
from carril.service.api_shapes import answer
from carril.service.programs import api_models as models
from carril.service.programs.giving import list_programs
from carril.service.programs.values import ProgramInfo
from carril.service.visitors import SignedIn, TheGames

router = APIRouter(prefix="/games/{game}", tags=["programs"])


@router.get("/programs", response_model=models.ProgramsModel)
def programs(game: str, games: TheGames, user: SignedIn) -> Response:
    """List my programs at a table and what would make sense now; nobody else's are shown."""
    with games.reading() as reader:
        state = reader.position(reader.line(game)).state
        seats = reader.info(game).seats_of(user)
        found = list_programs(reader, game, user)
    fitting = [
        {"player": player} | msgspec.to_builtins(sensible(state, player)) for player in seats
    ]
    return answer({"programs": [program_shape(one) for one in found], "sensible": fitting})


@router.post("/programs", response_model=models.ProgramModel, status_code=201)
def give(game: str, body: models.GiveBody, games: TheGames, user: SignedIn) -> Response:
    """Give a program for one of my seats; it replaces an earlier one about the same thing.

    The server plays it as soon as it can, as ordinary actions of mine.
    """
    program = convert_program(body.program.model_dump())
    return answer(program_shape(games.give_program(game, user, program, body.player)), 201)


@router.delete("/programs/{program_id}", status_code=204)
def withdraw(game: str, program_id: str, games: TheGames, user: SignedIn) -> Response:
    """Withdraw a program, or forget one that has stopped."""
    games.withdraw_program(game, user, program_id)
    return Response(status_code=204)


@router.post("/forks/{fork_id}/plan", response_model=models.ProgramModel, status_code=201)
def plan(game: str, fork_id: str, games: TheGames, user: SignedIn) -> Response:
    """Play my actions of a what-if line in the game, as long as everybody else follows it."""
    return answer(program_shape(games.plan_line(game, user, fork_id)), 201)


def program_shape(one: ProgramInfo) -> dict[str, Any]:
    """Return a program as JSON values."""
    why = one.reason
    reason = why and {"code": why.code, "message": say_reason(why), "facts": dict(why.facts)}
    return {
        "id": one.id,
        "player": one.player,
        "program": msgspec.to_builtins(one.program),
        "text": describe(one.program),
        "stops": [describe_stop(stop) for stop in one.program.stops],
        "active": one.active,
        "reason": reason,
        "done": one.done,
        "created": one.created,
    }
