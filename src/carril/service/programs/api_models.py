"""Pydantic models of programs, for validation and for the OpenAPI description."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StrictBool

from carril.programs.kinds import MOST_STOPS
from carril.service.api_models import Body
from carril.service.fields import JsonNumber

Company = Annotated[str, Field(max_length=80, description="A company; empty stands for any.")]


class ShareSoldBody(Body):
    """Stop when somebody else sells shares of a company, by default of any that I hold."""

    stop: Literal["sold"]
    company: Company = ""


class PriceBelowBody(Body):
    """Stop when the share price of a company is below a sum."""

    stop: Literal["price"]
    company: str = Field(max_length=80)
    price: JsonNumber


class OtherBidBody(Body):
    """Stop when somebody else bids."""

    stop: Literal["bid"]


class PresidentBody(Body):
    """Stop when a company gets another president, by default any company that I hold."""

    stop: Literal["president"]
    company: Company = ""


class PhaseBody(Body):
    """Stop when a new phase begins."""

    stop: Literal["phase"]


class RoundBody(Body):
    """Stop when the round is over."""

    stop: Literal["round"]


StopBody = Annotated[
    ShareSoldBody | PriceBelowBody | OtherBidBody | PresidentBody | PhaseBody | RoundBody,
    Field(discriminator="stop"),
]


class _ProgramBody(Body):
    stops: list[StopBody] = Field([], max_length=MOST_STOPS)


class PassBody(_ProgramBody):
    """Pass for this round, or until something of mine changes."""

    program: Literal["pass"]
    until: Literal["round", "change"] = "round"


class BuyBody(_ProgramBody):
    """Buy a share of a company in each turn: until it floats, or a number of times."""

    program: Literal["buy"]
    company: str = Field(max_length=80)
    until_float: StrictBool = True
    count: JsonNumber = Field(0, description="The most purchases; 0 for any number.", le=100)
    source: str = Field("", max_length=80, description="Where from; empty stands for anywhere.")


class BidBody(_ProgramBody):
    """Make the lowest bid for a lot again and again, up to a limit that nobody else learns."""

    program: Literal["bid"]
    lot: str = Field(max_length=80)
    limit: JsonNumber = Field(le=1_000_000)
    then: Literal["ask", "pass"] = "ask"


class AnswerBody(_ProgramBody):
    """Accept or decline a kind of offer."""

    program: Literal["answer"]
    kind: str = Field(max_length=80, description="One of `offers`.")
    accept: StrictBool
    company: Company = ""
    least: JsonNumber = Field(0, description="Offers below this price are left to me.")


class OperateBody(_ProgramBody):
    """Make the best run of my companies and divide the earnings in a fixed way."""

    program: Literal["operate"]
    company: Company = ""
    run: StrictBool = True
    dividend: Literal["", "full", "half", "withhold"] = "full"


class SkipBody(_ProgramBody):
    """Lay no track, or place no station, with my companies."""

    program: Literal["skip"]
    track: StrictBool = True
    station: StrictBool = False
    company: Company = ""


class GiveBody(Body):
    """A program, and the player for whom it acts."""

    program: Annotated[
        PassBody | BuyBody | BidBody | AnswerBody | OperateBody | SkipBody,
        Field(discriminator="program"),
    ]
    player: str = Field("", max_length=80, description="Not needed if I have one seat.")


class ReasonModel(BaseModel):
    """Why a program has stopped."""

    code: str
    message: str
    facts: dict[str, Any]


class ProgramModel(BaseModel):
    """A program of mine; nobody else can see it."""

    id: str
    player: str
    program: dict[str, Any] = Field(description="As it was given; a plan has its actions.")
    text: str = Field(description="What it does, in words.")
    stops: list[str] = Field(description="When it stops, in words.")
    active: bool
    reason: ReasonModel | None
    done: int = Field(description="How many actions it has taken.")
    created: datetime


class LotModel(BaseModel):
    """A lot that can be bid for."""

    lot: str
    least: int


class SensibleModel(BaseModel):
    """What a program could be given for now."""

    player: str
    passing: bool
    buy: list[str]
    to_float: list[str]
    lots: list[LotModel]
    offers: list[str]
    operate: list[str]
    dividends: list[str]
    held: list[str]


class ProgramsModel(BaseModel):
    """My programs at a table, and what others would make sense for each of my seats."""

    programs: list[ProgramModel]
    sensible: list[SensibleModel]
