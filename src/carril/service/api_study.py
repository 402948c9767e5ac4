"""The API for studying a game: runs compared with the best, bots that play on, new tables."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from fastapi import APIRouter
from fastapi.responses import Response
from pydantic import BaseModel, Field

from carril.notation.text import write
from carril.service.advising import advice
from carril.service.api_models import Body, GameModel, SeatBody
from carril.service.api_shapes import answer
from carril.service.api_table import Fork
from carril.service.continuing import Continuation
from carril.service.fields import JsonNumber, Number
from carril.service.opponents import bot_names
from carril.service.playing_on import PlayOnOrder
from carril.service.studying import Study
from carril.service.values import Seat
from carril.service.visitors import AnyVisitor, SignedIn, TheGames

router = APIRouter(prefix="/games/{game}", tags=["study"])


class RunModel(BaseModel):
    """A run; what was possible is null until it has been searched."""

    number: int = Field(description="The number of its action; the position before is one less.")
    by: str
    company: str
    round: str
    claimed: int
    possible: int | None
    bound: int | None = Field(description="What is proven: no run is worth more.")
    missed: int | None
    optimal: bool


class StudyModel(BaseModel):
    """Every run of a game, and the sums of those that have been compared."""

    runs: list[RunModel]
    total: int
    checked: int = Field(description="Runs compared so far; ask again until this is the total.")
    claimed: int
    possible: int
    missed: int


class PlayOnBody(Body):
    """What bots shall play in a what-if line, a few actions at a time."""

    goal: Literal["round", "end"]
    since: JsonNumber = Field(description="The position from which the round is counted.")
    version: JsonNumber = Field(description="The version of the line that you have seen.")
    bot: str = Field(bot_names()[0], max_length=40, description="Plays the seats of people.")


class PlayedOnModel(BaseModel):
    """How far the line is; repeat the request with the new version until it is done."""

    head: int
    version: int
    played: int
    done: bool


class AdvisedModel(BaseModel):
    """A choice, what its player is expected to be worth at the end, and why."""

    action: dict[str, Any]
    text: str = Field(description="The action in the notation of records.")
    estimate: int
    reason: str


class AdviceModel(BaseModel):
    """The best choices of the player who must decide, the planner's own first."""

    at: int
    player: str
    choices: list[AdvisedModel]


class ContinueBody(Body):
    """Where a new table begins, and a seat for each player, in the order of the game."""

    at: JsonNumber
    seats: list[SeatBody] = Field(max_length=8)
    name: str = Field("", max_length=80)
    fork: str = Field("", max_length=40)


@router.get("/runs", response_model=StudyModel)
def runs(game: str, games: TheGames, who: AnyVisitor, fork: Fork = None) -> Response:
    """List every run next to the best one; the searches go on until all runs are checked."""
    return answer(study_shape(games.study(game, fork, who.user)))


def study_shape(study: Study) -> dict[str, object]:
    """Return a study as JSON values."""
    names = RunModel.model_fields
    return {
        "runs": [{name: getattr(run, name) for name in names} for run in study.runs],
        "total": len(study.runs),
        "checked": len(study.checked),
        "claimed": study.claimed,
        "possible": study.possible,
        "missed": study.possible - study.claimed,
    }


@router.get("/advice", response_model=AdviceModel)
async def advise(
    game: str, games: TheGames, user: SignedIn, at: Number | None = None, fork: Fork = None
) -> Response:
    """Say what the planner would do in a position, with the two next best choices."""
    found = await advice(games, game, user, at, fork)
    choices = [
        {
            "action": msgspec.to_builtins(one.action),
            "text": write(one.action),
            "estimate": one.estimate,
            "reason": one.reason,
        }
        for one in found.choices
    ]
    return answer({"at": found.at, "player": found.state.acting, "choices": choices})


@router.post("/forks/{fork_id}/play-on", response_model=PlayedOnModel)
def play_on(game: str, fork_id: str, body: PlayOnBody, games: TheGames, user: SignedIn) -> Response:
    """Let bots play a few actions in a what-if line; stop asking to cancel."""
    order = PlayOnOrder(body.goal, body.since, body.version, body.bot)
    return answer(games.play_on(game, user, fork_id, order))


@router.post("/continue", response_model=GameModel, status_code=201)
def continue_from(game: str, body: ContinueBody, games: TheGames, user: SignedIn) -> Response:
    """Create a table that begins at a position of this game, with the history before it.

    Players keep their names, so names of seats are ignored; conventions stay as they are.
    """
    seats = tuple(Seat(seat.kind, bot=seat.bot) for seat in body.seats)
    made = games.continue_from(game, user, Continuation(body.at, seats, body.name, body.fork))
    return answer(made, 201)
