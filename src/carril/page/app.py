"""The whole web table: the service's API, our pages, our static files."""

from __future__ import annotations

from functools import cache

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from carril.draw import draw_map, stylesheet
from carril.engine.board import Board
from carril.engine.refusals import CarrilError
from carril.engine.registry import title_named, title_names
from carril.notation import words as notation
from carril.page import lobby, render, rulesbook, table_routes
from carril.page.words import Words, languages
from carril.page.words import catalogue as sentences
from carril.service.app import make_api, on_error, told
from carril.service.errors import ServiceError
from carril.service.settings import Settings
from carril.service.visitors import Visitor, find_visitor

_LONG = "public, max-age=31536000, immutable"


def make_app(settings: Settings | None = None) -> FastAPI:
    """Return the application that `carril serve` runs: API, pages, static files."""
    app = make_api(settings)
    _prepare()
    app.include_router(lobby.router)
    app.include_router(table_routes.router)
    app.include_router(rulesbook.router)
    app.add_api_route("/static/draw.css", _draw_css, include_in_schema=False)
    app.mount("/static", _Static(directory=render.STATIC), name="static")
    for kind in (ServiceError, CarrilError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _on_error)
    # Innermost, so that the time that the guards tell includes it.
    app.user_middleware.append(Middleware(GZipMiddleware, minimum_size=1024, compresslevel=5))
    return app


@cache
def _prepare() -> None:
    """Make what every table needs before the first is asked for: templates, words, empty maps."""
    render.environment()
    for language in languages():
        sentences(language)
    for language in notation.languages():
        notation.catalogue(language)
    for name in title_names():
        tables = title_named(name).tables
        for phase in tables.phases:
            draw_map(tables, Board(), phase_colour=phase.colour, notes={}, embedded=True)
        render.title_definitions(name)


class _Static(StaticFiles):
    """Files whose address changes with them, so that browsers may keep them."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """Send a file with leave to keep it."""
        answer = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        answer.headers["Cache-Control"] = _LONG
        return answer


def _draw_css() -> Response:
    """The style sheet of the pictures."""
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


async def _on_error(request: Request, error: Exception) -> Response:
    """Tell an error as JSON to programs, as a message at the table, or as a page."""
    answer = await on_error(request, error)
    if request.url.path.startswith("/api"):
        return answer
    return await run_in_threadpool(_error_page, request, error)


def _error_page(request: Request, error: Exception) -> Response:
    """Tell an error to people; who they are has to be looked up."""
    status, body = told(error)
    fault = body["error"]
    assert isinstance(fault, dict)
    if request.headers.get("HX-Request"):
        title = _title_of(request)
        text = render.notice(str(fault["message"]), "bad", str(fault["rule"]), title)
        return render.Html(text, status)
    words = Words(render.language_of(request))
    try:
        visitor = find_visitor(request)
    except ServiceError:
        visitor = Visitor()
    context = render.page_context(request, visitor, words) | {"message": fault["message"]}
    page = render.environment().get_template("error.html")
    return render.Html(page.render(context), status)


def _title_of(request: Request) -> str:
    """Return the title of the table that a request is about, for links to its rules."""
    game = request.path_params.get("game", "")
    try:
        return str(request.app.state.games.info(game).title) if game else ""
    except ServiceError:
        return ""
