"""Rising bids for one lot after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from carril.engine.actions import Accept, Action, Bid, ChooseLot, Option, Pass, Range
from carril.engine.events import BidMade, LotChosen, LotSold, Passed, PriceFell
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import next_player, players_from
from carril.engine.state import BANK, State
from carril.engine.step import Step, refuse

PRIVATE = "private-company"
"""The kind of a lot that is a private company."""


class Auction(Step, tag="auction", frozen=True):
    """Lots are sold one by one, each to the last bidder who is left.

    Stages: "choose" the next lot; "open" the bidding; "bidding"; "falling", where a price is
    offered that drops when nobody takes it.
    """

    opener: str
    """The player who is asked first for the lot, and chooses it where lots are chosen."""
    turn: str
    stage: str = "choose"
    lot: str = ""
    bid: int = 0
    """The last bid."""
    bidder: str = ""
    out: tuple[str, ...] = ()
    """The players who have passed and are not asked again at this stage."""
    least: int = 0
    """The lowest bid that is accepted now."""
    price: int = 0
    """The price that is offered while it falls."""
    kind: str = "minor"
    """What is sold, as a word for messages."""

    allows = (Bid, Pass)

    def allowed(self, state: State) -> tuple[type[Action], ...]:
        """Return bids and passes, and what this title adds: choosing lots, falling prices."""
        choosing = (ChooseLot,) if state.title.auction.lots_chosen else ()
        taking = (Accept,) if state.tables.figures.auction.falling_prices else ()
        return (*choosing, *taking, *self.allows)

    @property
    def private(self) -> str:
        """The private company that is on sale, or "" where another kind of lot is sold."""
        return self.lot if self.kind == PRIVATE else ""

    def actor(self, state: State) -> str:
        """Return the player who is asked."""
        return self.turn

    def options(self, state: State) -> Iterable[Option]:
        """Yield what the stage allows."""
        by, cash = self.turn, state.players[self.turn].cash
        if self.stage == "choose":
            for lot in state.title.auction.lots(state):
                yield ChooseLot(lot, by=by)
            return
        if self.stage == "falling":
            yield Accept(by=by)
        elif cash >= self.least:
            unit = state.title.auction.unit(state)
            most = self.least + (cash - self.least) // unit * unit
            yield Range(Bid(self.least, by=by), "amount", self.least, most, unit)
        if not self._must_bid(state):
            yield Pass(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check an action against the stage, the sums and the player's cash."""
        if isinstance(action, ChooseLot):
            if self.stage != "choose":
                return refuse(state, "lot-chosen", lot=self.lot)
            known = action.lot in state.title.auction.lots(state)
            return None if known else refuse(state, "no-lot", lot=action.lot)
        if self.stage == "choose":
            return refuse(state, "choose-first", player=self.turn)
        if isinstance(action, Bid):
            return self._bid_refusal(state, action.amount)
        if isinstance(action, Accept):
            if self.stage != "falling":
                return refuse(state, "nothing-offered", lot=self.lot)
            return self._buyer_refusal(state, self.price)
        return refuse(state, "must-open", lot=self.lot) if self._must_bid(state) else None

    def _must_bid(self, state: State) -> bool:
        """Return whether the opener of the lot is asked and may not pass."""
        return state.title.auction.opener_must_bid and self.stage == "open"

    def _bid_refusal(self, state: State, amount: int) -> Refusal | None:
        if self.stage == "falling":
            return refuse(state, "price-is-fixed", price=self.price)
        opening, unit = self.stage == "open", state.title.auction.unit(state)
        if amount < self.least:
            code = "opening-too-low" if opening else "raise-too-low"
            return refuse(state, code, amount=amount, least=self.least)
        if amount % unit:
            code = "opening-step" if opening else "raise-step"
            return refuse(state, code, amount=amount, step=unit)
        return self._buyer_refusal(state, amount)

    def _buyer_refusal(self, state: State, amount: int) -> Refusal | None:
        cash = state.players[self.turn].cash
        if amount > cash:
            return refuse(state, "bid-above-cash", amount=amount, cash=cash)
        return state.title.auction.buyer_refusal(state, self.turn)

    def play(self, move: Move, action: Action) -> None:
        """Carry out a choice, a bid, an acceptance or a pass."""
        match action:
            case ChooseLot(lot=lot):
                move.tell(LotChosen(self.turn, lot))
                self._open(move, lot)
            case Bid(amount=amount):
                self._bid(move, amount)
            case Accept():
                self.sell(move, self.turn, self.price)
            case _:
                self._pass(move, forced=False)

    def _open(self, move: Move, lot: str) -> None:
        least = move.state.title.auction.opening_bid(move.state, lot)
        move.swap(replace(self, stage="open", lot=lot, out=(), least=least))

    def _bid(self, move: Move, amount: int) -> None:
        move.tell(BidMade(self.turn, self.lot, amount))
        rejoin = self.stage == "open" and not move.state.title.auction.pass_is_final
        bid = replace(
            self,
            stage="bidding",
            bid=amount,
            bidder=self.turn,
            out=() if rejoin else self.out,
            least=amount + move.state.tables.figures.auction.step,
        )
        move.swap(replace(bid, turn=bid._next(move.state)))

    def _next(self, state: State) -> str:
        """Return the next player in order who is not out."""
        for name in players_from(state, self.turn)[1:]:
            if name not in self.out:
                return name
        return self.turn

    def _pass(self, move: Move, forced: bool) -> None:
        name = move.state.title.auction.pass_name.format(stage=self.stage)
        move.tell(Passed(self.turn, name, forced))
        passed = replace(self, out=(*self.out, self.turn))
        move.swap(replace(passed, turn=passed._next(move.state)))

    def settle(self, move: Move) -> bool:
        """Put up the next lot, sell to the last bidder, pass for players who cannot bid."""
        state = move.state
        if self.stage == "choose":
            return self._next_lot(move)
        if self.stage == "bidding" and len(self.out) == len(state.players) - 1:
            self.sell(move, self.bidder, self.bid)
        elif len(self.out) == len(state.players):
            state.title.auction.unsold(move, self)
        elif self._cannot_bid(state):
            self._pass(move, forced=True)
        else:
            return False
        return True

    def _next_lot(self, move: Move) -> bool:
        rules = move.state.title.auction
        lot = next(iter(rules.lots(move.state)), "")
        if not lot:
            rules.finish(move, self.opener)
        elif rules.lots_chosen:
            return False
        else:
            self._open(move, lot)
        return True

    def _cannot_bid(self, state: State) -> bool:
        if self.stage == "open" and state.title.auction.everybody_asked(state):
            return False
        asked = self.price if self.stage == "falling" else self.least
        return self._buyer_refusal(state, asked) is not None

    def sell(self, move: Move, buyer: str, price: int) -> None:
        """Sell the lot; the player after its opener opens the next one."""
        following = next_player(move.state, self.opener)
        move.swap(Auction(following, following, kind=self.kind))
        move.state.title.auction.sell(move, buyer, self.lot, price)


def take_payment(move: Move, buyer: str, lot: str, price: int) -> None:
    """Let the buyer of a lot pay the bank."""
    pay(move, buyer, BANK, price, "sale")
    move.tell(LotSold(buyer, lot, price))


def begin_next_round(move: Move, opener: str) -> None:
    """End the auction and go on to the next round."""
    move.pop()
    move.state.title.next_round(move)


def lower_price(move: Move, auction: Auction) -> None:
    """Offer the next price of the table, to the opener first; at 0 the lot is theirs."""
    prices = move.state.tables.figures.auction.falling_prices
    following = prices.index(auction.price) + 1 if auction.stage == "falling" else 0
    price = prices[following]
    move.tell(PriceFell(auction.lot, price))
    if price == 0:
        auction.sell(move, auction.opener, 0)
    else:
        move.swap(replace(auction, stage="falling", price=price, out=(), turn=auction.opener))


@dataclass(frozen=True, slots=True)
class AuctionRules:
    """What a title decides about its auction."""

    lots: Callable[[State], Sequence[str]] = lambda state: ()
    """The lots that are left, the next one first."""
    sell: Callable[[Move, str, str, int], None] = take_payment
    """Let a player pay for a lot and take it, with everything that comes with it."""
    finish: Callable[[Move, str], None] = begin_next_round
    """End the auction; the player would have opened the next lot."""
    lots_chosen: bool = False
    """Whether the opener chooses the next lot; otherwise the first is put up."""
    pass_is_final: bool = True
    """Whether a player who passes before the first bid is out; otherwise they may still bid."""
    opener_must_bid: bool = False
    """Whether the opener of a lot may not pass, so that the next player is asked after a bid."""
    pass_name: str = "auction"
    """What a pass is called in the log; "{stage}" is replaced by the stage."""
    opening_bid: Callable[[State, str], int] = lambda state, lot: (
        state.tables.figures.auction.opening_bid
    )
    unit: Callable[[State], int] = lambda state: state.tables.figures.auction.step
    """Bids are multiples of this sum."""
    buyer_refusal: Callable[[State, str], Refusal | None] = lambda state, player: None
    """Why a player may not buy a lot, whatever it costs."""
    everybody_asked: Callable[[State], bool] = lambda state: False
    """Whether players who cannot afford the first bid are asked as well."""
    unsold: Callable[[Move, Auction], None] = lower_price
    """What happens when everybody has passed without a bid."""
