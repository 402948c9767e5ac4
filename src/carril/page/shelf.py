"""The train shelf, the phases and the tile tray."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from carril.draw import draw_tile
from carril.draw.map_key import MapKey
from carril.engine.network import supply
from carril.engine.state import State
from carril.engine.tables import PhaseDef, Tables, TrainDef
from carril.engine.trains import COUPLED, cards_for_sale, main_train, phase_reached
from carril.engine.upgrades import upgrades
from carril.page.words import Words


def shelf(state: State, words: Words) -> dict[str, Any]:
    """Return the trains: how many are left, their owners, and what rusts them."""
    shown = set(cards_for_sale(state))
    supplies: dict[str, list[dict[str, Any]]] = {}
    for train in state.tables.trains.values():
        supplies.setdefault(train.supply, []).append(_train(state, words, train, shown))
    return {
        "supplies": [
            {"name": name, "heading": supply_name(state, words, name), "trains": trains}
            for name, trains in supplies.items()
        ],
        "pool": state.depot.pool,
        "gauges": any(train.gauge for train in state.tables.trains.values()),
        "phases": _phases(state, words),
        "notes": [words.describe(note) for note in state.title.answers.supply_notes(state)],
    }


def supply_name(state: State, words: Words, supply: str) -> str:
    """Return the name of a supply; the gauge of its trains for the one without a name."""
    gauges = {t.gauge for t in state.tables.trains.values() if t.supply == supply}
    return words.name("supply", supply or "".join(sorted(gauges)))


def train_colour(tables: Tables, train: str) -> str:
    """Return the colour of the phase that a train belongs to, "" for one that begins none.

    A combined train has the colour of its larger part, the side of a card that of its card.
    """
    known = tables.trains.get(main_train(train))
    names = {train, known.name, known.card} if known else {train}
    found = [phase.colour for phase in tables.phases if (phase.train or phase.name) in names]
    if found or known is None or not known.available_from:
        return found[0] if found else ""
    return next(p.colour for p in tables.phases if p.name == known.available_from)


def _event(state: State, words: Words, phase: PhaseDef) -> str:
    """Return what a phase brings besides trains and tiles."""
    note = state.title.answers.phase_note(state, phase)
    return words.describe(note) if note else ""


def _train(state: State, words: Words, train: TrainDef, shown: set[str]) -> dict[str, Any]:
    owners = [
        company.symbol
        for company in state.companies.values()
        for name in company.trains
        if train.name in name.split(COUPLED)
    ]
    return {
        "name": train.name,
        "price": train.price,
        "left": state.depot.left.get(train.card or train.name),
        "rusted_by": train.rusted_by,
        "ages": _ages(words, train),
        "from": train.available_from if not _available(state, train) else "",
        "next": (train.card or train.name) in shown,
        "owners": owners,
        "pool": state.depot.pool.count(train.name),
        "reach": _abilities(words, train, _every_stop(state.tables, train.gauge)),
        "gauge": words.name("gauge", train.gauge) if train.gauge else "",
        "gone": not state.depot.left.get(train.card or train.name) and not owners,
    }


def _available(state: State, train: TrainDef) -> bool:
    return not train.available_from or phase_reached(state, train.available_from)


def _ages(words: Words, train: TrainDef) -> str:
    """Return what a train turns into when it ages."""
    if not train.ages_to:
        return ""
    return words.say("shelf.ages", train=train.ages_to, phase=train.aged_by)


def _abilities(words: Words, train: TrainDef, every: frozenset[str]) -> str:
    """Return what a train or wagon can do: its reach, and what else it has."""
    found = [" + ".join(_reach(words, d.stops, d.count, every) for d in train.distance)]
    if train.factor > 1:
        found.append(words.say("shelf.doubles", factor=train.factor))
    if train.free_tolls:
        found.append(words.say("shelf.passes", count=train.free_tolls))
    if train.capacity:
        found.append(words.say("shelf.carries", count=train.capacity))
    return ", ".join(filter(None, found))


def _reach(words: Words, stops: tuple[str, ...], count: int, every: frozenset[str]) -> str:
    """Return how many stops a train visits; their kinds only where it does not visit all."""
    if every <= set(stops):
        return words.say("shelf.all-stops" if count < 0 else "shelf.any-stops", count=count)
    group = "stop" if count == 1 else "stops"
    names = [
        words.name(group, stop) if count != 1 else words.name(group, stop).lower() for stop in stops
    ]
    kinds = words.say("shelf.or").join(filter(None, (", ".join(names[:-1]), names[-1])))
    return words.say(
        "shelf.all-some" if count < 0 else "shelf.some-stops", count=count, kinds=kinds
    )


def _every_stop(tables: Tables, gauge: str) -> frozenset[str]:
    """Return all kinds of stops that trains of a gauge visit."""
    return frozenset(
        stop
        for train in tables.trains.values()
        if train.gauge == gauge
        for distance in train.distance
        for stop in distance.stops
    )


def _phases(state: State, words: Words) -> list[dict[str, Any]]:
    names = [phase.name for phase in state.tables.phases]
    at = names.index(state.phase)
    rusts: dict[str, list[str]] = {}
    for train in state.tables.trains.values():
        if train.rusted_by:
            rusts.setdefault(train.rusted_by, []).append(train.name)
    return [
        {
            "name": phase.name,
            "tiles": phase.tiles,
            "limits": _limits(state, words, phase),
            "rounds": phase.operating_rounds,
            "rusts": rusts.get(phase.name, []),
            "event": _event(state, words, phase),
            "now": number == at,
            "past": number < at,
        }
        for number, phase in enumerate(state.tables.phases)
    ]


def _limits(state: State, words: Words, phase: PhaseDef) -> list[str]:
    """Return the train limits of a phase, by kind of company and class of train."""
    limited = {c.kind for c in state.tables.companies.values() if not c.keeps_trains}
    found = []
    for kind, limit in phase.train_limit.items():
        if kind not in limited:
            continue
        if isinstance(limit, int):
            found.append(f"{kind} {limit}")
        else:
            by = (f"{most} {words.name('cards', one).lower()}" for one, most in limit.items())
            found.append(f"{kind} {' + '.join(by)}")
    return found


def tray(state: State) -> list[dict[str, Any]]:
    """Return every tile with its picture, how many are left and what may replace it."""
    tables = state.tables
    left = supply(tables, state.board)
    pictures, replaced_by = _pictures(tables), upgrades(tables)
    return [
        {
            "number": number,
            "colour": tile.colour,
            "left": left[number],
            "count": tile.count,
            "svg": pictures[number],
            "upgrades": replaced_by[number],
        }
        for number, tile in tables.tiles.items()
    ]


def _pictures(tables: Tables) -> dict[str, str]:
    return _made_pictures(MapKey(tables))


@lru_cache(maxsize=8)
def _made_pictures(kept: MapKey) -> dict[str, str]:
    orientation = kept.tables.orientation
    return {
        number: draw_tile(tile, orientation=orientation, size=72, embedded=True)
        for number, tile in kept.tables.tiles.items()
    }
