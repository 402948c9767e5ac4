"""The table's own addresses: the page, its parts, and everything one does at it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response
from msgspec.structs import replace
from sse_starlette import EventSourceResponse

from carril.engine.actions import Action, decode_action
from carril.page import cards, charts, chronicle, render, shelf, view
from carril.page.hexcards import card_for
from carril.page.own_run import own_run
from carril.page.pictures import Kept
from carril.page.rulesbook import rules_context
from carril.page.urls import TableUrls
from carril.service.errors import BadRequest, NotFound, Stale
from carril.service.games import Games
from carril.service.values import ForkInfo, Undone, UndoPoints
from carril.service.visitors import AnyVisitor, SignedIn, TheGames, Visitor, find_visitor

router = APIRouter(prefix="/table", include_in_schema=False)

At = int | None
_seen = Kept(32)


class Desk:
    """One request at a table: who asks, for which line and position."""

    def __init__(
        self,
        request: Request,
        visitor: Visitor,
        games: Games,
        game: str,
        at: At,
        fork: str,
        search: bool = False,
    ) -> None:
        """Look the position up; NotFound if there is none."""
        self.request, self.visitor, self.games = request, visitor, games
        info = games.info(game, visitor.user)
        position = games.position(game, at, fork or None, visitor.user)
        language = render.language_of(request)
        self.look = view.Look(info, position, visitor.user, language)
        self.urls = TableUrls(game, info.title, fork)
        self.later = not search and view.takes_search(self.look)

    @property
    def fork_info(self) -> ForkInfo | None:
        """The what-if line that is shown, if one is."""
        if not self.look.position.fork or not self.visitor.user:
            return None
        lines = self.games.forks(self.look.info.id, self.visitor.user)
        return next((one for one in lines if one.id == self.look.position.fork), None)

    def undo_points(self) -> UndoPoints | None:
        """Where undo leads, for somebody who may undo at all."""
        look, user = self.look, self.visitor.user
        if user is None or (look.info.read_only and not look.position.fork):
            return None
        if look.position.fork:
            base = self.fork_info.base if self.fork_info else 0
            before = look.position.head - 1
            return UndoPoints(before if before >= base else None, base)
        if not look.info.seats_of(user):
            return None
        return self.games.undo_points(look.info.id, user)

    def context(self) -> dict[str, Any]:
        """Return what the templates of this table need."""
        return (
            render.page_context(self.request, self.visitor, self.look.words)
            | render.table_context(self.look, self.urls)
            | {
                "fork": self.fork_info,
                "undo": self.undo_points(),
                "request": self.games.undo_request(self.look.info.id),
                "chat": self.games.chat(self.look.info.id)[-50:],
            }
        )

    def table(self) -> view.Table:
        """Return the table with the end of its log."""
        look = self.look
        at, fork = look.position.at, look.position.fork or None
        since = max(0, at - chronicle.SHOWN)
        found = self.games.log(look.info.id, since, at + 1, fork, self.visitor.user)
        log = [entry for entry in found if entry.number <= at]
        then = [] if look.live else found[len(log) :]
        return view.table(look, log, then, self.later)

    def parts(self, message: str = "") -> HTMLResponse:
        """Return all parts, to be put in place of the old ones."""
        return render.Html(self._made_parts() + message)

    def _made_parts(self) -> str:
        """Make the parts; those who only watch all see the same, so it is made for them once."""
        look, user = self.look, self.visitor.user
        context = self.context()

        def fresh() -> str:
            return "".join(render.render_parts(self.table(), context, oob=True).values())

        if look.position.fork or look.info.seats_of(user):
            return fresh()
        talk = context["chat"][-1].number if context["chat"] else 0
        wish = context["request"].id if context["request"] else 0
        known = user is not None and (user.id == look.info.owner or "somebody")
        key = (look.position.tag, look.position.head, talk, wish, known, look.language, self.later)
        return _seen.get(key, fresh)

    def fragment(self, template: str, **more: Any) -> HTMLResponse:
        """Return one template rendered for this table."""
        counter = {"uid": render._counter("u-fragment")}
        found = render.environment().get_template(template)
        return render.Html(found.render(self.context() | counter | more))


@router.get("/{game}")
def show(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    game: str,
    at: At = None,
    fork: str = "",
    search: bool = False,
) -> HTMLResponse:
    """The whole table; of an earlier position at first without what takes a search."""
    desk = Desk(request, visitor, games, game, at, fork, search)
    context = desk.context()
    parts = render.render_parts(desk.table(), context)
    page = render.environment().get_template("table.html")
    title = desk.look.info.title
    return render.Html(
        page.render(context | {"parts": parts, "definitions": render.title_definitions(title)})
    )


@router.get("/{game}/parts")
def parts(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    game: str,
    at: At = None,
    fork: str = "",
    search: bool = False,
) -> HTMLResponse:
    """What changes with every action, at the newest position or an earlier one."""
    return Desk(request, visitor, games, game, at, fork, search).parts()


@router.get("/{game}/hex/{hex_id}")
def hex_(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    game: str,
    hex_id: str,
    at: At = None,
    fork: str = "",
) -> HTMLResponse:
    """What lies on a hex, and what can be done there."""
    desk = Desk(request, visitor, games, game, at, fork)
    if hex_id not in desk.look.state.title.tables.hexes:
        raise NotFound(f"there is no hex {hex_id}")
    return desk.fragment("hexcard.html", card=card_for(view.scene_of(desk.look), hex_id))


@router.get("/{game}/try-run")
def try_run(
    request: Request, visitor: AnyVisitor, games: TheGames, game: str, run: str, fork: str = ""
) -> HTMLResponse:
    """A run by clicked stops: what it earns, or why not."""
    desk = Desk(request, visitor, games, game, None, fork)
    return desk.fragment("own_run.html", **own_run(view.scene_of(desk.look), run))


@router.get("/{game}/log")
def log(
    request: Request, visitor: AnyVisitor, games: TheGames, game: str, until: int, fork: str = ""
) -> HTMLResponse:
    """Earlier entries of the log."""
    desk = Desk(request, visitor, games, game, None, fork)
    since = max(0, until - 100)
    found = games.log(game, since, until, fork or None, visitor.user)
    entries = chronicle.entries(desk.look.words, found)
    return desk.fragment("log_more.html", log=entries, earlier=since)


@router.get("/{game}/view/{key}")
def lazy_view(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    game: str,
    key: str,
    at: At = None,
    fork: str = "",
) -> HTMLResponse:
    """A view of the board that is loaded when it is opened."""
    desk = Desk(request, visitor, games, game, at, fork)
    state, user = desk.look.state, visitor.user
    match key:
        case "sheet":
            return desk.fragment("view_sheet.html", sheet=cards.sheet(state))
        case "tiles":
            return desk.fragment("view_tiles.html", tray=shelf.tray(state))
        case "chart":
            entries = games.log(game, 0, desk.look.position.at, fork or None, user)
            drawn = charts.charts(
                entries,
                lambda number: games.position(game, number, fork or None, user).state,
                desk.look.position.at,
            )
            return desk.fragment("view_chart.html", charts=drawn)
        case "rules":
            return desk.fragment("view_rules.html", **rules_context(desk.look.info.title, "", ""))
    raise NotFound(f"there is no view {key}")


@router.post("/{game}/act")
def act(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    action: Annotated[str, Form()],
    head: Annotated[int, Form()],
    version: Annotated[int, Form()],
    fork: Annotated[str, Form()] = "",
    field: Annotated[str, Form()] = "",
    amount: Annotated[int | None, Form()] = None,
) -> HTMLResponse:
    """Take up an action; the answer is the table after it."""
    wanted = read_action(action, field, amount)
    try:
        games.act(game, user, wanted, head, version=version, fork=fork or None)
    except Stale:
        desk = Desk(request, visitor, games, game, None, fork)
        told = render.notice(desk.look.words.say("page.stale"), "warn")
        answer = desk.parts(told)
        answer.status_code = Stale.status
        return answer
    return Desk(request, visitor, games, game, None, fork).parts(render.notice(""))


def read_action(text: str, field: str, amount: int | None) -> Action:
    """Return the action that a form carries, with the amount chosen in it."""
    action = decode_action(text)
    if not field:
        return action
    if amount is None or not isinstance(getattr(action, field, None), int):
        raise BadRequest(f"{field} is no amount of this action")
    return replace(action, **{field: amount})


@router.post("/{game}/undo")
def undo(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    to: Annotated[int, Form()],
    fork: str = "",
) -> HTMLResponse:
    """Take back everything after a position, or ask the others to agree."""
    games.undo(game, user, to, fork=fork or None)
    return Desk(request, visitor, games, game, None, fork).parts(render.notice(""))


@router.post("/{game}/undo-answer")
def undo_answer(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    number: Annotated[int, Form(alias="request")],
    accept: Annotated[str, Form()],
) -> HTMLResponse:
    """Agree to a wish to take back, or refuse or withdraw it."""
    _: Undone = games.answer(game, user, number, accept == "yes")
    return Desk(request, visitor, games, game, None, "").parts()


@router.post("/{game}/fork")
def fork_(user: SignedIn, games: TheGames, game: str, at: Annotated[int, Form()]) -> Response:
    """Begin a private what-if line."""
    line = games.fork(game, user, at)
    return _go(TableUrls(game, "", line).table)


@router.post("/{game}/keep")
def keep(user: SignedIn, games: TheGames, game: str, fork: str) -> Response:
    """Make a what-if line the game's own."""
    games.keep_fork(game, user, fork)
    return _go(TableUrls(game, "").table)


@router.post("/{game}/drop")
def drop(user: SignedIn, games: TheGames, game: str, fork: str) -> Response:
    """Throw a what-if line away."""
    games.discard_fork(game, user, fork)
    return _go(TableUrls(game, "").table)


def _go(url: str) -> Response:
    return Response(headers={"HX-Redirect": url})


@router.post("/{game}/chat")
def chat(
    request: Request,
    visitor: AnyVisitor,
    user: SignedIn,
    games: TheGames,
    game: str,
    text: Annotated[str, Form()],
) -> HTMLResponse:
    """Say something at the table."""
    games.say(game, user, text)
    desk = Desk(request, visitor, games, game, None, "")
    made = render.render_parts(desk.table(), desk.context(), ("chat",), oob=True)
    return render.Html(made["chat"])


@router.get("/{game}/file")
def file(visitor: AnyVisitor, games: TheGames, game: str, fork: str = "") -> Response:
    """The game as a Carril save file."""
    text = games.export(game, fork or None, visitor.user)
    headers = {"Content-Disposition": f'attachment; filename="carril-{game}.json"'}
    return Response(text, media_type="application/json", headers=headers)


@router.get("/{game}/live")
async def live(
    request: Request, games: TheGames, game: str, after: At = None
) -> EventSourceResponse:
    """What happens at the table, as it happens; a browser that was away gets what it missed."""
    await run_in_threadpool(find_visitor, request)
    await run_in_threadpool(games.info, game)
    last = request.headers.get("Last-Event-ID", "")
    place = int(last) if last.isdigit() else after

    async def news() -> AsyncIterator[dict[str, Any]]:
        yield {"retry": 1000, "comment": "here"}
        async for message in games.subscribe(game, place):
            data = json.dumps(message.data, default=str)
            yield {"id": str(message.id), "event": message.kind, "data": data}

    return EventSourceResponse(news(), ping=20)
