"""18Cuba as one value: tables, the order of rounds, the steps of a turn."""

from __future__ import annotations

from typing import cast

from msgspec.structs import replace

from carril.engine.board import Board
from carril.engine.market import Grid, Zigzag, operating_order
from carril.engine.move import Move
from carril.engine.opening import first_position
from carril.engine.play import begin_round, end_game
from carril.engine.registry import register
from carril.engine.state import (
    Company,
    Conventions,
    Marker,
    Round,
    Setup,
    State,
)
from carril.engine.step import Step
from carril.engine.steps.auction import Auction
from carril.engine.steps.dealing import DealingRules, DealStock
from carril.engine.steps.earnings import EarningsRules
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.stock import StockRound
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.engine.tables import Tables, load_tables
from carril.engine.title import Title
from carril.engine.trains import phase_def
from carril.titles.cuba.answers import ANSWERS
from carril.titles.cuba.auction import AUCTION
from carril.titles.cuba.bonuses import ASIDES, CollectMail
from carril.titles.cuba.central import CentralTurn, export
from carril.titles.cuba.cites import CITES
from carril.titles.cuba.common import CENTRAL, MAJOR, MINOR, CubaState, kind
from carril.titles.cuba.draft import DraftConcessions
from carril.titles.cuba.emergency import EMERGENCY
from carril.titles.cuba.figures import CubaFigures, Generation
from carril.titles.cuba.founding import unlock_by_treasury
from carril.titles.cuba.homes import HOME, STATION
from carril.titles.cuba.machines import BuyMachines
from carril.titles.cuba.passes import PASSES
from carril.titles.cuba.running import RUN
from carril.titles.cuba.stalemate import stalled
from carril.titles.cuba.stock import STOCK
from carril.titles.cuba.tiles import replaces
from carril.titles.cuba.track import TRACK
from carril.titles.cuba.trains import TRAINS

TABLES = load_tables("carril.titles.cuba", CubaFigures, replaces)


def begin(setup: Setup, tables: Tables) -> State:
    """Set up the game: the auction of the commissioners comes first (CUBA-III.2)."""
    own = cast(CubaFigures, tables.figures)
    first = first_position(
        setup, tables, Round("Auction"), lambda name: Auction(name, name, kind="commissioner")
    )
    extra = CubaState(
        commissioners=dict.fromkeys((one.symbol for one in own.private), ""),
        concessions=dict.fromkeys((one.symbol for one in own.concession), ""),
        machine_prices={
            name: _prices(generation) for name, generation in own.machinery.generations.items()
        },
    )
    return _with_central(_with_locked(replace(first, extra=extra), own), own)


def _with_locked(state: State, own: CubaFigures) -> State:
    """Lock the last stations of the majors (CUBA-VI.8-g)."""
    locked = len(own.stations.unlocked_at)
    majors = {
        symbol: replace(company, tokens=company.tokens - locked, locked=locked)
        for symbol, company in state.companies.items()
        if company.kind == MAJOR
    }
    return replace(state, companies={**state.companies, **majors})


def _prices(generation: Generation) -> tuple[int, ...]:
    """Return the prices of all machines of a generation, the cheapest first (G15)."""
    more = generation.count - len(generation.prices)
    return (*generation.prices, *(generation.prices[-1:] * more))


def _with_central(state: State, own: CubaFigures) -> State:
    """Put the state railway into play: price, markers, and the first of them on the map."""
    figures, hexes = own.central, state.tables.hexes
    home = figures.first_marker
    on_map = home.hex in hexes
    waiting = [at for at in figures.markers if at in hexes and hexes[at].print.cities]
    company: Company = replace(
        state.companies[figures.symbol], started=True, floated=True, tokens=len(waiting)
    )
    column = state.tables.rows[0].index(figures.price)
    cities = len(hexes[home.hex].print.cities) if on_map else 0
    circles = tuple((figures.symbol,) if city == home.city else () for city in range(cities))
    return replace(
        state,
        companies={**state.companies, figures.symbol: company},
        markers=(Marker(figures.symbol, 0, column),),
        board=Board(tokens={home.hex: circles} if on_map else {}),
    )


def market(tables: Tables, conventions: Conventions) -> Grid:
    """Return the two-row chart as one line (CUBA-IXa.1-a)."""
    return Zigzag(tables.rows)


def order(state: State) -> list[str]:
    """Minors from the lowest price, majors from the highest, then the FC (CUBA-VII.1-c to -f)."""
    found: dict[str, list[str]] = {MINOR: [], MAJOR: [], CENTRAL: []}
    for company in state.companies.values():
        if company.floated and not company.closed:
            found[company.kind].append(company.symbol)
    places = {marker.company: marker.column for marker in state.markers}
    piles = [marker.company for marker in state.markers]
    minors = sorted(found[MINOR], key=lambda symbol: (places[symbol], piles.index(symbol)))
    return [*minors, *operating_order(state, found[MAJOR]), *found[CENTRAL]]


def turn(state: State, company: str) -> tuple[Step, ...]:
    """Return the steps of a company's turn, the first one last (CUBA-VII.3.1-a)."""
    if kind(state, company) == CENTRAL:
        return (EndTurn(company), CentralTurn(company))
    minor, first = kind(state, company) == MINOR, not state.companies[company].operated
    steps: list[Step] = [
        CollectMail(company),
        *((PlaceHome(company),) if first else ()),
        DealStock(company, one_deal=True, most=1),
        LayTrack(company),
        *(() if minor else (PlaceStation(company),)),
        RunStep(company),
        BuyTrains(company),
        *((BuyMachines(company),) if minor else ()),
        EndTurn(company),
    ]
    return tuple(reversed(steps))


def next_round(move: Move) -> None:
    """Begin what follows: auction, draft, then stock rounds and sets of operating rounds."""
    now, state = move.state.round, move.state
    if now.kind == "Auction":
        begin_round(move, Round("Draft"), DraftConcessions(state.priority))
    elif now.kind == "Draft":
        begin_round(move, Round("SR", 1), StockRound(state.priority))
    elif now.kind == "SR":
        rounds = phase_def(state).operating_rounds
        begin_round(move, Round("OR", now.turn, 1, rounds), OperatingRound())
    elif now.number < now.of:
        begin_round(move, Round("OR", now.turn, now.number + 1, now.of), OperatingRound())
    elif state.broken:  # CUBA-IXb.1-b, -c: the set in which, or before which, the bank broke
        end_game(move, "bank")
    elif stalled(state):
        end_game(move, "stalemate")
    else:
        move.push(BeginStockRound())
        export(move)


class BeginStockRound(Step, tag="begin-stock-round", frozen=True):
    """The stock round after a set: it waits for discards that an export leads to."""

    def settle(self, move: Move) -> bool:
        """Begin the round."""
        move.pop()
        state = move.state
        begin_round(move, Round("SR", state.round.turn + 1), StockRound(state.priority))
        return True


CUBA = Title(
    name="18Cuba",
    place=3,
    tables=TABLES,
    cites=CITES,
    begin=begin,
    market=market,
    order=order,
    turn=turn,
    next_round=next_round,
    stock=STOCK,
    auction=AUCTION,
    asides=ASIDES,
    trains=TRAINS,
    emergency=EMERGENCY,
    dealing=DealingRules(after_issue=unlock_by_treasury),
    run=RUN,
    answers=ANSWERS,
    home=HOME,
    track=TRACK,
    station=STATION,
    passes=PASSES,
    earnings=EarningsRules(owner_choices=("full", "withhold")),
)

register(CUBA)
