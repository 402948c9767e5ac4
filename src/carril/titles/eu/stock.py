"""The stock round: sell, then buy, exchange or start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    BuyShare,
    ExchangeMinor,
    Option,
    Pass,
    Range,
    SellShares,
    StartCompany,
)
from carril.engine.events import Passed, PriorityMoved, ShareBought
from carril.engine.market import move_price, operating_order, price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import (
    certificate_limit,
    check_president,
    most_sellable,
    next_player,
    percent,
    sale_refusal,
    sell,
    transfer,
)
from carril.engine.state import BANK, POOL, TREASURY, Company, State
from carril.engine.step import Step, refuse
from carril.titles.eu.common import (
    certificates,
    check_float,
    conventions,
    discards_due,
    minors_of,
)
from carril.titles.eu.merging import connected, exchange
from carril.titles.eu.starting import start, start_refusal


class StockRound(Step, tag="stock-round", frozen=True):
    """Players act in turn until all of them pass in succession."""

    player: str
    passes: int = 0
    sold_now: tuple[str, ...] = ()
    """Corporations this player has sold in this turn."""
    bought: bool = False
    sold: tuple[tuple[str, str], ...] = ()
    """Player and corporation of every sale of this round."""
    over: bool = False
    """All have passed; what follows waits for discards."""

    allows = (SellShares, BuyShare, StartCompany, ExchangeMinor, Pass)

    def actor(self, state: State) -> str:
        """Return the player whose turn it is."""
        return self.player

    # --- options -------------------------------------------------------------------------

    def options(self, state: State) -> Iterable[Option]:
        """Yield sales as ranges, then every purchase, exchange and start, and the pass."""
        yield from self._actions(state)
        if self._pass_refusal(state) is None:
            yield Pass(by=self.player)

    def _actions(self, state: State) -> Iterator[Option]:
        yield from self._sales(state)
        if self._must_sell(state):
            return
        by = self.player
        for company in state.companies.values():
            if company.kind != "major":
                continue
            if company.started:
                candidates: list[Action] = [
                    BuyShare(company.symbol, source, by=by) for source in (TREASURY, POOL)
                ]
                candidates += self._exchanges(state, company)
            else:
                pars = state.tables.pars
                candidates = [StartCompany(company.symbol, par.price, by=by) for par in pars]
            yield from (one for one in candidates if self._deal_refusal(state, one) is None)

    def _exchanges(self, state: State, company: Company) -> list[Action]:
        if company.operated:
            return []
        return [
            ExchangeMinor(minor.symbol, company.symbol, source, by=self.player)
            for minor in minors_of(state, self.player)
            for source in (TREASURY, POOL)
        ]

    def _sales(self, state: State) -> Iterator[Option]:
        for company in state.companies.values():
            if company.held(self.player) and self._may_sell(state, company):
                most = most_sellable(state, self.player, company)
                first = SellShares(company.symbol, 1, by=self.player)
                yield Range(first, "count", 1, most)

    def _may_sell(self, state: State, company: Company) -> bool:
        return (
            company.operated
            and company.symbol not in self.sold_now
            and most_sellable(state, self.player, company) > 0
        )

    # --- refusals ------------------------------------------------------------------------

    def _must_sell(self, state: State) -> str:
        """Return why the player must sell: a limit he is above and can do something about.

        That is 60 % of a corporation (A-8) or the certificate limit (A-7); "" if neither.
        """
        limit = state.tables.figures.share_limit.player
        able = False
        for company in state.companies.values():
            held = company.held(self.player)
            if held and self._may_sell(state, company):
                able = True
                if percent(state, company, held) > limit:
                    return "must-sell"
        over = able and certificates(state, self.player) > certificate_limit(state)
        return "must-sell-certificates" if over else ""

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of a turn."""
        if isinstance(action, SellShares):
            if action.company in self.sold_now:
                return refuse(state, "sold-this-turn", company=action.company)
            return sale_refusal(state, self.player, action.company, action.count)
        if isinstance(action, Pass):
            return self._pass_refusal(state)
        if duty := self._must_sell(state):
            return refuse(state, duty, player=self.player)
        return self._deal_refusal(state, action)

    def _deal_refusal(self, state: State, action: Action) -> Refusal | None:
        """Check a purchase, an exchange or a start of a player who need not sell first."""
        match action:
            case BuyShare():
                return self._buy_refusal(state, action)
            case ExchangeMinor():
                return self._exchange_refusal(state, action)
            case StartCompany():
                return start_refusal(state, self.player, action)
        raise AssertionError(action)

    def _pass_refusal(self, state: State) -> Refusal | None:
        duty = self._must_sell(state)
        if not duty:
            return None
        if conventions(state).minor_owner_may_pass and any(
            True for _ in minors_of(state, self.player)
        ):
            return None
        return refuse(state, duty, player=self.player)

    def _buy_refusal(self, state: State, action: BuyShare) -> Refusal | None:
        company = state.companies.get(action.company)
        if company is None or company.kind != "major":
            return refuse(state, "no-such-stock", company=action.company)
        if not company.started:
            return refuse(state, "president-first", company=action.company)
        if action.source not in (TREASURY, POOL) or not company.held(action.source):
            return refuse(state, "no-share-there", company=action.company, source=action.source)
        if (self.player, action.company) in self.sold:
            return refuse(state, "sold-this-round", company=action.company)
        return self._limit_refusal(state, company)

    def _limit_refusal(self, state: State, company: Company) -> Refusal | None:
        limit = certificate_limit(state)
        if certificates(state, self.player) >= limit:
            return refuse(state, "certificate-limit", limit=limit)
        after = percent(state, company, company.held(self.player) + 1)
        most = state.tables.figures.share_limit.player
        if after > most:
            return refuse(state, "share-limit", company=company.symbol, percent=after, limit=most)
        cost, cash = price(state, company.symbol), state.players[self.player].cash
        if cost > cash:
            return refuse(state, "cannot-pay", cost=cost, cash=cash)
        return None

    def _exchange_refusal(self, state: State, action: ExchangeMinor) -> Refusal | None:
        company = state.companies.get(action.company)
        if action.minor not in (minor.symbol for minor in minors_of(state, self.player)):
            return refuse(state, "not-your-minor", minor=action.minor)
        if company is None or company.kind != "major" or not company.started:
            return refuse(state, "no-such-stock", company=action.company)
        if company.operated:
            return refuse(state, "has-operated", company=action.company)
        if action.source not in (TREASURY, POOL) or not company.held(action.source):
            return refuse(state, "no-share-there", company=action.company, source=action.source)
        if conventions(state).merger_checked and not connected(state, action.minor, action.company):
            return refuse(state, "minor-not-connected", minor=action.minor, company=action.company)
        return None

    # --- what happens --------------------------------------------------------------------

    def play(self, move: Move, action: Action) -> None:
        """Carry out one action; a purchase ends the turn when all it leads to is settled."""
        match action:
            case SellShares(company=company, count=count):
                sell(move, self.player, company, count)
                pair = (self.player, company)
                move.swap(
                    replace(self, sold_now=(*self.sold_now, company), sold=(*self.sold, pair))
                )
                return
            case Pass():
                move.tell(Passed(self.player, "stock"))
                move.swap(self._next_turn(move.state, passed=not self.sold_now))
                return
        move.swap(replace(self, bought=True))
        match action:
            case BuyShare():
                self._buy(move, action)
            case StartCompany():
                start(move, self.player, action)
            case ExchangeMinor(minor=minor, company=company, source=source):
                exchange(move, self.player, minor, company, source)

    def _buy(self, move: Move, action: BuyShare) -> None:
        """Buy one share: money for a treasury share goes to the corporation (EU-4.1.2-c)."""
        symbol = action.company
        cost = price(move.state, symbol)
        transfer(move, symbol, action.source, self.player, 1)
        pay(move, self.player, symbol if action.source == TREASURY else BANK, cost, "share")
        move.tell(ShareBought(self.player, symbol, action.source, 1, cost))
        check_president(move, symbol)
        check_float(move, symbol)

    def _next_turn(self, state: State, passed: bool) -> StockRound:
        return StockRound(
            player=next_player(state, self.player),
            passes=self.passes + 1 if passed else 0,
            sold=self.sold,
        )

    def settle(self, move: Move) -> bool:
        """End a turn after its purchase, pass who can do nothing, and end the round."""
        state = move.state
        if self.over:
            move.pop()
            state.title.next_round(move)
        elif self.bought:
            move.swap(self._next_turn(state, passed=False))
        elif self.passes == sum(not player.bankrupt for player in state.players.values()):
            self._finish(move)
        elif self._idle(state):
            move.tell(Passed(self.player, "stock", forced=True))
            move.swap(self._next_turn(state, passed=not self.sold_now))
        else:
            return False
        return True

    def _idle(self, state: State) -> bool:
        """Return whether a player can do nothing; on 18xx.games a minor's owner is asked (G-22).

        Where no company operates a player is asked to pass, or nobody would ever be asked again.
        """
        if not state.title.order(state):
            return False
        asked = state.setup.conventions.single_choices_asked
        if asked and any(True for _ in minors_of(state, self.player)):
            return False
        return next(iter(self._actions(state)), None) is None

    def _finish(self, move: Move) -> None:
        """Priority to whoever began the final passes; sold-out prices rise; discards (A-11)."""
        move.set(priority=self.player)
        move.tell(PriorityMoved(self.player))
        started = [c.symbol for c in move.state.companies.values() if c.started]
        for symbol in operating_order(move.state, started):  # highest first
            company = move.state.companies[symbol]
            if not company.held(POOL) and not company.held(TREASURY):
                move_price(move, symbol, "up", "sold out")
        move.swap(replace(self, over=True), *discards_due(move.state))
