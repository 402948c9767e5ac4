"""18ESP as a value: its set-up, its rounds, the turn of a company, its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from msgspec.structs import replace

from carril.engine.board import with_closed
from carril.engine.events import RoundBegan
from carril.engine.market import Grid, Zigzag, operating_order, price
from carril.engine.move import Move
from carril.engine.opening import first_position
from carril.engine.play import begin_round, end_game
from carril.engine.registry import register
from carril.engine.shares import players_from
from carril.engine.state import (
    IPO,
    POOL,
    Company,
    Conventions,
    Round,
    Setup,
    State,
)
from carril.engine.step import Step
from carril.engine.steps.auction import PRIVATE, Auction
from carril.engine.steps.earnings import EarningsRules
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.stock import StockRound
from carril.engine.steps.trains import BuyTrains, TrainOffer
from carril.engine.tables import HexDef, Tables, load_tables
from carril.engine.tile import Tile
from carril.engine.title import Title
from carril.engine.trains import phase_def
from carril.engine.worth import cash_and_shares
from carril.titles.esp.answers import ANSWERS
from carril.titles.esp.auction import AUCTION
from carril.titles.esp.build import Build
from carril.titles.esp.cites import CITES
from carril.titles.esp.combining import CombineStep
from carril.titles.esp.common import (
    RESERVED,
    ESPState,
    active,
    certificates,
    conventions,
    edition,
    esp,
    face_value,
    is_minor,
    order,
    pay_privates,
    region,
    set_extra,
)
from carril.titles.esp.conventions import ONLINE, PRESETS, ESPConventions
from carril.titles.esp.discards import DISCARDS
from carril.titles.esp.draws import Draw, draw_online, draw_setup
from carril.titles.esp.editions import EDITIONS, Edition
from carril.titles.esp.export import ESPWriter
from carril.titles.esp.figures import ESPFigures, figures
from carril.titles.esp.forced import EMERGENCY
from carril.titles.esp.lays import TRACK
from carril.titles.esp.loans import owed
from carril.titles.esp.online import ESPReader
from carril.titles.esp.phases import export
from carril.titles.esp.privates import ASIDES, BuyPrivates, PrivateOffer, TenderOffer
from carril.titles.esp.reservations import STATION
from carril.titles.esp.running import RUN, price_steps
from carril.titles.esp.stock import STOCK
from carril.titles.esp.takeover import TakeoverOffer, Takeovers
from carril.titles.esp.trains import TRAINS


def replaces(hex_def: HexDef, current: Tile, new: Tile) -> bool:
    """Return whether a tile is of the right sort: map, label, stops (ESP-4.2.2-k to -o).

    A mine gives way to plain track, and mine with town to a town (ESP-4.2.3-j); green OO becomes
    brown Y.
    """
    if new.side != hex_def.region or current.colour == hex_def.last_colour:
        return False
    if new.colour == "yellow":
        same_stops = sorted(s.kind for s in new.stops) == sorted(s.kind for s in current.stops)
        return new.label == current.label and same_stops
    label = "Y" if current.label == "OO" and new.colour == "brown" else current.label
    return new.label == label and new.kind == _upgrade_kind(current)


def _upgrade_kind(current: Tile) -> str:
    kinds = {stop.kind for stop in current.stops} - {"mine"}
    return next(iter(kinds)) if kinds else "plain"


TABLES = load_tables("carril.titles.esp", ESPFigures, replaces)
PRIVATES = tuple(row.symbol for row in cast(ESPFigures, TABLES.figures).private)


def begin(setup: Setup, tables: Tables) -> State:
    """Set up the game (ESP-1.5)."""
    record = EDITIONS[setup.edition or "de"]
    first = first_position(
        setup, tables, Round("Auction"), lambda player: Auction(player, player, kind=PRIVATE)
    )
    stream = first.stream
    random = "random" in setup.variants
    conventions = setup.conventions
    assert isinstance(conventions, ESPConventions)
    if conventions.drawn_by_their_seed:
        drawn = draw_online(tables, setup.seed, random)
    else:
        drawn, stream = draw_setup(tables, stream, random)
    return replace(
        first,
        companies=_companies(tables, drawn, record),
        board=with_closed(tables, first.board, _passes(tables)),
        stream=stream,
        extra=ESPState(
            in_play=drawn.companies,
            privates=dict.fromkeys(PRIVATES, ""),
            share_6=drawn.share_6,
            director_7=drawn.director_7,
            tenders_private=record.tenders_for_sale,
        ),
    )


def _passes(tables: Tables) -> list[str]:
    return [hex_id for hex_id, hex_def in tables.hexes.items() if hex_def.region == "pass"]


def _companies(tables: Tables, drawn: Draw, record: Edition) -> dict[str, Company]:
    found = {}
    for company in tables.companies.values():
        shares = {IPO: company.units}
        if record.reserved_share and company.kind == "major" and company.region == "south":
            shares = {IPO: company.units - 1, RESERVED: 1}
        southern = company.kind == "major" and company.region == "south"
        tokens = record.southern_tokens if southern else company.tokens
        found[company.symbol] = Company(
            symbol=company.symbol,
            kind=company.kind,
            shares=shares,
            closed=company.symbol not in drawn.companies,
            tokens=2 if company.kind == "major" else 1,
            locked=tokens - 2 if company.kind == "major" else 0,
        )
    return found


def market(tables: Tables, conventions: Conventions) -> Grid:
    """Return the zigzag; at its ends 18xx.games makes no half moves (G1)."""
    assert isinstance(conventions, ESPConventions)
    return Zigzag(tables.rows, conventions.price_moves_short)


def turn(state: State, company: str) -> tuple[Step, ...]:
    """Return the steps of a company's turn, the first one last (ESP-4-d)."""
    agreed = conventions(state)
    steps: list[Step] = [
        PlaceHome(company),
        Build(company),
        RunStep(company),
        Takeovers(company),
        BuyTrains(company),
    ]
    if agreed.combining_after_buying:
        steps.append(CombineStep(company))
    if agreed.privates_asked_last:
        steps.append(BuyPrivates(company))
    steps.append(EndTurn(company))
    return tuple(reversed(steps))


def after_turn(move: Move) -> None:
    """Forget declined offers: owners can be asked again in the next turn."""
    if esp(move.state).declined:
        set_extra(move, declined=())


def next_round(move: Move) -> None:
    """Begin the next round: SR and one to three ORs, until RENFE (ESP-1.3-c, -7)."""
    now, state = move.state.round, move.state
    last = figures(state).last_set.rounds
    if now.kind == "Auction":
        _begin_stock(move, 1)
    elif now.kind == "SR":
        count = last if esp(state).last_rounds == "on" else phase_def(state).operating_rounds
        _begin_operating(move, Round("OR", now.turn, 1, count))
    elif esp(state).last_rounds == "on" and now.number == last:
        end_game(move, "RENFE")
    elif now.number < now.of and esp(state).last_rounds != "due":
        _begin_operating(move, Round("OR", now.turn, now.number + 1, now.of))
    else:
        _begin_stock(move, now.turn + 1, after=export)
        if esp(move.state).last_rounds == "due":
            set_extra(move, last_rounds="on")


def _begin_stock(
    move: Move, turn_number: int, after: Callable[[Move], None] = lambda move: None
) -> None:
    """Push the stock round below what precedes it: the export, and its discards."""
    move.push(StockRound(next(iter(move.state.players))))
    after(move)
    round_ = Round("SR", turn_number)
    move.set(round=round_)
    move.tell(RoundBegan(str(round_)))


def _begin_operating(move: Move, round_: Round) -> None:
    begin_round(move, round_, OperatingRound())
    set_extra(move, resting={})
    pay_privates(move)
    names = [company.symbol for company in active(move.state)]
    set_extra(move, round_order=tuple(operating_order(move.state, names)))


def worth(state: State, player: str) -> int:
    """Return cash and shares, less debts; frozen minors count twice (ESP-7.1-a, -b).

    On 18xx.games open privates and minors count until the end of the game (G39).
    """
    total = cash_and_shares(state, player) - owed(state, player)
    companies = state.companies.values()
    minors = [c.symbol for c in companies if is_minor(state, c.symbol) and c.held(player)]
    total += sum(price(state, minor) for minor in minors)  # a second time
    if conventions(state).privates_are_worth:
        own = [private for private, owner in esp(state).privates.items() if owner == player]
        total += sum(face_value(state, private) for private in own)
    return total


def tie_break(state: State, player: str) -> tuple[int, ...]:
    """Return the order card; in EN and ES shares of the best Northern major first (E53, G38)."""
    if conventions(state).tie_shared:
        return ()
    card = list(state.players).index(player)
    if not edition(state).tie_by_shares:
        return (card,)
    priced = {marker.company for marker in state.markers}
    northern = [s for s in priced if region(state, s) == "north" and not is_minor(state, s)]
    best = operating_order(state, northern)[:1]  # of equal prices the one to operate first: A65
    return (-sum(state.companies[symbol].held(player) for symbol in best), card)


def succession(state: State, company: Company) -> list[str]:
    """Return players by order card; on 18xx.games those after the present director first."""
    if conventions(state).tie_by_card or not company.owner:
        return list(state.players)
    return players_from(state, company.owner)


def import_variants(names: Sequence[str]) -> tuple[str, ...]:
    """Return the variant "random" unless the record has the optional rule "core"."""
    return () if "core" in names else ("random",)


def import_conventions(actions: Sequence[Mapping[str, Any]]) -> ESPConventions:
    """Return the conventions of a record; older ones have no destination action (G40)."""
    kinds = {a["type"] for action in actions for a in (action, *action.get("auto_actions", ()))}
    return replace(ONLINE, destination_declared="destination_connection" in kinds)


ESP = Title(
    name="18ESP",
    place=2,
    tables=TABLES,
    conventions=PRESETS,
    cites=CITES,
    answers=ANSWERS,
    begin=begin,
    market=market,
    order=order,
    turn=turn,
    next_round=next_round,
    stock=STOCK,
    auction=AUCTION,
    certificates=certificates,
    worth=worth,
    may_stop=lambda state: "",
    track=TRACK,
    station=STATION,
    run=RUN,
    questions=(TrainOffer, PrivateOffer, TenderOffer, TakeoverOffer),
    earnings=EarningsRules(
        owner_choices=("half", "withhold"),
        paid_to_company=(POOL,),
        price_steps=price_steps,
        subsidy_waits=lambda state: conventions(state).subsidy_with_dividend,
        subsidy_reason="mines and harbours",
    ),
    trains=TRAINS,
    emergency=EMERGENCY,
    discards=DISCARDS,
    after_turn=after_turn,
    import_variants=import_variants,
    import_conventions=import_conventions,
    online=ESPReader,
    export=ESPWriter,
    succession=succession,
    tie_break=tie_break,
    asides=ASIDES,
    editions=tuple(EDITIONS),
)

register(ESP)
