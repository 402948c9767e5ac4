"""What becomes of the earnings in 18ESP, and of the price."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from carril.engine.actions import Action, DeclareDividend, Option
from carril.engine.events import DividendPaid
from carril.engine.market import move_price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, POOL, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.titles.esp.common import conventions, edition, esp, is_minor, region


class Earnings(CompanyStep, tag="earnings", frozen=True):
    """Pay out or withhold; a minor pays half or withholds (ESP-4.5)."""

    earnings: int = 0
    subsidy: int = 0
    """What mines and harbours pay to the treasury."""

    allows = (DeclareDividend,)

    def _kinds(self, state: State) -> tuple[str, ...]:
        return ("half" if is_minor(state, self.company) else "full", "withhold")

    def settle(self, move: Move) -> bool:
        """Mines and harbours pay at once; without earnings there is nothing to choose."""
        if self.subsidy and not conventions(move.state).subsidy_with_dividend:
            self._pay_subsidy(move)
            move.swap(replace(self, subsidy=0))
            return True
        if self.earnings:
            return False
        self._divide(move, "withhold")
        return True

    def options(self, state: State) -> Iterable[Option]:
        """Yield the two choices."""
        by = self.actor(state)
        return tuple(DeclareDividend(kind, by=by) for kind in self._kinds(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the kind of dividend is open to the company."""
        assert isinstance(action, DeclareDividend)
        if action.kind not in self._kinds(state):
            return refuse(state, "no-such-dividend", kind=action.kind)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Divide the earnings as declared."""
        assert isinstance(action, DeclareDividend)
        self._divide(move, action.kind)

    def _pay_subsidy(self, move: Move) -> None:
        pay(move, BANK, self.company, self.subsidy, "mines and harbours")

    def _divide(self, move: Move, kind: str) -> None:
        move.pop()
        self._pay_subsidy(move)
        dividend = {"full": self.earnings, "half": -(-self.earnings // 2), "withhold": 0}[kind]
        kept = self.earnings - dividend
        pay(move, BANK, self.company, kept, "earnings")
        if kind == "half":
            pay(move, BANK, self.actor(move.state), dividend, "dividend")
        elif dividend:
            self._pay_holders(move, dividend)
        move.tell(DividendPaid(self.company, kind, dividend, kept))
        self._move_price(move, dividend)
        if move.state.setup.conventions.operated_from_dividend:
            move.change_company(self.company, operated=True)

    def _pay_holders(self, move: Move, dividend: int) -> None:
        """Players get their part; the market's goes to the company, the IPO's to nobody."""
        company = move.state.companies[self.company]
        each = dividend // company_def(move.state, self.company).units
        for holder, count in company.shares.items():
            if holder in move.state.players:
                pay(move, BANK, holder, each * count, "dividend")
        pay(move, BANK, self.company, each * company.held(POOL), "dividend")

    def _move_price(self, move: Move, dividend: int) -> None:
        if not dividend:
            move_price(move, self.company, "left", "no dividend")
            return
        last = esp(move.state).last_rounds == "on" and move.state.round.number == 3
        northern = region(move.state, self.company) == "north"
        times = edition(move.state).last_factor if last and northern else 1
        move_price(move, self.company, "right", "dividend", times)
