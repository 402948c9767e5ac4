"""What a company does with its earnings, and the move of its price that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from msgspec.structs import replace

from carril.engine.actions import Action, DeclareDividend
from carril.engine.events import DividendPaid
from carril.engine.market import move_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, TREASURY, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep


@dataclass(frozen=True, slots=True)
class EarningsRules:
    """What a title says about earnings. A single choice is taken without asking."""

    choices: tuple[str, ...] = ("full", "withhold")
    """What a company with several holders may declare: "full", "half" or "withhold"."""
    owner_choices: tuple[str, ...] = ("half",)
    """The same for a company with a sole owner."""
    paid_to_company: tuple[str, ...] = (TREASURY,)
    """The holders whose part goes to the company; players get theirs, other holders nothing."""
    price_steps: Callable[[State, str, int], int] = lambda state, company, dividend: (
        1 if dividend else -1
    )
    """How far a dividend moves the price of a company to the right; below 0 to the left."""
    subsidy_waits: Callable[[State], bool] = lambda state: False
    """Whether a subsidy is paid together with the dividend, not before it is declared."""
    subsidy_reason: str = "treasury income"


def half_dividend(earnings: int, units: int) -> int:
    """Return half of the earnings, rounded up to a whole amount for each share.

    >>> half_dividend(130, units=10)
    70
    """
    unit = max(1, units)
    return -(-earnings // (2 * unit)) * unit


def pay_holders(move: Move, symbol: str, dividend: int) -> None:
    """Pay each holder of a company their part of a dividend, a sole owner all of it."""
    state = move.state
    company, units = state.companies[symbol], company_def(state, symbol).units
    if units <= 1:
        pay(move, BANK, company.owner, dividend, "dividend")
        return
    each = dividend // units
    for holder, count in company.shares.items():
        if holder in state.players:
            pay(move, BANK, holder, each * count, "dividend")
    held = sum(company.held(holder) for holder in state.title.earnings.paid_to_company)
    pay(move, BANK, symbol, each * held, "dividend")


class Earnings(CompanyStep, tag="earnings", frozen=True):
    """Pay a dividend or withhold."""

    earnings: int = 0
    subsidy: int = 0
    """What the run pays to the treasury, whatever is declared."""

    allows = (DeclareDividend,)

    def _choices(self, state: State) -> tuple[str, ...]:
        rules = state.title.earnings
        alone = company_def(state, self.company).sole_owner
        return rules.owner_choices if alone else rules.choices

    def settle(self, move: Move) -> bool:
        """Pay the subsidy; declare by itself if there is nothing to choose."""
        if self.subsidy and not move.state.title.earnings.subsidy_waits(move.state):
            self._pay_subsidy(move)
            move.swap(replace(self, subsidy=0))
            return True
        choices = self._choices(move.state)
        if self.earnings and len(choices) > 1:
            return False
        self._declare(move, choices[0] if self.earnings else "withhold")
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield the choices of the company."""
        by = self.actor(state)
        return tuple(DeclareDividend(kind, by=by) for kind in self._choices(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the kind of dividend is open to the company."""
        assert isinstance(action, DeclareDividend)
        if action.kind not in self._choices(state):
            return refuse(state, "no-such-dividend", kind=action.kind)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Divide the earnings as declared."""
        assert isinstance(action, DeclareDividend)
        self._declare(move, action.kind)

    def _pay_subsidy(self, move: Move) -> None:
        reason = move.state.title.earnings.subsidy_reason
        pay(move, BANK, self.company, self.subsidy, reason)

    def _declare(self, move: Move, kind: str) -> None:
        move.pop()
        self._pay_subsidy(move)
        definition = company_def(move.state, self.company)
        half = half_dividend(self.earnings, definition.units)
        dividend = {"full": self.earnings, "half": half, "withhold": 0}[kind]
        kept = self.earnings - dividend
        pay_holders(move, self.company, dividend)
        pay(move, BANK, self.company, kept, "earnings")
        if self.earnings or definition.has_shares:
            move.tell(DividendPaid(self.company, kind, dividend, kept))
        if definition.has_shares:
            self._move_price(move, dividend)

    def _move_price(self, move: Move, dividend: int) -> None:
        steps = move.state.title.earnings.price_steps(move.state, self.company, dividend)
        if steps:
            reason = "dividend" if dividend else "no dividend"
            move_price(move, self.company, "right" if steps > 0 else "left", reason, abs(steps))
        if move.state.setup.conventions.operated_from_dividend:
            move.change_company(self.company, operated=True)
