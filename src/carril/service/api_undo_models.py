"""Pydantic models of the API for undo and redo."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, Field, StrictBool

from carril.service.api_models import Body
from carril.service.fields import JsonNumber


class UndoBody(Body):
    """The position to undo to."""

    to: JsonNumber
    fork: str | None = None
    version: JsonNumber | None = Field(
        None, description="The version that I saw; 409 if it changed."
    )


class RedoBody(Body):
    """What to put back: the series of a change, or what was taken back last."""

    series: JsonNumber | None = Field(None, description="The version of the change.")
    fork: str | None = None
    version: JsonNumber | None = Field(
        None, description="The version that I saw; 409 if it changed."
    )


class AnswerBody(Body):
    """The answer to an undo request."""

    accept: StrictBool


class RequestModel(BaseModel):
    """An undo request, and who has not answered it."""

    id: int
    by: str
    by_name: str
    to: int
    status: Literal["open", "done", "declined", "lapsed"]
    waiting: list[str]
    when: datetime
    series: int | None = Field(description="For a redo: the series to put back.")


class ChangeModel(BaseModel):
    """Actions that were taken back, and by what: an undo, a redo or a kept what-if line."""

    version: int = Field(description="Identifies the series of actions; send it to redo them.")
    kind: Literal["undo", "redo", "keep"]
    by: str
    by_name: str
    base: int = Field(description="The position before the actions that were taken back.")
    old_head: int = Field(description="The last action that was taken back.")
    head: int = Field(description="The position that it led to.")
    when: datetime
    fits: bool = Field(description="Whether the actions can be put back now.")


class UndonePointsModel(BaseModel):
    """Where undo leads, what redo puts back, and the open request."""

    step: int | None
    turn: int | None
    redo: ChangeModel | None
    at_once: bool
    request: RequestModel | None


class UndoneModel(BaseModel):
    """The result of an undo: done, or requested."""

    head: int
    version: int
    request: RequestModel | None
