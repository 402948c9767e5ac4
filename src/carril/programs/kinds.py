"""The kinds of programs, and the conditions that stop them."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from carril.engine.refusals import BadRecord

Name = Annotated[str, Meta(max_length=80)]
Sum = Annotated[int, Meta(ge=0, le=1_000_000)]
MOST_STOPS = 12
"""Stop conditions of one program."""


class Stop(Struct, frozen=True, tag_field="stop", forbid_unknown_fields=True):
    """Base of the conditions that stop a program."""


class ShareSold(Stop, tag="sold", frozen=True):
    """Somebody else sells shares of a company, by default of any that the player holds."""

    company: Name = ""


class PriceBelow(Stop, tag="price", frozen=True):
    """The share price of a company is below a sum."""

    company: Name
    price: Sum


class OtherBid(Stop, tag="bid", frozen=True):
    """Somebody else bids."""


class PresidentChanges(Stop, tag="president", frozen=True):
    """The president of a company changes, by default of any that the player holds."""

    company: Name = ""


class NewPhase(Stop, tag="phase", frozen=True):
    """A new phase begins."""


class RoundEnds(Stop, tag="round", frozen=True):
    """The round in which the program was given is over."""


AnyStop = ShareSold | PriceBelow | OtherBid | PresidentChanges | NewPhase | RoundEnds


class Program(Struct, frozen=True, kw_only=True, tag_field="program", forbid_unknown_fields=True):
    """Base of all programs."""

    stops: Annotated[tuple[AnyStop, ...], Meta(max_length=MOST_STOPS)] = ()


class PassOn(Program, tag="pass", frozen=True, kw_only=True):
    """Pass in rounds of players: for this round, or until something of the player's changes."""

    until: Literal["round", "change"] = "round"


class BuyShares(Program, tag="buy", frozen=True, kw_only=True):
    """Buy a share of a company in each turn: until it floats, or a number of times."""

    company: Name
    until_float: bool = True
    count: Annotated[int, Meta(ge=0, le=100)] = 0
    """The most purchases; 0 stands for any number."""
    source: Name = ""
    """Where the shares come from; "" stands for any place."""


class BidUpTo(Program, tag="bid", frozen=True, kw_only=True):
    """Make the lowest bid for a lot, again and again, up to a limit that nobody else learns."""

    lot: Name
    limit: Sum
    then: Literal["ask", "pass"] = "ask"
    """What to do beyond the limit: leave the decision to the player, or pass."""


class AnswerOffers(Program, tag="answer", frozen=True, kw_only=True):
    """Accept or decline a kind of offer."""

    kind: Name
    """The mechanism of the question."""
    accept: bool
    company: Name = ""
    """The company that asks; "" stands for any."""
    least: Sum = 0
    """With `accept`: offers below this price are left to the player."""


class Operate(Program, tag="operate", frozen=True, kw_only=True):
    """Make the best run of the player's companies and divide the earnings in a fixed way."""

    company: Name = ""
    """"" stands for all companies of the player."""
    run: bool = True
    dividend: Literal["", "full", "half", "withhold"] = "full"
    """How to divide the earnings; "" leaves that to the player."""


class LayNothing(Program, tag="skip", frozen=True, kw_only=True):
    """Lay no track, or place no station, with the player's companies."""

    track: bool = True
    station: bool = False
    company: Name = ""


class Plan(Program, tag="plan", frozen=True, kw_only=True):
    """Play a line that was tried before, as long as everybody else plays it as well."""

    mine: tuple[str, ...]
    """The players whose actions are played; those of others are expected."""
    moves: tuple[str, ...]
    """The actions of the line with their players, as JSON."""


AnyProgram = PassOn | BuyShares | BidUpTo | AnswerOffers | Operate | LayNothing | Plan
Given = PassOn | BuyShares | BidUpTo | AnswerOffers | Operate | LayNothing
"""The programs that a player can give directly; a plan is made from a what-if line."""


def convert_program(value: object) -> Given:
    """Read a program from plain values; a bad one gives one clear error that names the field.

    >>> convert_program({"program": "bid", "lot": "5", "limit": 120})
    BidUpTo(stops=(), lot='5', limit=120, then='ask')
    """
    try:
        program: Given = msgspec.convert(value, type=Given)
    except msgspec.ValidationError as error:
        raise BadRecord(f"not a program: {error}") from None
    return program


def decode_program(data: str) -> AnyProgram:
    """Read a stored program."""
    program: AnyProgram = msgspec.json.decode(data, type=AnyProgram)
    return program


def subject_of(program: AnyProgram) -> tuple[str, ...]:
    """Return what a program is about; of two programs about the same the later one counts.

    >>> subject_of(BidUpTo(lot="5", limit=100)) == subject_of(BidUpTo(lot="5", limit=200))
    True
    """
    tag = str(type(program).__struct_config__.tag)
    match program:
        case BidUpTo(lot=about):
            return tag, about
        case AnswerOffers(kind=kind, company=company):
            return tag, kind, company
        case BuyShares(company=about) | Operate(company=about) | LayNothing(company=about):
            return tag, about
    return (tag,)
