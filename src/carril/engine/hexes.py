"""The geometry of a hex map: names, edges and neighbours.

Names use doubled coordinates: a letter and a number; two neighbours in a straight
line differ by two in the number. Edges are counted clockwise from 0 to 5.
"""

from __future__ import annotations

from functools import cache

EDGES = range(6)

# The step of (letter, number) across each edge, by orientation.
_STEPS: dict[str, tuple[tuple[int, int], ...]] = {
    "flat": ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1)),
    "pointy": ((1, -1), (0, -2), (-1, -1), (-1, 1), (0, 2), (1, 1)),
}


def opposite(edge: int) -> int:
    """Return the number that the neighbour gives to this edge."""
    return (edge + 3) % 6


def coordinates(hex_id: str) -> tuple[int, int]:
    """Return letter and number of a hex name as integers, from 0 for the letter A."""
    return ord(hex_id[0]) - ord("A"), int(hex_id[1:])


def hex_name(letter: int, number: int) -> str:
    """Return the name of the hex with these coordinates; the inverse of `coordinates`."""
    return f"{chr(ord('A') + letter)}{number}"


@cache
def neighbour(hex_id: str, edge: int, orientation: str = "flat") -> str:
    """Return the name of the hex across an edge, whether or not the map has it.

    >>> neighbour("A10", 5)
    'B11'
    """
    letter, number = coordinates(hex_id)
    step_letter, step_number = _STEPS[orientation][edge]
    return hex_name(letter + step_letter, number + step_number)
