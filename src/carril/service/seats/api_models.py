"""Pydantic models of the API for seats, private notes and versions of the rules."""

from __future__ import annotations

from pydantic import BaseModel, Field

from carril.service.api_models import Body
from carril.service.fields import JsonNumber
from carril.service.people.notes import LONGEST
from carril.service.values import Visibility


class SeatBody(Body):
    """The seat to take; by default the first open one."""

    player: str = Field("", max_length=80)


class BotBody(Body):
    """The bot that plays a seat; empty for none."""

    bot: str = Field(max_length=40)


class VisibilityBody(Body):
    """Who can see a table."""

    visibility: Visibility


class NoteBody(Body):
    """A private note."""

    text: str = Field(max_length=LONGEST)


class ReadBody(Body):
    """The last remark that was read."""

    number: JsonNumber


class NoteModel(BaseModel):
    """My private note about a game, and how many remarks of others I have not read."""

    text: str
    unread: int


class CorrectionModel(BaseModel):
    """A correction of the rules that a game does not follow."""

    version: str
    rule: str
    text: str


class ReadingModel(BaseModel):
    """The version of the rules that a game is played by, and later corrections."""

    version: str
    newest: str
    corrections: list[CorrectionModel]
