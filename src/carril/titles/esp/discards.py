"""Trains above the limit, and the cards that have left the game."""

from __future__ import annotations

from carril.engine.move import Move
from carril.engine.step import Step
from carril.engine.steps.discards import DiscardRules, discards_due
from carril.engine.trains import COUPLED, card_of, discard, discard_from_game, phase_reached
from carril.titles.esp.common import conventions, edition, esp, order, set_extra


def push_discards(move: Move, first: str = "") -> None:
    """Put the discards on the agenda: the company that caused them first, then in order (A37).

    A frozen minor keeps its trains until it is taken over, even a 5 that it has just bought.
    """
    fixed = conventions(move.state).discards_leave
    sequence = list(move.state.companies) if fixed else [first, *order(move.state)]
    frozen = esp(move.state).frozen
    due = discards_due(move.state, (name for name in sequence if name not in frozen))
    if conventions(move.state).takeover_discards:
        move.push(*due)
    else:
        _put_after_dividend(move, due)


_BEFORE_DIVIDEND = ("home", "build", "run", "earnings")


def _put_after_dividend(move: Move, due: tuple[Step, ...]) -> None:
    """Put decisions on the agenda after the dividend of the company's turn (G5)."""
    agenda = move.state.agenda
    first = [n for n, step in enumerate(agenda) if step.mechanism in _BEFORE_DIVIDEND][:1]
    place = first[0] if first else len(agenda)
    move.set(agenda=(*agenda[:place], *due, *agenda[place:]))


def to_scrap(move: Move, train: str, kind: str = "scrap") -> None:
    """Count the cards that can be recycled, each card of a coupled train separately."""
    piles = dict(getattr(esp(move.state), kind))
    for part in _reusable_cards(move, train):
        card = card_of(move.state, part)
        piles[card] = piles.get(card, 0) + 1
    set_extra(move, **{kind: piles})


def _reusable_cards(move: Move, train: str) -> list[str]:
    """Return the cards of a train that may be recycled: not one that was recycled before (A50)."""
    parts = train.split(COUPLED)
    return parts[:1] if edition(move.state).recycled_once else parts


def leave(move: Move, train: str) -> None:
    """Count the cards of a train that has left the game: recyclable once rusted (A51)."""
    for part in _reusable_cards(move, train):
        rusted_by = move.state.tables.trains[part].rusted_by
        rusted = bool(rusted_by) and phase_reached(move.state, rusted_by)
        to_scrap(move, part, "scrap" if rusted else "lost")


def give_up(move: Move, company: str, train: str) -> None:
    """Move a train to the open market, or out of the game (E43, G26)."""
    if edition(move.state).discards_leave or conventions(move.state).discards_leave:
        discard_from_game(move, company, train)
        leave(move, train)
    else:
        discard(move, company, train)


DISCARDS = DiscardRules(discard=give_up)
