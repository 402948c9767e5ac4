"""Requests for a table: who sent them, what they look at, and the HTML they get."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from threading import BoundedSemaphore
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse

from carril.engine.cache import Cache
from carril.page import changes, clocks, program_list, render, view, votes
from carril.page.panels import panel_for
from carril.page.panels.run import SEARCHING
from carril.page.urls import TableUrls
from carril.page.watching import Watched, changed_parts, shown_revisions
from carril.service.clock import now
from carril.service.company_runs import company_runs
from carril.service.errors import ServiceError
from carril.service.fields import Number
from carril.service.game_store import Reader
from carril.service.jobs.searches import finish
from carril.service.table_view import read_table
from carril.service.values import CompanyRun, GameInfo, Position, TableView
from carril.service.visitors import Given, TheGames, Visitor, identify

At = Number | None
rendering = BoundedSemaphore(2)
"""Held by threads that render a table.

Threads take turns in the interpreter. If many rendered at once, one that has the write lock would
get a small share of the time, and all who act would wait for it.
"""
_spectator_parts: Cache[Watched] = Cache(32)


def server_now() -> int:
    """Return the time of the server in milliseconds, by which the page shows clocks."""
    return int(now().timestamp() * 1000)


def stamp() -> str:
    """Return the part of the page that has the time of the server."""
    return f'<span id="server-now" hidden data-now="{server_now()}" hx-swap-oob="true"></span>'


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
        context = page | render.table_context(self.look, self.urls)
        return render.with_pieces(context)

    def fragment(self, template: str, **more: Any) -> HTMLResponse:
        """Return one rendered template."""
        ids = {"uid": render.id_counter("u-fragment")}
        context = self.context() | ids | more
        return render.Html(render.renderer(context).get_template(template).render(context))


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
    search: bool = False
    """Whether the request is for the result of a search, and waits for it."""

    def context(self) -> dict[str, Any]:
        """Return the variables for the templates of the table."""
        look, shown = self.asked.look, self.shown
        words, head = look.words, shown.info.head if shown.fork else shown.position.head
        may_redo = look.live and shown.undo is not None
        last = shown.position.head if may_redo else -1
        return self.asked.context() | {
            "fork": shown.fork,
            "undo": changes.undo_buttons(look, shown),
            "redo": changes.redo_button(words, shown),
            "keep_sure": changes.keep_question(words, shown.fork, head),
            "noted": changes.noted(words, shown.changes, shown.log, shown.next, last),
            "votes": votes.cards(look, shown.requests),
            "chat": shown.chat,
            "clock": clocks.shown(shown.clock, words),
            "server_now": server_now(),
            "may_program": program_list.may_give(look),
            "programs": program_list.program_list(look, shown.programs),
            "chat_read": shown.read,
        }

    def table(self) -> view.Table:
        """Return the view models of the table."""
        shown = self.shown
        return view.table(self.asked.look, shown.log, shown.next, shown.first, shown.since)

    async def searched(self, make: Callable[[], HTMLResponse]) -> HTMLResponse:
        """Return what `make` renders; if the request asks for a search, after that has ended."""
        if self.search:
            with suppress(ServiceError):  # the page says what is known
                await finish(partial(panel_for, view.scene_of(self.asked.look)))
        return await run_in_threadpool(make)

    def parts(self, message: str = "") -> HTMLResponse:
        """Return the parts that have changed, which replace those on the page, and a notice."""
        shown = shown_revisions(self.asked.request)
        changed = changed_parts(self._seen_parts().parts, shown)
        return render.Html(changed + stamp() + message)

    def watched(self) -> Watched:
        """Return the parts as everybody sees them who only watches."""
        with rendering:
            table = self.table()
            made = render.render_parts(table, self.context())
        lasting = table.panel.template != SEARCHING
        return Watched(self.shown.info.heard, made, lasting, table.later)

    def _seen_parts(self) -> Watched:
        """Return the parts; for spectators, who see the same, from a cache."""
        if self.shown.fork or self.shown.info.seats_of(self.asked.visitor.user):
            return self.watched()
        key = self._key()
        made = _spectator_parts.find(key) or self.watched()
        if made.lasting:
            _spectator_parts.put(key, made)
        return made

    def _key(self) -> tuple[object, ...]:
        """Return what the parts depend on for spectators, who all see the same."""
        position, user = self.shown.position, self.asked.visitor.user
        role = "" if user is None else "owner" if user.id == self.shown.info.owner else "user"
        language = self.asked.look.language
        heard = self.shown.info.heard  # counts every action, undo, remark, request and new player
        expires = self.shown.clock and self.shown.clock.expires
        return (position.tag, position.head, heard, role, language, expires)


def shown_table(
    request: Request, visitor: Visitor, shown: TableView, search: bool = False
) -> ShownTable:
    """Return a table to be shown; `search` waits for the best run."""
    asked = table_request(request, visitor, shown.info, shown.position, shown.runs)
    return ShownTable(asked, shown, search)


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


@dataclass(frozen=True, slots=True)
class WantedParts:
    """Which position a browser wants."""

    at: At = None
    fork: str = ""
    search: bool = False

    @property
    def latest(self) -> bool:
        """Whether it is the latest position of the game as far as it is known."""
        return self.at is None and not self.fork and not self.search


Wanted = Annotated[WantedParts, Depends()]
OpenPosition = Annotated[TableRequest, Depends(open_position)]
OpenTable = Annotated[ShownTable, Depends(open_table)]
