"""The lobby: who one is, one's games, a new game, a file, an invitation."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse

from carril.engine.registry import title_named, title_names
from carril.engine.setups import player_counts
from carril.page import chronicle, render
from carril.page.words import Words
from carril.service.accounts import Accounts
from carril.service.errors import BadRequest
from carril.service.opponents import bot_names
from carril.service.uploads import taken
from carril.service.values import GameInfo, NewGame, Seat, User
from carril.service.visitors import (
    AnyVisitor,
    SignedIn,
    TheAccounts,
    TheGames,
    address,
    drop_cookie,
    limit,
    set_cookie,
    settings_of,
)

router = APIRouter(include_in_schema=False)

_SEATS = 6


@router.get("/")
def lobby(request: Request, visitor: AnyVisitor, games: TheGames) -> HTMLResponse:
    """The first page."""
    words = Words(render.language_of(request))
    bots = bot_names()
    context = render.page_context(request, visitor, words) | {
        "games": _games(request, visitor.user, games, words),
        "titles": [_title(name) for name in _by_players()],
        "bots": bots,
        "default_bot": "greedy" if "greedy" in bots else bots[0],
    }
    return render.Html(render.environment().get_template("lobby.html").render(context))


def _by_players() -> list[str]:
    """Return the titles, first those that fewer can play: the seats of the form suit them all."""
    return sorted(title_names(), key=lambda n: min(player_counts(title_named(n))))


def _title(name: str) -> dict[str, Any]:
    title = title_named(name)
    return {
        "name": name,
        "editions": title.editions,
        "conventions": list(title.conventions),
        "variants": list(title.tables.variants),
    }


@router.get("/games")
def my_games(request: Request, visitor: AnyVisitor, games: TheGames) -> HTMLResponse:
    """The list of one's games by itself, for the lobby to keep fresh."""
    words = Words(render.language_of(request))
    context = render.page_context(request, visitor, words) | {
        "games": _games(request, visitor.user, games, words)
    }
    return render.Html(render.environment().get_template("games.html").render(context))


def _games(request: Request, user: User | None, games: Any, words: Words) -> list[dict[str, Any]]:
    if user is None:
        return []
    found = [_game(request, info, user, words) for info in games.list_for(user)]
    return sorted(found, key=lambda game: not game["turn"])


def _game(request: Request, info: GameInfo, user: User, words: Words) -> dict[str, Any]:
    currency = title_named(info.title).tables.figures.currency
    told = Words(words.language, currency)
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
        "won": told.say("lobby.won", player=best[0], worth=told.money(best[1])) if best else "",
        "last": chronicle.in_short(told, info.last),
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


@router.post("/new")
async def new(request: Request, user: SignedIn, games: TheGames) -> RedirectResponse:
    """Set a game up."""
    form = await request.form()

    def text(key: str) -> str:
        return str(form.get(key, "")).strip()

    seats = tuple(
        seat for n in range(1, _SEATS + 1) if (seat := _seat(text(f"seat-{n}"), text(f"name-{n}")))
    )
    if text("seed") and not text("seed").isdigit():
        raise BadRequest("a seed is a whole number")
    wanted = NewGame(
        title=text("title"),
        seats=seats,
        edition=text("edition"),
        variants=tuple(str(one) for one in form.getlist("variant")),
        conventions=text("conventions") or "rulebook",
        seed=int(text("seed")) if text("seed") else None,
        name=text("name"),
    )
    made = await run_in_threadpool(games.create, user, wanted)
    return RedirectResponse(f"/table/{made.id}", 303)


def _seat(kind: str, name: str) -> Seat | None:
    """Return the seat of a line of the form; an empty line is none."""
    if kind == "me":
        return Seat("me", name)
    if kind == "person":
        return Seat("person", name)
    if kind.startswith("bot:"):
        return Seat("bot", name, kind[4:])
    return None


@router.post("/import")
def import_(
    request: Request, user: SignedIn, games: TheGames, file: Annotated[UploadFile, File()]
) -> RedirectResponse:
    """Bring a recorded game."""
    made = games.import_file(user, *taken(request, user, file))
    return RedirectResponse(f"/table/{made.id}", 303)


def _enter(request: Request, accounts: Accounts, user: User, to: str = "/") -> RedirectResponse:
    answer = RedirectResponse(to, 303)
    set_cookie(answer, request, accounts.open_session(user))
    return answer


@router.post("/guest")
def guest(
    request: Request, visitor: AnyVisitor, accounts: TheAccounts, name: Annotated[str, Form()]
) -> RedirectResponse:
    """Come in without a password."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return _enter(request, accounts, accounts.guest(name.strip()))


@router.post("/sign-in")
def sign_in(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> RedirectResponse:
    """Come in with name and password."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return _enter(request, accounts, accounts.sign_in(name.strip(), password))


@router.post("/sign-up")
def sign_up(
    request: Request,
    visitor: AnyVisitor,
    accounts: TheAccounts,
    name: Annotated[str, Form()],
    password: Annotated[str, Form()],
) -> RedirectResponse:
    """Make an account and come in."""
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    return _enter(request, accounts, accounts.register(name.strip(), password))


@router.post("/sign-out")
def sign_out(visitor: AnyVisitor, accounts: TheAccounts) -> RedirectResponse:
    """Leave."""
    if visitor.session:
        accounts.close_session(visitor.session.token)
    answer = RedirectResponse("/", 303)
    drop_cookie(answer)
    return answer


@router.get("/join/{token}")
def invitation(request: Request, visitor: AnyVisitor, games: TheGames, token: str) -> HTMLResponse:
    """What an invitation leads to."""
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
    """Take the seat; who is not known yet comes in as a guest."""
    if visitor.user:
        found = games.join(token, visitor.user)
        return RedirectResponse(f"/table/{found.id}", 303)
    limit(request, "sign-in", address(request), settings_of(request).sign_ins)
    user = accounts.guest(name.strip())
    found = games.join(token, user)
    return _enter(request, accounts, user, f"/table/{found.id}")
