"""The log: every action has a sentence that a person can read."""

from __future__ import annotations

import pytest

from carril.engine.events import OrderDealt
from carril.engine.registry import title_named, title_names
from carril.page import chronicle
from carril.page.words import Words, words_for
from carril.titles.esp.events import PrivateOffered, TakeoverAsked
from tests.contract.walk import Plan, walk


@pytest.mark.parametrize("title", title_names())
def test_no_entry_is_empty_and_none_is_written_by_a_program(title: str) -> None:
    """Offers and questions are among them; names are listed as a person would."""
    setup = title_named(title).tables.setups[-1]
    for seed in range(2):
        game = walk(Plan(title, setup.players, seed, variants=setup.variants), most=400)
        state = game.position(0)
        for action in game.actions:
            outcome = state.apply(action)
            words = words_for(state, "en")
            assert chronicle.in_short(words, outcome.events), action
            told = [words.describe(event) for event in outcome.events]
            assert not any(mark in " ".join(told) for mark in ("('", "{", "[")), told
            state = outcome.state


def test_offers_and_orders_are_told() -> None:
    words = Words("en", "pts")
    offer = PrivateOffered("A", "Ben", "3", 40)
    assert words.describe(offer) == "A offers 40 pts to Ben for 3"
    asked = TakeoverAsked("A", "Ben", "SC")
    assert words.describe(asked) == "A asks Ben for consent to take over SC"
    assert words.describe(OrderDealt(("Ben", "Ana"))) == "The order of play is Ben, Ana"
