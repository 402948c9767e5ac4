"""The auction of the privates, one by one."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from carril.engine.actions import Action, StartCompany
from carril.engine.events import LotSold, PriceFell
from carril.engine.launch import check_float, par_refusal, start_company
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.order import deal_order
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def, hand_over
from carril.engine.state import BANK, IPO, State
from carril.engine.step import Step, refuse
from carril.engine.steps.auction import Auction, AuctionRules
from carril.titles.esp.common import (
    conventions,
    esp,
    face_value,
    pay_privates,
    private_def,
    set_extra,
)
from carril.titles.esp.figures import figures


def unsold_privates(state: State) -> list[str]:
    """Return the privates that nobody owns yet, by number."""
    return [private for private, owner in esp(state).privates.items() if not owner]


def nobody_bids(move: Move, auction: Auction) -> None:
    """Lower the price of the first private, free at 0; for another one pay all incomes."""
    again = replace(auction, out=(), turn=auction.opener)
    if auction.lot != figures(move.state).private[0].symbol:
        pay_privates(move)
        move.swap(again)
        return
    price = auction.least - move.state.tables.figures.auction.step
    move.tell(PriceFell(auction.lot, price))
    if price <= 0:
        auction.sell(move, auction.opener, 0)
    else:
        move.swap(replace(again, least=price))


def sell(move: Move, buyer: str, private: str, price: int) -> None:
    """Pay the bank for a private; a share or a directorship may come with it."""
    pay(move, buyer, BANK, price, "private")
    set_extra(move, privates={**esp(move.state).privates, private: buyer})
    move.tell(LotSold(buyer, private, price))
    comes_with = private_def(move.state, private).comes_with
    if comes_with == "share":
        hand_over(move, esp(move.state).share_6, IPO, buyer, 1)
    elif comes_with == "directorship":
        move.push(SetPar(esp(move.state).director_7, buyer))


def finish(move: Move, opener: str) -> None:
    """Deal the order cards once the last private is sold."""
    move.swap(AuctionOver())


class AuctionOver(Step, tag="auction-over", frozen=True):
    """After the last private: deals order cards, least cash first, and begins the stock round."""

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
        for par in state.tables.pars:
            if par_refusal(state, self.company, par.price) is None:
                yield StartCompany(self.company, par.price, by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check the company and the par value."""
        assert isinstance(action, StartCompany)
        if action.company != self.company:
            return refuse(state, "par-of-private-7", company=self.company)
        return par_refusal(state, self.company, action.price)

    def play(self, move: Move, action: Action) -> None:
        """Set the par value; nothing is paid (A3)."""
        assert isinstance(action, StartCompany)
        move.pop()
        units = company_def(move.state, self.company).president_units
        hand_over(move, self.company, IPO, self.player, units)
        start_company(move, self.player, self.company, action.price)
        check_float(move, self.company)


AUCTION = AuctionRules(
    lots=unsold_privates,
    sell=sell,
    finish=finish,
    pass_name="private-auction",
    opening_bid=face_value,
    unit=lambda state: figures(state).auction.step if conventions(state).bids_by_five else 1,
    everybody_asked=lambda state: conventions(state).cashless_asked,
    unsold=nobody_bids,
)
