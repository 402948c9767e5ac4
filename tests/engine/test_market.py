"""A market read as one line."""

from __future__ import annotations

import pytest

from carril.engine.market import Zigzag

ROWS = ((50, 60, 70, 80, 90),)


@pytest.mark.parametrize(
    ("column", "down", "up", "left", "right"),
    [(0, 0, 1, 0, 2), (1, 0, 2, 0, 3), (2, 1, 3, 0, 4), (3, 2, 4, 1, 4), (4, 3, 4, 2, 4)],
)
def test_steps_end_at_the_ends(column: int, down: int, up: int, left: int, right: int) -> None:
    market = Zigzag(ROWS)
    moves = (market.down, market.up, market.left, market.right)
    assert [move(0, column)[1] for move in moves] == [down, up, left, right]


def test_two_steps_are_made_whole_or_not_at_all() -> None:
    market = Zigzag(ROWS, short_ends=False)
    assert [market.left(0, column)[1] for column in range(5)] == [0, 1, 0, 1, 2]
    assert [market.right(0, column)[1] for column in range(5)] == [2, 3, 4, 3, 4]
