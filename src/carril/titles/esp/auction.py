"""The auction of the privates, one by one."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from carril.engine.actions import Action, Bid, Option, Pass, Range, StartCompany
from carril.engine.events import BidMade, CompanyStarted, LotSold, OrderDealt, Passed, PriceFell
from carril.engine.market import start_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import hand_over, next_player, players_from
from carril.engine.state import BANK, IPO, State
from carril.engine.step import Step, refuse
from carril.titles.esp.common import (
    check_launch,
    conventions,
    esp,
    face_value,
    pay_privates,
    private_number,
    set_extra,
)
from carril.titles.esp.par import par_at, par_refusal, pars

PRIVATES = tuple(f"P{number}" for number in range(1, 8))


def deal_order(move: Move, most_first: bool) -> None:
    """Deal the order cards anew by cash; ties keep the old order."""
    sign = -1 if most_first else 1
    names = sorted(move.state.players, key=lambda name: sign * move.state.players[name].cash)
    move.set(players={name: move.state.players[name] for name in names}, priority=names[0])
    move.tell(OrderDealt(tuple(names)))


class PrivateAuction(Step, tag="private-auction", frozen=True):
    """Bids for the lowest private that is left; who passes is out of this auction."""

    private: str
    opener: str
    turn: str
    least: int
    """The lowest opening bid: face value, or less after all passed on private 1."""
    bid: int = 0
    bidder: str = ""
    out: tuple[str, ...] = ()

    allows = (Bid, Pass)

    def actor(self, state: State) -> str:
        """Return who is asked."""
        return self.turn

    def _next_bid(self, state: State) -> int:
        step = state.tables.figures.auction.step
        return self.bid + step if self.bidder else self.least

    def options(self, state: State) -> Iterable[Option]:
        """Bid in steps of 5, as far as the cash goes, or pass."""
        by, cash, least = self.turn, state.players[self.turn].cash, self._next_bid(state)
        step = state.tables.figures.auction.step if conventions(state).bids_by_five else 1
        if cash >= least:
            most = least + (cash - least) // step * step
            yield Range(Bid(least, by=by), "amount", least, most, step)
        yield Pass(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check a bid: high enough, a multiple of 5, within the player's cash."""
        if not isinstance(action, Bid):
            return None
        amount, least = action.amount, self._next_bid(state)
        if amount < least:
            code = "raise-too-low" if self.bidder else "opening-too-low"
            return refuse(state, code, amount=amount, least=least)
        step = state.tables.figures.auction.step
        if amount % step and conventions(state).bids_by_five:
            code = "raise-step" if self.bidder else "opening-step"
            return refuse(state, code, amount=amount, step=step)
        cash = state.players[self.turn].cash
        if amount > cash:
            return refuse(state, "bid-above-cash", amount=amount, cash=cash)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Note the bid or the pass and go on to the next player."""
        if isinstance(action, Bid):
            move.tell(BidMade(self.turn, self.private, action.amount))
            bid = replace(self, bid=action.amount, bidder=self.turn)
            move.swap(replace(bid, turn=bid.after(move.state)))
        else:
            self._pass(move, forced=False)

    def after(self, state: State) -> str:
        """Return the next player in order who is not out."""
        for name in players_from(state, self.turn)[1:]:
            if name not in self.out:
                return name
        return self.turn

    def _pass(self, move: Move, forced: bool) -> None:
        move.tell(Passed(self.turn, "private-auction", forced))
        passed = replace(self, out=(*self.out, self.turn))
        move.swap(replace(passed, turn=passed.after(move.state)))

    def settle(self, move: Move) -> bool:
        """Sell to the last one left; begin again when all have passed."""
        state = move.state
        if self.bidder and len(self.out) == len(state.players) - 1:
            self._sell(move, self.bidder, self.bid)
        elif len(self.out) == len(state.players):
            self._all_passed(move)
        elif self.turn != self.bidder and self._cannot_bid(state):
            self._pass(move, forced=True)
        else:
            return False
        return True

    def _cannot_bid(self, state: State) -> bool:
        if conventions(state).cashless_asked and not self.bidder:
            return False
        return state.players[self.turn].cash < self._next_bid(state)

    def _all_passed(self, move: Move) -> None:
        """Private 1 becomes cheaper and at 0 goes to the opener; for others income is paid."""
        again = replace(self, out=(), turn=self.opener)
        if self.private != PRIVATES[0]:
            pay_privates(move)
            move.swap(again)
            return
        price = self.least - move.state.tables.figures.auction.step
        move.tell(PriceFell(self.private, price))
        if price <= 0:
            self._sell(move, self.opener, 0)
        else:
            move.swap(replace(again, least=price))

    def _sell(self, move: Move, buyer: str, price: int) -> None:
        pay(move, buyer, BANK, price, "private")
        set_extra(move, privates={**esp(move.state).privates, self.private: buyer})
        move.tell(LotSold(buyer, self.private, price))
        opener = next_player(move.state, self.opener)
        number = private_number(self.private)
        if number < len(PRIVATES):
            following = PRIVATES[number]
            face = face_value(move.state, following)
            move.swap(PrivateAuction(following, opener, opener, face))
        else:
            move.swap(AuctionOver())
        if self.private == "P6":
            hand_over(move, esp(move.state).share_6, IPO, buyer, 1)
        elif self.private == "P7":
            move.push(SetPar(esp(move.state).director_7, buyer))


class AuctionOver(Step, tag="auction-over", frozen=True):
    """After the last private: order cards by least cash first, then the stock round."""

    def settle(self, move: Move) -> bool:
        """Deal the order and go on."""
        move.pop()
        deal_order(move, most_first=False)
        move.state.title.next_round(move)
        return True


class SetPar(Step, tag="set-par", frozen=True):
    """The winner of private 7 sets the par value of its company (ESP-DE-3.1-f)."""

    company: str
    player: str

    allows = (StartCompany,)

    def actor(self, state: State) -> str:
        """Return the winner of the private."""
        return self.player

    def options(self, state: State) -> Iterable[Action]:
        """Yield the par values that are open now."""
        by = self.actor(state)
        for par in pars(state, self.company):
            yield StartCompany(self.company, par.price, by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check company and value."""
        assert isinstance(action, StartCompany)
        if action.company != self.company:
            return refuse(state, "par-of-private-7", company=self.company)
        return par_refusal(state, self.company, action.price)

    def play(self, move: Move, action: Action) -> None:
        """Set the par value; nothing is paid (A3)."""
        assert isinstance(action, StartCompany)
        move.pop()
        par = par_at(move.state, action.price)
        assert par is not None
        hand_over(move, self.company, IPO, self.player, 2)
        start_price(move, self.company, par.row, par.column)
        move.change_company(self.company, par=action.price, started=True, owner=self.player)
        move.tell(CompanyStarted(self.player, self.company, action.price))
        check_launch(move, self.company)
