"""The train shelf, the phases and the tile tray."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from carril.draw import draw_tile
from carril.draw.map_key import MapKey
from carril.engine.network import supply
from carril.engine.state import State
from carril.engine.tables import PhaseDef, Tables, TrainDef
from carril.engine.tile import Tile, city_map, next_colour, turned
from carril.engine.trains import COUPLED, stack_top
from carril.page.assets import remembered
from carril.page.words import Words


def shelf(state: State, words: Words) -> dict[str, Any]:
    """Return the trains with how many are left, who owns them and what rusts them."""
    top = stack_top(state)
    return {
        "trains": [_train(state, words, train, top) for train in state.tables.trains.values()],
        "pool": state.depot.pool,
        "phases": _phases(state, words),
        "notes": _notes(state, words),
    }


def _notes(state: State, words: Words) -> list[str]:
    """Return what else lies with the trains: cards to be recycled, tenders."""
    found = []
    cards = {**remembered(state, "scrap", {})}
    for card, count in remembered(state, "exported", {}).items():
        cards[card] = cards.get(card, 0) + count
    if told := ", ".join(f"{count} × {card}" for card, count in cards.items() if count):  # noqa: RUF001
        found.append(words.say("shelf.recyclable", cards=told))
    if left := remembered(state, "tenders_pool", 0):
        found.append(words.say("shelf.tenders", count=left))
    return found


def _event(state: State, words: Words, phase: PhaseDef) -> str:
    """Return what a phase brings; where the editions differ, in this one."""
    if phase.event:
        return words.name("shelf", phase.event)
    key = f"phase.{state.setup.title}-{phase.name}"
    own = f"{key}-{state.setup.edition}"
    return words.say(own) if words.has(own) else words.say(key) if words.has(key) else ""


def _train(state: State, words: Words, train: TrainDef, top: str) -> dict[str, Any]:
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
        "next": top in (train.name, train.card),
        "owners": owners,
        "pool": state.depot.pool.count(train.name),
        "reach": " + ".join(_reach(words, d.stops, d.count) for d in train.distance),
        "gone": not state.depot.left.get(train.card or train.name) and not owners,
    }


def _reach(words: Words, stops: tuple[str, ...], count: int) -> str:
    names = "/".join(words.name("stop", stop).lower() for stop in stops)
    return f"{'∞' if count < 0 else count} {names}"


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
            "limits": phase.train_limit,
            "rounds": phase.operating_rounds,
            "rusts": rusts.get(phase.name, []),
            "event": _event(state, words, phase),
            "now": number == at,
            "past": number < at,
        }
        for number, phase in enumerate(state.tables.phases)
    ]


def tray(state: State) -> list[dict[str, Any]]:
    """Return every tile with its picture, how many are left and what may replace it."""
    tables = state.tables
    left = supply(tables, state.board)
    pictures, upgrades = _pictures(tables), _upgrades(tables)
    return [
        {
            "number": number,
            "colour": tile.colour,
            "left": left[number],
            "count": tile.count,
            "svg": pictures[number],
            "upgrades": upgrades[number],
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


def _upgrades(tables: Tables) -> dict[str, list[str]]:
    return _made_upgrades(MapKey(tables))


@lru_cache(maxsize=8)
def _made_upgrades(kept: MapKey) -> dict[str, list[str]]:
    """Which tiles can replace each: the next colour, the same kind and label, track kept."""
    tiles = kept.tables.tiles
    return {
        number: [other for other, new in tiles.items() if _replaces(tile, new)]
        for number, tile in tiles.items()
    }


def _replaces(old: Tile, new: Tile) -> bool:
    if new.colour != next_colour(old.colour) or new.kind != old.kind or new.label != old.label:
        return False
    return any(city_map(old, turned(new, turn)) is not None for turn in range(6))
