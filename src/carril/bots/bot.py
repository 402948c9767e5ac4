"""The interface of a bot: given a position and dice, it chooses an action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from carril.engine.actions import Action
from carril.engine.state import State
from carril.engine.stream import draw


class Decision(Struct, frozen=True):
    """The action that a bot chooses, and why in a few words."""

    action: Action
    reason: str = ""


class Dice:
    """Chance from a seed: the same seed gives the same throws, on every machine.

    >>> dice = Dice(7)
    >>> [dice.below(6) for _ in range(4)]
    [3, 0, 0, 3]
    """

    __slots__ = ("_stream",)

    def __init__(self, seed: int) -> None:
        """Begin at a seed."""
        self._stream = seed & ((1 << 64) - 1)

    def below(self, limit: int) -> int:
        """Return a number from 0 up to below the limit."""
        number, self._stream = draw(self._stream, limit)
        return number

    def pick(self, weights: Sequence[int]) -> int:
        """Return an index, each as likely as its weight; one weight at least is not 0."""
        place = self.below(sum(weights))
        for index, weight in enumerate(weights):
            place -= weight
            if place < 0:
                return index
        raise AssertionError("weights below 0")


class Bot(Protocol):
    """An opponent. It keeps nothing between two decisions, so it can be given any position."""

    @property
    def name(self) -> str:
        """The name by which it is chosen."""

    def choose(self, state: State, dice: Dice) -> Decision:
        """Return what to do now; the position is not over."""
