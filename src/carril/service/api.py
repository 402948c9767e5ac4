"""The JSON API under /api, which covers everything that the pages do."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from carril.service import api_account, api_health, api_lobby, api_people, api_study, api_table
from carril.service.api_models import ErrorAnswer
from carril.service.notifications import api as api_notices
from carril.service.people import api_profiles, api_recovery
from carril.service.programs import api as api_programs
from carril.service.seats import api as api_seats
from carril.service.table_clocks import api as api_clock

_ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorAnswer, "description": "The request itself is wrong."},
    401: {"model": ErrorAnswer, "description": "The user is not signed in."},
    403: {"model": ErrorAnswer, "description": "The user may not do this."},
    404: {
        "model": ErrorAnswer,
        "description": "There is no such game, position or line.",
    },
    409: {"model": ErrorAnswer, "description": "Somebody else acted first, or the game is over."},
    413: {"model": ErrorAnswer, "description": "The request body is too large."},
    422: {
        "model": ErrorAnswer,
        "description": "A field is invalid, or the rules refuse it.",
    },
    500: {"model": ErrorAnswer, "description": "An error of the service, which is logged."},
    503: {"model": ErrorAnswer, "description": "The database does not respond."},
    429: {"model": ErrorAnswer, "description": "Too many requests in a short time."},
}

router = APIRouter(prefix="/api", responses=_ERRORS)
router.include_router(api_people.router)
router.include_router(api_health.router)
router.include_router(api_recovery.router)
router.include_router(api_profiles.router)
router.include_router(api_account.router)
router.include_router(api_lobby.router)
router.include_router(api_table.router)
router.include_router(api_seats.router)
router.include_router(api_study.router)
router.include_router(api_programs.router)
router.include_router(api_clock.router)
router.include_router(api_notices.router)
