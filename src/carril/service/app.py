"""The web application: games, accounts, error handlers, and the JSON API under /api."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from sqlalchemy.exc import DataError, OperationalError
from starlette.exceptions import HTTPException

from carril.engine.refusals import CarrilError, IllegalAction
from carril.service import api
from carril.service.accounts import Accounts
from carril.service.errors import BadRequest, Broken, Busy, RefusedByRules, ServiceError
from carril.service.games import Games
from carril.service.guards import Guards
from carril.service.jobs.searches import PoolSolver
from carril.service.limits import Limits
from carril.service.logs import logged_path
from carril.service.metrics import RequestMetrics
from carril.service.settings import Settings
from carril.service.streams import Streams

_log = logging.getLogger("carril.service")


def make_api(settings: Settings | None = None) -> FastAPI:
    """Return the application without pages.

    `app.state` holds `settings`, `games`, `solver`, `accounts`, `limits`, `streams`, `metrics`, and
    `warm_up`, which a server calls once it answers.
    """
    settings = settings or Settings()
    app = FastAPI(
        title="Carril",
        summary="The API of a web table for 18xx railway games.",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.settings = settings
    games = Games.open(settings.url, settings)
    app.state.games = games
    app.state.solver = PoolSolver(games.jobs)
    app.state.accounts = Accounts(games.store, settings.session_days)
    app.state.limits = Limits()
    app.state.streams = Streams(settings)
    app.state.metrics = RequestMetrics()
    app.state.warm_up = lambda: None
    app.state.measures_cpu = False  # see Server-Timing in guards.py
    app.include_router(api.router)
    app.add_middleware(Guards, settings=settings)
    app.add_exception_handler(ServiceError, error_response)
    app.add_exception_handler(CarrilError, error_response)
    app.add_exception_handler(RequestValidationError, error_response)
    app.add_exception_handler(HTTPException, error_response)
    for kind in (OperationalError, DataError, UnicodeEncodeError):
        app.add_exception_handler(kind, error_response)
    app.state.on_failure = error_response
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    yield
    app.state.games.close()


def describe_error(error: Exception) -> tuple[int, dict[str, Any]]:
    """Return the HTTP status and the JSON body for an error of any kind."""
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
        codes = {404: "not-found", 405: "not-allowed", 408: "too-slow", 413: "too-large"}
        body["error"]["code"] = codes.get(error.status_code, "bad-request")
        return error.status_code, body
    if isinstance(error, CarrilError):
        return 400, BadRequest(str(error)).body()
    if isinstance(error, DataError | UnicodeEncodeError):
        return 400, BadRequest("The request contains something that cannot be stored.").body()
    if isinstance(error, OperationalError):
        busy = Busy("The database is not responding. Please try again in a moment.")
        return busy.status, busy.body()
    return 500, Broken("Something went wrong on our side. The error has been logged.").body()


async def error_response(request: Request, error: Exception) -> JSONResponse:
    """Log an error and return it as JSON."""
    status, body = describe_error(error)
    internal = error if status == 500 else None
    path = logged_path(request.url.path)
    _log.warning("%s %s: %s %s", request.method, path, status, body["error"], exc_info=internal)
    return JSONResponse(body, status, error_headers(error, status))


def error_headers(error: Exception, status: int) -> dict[str, str]:
    """Return the headers of an error response, such as the methods that are allowed."""
    headers = dict(error.headers or {}) if isinstance(error, HTTPException) else {}
    if status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    if status == 408:
        headers["Connection"] = "close"
    return headers
