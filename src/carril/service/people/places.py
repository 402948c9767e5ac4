"""Places in a finished game."""

from __future__ import annotations

from collections.abc import Sequence


def places(worths: Sequence[int]) -> list[int]:
    """Return the place of each worth; equal ones share a place.

    >>> places([500, 900, 500, 100])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > worth for other in worths) for worth in worths]
