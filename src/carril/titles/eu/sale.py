"""The initial sale of the minors: an auction, or a falling price when nobody opens."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from carril.engine.actions import Accept, Action, Bid, ChooseLot, Option, Pass, Range
from carril.engine.board import place_token
from carril.engine.events import BidMade, LotChosen, LotSold, Passed, PriceFell, PriorityMoved
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import certificate_limit, next_player, players_from
from carril.engine.state import BANK, State
from carril.engine.step import Step, refuse
from carril.titles.eu.common import certificates, conventions


class Sale(Step, tag="sale", frozen=True):
    """One minor after the other is chosen by the auctioneer and sold.

    Stages: "choose" a minor; "open" the bidding; "bidding"; "falling", where the price drops.
    `out` holds those who have declined at this stage, or passed in the bidding.
    """

    auctioneer: str
    turn: str
    stage: str = "choose"
    lot: str = ""
    price: int = 0
    bidder: str = ""
    out: tuple[str, ...] = ()

    allows = (ChooseLot, Bid, Accept, Pass)

    def actor(self, state: State) -> str:
        """Return who is asked."""
        return self.turn

    def _least(self, state: State) -> int:
        """Return the least that must be paid to go on."""
        auction = state.tables.figures.auction
        if self.stage == "open":
            return auction.opening_bid
        return self.price + auction.step if self.stage == "bidding" else self.price

    def options(self, state: State) -> Iterable[Option]:
        """Yield what the stage allows."""
        by, cash = self.turn, state.players[self.turn].cash
        if self.stage == "choose":
            for symbol in unsold(state):
                yield ChooseLot(symbol, by=by)
            return
        if self.stage == "falling":
            yield Accept(by=by)
        else:
            step, least = state.tables.figures.auction.step, self._least(state)
            most = least + (cash - least) // step * step
            yield Range(Bid(least, by=by), "amount", least, most, step)
        yield Pass(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check an action against the stage, the sums and the player's cash."""
        if isinstance(action, ChooseLot):
            if self.stage != "choose":
                return refuse(state, "lot-chosen", lot=self.lot)
            return None if action.lot in unsold(state) else refuse(state, "no-lot", lot=action.lot)
        if self.stage == "choose":
            return refuse(state, "choose-first", player=self.turn)
        if isinstance(action, Bid):
            return self._bid_refusal(state, action.amount)
        if isinstance(action, Accept):
            if self.stage != "falling":
                return refuse(state, "nothing-offered", lot=self.lot)
            return self._buyer_refusal(state, self.price)
        return None

    def _bid_refusal(self, state: State, amount: int) -> Refusal | None:
        if self.stage == "falling":
            return refuse(state, "price-is-fixed", price=self.price)
        least = self._least(state)
        step = state.tables.figures.auction.step
        if amount < least:
            code = "opening-too-low" if self.stage == "open" else "raise-too-low"
            return refuse(state, code, amount=amount, least=least)
        if amount % step:
            code = "opening-step" if self.stage == "open" else "raise-step"
            return refuse(state, code, amount=amount, step=step)
        return self._buyer_refusal(state, amount)

    def _buyer_refusal(self, state: State, amount: int) -> Refusal | None:
        """Check that the player has the money, and room for one more certificate (EU-3.1-d)."""
        cash, limit = state.players[self.turn].cash, certificate_limit(state)
        if amount > cash:
            return refuse(state, "bid-above-cash", amount=amount, cash=cash)
        if certificates(state, self.turn) >= limit:
            return refuse(state, "certificate-limit", limit=limit)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Carry out a choice, a bid, an acceptance or a pass."""
        match action:
            case ChooseLot(lot=lot):
                move.tell(LotChosen(self.turn, lot))
                move.swap(replace(self, stage="open", lot=lot, out=()))
            case Bid(amount=amount):
                move.tell(BidMade(self.turn, self.lot, amount))
                out = self.out if self.stage == "bidding" else ()
                bid = replace(self, stage="bidding", price=amount, bidder=self.turn, out=out)
                move.swap(replace(bid, turn=bid.after(move.state)))
            case Accept():
                self._sell(move, self.turn, self.price)
            case _:
                self._decline(move, forced=False)

    def after(self, state: State) -> str:
        """Return who is asked next: the next one in order who is not out."""
        for name in players_from(state, self.turn)[1:]:
            if name not in self.out:
                return name
        return self.turn

    def _decline(self, move: Move, forced: bool) -> None:
        move.tell(Passed(self.turn, f"sale-{self.stage}", forced))
        declined = replace(self, out=(*self.out, self.turn))
        move.swap(replace(declined, turn=declined.after(move.state)))

    def settle(self, move: Move) -> bool:
        """Pass whoever cannot buy; sell to the last bidder; let the price fall; end the sale."""
        state = move.state
        if self.stage == "choose":
            if any(True for _ in unsold(state)):
                return False
            self._finish(move)
        elif self.stage == "bidding" and len(self.out) == len(state.players) - 1:
            self._sell(move, self.bidder, self.price)
        elif len(self.out) == len(state.players):
            self._fall(move)
        elif self._buyer_refusal(state, self._least(state)):
            self._decline(move, forced=True)
        else:
            return False
        return True

    def _fall(self, move: Move) -> None:
        """Offer the next lower price, beginning with the auctioneer; at 0 it is his."""
        prices = move.state.tables.figures.auction.falling_prices
        price = prices[0] if self.stage == "open" else prices[prices.index(self.price) + 1]
        move.tell(PriceFell(self.lot, price))
        if price == 0:
            self._sell(move, self.auctioneer, 0)
        else:
            offer = replace(self, stage="falling", price=price, out=(), turn=self.auctioneer)
            move.swap(offer)

    def _sell(self, move: Move, buyer: str, price: int) -> None:
        """The buyer pays the bank; the minor's token goes on its home."""
        pay(move, buyer, BANK, price, "sale")
        move.change_company(self.lot, owner=buyer)
        home = move.state.tables.companies[self.lot].home
        assert home is not None
        place_token(move, self.lot, home.hex, home.city)
        move.tell(LotSold(buyer, self.lot, price))
        auctioneer = next_player(move.state, self.auctioneer)
        move.swap(Sale(auctioneer, auctioneer))

    def _finish(self, move: Move) -> None:
        if not conventions(move.state).priority_kept_in_sale:
            move.set(priority=self.auctioneer)
            move.tell(PriorityMoved(self.auctioneer))
        move.pop()
        move.state.title.next_round(move)


def unsold(state: State) -> Iterable[str]:
    """Yield the minors that nobody owns yet."""
    return (
        company.symbol
        for company in state.companies.values()
        if company.kind == "minor" and not company.owner and not company.closed
    )
