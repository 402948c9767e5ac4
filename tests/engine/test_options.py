"""Options with an amount to choose."""

from __future__ import annotations

import pytest

from carril.engine.actions import Bid, Pass, Range, SellShares
from carril.engine.play import listed

BIDS = Range(Bid(10), "amount", 10, 20, 5)


@pytest.mark.parametrize(
    ("amount", "offered"),
    [(9, False), (10, True), (12, False), (15, True), (20, True), (25, False)],
)
def test_a_range_offers_its_ends_and_the_steps_between(amount: int, offered: bool) -> None:
    assert BIDS.holds(amount) is offered
    assert BIDS.at(amount) == Bid(amount)
    assert listed([Pass(), BIDS], Bid(amount)) is offered


def test_an_action_of_another_kind_or_player_is_not_listed() -> None:
    assert listed([BIDS, Pass()], Pass())
    assert not listed([BIDS], Pass())
    assert not listed([BIDS], SellShares("A", 10))
    assert not listed([BIDS], Bid(10, by="Ana"))
