"""The lobby: sign in, my games, new games, imports and invitations."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse

from carril.engine.figures import SetupDef
from carril.engine.registry import title_named, title_names
from carril.engine.setups import optional_variants, player_counts
from carril.engine.title import Title
from carril.page import chronicle, render
from carril.page.urls import TableUrls
from carril.page.words import Words
from carril.service.accounts import Accounts
from carril.service.errors import BadRequest
from carril.service.fields import MOST_SEED, parse_number
from carril.service.games import Games, list_games
from carril.service.opponents import bot_names, default_bot
from carril.service.uploads import read_upload
from carril.service.values import GameInfo, NewGame, Seat, User
from carril.service.visitors import (
    AnyVisitor,
    Given,
    SignedIn,
    TheAccounts,
    TheGames,
    Visitor,
    address,
    drop_cookie,
    identify,
    limit,
    set_cookie,
    settings_of,
)
from carril.service.visitors import sign_in as check_credentials

router = APIRouter(include_in_schema=False)

_SEATS = 6


@router.get("/")
def lobby(request: Request, given: Given, games: TheGames) -> HTMLResponse:
    """Return the first page."""
    context = _games_context(request, given, games) | {
        "titles": [_title(name, render.language_of(request)) for name in _by_players()],
        "bots": bot_names(),
        "default_bot": default_bot(),
    }
    return render.Html(render.environment().get_template("lobby.html").render(context))


def _by_players() -> list[str]:
    """Return the titles by their least number of players, so that the form suits the first."""
    return sorted(title_names(), key=lambda n: min(player_counts(title_named(n))))


def _title(name: str, language: str) -> dict[str, Any]:
    title = title_named(name)
    words = Words(language, title.tables.figures.currency)
    setups = sorted(title.tables.setups, key=lambda setup: setup.players)
    return {
        "name": name,
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
    context = _games_context(request, given, games)
    return render.Html(render.environment().get_template("games.html").render(context))


def _games_context(request: Request, given: Given, games: Games) -> dict[str, Any]:
    """Return the visitor and their games, read in one transaction."""
    with games.reading() as reader:
        visitor = identify(reader, given)
        found = list_games(reader, visitor.user) if visitor.user else []
    words = Words(render.language_of(request))
    shown = [_game(request, info, visitor.user, words) for info in found]
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
async def new(request: Request, user: SignedIn, games: TheGames) -> RedirectResponse:
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
    )
    made = await run_in_threadpool(games.create, user, wanted)
    return RedirectResponse(f"/table/{made.id}", 303)


def _seat(kind: str, name: str) -> Seat | None:
    """Return the seat of a line of the form, or None if it is empty."""
    if kind == "me":
        return Seat("me", name)
    if kind == "person":
        return Seat("person", name)
    if kind.startswith("bot:"):
        return Seat("bot", name, kind[4:])
    return None


@router.post("/import")
def import_(
    request: Request,
    user: SignedIn,
    games: TheGames,
    file: Annotated[UploadFile, File()],
    play: Annotated[str, Form()] = "",
) -> RedirectResponse:
    """Import a game from a file; with `play`, go on to the form for a table that continues it."""
    made = games.import_file(user, *read_upload(request, user, file))
    urls = TableUrls(made.id, made.title)
    goes_on = play and not made.finished
    return RedirectResponse(urls.play_on(made.head) if goes_on else urls.table, 303)


def _enter(
    request: Request, visitor: Visitor, accounts: Accounts, user: User, to: str = "/"
) -> RedirectResponse:
    """Start a session, which replaces the former one, and go to a page."""
    response = RedirectResponse(to, 303)
    set_cookie(response, request, accounts.open_session(user, visitor.session))
    return response


@router.post("/guest")
def guest(
    request: Request, visitor: AnyVisitor, accounts: TheAccounts, name: Annotated[str, Form()]
) -> RedirectResponse:
    """Sign in as a guest, without a password."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return _enter(request, visitor, accounts, accounts.guest(name.strip()))


@router.post("/sign-in")
def sign_in(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> RedirectResponse:
    """Sign in with a name and a password."""
    user = check_credentials(request, accounts, name, password)
    return _enter(request, visitor, accounts, user)


@router.post("/sign-up")
def sign_up(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> RedirectResponse:
    """Create an account and sign in."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return _enter(request, visitor, accounts, accounts.register(name.strip(), password))


@router.post("/sign-out")
def sign_out(visitor: AnyVisitor, accounts: TheAccounts) -> RedirectResponse:
    """Sign out."""
    if visitor.session:
        accounts.close_session(visitor.session)
    response = RedirectResponse("/", 303)
    drop_cookie(response)
    return response


@router.get("/join/{token}")
def invitation(request: Request, visitor: AnyVisitor, games: TheGames, token: str) -> HTMLResponse:
    """Return the page of an invitation."""
    words = Words(render.language_of(request))
    context = render.page_context(request, visitor, words)
    context["invitation"] = games.invitation(token)
    return render.Html(render.environment().get_template("join.html").render(context))


@router.post("/join/{token}")
def join(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    accounts: TheAccounts,
    token: str,
    name: Annotated[str, Form()] = "",
) -> RedirectResponse:
    """Take the seat of an invitation; visitors without an account become guests."""
    if visitor.user:
        found = games.join(token, visitor.user)
        return RedirectResponse(f"/table/{found.id}", 303)
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    user = accounts.guest(name.strip())
    found = games.join(token, user)
    return _enter(request, visitor, accounts, user, f"/table/{found.id}")
