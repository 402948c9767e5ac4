"""Writing games as records of 18xx.games: what titles share.

A writer follows a game action by action and returns what 18xx.games would have recorded. It has
its own bookkeeping of serial numbers and shares no code with the readers of records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from carril.engine.actions import (
    Action,
    BuyShare,
    BuyTrain,
    DeclareDividend,
    DiscardTrain,
    LayTile,
    Pass,
    RunTrains,
    SellShares,
    StartCompany,
)
from carril.engine.events import Event
from carril.engine.market import par_at
from carril.engine.runs import Route, Run, Value, value
from carril.engine.state import POOL, State
from carril.engine.trains import STACK
from carril.titles.pieces import ShareRegister, TilePieces, TrainCards

Written = dict[str, Any]
"""One recorded action."""


@dataclass(frozen=True, slots=True)
class Played:
    """One action of a game, with the positions around it and what happened."""

    before: State
    action: Action
    after: State
    events: tuple[Event, ...]


@dataclass
class Writer:
    """Writes the actions of one game; a title adds its own kinds of actions."""

    state: State
    """The first position; its companies and trains are where they begin."""
    ids: Mapping[str, int]
    """The id of each player in the file."""
    offered_at: str
    """Where all certificates are at the start."""
    shares: ShareRegister = field(init=False)
    trains: TrainCards = field(init=False)
    tiles: TilePieces = field(init=False)

    def __post_init__(self) -> None:
        """Number what there is at the start."""
        self.shares = ShareRegister(self.state, self.offered_at)
        self.trains = TrainCards(self.state)
        self.tiles = TilePieces(self.state.tables)

    # --- for a title to define -----------------------------------------------------------

    def optional_rules(self) -> list[str]:
        """Return the optional rules of the file."""
        return []

    def can_write(self, state: State, action: Action) -> bool:
        """Return whether a record can express an action that is an option now."""
        return True

    def kinds(self) -> Mapping[type[Action], Callable[[Played], list[Written]]]:
        """Return how each kind of action is written."""
        return {
            Pass: self._pass,
            StartCompany: self._par,
            BuyShare: self._buy_share,
            SellShares: self._sell_shares,
            LayTile: self._lay_tile,
            RunTrains: self._run,
            DeclareDividend: self._dividend,
            BuyTrain: self._buy_train,
            DiscardTrain: self._discard_train,
        }

    def follow(self, played: Played) -> None:
        """Bring the serial numbers up to date."""
        self.shares.follow(played.events)
        self.trains.follow(played.before, played.events, {})

    # --- writing -------------------------------------------------------------------------

    def write(self, played: Played) -> list[Written]:
        """Return what is recorded for an action: usually one recorded action."""
        written = self.kinds()[type(played.action)](played)
        self.follow(played)
        return written

    def symbol(self, company: str) -> str:
        """Return the symbol of a company in the file."""
        return self.state.tables.companies[company].import_symbol

    def entity_type(self, company: str) -> str:
        """Return what kind of entity a company is in the file."""
        return "corporation"

    def by_player(self, name: str, kind: str, /, **details: Any) -> Written:
        """Return an action of a player."""
        return {"type": kind, "entity": self.ids[name], "entity_type": "player", **details}

    def by_company(self, company: str, kind: str, /, **details: Any) -> Written:
        """Return an action of a company."""
        kind_of = self.entity_type(company)
        return {"type": kind, "entity": self.symbol(company), "entity_type": kind_of, **details}

    def acting(self, state: State, kind: str, /, **details: Any) -> Written:
        """Return an action of the company whose step is due, or else of the player."""
        if state.step.subject:
            return self.by_company(state.step.subject, kind, **details)
        return self.by_player(state.acting or "", kind, **details)

    def city(self, hex_id: str, city: int) -> str:
        """Return the id of a city."""
        return f"{self.tiles.on(hex_id)}-{city}"

    def percent(self, company: str, count: int) -> int:
        """Return a number of shares as a percentage."""
        return count * 100 // self.state.tables.companies[company].units

    # --- what titles share ---------------------------------------------------------------

    def _pass(self, played: Played) -> list[Written]:
        return [self.acting(played.before, "pass")]

    def _par(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, StartCompany)
        par = par_at(played.before, action.price)
        assert par is not None
        space = f"{par.price},{par.row},{par.column}"
        name = played.before.acting or ""
        corporation = self.symbol(action.company)
        return [self.by_player(name, "par", corporation=corporation, share_price=space)]

    def _buy_share(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, BuyShare)
        return [
            self.by_player(
                played.before.acting or "",
                "buy_shares",
                shares=self.shares.names(action.company, action.source, 1),
                percent=self.percent(action.company, 1),
            )
        ]

    def _sell_shares(self, played: Played) -> list[Written]:
        action, seller = played.action, played.before.acting or ""
        assert isinstance(action, SellShares)
        return [
            self.by_player(
                seller,
                "sell_shares",
                shares=self.shares.names(action.company, seller, action.count),
                percent=self.percent(action.company, action.count),
            )
        ]

    def _lay_tile(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, LayTile)
        piece = self.tiles.next_piece(action.hex, action.tile)
        self.tiles.lay(action.hex, piece)
        return [
            self.acting(played.before, "lay_tile", hex=action.hex, tile=piece, rotation=action.turn)
        ]

    def dividend_kind(self, kind: str) -> str:
        """Return the word of the file for a dividend."""
        return "withhold" if kind == "withhold" else "payout"

    def _dividend(self, played: Played) -> list[Written]:
        assert isinstance(played.action, DeclareDividend)
        kind = self.dividend_kind(played.action.kind)
        return [self.acting(played.before, "dividend", kind=kind)]

    def _buy_train(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, BuyTrain)
        if action.source == STACK:
            card = self.trains.top(played.before, action.train)
        else:
            card = self.trains.find(action.source, action.train)
        bank = action.source in (STACK, POOL)
        details = {"variant": action.train} if bank else {}
        return [self.acting(played.before, "buy_train", train=card, price=action.price, **details)]

    def _discard_train(self, played: Played) -> list[Written]:
        action = played.action
        assert isinstance(action, DiscardTrain)
        company = played.before.step.subject
        card = self.trains.find(company, action.train)
        return [self.by_company(company, "discard_train", train=card)]

    # --- runs ----------------------------------------------------------------------------

    def running_cards(self, state: State, company: str) -> list[tuple[str, str]]:
        """Return the cards of a company's trains that may run, each with the train's name."""
        return self.trains.owned(company)

    def _run(self, played: Played) -> list[Written]:
        action, company = played.action, played.before.step.subject
        assert isinstance(action, RunTrains)
        run = Run(action.routes, action.extras)
        problem = played.before.title.run_problem(played.before, company)
        entries = self.route_entries(played.before, company, run, value(problem, run))
        return [self.by_company(company, "run_routes", routes=entries, extra_revenue=0)]

    def route_entries(self, state: State, company: str, run: Run, worth: Value) -> list[Written]:
        """Return the entries of a run, one for each route."""
        cards = cards_for(run.routes, self.running_cards(state, company))
        return [
            self._entry(state, card, route, earned.payable, earned.treasury)
            for card, route, earned in zip(cards, run.routes, worth.routes, strict=True)
        ]

    def _entry(self, state: State, card: str, route: Route, revenue: int, subsidy: int) -> Written:
        stops = [place for place in route.path if "." in place]
        hexes = [place.partition(".")[0] for place in stops]
        return {
            "train": card,
            "connections": chains(route.path),
            "hexes": hexes,
            "revenue": revenue,
            "revenue_str": "-".join(hexes),
            "subsidy": subsidy,
            "nodes": [self.node(state, place) for place in stops],
        }

    def node(self, state: State, place: str) -> str:
        """Return the id of a stop: hex, hyphen, number."""
        return place.replace(".", "-")


def cards_for(routes: Iterable[Route], cards: list[tuple[str, str]]) -> list[str]:
    """Return a card for each route, each card once."""
    left, chosen = list(cards), []
    for route in routes:
        found = next(one for one in left if one[1] == route.train)
        left.remove(found)
        chosen.append(found[0])
    return chosen


def chains(path: tuple[str, ...]) -> list[list[str]]:
    """Return the hexes between neighbouring stops of a path, both stop hexes included.

    >>> chains(("K14.0", "K12.0", "J11", "J9.1"))
    [['K14', 'K12'], ['K12', 'J11', 'J9']]
    >>> chains(("D6.0", "D6.1"))
    [['D6 0.1']]
    """
    found: list[list[str]] = []
    start = 0
    for at, place in enumerate(path):
        if at and "." in place:
            found.append(_chain(path[start : at + 1]))
            start = at
    return found


def _chain(places: tuple[str, ...]) -> list[str]:
    hexes = [place.partition(".")[0] for place in places]
    if len(places) == 2 and hexes[0] == hexes[1]:
        first, last = (place.partition(".")[2] for place in places)
        return [f"{hexes[0]} {first}.{last}"]
    return hexes
