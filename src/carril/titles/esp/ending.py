"""The end of a company's turn in 18ESP."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.step import Step


class EndTurn(Step, tag="esp-end-turn", frozen=True):
    """The company has operated."""

    company: str

    def settle(self, move: Move) -> bool:
        """Mark the company."""
        move.pop()
        company = move.state.companies[self.company]
        if not company.operated and not company.closed:
            move.change_company(self.company, operated=True)
        return True
