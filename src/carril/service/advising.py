"""What the planner would do in a position, worked out in a worker process."""

from __future__ import annotations

from fastapi.concurrency import run_in_threadpool
from msgspec import Struct

from carril.bots.ranking import Ranked
from carril.engine.state import State
from carril.service.errors import BadRequest
from carril.service.games import Games
from carril.service.jobs.tasks import advise
from carril.service.jobs.waiting import call
from carril.service.values import User


class Advice(Struct, frozen=True):
    """The best choices of a player in a position, the planner's own first."""

    at: int
    state: State
    choices: tuple[Ranked, ...]


async def advice(
    games: Games, game: str, user: User, at: int | None = None, fork: str | None = None
) -> Advice:
    """Return what the planner would do; the web process only waits for it."""
    here = await run_in_threadpool(games.position, game, at, fork, user)
    if not here.state.agenda or here.state.acting is None:
        raise BadRequest("Nobody has to decide in this position.")
    found = await call(
        games.jobs,
        advise,
        games.store.address,
        game,
        fork,
        user,
        here.at,
        key=("advice", fork or game, here.at, here.version),
        user=user.id,
        table=game,
    )
    return Advice(here.at, here.state, found)
