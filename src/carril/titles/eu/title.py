"""18EU as a value: its tables, its rounds, the turn of a company, its end."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from carril.engine.market import Grid, price
from carril.engine.move import Move
from carril.engine.opening import first_position
from carril.engine.play import begin_round, end_game
from carril.engine.refusals import BadRecord
from carril.engine.registry import register
from carril.engine.shares import next_player
from carril.engine.state import Conventions, Round, Setup, State
from carril.engine.step import Step
from carril.engine.steps.auction import Auction
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.earnings import EarningsRules
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.stock import StockRound
from carril.engine.steps.track import LayTrack, TrackRules
from carril.engine.steps.trains import BuyTrains, TrainOffer
from carril.engine.tables import Tables, load_tables
from carril.engine.title import Title
from carril.engine.trains import phase_def
from carril.engine.worth import cash_and_shares
from carril.titles.eu.changes import CHANGES
from carril.titles.eu.cites import CITES
from carril.titles.eu.common import (
    EUState,
    certificates,
    conventions,
    discards_due,
    eu,
    order,
)
from carril.titles.eu.consent import Consent, ask_consent
from carril.titles.eu.conventions import PRESETS, EUConventions
from carril.titles.eu.emergency import EMERGENCY
from carril.titles.eu.exchange import FinalExchange
from carril.titles.eu.export import EUWriter
from carril.titles.eu.figures import EUFigures, figures
from carril.titles.eu.mountains import before_lay, cost
from carril.titles.eu.online import EUReader
from carril.titles.eu.running import RUN
from carril.titles.eu.sale import AUCTION
from carril.titles.eu.stock import STOCK
from carril.titles.eu.trains import DISCARDS, TRAINS, NoteRoute, PullmanChoice

TABLES = load_tables("carril.titles.eu", EUFigures)


def begin(setup: Setup, tables: Tables) -> State:
    """Set up the game (EU-1.2)."""
    first = first_position(setup, tables, Round("Sale"), lambda player: Auction(player, player))
    return replace(first, extra=EUState())


def market(tables: Tables, conventions: Conventions) -> Grid:
    """Return the grid; the space after 200 is a matter of convention (A-1, G-26)."""
    assert isinstance(conventions, EUConventions)
    cells = tables.market["conventions"]["18xx.games"]["cells"]
    rows = [list(row) for row in tables.rows]
    for cell in cells:
        rows[cell["row"]][cell["column"]] = conventions.price_after_200
    return Grid(tuple(tuple(row) for row in rows))


def turn(state: State, company: str) -> tuple[Step, ...]:
    """Return the steps of a company's turn, the first one last (EU-4.4-f, -g)."""
    charter = state.companies[company]
    agreed = conventions(state)
    minor = charter.kind == "minor"
    lays = figures(state).tile_lays
    first_round = state.round.turn == 1 and state.round.number == 1
    allowed = lays["minor_first_round" if minor and first_round else charter.kind]
    noted = agreed.train_only_with_route and not minor
    notes = (NoteRoute(company),) if noted else ()
    steps: list[Step] = [*notes]
    steps.append(LayTrack(company, allowed.yellow, allowed.upgrades, allowed.together))
    if not minor:
        steps.append(PlaceStation(company))
    steps += [*notes, RunStep(company)]
    if agreed.free_pullman_discard:
        steps.append(PullmanChoice(company))
    steps.append(BuyTrains(company, began_with=charter.trains))
    if not minor:
        redeem = charter.operated or agreed.first_turn_redeem
        steps.append(DealStock(company, charter.operated, redeem, one_deal=agreed.one_stock_deal))
    steps.append(EndTurn(company))
    return tuple(reversed(steps))


def after_turn(move: Move) -> None:
    """Ask for discards that 18xx.games leaves until the end of the turn (G-4)."""
    if not conventions(move.state).phase_discards_at_once:
        move.push(*discards_due(move.state, fixed=True))


def next_round(move: Move) -> None:
    """Begin the next round: ISR, OR, OR, then SR, OR, OR again and again (EU-4-a)."""
    now = move.state.round
    rounds = phase_def(move.state).operating_rounds
    if now.kind in ("Sale", "SR"):
        begin_round(move, Round("OR", now.turn, 1), OperatingRound())
    elif now.kind == "OR" and now.number < rounds:
        begin_round(move, Round("OR", now.turn, now.number + 1), OperatingRound())
    elif now.kind == "OR" and move.state.broken:
        end_game(move, "bank")  # EU-5-a, A-35
    elif now.kind == "OR" and eu(move.state).exchange == "due":
        begin_round(move, Round("FER", now.turn), FinalExchange(_exchange_first(move.state)))
    else:
        begin_round(move, Round("SR", now.turn + 1), StockRound(_solvent(move.state)))


def _exchange_first(state: State) -> str:
    """Return the president of the company that began phase 5 (A-33); or who led it then (G-30)."""
    first = buyer = eu(state).exchange_first
    company = state.companies.get(eu(state).exchange_company)
    if company and not conventions(state).exchange_starts_with_buyer:
        first = company.owner
    gone = not first or state.players[first].bankrupt
    return next_player(state, buyer) if gone else first


def _solvent(state: State) -> str:
    first = state.priority
    return next_player(state, first) if state.players[first].bankrupt else first


def may_stop(state: State) -> str:
    """Return the reason to end the game when only one player is solvent (EU-5-e)."""
    solvent = [player for player in state.players.values() if not player.bankrupt]
    return "bankruptcy" if len(solvent) == 1 else ""


def price_steps(state: State, company: str, dividend: int) -> int:
    """Return -1 without a dividend, 1 for one of at least the price, otherwise 0 (EU-3.2)."""
    if not dividend:
        return -1
    return 1 if dividend >= price(state, company) else 0


def import_variants(names: Sequence[str]) -> tuple[str, ...]:
    """Return our variants for the optional rules of a record."""
    known = {row.import_name: name for name, row in TABLES.variants.items()}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise BadRecord(f"optional rules that are not known here: {', '.join(unknown)}")
    return tuple(known[name] for name in names)


EU = Title(
    name="18EU",
    place=1,
    tables=TABLES,
    conventions=PRESETS,
    cites=CITES,
    begin=begin,
    market=market,
    order=order,
    turn=turn,
    next_round=next_round,
    stock=STOCK,
    auction=AUCTION,
    certificates=certificates,
    worth=cash_and_shares,  # minors are worth nothing (EU-5-c, -d)
    may_stop=may_stop,
    trains=TRAINS,
    emergency=EMERGENCY,
    discards=DISCARDS,
    import_variants=import_variants,
    online=EUReader,
    export=EUWriter,
    track=TrackRules(cost=cost, ask_first=ask_consent, before_lay=before_lay),
    run=RUN,
    questions=(TrainOffer, Consent),
    earnings=EarningsRules(choices=("full", "half", "withhold"), price_steps=price_steps),
    after_turn=after_turn,
    changes=CHANGES,
)

register(EU)
