"""The routes of a table: the page, its parts, and everything that players do there."""

from __future__ import annotations

import dataclasses
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Header, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from msgspec.structs import replace

from carril.engine.actions import Action, decode_action
from carril.page import changes, charts, chronicle, pushing, render, shelf, spreadsheet, view
from carril.page.hexcards import card_for
from carril.page.own_run import own_run
from carril.page.pushing import TableStream, Watching, role_of
from carril.page.rulesbook import rules_context
from carril.page.table_request import (
    At,
    OpenPosition,
    OpenTable,
    ShownTable,
    Wanted,
    find_position,
    open_table,
    rendering,
    shown_table,
)
from carril.page.urls import TableUrls
from carril.page.watching import Key, Watchers
from carril.service.errors import BadRequest, NotFound, Stale
from carril.service.fields import Number, parse_number
from carril.service.games import Games
from carril.service.jobs.searches import patiently
from carril.service.playing import Order, read_turn
from carril.service.playing import log as read_log
from carril.service.redoing import read_changes
from carril.service.transfers import save_file
from carril.service.values import TableView
from carril.service.visitors import (
    AnyVisitor,
    Given,
    SignedIn,
    TheGames,
    Visitor,
    identify,
    require_user,
)

router = APIRouter(prefix="/table", include_in_schema=False)

_MORE_ENTRIES = 100
"""Log entries loaded at a time."""


# --- viewing -------------------------------------------------------------------------------


@router.get("/{game}")
async def show(table: OpenTable) -> HTMLResponse:
    """Return the page, at first without the results of a long search."""
    return await table.searched(partial(_page, table))


def _page(table: ShownTable) -> HTMLResponse:
    with rendering:
        context = table.context()
        parts = render.render_parts(table.table(), context)
    page = render.renderer(context).get_template("table.html")
    setup = context["look"].state.setup
    definitions = render.setup_definitions(setup.title, len(setup.players), setup.variants)
    return render.Html(page.render(context | {"parts": parts, "definitions": definitions}))


@router.get("/{game}/parts")
async def parts(
    request: Request, given: Given, games: TheGames, game: str, wanted: Wanted
) -> HTMLResponse:
    """Return the parts that have changed, at the latest or an earlier position."""
    if given.nobody and wanted.latest:
        return await _watched(request, given, games, game)
    opened = partial(open_table, request, given, games, game, wanted.at, wanted.fork, wanted.search)
    table = await run_in_threadpool(opened)
    return await table.searched(table.parts)


async def _watched(request: Request, given: Given, games: Games, game: str) -> HTMLResponse:
    """Return the parts for somebody who only watches; all of them get the same."""
    watchers: Watchers = request.app.state.watchers
    heard = await run_in_threadpool(_heard, given, games, game)
    key = Key(game, "nobody", render.language_of(request))
    make = partial(pushing.render_watched, request, games, key)
    return (await watchers.get(key, heard, make, fresh=True)).response(request)


def _heard(given: Given, games: Games, game: str) -> int:
    with games.reading() as reader:
        identify(reader, given)
        return reader.line(game).heard


@router.get("/{game}/hex/{hex_id}")
@patiently
def hex_(asked: OpenPosition, hex_id: str) -> HTMLResponse:
    """Return the card of a hex, with everything that can be done there."""
    if hex_id not in asked.look.state.tables.hexes:
        raise NotFound(f"There is no hex {hex_id}.")
    return asked.fragment("hexcard.html", card=card_for(view.scene_of(asked.look), hex_id))


@router.get("/{game}/try-run")
@patiently
def try_run(asked: OpenPosition, run: str) -> HTMLResponse:
    """Return what a run by clicked stops earns, or why it is not allowed."""
    return asked.fragment("own_run.html", **own_run(view.scene_of(asked.look), run))


@router.get("/{game}/log")
def log(
    request: Request, given: Given, games: TheGames, game: str, until: Number, fork: str = ""
) -> HTMLResponse:
    """Return earlier entries of the log."""
    since = max(0, until - _MORE_ENTRIES)
    with games.reading() as reader:
        asked = find_position(reader, request, given, game, None, fork)
        line = reader.line(game, fork or None, asked.visitor.user)
        found = read_log(reader, line, since, until + 1)
        changed = read_changes(reader.connection, line.id)
        first, after = (reader.position(line, n).state for n in (since, until))
    words, shown = asked.look.words, [entry for entry in found if entry.number <= until]
    then = found[-1] if len(found) > len(shown) else None
    notes = changes.noted(words, changed, shown, then, -1)
    headings = chronicle.heading_of(first), chronicle.heading_of(after)
    groups = chronicle.log(words, shown, *headings)
    return asked.fragment("log_more.html", log=groups, noted=notes, earlier=since)


@router.get("/{game}/view/sheet")
def sheet_view(asked: OpenPosition) -> HTMLResponse:
    """Return the table of all holdings."""
    return asked.fragment(
        "view_sheet.html", sheet=spreadsheet.sheet(asked.look.state, asked.look.runs)
    )


@router.get("/{game}/view/tiles")
def tiles_view(asked: OpenPosition) -> HTMLResponse:
    """Return the tray of tiles."""
    return asked.fragment("view_tiles.html", tray=shelf.tray(asked.look.state))


@router.get("/{game}/view/rules")
def rules_view(asked: OpenPosition) -> HTMLResponse:
    """Return the rules of the title."""
    return asked.fragment(
        "view_rules.html", **rules_context(asked.look.info.title, asked.look.language)
    )


@router.get("/{game}/view/chart")
def chart_view(
    request: Request, given: Given, games: TheGames, game: str, at: At = None, fork: str = ""
) -> HTMLResponse:
    """Return the charts of the game up to a position."""
    with games.reading() as reader:
        asked = find_position(reader, request, given, game, at, fork)
        line = reader.line(game, fork or None, asked.visitor.user)
        head = asked.look.position.at
        entries = read_log(reader, line, 0, head)
        drawn = charts.charts(entries, lambda n: reader.position(line, n).state, head)
    return asked.fragment("view_chart.html", charts=drawn)


# --- acting --------------------------------------------------------------------------------


@router.post("/{game}/act")
@patiently
def act(
    request: Request,
    given: Given,
    games: TheGames,
    game: str,
    action: Annotated[str, Form()],
    head: Annotated[int, Form()],
    version: Annotated[int, Form()],
    fork: Annotated[str, Form()] = "",
    field: Annotated[str, Form()] = "",
    amount: Annotated[int | None, Form()] = None,
    idempotency_key: Annotated[str, Header(max_length=80)] = "",
) -> HTMLResponse:
    """Play an action and return the table after it; with the same key, only once."""
    wanted = read_action(action, field, amount)
    order = Order(wanted, head, version, idempotency_key, fork or None)
    with games.reading() as reader:
        visitor = identify(reader, given)
        turn = read_turn(reader, game, require_user(request, visitor), order)
    try:
        table = games.act_at_table(turn)
    except Stale:
        return _stale(request, visitor, games.table(game, visitor.user, fork=fork or None))
    return shown_table(request, visitor, table).parts(render.notice(""))


def _stale(request: Request, visitor: Visitor, table: TableView) -> HTMLResponse:
    """Return the latest table, and that somebody else acted first."""
    shown = shown_table(request, visitor, table)
    words = shown.asked.look.words
    response = shown.parts(render.notice(words.say("page.stale"), "warn"))
    response.status_code = Stale.status
    return response


def read_action(text: str, field: str, amount: int | None) -> Action:
    """Return the action in a form, with the amount chosen there."""
    action = decode_action(text)
    if not field:
        return action
    if amount is None or not isinstance(getattr(action, field, None), int):
        raise BadRequest(f"{field!r} is not an amount of this action.")
    return replace(action, **{field: amount})


@router.post("/{game}/undo")
def undo(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    to: Annotated[Number, Form()],
    version: Annotated[int | None, Form()] = None,
    fork: str = "",
) -> HTMLResponse:
    """Undo everything after a position, or ask the others to agree."""
    games.undo(game, user, to, fork=fork or None, version=version)
    table = games.table(game, user, fork=fork or None)
    return shown_table(request, visitor, table).parts(render.notice(""))


@router.post("/{game}/redo")
def redo(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    series: Annotated[Number, Form()],
    version: Annotated[int, Form()],
    fork: str = "",
) -> HTMLResponse:
    """Put back what was taken back, or ask the others to agree."""
    games.redo(game, user, series, fork=fork or None, version=version)
    table = games.table(game, user, fork=fork or None)
    return shown_table(request, visitor, table).parts(render.notice(""))


@router.post("/{game}/vote")
def vote(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    number: Annotated[Number, Form(alias="request")],
    accept: Annotated[str, Form()],
) -> HTMLResponse:
    """Agree to a request, decline or withdraw it."""
    games.answer(game, user, number, accept == "yes")
    return shown_table(request, visitor, games.table(game, user)).parts()


@router.post("/{game}/fork")
def fork_(user: SignedIn, games: TheGames, game: str, at: Annotated[Number, Form()]) -> Response:
    """Start a private what-if line."""
    line = games.fork(game, user, at)
    return _redirect(TableUrls(game, "", line).table)


@router.post("/{game}/keep")
def keep(user: SignedIn, games: TheGames, game: str, fork: str) -> Response:
    """Make a what-if line the main line."""
    games.keep_fork(game, user, fork)
    return _redirect(TableUrls(game, "").table)


@router.post("/{game}/drop")
def drop(user: SignedIn, games: TheGames, game: str, fork: str) -> Response:
    """Discard a what-if line."""
    games.discard_fork(game, user, fork)
    return _redirect(TableUrls(game, "").table)


def _redirect(url: str) -> Response:
    return Response(headers={"HX-Redirect": url})


# --- chat, file, live updates --------------------------------------------------------------


@router.post("/{game}/chat")
def chat(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    text: Annotated[str, Form()],
) -> HTMLResponse:
    """Add a remark to the chat."""
    games.post_remark(game, user, text)
    shown = shown_table(request, visitor, games.table(game, user))
    made = render.render_parts(shown.table(), shown.context(), ("chat",))
    return render.Html(made["chat"].replacing())


@router.get("/{game}/file")
async def file(visitor: AnyVisitor, games: TheGames, game: str, fork: str = "") -> Response:
    """Return the game as a Carril save file."""
    return await save_file(games, game, fork or None, visitor.user)


@router.get("/{game}/live")
async def live(
    request: Request,
    given: Given,
    games: TheGames,
    game: str,
    after: At = None,
    shown: str = "",
) -> Response:
    """Stream a table: messages, also those that a reconnecting browser missed, and changed parts.

    `shown` has the revisions of the parts on a new page; a browser that comes back has others.
    """
    watching = await run_in_threadpool(_watching, request, given, games, game)
    last = request.headers.get("Last-Event-ID", "")
    begun = dataclasses.replace(
        watching, place=parse_number(last, after), shown="" if last else shown
    )
    return TableStream(request, games, begun)


def _watching(request: Request, given: Given, games: Games, game: str) -> Watching:
    """Return who watches; raise an error if the credentials are wrong or there is no such game."""
    with games.reading() as reader:
        user = identify(reader, given).user
        role = role_of(reader, game, user)
    return Watching(game, user, role, render.language_of(request))
