"""Neighbours of a hex, in both orientations."""

from __future__ import annotations

import pytest

from carril.engine.hexes import EDGES, neighbour, opposite


@pytest.mark.parametrize(
    ("orientation", "around"),
    [
        ("flat", ["F12", "E11", "E9", "F8", "G9", "G11"]),
        ("pointy", ["G9", "F8", "E9", "E11", "F12", "G11"]),
    ],
)
def test_neighbours(orientation: str, around: list[str]) -> None:
    """Hexes of one letter are a column if flat and a row if pointy."""
    assert [neighbour("F10", edge, orientation) for edge in EDGES] == around
    for edge, other in zip(EDGES, around, strict=True):
        assert neighbour(other, opposite(edge), orientation) == "F10"
