"""Dividing earnings, and the move of the price that follows."""

from __future__ import annotations

from collections.abc import Iterable

from carril.engine.actions import Action, DeclareDividend
from carril.engine.events import DividendPaid
from carril.engine.market import move_price, price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, TREASURY, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep

KINDS = ("full", "half", "withhold")


def half_dividend(earnings: int) -> int:
    """Return half of the earnings, rounded up to a multiple of ten.

    >>> half_dividend(130)
    70
    """
    return -(-earnings // 20) * 10


class PayOut(CompanyStep, tag="dividend", frozen=True):
    """Pay a full or a half dividend, or withhold."""

    earnings: int

    allows = (DeclareDividend,)

    def settle(self, move: Move) -> bool:
        """A minor always splits; without earnings there is nothing to choose."""
        if move.state.companies[self.company].kind == "minor":
            self._split(move)
        elif self.earnings == 0:
            self._divide(move, "withhold")
        else:
            return False
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield the three choices of a corporation."""
        by = self.actor(state)
        return tuple(DeclareDividend(kind, by=by) for kind in KINDS)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check that the kind of dividend exists."""
        assert isinstance(action, DeclareDividend)
        if action.kind not in KINDS:
            return refuse(state, "no-such-dividend", kind=action.kind)
        return None

    def play(self, move: Move, action: Action) -> None:
        """Divide the earnings as declared."""
        assert isinstance(action, DeclareDividend)
        self._divide(move, action.kind)

    def _split(self, move: Move) -> None:
        """Half to the owner, half to the minor's treasury."""
        move.pop()
        half = self.earnings // 2
        pay(move, BANK, self.actor(move.state), half, "dividend")
        pay(move, BANK, self.company, self.earnings - half, "earnings")
        if self.earnings:
            move.tell(DividendPaid(self.company, "half", half, self.earnings - half))

    def _divide(self, move: Move, kind: str) -> None:
        move.pop()
        dividend = {"full": self.earnings, "half": half_dividend(self.earnings), "withhold": 0}[
            kind
        ]
        kept = self.earnings - dividend
        self._pay_holders(move, dividend)
        pay(move, BANK, self.company, kept, "earnings")
        move.tell(DividendPaid(self.company, kind, dividend, kept))
        self._move_price(move, dividend)
        if move.state.setup.conventions.operated_from_dividend:
            move.change_company(self.company, operated=True)

    def _pay_holders(self, move: Move, dividend: int) -> None:
        """Pay each holder his part; the treasury's goes to the company, the pool's to nobody."""
        company = move.state.companies[self.company]
        each = dividend // company_def(move.state, self.company).units
        for holder, count in company.shares.items():
            if holder in move.state.players:
                pay(move, BANK, holder, each * count, "dividend")
        pay(move, BANK, self.company, each * company.held(TREASURY), "dividend")

    def _move_price(self, move: Move, dividend: int) -> None:
        if dividend == 0:
            move_price(move, self.company, "left", "no dividend")
        elif dividend >= price(move.state, self.company):
            move_price(move, self.company, "right", "dividend")
