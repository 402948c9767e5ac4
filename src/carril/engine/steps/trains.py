"""Buying trains: from the bank, from other companies; the duty to own one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from carril.engine.actions import Action, BuyTrain, Kinds, Option, Pass, Range, SellShares
from carril.engine.events import TrainBought, TrainOffered
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, POOL, Company, State
from carril.engine.step import refuse
from carril.engine.steps.emergency import ForcedPurchase
from carril.engine.steps.question import Question
from carril.engine.trains import (
    STACK,
    TRAIN,
    bank_trains,
    card_of,
    cards_for_sale,
    deliver,
    has_any_room,
    has_room,
    main_train,
    owns_class,
    phase_reached,
    runs_itself,
    same_gauge,
    sides,
    stack_top,
    train_def,
)

if TYPE_CHECKING:
    from carril.engine.steps.train_rules import TrainAction

COMPANY = "company"
"""The source of a train that another company sells."""

Offer = tuple[str, str, int]
"""Seller, train and price."""


class BuyTrains(ForcedPurchase, tag="trains", frozen=True):
    """Buy trains while there is room and money; a company may have to end with one.

    `must_buy`, `emergency`, `on_sale` and `cheapest` are for the page and for bots as well.
    """

    declined: tuple[Offer, ...] = ()
    """Offers that were declined this turn."""
    bought: tuple[str, ...] = ()
    """Trains bought this turn."""
    began_with: tuple[str, ...] = ()
    """Trains owned at the beginning of the turn, where a title needs to know."""
    traded: tuple[str, ...] = ()
    """Trains traded in this turn."""

    allows = (BuyTrain, SellShares, Pass)

    def allowed(self, state: State) -> tuple[type[Action], ...]:
        """Return the kinds of actions that can be taken: those of the step and of the title."""
        return (*self.allows, *(further.action for further in state.title.trains.actions))

    # --- what there is to buy ------------------------------------------------------------

    def must_buy(self, state: State) -> bool:
        """Return whether the company may not end its turn without buying a train.

        There is no such duty while no train of the bank would fulfil it.
        """
        return self._duty(state) is not None

    def _duty(self, state: State) -> Refusal | None:
        rules, company = state.title.trains, self.company
        for train in state.companies[company].trains:
            if rules.fulfils(state, company, train):
                return None
        duty = rules.duty(state, company)
        if duty and any(rules.fulfils(state, company, one) for one, _, _ in self.on_sale(state)):
            return duty
        return None

    def on_sale(self, state: State) -> Iterator[tuple[str, str, int]]:
        """Yield train, source and price of what the bank offers this company now."""
        for name, source in bank_trains(state):
            if self._owner_refusal(state, name):
                continue
            if state.title.trains.barred(state, self, name, source) is None:
                yield name, source, train_def(state, name).price

    def cheapest(self, state: State) -> int:
        """Return the price of the cheapest train of the bank that the company can use."""
        usable, found = state.title.trains.usable, list(self.on_sale(state))
        running = [one for one in found if runs_itself(state, one[0])]
        useful = [one for one in running if usable(state, self.company, one[0])]
        return min(cost for _, _, cost in useful or found)

    def has_room(self, state: State, train: str = "") -> bool:
        """Return whether the company is below its limit for a train, an ordinary one if none."""
        return has_room(state, state.companies[self.company], train)

    def _sellers(self, state: State) -> Iterator[tuple[Company, str]]:
        for company in state.companies.values():
            if company.trains and company.symbol != self.company:
                for name in sorted(set(company.trains)):
                    yield company, name

    def declined_at(self, seller: str, train: str) -> int:
        """Return the highest price at which an owner has declined to sell a train, 0 if never."""
        return max([price for s, t, price in self.declined if (s, t) == (seller, train)], default=0)

    # --- options -------------------------------------------------------------------------

    def options(self, state: State) -> Iterable[Option]:
        """Yield purchases, sales for a train, the title's actions and the pass, if legal."""
        return self.options_of(state, self.allowed(state))

    def options_of(self, state: State, kinds: Kinds) -> Iterable[Option]:
        """Yield purchases, sales, the title's actions and the pass, if they are asked for."""
        if BuyTrain in kinds:
            yield from self.purchases(state)
        if SellShares in kinds:
            yield from self.sales(state)
        for further in state.title.trains.actions:
            if further.action in kinds:
                yield from further.options(state, self)
        if Pass in kinds and self._duty(state) is None:
            yield Pass(by=self.actor(state))

    def purchases(self, state: State) -> Iterator[Option]:
        """Yield the trains that the company can buy."""
        rules = state.title.trains
        given_up = rules.gives_up(state, self)
        room = given_up or rules.rebates or has_any_room(state, state.companies[self.company])
        if not room:
            return
        for given in given_up or ("",):
            yield from self._from_bank(state, given)
            yield from self._from_companies(state, given)

    def _from_bank(self, state: State, given: str) -> Iterator[Option]:
        by, loans = self.actor(state), state.title.emergency.loans
        for name, source in bank_trains(state):
            cost = train_def(state, name).price
            loan = loans.needed(state, self, cost) if loans else 0
            barred = self.payment_refusal(state, name, cost, loan)
            full = BuyTrain(name, source, cost, given, loan, by=by)
            if not barred and not self._kind_refusal(state, name, source, given):
                yield full
            for action in self._rebated(state, full):
                if self._buy_refusal(state, action) is None:
                    yield action

    def _rebated(self, state: State, full: BuyTrain) -> Iterator[BuyTrain]:
        """Yield a purchase at full price in all the ways that make it cheaper."""
        rebates = state.title.trains.rebates
        for trade, private in rebates.offered(state, self, full.train) if rebates else ():
            cheaper = replace(full, trade=trade, private=private)
            yield replace(cheaper, price=self._bank_price(state, cheaper))

    def _from_companies(self, state: State, given: str) -> Iterator[Option]:
        by, most = self.actor(state), dict[str, int]()
        for seller, name in self._sellers(state):
            if name not in most:
                barred = self._kind_refusal(state, name, COMPANY, given)
                most[name] = 0 if barred else self.most_for_company_train(state, name)
            if not most[name] or self._seller_refusal(state, seller, name):
                continue
            fixed = state.title.trains.trade_price(state, name)
            least = fixed or 1 + self.declined_at(seller.symbol, name)
            first = BuyTrain(name, seller.symbol, least, given, by=by)
            if least > most[name] or (fixed and self._company_refusal(state, first)):
                continue
            yield first if fixed else Range(first, "price", least, most[name])

    # --- refusals ------------------------------------------------------------------------

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of the step."""
        match action:
            case BuyTrain():
                return self._buy_refusal(state, action)
            case SellShares():
                return self.sale_refusal(state, action.company, action.count)
            case Pass():
                return self._duty(state)
        return self._further(state, action).refusal(state, self, action)

    def _further(self, state: State, action: Action) -> TrainAction:
        return next(one for one in state.title.trains.actions if isinstance(action, one.action))

    def _buy_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        bank = action.source in (STACK, POOL)
        if refused := self._rebate_refusal(state, action):
            return refused
        if action.discard and not state.title.trains.may_give(state, action.discard):
            return refuse(state, "no-voluntary-discard", train=action.discard)
        if action.loan and state.title.emergency.loans is None:
            return refuse(state, "no-loans", loan=action.loan)
        source = action.source if bank else COMPANY
        if refused := self._kind_refusal(state, action.train, source, action.discard, action.trade):
            return refused
        return self._bank_refusal(state, action) if bank else self._company_refusal(state, action)

    def _kind_refusal(
        self, state: State, train: str, source: str, given: str, trade: str = ""
    ) -> Refusal | None:
        """Return why the company may not buy such a train, whatever its price.

        Where a train is traded in for it, it needs no room: the number of trains does not rise.
        """
        return (
            self._owner_refusal(state, train)
            or (None if trade else self._room_refusal(state, train, given))
            or state.title.trains.barred(state, self, train, source)
            or self._use_refusal(state, train)
        )

    def _owner_refusal(self, state: State, train: str) -> Refusal | None:
        """Return why the company can never own such a train: its gauge, or its class."""
        company = state.companies[self.company]
        gauge = company_def(state, self.company).gauge
        if gauge and not same_gauge(state, gauge, train):
            return refuse(state, "other-gauge", company=self.company, train=train, gauge=gauge)
        if not owns_class(state, company, train):
            return refuse(state, "class-not-owned", company=self.company, train=train)
        return None

    def _rebate_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        if not action.trade and not action.private:
            return None
        rebates = state.title.trains.rebates
        if rebates is None:
            return refuse(state, "no-rebate", train=action.train)
        return self._owner_refusal(state, action.train) or rebates.refusal(state, self, action)

    def _room_refusal(self, state: State, train: str, given: str) -> Refusal | None:
        room = self.has_room(state, train)
        if given and room:
            return refuse(state, "discard-not-needed", company=self.company)
        if not room and given not in state.title.trains.gives_up(state, self):
            return refuse(state, "train-limit", company=self.company)
        return None

    def _bank_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        rules, train, stacked = state.title.trains, action.train, action.source == STACK
        if stacked and not any(train in sides(state, card) for card in cards_for_sale(state)):
            return refuse(state, "not-on-top", train=train, top=self._top(state, train))
        if not stacked and train not in state.depot.pool:
            return refuse(state, "not-in-train-pool", train=train)
        face = self._bank_price(state, action)
        free = stacked and rules.any_price(state) and action.price >= 0
        if action.price != face and not free:
            return refuse(state, "face-price", train=train, price=face)
        return self.payment_refusal(state, train, action.price, action.loan)

    def _bank_price(self, state: State, action: BuyTrain) -> int:
        """Return what a train of the bank costs, less what is given for it."""
        rebates, face = state.title.trains.rebates, train_def(state, action.train).price
        return max(0, face - rebates.amount(state, action)) if rebates else face

    def _top(self, state: State, train: str) -> str:
        known = state.tables.trains.get(main_train(train))
        return stack_top(state, known.supply if known else "")

    def _use_refusal(self, state: State, train: str) -> Refusal | None:
        """Check that a company which must buy a train buys one that it can use."""
        known = state.tables.trains.get(main_train(train))
        if known is None or known.kind != TRAIN:
            return None
        if not state.title.trains.usable(state, self.company, train) and self.must_buy(state):
            return refuse(state, "train-cannot-run", train=train)
        return None

    def _company_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        seller = state.companies.get(action.source)
        if seller is None or seller.symbol == self.company or action.train not in seller.trains:
            return refuse(state, "no-such-seller", seller=action.source, train=action.train)
        if refused := self._seller_refusal(state, seller, action.train):
            return refused
        if action.price < 1:
            return refuse(state, "price-too-low", price=action.price)
        fixed = state.title.trains.trade_price(state, action.train)
        if fixed and action.price != fixed:
            return refuse(state, "face-price", train=action.train, price=fixed)
        if action.price <= self.declined_at(seller.symbol, action.train):
            return refuse(state, "offer-declined", price=action.price, seller=seller.symbol)
        if action.loan or action.price > self.most_for_company_train(state, action.train):
            return state.title.emergency.company_train_refusal(state, self, action)
        return None

    def _seller_refusal(self, state: State, seller: Company, train: str) -> Refusal | None:
        """Return why a company may not sell a train of its own."""
        begins = state.tables.figures.trains_traded_from
        if begins and not phase_reached(state, begins):
            return refuse(state, "trade-not-yet", phase=state.phase)
        if company_def(state, seller.symbol).keeps_trains:
            return refuse(state, "keeps-trains", seller=seller.symbol)
        if self.issued:
            return refuse(state, "emergency-from-bank", company=self.company)
        return state.title.trains.trade_barred(state, seller, train)

    # --- what happens --------------------------------------------------------------------

    def settle(self, move: Move) -> bool:
        """Skip the step when there is nothing to do and nothing that must be done."""
        state = move.state
        if self.must_buy(state) or state.title.trains.asked(state, self):
            return False
        move.pop()
        return True

    def play(self, move: Move, action: Action) -> None:
        """Buy, ask the other owner, sell shares for a train, or end the step."""
        match action:
            case BuyTrain():
                self._buy_or_ask(move, action)
            case SellShares(company=company, count=count):
                self.sell_for_train(move, company, count)
            case Pass():
                self.passed(move)
            case _:
                self._further(move.state, action).play(move, self, action)

    def _buy_or_ask(self, move: Move, action: BuyTrain) -> None:
        seller = move.state.companies.get(action.source)
        agreed = seller is None or seller.owner in ("", self.actor(move.state))
        if agreed or not move.state.title.trains.consent(move.state):
            self.buy(move, action)
            return
        train, source, price = action.train, action.source, action.price
        move.tell(TrainOffered(self.company, train, source, price))
        move.push(TrainOffer(self.company, source, train, price, action.discard))

    def buy(self, move: Move, action: BuyTrain) -> None:
        """Pay for a train and take it; this step is due."""
        rules, bank = move.state.title.trains, action.source in (STACK, POOL)
        if action.discard:
            rules.give(move, self.company, action.discard)
        if rules.rebates and (action.trade or action.private):
            rules.rebates.use(move, self.company, action)
        self.fund(move, action.price, action.loan)
        pay(move, self.company, BANK if bank else action.source, action.price, "train")
        move.tell(TrainBought(self.company, action.train, action.source, action.price))
        traded = (*self.traded, action.trade) if action.trade else self.traded
        bought = (*self.bought, action.train)
        move.swap(replace(self, sold=(), issued=0, bought=bought, traded=traded))
        deliver(move, action.source, self.company, action.train)
        card = card_of(move.state, action.train) if action.source == STACK else ""
        rules.after_purchase(move, self.company, card)


class TrainOffer(Question, tag="train-offer", frozen=True):
    """The other owner's answer to an offer for one of their trains."""

    company: str
    seller: str
    train: str
    price: int
    discard: str = ""

    def actor(self, state: State) -> str:
        """Return the seller's owner."""
        return state.companies[self.seller].owner

    @property
    def about(self) -> str:
        """The train."""
        return self.train

    def answered(self, move: Move, accepted: bool) -> None:
        """Complete the purchase, or remember the answer."""
        step = move.state.step
        assert isinstance(step, BuyTrains)
        if accepted:
            step.buy(move, BuyTrain(self.train, self.seller, self.price, self.discard))
        else:
            answer = (self.seller, self.train, self.price)
            move.swap(replace(step, declined=(*step.declined, answer)))
