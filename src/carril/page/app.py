"""The whole web table: the service's API, our pages, our static files."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

from carril.draw import stylesheet
from carril.engine.refusals import CarrilError
from carril.page import lobby, render, rulesbook, tables
from carril.page.words import Words
from carril.service.app import make_api, on_error, told
from carril.service.errors import ServiceError
from carril.service.settings import Settings
from carril.service.visitors import Visitor, find_visitor

_LONG = "public, max-age=31536000, immutable"


def make_app(settings: Settings | None = None) -> FastAPI:
    """Return the application that `carril serve` runs: API, pages, static files."""
    app = make_api(settings)
    app.include_router(lobby.router)
    app.include_router(tables.router)
    app.include_router(rulesbook.router)
    app.add_api_route("/static/draw.css", _draw_css, include_in_schema=False)
    app.mount("/static", _Static(directory=render.STATIC), name="static")
    for kind in (ServiceError, CarrilError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _on_error)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    return app


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
