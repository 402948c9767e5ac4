"""What 18EU answers about a position."""

from __future__ import annotations

from carril.engine.answers import Answers, Auction
from carril.engine.state import State
from carril.titles.eu.sale import Sale


def auction(state: State) -> Auction | None:
    """Return the sale of a minor that is under way."""
    step = state.step
    if not isinstance(step, Sale):
        return None
    return Auction(
        stage=step.stage,
        asked=step.turn,
        opener=step.auctioneer,
        lot=step.lot,
        price=step.price,
        least=state.tables.figures.auction.opening_bid,
        bidder=step.bidder,
        out=step.out,
    )


ANSWERS = Answers(auction=auction)
