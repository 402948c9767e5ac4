"""The people at a table: who plays which seat, votes, private notes, rematch."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, Response

from carril.page import people, render, votes
from carril.page.lobby import visibility_of
from carril.page.table_request import TableRequest, find_position
from carril.service.fields import Number
from carril.service.opponents import bot_names, default_bot
from carril.service.people import notes
from carril.service.seats import changing, rematching
from carril.service.store.journal import who_acted
from carril.service.store.notices import hooks_of
from carril.service.values import GameInfo, Proposal
from carril.service.visitors import AnyVisitor, Given, SignedIn, TheAccounts, TheGames
from carril.service.votes.adopting import reading_of
from carril.service.votes.replacing import ABSENT, is_absent
from carril.service.votes.voting import open_requests

router = APIRouter(prefix="/table", include_in_schema=False)


@router.get("/{game}/people")
def show(request: Request, given: Given, games: TheGames, game: str) -> HTMLResponse:
    """Return the page of the people at a table."""
    with games.reading() as reader:
        asked = find_position(reader, request, given, game)
        line = reader.line(game)
        requests = open_requests(reader.connection, line)
        acted = {by for _, by in who_acted(reader.connection, line.id)}
        note = notes.note_of(reader.connection, game, asked.visitor.user)
        info = asked.look.info
        hooks = hooks_of(reader.connection, game=game)
        absent = {s.player for s in info.seats if is_absent(reader.connection, info, s)}
    look = asked.look
    context = asked.context() | {
        "votes": votes.cards(look, requests),
        "seats": _seats(asked, acted, absent, {one.kind for one in requests}),
        "note": note,
        "hooks": [one for one in hooks if look.user and one.user == look.user.id],
        "reading": reading_of(look.state),
        "days": ABSENT.days,
        "bots": bot_names(),
        "default_bot": default_bot(),
        "plays": bool(look.info.seats_of(look.user)),
        "owns": bool(look.user and look.info.owner == look.user.id),
    }
    return render.Html(render.environment().get_template("people.html").render(context))


def _seats(
    asked: TableRequest, acted: set[str], absent: set[str], open_kinds: set[str]
) -> list[dict[str, Any]]:
    """Return the seats of a table, with what the viewer can do about each."""
    look = asked.look
    info, user = look.info, look.user
    plays = bool(user and (info.seats_of(user) or info.owner == user.id)) and not info.read_only
    owns = bool(user and info.owner == user.id)
    running = plays and not info.finished
    return [
        {
            "player": seat.player,
            "kind": seat.kind,
            "user": seat.user,
            "user_name": seat.user_name,
            "bot": seat.bot,
            "mine": bool(user and seat.user == user.id),
            "open": seat.kind == "person" and not seat.user,
            "link": f"/join/{seat.invitation}" if seat.invitation else "",
            "stands_in": running and bool(user and seat.user == user.id),
            "kick": running and owns and _is_other(info, seat, user) and seat.player not in acted,
            "replace": running
            and "replace" not in open_kinds
            and not (user and seat.user == user.id)
            and seat.player in absent,
        }
        for seat in info.seats
    ]


def _is_other(info: GameInfo, seat: Any, user: Any) -> bool:
    return bool(seat.user) and seat.user != user.id and not info.read_only


def _back(request: Request, game: str) -> Response:
    return render.go_to(request, f"/table/{game}/people")


# --- seats ---------------------------------------------------------------------------------


@router.post("/{game}/join")
def join(
    request: Request,
    visitor: AnyVisitor,
    games: TheGames,
    accounts: TheAccounts,
    game: str,
    player: Annotated[str, Form()] = "",
    name: Annotated[str, Form()] = "",
) -> Response:
    """Take an open seat of a public table; visitors without an account become guests."""
    user = visitor.user or people.new_guest(request, accounts, name)
    changing.take_seat(games.store, game, user, player)
    return people.enter(request, visitor, accounts, user, f"/table/{game}")


@router.post("/{game}/people/bot")
def let_bot_play(
    request: Request,
    user: SignedIn,
    games: TheGames,
    game: str,
    player: Annotated[str, Form()],
    bot: Annotated[str, Form()] = "",
    back: Annotated[str, Form()] = "",
) -> Response:
    """Let a bot play one of the user's seats, or take the seat back."""
    changing.let_bot_play(games.store, game, user, player, bot)
    return render.go_to(request, f"/table/{game}") if back else _back(request, game)


@router.post("/{game}/people/kick")
def kick(
    request: Request, user: SignedIn, games: TheGames, game: str, player: Annotated[str, Form()]
) -> Response:
    """Remove somebody who has not acted yet."""
    changing.kick(games.store, game, user, player)
    return _back(request, game)


@router.post("/{game}/people/leave")
def leave(
    request: Request, user: SignedIn, games: TheGames, game: str, bot: Annotated[str, Form()] = ""
) -> Response:
    """Give up the user's seats."""
    games.leave(game, user, bot)
    return render.go_to(request, "/")


@router.post("/{game}/people/visibility")
def set_visibility(
    request: Request, user: SignedIn, games: TheGames, game: str, visibility: Annotated[str, Form()]
) -> Response:
    """Set who can see the table."""
    changing.set_visibility(games.store, game, user, visibility_of(visibility))
    return _back(request, game)


@router.post("/{game}/people/rematch")
def rematch(request: Request, user: SignedIn, games: TheGames, game: str) -> Response:
    """Go to the rematch, and take a seat there."""
    again = rematching.rematch(games.store, game, user)
    return render.go_to(request, f"/table/{again.id}")


# --- votes, notes, chat --------------------------------------------------------------------


@router.post("/{game}/people/ask")
def ask(
    request: Request,
    user: SignedIn,
    games: TheGames,
    game: str,
    kind: Annotated[str, Form()],
    player: Annotated[str, Form()] = "",
    bot: Annotated[str, Form()] = "",
    rules: Annotated[str, Form()] = "",
) -> Response:
    """Ask the others to agree to something, or do it at once if nobody else has to."""
    about = {"player": player, "bot": bot, "version": rules}
    proposal = Proposal(kind, about={key: value for key, value in about.items() if value})
    games.propose(game, user, proposal)
    return _back(request, game)


@router.post("/{game}/people/vote")
def vote(
    request: Request,
    user: SignedIn,
    games: TheGames,
    game: str,
    number: Annotated[Number, Form(alias="request")],
    accept: Annotated[str, Form()],
) -> Response:
    """Agree to a request, decline or withdraw it."""
    games.answer(game, user, number, accept == "yes")
    return _back(request, game)


@router.post("/{game}/people/note")
def write_note(
    request: Request,
    user: SignedIn,
    games: TheGames,
    game: str,
    text: Annotated[str, Form()] = "",
) -> Response:
    """Store the user's private note."""
    notes.write_note(games.store, game, user, text)
    return _back(request, game)


@router.post("/{game}/read")
def mark_read(
    user: SignedIn, games: TheGames, game: str, number: Annotated[Number, Form()]
) -> Response:
    """Remember that the user has read the chat up to a remark."""
    notes.mark_read(games.store, game, user, number)
    return Response(status_code=204)
