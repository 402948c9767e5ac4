"""The stock round: players sell, then buy or start, until all of them pass in succession."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    BuyShare,
    Kinds,
    Option,
    Pass,
    Range,
    SellShares,
    StartCompany,
)
from carril.engine.events import Passed, ShareBought
from carril.engine.launch import check_float, par_refusal, start_cost
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import (
    check_president,
    company_def,
    limit_refusal,
    most_sellable,
    next_player,
    paid_to,
    percent,
    sale_refusal,
    sell,
    share_cost,
    source_named,
    transfer,
)
from carril.engine.state import Company, State
from carril.engine.step import Step, refuse
from carril.engine.trains import phase_reached

if TYPE_CHECKING:
    from carril.engine.steps.stock_rules import TurnAction


class StockRound(Step, tag="stock-round", frozen=True):
    """A player's turn in the stock round, and what the round remembers of earlier ones."""

    player: str
    passes: int = 0
    sold_now: tuple[str, ...] = ()
    """Companies this player has sold shares of in this turn."""
    done: tuple[str, ...] = ()
    """The title's further actions that were taken in this turn, by their tags."""
    bought: bool = False
    sold: tuple[tuple[str, str], ...] = ()
    """Player and company of every sale of this round."""
    over: bool = False
    """All have passed; what follows waits for the decisions that the end of the round needs."""

    allows = (SellShares, BuyShare, StartCompany, Pass)

    def allowed(self, state: State) -> tuple[type[Action], ...]:
        """Return the actions of every stock round, and those that the title adds."""
        return (*self.allows, *(one.action for one in state.title.stock.actions))

    def actor(self, state: State) -> str:
        """Return the player whose turn it is."""
        return self.player

    @property
    def acted(self) -> bool:
        """Whether the player has done something in this turn, so that passing only ends it."""
        return bool(self.sold_now or self.done)

    # --- options -------------------------------------------------------------------------

    def options(self, state: State) -> Iterable[Option]:
        """Yield sales as ranges, the title's actions, purchases and starts, and the pass."""
        return self.options_of(state, self.allowed(state))

    def options_of(self, state: State, kinds: Kinds) -> Iterable[Option]:
        """Yield sales, the title's actions, purchases, starts and the pass, if asked for."""
        sellable = dict(self._sellable(state))
        duty = state.title.stock.duty(state, self.player, sellable)
        if SellShares in kinds:
            yield from self._sales(state, sellable)
        if not duty:
            yield from self._actions(state, kinds)
        if Pass in kinds and (not sellable or self._pass_refusal(state, duty) is None):
            yield Pass(by=self.player)

    def _sales(self, state: State, sellable: dict[str, int]) -> Iterator[Range]:
        for symbol, most in sellable.items():
            least = self._least_block(state, symbol, most)
            yield Range(SellShares(symbol, least, by=self.player), "count", least, most)

    def _actions(self, state: State, kinds: Kinds) -> Iterator[Option]:
        """Yield everything but sales and the pass, for a player who need not sell."""
        rules = state.title.stock
        further = [one for one in rules.actions if one.action in kinds]
        for one in further:
            if not one.ends_turn:
                yield from one.options(state, self, "")
        ending = [one for one in further if one.ends_turn]
        buys = BuyShare in kinds or StartCompany in kinds
        if not (buys or ending):
            return
        barred = rules.buyer_refusal(state, self.player) or limit_refusal(state, self.player)
        for symbol in rules.listed(state):
            if buys and barred is None:
                yield from self._purchases(state, state.companies[symbol], kinds)
            for one in ending:
                yield from one.options(state, self, symbol)

    def _purchases(self, state: State, company: Company, kinds: Kinds) -> Iterator[Option]:
        symbol, by, rules = company.symbol, self.player, state.title.stock
        if (BuyShare if company.started else StartCompany) not in kinds:
            return
        if company.started:
            for source in rules.sources:
                buy = BuyShare(symbol, source.place, by=by)
                if company.held(source.place) and not self._buy_refusal(state, buy, None):
                    yield buy
        elif not (self._unstarted_refusal(state, symbol) or self._founder_refusal(state, company)):
            for par in state.tables.pars:
                barred = rules.par_refusal(state, symbol, par.price)
                if not barred and not self._cost_refusal(state, symbol, par.price):
                    yield StartCompany(symbol, par.price, by=by)

    def _sellable(self, state: State) -> Iterator[tuple[str, int]]:
        """Yield the companies that the player can sell now, each with the most shares of it."""
        for company in state.companies.values():
            if company.held(self.player) and company.operated:
                most = most_sellable(state, self.player, company)
                if most and self._sale_refusal(state, company.symbol) is None:
                    yield company.symbol, most

    # --- refusals ------------------------------------------------------------------------

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of a turn."""
        if isinstance(action, SellShares):
            return (
                self._sale_refusal(state, action.company)
                or sale_refusal(state, self.player, action.company, action.count)
                or self._block_refusal(state, action)
            )
        sellable = (symbol for symbol, _ in self._sellable(state))
        duty = state.title.stock.duty(state, self.player, sellable)
        if isinstance(action, Pass):
            return self._pass_refusal(state, duty)
        if duty:
            return refuse(state, duty, player=self.player)
        if handler := _handler(state, action):
            return handler.refusal(state, self, action)
        if refused := state.title.stock.buyer_refusal(state, self.player):
            return refused
        full = limit_refusal(state, self.player)
        if isinstance(action, StartCompany):
            return self._start_refusal(state, action, full)
        assert isinstance(action, BuyShare)
        return self._buy_refusal(state, action, full)

    def _sale_refusal(self, state: State, symbol: str) -> Refusal | None:
        """Check what does not depend on how many shares are sold."""
        company = state.tables.companies.get(symbol)
        if company is not None and company.has_shares and company.sole_owner:
            return refuse(state, "minor-not-sold", company=symbol)
        if symbol in self.sold_now and state.title.stock.one_block:
            return refuse(state, "sold-this-turn", company=symbol)
        return state.title.stock.seller_refusal(state, self)

    def _block_refusal(self, state: State, action: SellShares) -> Refusal | None:
        """Check that a block is not smaller than it must be."""
        symbol, count = action.company, action.count
        most = most_sellable(state, self.player, state.companies[symbol])
        least = self._least_block(state, symbol, most)
        if count >= least:
            return None
        return refuse(state, "still-above-limit", company=symbol, count=count, least=least)

    def _least_block(self, state: State, symbol: str, most: int) -> int:
        return min(most, state.title.stock.least_block(state, self.player, symbol))

    def _pass_refusal(self, state: State, duty: str) -> Refusal | None:
        if not duty or state.title.stock.may_pass(state, self.player):
            return None
        able = next(self._sellable(state), None) is not None
        return refuse(state, duty, player=self.player) if able else None

    def resale_refusal(self, state: State, symbol: str) -> Refusal | None:
        """Return why the player may not buy shares that they sold in this round, or None."""
        if (self.player, symbol) in self.sold:
            return refuse(state, "sold-this-round", company=symbol)
        return None

    def _buy_refusal(self, state: State, action: BuyShare, full: Refusal | None) -> Refusal | None:
        """Check a purchase; `full` is the refusal of a player at the certificate limit."""
        symbol = action.company
        company = state.companies.get(symbol)
        if company is None or company.closed or company_def(state, symbol).sole_owner:
            return refuse(state, "no-such-stock", company=symbol)
        if refused := self._offer_refusal(state, symbol):
            return refused
        if not company.started:
            led = company_def(state, symbol).has_president
            return refuse(state, "president-first" if led else "no-such-stock", company=symbol)
        source = source_named(state, action.source)
        if source and (closed := source.closed(state, symbol)):
            return refuse(state, closed, company=symbol)
        if not source or not company.held(source.place):
            return refuse(state, "no-share-there", company=symbol, source=action.source)
        sold = self.resale_refusal(state, symbol)
        if refused := sold or full or self._share_refusal(state, company, 1):
            return refused
        cost, cash = share_cost(state, symbol, source.place), state.players[self.player].cash
        return refuse(state, "cannot-pay", cost=cost, cash=cash) if cost > cash else None

    def _offer_refusal(self, state: State, symbol: str) -> Refusal | None:
        """Check whether certificates of a company are offered to the player now."""
        phase = company_def(state, symbol).offered_from
        if phase and not phase_reached(state, phase):
            return refuse(state, "not-offered-yet", company=symbol, phase=phase)
        return state.title.stock.offer_refusal(state, self, symbol)

    def _share_refusal(self, state: State, company: Company, units: int) -> Refusal | None:
        after = company.held(self.player) + units
        most = state.tables.share_limit("player", company.symbol)
        if after <= most:
            return None
        return refuse(
            state,
            "share-limit",
            company=company.symbol,
            percent=percent(state, company, after),
            limit=percent(state, company, most),
        )

    def _start_refusal(
        self, state: State, action: StartCompany, full: Refusal | None
    ) -> Refusal | None:
        symbol = action.company
        return (
            self._unstarted_refusal(state, symbol)
            or par_refusal(state, symbol, action.price)
            or self._cost_refusal(state, symbol, action.price)
            or full
            or self._founder_refusal(state, state.companies[symbol])
        )

    def _unstarted_refusal(self, state: State, symbol: str) -> Refusal | None:
        """Check whether a company can be started now."""
        company, rules = state.companies.get(symbol), state.title.stock
        if company is None or company.closed or not company_def(state, symbol).has_shares:
            return refuse(state, "no-such-stock", company=symbol)
        if refused := self._offer_refusal(state, symbol):
            return refused
        units = company_def(state, symbol).president_units
        if not units:
            return refuse(state, "no-president", company=symbol)
        if company.started or company.held(rules.sources[0].place) < units:
            return refuse(state, "already-started", company=symbol)
        return None

    def _founder_refusal(self, state: State, company: Company) -> Refusal | None:
        """Check whether this player can start a company, at any price."""
        units = company_def(state, company.symbol).president_units
        refused = self._share_refusal(state, company, units)
        return refused or state.title.stock.start_refusal(state, self.player, company.symbol)

    def _cost_refusal(self, state: State, symbol: str, par: int) -> Refusal | None:
        cost, cash = start_cost(state, symbol, par), state.players[self.player].cash
        return refuse(state, "start-too-dear", cost=cost, cash=cash) if cost > cash else None

    # --- what happens --------------------------------------------------------------------

    def play(self, move: Move, action: Action) -> None:
        """Carry out one action; a purchase ends the turn when all it leads to is settled."""
        match action:
            case SellShares(company=symbol, count=count):
                sell(move, self.player, symbol, count)
                pair = (self.player, symbol)
                sold_now, sold = (*self.sold_now, symbol), (*self.sold, pair)
                move.swap(replace(self, sold_now=sold_now, sold=sold))
            case Pass():
                move.tell(Passed(self.player, "stock"))
                move.swap(self._next_turn(move.state, passed=not self.acted))
            case BuyShare():
                move.swap(replace(self, bought=True))
                self._buy(move, action)
            case StartCompany():
                move.swap(replace(self, bought=True))
                move.state.title.stock.start(move, self.player, action)
            case _:
                self._play_further(move, action)

    def _play_further(self, move: Move, action: Action) -> None:
        handler = _handler(move.state, action)
        assert handler is not None
        tag = str(type(action).__struct_config__.tag)
        move.swap(replace(self, bought=handler.ends_turn, done=(*self.done, tag)))
        handler.play(move, self.player, action)

    def _buy(self, move: Move, action: BuyShare) -> None:
        symbol, place = action.company, action.source
        cost = share_cost(move.state, symbol, place)
        transfer(move, symbol, place, self.player, 1)
        pay(move, self.player, paid_to(move.state, symbol, place), cost, "share")
        move.tell(ShareBought(self.player, symbol, place, 1, cost))
        check_president(move, symbol)
        check_float(move, symbol)
        move.state.title.stock.bought(move, symbol)

    def _next_turn(self, state: State, passed: bool) -> StockRound:
        return StockRound(
            player=next_player(state, self.player),
            passes=self.passes + 1 if passed else 0,
            sold=self.sold,
        )

    def settle(self, move: Move) -> bool:
        """End a turn after its purchase, pass for players who can do nothing, end the round."""
        state = move.state
        if self.over:
            move.pop()
            state.title.next_round(move)
        elif self.bought:
            move.swap(self._next_turn(state, passed=False))
        elif self.passes == sum(not player.bankrupt for player in state.players.values()):
            move.swap(replace(self, over=True))
            state.title.stock.finish(move, self.player)
        elif self._idle(state):
            move.tell(Passed(self.player, "stock", forced=True))
            move.swap(self._next_turn(state, passed=not self.acted))
        else:
            return False
        return True

    def _idle(self, state: State) -> bool:
        if state.title.stock.asked(state, self.player):
            return False
        if next(self._sellable(state), None) is not None:
            return False
        if state.title.stock.duty(state, self.player, ()):
            return True
        return next(self._actions(state, self.allowed(state)), None) is None


def _handler(state: State, action: Action) -> TurnAction | None:
    """Return the title's handler of an action, or None."""
    return next((a for a in state.title.stock.actions if isinstance(action, a.action)), None)
