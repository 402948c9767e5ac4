"""The actions of players. They name things as players do, never by serial number."""

from __future__ import annotations

from functools import cache
from typing import Any, Union

import msgspec
from msgspec import Struct

from carril.engine.refusals import BadRecord
from carril.engine.runs import Route


class Action(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """Base of all actions. `by` is the player who acts; if empty, the one to decide."""

    by: str = ""


class Pass(Action, tag="pass", frozen=True):
    """Decline to act, or end a step."""


class Accept(Action, tag="accept", frozen=True):
    """Say yes to an offered price or a question."""


class Decline(Action, tag="decline", frozen=True):
    """Say no to a question."""


class ChooseLot(Action, tag="choose", frozen=True):
    """Choose a lot: put it up for sale, or take it at its price."""

    lot: str


class Bid(Action, tag="bid", frozen=True):
    """Bid for the company on sale."""

    amount: int


class SellShares(Action, tag="sell", frozen=True):
    """Sell a number of shares of a company to the pool, in one block."""

    company: str
    count: int


class BuyShare(Action, tag="buy", frozen=True):
    """Buy one certificate from a company's treasury or from the pool."""

    company: str
    source: str


class StartCompany(Action, tag="start", frozen=True):
    """Take the president's certificate of an unstarted corporation at a starting value."""

    company: str
    price: int


class MergeMinor(Action, tag="merge", frozen=True):
    """Name the minor whose token the corporation just started takes over."""

    minor: str


class ExchangeMinor(Action, tag="exchange", frozen=True):
    """Give a minor for a share of a corporation; the source is "treasury", "pool" or "none"."""

    minor: str
    company: str
    source: str


class CloseMinor(Action, tag="close", frozen=True):
    """Give up a minor that no corporation can take."""

    minor: str


class LayTile(Action, tag="lay", frozen=True):
    """Lay a tile on a hex; `turn` is its rotation clockwise, in sixths."""

    hex: str
    tile: str
    turn: int
    private: str = ""
    """A private company whose power is used for it."""
    piece: str = ""
    """The number of the piece among those of its tile, where a record says so."""
    passes: tuple[str, ...] = ()
    """Blocked cities that the company pays to pass through, as "HEX.city"."""


class PlaceToken(Action, tag="token", frozen=True):
    """Place a token in a city: the index of the city on its tile."""

    hex: str
    city: int
    passes: tuple[str, ...] = ()
    """Blocked cities that the company pays to pass through, as "HEX.city"."""


class RunTrains(Action, tag="run", frozen=True):
    """Run trains on routes; extras name the cards that go with one of them."""

    routes: tuple[Route, ...] = ()
    extras: tuple[tuple[str, str], ...] = ()
    claim: int | None = None
    """The payable part according to a record of another program."""
    subsidy: int = 0
    """With a claim: the part that goes to the treasury."""


class DeclareDividend(Action, tag="dividend", frozen=True):
    """Divide the earnings: "full", "half" or "withhold"."""

    kind: str


class BuyTrain(Action, tag="train", frozen=True):
    """Buy a train from the "stack", the "pool" or another company at a price.

    `discard` names a train that is given up to make room, where a rule allows it.
    """

    train: str
    source: str
    price: int
    discard: str = ""
    loan: int = 0
    """What the president borrows for it."""
    trade: str = ""
    """A train that is traded in for it; the price is what remains to be paid."""
    private: str = ""
    """A card of the president that makes it cheaper."""


class DiscardTrain(Action, tag="discard", frozen=True):
    """Put a train into the pool for nothing."""

    train: str


class IssueShares(Action, tag="issue", frozen=True):
    """Sell shares of the company's treasury to the pool."""

    count: int


class RedeemShares(Action, tag="redeem", frozen=True):
    """Buy shares of the company back from the pool."""

    count: int


class OpenPass(Action, tag="open", frozen=True):
    """Open a mountain pass; `private` names a private company whose power makes it cheaper."""

    hex: str
    private: str = ""


class ReachDestination(Action, tag="destination", frozen=True):
    """Declare that the company is connected to its destination, where that is an action."""


class BuyPrivate(Action, tag="private", frozen=True):
    """Buy a private company from the player who owns it."""

    private: str
    price: int


class ChooseSide(Action, tag="side", frozen=True):
    """Choose which side of a train card is used."""

    train: str


class BuyTender(Action, tag="tender", frozen=True):
    """Buy a tender from the owner of the private that sells them ("private") or the "pool"."""

    source: str


class TakeOver(Action, tag="takeover", frozen=True):
    """Offer to take over a minor."""

    minor: str


class CombineTrains(Action, tag="combine", frozen=True):
    """Couple a recycled train to one of the company's trains."""

    train: str
    recycled: str


class RepayLoan(Action, tag="repay", frozen=True):
    """Pay back a part of a debt, with interest."""

    amount: int


class ConvertConcession(Action, tag="convert", frozen=True):
    """Use a concession to open a company at a starting value."""

    concession: str
    company: str
    price: int


class PlaceBonus(Action, tag="bonus", frozen=True):
    """Give a company the bonus of a converted concession; `choice` where there are several."""

    concession: str
    company: str
    choice: str = ""


class BuyMachine(Action, tag="machine", frozen=True):
    """Buy a machine of a generation."""

    generation: str


class GoBankrupt(Action, tag="bankrupt", frozen=True):
    """Go bankrupt: nothing is left to sell, and the train cannot be paid for."""


class Range(Struct, frozen=True):
    """An option with an amount to choose, from `least`, as in `action`, to `most`."""

    action: Action
    field: str
    least: int
    most: int
    step: int = 1

    def at(self, amount: int) -> Action:
        """Return the action with this amount."""
        return msgspec.structs.replace(self.action, **{self.field: amount})

    def holds(self, amount: int) -> bool:
        """Return whether the range offers this amount."""
        return self.least <= amount <= self.most and (amount - self.least) % self.step == 0


Option = Action | Range
Kinds = tuple[type[Action], ...]
"""Kinds of actions."""


def kind_of(option: Option) -> type[Action]:
    """Return the kind of an option, with or without an amount.

    >>> kind_of(Range(Bid(100), "amount", 100, 350)).__name__
    'Bid'
    """
    return type(option.action if isinstance(option, Range) else option)


def _kinds(base: type[Any]) -> list[type[Any]]:
    """Return the concrete kinds of a base: those without subclasses."""
    found: list[type[Any]] = []
    for kind in base.__subclasses__():
        found += _kinds(kind) or [kind]
    return found


@cache
def _union(kinds: tuple[type[Any], ...]) -> Any:
    return Union[kinds]  # noqa: UP007  (the kinds are known only at run time)


def any_of(base: type[Any]) -> Any:
    """Return the tagged union of all kinds of a base that are known now."""
    return _union(tuple(_kinds(base)))


def decode_action(data: bytes | str) -> Action:
    """Read an action from JSON; a bad one gives one clear error that names the field."""
    try:
        action: Action = msgspec.json.decode(data, type=any_of(Action))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"not an action: {error}") from None
    return action


def convert_action(value: object) -> Action:
    """Read an action from plain values, as `decode_action` does from JSON."""
    try:
        action: Action = msgspec.convert(value, type=any_of(Action))
    except msgspec.ValidationError as error:
        raise BadRecord(f"not an action: {error}") from None
    return action
