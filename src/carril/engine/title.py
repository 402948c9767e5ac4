"""A title: tables, steps and a few rule functions, as one value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from carril.engine.answers import DEFAULT_ANSWERS, Answers
from carril.engine.asides import Aside
from carril.engine.market import Grid, floated_by_price
from carril.engine.move import Move
from carril.engine.passes import PassRules
from carril.engine.rule_changes import RuleChange, versions
from carril.engine.runs import RunProblem
from carril.engine.shares import share_certificates
from carril.engine.state import Company, Conventions, RulebookOnly, Setup, State
from carril.engine.step import Step
from carril.engine.steps.auction import AuctionRules
from carril.engine.steps.dealing import DealingRules
from carril.engine.steps.discards import DiscardRules
from carril.engine.steps.earnings import EarningsRules
from carril.engine.steps.emergency import EmergencyRules
from carril.engine.steps.home import HomeRules
from carril.engine.steps.question import Question
from carril.engine.steps.running import RunRules, run_problem
from carril.engine.steps.station import StationRules
from carril.engine.steps.stock_rules import StockRules
from carril.engine.steps.track import TrackRules
from carril.engine.steps.train_rules import TrainRules
from carril.engine.steps.trains import TrainOffer
from carril.engine.tables import Tables
from carril.engine.worth import cash_and_shares


def plain_market(tables: Tables, conventions: Conventions) -> Grid:
    """Return the grid of the market table."""
    return Grid(tables.rows)


@dataclass(frozen=True, slots=True)
class Title:
    """What the engine needs to know of a game.

    The first fields must be given; the others have defaults for a title without special rules.
    """

    name: str
    tables: Tables
    """The tables of the first set-up; a rule reads those of its game, `state.tables`."""
    begin: Callable[[Setup, Tables], State]
    """Return the position before the first action, from the tables of the set-up."""
    turn: Callable[[State, str], tuple[Step, ...]]
    """The steps of a company's turn, the first one last, as they go on the agenda."""
    next_round: Callable[[Move], None]
    """Begin what follows when a round is over, or end the game."""
    place: int = 100
    """Where it is listed: titles with lower numbers first."""
    cites: Mapping[str, str] = field(default_factory=dict)
    """The rule of the ledger for each code of a refusal."""
    conventions: Mapping[str, Conventions] = field(
        default_factory=lambda: {"rulebook": RulebookOnly()}
    )
    """The conventions by name; "rulebook" is the default."""
    market: Callable[[Tables, Conventions], Grid] = plain_market
    order: Callable[[State], list[str]] = floated_by_price
    """The companies that operate, in their order at present."""
    certificates: Callable[[State, str], int] = share_certificates
    """How many certificates of a player count against the limit."""
    worth: Callable[[State, str], int] = cash_and_shares
    """A player's present worth."""
    may_stop: Callable[[State], str] = lambda state: ""
    """The reason why the game ends at once, "" if it goes on; asked after every action."""
    run: RunRules = field(default_factory=RunRules)
    """What companies run on, with which trains, and what is required of a run."""
    trains: TrainRules = field(default_factory=TrainRules)
    """How companies buy trains."""
    emergency: EmergencyRules = field(default_factory=EmergencyRules)
    """How money is raised for a train that a company must buy and cannot pay for."""
    discards: DiscardRules = field(default_factory=DiscardRules)
    """How trains above the limit are given up."""
    stock: StockRules = field(default_factory=StockRules)
    auction: AuctionRules = field(default_factory=AuctionRules)
    after_turn: Callable[[Move], None] = lambda move: None
    """What else happens at the end of a company's turn."""
    track: TrackRules = field(default_factory=TrackRules)
    station: StationRules = field(default_factory=StationRules)
    home: HomeRules = field(default_factory=HomeRules)
    """Where companies without a printed home begin."""
    passes: PassRules | None = None
    """How companies pay to pass the tokens of others, for track and for stations."""
    earnings: EarningsRules = field(default_factory=EarningsRules)
    dealing: DealingRules = field(default_factory=DealingRules)
    """What follows when a company deals in its own stock."""
    online: Callable[[State, Mapping[object, str]], Any] | None = None
    """How its records of 18xx.games are read; None if they are not."""
    export: Callable[[State, Mapping[str, int]], Any] | None = None
    """How its games are written as records of 18xx.games, from the first position on."""
    import_variants: Callable[[Sequence[str]], tuple[str, ...]] = lambda names: tuple(names)
    """Our variants for the optional rules of a record."""
    import_conventions: Callable[[Sequence[Mapping[str, Any]]], Conventions] | None = None
    """The conventions of a record, by its live actions; "18xx.games" if None."""
    succession: Callable[[State, Company], list[str]] | None = None
    """The order in which equal holders come to the presidency; after the president if None."""
    tie_break: Callable[[State, str], tuple[int, ...]] = lambda state, player: ()
    """What ranks players of equal worth, the lowest first; equal ones share their place."""
    answers: Answers = DEFAULT_ANSWERS
    """What it answers about a position, for the page, the pictures and the bots."""
    asides: tuple[Aside, ...] = ()
    """Actions that can be taken at any moment, in addition to the decision that is due."""
    questions: tuple[type[Question], ...] = (TrainOffer,)
    """The kinds of offers and requests that players answer with yes or no."""
    editions: tuple[str, ...] = ()
    """The editions of its rulebook, the default first; () if there is one."""
    changes: tuple[RuleChange, ...] = ()
    """The corrections of its rules in the order of their versions."""

    @property
    def version(self) -> str:
        """The newest version of its rules; new games are played by it."""
        return versions(self)[-1]

    def run_problem(self, state: State, company: str) -> RunProblem:
        """Return a company's trains and what they can reach, for the route solver."""
        return run_problem(state, company)
