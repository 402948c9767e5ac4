"""Pydantic models of the API for undo and redo."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field, StrictBool

from carril.service.api_models import Body
from carril.service.fields import JsonNumber
from carril.service.values import Proposal


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
    """The answer to a request."""

    accept: StrictBool


class RequestModel(BaseModel):
    """A request to the other people at the table, and who has not answered it."""

    id: int
    by: str
    by_name: str
    to: int
    status: Literal["open", "done", "declined", "lapsed"]
    waiting: list[str]
    when: datetime
    series: int | None = Field(description="For a redo: the series to put back.")
    kind: str = Field(description="undo, redo, end, replace, adopt or pause.")
    about: dict[str, Any] = Field(description="What else the kind needs.")


class ProposalBody(Body):
    """Something that the other people at the table shall agree to."""

    kind: str = Field(max_length=10, description="undo, redo, end, replace, adopt or pause.")
    to: JsonNumber = Field(0, description="For undo: the position that it leads back to.")
    series: JsonNumber | None = Field(None, description="For redo: the series to put back.")
    player: str = Field("", max_length=80, description="For replace: the absent player.")
    bot: str = Field("", max_length=40, description="For replace: the bot; empty for a person.")
    rules: str = Field("", max_length=20, description="For adopt: the version of the rules.")
    version: JsonNumber | None = Field(
        None, description="The version that I saw; 409 if it changed."
    )

    def proposal(self) -> Proposal:
        """Return the proposal."""
        known = {"player": self.player, "bot": self.bot, "version": self.rules}
        about = {key: value for key, value in known.items() if value}
        return Proposal(self.kind, self.to, self.series, about)


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
