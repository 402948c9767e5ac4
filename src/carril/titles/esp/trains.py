"""Buying and combining trains; the duty to own one; a director's help and loans."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    BuyTrain,
    CombineTrains,
    Option,
    Pass,
    Range,
    SellShares,
)
from carril.engine.asides import aside_options
from carril.engine.events import TrainBought, TrainDiscarded, TrainOffered
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, POOL, Company, State
from carril.engine.step import refuse
from carril.engine.steps import offer
from carril.engine.steps.operating import CompanyStep
from carril.engine.trains import (
    COUPLED,
    card_of,
    hand_train,
    lose,
    main_train,
    phase_reached,
    stack_top,
    take_from_pool,
    take_from_stack,
    train_def,
    train_limit,
    trains_counted,
)
from carril.titles.esp import forced
from carril.titles.esp.combining import combinations, combine, combine_refusal, sides
from carril.titles.esp.common import STRAWBERRY, conventions, edition, esp, is_minor
from carril.titles.esp.duty import can_run, fulfils_duty
from carril.titles.esp.loans import take_loan
from carril.titles.esp.phases import card_left
from carril.titles.esp.privates import first_train, is_mataro

STACK = "stack"


class TrainStep(CompanyStep, tag="esp-trains", frozen=True):
    """Buy trains, combine them; every company must end with one (ESP-4.7)."""

    sold: tuple[str, ...] = ()
    """Companies whose shares the director has sold for a forced purchase."""
    offers: tuple[offer.Offer, ...] = ()
    """Offers declined this turn."""

    allows = (BuyTrain, CombineTrains, SellShares, Pass)

    # --- what there is -------------------------------------------------------------------

    def must_buy(self, state: State) -> bool:
        """Return whether the company may not end its turn like this (ESP-DE-5.7-a, ESP-4.7-a).

        Where the train must be able to run, a company that no train of the bank would serve has
        no duty: it could not fulfil it.
        """
        company = state.companies[self.company]
        if any(fulfils_duty(state, self.company, name) for name in company.trains):
            return False
        if not edition(state).train_must_run:
            return True
        return any(fulfils_duty(state, self.company, name) for name, _, _ in self.on_sale(state))

    def has_room(self, state: State) -> bool:
        """Return whether the company is below its train limit."""
        company = state.companies[self.company]
        return trains_counted(state, company) < train_limit(state, company)

    def on_sale(self, state: State) -> Iterator[tuple[str, str, int]]:
        """Yield train, source and price of what the bank offers this company."""
        minor = is_minor(state, self.company)
        for side in sides(state, stack_top(state)):
            if not (minor and train_def(state, side).gauge == "narrow"):
                yield side, STACK, train_def(state, side).price
        for name in sorted(set(state.depot.pool)):
            if not (minor and (train_def(state, name).gauge == "narrow" or COUPLED in name)):
                yield name, POOL, train_def(state, name).price

    def cheapest(self, state: State) -> int:
        """Return the price of the cheapest train of the bank that fulfils the duty (A39)."""
        found = list(self.on_sale(state))
        if edition(state).train_must_run:
            found = [one for one in found if can_run(state, self.company, one[0])] or found
        return min(cost for _, _, cost in found)

    def _is_forced(self, state: State) -> bool:
        """Return whether the director must help: no combining then (ESP-4.7.1-c)."""
        owner = state.companies[self.company]
        return bool(owner.trains) and self.must_buy(state) and owner.cash < self.cheapest(state)

    def gives_up(self, state: State) -> tuple[str, ...]:
        """Return the trains one of which goes to make room: none can run (ESP-4.7.1-m)."""
        if self.has_room(state) or not edition(state).train_must_run or not self.must_buy(state):
            return ()
        trains = sorted(set(state.companies[self.company].trains))
        return tuple(name for name in trains if train_def(state, name).limited)

    def _sellers(self, state: State) -> Iterator[tuple[Company, str]]:
        for company in state.companies.values():
            if company.symbol == self.company or company.symbol in esp(state).frozen:
                continue
            for name in sorted(set(company.trains)):
                yield company, name

    # --- options -------------------------------------------------------------------------

    def options(self, state: State) -> Iterable[Option]:
        """Yield purchases, combinations, forced sales and the pass, as far as each is legal."""
        yield from self._purchases(state)
        if not conventions(state).combining_after_buying and not self._is_forced(state):
            yield from combinations(state, self.company)
        yield from forced.sales(state, self)
        end = Pass(by=self.actor(state))
        if self.refusal(state, end) is None:
            yield end

    def _purchases(self, state: State) -> Iterator[Option]:
        if self.has_room(state):
            yield from self._purchases_giving(state, "")
        for train in self.gives_up(state):
            yield from self._purchases_giving(state, train)

    def _purchases_giving(self, state: State, given: str) -> Iterator[Option]:
        by = self.actor(state)
        for name, source, cost in self.on_sale(state):
            loan = forced.loan_for(state, self, cost)
            action = BuyTrain(name, source, cost, given, loan, by=by)
            if self._buy_refusal(state, action) is None:
                yield action
        for seller, name in self._sellers(state):
            least = 1 + offer.declined_at(self.offers, seller.symbol, name)
            most = forced.most_for_company_train(state, self, name)
            first = BuyTrain(name, seller.symbol, least, given, by=by)
            if least <= most and self._buy_refusal(state, first) is None:
                yield Range(first, "price", least, most)

    # --- refusals ------------------------------------------------------------------------

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check one action of the step."""
        match action:
            case BuyTrain():
                return self._buy_refusal(state, action)
            case CombineTrains():
                if conventions(state).combining_after_buying:
                    return refuse(state, "combine-later", company=self.company)
                if refused := combine_refusal(state, self.company, action.train, action.recycled):
                    return refused
                forced_now = self._is_forced(state)
                code = "combine-not-forced"
                return refuse(state, code, company=self.company) if forced_now else None
            case SellShares():
                return forced.sale_refusal(state, self, action.company, action.count)
        if self.must_buy(state):
            usable = edition(state).train_must_run
            code = "must-buy-usable-train" if usable else "must-buy-train"
            return refuse(state, code, company=self.company)
        return None

    def _buy_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        if action.discard and self.has_room(state):
            return refuse(state, "discard-not-needed", company=self.company)
        if not self.has_room(state) and action.discard not in self.gives_up(state):
            return refuse(state, "train-limit", company=self.company)
        if action.train not in _known(state, action.train):
            return refuse(state, "no-such-train", train=action.train)
        minor = is_minor(state, self.company)
        if minor and (COUPLED in action.train or train_def(state, action.train).gauge == "narrow"):
            return refuse(state, "minor-iberian-only", train=action.train)
        usable = not edition(state).train_must_run or can_run(state, self.company, action.train)
        if not usable and self.must_buy(state):
            return refuse(state, "train-cannot-run", train=action.train)
        if action.source in (STACK, POOL):
            return self._bank_refusal(state, action)
        return self._company_refusal(state, action)

    def _bank_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        face = train_def(state, action.train).price
        if action.source == STACK:
            if COUPLED in action.train or card_of(state, action.train) != stack_top(state):
                return refuse(state, "not-on-top", train=action.train, top=stack_top(state))
        elif action.train not in state.depot.pool:
            return refuse(state, "not-in-train-pool", train=action.train)
        if action.price != face:
            return refuse(state, "face-price", train=action.train, price=face)
        return forced.payment_refusal(state, self, face, action.loan)

    def _company_refusal(self, state: State, action: BuyTrain) -> Refusal | None:
        seller = state.companies.get(action.source)
        if seller is None or seller.symbol == self.company or action.train not in seller.trains:
            return refuse(state, "no-such-seller", seller=action.source, train=action.train)
        if seller.symbol in esp(state).frozen:
            return refuse(state, "frozen-minor", seller=action.source)
        if not phase_reached(state, "3"):
            return refuse(state, "trade-not-yet", phase=state.phase)
        if action.train == STRAWBERRY:
            return refuse(state, "strawberry-not-sold", train=action.train)
        if is_mataro(state, seller, action.train):
            return refuse(state, "mataro-not-sold", train=action.train)
        if action.price < 1:
            return refuse(state, "price-too-low", price=action.price)
        if action.price <= offer.declined_at(self.offers, seller.symbol, action.train):
            return refuse(state, "offer-declined", price=action.price, seller=seller.symbol)
        most = forced.most_for_company_train(state, self, action.train)
        if action.price > most or action.loan:
            return refuse(state, "treasury-short-train", cost=action.price, cash=most)
        return None

    # --- what happens --------------------------------------------------------------------

    def settle(self, move: Move) -> bool:
        """Skip the step when nothing can be bought or combined and nothing must."""
        state = move.state
        if self.must_buy(state):
            return False
        if conventions(state).combining_after_buying:
            asked = self._asked_online(state)
        else:
            asked = next(iter(self._purchases(state)), None) is not None
            asked = asked or next(combinations(state, self.company), None) is not None
            asked = asked or next(aside_options(state), None) is not None  # ESP-4.8-a
        if asked:
            return False
        move.pop()
        return True

    def _asked_online(self, state: State) -> bool:
        """18xx.games asks who has room and 1 if any other company owns a train."""
        if not self.has_room(state):
            return False
        cash = state.companies[self.company].cash
        others = any(c.trains for c in state.companies.values() if c.symbol != self.company)
        return cash >= train_def(state, stack_top(state)).price or (others and cash >= 1)

    def play(self, move: Move, action: Action) -> None:
        """Carry out one action of the step."""
        match action:
            case BuyTrain():
                seller = move.state.companies.get(action.source)
                asks = conventions(move.state).consents_asked
                others = ("", self.actor(move.state))  # a closed minor has no owner to ask: G3
                if seller is not None and seller.owner not in others and asks:
                    move.tell(TrainOffered(self.company, action.train, action.source, action.price))
                    move.push(
                        TrainOffer(
                            self.company,
                            action.source,
                            action.train,
                            action.price,
                            action.discard,
                        )
                    )
                else:
                    self.buy(move, action)
            case CombineTrains(train=train, recycled=recycled):
                combine(move, self.company, train, recycled)
            case SellShares(company=company, count=count):
                forced.sell_for_train(move, self, company, count)
            case _:
                self.passed(move)

    def declined_by_owner(self, declined: offer.Offer) -> TrainStep:
        """Remember an offer that was declined."""
        return replace(self, offers=(*self.offers, declined))

    def buy(self, move: Move, action: BuyTrain) -> None:
        """Pay for a train, with the director's help if need be, and take it."""
        director = self.actor(move.state)
        if action.discard:
            lose(move, self.company, action.discard)
            move.tell(TrainDiscarded(self.company, action.discard))
        take_loan(move, director, action.loan)
        lacking = action.price - move.state.companies[self.company].cash
        if lacking > 0:
            pay(move, director, self.company, lacking, "director's help")
        bank = action.source in (STACK, POOL)
        pay(move, self.company, BANK if bank else action.source, action.price, "train")
        move.tell(TrainBought(self.company, action.train, action.source, action.price))
        move.swap(replace(self, sold=()))
        if action.source == POOL:
            take_from_pool(move, self.company, action.train)
        elif action.source == STACK:
            card = stack_top(move.state)
            take_from_stack(move, self.company, action.train)
            first_train(move, self.company)
            card_left(move, card, self.company)
            return
        else:
            hand_train(move, action.source, self.company, action.train)
        first_train(move, self.company)


def _known(state: State, train: str) -> tuple[str, ...]:
    return (train,) if main_train(train) in state.tables.trains else ()


class TrainOffer(offer.TrainOffer, tag="esp-train-offer", frozen=True):
    """The other director's answer to an offer for one of his trains."""
