"""A company's dealings in its own stock: selling treasury shares, buying them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from carril.engine.actions import Action, IssueShares, Option, Pass, Range, RedeemShares
from carril.engine.events import ShareBought, SharesSold
from carril.engine.market import move_price, price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import transfer
from carril.engine.state import BANK, POOL, TREASURY, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep


@dataclass(frozen=True, slots=True)
class DealingRules:
    """What a title says about companies that deal in their own stock."""

    after_issue: Callable[[Move, str], None] = lambda move, company: None
    """What follows when a company has sold shares of its treasury."""


def most_issued(state: State, symbol: str) -> int:
    """Return how many shares of its treasury a company may sell: the pool has room for them."""
    company = state.companies[symbol]
    room = state.tables.share_limit("pool", symbol) - company.held(POOL)
    return max(0, min(company.held(TREASURY), room))


def issue_refusal(state: State, symbol: str, count: int) -> Refusal | None:
    """Return why a company may not sell this number of shares of its treasury."""
    company = state.companies[symbol]
    if not 1 <= count <= company.held(TREASURY):
        return refuse(state, "not-in-treasury", count=count, held=company.held(TREASURY))
    if count > most_issued(state, symbol):
        return refuse(state, "pool-full", company=symbol, count=count, pool=company.held(POOL))
    return None


def issue(move: Move, symbol: str, count: int) -> None:
    """Sell shares of a company's treasury to the pool at the price before; then it falls."""
    each = price(move.state, symbol)
    transfer(move, symbol, TREASURY, POOL, count)
    pay(move, BANK, symbol, each * count, "shares")
    move.tell(SharesSold(symbol, symbol, count, each))
    move_price(move, symbol, "down", "sale", count)
    move.state.title.dealing.after_issue(move, symbol)


class DealStock(CompanyStep, tag="stock", frozen=True):
    """Sell treasury shares to the pool or buy shares back, not both.

    It is in the engine although not every title has it, because titles that have it differ only
    in these fields: when a company may deal, how many shares, and how often.
    """

    may_issue: bool = True
    may_redeem: bool = True
    one_deal: bool = False
    """Whether the first deal ends the step; otherwise a company may buy back again."""
    redeemed: bool = False
    most: int = 0
    """The most shares of one deal; 0 for any number."""

    allows = (IssueShares, RedeemShares, Pass)

    def settle(self, move: Move) -> bool:
        """Skip the step when nothing can be sold or bought."""
        if self._most_issued(move.state) or self._most_redeemed(move.state):
            return False
        move.pop()
        return True

    def _most_issued(self, state: State) -> int:
        if not self.may_issue or self.redeemed:
            return 0
        return self._capped(most_issued(state, self.company))

    def _most_redeemed(self, state: State) -> int:
        if not self.may_redeem:
            return 0
        company = state.companies[self.company]
        most = state.tables.share_limit("treasury", self.company)
        room = most - company.held(TREASURY)
        affordable = company.cash // price(state, self.company)
        return self._capped(min(company.held(POOL), affordable, room))

    def _capped(self, count: int) -> int:
        return max(0, min(count, self.most) if self.most else count)

    def options(self, state: State) -> Iterable[Option]:
        """Yield the numbers that can be sold or bought, and the pass."""
        by = self.actor(state)
        if most := self._most_issued(state):
            yield Range(IssueShares(1, by=by), "count", 1, most)
        if most := self._most_redeemed(state):
            yield Range(RedeemShares(1, by=by), "count", 1, most)
        yield Pass(by=by)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the shares exist, the pool has room or the company the money."""
        if not isinstance(action, IssueShares | RedeemShares):
            return None
        if self.most and action.count > self.most:
            return refuse(state, "deal-too-large", count=action.count, most=self.most)
        if isinstance(action, IssueShares):
            return self._issue_refusal(state, action.count)
        return self._redeem_refusal(state, action.count)

    def _issue_refusal(self, state: State, count: int) -> Refusal | None:
        if not self.may_issue:
            return refuse(state, "issue-first-turn")
        if self.redeemed:
            return refuse(state, "deal-both-ways")
        return issue_refusal(state, self.company, count)

    def _redeem_refusal(self, state: State, count: int) -> Refusal | None:
        company = state.companies[self.company]
        if not self.may_redeem:
            return refuse(state, "redeem-first-turn")
        if not 1 <= count <= company.held(POOL):
            return refuse(state, "not-in-pool", count=count, held=company.held(POOL))
        cost = count * price(state, self.company)
        if cost > company.cash:
            return refuse(state, "treasury-short", cost=cost, cash=company.cash)
        if count > self._most_redeemed(state):
            return refuse(state, "treasury-full", count=count, held=company.held(TREASURY))
        return None

    def play(self, move: Move, action: Action) -> None:
        """Carry out the deal; a sale lowers the price, a purchase does not."""
        each = price(move.state, self.company)
        if isinstance(action, IssueShares):
            issue(move, self.company, action.count)
            move.pop()
        elif isinstance(action, RedeemShares):
            transfer(move, self.company, POOL, TREASURY, action.count)
            pay(move, self.company, BANK, each * action.count, "shares")
            move.tell(ShareBought(self.company, self.company, POOL, action.count, each))
            if self.one_deal:
                move.pop()
            else:
                move.swap(replace(self, redeemed=True))
        else:
            self.passed(move)
