"""The end of a company's turn in 18ESP."""

from __future__ import annotations

from carril.engine.steps import operating


class EndTurn(operating.EndTurn, tag="esp-end-turn", frozen=True):
    """The company has operated."""
