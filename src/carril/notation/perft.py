"""Perft: the number of sequences of decisions from a position, to a given depth.

It is a strong test of the rules: one move too many or too few, anywhere within the depth, changes
the count. It is defined exactly:

- a decision is one action of `options()`; an option with an amount counts as two decisions, with
  its least and its greatest amount, or as one if these are equal;
- every sequence of `depth` decisions counts, even where two lead to the same position;
- a sequence that ends the game earlier does not count.

>>> from carril import start
>>> state = start("18EU", ["Ana", "Ben", "Cleo"], seed=1)
>>> [perft(state, depth) for depth in (1, 2, 3)]
[15, 45, 300]
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from carril.engine.actions import Action, Option, Range
from carril.engine.state import State
from carril.notation.position import encode, essence
from carril.notation.text import write


def decisions(state: State) -> list[Action]:
    """Return the decisions that perft counts in a position."""
    return [action for option in state.options() for action in _ends(option)]


def _ends(option: Option) -> tuple[Action, ...]:
    """Return an option's action, or those with its least and its greatest amount."""
    if not isinstance(option, Range):
        return (option,)
    greatest = option.most - (option.most - option.least) % option.step
    return tuple(option.at(amount) for amount in dict.fromkeys((option.least, greatest)))


def perft(state: State, depth: int) -> int:
    """Return the number of sequences of exactly `depth` decisions."""
    return Perft().count(state, depth)


class Perft:
    """Counts sequences, and expands each position once, however many sequences lead to it."""

    def __init__(self) -> None:
        """Begin with no position known."""
        self._known: dict[tuple[bytes, int], int] = {}

    @property
    def expanded(self) -> int:
        """How many positions have been expanded, once for each depth below them."""
        return len(self._known)

    def count(self, state: State, depth: int) -> int:
        """Return the number of sequences of exactly `depth` decisions."""
        if depth == 0:
            return 1
        key = hashlib.blake2b(encode(state), digest_size=16).digest(), depth
        if key not in self._known:
            self._known[key] = self._count(state, depth)
        return self._known[key]

    def _count(self, state: State, depth: int) -> int:
        offered = decisions(state)
        if depth == 1:
            return len(offered)
        return sum(self.count(state.apply(action).state, depth - 1) for action in offered)


def options_digest(state: State) -> str:
    """Return a fingerprint of the options of a position and of the position after each of them.

    The order in which options are listed does not matter. Each is taken as text, with the bounds
    of its amount; a position as its `essence`, which does not depend on how the engine stores it.
    """
    lines = "\n".join(sorted(_lines(state)))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]


def _lines(state: State) -> Iterator[str]:
    for option in state.options():
        if isinstance(option, Range):
            bounds = f"{option.least}..{option.most} step {option.step}"
            yield f"{write(option.action)}: {option.field} {bounds}"
        for action in _ends(option):
            yield f"{write(action)} -> {essence(state.apply(action).state)}"
