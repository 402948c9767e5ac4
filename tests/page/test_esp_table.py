"""The table of 18ESP at many positions, in every edition and set-up."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from carril.engine.state import State
from carril.page import render
from carril.page.hexcards import card_for
from carril.page.panels import Scene, panel_for, tag_of
from carril.page.table_routes import read_action
from carril.page.urls import TableUrls
from carril.page.view import Look, scene_of
from carril.page.words import Words, catalogue, words_for
from tests.contract.page_controls import look_at
from tests.page.esp_hand import whole
from tests.page.test_table import _choices, _rendered

# Of the other editions the first part, which is where they differ at the table.
GAMES = ((4, 1, "de", (), 5000), (3, 2, "en", ("random",), 260), (6, 3, "es", (), 260))


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that is missing is an error here, not a key on the page."""
    say = Words.say

    def checked(self: Words, key: str, **facts: Any) -> str:
        assert key in catalogue("en"), key
        return say(self, key, **facts)

    monkeypatch.setattr(Words, "say", checked)


def _due(states: list[State], most: int) -> list[State]:
    """Return the first positions of each step, and some of the others."""
    seen: Counter[str] = Counter()
    found = []
    for number, state in enumerate(states):
        tag = tag_of(state.step) if state.agenda else "over"
        seen[tag] += 1
        if seen[tag] <= most or number % 150 == 0:
            found.append(state)
    return found


@pytest.mark.parametrize(("players", "seed", "edition", "variants", "most"), GAMES)
def test_a_whole_game_is_shown(
    players: int, seed: int, edition: str, variants: tuple[str, ...], most: int
) -> None:
    states = whole(players, seed, edition, variants, most)
    templates = set()
    for state in _due(states, 2):
        own, watched = look_at(state), look_at(state, mine=False)
        panel = panel_for(scene_of(own))
        templates.add(panel.template)
        shown = _rendered(own)
        assert len(shown) < 300_000
        if state.agenda:
            assert 'hx-post="/table/g/act"' in shown, panel.template
        assert 'hx-post="/table/g/act"' not in _rendered(watched), panel.template
        for hex_id in (*list(panel.lit)[:3], "D12", "F24"):
            assert _hexcard(own, hex_id)
        _only_legal(state)
    assert "plain" not in templates
    assert templates >= {"private_auction", "build", "run", "payout", "trains", "stock"}
    assert ("over" in templates) == states[-1].finished


def _hexcard(look: Look, hex_id: str) -> str:
    words = look.words
    context = {"t": words.say, "word": words.name, "money": words.money, "uid": lambda: "u"}
    context |= render.table_context(look, TableUrls("g", "18ESP"))
    card = card_for(scene_of(look), hex_id)
    return render.environment().get_template("hexcard.html").render({**context, "card": card})


def _only_legal(state: State) -> None:
    if not state.agenda:
        return
    scene = Scene(state, words_for(state, "en"), mine=True)
    panel = panel_for(scene)
    for choice in _choices({**panel.model, "aside": panel.aside}):
        if choice.legal:
            assert state.refusal(read_action(choice.action, "", None)) is None
        else:
            assert choice.rule.startswith("ESP-"), choice
