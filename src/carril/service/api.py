"""The JSON API, everything that the page does, under /api."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from carril.service import api_lobby, api_people, api_table
from carril.service.api_models import ErrorAnswer

_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorAnswer, "description": "The request itself is wrong."},
    401: {"model": ErrorAnswer, "description": "Nobody is signed in."},
    403: {"model": ErrorAnswer, "description": "Not this user's seat, line or table."},
    404: {"model": ErrorAnswer, "description": "There is no such thing."},
    409: {"model": ErrorAnswer, "description": "Somebody acted first, or the game is over."},
    413: {"model": ErrorAnswer, "description": "The body is too large."},
    422: {"model": ErrorAnswer, "description": "A field is wrong, or the rules refuse it."},
    429: {"model": ErrorAnswer, "description": "Too many requests in a short time."},
}

router = APIRouter(prefix="/api", responses=_ERRORS)
router.include_router(api_people.router)
router.include_router(api_lobby.router)
router.include_router(api_table.router)
