"""The API of clocks: the time left at a table, pauses, and holidays.

A pause is a request to the others: `POST /games/{game}/requests` with the kind `pause`.
"""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from carril.service.api_shapes import answer
from carril.service.fields import Number
from carril.service.table_clocks import api_models as models
from carril.service.table_clocks.holidays import add_holiday, holidays_of, remove_holiday
from carril.service.visitors import AnyVisitor, SignedIn, TheGames

router = APIRouter(tags=["clock"])


@router.get("/games/{game}/clock", response_model=models.ClockModel | None)
def clock(game: str, games: TheGames, who: AnyVisitor) -> Response:
    """Return the time that each player has left, or null at a table without a clock."""
    return answer(games.clock(game))


@router.post("/games/{game}/resume", status_code=204)
def resume(game: str, games: TheGames, user: SignedIn) -> Response:
    """Let the clock of a paused table run again."""
    games.resume(game, user)
    return Response(status_code=204)


@router.get("/holidays", response_model=list[models.HolidayModel])
def holidays(games: TheGames, user: SignedIn) -> Response:
    """List my holidays, on which my clocks stand still."""
    with games.reading() as reader:
        return answer(holidays_of(reader.connection, user.id))


@router.post("/holidays", response_model=list[models.HolidayModel], status_code=201)
def new_holiday(body: models.HolidayBody, games: TheGames, user: SignedIn) -> Response:
    """Take days off, from today on."""
    add_holiday(games.store, user, body.first, body.last, body.zone)
    with games.reading() as reader:
        return answer(holidays_of(reader.connection, user.id), 201)


@router.delete("/holidays/{holiday_id}", status_code=204)
def cancel_holiday(holiday_id: Number, games: TheGames, user: SignedIn) -> Response:
    """Cancel a holiday, or end it now if it has begun."""
    remove_holiday(games.store, user, holiday_id)
    return Response(status_code=204)
