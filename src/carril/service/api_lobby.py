"""The API of the lobby: titles, rules, games, files."""

from __future__ import annotations

from typing import Annotated

import msgspec
from fastapi import APIRouter, File, Query, Request, UploadFile
from fastapi.responses import Response

from carril.engine.actions import Action, any_of
from carril.engine.registry import title_names
from carril.rules import load
from carril.rules.ledger import UnknownRule, UnknownTitle
from carril.service import api_models as models
from carril.service.api_shapes import answer, title_shape
from carril.service.errors import NotFound
from carril.service.table_clocks.counting import TimeControl
from carril.service.transfers import import_upload, save_file
from carril.service.values import NewGame, Seat
from carril.service.visitors import AnyVisitor, SignedIn, TheGames

router = APIRouter()


@router.get("/titles", response_model=list[models.TitleModel], tags=["lobby"])
def titles() -> Response:
    """List the titles with their options."""
    return answer([title_shape(name) for name in title_names()])


@router.get("/titles/{title}/rules", response_model=list[models.RuleModel], tags=["lobby"])
def rules(
    title: str, search: str = "", rule: Annotated[str, Query(max_length=40)] = ""
) -> Response:
    """Return the rules of a title: all, those that match a search, or the one with this id."""
    try:
        ledger = load(title)
        found = (ledger.find(rule),) if rule else ledger.entries
    except (UnknownTitle, UnknownRule) as error:
        raise NotFound(str(error)) from None
    if search:
        found = ledger.search(search)
    shapes = [{n: getattr(one, n) for n in ("id", "kind", "section", "text")} for one in found]
    return answer(shapes)


@router.get("/actions", tags=["lobby"])
def actions() -> Response:
    """Return the JSON schema of every kind of action."""
    return answer(msgspec.json.schema(any_of(Action)))


@router.get("/games", response_model=list[models.GameModel], tags=["lobby"])
def my_games(games: TheGames, user: SignedIn) -> Response:
    """List the games that I created or play in, the latest first."""
    return answer(games.list_for(user))


@router.get("/watch", response_model=list[models.GameModel], tags=["lobby"])
def watchable(games: TheGames, who: AnyVisitor) -> Response:
    """List games that anybody may find and watch, the latest first."""
    return answer(games.list_watchable())


@router.post("/games", response_model=models.GameModel, status_code=201, tags=["lobby"])
def new_game(body: models.NewGameBody, games: TheGames, user: SignedIn) -> Response:
    """Create a game. Seats of other people have the token of an invitation."""
    new = NewGame(
        title=body.title,
        seats=tuple(Seat(seat.kind, seat.name, seat.bot) for seat in body.seats),
        edition=body.edition,
        variants=tuple(body.variants),
        conventions=body.conventions,
        seed=body.seed,
        name=body.name,
        visibility=body.visibility,
        rated=body.rated,
        clock=body.clock.control() if body.clock else TimeControl(),
    )
    return answer(games.create(user, new), 201)


@router.get("/games/{game}", response_model=models.GameModel, tags=["lobby"])
def info(game: str, games: TheGames, who: AnyVisitor) -> Response:
    """Return a game as the lobby shows it."""
    return answer(games.info(game, who.user))


@router.delete("/games/{game}", status_code=204, tags=["lobby"])
def delete_game(game: str, games: TheGames, user: SignedIn) -> Response:
    """Delete a game that I created, if nobody else plays at the table."""
    games.delete(game, user)
    return Response(status_code=204)


@router.delete("/games/{game}/seat", response_model=models.GameModel, tags=["lobby"])
def leave(
    game: str,
    games: TheGames,
    user: SignedIn,
    bot: Annotated[str, Query(max_length=40, description="Takes my seats; empty: nobody.")] = "",
) -> Response:
    """Give up my seats at a table: to a bot, or to whoever is invited next."""
    return answer(games.leave(game, user, bot))


@router.post("/import", response_model=models.GameModel, status_code=201, tags=["files"])
async def import_file(
    request: Request, file: Annotated[UploadFile, File()], games: TheGames, user: SignedIn
) -> Response:
    """Import an 18xx.games file or a Carril save, to be viewed and forked."""
    return answer(await import_upload(request, games, user, file), 201)


@router.get("/games/{game}/save", tags=["files"])
async def save(game: str, games: TheGames, who: AnyVisitor, fork: str | None = None) -> Response:
    """Return the game as a Carril save file."""
    return await save_file(games, game, fork, who.user)
