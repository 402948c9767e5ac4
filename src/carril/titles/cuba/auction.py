"""The auction of the commissioners, one by one (CUBA-VI.6-a to -i)."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.order import deal_order
from carril.engine.state import State
from carril.engine.steps.auction import AuctionRules, begin_next_round, take_payment
from carril.titles.cuba.common import cuba, set_extra


def unsold_commissioners(state: State) -> list[str]:
    """Return the commissioners that nobody owns yet, by number."""
    return [symbol for symbol, owner in cuba(state).commissioners.items() if not owner]


def sell(move: Move, buyer: str, commissioner: str, price: int) -> None:
    """Give the commissioner to the buyer, who pays the bank."""
    take_payment(move, buyer, commissioner, price)
    set_extra(move, commissioners={**cuba(move.state).commissioners, commissioner: buyer})


def finish(move: Move, opener: str) -> None:
    """Deal the order cards, least cash first, and go on to the draft (CUBA-VI.6-i)."""
    deal_order(move, most_first=False)
    begin_next_round(move, opener)


AUCTION = AuctionRules(
    lots=unsold_commissioners,
    sell=sell,
    finish=finish,
    opener_must_bid=True,
    pass_name="commissioner-auction",
)
