"""Options with an amount to choose."""

from __future__ import annotations

import pytest

from carril.engine.actions import Bid, Range


@pytest.mark.parametrize(
    ("amount", "offered"),
    [(9, False), (10, True), (12, False), (15, True), (20, True), (25, False)],
)
def test_a_range_offers_its_ends_and_the_steps_between(amount: int, offered: bool) -> None:
    bids = Range(Bid(10), "amount", 10, 20, 5)
    assert bids.holds(amount) is offered
    assert bids.at(amount) == Bid(amount)
