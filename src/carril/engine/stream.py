"""The only source of randomness: a stream of numbers whose position is part of the state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_MASK = (1 << 64) - 1
_T = TypeVar("_T")


def draw(stream: int, below: int) -> tuple[int, int]:
    """Return a number from 0 up to `below`, and the stream after it (SplitMix64).

    >>> draw(7, 6)
    (3, 11400714819323198492)
    """
    stream = (stream + 0x9E3779B97F4A7C15) & _MASK
    mixed = stream
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _MASK
    return (mixed ^ (mixed >> 31)) % below, stream


def shuffled(stream: int, things: Sequence[_T]) -> tuple[tuple[_T, ...], int]:
    """Return the items in random order, and the stream after the draws."""
    pile = list(things)
    for last in range(len(pile) - 1, 0, -1):
        chosen, stream = draw(stream, last + 1)
        pile[last], pile[chosen] = pile[chosen], pile[last]
    return tuple(pile), stream
