"""What a title answers about a position: the owners of private companies, and notes.

The page, the pictures and the bots ask these questions, so that none of them works out a rule.
Every answer has a default for titles in which nothing special applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from msgspec import Struct

from carril.engine.refusals import Fact
from carril.engine.state import POOL, Company, State
from carril.engine.steps.emergency import ForcedPurchase
from carril.engine.tables import PhaseDef
from carril.engine.trains import STACK, cards_for_sale, sides


class Note(Struct, frozen=True):
    """A remark on a company, a private, a phase or the train supply.

    The sentence is made outside the engine, from the code and the facts.
    """

    code: str
    facts: Mapping[str, Fact] = {}
    heading: str = ""
    """The code of a heading; notes with the same heading belong together."""
    done: bool | None = None
    """For a goal: whether it has been reached."""


class Emergency(Struct, frozen=True):
    """A president must help to pay for a train: the sums."""

    president: str
    cheapest: int
    """The price of the cheapest train that fulfils the duty."""
    treasury: int
    help: int
    """What the president must add to the treasury."""
    cash: int
    """The president's own money."""
    missing: int
    """What is missing when both are spent."""


def no_privates(state: State) -> Mapping[str, str]:
    """Return no private companies."""
    return {}


def phase_event(state: State, phase: PhaseDef) -> Note | None:
    """Return the note on a phase that the phase table names."""
    return Note(phase.event) if phase.event else None


def bank_trains(state: State) -> Iterable[tuple[str, str]]:
    """Yield the trains that the bank shows, each with its source, whether they can be bought."""
    for card in cards_for_sale(state):
        yield from ((side, STACK) for side in sides(state, card))
    yield from ((name, POOL) for name in sorted(set(state.depot.pool)))


def emergency(state: State) -> Emergency | None:
    """Return the sums if the company must buy a train that its treasury cannot pay."""
    step = state.step
    if not isinstance(step, ForcedPurchase) or not step.must_buy(state):
        return None
    cheapest, treasury = step.cheapest(state), step.treasury(state)
    if cheapest <= treasury:
        return None
    return Emergency(
        president=step.actor(state),
        cheapest=cheapest,
        treasury=treasury,
        help=cheapest - treasury,
        cash=step.president_cash(state),
        missing=step.missing(state),
    )


@dataclass(frozen=True, slots=True)
class Answers:
    """The questions that a title answers about a position."""

    privates: Callable[[State], Mapping[str, str]] = no_privates
    """The open private companies with their owners; "" for one that has not been sold."""
    private_note: Callable[[State, str], Note] = lambda state, private: Note(private)
    """What a private company can do."""
    charter_notes: Callable[[State, Company], tuple[Note, ...]] = lambda state, company: ()
    """What a charter shows besides money, trains, tokens and shares."""
    supply_notes: Callable[[State], tuple[Note, ...]] = lambda state: ()
    """What else is in the bank's supply of trains."""
    phase_note: Callable[[State, PhaseDef], Note | None] = phase_event
    """What a phase brings besides trains and tiles."""


DEFAULT_ANSWERS = Answers()
"""The answers of a title in which nothing special applies."""
