"""Reading games recorded by 18xx.games: what titles share.

A recorded action names certificates, trains and tiles by serial numbers. The reader keeps track
of those, finds the decision that an action answers, and plays it in our own terms. Where the
other program passed over a decision silently, the reader declines it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import to_builtins

from carril.engine.actions import Accept, Action, Decline, Pass, RunTrains, convert_action
from carril.engine.play import adjourn, apply, refusal
from carril.engine.refusals import BadRecord
from carril.engine.state import POOL, Round, State
from carril.engine.steps.operating import EndTurn
from carril.engine.steps.running import RunStep, can_run
from carril.engine.trains import STACK, card_of, stack_top
from carril.titles.serials import TrainSerials

Recorded = Mapping[str, Any]

# Actions that leave the game as it is.
SILENT = ("message", "log")

# So many decisions in a row may be declined silently before a record is called unreadable.
_PATIENCE = 60


class Reader:
    """Plays recorded actions on a state; a title adds what its actions mean."""

    def __init__(self, state: State, players: Mapping[object, str]) -> None:
        """Begin at a state; `players` gives the name for each id in the file."""
        self.state = state
        self.players = players
        self.findings: list[str] = []
        """Where the record and our own reckoning differ, in words."""
        self.played: list[Action] = []
        """Our own actions, as they were played."""
        self.fillers = 0
        """How many decisions were declined that the record passes over, empty runs aside."""
        self.tiles: dict[str, str] = {}
        """Where each copy of a tile lies."""
        self.trains = TrainSerials()
        """The owners of the trains that have left the supply."""
        tables = state.tables
        self.symbols = {c.import_symbol: c.symbol for c in tables.companies.values()}

    # --- to be said by the title ---------------------------------------------------------

    def answers(self, record: Recorded) -> bool:
        """Return whether the decision that is due is the one this action answers."""
        raise NotImplementedError

    def read(self, record: Recorded) -> None:
        """Play one recorded action; the decision that it answers is due."""
        raise NotImplementedError

    # --- playing -------------------------------------------------------------------------

    def play(self, action: Action) -> None:
        """Apply one action of our own; a file may have given it values of any type."""
        action = convert_action(to_builtins(action))
        self.state = apply(self.state, action).state
        self.played.append(action)

    def take(self, record: Recorded) -> None:
        """Play a recorded action and those carried out with it."""
        kind = record["type"]
        if kind == "end_game":
            self.state = adjourn(self.state).state
        elif kind not in SILENT and not kind.startswith("program_"):
            self.fast_forward(record)
            if self.state.agenda and self.answers(record):
                self.read(record)
                self.trains.follow(self.state)
            elif kind != "pass":
                raise BadRecord(f"nothing to answer with {kind} by {record.get('entity')}")
        for following in record.get("auto_actions", ()):
            self.take(following)

    def fast_forward(self, record: Recorded) -> None:
        """Decline what the record passes over before this action.

        If that leads to nothing that it answers, nothing is declined: a pass is then itself passed
        over, since we had no decision there.
        """
        if record["type"] in ("end_game", *SILENT) or record["type"].startswith("program_"):
            return
        before, fillers, played = self.state, self.fillers, len(self.played)
        if not self._find_answered(record):
            self.state, self.fillers = before, fillers
            del self.played[played:]

    def _find_answered(self, record: Recorded) -> bool:
        """Decline decisions until one is due that an action answers; return whether one is found.

        In the turn of the company that acts, the search ends with that turn.
        """
        turn: Round | None = None
        for _ in range(_PATIENCE):
            if not self.state.agenda:
                return True
            if turn and turn != self._own_turn(record):
                return False
            if self.answers(record):
                return True
            turn = turn or self._own_turn(record)
            filler = self.filler(record)
            if filler is None:
                return False
            self.play(filler)
            self.trains.follow(self.state)
            self.fillers += not isinstance(filler, RunTrains)
        return False

    def _own_turn(self, record: Recorded) -> Round | None:
        """Return the round if this is the turn of the company that acts, otherwise None."""
        if record.get("entity_type") == "player":
            return None
        company = self.entity(record)
        own = any(isinstance(s, EndTurn) and s.company == company for s in self.state.agenda)
        return self.state.round if own else None

    def filler(self, record: Recorded) -> Action | None:
        """Return how the decision that is due is declined, or None if it cannot be.

        A run is filled in only where there is no route: all others are on record.
        """
        step = self.state.step
        if isinstance(step, RunStep):
            return None if can_run(self.state, step.company) else RunTrains()
        offer = Accept() if self.is_offer() else Decline()
        for action in (Pass(), offer):
            if refusal(self.state, action) is None:
                return action
        return None

    def is_offer(self) -> bool:
        """Return whether the decision is an offer between players: on record, it was accepted."""
        return False

    def shown_trains(self, company: str) -> list[str]:
        """Return a company's trains by the names they have in a record."""
        return list(self.state.companies[company].trains)

    def train_source(self, serial: str) -> str:
        """Return where a train is bought; the position counts more than the serial numbers."""
        name, owner = self.trains.name(serial), self.trains.owner(serial)
        if owner:
            return owner
        if card_of(self.state, name) == stack_top(self.state):
            return STACK
        return POOL if name in self.state.depot.pool else STACK

    # --- names ---------------------------------------------------------------------------

    def company(self, symbol: str) -> str:
        """Return our symbol of a company."""
        try:
            return self.symbols[str(symbol)]
        except KeyError:
            raise BadRecord(f"unknown company {symbol!r}") from None

    def player(self, number: object) -> str:
        """Return the name of a player by the id in the file."""
        try:
            return self.players[number]
        except KeyError:
            raise BadRecord(f"unknown player {number!r}") from None

    def entity(self, record: Recorded) -> str:
        """Return our name of whoever acts."""
        if record.get("entity_type") == "player":
            return self.player(record["entity"])
        return self.company(record["entity"])

    def place(self, city: str) -> tuple[str, int]:
        """Return hex and city of a city id: the id of a tile copy and an index."""
        tile, _, index = city.rpartition("-")
        hex_id = self.tiles.get(tile) or tile.rpartition("-")[0]
        if hex_id not in self.state.tables.hexes:
            raise BadRecord(f"unknown city {city!r}")
        return hex_id, int(index)


MakeReader = Callable[[State, Mapping[object, str]], Reader]
