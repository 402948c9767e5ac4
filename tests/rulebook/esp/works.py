"""Companies of 18ESP at work: a turn begun, with track and stations put on the map by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carril.engine.actions import RunTrains
from carril.engine.runs import Route, Run, check, value
from carril.engine.state import State
from carril.engine.steps.running import RunStep, run_problem
from tests.rulebook.esp.positions import extra, game, major, memory, minor, operate
from tests.table import at, cash, phase, tiles, tokens

Tiles = Mapping[str, tuple[str, int]]
Stations = Mapping[str, tuple[tuple[str, ...], ...]]

OPEN: tuple[tuple[str, ...], ...] = ((),)
"""The circles of an open pass without stations."""

HOMES: Stations = {
    "FdSB": (("FdSB",),),
    "FdLR": (("FdLR",),),
    "CFLG": (("CFLG",),),
    "CFEA": (("CFEA",), ()),
    "N": ((), ("N",), ()),
    "MZA": ((), (), ("MZA",)),
    "MCP": (("MCP",), (), ()),
    "ZPB": ((), ("ZPB",)),
    "CRB": (("CRB",),),
    "MS": (("MS",),),
    "CM": (("CM",),),
    "MZ": ((), (), ("MZ",)),
    "MH": (("MH",),),
    "SC": (("SC",), ()),
}

BILBAO: Tiles = {"J4": ("73", 5), "J6": ("74", 1)}
"""Santander, Laredo, Bilbao, Balmaseda: two towns and a printed city."""
ALAR_NORTH: Tiles = {"H8": ("956", 0), "H10": ("79", 0)}
"""Reinosa to the pass of Alar del Rey."""
ALAR_SOUTH: Tiles = {"E21": ("57", 0), "E19": ("L97", 0)}
"""Valladolid, Palencia and the same pass from the South."""
LANGREO: Tiles = {"E3": ("L82", 0), "E5": ("74", 0), "E7": ("L100", 0)}
"""Gijón harbour, Gijón, Siero, Langreo with its mine."""


def home_hex(state: State, symbol: str) -> str:
    """Return the hex of a company's home."""
    home = state.title.tables.companies[symbol].home
    assert home is not None
    return home.hex


def company(state: State, symbol: str, owner: str = "Ana", **more: Any) -> State:
    """Launch a company by hand with its home station on the map, one more to build."""
    if state.companies[symbol].kind == "minor":
        known = memory(state).in_play
        state = extra(state, in_play=(*known, symbol)) if symbol not in known else state
        state = minor(state, symbol, owner, **({"tokens": 0, "closed": False} | more))
    else:
        state = major(state, symbol, {owner: 5}, **({"tokens": 1} | more))
    return tokens(state, **{home_hex(state, symbol): HOMES[symbol]})


def turn(
    symbol: str,
    laid: Tiles | None = None,
    *,
    name: str = "3",
    money: int = 500,
    stations: Stations | None = None,
    edition: str = "",
    **more: Any,
) -> State:
    """Ana's company at the beginning of its turn, in this phase and with so much money."""
    state = phase(company(game(edition=edition), symbol, **more), name)
    state = tokens(tiles(state, **(laid or {})), **(stations or {}))
    return operate(cash(state, **{symbol: money}), symbol)


def path(line: str) -> tuple[str, ...]:
    """Return the places of a route written with spaces."""
    return tuple(line.split())


def run(**lines: str) -> Run:
    """Return a run: run(**{"2+3": "E1.0 E3.0"})."""
    return Run(tuple(Route(train, path(line)) for train, line in lines.items()))


def fault(state: State, symbol: str, train: str, line: str) -> str:
    """Return what is wrong with a route, or ""."""
    found = check(run_problem(state, symbol), run(**{train: line}))
    return found.code if found else ""


def worth(state: State, symbol: str, found: Run) -> tuple[int, int]:
    """Return what a legal run pays: to the dividend and to the treasury."""
    problem = run_problem(state, symbol)
    assert check(problem, found) is None
    sums = value(problem, found)
    return sums.payable, sums.treasury


def running(state: State, symbol: str) -> State:
    """Put the position to the running of this company's trains."""
    return at(state, RunStep(symbol))


def runs(found: Run) -> RunTrains:
    """Return a run as an action."""
    return RunTrains(found.routes, found.extras)
