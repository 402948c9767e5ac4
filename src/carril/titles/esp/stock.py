"""The stock round: sell and repay, then buy one certificate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    BuyShare,
    Option,
    Pass,
    Range,
    RepayLoan,
    SellShares,
    StartCompany,
)
from carril.engine.events import CompanyFloated, CompanyStarted, Passed, ShareBought
from carril.engine.market import move_price, operating_order, price, start_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import (
    certificate_limit,
    check_president,
    held_by_players,
    most_sellable,
    next_player,
    percent,
    sale_refusal,
    sell,
    transfer,
)
from carril.engine.state import BANK, IPO, POOL, Company, State
from carril.engine.step import Step, refuse
from carril.engine.trains import phase_reached
from carril.titles.esp.auction import deal_order
from carril.titles.esp.common import (
    LATE,
    RESERVED,
    certificates,
    check_launch,
    conventions,
    edition,
    esp,
    is_minor,
    region,
)
from carril.titles.esp.loans import most_repaid, repay, repay_refusal
from carril.titles.esp.par import par_at, par_refusal

SOUTH_FROM = "3"
"""The phase from which Southern majors are on offer."""


class StockRound(Step, tag="esp-stock-round", frozen=True):
    """Players act in the order of their cards until all pass in succession."""

    player: str
    passes: int = 0
    acted: bool = False
    """Whether this player has sold or repaid in this turn."""
    repaid: bool = False
    bought: bool = False
    sold: tuple[tuple[str, str], ...] = ()
    """Player and company of every sale of this round."""

    allows = (SellShares, RepayLoan, BuyShare, StartCompany, Pass)

    def actor(self, state: State) -> str:
        """Return the player whose turn it is."""
        return self.player

    # --- options -------------------------------------------------------------------------

    def options(self, state: State) -> Iterable[Option]:
        """Yield sales, repayment, purchases, starts and the pass."""
        yield from self._actions(state)
        if self._pass_refusal(state) is None:
            yield Pass(by=self.player)

    def _actions(self, state: State) -> Iterator[Option]:
        by = self.player
        for company in self._sellable(state):
            most = most_sellable(state, by, company)
            yield Range(SellShares(company.symbol, 1, by=by), "count", 1, most)
        if not self._over_limit(state):
            yield from self._repayments(state)
        full = certificates(state, by) >= certificate_limit(state)
        if state.players[by].debt or full:
            return
        for symbol in esp(state).in_play:
            yield from self._purchases(state, state.companies[symbol])

    def _repayments(self, state: State) -> Iterator[Option]:
        least, most = most_repaid(state, self.player)
        if most and not self.repaid:
            yield Range(RepayLoan(least, by=self.player), "amount", least, most)

    def _purchases(self, state: State, company: Company) -> Iterator[Option]:
        by = self.player
        if company.started:
            for source in (IPO, POOL):
                buy = BuyShare(company.symbol, source, by=by)
                if self._buy_refusal(state, buy) is None:
                    yield buy
            return
        if self._unstarted_refusal(state, company.symbol) or self._share_refusal(state, company, 2):
            return
        for par in state.tables.pars:
            if self._price_refusal(state, company.symbol, par.price) is None:
                yield StartCompany(company.symbol, par.price, by=by)

    def _may_sell(self, state: State) -> bool:
        """In the German text a loan is repaid after the sales (E60)."""
        free = edition(state).sale_after_repayment or conventions(state).sale_after_repayment
        return free or not self.repaid

    def _sellable(self, state: State) -> Iterator[Company]:
        if not self._may_sell(state):
            return
        for company in state.companies.values():
            mine = company.held(self.player) and company.operated and company.kind == "major"
            if mine and most_sellable(state, self.player, company):
                yield company

    # --- refusals ------------------------------------------------------------------------

    def _over_limit(self, state: State) -> bool:
        return certificates(state, self.player) > certificate_limit(state)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of a turn."""
        if isinstance(action, SellShares):
            return self._sale_refusal(state, action)
        if isinstance(action, Pass):
            return self._pass_refusal(state)
        if self._over_limit(state):
            return refuse(state, "must-sell", player=self.player)
        if isinstance(action, RepayLoan):
            if self.repaid:
                return refuse(state, "repaid-this-turn", player=self.player)
            return repay_refusal(state, self.player, action.amount)
        if state.players[self.player].debt:
            return refuse(state, "in-debt", debt=state.players[self.player].debt)
        if certificates(state, self.player) >= certificate_limit(state):
            return refuse(state, "certificate-limit", limit=certificate_limit(state))
        if isinstance(action, StartCompany):
            return self._start_refusal(state, action)
        assert isinstance(action, BuyShare)
        return self._buy_refusal(state, action)

    def _sale_refusal(self, state: State, action: SellShares) -> Refusal | None:
        company = state.companies.get(action.company)
        if company is not None and company.kind == "minor":
            return refuse(state, "minor-not-sold", company=action.company)
        if not self._may_sell(state):
            return refuse(state, "repaid-before", player=self.player)
        return sale_refusal(state, self.player, action.company, action.count)

    def _pass_refusal(self, state: State) -> Refusal | None:
        if self._over_limit(state) and next(self._sellable(state), None) is not None:
            return refuse(state, "must-sell", player=self.player)
        return None

    def _in_play_refusal(self, state: State, symbol: str) -> Refusal | None:
        if symbol not in esp(state).in_play or state.companies[symbol].closed:
            return refuse(state, "no-such-stock", company=symbol)
        major = not is_minor(state, symbol)
        early = not phase_reached(state, SOUTH_FROM) and not conventions(state).south_from_start
        if major and region(state, symbol) == "south" and early:
            return refuse(state, "south-not-yet", company=symbol)
        if not major and phase_reached(state, LATE):
            return refuse(state, "no-new-minors", company=symbol)
        if (self.player, symbol) in self.sold:
            return refuse(state, "sold-this-round", company=symbol)
        return None

    def _start_refusal(self, state: State, action: StartCompany) -> Refusal | None:
        return (
            self._unstarted_refusal(state, action.company)
            or self._price_refusal(state, action.company, action.price)
            or self._share_refusal(state, state.companies[action.company], 2)
        )

    def _unstarted_refusal(self, state: State, symbol: str) -> Refusal | None:
        """Check whether a company can be started now, at whatever price."""
        if refused := self._in_play_refusal(state, symbol):
            return refused
        company = state.companies[symbol]
        if company.started or (not is_minor(state, symbol) and company.held(IPO) < 2):
            return refuse(state, "already-started", company=symbol)
        if symbol == esp(state).director_7:
            return refuse(state, "director-elsewhere", company=symbol)
        return None

    def _price_refusal(self, state: State, symbol: str, value: int) -> Refusal | None:
        if refused := par_refusal(state, symbol, value):
            return refused
        cost, cash = 2 * value, state.players[self.player].cash
        if cost > cash:
            return refuse(state, "start-too-dear", cost=cost, cash=cash)
        return None

    def _share_refusal(self, state: State, company: Company, units: int) -> Refusal | None:
        if company.kind == "minor":
            return None
        after = percent(state, company, company.held(self.player) + units)
        most = state.tables.figures.share_limit.player
        if after > most:
            return refuse(state, "share-limit", company=company.symbol, percent=after, limit=most)
        return None

    def _buy_refusal(self, state: State, action: BuyShare) -> Refusal | None:
        if action.company not in state.companies or is_minor(state, action.company):
            return refuse(state, "no-such-stock", company=action.company)
        if refused := self._in_play_refusal(state, action.company):
            return refused
        company = state.companies[action.company]
        if not company.started:
            return refuse(state, "president-first", company=action.company)
        if action.source == RESERVED:
            return refuse(state, "reserved-share", company=action.company)
        if action.source not in (IPO, POOL) or not company.held(action.source):
            return refuse(state, "no-share-there", company=action.company, source=action.source)
        if refused := self._share_refusal(state, company, 1):
            return refused
        cost, cash = _cost(state, company, action.source), state.players[self.player].cash
        if cost > cash:
            return refuse(state, "cannot-pay", cost=cost, cash=cash)
        return None

    # --- what happens --------------------------------------------------------------------

    def play(self, move: Move, action: Action) -> None:
        """Carry out one action; a purchase ends the turn."""
        match action:
            case SellShares(company=company, count=count):
                sell(move, self.player, company, count)
                pair = (self.player, company)
                move.swap(replace(self, acted=True, sold=(*self.sold, pair)))
            case RepayLoan(amount=amount):
                repay(move, self.player, amount)
                move.swap(replace(self, acted=True, repaid=True))
            case Pass():
                move.tell(Passed(self.player, "stock"))
                move.swap(self._next_turn(move.state, passed=not self.acted))
            case BuyShare():
                move.swap(replace(self, bought=True))
                self._buy(move, action)
            case StartCompany():
                move.swap(replace(self, bought=True))
                self._start(move, action)

    def _buy(self, move: Move, action: BuyShare) -> None:
        """All money goes to the bank, from wherever the share comes (ESP-3.2-j)."""
        symbol = action.company
        cost = _cost(move.state, move.state.companies[symbol], action.source)
        transfer(move, symbol, action.source, self.player, 1)
        pay(move, self.player, BANK, cost, "share")
        move.tell(ShareBought(self.player, symbol, action.source, 1, cost))
        check_president(move, symbol)
        check_launch(move, symbol)

    def _start(self, move: Move, action: StartCompany) -> None:
        symbol, value = action.company, action.price
        par = par_at(move.state, value)
        assert par is not None
        minor = is_minor(move.state, symbol)
        transfer(move, symbol, IPO, self.player, 1 if minor else 2)
        move.change_company(symbol, owner=self.player, started=True, par=0 if minor else value)
        start_price(move, symbol, par.row, par.column)
        move.tell(CompanyStarted(self.player, symbol, value))
        pay(move, self.player, symbol if minor else BANK, 2 * value, "start")
        if minor:
            move.change_company(symbol, floated=True, tokens=1)
            move.tell(CompanyFloated(symbol))
        else:
            check_launch(move, symbol)

    def _next_turn(self, state: State, passed: bool) -> StockRound:
        return StockRound(
            player=next_player(state, self.player),
            passes=self.passes + 1 if passed else 0,
            sold=self.sold,
        )

    def settle(self, move: Move) -> bool:
        """End a turn after its purchase, pass who can do nothing, and end the round."""
        state = move.state
        if self.bought:
            move.swap(self._next_turn(state, passed=False))
        elif self.passes == len(state.players):
            self._finish(move)
        elif next(iter(self._actions(state)), None) is None:
            move.tell(Passed(self.player, "stock", forced=True))
            move.swap(self._next_turn(state, passed=not self.acted))
        else:
            return False
        return True

    def _finish(self, move: Move) -> None:
        """Sold-out prices rise, highest first; then the order cards are dealt by cash."""
        move.pop()
        majors = [c.symbol for c in move.state.companies.values() if c.floated and _is_major(c)]
        for symbol in operating_order(move.state, majors):
            company = move.state.companies[symbol]
            enough = 10 - company.held(RESERVED)
            if held_by_players(move.state, company) >= enough:
                move_price(move, symbol, "up", "sold out")
        deal_order(move, most_first=True)
        move.state.title.next_round(move)


def _is_major(company: Company) -> bool:
    return company.kind == "major" and not company.closed


def _cost(state: State, company: Company, source: str) -> int:
    """A share of the IPO costs par, one of the market the price (ESP-3.2-e, -f)."""
    return company.par if source == IPO else price(state, company.symbol)
