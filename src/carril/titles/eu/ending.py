"""The end of a company's turn in 18EU."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.steps import operating
from carril.titles.eu.common import conventions, discards_due


class EndTurn(operating.EndTurn, tag="eu-end-turn", frozen=True):
    """The company has operated; on 18xx.games excess trains are discarded only now (G-4)."""

    def settle(self, move: Move) -> bool:
        """Mark the company, and ask for discards that have waited."""
        operating.EndTurn.settle(self, move)
        if not conventions(move.state).phase_discards_at_once:
            move.push(*discards_due(move.state, fixed=True))
        return True
