"""Places in a finished game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def places(worths: Sequence[int]) -> list[int]:
    """Return the place of each worth; equal ones share a place.

    >>> places([500, 900, 500, 100])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > worth for other in worths) for worth in worths]


def ranked(worth: Mapping[str, int], lost: str = "") -> dict[str, int]:
    """Return the place of each player; one who has lost by using up their time is last.

    >>> ranked({"Ana": 900, "Ben": 500, "Cleo": 500}, lost="Ana")
    {'Ben': 1, 'Cleo': 1, 'Ana': 3}
    """
    others = [player for player in worth if player != lost]
    found = dict(zip(others, places([worth[player] for player in others]), strict=True))
    return found | {lost: len(worth)} if lost in worth else found
