"""The pages of the web table: routes, static files and error pages."""

from __future__ import annotations

from functools import cache

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import SQLAlchemyError
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware

from carril.draw import draw_map, stylesheet
from carril.engine.board import Board
from carril.engine.registry import title_named, title_names
from carril.notation import words as notation
from carril.page import (
    account,
    clock_routes,
    door,
    lobby,
    people,
    program_routes,
    recovery,
    render,
    rulesbook,
    study_routes,
    table_people,
    table_routes,
    tables,
)
from carril.page.watching import Watchers
from carril.page.words import Words, languages
from carril.page.words import catalogue as sentences
from carril.service.app import describe_error, error_headers, error_response
from carril.service.errors import ServiceError
from carril.service.visitors import COOKIE, Credentials, Visitor, who_sent

_LONG = "public, max-age=31536000, immutable"


def add_pages(app: FastAPI) -> None:
    """Add the pages and the static files to the application of the service."""
    app.state.warm_up = _warm_up
    app.include_router(table_routes.router)
    app.router.routes.insert(0, app.router.routes.pop())  # matched in order: the most used first
    app.include_router(lobby.router)
    app.include_router(door.router)
    app.include_router(people.router)
    app.include_router(account.router)
    app.include_router(clock_routes.router)
    app.include_router(recovery.router)
    app.include_router(tables.router)
    app.include_router(table_people.router)
    app.include_router(study_routes.router)
    app.include_router(program_routes.router)
    app.include_router(rulesbook.router)
    app.add_api_route("/static/draw.css", _draw_css, include_in_schema=False)
    app.mount("/static", _Static(directory=render.STATIC), name="static")
    for kind in list(app.exception_handlers):
        app.add_exception_handler(kind, _on_error)
    app.state.on_failure = _on_error
    app.state.watchers = Watchers()
    # Innermost, so that Server-Timing includes compression.
    app.user_middleware.append(Middleware(GZipMiddleware, minimum_size=1024, compresslevel=5))


@cache
def _warm_up() -> None:
    """Fill the caches that every table uses: templates, catalogues, empty maps.

    The server does this in a thread once it answers; what is not there yet is made on demand.
    """
    render.compile_templates()
    for language in languages():
        sentences(language)
    for language in notation.languages():
        notation.catalogue(language)
    for name in title_names():
        tables = title_named(name).tables
        for phase in tables.phases:
            draw_map(tables, Board(), phase_colour=phase.colour, notes={}, embedded=True)
        render.setup_definitions(name, tables.setup.players, tables.setup.variants)


class _Static(StaticFiles):
    """Static files; their addresses change with their content, so browsers may cache them."""

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """Return a file that browsers may cache."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type]
        response.headers["Cache-Control"] = _LONG
        return response


def _draw_css() -> Response:
    """Return the style sheet of the pictures."""
    return Response(stylesheet(), media_type="text/css", headers={"Cache-Control": "max-age=3600"})


async def _on_error(request: Request, error: Exception) -> Response:
    """Return an error as JSON for programs, as a notice for htmx, or as a page."""
    response = await error_response(request, error)
    if request.url.path.startswith("/api"):
        return response
    page = await run_in_threadpool(_error_page, request, error)
    page.headers.update(error_headers(error, page.status_code))
    return page


def _error_page(request: Request, error: Exception) -> Response:
    """Return a notice or a page that shows an error; this reads from the database."""
    status, body = describe_error(error)
    fault = body["error"]
    if request.headers.get("HX-Target", "").startswith("error-"):
        return render.form_error(str(fault["message"]), status)
    if request.headers.get("HX-Request"):
        title = _title_of(request)
        text = render.notice(str(fault["message"]), "bad", str(fault["rule"]), title)
        return render.Html(text, status)
    words = Words(render.language_of(request))
    context = render.page_context(request, _visitor(request), words) | {"message": fault["message"]}
    page = render.environment().get_template("error.html")
    return render.Html(page.render(context), status)


def _visitor(request: Request) -> Visitor:
    """Return who sees an error page: nobody known if the database does not respond."""
    try:
        with request.app.state.games.reading() as reader:
            return who_sent(reader, Credentials(request.cookies.get(COOKIE, "")))
    except (SQLAlchemyError, ServiceError):
        return Visitor()


def _title_of(request: Request) -> str:
    """Return the title of the requested table, for links to its rules."""
    game = request.path_params.get("game", "")
    try:
        return str(request.app.state.games.info(game).title) if game else ""
    except (SQLAlchemyError, ServiceError):
        return ""
