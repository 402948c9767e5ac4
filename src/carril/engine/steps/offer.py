"""An offer of one company for a train of another: its owner accepts or declines."""

from __future__ import annotations

from typing import Protocol, Self, runtime_checkable

from carril.engine.actions import Accept, Action, BuyTrain
from carril.engine.events import Answered
from carril.engine.move import Move
from carril.engine.state import State
from carril.engine.steps.question import Question

Offer = tuple[str, str, int]
"""Seller, train and price."""


@runtime_checkable
class Buyer(Protocol):
    """The step in which a company buys trains: it is due again once the offer is answered."""

    def buy(self, move: Move, action: BuyTrain) -> None:
        """Pay for a train and take it."""

    def declined_by_owner(self, declined: Offer) -> Self:
        """Return the step after an offer was declined."""


class TrainOffer(Question, frozen=True):
    """Base of the other owner's answer; a title gives it its tag."""

    company: str
    seller: str
    train: str
    price: int
    discard: str = ""

    def actor(self, state: State) -> str:
        """Return the seller's owner."""
        return state.companies[self.seller].owner

    def play(self, move: Move, action: Action) -> None:
        """Complete the purchase, or remember the answer."""
        accepted = isinstance(action, Accept)
        move.tell(Answered(self.actor(move.state), accepted, self.train))
        move.pop()
        step = move.state.step
        assert isinstance(step, Buyer)
        if accepted:
            step.buy(move, BuyTrain(self.train, self.seller, self.price, self.discard))
        else:
            move.swap(step.declined_by_owner((self.seller, self.train, self.price)))


def declined_at(offers: tuple[Offer, ...], seller: str, train: str) -> int:
    """Return the highest price at which an owner has declined to sell a train, 0 if never."""
    return max((price for s, t, price in offers if (s, t) == (seller, train)), default=0)
