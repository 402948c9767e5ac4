"""Buying trains: stack, pool, other companies; Pullmans; the duty to own one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    BuyTrain,
    DiscardTrain,
    GoBankrupt,
    Option,
    Pass,
    Range,
    SellShares,
)
from carril.engine.events import TrainBought, TrainOffered
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import has_route
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, POOL, Company, State
from carril.engine.step import refuse
from carril.engine.steps import offer
from carril.engine.steps.operating import CompanyStep
from carril.engine.trains import (
    begin_phase,
    discard,
    hand_train,
    phase_reached,
    running_trains,
    runs_itself,
    stack_top,
    starts_phase,
    take_from_pool,
    take_from_stack,
    train_def,
    train_limit,
)
from carril.titles.eu import emergency
from carril.titles.eu.bankruptcy import go_bankrupt
from carril.titles.eu.common import (
    LATE,
    PULLMAN,
    conventions,
    discards_due,
    drop_pullmans,
    set_extra,
)

STACK = "stack"


class BuyTrains(CompanyStep, tag="trains", frozen=True):
    """Buy trains while there is room and money; a corporation must end with one."""

    began_with_pullman: bool = False
    pullman_bought: bool = False
    bought: bool = False
    sold: tuple[str, ...] = ()
    """Corporations whose shares the president has sold in this emergency."""
    declined: tuple[offer.Offer, ...] = ()
    """Offers that were declined this turn."""

    allows = (BuyTrain, SellShares, GoBankrupt, Pass)

    # --- what there is to buy ------------------------------------------------------------

    def must_buy(self, state: State) -> bool:
        """Return whether the corporation may not end its turn like this (EU-4.5-a, G-10)."""
        company = state.companies[self.company]
        if company.kind == "minor" or running_trains(state, company):
            return False
        if not conventions(state).train_only_with_route:
            return True
        ports = frozenset({"harbour"})
        return has_route(state.tables, state.board, self.company, ignore=ports)

    def on_sale(self, state: State) -> Iterator[tuple[str, str, int]]:
        """Yield train, source and price of what stack and pool offer this company now."""
        top = stack_top(state)
        yield top, STACK, train_def(state, top).price
        for name in sorted(set(state.depot.pool)):
            if name != PULLMAN or self._pullman_refusal(state) is None:
                yield name, POOL, train_def(state, name).price

    def cheapest(self, state: State) -> int:
        """Return the price of the cheapest train that fulfils the duty (A-39)."""
        return min(cost for name, _, cost in self.on_sale(state) if runs_itself(state, name))

    def _sellers(self, state: State) -> Iterator[tuple[Company, str]]:
        for company in state.companies.values():
            if company.symbol != self.company and company.trains:
                for name in sorted(set(company.trains)):
                    if runs_itself(state, name):
                        yield company, name

    def _room(self, state: State) -> str | None:
        """Return what must go to make room: "" if nothing, the Pullman if it may, or None."""
        company = state.companies[self.company]
        if len(company.trains) < train_limit(state, company):
            return ""
        may = self.began_with_pullman and not self.bought and PULLMAN in company.trains
        one_over = len(company.trains) == train_limit(state, company)
        return PULLMAN if may and one_over else None

    # --- options -------------------------------------------------------------------------

    def options(self, state: State) -> Iterable[Option]:
        """Yield purchases, emergency sales, bankruptcy and the pass, as far as each is legal."""
        yield from self._purchases(state)
        yield from emergency.sales(state, self)
        by = self.actor(state)
        for action in (GoBankrupt(by=by), Pass(by=by)):
            if self.refusal(state, action) is None:
                yield action

    def _purchases(self, state: State) -> Iterator[Option]:
        room = self._room(state)
        if room is None:
            return
        by = self.actor(state)
        for name, source, cost in self.on_sale(state):
            action = BuyTrain(name, source, cost, room, by=by)
            if self._buy_refusal(state, action) is None:
                yield action
        for seller, name in self._sellers(state):
            if most := self._most_for(state, seller, name):
                least = 1 + offer.declined_at(self.declined, seller.symbol, name)
                if least <= most:
                    first = BuyTrain(name, seller.symbol, least, room, by=by)
                    yield Range(first, "price", least, most)

    def _most_for(self, state: State, seller: Company, name: str) -> int:
        """Return the highest price this company can pay another for a train."""
        own = state.companies[self.company].cash
        helped = emergency.help_for_company_train(state, self, name)
        return max(own, helped)

    # --- refusals ------------------------------------------------------------------------

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of the step."""
        match action:
            case BuyTrain():
                return self._buy_refusal(state, action)
            case SellShares():
                return emergency.sale_refusal(state, self, action.company, action.count)
            case GoBankrupt():
                return emergency.bankrupt_refusal(state, self)
        if self.must_buy(state):
            return refuse(state, "must-buy-train", company=self.company)
        return None

    def _buy_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        if action.discard not in ("", PULLMAN):
            return refuse(state, "no-voluntary-discard", train=action.discard)
        room = self._room(state)
        if action.loan:
            return refuse(state, "no-loans", loan=action.loan)
        if room is None:
            return refuse(state, "train-limit", company=self.company)
        if action.discard != room:
            code = "discard-not-needed" if action.discard else "train-limit"
            return refuse(state, code, company=self.company)
        if room and action.train == PULLMAN:
            return refuse(state, "pullman-for-pullman", company=self.company)
        if action.source == STACK:
            return self._stack_refusal(state, action)
        if action.source == POOL:
            return self._pool_refusal(state, action)
        return self._company_refusal(state, action)

    def _stack_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        if action.train != stack_top(state):
            return refuse(state, "not-on-top", train=action.train, top=stack_top(state))
        face = train_def(state, action.train).price
        if action.price != face and conventions(state).stack_price_checked:
            return refuse(state, "face-price", train=action.train, price=face)
        if action.price < 0:
            return refuse(state, "face-price", train=action.train, price=face)
        return emergency.payment_refusal(state, self, action.price)

    def _pool_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        if action.train not in state.depot.pool:
            return refuse(state, "not-in-train-pool", train=action.train)
        face = train_def(state, action.train).price
        if action.price != face:
            return refuse(state, "face-price", train=action.train, price=face)
        if action.train == PULLMAN:
            cash = state.companies[self.company].cash
            if refused := self._pullman_refusal(state):
                return refused
            if face > cash:
                return refuse(state, "treasury-short-train", cost=face, cash=cash)
            return None
        return emergency.payment_refusal(state, self, face)

    def _pullman_refusal(self, state: State) -> Refusal | None:
        company = state.companies[self.company]
        if not phase_reached(state, train_def(state, PULLMAN).available_from):
            return refuse(state, "pullman-not-yet")
        if PULLMAN in company.trains:
            return refuse(state, "second-pullman", company=self.company)
        if self.pullman_bought:
            return refuse(state, "pullman-bought", company=self.company)
        if not running_trains(state, company):
            return refuse(state, "pullman-needs-train", company=self.company)
        return None

    def _company_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        seller = state.companies.get(action.source)
        if seller is None or seller.symbol == self.company or action.train not in seller.trains:
            return refuse(state, "no-such-seller", seller=action.source, train=action.train)
        if not runs_itself(state, action.train):
            return refuse(state, "pullman-not-traded", train=action.train)
        if action.price < 1:
            return refuse(state, "price-too-low", price=action.price)
        if action.price <= offer.declined_at(self.declined, seller.symbol, action.train):
            return refuse(state, "offer-declined", price=action.price, seller=seller.symbol)
        cash = state.companies[self.company].cash
        if action.price > self._most_for(state, seller, action.train):
            return emergency.why_no_help(state, self, action.train, action.price, cash)
        return None

    # --- what happens --------------------------------------------------------------------

    def settle(self, move: Move) -> bool:
        """Skip the step when nothing can be bought and nothing must."""
        state = move.state
        if self.must_buy(state) or next(iter(self._purchases(state)), None) is not None:
            return False
        move.pop()
        return True

    def play(self, move: Move, action: Action) -> None:
        """Buy, ask the other owner, sell shares for a train, or give up."""
        match action:
            case BuyTrain():
                seller = move.state.companies.get(action.source)
                if seller is not None and seller.owner != self.actor(move.state):
                    asked = TrainOffer(
                        self.company, action.source, action.train, action.price, action.discard
                    )
                    move.tell(TrainOffered(self.company, action.train, action.source, action.price))
                    move.push(asked)
                else:
                    self.buy(move, action)
            case SellShares(company=company, count=count):
                emergency.sell_for_train(move, self, company, count)
            case GoBankrupt():
                go_bankrupt(move, self.actor(move.state), self.company)
            case _:
                self.passed(move)

    def declined_by_owner(self, declined: offer.Offer) -> BuyTrains:
        """Remember an offer that was declined."""
        return replace(self, declined=(*self.declined, declined))

    def buy(self, move: Move, action: BuyTrain) -> None:
        """Pay for a train and take it; this step is due."""
        if action.discard:
            discard(move, self.company, action.discard)
        emergency.top_up(move, self.company, action.price)
        if action.source in (STACK, POOL):
            pay(move, self.company, BANK, action.price, "train")
        else:
            pay(move, self.company, action.source, action.price, "train")
        move.tell(TrainBought(self.company, action.train, action.source, action.price))
        pullman = self.pullman_bought or action.train == PULLMAN
        move.swap(replace(self, bought=True, pullman_bought=pullman, sold=()))
        self._take(move, action)

    def _take(self, move: Move, action: BuyTrain) -> None:
        if action.source == POOL:
            take_from_pool(move, self.company, action.train)
        elif action.source != STACK:
            hand_train(move, action.source, self.company, action.train)
        else:
            new_phase = starts_phase(move.state, action.train)
            take_from_stack(move, self.company)
            if new_phase:
                self._begin_phase(move, action.train)
        drop_pullmans(move, limit_too=True)

    def _begin_phase(self, move: Move, phase: str) -> None:
        """All effects at once; excess trains go now, or at the end of the turn (G-4)."""
        begin_phase(move, phase)
        if phase == LATE:
            set_extra(move, exchange="due", exchange_first=self.actor(move.state))
        if conventions(move.state).phase_discards_at_once:
            move.push(*discards_due(move.state, first=self.company))


class TrainOffer(offer.TrainOffer, tag="train-offer", frozen=True):
    """The other owner's answer to an offer for one of his trains."""


class PullmanChoice(CompanyStep, tag="pullman", frozen=True):
    """On 18xx.games a Pullman may be given up in every turn (G-7)."""

    allows = (DiscardTrain, Pass)

    def settle(self, move: Move) -> bool:
        """Skip a company without a Pullman."""
        if PULLMAN in move.state.companies[self.company].trains:
            return False
        move.pop()
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Give it up, or keep it."""
        by = self.actor(state)
        return (DiscardTrain(PULLMAN, by=by), Pass(by=by))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Only the Pullman may go."""
        if isinstance(action, DiscardTrain) and action.train != PULLMAN:
            return refuse(state, "no-voluntary-discard", train=action.train)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Discard the Pullman, or go on."""
        if isinstance(action, DiscardTrain):
            move.pop()
            discard(move, self.company, PULLMAN)
        else:
            self.passed(move)
