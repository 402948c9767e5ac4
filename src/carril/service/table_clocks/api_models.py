"""Pydantic models of the API for clocks and holidays."""

from __future__ import annotations

from datetime import date, datetime

from pydantic import BaseModel, Field

from carril.service.api_models import Body
from carril.service.table_clocks.counting import Kind, Penalty


class ControlModel(BaseModel):
    """The clock that a table chose, in seconds."""

    kind: Kind
    budget: int
    per_stock: int
    per_company: int
    move: int
    penalty: Penalty
    bot: str


class ClockModel(BaseModel):
    """The clock of a table at the moment `now`."""

    control: ControlModel
    now: datetime
    left: dict[str, float] = Field(description="Seconds left; negative when they are used up.")
    running: str = Field(description="The player for whom it runs, or nobody.")
    expires: datetime | None
    holiday: bool
    paused: datetime | None
    resumes: datetime | None
    lost: str


class HolidayBody(Body):
    """Days off, the last one included, in a time zone."""

    first: date
    last: date
    zone: str = Field("UTC", max_length=40, examples=["UTC"])


class HolidayModel(BaseModel):
    """Days on which my clocks stand still."""

    id: int
    first: date
    last: date
    begins: datetime
    ends: datetime
