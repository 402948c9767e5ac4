"""The lobby: my games, new games, imports and invitations."""

from __future__ import annotations

from typing import Annotated, Any, cast, get_args

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, Response

from carril.engine.figures import SetupDef
from carril.engine.registry import listed_titles, title_named
from carril.engine.setups import optional_variants
from carril.engine.title import Title
from carril.page import chronicle, clocks, door, people, render
from carril.page.tables import table_row
from carril.page.urls import TableUrls
from carril.page.words import Words
from carril.service.errors import BadRequest
from carril.service.fields import MOST_SEED, parse_number
from carril.service.game_store import Reader
from carril.service.listing import list_games, list_watchable
from carril.service.notifications.mail import clean_address
from carril.service.opponents import default_bot, listed_bots
from carril.service.people import notes
from carril.service.people.finding import Query, find_tables
from carril.service.setting_up import is_open_seat_name
from carril.service.transfers import import_upload
from carril.service.values import GameInfo, NewGame, Seat, User, Visibility
from carril.service.visitors import (
    AnyVisitor,
    Given,
    SignedIn,
    TheAccounts,
    TheGames,
    Visitor,
    identify,
)

router = APIRouter(include_in_schema=False)

_SEATS = 6
_JOINABLE = 5
"""Tables to join that the first page lists."""
_WATCHABLE = 6
"""Games to watch that the first page lists."""


@router.get("/")
def lobby(request: Request, given: Given, games: TheGames, accounts: TheAccounts) -> HTMLResponse:
    """Return the first page: the front door, or the games of a user."""
    with games.reading() as reader:
        visitor, found = _games_of(reader, given)
        public = list_watchable(reader, _WATCHABLE)
        joinable = find_tables(reader.connection, visitor.user, Query("open")).tables
        unread = notes.unread(reader.connection, [one.id for one in found], visitor.user)
    context = _games_context(request, visitor, found, unread)
    context |= door.door_context(request, public)
    words = Words(render.language_of(request))
    open_tables = [info for info in joinable if not info.seats_of(visitor.user)][:_JOINABLE]
    context |= {
        "rows": [table_row(words, info, visitor.user) for info in open_tables],
        "titles": [_title(title, render.language_of(request)) for title in listed_titles()],
        "bots": listed_bots(),
        "default_bot": default_bot(),
        "asks_address": people.asks_address(request, accounts, visitor.user),
        **clocks.choices(Words(render.language_of(request))),
    }
    page = "lobby.html" if context["user"] else "door.html"
    return render.Html(render.environment().get_template(page).render(context))


def _title(title: Title, language: str) -> dict[str, Any]:
    words = Words(language, title.tables.figures.currency)
    setups = sorted(title.tables.setups, key=lambda setup: setup.players)
    return {
        "name": title.name,
        "editions": title.editions,
        "conventions": list(title.conventions),
        "variants": [_variant(words, title, one) for one in optional_variants(title)],
        "setups": [_setup(words, setup) for setup in setups],
        "chosen": any(setup.variants for setup in setups),
    }


def _variant(words: Words, title: Title, name: str) -> dict[str, Any]:
    """Return an optional variant, with the numbers of players it is for if not for all."""
    counts = title.tables.variants[name].players
    note = words.say("lobby.variant-for", players=_either(words, counts)) if counts else ""
    return {"name": name, "note": note, "players": counts}


def _either(words: Words, counts: tuple[int, ...]) -> str:
    return words.say("lobby.or").join(str(count) for count in counts)


def _setup(words: Words, setup: SetupDef) -> dict[str, Any]:
    """Return a set-up: its players, what chooses it, and a sentence with its figures."""
    return {
        "players": setup.players,
        "variants": " ".join(setup.variants),
        "sentence": _setup_sentence(words, setup),
    }


def _setup_sentence(words: Words, setup: SetupDef) -> str:
    return words.say(
        "lobby.setup-with" if setup.variants else "lobby.setup",
        players=setup.players,
        variants=", ".join(words.name("variant", one) for one in setup.variants),
        cash=words.money(setup.cash),
        certificates=setup.certificates,
    )


@router.get("/games")
def my_games(request: Request, given: Given, games: TheGames) -> HTMLResponse:
    """Return the list of my games, with which the lobby refreshes itself."""
    with games.reading() as reader:
        visitor, found = _games_of(reader, given)
        unread = notes.unread(reader.connection, [one.id for one in found], visitor.user)
    context = _games_context(request, visitor, found, unread)
    return render.Html(render.environment().get_template("games.html").render(context))


def _games_of(reader: Reader, given: Given) -> tuple[Visitor, list[GameInfo]]:
    """Return the visitor and their games."""
    visitor = identify(reader, given)
    return visitor, list_games(reader, visitor.user) if visitor.user else []


def _games_context(
    request: Request, visitor: Visitor, found: list[GameInfo], unread: dict[str, int]
) -> dict[str, Any]:
    """Return the template variables of a visitor and their games, with unread remarks."""
    words = Words(render.language_of(request))
    shown = [
        _game(request, info, visitor.user, words) | {"unread": unread.get(info.id, 0)}
        for info in found
    ]
    shown.sort(key=lambda game: not game["turn"])
    return render.page_context(request, visitor, words) | {"games": shown}


def _game(request: Request, info: GameInfo, user: User | None, words: Words) -> dict[str, Any]:
    currency = title_named(info.title).tables.figures.currency
    in_game = Words(words.language, currency)
    best = next(iter((info.result or {}).items()), None)
    base = str(request.base_url).rstrip("/")
    return {
        "id": info.id,
        "name": info.name,
        "title": info.title,
        "round": info.round,
        "head": info.head,
        "turn": info.acting in info.seats_of(user) and not info.read_only,
        "acting": info.acting,
        "record": info.read_only,
        "own": bool(user and info.owner == user.id and not info.others(user)),
        "won": _won(in_game, *best) if best else "",
        "last": chronicle.in_short(in_game, info.last),
        "players": [
            words.say("seat.bot", name=s.player) if s.kind == "bot" else s.player
            for s in info.seats
        ],
        "invitations": [
            {"player": s.player, "url": f"{base}/join/{s.invitation}"}
            for s in info.seats
            if s.invitation and not s.user
        ],
    }


def _won(words: Words, player: str, worth: int) -> str:
    return words.say("lobby.won", player=player, worth=words.money(worth))


@router.post("/new")
async def new(request: Request, user: SignedIn, games: TheGames, accounts: TheAccounts) -> Response:
    """Create a game."""
    form = await request.form()

    def text(key: str) -> str:
        return str(form.get(key, "")).strip()

    seats = tuple(
        seat for n in range(1, _SEATS + 1) if (seat := _seat(text(f"seat-{n}"), text(f"name-{n}")))
    )
    seed = parse_number(text("seed"), None, MOST_SEED)
    if text("seed") and seed is None:
        raise BadRequest("The seed must be a whole number.")
    wanted = NewGame(
        title=text("title"),
        seats=seats,
        edition=text("edition"),
        variants=(*text("setup").split(), *(str(one) for one in form.getlist("variant"))),
        conventions=text("conventions") or "rulebook",
        seed=seed,
        name=text("name"),
        visibility=visibility_of(text("visibility") or "unlisted"),
        rated=bool(text("rated")),
        clock=clocks.read_control(text),
    )
    await run_in_threadpool(people.give_address, request, accounts, user, text("email"))
    made = await run_in_threadpool(games.create, user, wanted)
    return render.go_to(request, f"/table/{made.id}")


def visibility_of(text: str) -> Visibility:
    """Return who can see a new table; raise BadRequest if the form has something else."""
    for one in get_args(Visibility):
        if text == one:
            return cast("Visibility", one)
    raise BadRequest("Choose who can see the table.")


def _seat(kind: str, name: str) -> Seat | None:
    """Return the seat of a line of the form, or None if it is empty."""
    if kind == "me":
        return Seat("me", name)
    if kind == "person":
        return Seat("person", name)
    if kind.startswith("bot:"):
        return Seat("bot", name, kind[4:])
    return None


@router.post("/games/{game}/delete")
def delete(
    request: Request, given: Given, user: SignedIn, games: TheGames, game: str
) -> HTMLResponse:
    """Delete a game and return the list of the others."""
    games.delete(game, user)
    return my_games(request, given, games)


@router.post("/import")
async def import_(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    accounts: TheAccounts,
    file: Annotated[UploadFile, File()],
    play: Annotated[str, Form()] = "",
) -> Response:
    """Import a game from a file; with `play`, go on to the form for a table that continues it.

    A visitor without an account becomes a guest.
    """
    user = visitor.user
    if user is None:
        user = await run_in_threadpool(people.new_guest, request, accounts, "")
    made = await import_upload(request, games, user, file)
    urls = TableUrls(made.id, made.title)
    goes_on = play and not made.finished
    to = urls.play_on(made.head) if goes_on else urls.table
    return await run_in_threadpool(people.enter, request, visitor, accounts, user, to)


@router.get("/join/{token}")
def invitation(
    request: Request, visitor: AnyVisitor, games: TheGames, accounts: TheAccounts, token: str
) -> HTMLResponse:
    """Return the page of an invitation."""
    words = Words(render.language_of(request))
    context = render.page_context(request, visitor, words)
    found = context["invitation"] = games.invitation(token)
    clock = games.clock(found.game)
    context["clock_about"] = clocks.about(clock.control, words) if clock else ""
    context["asks_address"] = people.asks_address(request, accounts, visitor.user)
    context["suggested"] = "" if is_open_seat_name(found.player) else found.player
    return render.Html(render.environment().get_template("join.html").render(context))


@router.post("/join/{token}")
def join(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    accounts: TheAccounts,
    token: str,
    name: Annotated[str, Form()] = "",
    email: Annotated[str, Form(max_length=254)] = "",
) -> Response:
    """Take the seat of an invitation; visitors without an account become guests."""
    if email.strip():
        clean_address(email)  # before anybody sits down
    user = visitor.user or people.new_guest(request, accounts, name)
    found = games.join(token, user)
    people.give_address(request, accounts, user, email)
    return people.enter(request, visitor, accounts, user, f"/table/{found.id}")
