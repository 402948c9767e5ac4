"""The API of the people at a table: requests to the others, and who plays which seat."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import Response

from carril.service import api_undo_models as models
from carril.service.api_models import GameModel
from carril.service.api_shapes import answer
from carril.service.fields import Number
from carril.service.people import notes
from carril.service.seats import changing, rematching
from carril.service.seats.api_models import (
    BotBody,
    NoteBody,
    NoteModel,
    ReadBody,
    ReadingModel,
    SeatBody,
    VisibilityBody,
)
from carril.service.visitors import AnyVisitor, SignedIn, TheGames
from carril.service.votes.adopting import reading_of

router = APIRouter(prefix="/games/{game}", tags=["people at a table"])


# --- requests ------------------------------------------------------------------------------


@router.get("/requests", response_model=list[models.RequestModel])
def requests(game: str, games: TheGames, who: AnyVisitor) -> Response:
    """List the open requests at a table."""
    return answer(games.requests(game))


@router.post("/requests", response_model=models.UndoneModel)
def propose(game: str, body: models.ProposalBody, games: TheGames, user: SignedIn) -> Response:
    """Ask the others to agree to something; if nobody else must agree, it is done at once."""
    return answer(games.propose(game, user, body.proposal(), version=body.version))


@router.post("/requests/{request_id}", response_model=models.UndoneModel)
def answer_request(
    game: str, request_id: Number, body: models.AnswerBody, games: TheGames, user: SignedIn
) -> Response:
    """Agree to a request or decline it; its author withdraws it by declining."""
    return answer(games.answer(game, user, request_id, body.accept))


# --- seats ---------------------------------------------------------------------------------


@router.post("/seat", response_model=GameModel)
def take_seat(game: str, body: SeatBody, games: TheGames, user: SignedIn) -> Response:
    """Take an open seat of a public table."""
    return answer(changing.take_seat(games.store, game, user, body.player))


@router.put("/seats/{player}/bot", response_model=GameModel)
def let_bot_play(
    game: str, player: str, body: BotBody, games: TheGames, user: SignedIn
) -> Response:
    """Let a bot play one of my seats, or take it back with an empty name."""
    return answer(changing.let_bot_play(games.store, game, user, player, body.bot))


@router.delete("/seats/{player}", response_model=GameModel)
def kick(game: str, player: str, games: TheGames, user: SignedIn) -> Response:
    """Remove somebody who has not acted yet, as the owner of the table."""
    return answer(changing.kick(games.store, game, user, player))


@router.put("/visibility", response_model=GameModel)
def set_visibility(game: str, body: VisibilityBody, games: TheGames, user: SignedIn) -> Response:
    """Set who can see the table, as its owner."""
    return answer(changing.set_visibility(games.store, game, user, body.visibility))


@router.post("/rematch", response_model=GameModel)
def rematch(game: str, games: TheGames, user: SignedIn) -> Response:
    """Take my seat at the rematch of a finished game; whoever is first creates its table."""
    return answer(rematching.rematch(games.store, game, user))


# --- rules, notes, chat --------------------------------------------------------------------


@router.get("/rules", response_model=ReadingModel)
def rules(game: str, games: TheGames, who: AnyVisitor) -> Response:
    """Return the version of the rules of the game, and the corrections that it does not follow."""
    return answer(reading_of(games.position(game).state))


@router.get("/note", response_model=NoteModel)
def note(game: str, games: TheGames, user: SignedIn) -> Response:
    """Return my private note about the game, and how many remarks I have not read."""
    with games.reading() as reader:
        reader.line(game)
        text = notes.note_of(reader.connection, game, user)
        unread = notes.unread(reader.connection, [game], user).get(game, 0)
    return answer({"text": text, "unread": unread})


@router.put("/note", response_model=NoteModel)
def write_note(game: str, body: NoteBody, games: TheGames, user: SignedIn) -> Response:
    """Replace my private note about the game, which nobody else sees."""
    notes.write_note(games.store, game, user, body.text)
    return note(game, games, user)


@router.put("/chat/read", response_model=NoteModel)
def mark_read(game: str, body: ReadBody, games: TheGames, user: SignedIn) -> Response:
    """Remember that I have read the chat up to a remark."""
    notes.mark_read(games.store, game, user, body.number)
    return note(game, games, user)
