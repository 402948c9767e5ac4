"""Random positions on the real map of 18Cuba, from a few hexes to the whole island."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import Random

from msgspec.structs import replace

from carril import start
from carril.engine.board import Board, tile_at
from carril.engine.runs import RunProblem
from carril.engine.state import State
from carril.engine.steps.running import run_problem
from carril.engine.tables import Tables
from carril.engine.tile import STOP, Tile, turned
from carril.titles.cuba.common import MAJOR, MINOR, central, cuba
from carril.titles.cuba.figures import figures

PHASES = ("1", "3", "5", "7")
COLOURS = ("yellow", "green", "brown", "grey")
TRAINS = (("2",), ("2", "3", "3+", "4", "4+"), ("5", "5+", "4+", "4"), ("6", "6+", "8", "4D", "5"))
"""Trains of majors by colour."""
NARROW = (("2n",), ("2n", "3n", "4n"), ("3-1n", "4n", "5n"), ("4-1n", "5n"))
HALVES = ((4, ()), (4, ()), (2, ("easy", "east")), (2, ("easy", "west")))
Laid = dict[str, tuple[str, int]]


@lru_cache(maxsize=256)
def late_position(seed: int, stage: int = 3) -> tuple[State, str]:
    """Return the whole island with tiles up to a colour, all markers down, and a major to run.

    Of four positions it is the one in which the major reaches most.
    """
    drawn = (_position(Random(f"late {seed} {number}"), stage, None, 0) for number in range(4))
    return max(drawn, key=lambda found: len(run_problem(*found).pieces))


def small_problem(draw: Random) -> RunProblem:
    """Return a few hexes around a city of the whole map or of one half, with any company."""
    state, company = _position(draw, draw.randrange(4), draw.randint(5, 11), draw.randrange(4))
    return run_problem(state, company)


def late_problem(seed: int, stage: int = 3) -> RunProblem:
    """Return the problem of a major on the whole island."""
    return run_problem(*late_position(seed, stage))


def _position(draw: Random, stage: int, size: int | None, half: int) -> tuple[State, str]:
    players, variants = HALVES[half]
    names = ["Ana", "Ben", "Cleo", "Dan"][:players]
    state = start("18Cuba", names, seed=draw.randrange(99), variants=variants)
    kinds = {
        kind: [c for c in state.companies.values() if c.kind == kind] for kind in (MINOR, MAJOR)
    }
    minors = draw.sample([c.symbol for c in kinds[MINOR]], draw.randint(2, 6))
    majors = [c.symbol for c in kinds[MAJOR] if not c.closed]
    homes = dict(zip(_mill_homes(state.tables, draw), minors, strict=False))
    laid = _tiles(state.tables, draw, stage, size, homes)
    state = replace(state, phase=PHASES[stage], board=Board(laid, {}))
    mills = [minor for name, minor in homes.items() if name in laid]
    runs_narrow = size is not None and mills and draw.randrange(3) == 0
    company = draw.choice(mills if runs_narrow else majors)
    rivals = [symbol for symbol in majors if symbol != company]
    state = _with_tokens(state, draw, homes, company, rivals)
    return _with_charter(state, draw, stage, company, list(homes.values())), company


def _mill_homes(tables: Tables, draw: Random) -> list[str]:
    homes = [
        name
        for name, place in tables.hexes.items()
        if place.print.cities and not place.print.label and place.print.colour == "white"
    ]
    draw.shuffle(homes)
    return homes


# --- tiles ---------------------------------------------------------------------------------


def _tiles(
    tables: Tables, draw: Random, stage: int, size: int | None, homes: dict[str, str]
) -> Laid:
    left = {number: tile.count for number, tile in tables.tiles.items()}
    laid: Laid = {}
    for name in _area(tables, draw, size, homes):
        cane = tables.hexes[name].terrain == "cane" and draw.randrange(2) == 0
        fitting = [
            number
            for number, tile in tables.tiles.items()
            if left[number] > 0
            and _suits(tables, name, tile, stage, name in homes)
            and (not cane or tile.stops)
        ]
        newest = max((COLOURS.index(tables.tiles[n].colour) for n in fitting), default=-1)
        choices = [
            n
            for n in fitting
            if COLOURS.index(tables.tiles[n].colour) == newest or draw.randrange(4) == 0
        ]
        if not choices:
            continue
        number = draw.choice(choices)
        for face in (number, tables.tiles[number].back):
            if face:
                left[face] -= 1
        laid[name] = (number, draw.randrange(6))
    _join(tables, laid, draw)
    return laid


def _area(tables: Tables, draw: Random, size: int | None, homes: dict[str, str]) -> list[str]:
    """Return hexes for tiles in random order; a small area grows from a city."""
    land = [n for n, place in tables.hexes.items() if place.print.colour in ("white", "yellow")]
    if size is None:
        draw.shuffle(land)
        return land
    found = [draw.choice(list(homes))]
    while len(found) < size:
        near = {
            other
            for name in found
            for other in tables.hexes[name].neighbours
            if other in land and other not in found
        }
        found.append(draw.choice(sorted(near)))
    return found


def _suits(tables: Tables, name: str, tile: Tile, stage: int, is_mill: bool) -> bool:
    place = tables.hexes[name]
    if COLOURS.index(tile.colour) > stage or tile.label != place.print.label:
        return False
    narrow = any(path.gauge == "narrow" for path in tile.paths)
    if place.print.cities:
        return bool(tile.cities) and narrow == is_mill
    if tile.cities:
        return False
    return place.terrain == "cane" or not tile.stops


def _exits(tile: Tile) -> dict[int, str]:
    return {end: path.gauge for path in tile.paths for end in (path.a, path.b) if end < 6}


def _join(tables: Tables, laid: Laid, draw: Random) -> None:
    """Turn tiles one at a time so that track joins track of its gauge."""
    for _ in range(5):
        names = sorted(laid)
        draw.shuffle(names)
        for name in names:
            number = laid[name][0]
            scores = [
                (_joined(tables, laid, name, turned(tables.tiles[number], turn)), -turn)
                for turn in range(6)
            ]
            laid[name] = (number, -max(scores)[1])


def _joined(tables: Tables, laid: Laid, name: str, tile: Tile) -> int:
    board, score = Board(laid, {}), 0
    for edge, gauge in _exits(tile).items():
        other = tables.hexes[name].neighbours[edge]
        if not other:
            score -= 2
            continue
        across = _exits(tile_at(tables, board, other)).get((edge + 3) % 6)
        score += 2 * (across == gauge) - (across is None and other not in laid)
    return score


# --- companies -----------------------------------------------------------------------------


def _with_tokens(
    state: State, draw: Random, homes: dict[str, str], company: str, rivals: list[str]
) -> State:
    """Place mills, all markers of the state railway, and stations of majors in what is left."""
    tables, board = state.tables, state.board
    slots: dict[str, list[int]] = {}
    tokens: dict[str, list[list[str]]] = {}
    for name in tables.hexes:
        tile = tile_at(tables, board, name)
        if tile.cities and (name in board.laid or tile.paths):
            slots[name] = [stop.slots for stop in tile.stops]
            tokens[name] = [[] for _ in tile.stops]
    for name, minor in homes.items():
        if name in tokens:
            tokens[name][0].append(minor)
    own = figures(state).central
    for name in (own.first_marker.hex, *own.markers):
        if name in tokens:
            city = _city_of(tile_at(tables, board, name), 4) if len(tokens[name]) > 1 else 0
            tokens[name][city].append(central(state))
    if state.companies[company].kind == MAJOR:
        _settle(draw, tokens, slots, board.laid, company)
    for rival in rivals:
        _settle(draw, tokens, slots, board.laid, rival)
    placed = {name: tuple(map(tuple, cities)) for name, cities in tokens.items()}
    return replace(state, board=replace(board, tokens=placed))


def _city_of(tile: Tile, edge: int) -> int:
    return next(path.b - STOP for path in tile.paths if path.a == edge and path.b >= STOP)


def _settle(
    draw: Random,
    tokens: dict[str, list[list[str]]],
    slots: dict[str, list[int]],
    laid: Mapping[str, tuple[str, int]],
    company: str,
) -> None:
    """Place up to four stations, one in a hex, on laid tiles first."""
    count = draw.randint(1, 4)
    names = sorted(tokens)
    draw.shuffle(names)
    for name in sorted(names, key=lambda name: name not in laid):
        free = [c for c, held in enumerate(tokens[name]) if len(held) < slots[name][c]]
        if count and free:
            tokens[name][draw.choice(free)].append(company)
            count -= 1


def _with_charter(state: State, draw: Random, stage: int, company: str, minors: list[str]) -> State:
    """Give the company trains, wagons, machines and money, and the boxes cubes."""
    major = state.companies[company].kind == MAJOR
    most = (4, 4, 2, 2)[stage] if major else 2
    trains = [
        draw.choice((TRAINS if major else NARROW)[stage]) for _ in range(draw.randint(1, most))
    ]
    if major:
        trains += [
            draw.choice(("1w", "2w", "3w")[: max(1, stage)]) for _ in range(draw.randint(0, most))
        ]
    charter = replace(
        state.companies[company], trains=tuple(trains), cash=draw.choice((0, 20, 40, 500))
    )
    extra = replace(
        cuba(state),
        cubes={minor: draw.randint(0, 3) for minor in minors},
        machines={minor: ("1",) * draw.randint(0, 2) for minor in minors},
    )
    return replace(state, companies={**state.companies, company: charter}, extra=extra)
