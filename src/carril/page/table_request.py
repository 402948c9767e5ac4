"""Requests for a table: who sent them, what they look at, and the HTML they get."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import HTMLResponse

from carril.engine.cache import Cache
from carril.page import render, view
from carril.page.urls import TableUrls
from carril.service.company_runs import company_runs
from carril.service.fields import Number
from carril.service.game_store import Reader
from carril.service.table_view import read_table
from carril.service.values import CompanyRun, GameInfo, Position, TableView
from carril.service.visitors import Given, TheGames, Visitor, identify

At = Number | None
_spectator_parts: Cache[str] = Cache(32)


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A request for a position of a table."""

    request: Request
    visitor: Visitor
    look: view.Look
    urls: TableUrls

    def context(self) -> dict[str, Any]:
        """Return the variables for the templates of a table."""
        page = render.page_context(self.request, self.visitor, self.look.words)
        return page | render.table_context(self.look, self.urls)

    def fragment(self, template: str, **more: Any) -> HTMLResponse:
        """Return one rendered template."""
        ids = {"uid": render.id_counter("u-fragment")}
        found = render.environment().get_template(template)
        return render.Html(found.render(self.context() | ids | more))


def table_request(
    request: Request,
    visitor: Visitor,
    info: GameInfo,
    position: Position,
    runs: tuple[CompanyRun, ...] = (),
) -> TableRequest:
    """Return the request of a visitor for a position, with the runs of companies up to it."""
    look = view.Look(info, position, visitor.user, render.language_of(request), runs)
    return TableRequest(request, visitor, look, TableUrls(info.id, info.title, position.fork))


def find_position(
    reader: Reader, request: Request, given: Given, game: str, at: At = None, fork: str = ""
) -> TableRequest:
    """Identify the visitor and read the position that they ask for."""
    visitor = identify(reader, given)
    line = reader.line(game, fork or None, visitor.user)
    info = reader.info(game, visitor.user)
    position = reader.position(line, at)
    runs = company_runs(reader, line, position.at)
    return table_request(request, visitor, info, position, runs)


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table to be shown, with everything on it."""

    asked: TableRequest
    shown: TableView
    later: bool
    """Whether the best run of an earlier position is left to another request."""

    def context(self) -> dict[str, Any]:
        """Return the variables for the templates of the table."""
        return self.asked.context() | {
            "fork": self.shown.fork,
            "undo": self.shown.undo,
            "request": self.shown.request,
            "chat": self.shown.chat,
        }

    def table(self) -> view.Table:
        """Return the view models of the table."""
        return view.table(self.asked.look, self.shown.log, self.shown.next, self.later)

    def parts(self, message: str = "") -> HTMLResponse:
        """Return all parts, which replace those on the page, and a notice."""
        if self.shown.fork or self.shown.info.seats_of(self.asked.visitor.user):
            return render.Html(self._render_parts() + message)
        return render.Html(_spectator_parts.get(self._key(), self._render_parts) + message)

    def _render_parts(self) -> str:
        return "".join(render.render_parts(self.table(), self.context(), oob=True).values())

    def _key(self) -> tuple[object, ...]:
        """Return what the parts depend on for spectators, who all see the same."""
        position, user = self.shown.position, self.asked.visitor.user
        remark = self.shown.chat[-1].number if self.shown.chat else 0
        request = self.shown.request.id if self.shown.request else 0
        role = "" if user is None else "owner" if user.id == self.shown.info.owner else "user"
        language = self.asked.look.language
        return (position.tag, position.head, remark, request, role, language, self.later)


def shown_table(
    request: Request, visitor: Visitor, shown: TableView, search: bool = False
) -> ShownTable:
    """Return a table to be shown; `search` includes the best run of an earlier position."""
    asked = table_request(request, visitor, shown.info, shown.position, shown.runs)
    return ShownTable(asked, shown, not search and view.takes_search(asked.look))


def open_position(
    request: Request, given: Given, games: TheGames, game: str, at: At = None, fork: str = ""
) -> TableRequest:
    """Read a position and its visitor in one transaction."""
    with games.reading() as reader:
        return find_position(reader, request, given, game, at, fork)


def open_table(
    request: Request,
    given: Given,
    games: TheGames,
    game: str,
    at: At = None,
    fork: str = "",
    search: bool = False,
) -> ShownTable:
    """Read a table and its visitor in one transaction."""
    with games.reading() as reader:
        visitor = identify(reader, given)
        found = read_table(reader, game, visitor.user, at, fork or None)
    return shown_table(request, visitor, found, search)


OpenPosition = Annotated[TableRequest, Depends(open_position)]
OpenTable = Annotated[ShownTable, Depends(open_table)]
