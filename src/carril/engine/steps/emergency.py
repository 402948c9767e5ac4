"""Emergency money: what a president adds when a company must buy a train it cannot pay for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from msgspec import Struct
from msgspec.structs import replace

from carril.engine.actions import BuyTrain, Option, Range, SellShares
from carril.engine.market import grid, marker, price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def, heir, most_sellable, sell
from carril.engine.shares import sale_refusal as normal_sale_refusal
from carril.engine.state import Company, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.trains import runs_itself, train_def


class Emergency(Struct, frozen=True):
    """A president must help to pay for a train: the sums."""

    president: str
    cheapest: int
    """The price of the cheapest train that fulfils the duty."""
    treasury: int
    help: int
    """What the president must add to the treasury."""
    cash: int
    """The president's own money."""
    missing: int
    """What is missing when both are spent."""


class ForcedPurchase(CompanyStep, frozen=True):
    """Base of a step in which a company may have to buy a train with its president's help."""

    sold: tuple[str, ...] = ()
    """Companies whose shares the president has sold in this emergency."""
    issued: int = 0
    """How many shares the company has issued in this emergency."""

    def must_buy(self, state: State) -> bool:
        """Return whether the company may not end its turn without buying a train."""
        raise NotImplementedError

    def cheapest(self, state: State) -> int:
        """Return the price of the cheapest train of the bank that would do."""
        raise NotImplementedError

    # --- payment -------------------------------------------------------------------------

    def treasury(self, state: State) -> int:
        """Return the company's money."""
        return state.companies[self.company].cash

    def president_cash(self, state: State) -> int:
        """Return the president's money."""
        return state.players[self.actor(state)].cash

    def missing(self, state: State) -> int:
        """Return what the president must still raise for the cheapest train; 0 if nothing."""
        both = self.treasury(state) + self.president_cash(state)
        return max(0, self.cheapest(state) - both)

    def emergency(self, state: State) -> Emergency | None:
        """Return the sums if the company must buy a train that its treasury cannot pay."""
        if not self.must_buy(state):
            return None
        cheapest, treasury = self.cheapest(state), self.treasury(state)
        if cheapest <= treasury:
            return None
        return Emergency(
            president=self.actor(state),
            cheapest=cheapest,
            treasury=treasury,
            help=cheapest - treasury,
            cash=self.president_cash(state),
            missing=self.missing(state),
        )

    def payment_refusal(self, state: State, train: str, cost: int, loan: int = 0) -> Refusal | None:
        """Return why a train of the bank cannot be paid, with the president's help or without."""
        rules, treasury = state.title.emergency, self.treasury(state)
        if self.issued and (refused := self._issued_refusal(state, train)):
            return refused
        if cost <= treasury:
            return refuse(state, "loan-not-needed", loan=loan) if loan else None
        if not runs_itself(state, train):
            return refuse(state, "treasury-short-train", cost=cost, cash=treasury)
        if not rules.helps(state, self.company):
            return refuse(state, "minor-no-help", cost=cost, cash=treasury)
        if not self.must_buy(state):
            return refuse(state, "no-help", cost=cost, cash=treasury)
        if refused := rules.helps_with(state, self, cost):
            return refused
        if rules.loans:
            return rules.loans.refusal(state, self, cost, loan)
        lacking, cash = cost - treasury, self.president_cash(state)
        return (
            refuse(state, "president-short", missing=lacking, cash=cash) if lacking > cash else None
        )

    def _issued_refusal(self, state: State, train: str) -> Refusal | None:
        """Check that money from shares issued for a train is spent on the cheapest one."""
        cost, cheapest = train_def(state, train).price, self.cheapest(state)
        if runs_itself(state, train) and cost <= cheapest:
            return None
        return refuse(state, "only-cheapest", cost=cost, cheapest=cheapest)

    def most_for_company_train(self, state: State, train: str) -> int:
        """Return the most that can be paid another company for a train."""
        helped = state.title.emergency.company_train(state, self, train)
        return max(self.treasury(state), helped)

    def fund(self, move: Move, cost: int, loan: int) -> None:
        """Let the president add what the treasury lacks: its own money goes first."""
        rules, president = move.state.title.emergency, self.actor(move.state)
        if loan and rules.loans:
            rules.loans.take(move, president, loan)
        lacking = cost - self.treasury(move.state)
        if lacking > 0:
            pay(move, president, self.company, lacking, rules.reason)

    # --- shares sold for a train ---------------------------------------------------------

    def for_sale(self, state: State) -> dict[str, int]:
        """Return the companies whose shares the president may sell now, with the most of each."""
        missing = self.missing(state)
        found = {c.symbol: self._most(state, c, missing) for c in state.companies.values()}
        return {symbol: most for symbol, most in found.items() if most}

    def sales(self, state: State) -> Iterator[Option]:
        """Yield the shares that the president may sell to pay for the train."""
        if not self.must_buy(state) or not (missing := self.missing(state)):
            return
        by = self.actor(state)
        for symbol, most in self.for_sale(state).items():
            counts = range(1, most + 1)
            legal = [n for n in counts if self._short_refusal(state, symbol, n, missing) is None]
            starts = [n for before, n in pairwise([-1, *legal]) if n != before + 1]
            ends = [n for n, after in pairwise([*legal, -1]) if after != n + 1]
            for first, last in zip(starts, ends, strict=True):
                yield Range(SellShares(symbol, first, by=by), "count", first, last)

    def sale_refusal(self, state: State, symbol: str, count: int) -> Refusal | None:
        """Return why the president may not sell these shares for a train."""
        if not self.must_buy(state):
            return refuse(state, "no-emergency", company=self.company)
        if not (missing := self.missing(state)):
            return refuse(state, "enough-money", company=self.company)
        rules = state.title.emergency
        if refused := rules.sale_barred(state, self, symbol):
            return refused
        if refused := normal_sale_refusal(state, self.actor(state), symbol, count):
            return refused
        if rules.one_sale_each(state) and symbol in self.sold:
            return refuse(state, "sold-in-emergency", company=symbol)
        return self._amount_refusal(state, symbol, count, missing)

    def _amount_refusal(
        self, state: State, symbol: str, count: int, missing: int
    ) -> Refusal | None:
        if state.title.emergency.must_suffice(state) and not self.can_raise(state, missing):
            return refuse(state, "sales-not-enough", missing=missing)
        if count <= self._most(state, state.companies[symbol], missing):
            return self._short_refusal(state, symbol, count, missing)
        if (count - 1) * price(state, symbol) >= missing:
            return refuse(state, "over-selling", count=count, missing=missing)
        every = state.title.emergency.keeps_presidencies
        code = "keeps-director" if every else "keeps-presidency"
        return refuse(state, code, company=symbol, count=count)

    def sell_for_train(self, move: Move, symbol: str, count: int) -> None:
        """Sell the shares; the money is the president's."""
        sell(move, self.actor(move.state), symbol, count)
        move.state.title.emergency.after_sale(move)
        move.swap(replace(self, sold=(*self.sold, symbol)))

    def _most(self, state: State, company: Company, missing: int) -> int:
        """Return how many shares of a company may be sold, and none more than is needed."""
        most = self._capacity(state, company)
        return min(most, -(-missing // price(state, company.symbol))) if most else 0

    def _capacity(self, state: State, company: Company) -> int:
        """Return how many shares of a company may be sold without a change of presidency."""
        rules, president = state.title.emergency, self.actor(state)
        if not company.operated or not company.held(president):
            return 0
        if rules.one_sale_each(state) and company.symbol in self.sold:
            return 0
        if rules.sale_barred(state, self, company.symbol):
            return 0
        most = most_sellable(state, president, company)
        own = company.symbol == self.company
        if own or (rules.keeps_presidencies and company.owner == president):
            rival = heir(state, company)
            units = company_def(state, company.symbol).president_units
            keep = max(units, company.held(rival) if rival else 0)
            most = min(most, company.held(president) - keep)
        return max(0, most)

    def _short_refusal(self, state: State, symbol: str, count: int, missing: int) -> Refusal | None:
        """Return why a sale is refused that leaves too little to sell for what is missing."""
        rules = state.title.emergency
        if self.can_raise(state, missing, symbol, count):
            return None
        if rules.must_suffice(state):
            return refuse(state, "sales-not-enough", missing=missing)
        if rules.stays_solvent(state) and self.can_raise(state, missing):
            return refuse(state, "sells-too-little", company=symbol, count=count, missing=missing)
        return None

    def can_raise(self, state: State, missing: int, symbol: str = "", count: int = 0) -> bool:
        """Return whether the president can raise an amount by sales, in whichever order.

        With a company and a count: by sales of which this one is the first. The answer is exact:
        no sale limits those of another company, and prices only fall, so all that can be sold of
        a company raises most in one block.
        """
        raised = 0
        for company in state.companies.values():
            if most := self._capacity(state, company):
                sold = count if company.symbol == symbol else 0
                raised += sold * price(state, company.symbol)
                if not sold or not state.title.emergency.one_sale_each(state):
                    raised += (most - sold) * _price_after(state, company.symbol, sold)
        return raised >= missing


def _price_after(state: State, symbol: str, sold: int) -> int:
    """Return the price of a company after a number of its shares have been sold."""
    found, market = marker(state, symbol), grid(state)
    assert found is not None
    space = (found.row, found.column)
    for _ in range(sold if company_def(state, symbol).price_falls else 0):
        space = market.down(*space)
    return market.price(*space)


def only_cheapest(state: State, step: ForcedPurchase, cost: int) -> Refusal | None:
    """Help with the cheapest train alone, and only if the treasury cannot pay for it."""
    cheapest = step.cheapest(state)
    if step.treasury(state) >= cheapest or cost > cheapest:
        return refuse(state, "only-cheapest", cost=cost, cheapest=cheapest)
    return None


def treasury_short(state: State, step: ForcedPurchase, action: BuyTrain) -> Refusal:
    """Refuse a price that is more than can be paid to another company."""
    most = step.most_for_company_train(state, action.train)
    return refuse(state, "treasury-short-train", cost=action.price, cash=most)


@dataclass(frozen=True, slots=True)
class Loans:
    """Money that a president borrows for a train."""

    needed: Callable[[State, ForcedPurchase, int], int]
    """What must be borrowed for a train of a price, 0 if nothing may be."""
    refusal: Callable[[State, ForcedPurchase, int, int], Refusal | None]
    """Why a price cannot be paid with the help of such a loan."""
    take: Callable[[Move, str, int], None]
    """Lend a player an amount."""


@dataclass(frozen=True, slots=True)
class EmergencyRules:
    """Who helps a company that must buy a train, with what, and how the money is raised.

    Money that the company itself can raise, such as by issuing shares, is a further action of the
    step (`TrainRules.actions`); `sale_barred` then makes the president wait for it.
    """

    helps: Callable[[State, str], bool] = lambda state, company: True
    """Whether the president adds money for a train of a company."""
    helps_with: Callable[[State, ForcedPurchase, int], Refusal | None] = only_cheapest
    """Why there is no help with a train of the bank at a price."""
    company_train: Callable[[State, ForcedPurchase, str], int] = lambda state, step, train: 0
    """The most that can be paid another company for a train with the president's cash."""
    company_train_refusal: Callable[[State, ForcedPurchase, BuyTrain], Refusal] = treasury_short
    """Why another company's train cannot be paid."""
    loans: Loans | None = None
    sale_barred: Callable[[State, ForcedPurchase, str], Refusal | None] = (
        lambda state, step, company: None
    )
    """Why shares of a company may not be sold for a train, now or ever."""
    one_sale_each: Callable[[State], bool] = lambda state: False
    """Whether shares of a company are sold once at most in an emergency."""
    keeps_presidencies: bool = True
    """No sale may change any presidency; otherwise only that of the company itself is kept."""
    must_suffice: Callable[[State], bool] = lambda state: False
    """Whether shares are sold only if they can raise what is missing."""
    stays_solvent: Callable[[State], bool] = lambda state: False
    """Whether a president who can raise what is missing may sell nothing that makes it impossible;
    one who cannot may sell anything."""
    after_sale: Callable[[Move], None] = lambda move: None
    """What else a sale leads to."""
    reason: str = "president's help"
    """The reason of the payment, for the record of events."""
