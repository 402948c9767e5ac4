"""Health of the service, for load balancers and monitoring; neither limited nor logged in."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from carril.service import api_account_models as models
from carril.service.api_shapes import answer
from carril.service.games import Games

router = APIRouter(tags=["health"])
_SECONDS = 3.0
"""How long the database may take."""


@router.get("/health", response_model=models.HealthModel)
async def health() -> Response:
    """Return that the process answers requests."""
    return answer({"status": "ok"})


@router.get("/ready", response_model=models.ReadyModel)
async def ready(request: Request) -> Response:
    """Return whether requests can be served, and how many games were found damaged; 503 if not."""
    games: Games = request.app.state.games
    try:
        await asyncio.wait_for(run_in_threadpool(_ask_database, games), _SECONDS)
        reachable = True
    except (SQLAlchemyError, TimeoutError):
        reachable = False
    found = games.verification
    shape = {
        "ready": reachable,
        "database": "ok" if reachable else "unreachable",
        "verified_games": found.checked,
        "damaged_games": len(found.damaged),
    }
    return answer(shape, 200 if reachable else 503)


def _ask_database(games: Games) -> None:
    with games.reading() as reader:
        reader.connection.execute(text("SELECT 1"))
