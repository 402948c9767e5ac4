"""What a title answers about a position: the owners of private companies, and notes.

The page, the pictures and the bots ask these questions, so that none of them works out a rule.
Every answer has a default for titles in which nothing special applies.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from msgspec import Struct

from carril.engine.events import Event
from carril.engine.figures import PrivateDef
from carril.engine.refusals import Fact
from carril.engine.state import Company, State
from carril.engine.tables import PhaseDef


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


class MapPiece(Struct, frozen=True):
    """A piece on the map that is neither a tile nor a station in a circle."""

    hex: str
    kind: str
    """How it is drawn: "token" for a token that waits for a place, "mill" for a box of cubes."""
    company: str
    note: Note
    count: int = 0


class TurnLine(Struct, frozen=True):
    """A step of a turn that nobody decides: what happened, and the amount it comes to."""

    note: Note
    amount: int | None = None
    total: bool = False
    """Whether the amount is the sum of those before it."""


class AutomaticTurn(Struct, frozen=True):
    """A turn that nobody decides, step by step."""

    company: str
    lines: tuple[TurnLine, ...]


class LastSet(Struct, frozen=True):
    """The last operating rounds of a game that ends when certain trains have left their supply."""

    train: str
    cards: int
    """How many of these trains must still leave the supply; 0 if the last set is due or begun."""
    rounds: int
    begun: bool = False
    """Whether the stock round before the last operating rounds has begun."""


def no_privates(state: State) -> Mapping[str, str]:
    """Return no private companies."""
    return {}


def listed_private(state: State, symbol: str) -> PrivateDef:
    """Return a private company of the tables."""
    return next(plan for plan in state.tables.figures.private if plan.symbol == symbol)


def phase_event(state: State, phase: PhaseDef) -> Note | None:
    """Return the note on a phase that the phase table names."""
    return Note(phase.event) if phase.event else None


def worth_by_income(state: State, private: str) -> int:
    """Return the income of a private company in some rounds, and a little more."""
    return listed_private(state, private).income * 6 + 20


def stops_of_its_trains(state: State, company: str) -> frozenset[str]:
    """Return the kinds of stops that trains of the company's gauge can visit."""
    gauge = state.tables.companies[company].gauge
    return frozenset(
        kind
        for train in state.tables.trains.values()
        if not gauge or train.gauge == gauge
        for distance in train.distance
        for kind in distance.stops
    )


@dataclass(frozen=True, slots=True)
class Answers:
    """The questions that a title answers about a position."""

    privates: Callable[[State], Mapping[str, str]] = no_privates
    """The open private companies with their owners; "" for one that has not been sold."""
    private_def: Callable[[State, str], PrivateDef] = listed_private
    """A private company as the tables describe it."""
    private_note: Callable[[State, str], Note] = lambda state, private: Note(private)
    """What a private company can do."""
    charter_notes: Callable[[State, Company], tuple[Note, ...]] = lambda state, company: ()
    """What a charter shows besides money, trains, tokens and shares."""
    supply_notes: Callable[[State], tuple[Note, ...]] = lambda state: ()
    """What else is in the bank's supply of trains."""
    machine_generations: Callable[[State], tuple[str, ...]] = lambda state: ()
    """The generations of machines, on sale or not."""
    map_pieces: Callable[[State], tuple[MapPiece, ...]] = lambda state: ()
    """What is on the map besides tiles and stations."""
    phase_note: Callable[[State, PhaseDef], Note | None] = phase_event
    """What a phase brings besides trains and tiles."""
    private_worth: Callable[[State, str], int] = worth_by_income
    """About what a private company is worth to a player, for bots."""
    automatic_income: Callable[[State, str], int] = lambda state, company: 0
    """What a company that nobody decides for would earn if it operated now."""
    usual_gauge: Callable[[State, str], str] = lambda state, company: (
        state.tables.companies[company].gauge
    )
    """The gauge of the track at a company's home; "" where there is only one."""
    closing_phase: Callable[[State, str], str] = lambda state, company: ""
    """The phase that closes a company without paying for it; "" if none does."""
    automatic_turn: Callable[[State, Sequence[Event]], AutomaticTurn | None] = (
        lambda state, events: None
    )
    """The turn among these events that nobody decided, if there is one."""
    exported: Callable[[State], int] = lambda state: 0
    """How many trains the bank takes out of its first supply after a set of operating rounds."""
    last_set: Callable[[State], LastSet | None] = lambda state: None
    """The last operating rounds, in a title that trains and not the bank bring to its end."""
    last_factor: Callable[[State, str], int] = lambda state, company: 1
    """What the earnings of a company are multiplied by in the very last operating round."""
    visits: Callable[[State, str], frozenset[str]] = stops_of_its_trains
    """The kinds of stops, away from its stations, that trains of a company can visit."""


DEFAULT_ANSWERS = Answers()
"""The answers of a title in which nothing special applies."""
