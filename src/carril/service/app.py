"""The application: games and accounts opened, errors told as JSON, the API under /api."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import OperationalError
from starlette.exceptions import HTTPException

from carril.engine.refusals import CarrilError, IllegalAction
from carril.service import api
from carril.service.accounts import Accounts
from carril.service.errors import BadRequest, Broken, Busy, RefusedByRules, ServiceError
from carril.service.games import Games
from carril.service.guards import Guards
from carril.service.limits import Limits
from carril.service.settings import Settings

_log = logging.getLogger("carril.service")


def make_api(settings: Settings | None = None) -> FastAPI:
    """Return the application with everything but the pages.

    `app.state` holds `settings`, `games`, `accounts` and `limits`.
    """
    settings = settings or Settings()
    app = FastAPI(
        title="Carril",
        summary="The web table of the 18xx railway games, for programs.",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_life,
    )
    app.state.settings = settings
    games = Games.open(settings.url, settings)
    app.state.games = games
    app.state.accounts = Accounts(games.desk, settings.session_days)
    app.state.limits = Limits()
    app.include_router(api.router)
    app.add_middleware(Guards, settings=settings)
    app.add_exception_handler(ServiceError, on_error)
    app.add_exception_handler(CarrilError, on_error)
    app.add_exception_handler(RequestValidationError, on_error)
    app.add_exception_handler(HTTPException, on_error)
    app.add_exception_handler(OperationalError, on_error)
    app.add_exception_handler(Exception, on_error)
    return app


@asynccontextmanager
async def _life(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.games.close()


def told(error: Exception) -> tuple[int, dict[str, object]]:
    """Return the status and the body for an error, whatever its kind."""
    if isinstance(error, ServiceError):
        return error.status, error.body()
    if isinstance(error, IllegalAction):
        refused = RefusedByRules(error.refusal)
        return refused.status, refused.body()
    if isinstance(error, RequestValidationError):
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        return 422, BadRequest(f"{where}: {first['msg']}", {"field": where}).body()
    if isinstance(error, HTTPException):
        body = BadRequest(str(error.detail)).body()
        codes = {404: "not-found", 405: "not-allowed", 413: "too-large"}
        body["error"]["code"] = codes.get(error.status_code, "bad-request")
        return error.status_code, body
    if isinstance(error, CarrilError):
        return 400, BadRequest(str(error)).body()
    if isinstance(error, OperationalError):
        busy = Busy("the database does not answer; try again")
        return busy.status, busy.body()
    return 500, Broken("something went wrong here; it was logged").body()


async def on_error(request: Request, error: Exception) -> JSONResponse:
    """Tell an error as JSON, and log it."""
    status, body = told(error)
    ours = error if status == 500 else None
    _log.warning(
        "%s %s: %s %s", request.method, request.url.path, status, body["error"], exc_info=ours
    )
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    return JSONResponse(body, status, headers)
