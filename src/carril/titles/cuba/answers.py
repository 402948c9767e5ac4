"""What 18Cuba answers about a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from carril.engine.answers import Answers, MapPiece, Note
from carril.engine.board import tile_at
from carril.engine.figures import PrivateDef
from carril.engine.refusals import Fact
from carril.engine.state import Company, State
from carril.engine.tile import COLOURS
from carril.engine.trains import phase_def
from carril.titles.cuba.common import CENTRAL, MINOR, central, cuba
from carril.titles.cuba.estimates import automatic_income, private_worth, visits
from carril.titles.cuba.figures import figures
from carril.titles.cuba.turn_report import central_turn


def privates(state: State) -> Mapping[str, str]:
    """Return commissioners, concessions and bonuses that are not placed, with their owners."""
    extra = cuba(state)
    return {**extra.commissioners, **extra.concessions, **extra.bonuses}


def private_def(state: State, symbol: str) -> PrivateDef:
    """Return a commissioner or a concession as the tables describe it."""
    own = figures(state)
    return next(one for one in (*own.private, *own.concession) if one.symbol == symbol)


def private_note(state: State, symbol: str) -> Note:
    """Return what a commissioner, a concession or its bonus brings."""
    own = figures(state)
    for commissioner in own.private:
        if commissioner.symbol == symbol:
            return Note(commissioner.note, {"funding": commissioner.funding})
    concession = next(one for one in own.concession if one.symbol == symbol)
    facts: dict[str, Fact] = {
        "cost": concession.cost,
        "credit": own.opening.credit,
        "discount": own.bonus.discount,
        "income": own.bonus.mail[phase_def(state).colour],
    }
    placed = "bonus" if symbol in cuba(state).bonuses else "concession"
    return Note(f"{placed}-{concession.bonus or 'plain'}", facts)


def charter_notes(state: State, company: Company) -> tuple[Note, ...]:
    """Return the machines and cubes of a minor, the mail, locked stations, the range of the FC."""
    if not company.started:
        return ()
    if company.kind == MINOR:
        return tuple(_mill_notes(state, company))
    if company.kind == CENTRAL:
        return tuple(_central_notes(state))
    return tuple(_major_notes(state, company))


def _mill_notes(state: State, company: Company) -> Iterator[Note]:
    extra, own = cuba(state), figures(state).machinery
    machines = extra.machines.get(company.symbol, ())
    bonus = sum(own.generations[machine].bonus for machine in machines)
    facts: dict[str, Fact] = {"count": len(machines), "limit": own.limit, "bonus": bonus}
    yield Note("machines-owned", {**facts, "generations": machines}, "machines")
    yield Note("cubes-in-box", {"count": extra.cubes.get(company.symbol, 0)}, "sugar")


def _major_notes(state: State, company: Company) -> Iterator[Note]:
    own = figures(state)
    if cuba(state).mail == company.symbol:
        yield Note("mail-pays", {"income": own.bonus.mail[phase_def(state).colour]}, "mail")
    if not company.floated:
        return
    costs = state.tables.companies[company.symbol].station_costs
    limits = own.stations.unlocked_at
    locked = list(zip(costs[1:], limits, strict=True))[len(limits) - company.locked :]
    for cost, most in locked:
        yield Note("locked-until", {"cost": cost, "percent": 10 * most}, "stations-locked")


def _central_notes(state: State) -> Iterator[Note]:
    trains = state.companies[central(state)].trains
    if trains:
        reach = state.tables.trains[trains[-1]].distance[0].count
        yield Note("newest-train", {"train": trains[-1], "count": reach}, "range")
    if waiting := _waiting(state):
        yield Note("waiting-markers", {"hexes": waiting}, "waiting")


def _waiting(state: State) -> tuple[str, ...]:
    """Return the hexes of this map where markers of the FC wait for a green tile (IV.5-c)."""
    own, tables = figures(state).central, state.tables
    first = COLOURS.index(own.markers_from)
    return tuple(
        at
        for at in own.markers
        if at in tables.hexes
        and (tile := tile_at(tables, state.board, at)).cities
        and COLOURS.index(tile.colour) < first
    )


def map_pieces(state: State) -> tuple[MapPiece, ...]:
    """Return the waiting markers of the FC, and the mills of minors with the cubes in them."""
    own = central(state)
    waiting = (MapPiece(at, "token", own, Note("marker-waits")) for at in _waiting(state))
    return (*waiting, *_mills(state))


def _mills(state: State) -> Iterator[MapPiece]:
    cubes = cuba(state).cubes
    for at, cities in state.board.tokens.items():
        for symbol in (symbol for city in cities for symbol in city):
            if symbol in state.companies and state.companies[symbol].kind == MINOR:
                count = cubes.get(symbol, 0)
                note = Note("mill-with-cubes", {"company": symbol, "count": count})
                yield MapPiece(at, "mill", symbol, note, count)


def supply_notes(state: State) -> tuple[Note, ...]:
    """Return the machines that are left with their next price, and the cubes in the supply."""
    own, extra = figures(state), cuba(state)
    found = []
    for name, generation in own.machinery.generations.items():
        prices = extra.machine_prices.get(name, ())
        facts: dict[str, Fact] = {
            "generation": name,
            "count": len(prices),
            "price": prices[0] if prices else 0,
            "phase": generation.phase,
            "bonus": generation.bonus,
        }
        found.append(Note("machines-left" if prices else "machines-gone", facts))
    left = own.sugar.cubes - sum(extra.cubes.values())
    return (*found, Note("cubes-in-supply", {"count": left}))


ANSWERS = Answers(
    exported=lambda state: 1,
    privates=privates,
    private_def=private_def,
    private_note=private_note,
    charter_notes=charter_notes,
    supply_notes=supply_notes,
    machine_generations=lambda state: tuple(figures(state).machinery.generations),
    map_pieces=map_pieces,
    private_worth=private_worth,
    automatic_income=automatic_income,
    automatic_turn=central_turn,
    visits=visits,
)
