"""Single panels: sums only where money is short, and a reason for whatever is not offered."""

from __future__ import annotations

from carril.engine.actions import CloseMinor
from carril.engine.state import State
from carril.page.panels import Scene, panel_for
from carril.page.words import words_for
from tests import table
from tests.browser.positions import played_until
from tests.rulebook.eu.lines import buying, sncf


def _scene(state: State) -> Scene:
    return Scene(state, words_for(state, "en"), mine=True)


def test_sums_are_shown_only_where_the_treasury_is_short() -> None:
    for cash, short in ((30, True), (900, False)):
        state = table.tiles(table.game(3), A10=("580", 3), B9=("8", 1), B7=("58", 0))
        state = buying(table.cash(sncf(state, "A10"), SNCF=cash), "SNCF")
        panel = panel_for(_scene(state))
        assert panel.refused, "it must buy either way"
        assert bool(panel.model["emergency"]) is short


def test_a_minor_is_told_why_it_cannot_join_a_corporation() -> None:
    state = played_until(3, "final-exchange")
    started = [c.symbol for c in state.companies.values() if c.kind == "major" and c.started]
    seen = 0
    for minor in panel_for(_scene(state)).model["minors"]:
        *into, close = minor["choices"]
        assert len(into) == len(started)
        assert all(choice.legal or (choice.why and choice.rule) for choice in into)
        assert close.legal == (
            CloseMinor(minor["symbol"], by=state.acting or "") in state.options()
        )
        seen += sum(not choice.legal for choice in into)
    assert seen
