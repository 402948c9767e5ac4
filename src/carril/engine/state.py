"""The state of a game: one frozen value. Nothing but `play.apply` makes a new one."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from carril.engine.board import Board
from carril.engine.registry import title_named
from carril.engine.setups import tables_for

if TYPE_CHECKING:
    from carril.engine.actions import Action, Kinds, Option
    from carril.engine.market import Grid
    from carril.engine.play import Outcome
    from carril.engine.refusals import Refusal
    from carril.engine.step import Step
    from carril.engine.tables import Tables
    from carril.engine.title import Title

BANK = "bank"
POOL = "pool"
TREASURY = "treasury"
IPO = "ipo"


class Player(Struct, frozen=True):
    """A player: their cash, their debt, and whether they are bankrupt."""

    name: str
    cash: int
    bankrupt: bool = False
    debt: int = 0


class Company(Struct, frozen=True):
    """A company's charter: its money, its shares by holder, its trains and spare tokens."""

    symbol: str
    kind: str
    cash: int = 0
    owner: str = ""
    shares: Mapping[str, int] = {}
    par: int = 0
    started: bool = False
    floated: bool = False
    operated: bool = False
    closed: bool = False
    trains: tuple[str, ...] = ()
    tokens: int = 0
    locked: int = 0
    """Tokens that cannot be placed yet."""

    def held(self, holder: str) -> int:
        """Return how many shares a player, the treasury or the pool holds."""
        return self.shares.get(holder, 0)


class Marker(Struct, frozen=True):
    """The space of a company's price. Of two in one space the earlier in the list is on top."""

    company: str
    row: int
    column: int


class Depot(Struct, frozen=True):
    """The trains that nobody owns: the cards left in the supplies, and the pool."""

    left: Mapping[str, int]
    """How many cards of each kind are unsold, -1 if they never run out, in the order of the table.

    The table names the supply of each kind.
    """
    pool: tuple[str, ...] = ()


class Round(Struct, frozen=True):
    """A round: its kind, the number of the set, and the number within the set."""

    kind: str
    turn: int = 1
    number: int = 0
    of: int = 0
    """How many operating rounds the set has, where that is fixed when it begins."""

    def __str__(self) -> str:
        """Return the usual short name: "SR 2", "OR 2.1", "Sale"."""
        if self.kind == "OR":
            return f"OR {self.turn}.{self.number}"
        return f"{self.kind} {self.turn}" if self.kind == "SR" else self.kind


class Conventions(Struct, frozen=True, tag_field="conventions"):
    """Base of a title's conventions: the places where a program differs from the rulebook.

    The fields here are read by the engine's own steps; a title adds its own. Defaults are the
    rulebook's.
    """

    best_run_enforced: bool = True
    """A run below the best is refused; otherwise any legal run, and a claimed sum is accepted."""
    operated_from_dividend: bool = False
    """A company has operated from its first dividend on, not from the end of its first turn."""
    single_choices_asked: bool = False
    """A decision with only one possible answer is still asked for."""
    broken_at_zero: bool = False
    """The bank is broken when it is empty, not only when it cannot pay."""


class RulebookOnly(Conventions, tag="rulebook", frozen=True):
    """The conventions of a title that adds none: the rulebook's."""


class TitleState(Struct, frozen=True, tag_field="title"):
    """Base of the part of the state that only one title has."""


class NothingExtra(TitleState, tag="nothing", frozen=True):
    """The part of a title that remembers nothing besides what all titles do."""


class Setup(Struct, frozen=True, dict=True):
    """How a game was set up: enough, with its actions, to play it again.

    All positions of a game share this object, so what follows from it is computed once.
    """

    title: str
    version: str
    players: tuple[str, ...]
    seed: int
    conventions: Conventions
    edition: str = ""
    variants: tuple[str, ...] = ()
    seated: bool = False

    @cached_property
    def definition(self) -> Title:
        """The title of this name."""
        return title_named(self.title)

    @cached_property
    def tables(self) -> Tables:
        """The tables of this set-up."""
        return tables_for(self.definition, len(self.players), self.variants)

    @cached_property
    def late_phase(self) -> str:
        """The phase with the last terms of floating in the tables, "" if the terms never change."""
        tables = self.tables
        phases = [row.phase for company in tables.companies.values() for row in company.launch]
        named = [phase for phase in phases if phase]
        return max(named, key=tables.phase_numbers.__getitem__, default="")

    @cached_property
    def sides(self) -> Mapping[str, tuple[str, ...]]:
        """The trains that each card can be: the train it is named after, and its other sides."""
        trains = self.tables.trains
        return {
            card: (card, *(name for name, train in trains.items() if train.card == card))
            for card in trains
        }

    @cached_property
    def train_classes(self) -> tuple[str, ...]:
        """The classes that trains count against, "" for those that are not limited."""
        return tuple(dict.fromkeys(train.counted_as for train in self.tables.trains.values()))

    @cached_property
    def market(self) -> Grid:
        """The share market of this set-up."""
        return self.definition.market(self.tables, self.conventions)


class State(Struct, frozen=True):
    """A position. Ask it for its options, try an action on it, apply one to get the next.

    The methods for this import what they need when they are called: `play` and `worth` are built
    on this module.
    """

    setup: Setup
    players: Mapping[str, Player]
    companies: Mapping[str, Company]
    bank: int
    board: Board
    markers: tuple[Marker, ...]
    depot: Depot
    phase: str
    priority: str
    round: Round
    agenda: tuple[Step, ...]
    stream: int
    extra: TitleState = NothingExtra()
    broken: bool = False
    ended: str = ""

    @property
    def title(self) -> Title:
        """The title this game is played by."""
        return self.setup.definition

    @property
    def tables(self) -> Tables:
        """The tables of this game's set-up."""
        return self.setup.tables

    @property
    def step(self) -> Step:
        """The decision that is due: the top of the agenda."""
        return self.agenda[-1]

    @property
    def acting(self) -> str | None:
        """The player who must decide now; None when the game is over."""
        return self.agenda[-1].actor(self) if self.agenda else None

    @property
    def finished(self) -> bool:
        """Whether the game is over."""
        return bool(self.ended)

    @property
    def result(self) -> dict[str, int] | None:
        """Each player's worth when the game is over, best first; None before."""
        from carril.engine.worth import standing

        return standing(self) if self.ended else None

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won when the game is over; nobody before. Several share an unbroken tie."""
        from carril.engine.worth import winners

        return winners(self) if self.ended else ()

    def options(self, *kinds: type[Action]) -> tuple[Option, ...]:
        """Return every legal action, or those of some kinds; those with an amount as ranges.

        Other kinds are not looked for, so that asking for a few costs less than asking for all.
        """
        from carril.engine.play import options

        return options(self, kinds)

    def kinds(self) -> Kinds:
        """Return the kinds of actions that can be legal now; there may be no option of a kind."""
        from carril.engine.play import kinds

        return kinds(self)

    def refusal(self, action: Action) -> Refusal | None:
        """Return why an action is refused, or None if it is legal."""
        from carril.engine.play import refusal

        return refusal(self, action)

    def apply(self, action: Action) -> Outcome:
        """Return the next state and what happened; raise IllegalAction if refused."""
        from carril.engine.play import apply

        return apply(self, action)
