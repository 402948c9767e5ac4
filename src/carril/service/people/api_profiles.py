"""The API to find tables and people: lists, search, profiles."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import msgspec
from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from carril.service.api_models import Body, GameModel
from carril.service.api_shapes import answer
from carril.service.games import Games
from carril.service.people import finding, profiles
from carril.service.people.finding import Status
from carril.service.people.profiles import Hideable, Profile
from carril.service.people.rating import is_behind, update_ratings
from carril.service.values import User
from carril.service.visitors import AnyVisitor, SignedIn, TheGames

router = APIRouter(tags=["finding"])

Page = Annotated[int, Query(ge=1, le=10_000)]
Text = Annotated[str, Query(max_length=80)]


class FoundModel(BaseModel):
    """A page of tables."""

    tables: list[GameModel]
    page: int
    more: bool


class PersonModel(BaseModel):
    """An account that was found."""

    id: str
    name: str


class TitleResultModel(BaseModel):
    """Finished games in one title; `places` counts how often each place was reached."""

    title: str
    games: int
    places: dict[int, int]
    best: int


class RatingModel(BaseModel):
    """A rating for one title and number of players."""

    title: str
    players: int
    mu: float
    sigma: float
    games: int
    shown: int = Field(description="(mu - 3 sigma) * 40: the figure that pages show.")


class ProfileModel(BaseModel):
    """A profile; what is hidden is null."""

    id: str
    name: str
    since: datetime
    own: bool
    hidden: list[Hideable]
    results: list[TitleResultModel] | None
    ratings: list[RatingModel] | None
    games: list[GameModel] | None


class HiddenBody(Body):
    """What to hide from others."""

    hidden: list[Hideable] = Field(max_length=10)


@router.get("/tables", response_model=FoundModel)
def tables(
    games: TheGames,
    who: AnyVisitor,
    status: Status = "open",
    title: Annotated[str, Query(max_length=40)] = "",
    players: Annotated[int, Query(ge=0, le=20)] = 0,
    search: Text = "",
    page: Page = 1,
) -> Response:
    """List public tables, and my own: with open seats, being played, or finished."""
    query = finding.Query(status, title, players, search, page)
    with games.reading() as reader:
        return answer(finding.find_tables(reader.connection, who.user, query))


@router.get("/people", response_model=list[PersonModel])
def people(games: TheGames, who: AnyVisitor, search: Text = "", page: Page = 1) -> Response:
    """Search for accounts by name."""
    with games.reading() as reader:
        return answer(finding.find_people(reader.connection, search, page))


@router.get("/people/{user_id}", response_model=ProfileModel)
def profile(user_id: str, games: TheGames, who: AnyVisitor) -> Response:
    """Return the profile of an account: results per title, ratings, games."""
    return answer(_shape(read_profile(games, user_id, who.user)))


@router.put("/profile", response_model=ProfileModel)
def hide(body: HiddenBody, games: TheGames, user: SignedIn) -> Response:
    """Set what my profile hides from others."""
    profiles.set_hidden(games.store, user, tuple(body.hidden))
    return answer(_shape(read_profile(games, user.id, user)))


def read_profile(games: Games, user_id: str, viewer: User | None) -> Profile:
    """Return a profile with ratings that are up to date."""
    with games.reading() as reader:
        behind = is_behind(reader.connection)
    if behind:
        update_ratings(games.store)
    with games.reading() as reader:
        return profiles.read_profile(reader.connection, user_id, viewer)


def _shape(found: Profile) -> dict[str, object]:
    shape: dict[str, object] = msgspec.structs.asdict(found)
    if found.ratings is not None:
        rated = found.ratings
        shape["ratings"] = [msgspec.structs.asdict(one) | {"shown": one.shown} for one in rated]
    return shape
