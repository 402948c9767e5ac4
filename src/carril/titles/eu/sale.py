"""The initial sale of the minors: an auction, or a falling price when nobody opens."""

from __future__ import annotations

from carril.engine.board import place_token
from carril.engine.events import LotSold, PriorityMoved
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.shares import limit_refusal
from carril.engine.state import BANK, State
from carril.engine.steps.auction import AuctionRules
from carril.titles.eu.common import conventions


def unsold(state: State) -> list[str]:
    """Return the minors that nobody owns yet."""
    return [
        company.symbol
        for company in state.companies.values()
        if company.kind == "minor" and not company.owner and not company.closed
    ]


def sell(move: Move, buyer: str, minor: str, price: int) -> None:
    """Pay the bank for a minor, and place its home token."""
    pay(move, buyer, BANK, price, "sale")
    move.change_company(minor, owner=buyer)
    home = move.state.tables.companies[minor].home
    assert home is not None
    place_token(move, minor, home.hex, home.city)
    move.tell(LotSold(buyer, minor, price))


def finish(move: Move, auctioneer: str) -> None:
    """Go on to the first operating round; on 18xx.games the priority deal has moved (G-2)."""
    if not conventions(move.state).priority_kept_in_sale:
        move.set(priority=auctioneer)
        move.tell(PriorityMoved(auctioneer))
    move.pop()
    move.state.title.next_round(move)


AUCTION = AuctionRules(
    lots=unsold,
    sell=sell,
    finish=finish,
    lots_chosen=True,
    pass_is_final=False,
    pass_name="sale-{stage}",
    buyer_refusal=limit_refusal,  # EU-3.1-d
)
