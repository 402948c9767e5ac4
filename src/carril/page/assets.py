"""What a title has besides shares and trains: private companies, and notes on charters."""

from __future__ import annotations

from typing import Any

from carril.engine.answers import Note
from carril.engine.state import Company, State
from carril.page.words import Words

_MARKS = {None: "", True: "✓ ", False: "○ "}


def private_card(state: State, words: Words, symbol: str) -> dict[str, Any]:
    """Return a private company as a card: its name, its income, its owner, what it can do."""
    answers = state.title.answers
    plan = answers.private_def(state, symbol)
    return {
        "symbol": symbol,
        "name": plan.name,
        "income": plan.income,
        "power": words.describe(answers.private_note(state, symbol)),
        "owner": answers.privates(state).get(symbol, ""),
    }


def private_cards(state: State, words: Words, owner: str | None = None) -> list[dict[str, Any]]:
    """Return all open private companies, or those of one player or company."""
    return [
        private_card(state, words, symbol)
        for symbol, holder in state.title.answers.privates(state).items()
        if owner in (None, holder)
    ]


def charter_notes(state: State, words: Words, company: Company) -> list[tuple[str, str]]:
    """Return the notes on a company's charter as pairs of heading and text."""
    found: dict[str, list[str]] = {}
    for note in state.title.answers.charter_notes(state, company):
        text = f"{_MARKS[note.done]}{words.describe(note)}"
        found.setdefault(words.describe(Note(note.heading)), []).append(text)
    return [(heading, " · ".join(texts)) for heading, texts in found.items()]
