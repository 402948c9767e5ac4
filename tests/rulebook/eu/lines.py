"""Lines of track to run on, and positions inside a company's turn."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.actions import RunTrains
from carril.engine.events import Event, TrainsRun
from carril.engine.state import Conventions, State
from carril.engine.step import Step
from carril.engine.steps.earnings import Earnings as PayOut
from carril.engine.steps.running import RunStep
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import LayTrack
from carril.titles.eu.conventions import PRESETS
from tests import table

WESTERN = "A6.0 B7.0 C8.0 D7.0 D5.0 E4 F3.0 G2.0"
"""London, Lille, Brussels, Cologne, Utrecht, Bremen, Hamburg: two off-map ends, two cities."""
EASTERN = "N5.0 M6 L5.0 K6 J7.0 J9 J11.0 K12.0 K14.0 L15.0 M16.0 N17.0"
"""Warsaw, Thorn, Dresden, Prague, Brünn, Vienna, Pressburg, Budapest, Bucharest."""
EASTERN_BY_BERLIN = "N5.0 M6 L5.0 K4.0 J5.0 J7.0 J9 J11.0 K12.0 K14.0 L15.0 M16.0 N17.0"
"""The same by Stettin and Berlin."""
TO_BERLIN = "G2.0 H3 H5 I6 J5.1"
"""From Hamburg to the western circle of yellow Berlin."""


def any_legal_run() -> Conventions:
    """Return the rulebook, but for the duty to run for the best total (A-23)."""
    return replace(PRESETS["rulebook"], best_run_enforced=False)


def lenient(players: int = 4) -> State:
    """Return a game in which a legal run may be less than the best."""
    return table.game(players, conventions=any_legal_run())


def western_line(state: State) -> State:
    """Lay the western line; from Cologne (tile 14) track also leads to Dortmund."""
    return table.tiles(
        state,
        B7=("4", 2),
        C8=("202", 2),
        D7=("14", 0),
        D5=("58", 4),
        E4=("9", 1),
        F3=("4", 1),
        E6=("57", 1),
    )


def berlin_line(state: State) -> State:
    """Lay the track between Hamburg and Berlin."""
    return table.tiles(state, H3=("8", 0), H5=("8", 3), I6=("8", 2))


def eastern_line(state: State, *, by_berlin: bool = False) -> State:
    """Lay the eastern line in brown, straight to Thorn or by Berlin and Stettin."""
    state = table.tiles(
        state,
        M6=("8", 2),
        J7=("582", 0),
        J9=("9", 0),
        J11=("611", 1),
        K12=("58", 0),
        K14=("584", 0),
        L15=("4", 2),
        M16=("582", 2),
    )
    if by_berlin:
        return table.tiles(state, J5=("584", 0), K4=("58", 5), L5=("4", 2))
    return table.tiles(state, L5=("58", 5), K6=("9", 1))


def sncf(state: State, *hexes: str, trains: tuple[str, ...] = (), **more: Any) -> State:
    """Start SNCF under Ana at 100, with tokens in the first cities of these hexes."""
    shares = {"Ana": 5, "pool": 5}
    state = table.corporation(state, "SNCF", shares, trains=trains, **more)
    return table.tokens(state, **dict.fromkeys(hexes, (("SNCF",),)))


def pool(state: State, *trains: str) -> State:
    """Let the pool of trains hold just these."""
    return replace(state, depot=replace(state.depot, pool=trains))


def running(state: State, company: str) -> State:
    """Put the position at the running step of a company, in its turn."""
    return _from_step(state, company, RunStep(company))


def earning(state: State, company: str, amount: int) -> State:
    """Put the position at the dividend step of a company that has run for so much."""
    return _from_step(state, company, PayOut(company, amount))


def buying(state: State, company: str) -> State:
    """Put the position at the buying step of a company, in its turn."""
    return _from_step(state, company)


def _from_step(state: State, company: str, *due: Step) -> State:
    state = table.operate(state, company)
    over = (LayTrack, PlaceStation, RunStep)
    kept = tuple(step for step in state.agenda if not isinstance(step, over))
    return table.at(state, *kept, *due)


def run(*routes: str, pullman: str = "") -> RunTrains:
    """Name a run: run("2: A6.0 B7.0", "3: ...", pullman="A10.0")."""
    return RunTrains(table.named_routes(*routes), (("pullman", pullman),) if pullman else ())


def earned(state: State, action: RunTrains) -> int:
    """Return what a run earns."""
    return revenue(table.events(state, action))


def revenue(happened: tuple[Event, ...]) -> int:
    """Return the revenue that the first run among these events brought."""
    return next(event.revenue for event in happened if isinstance(event, TrainsRun))


def best(state: State) -> int:
    """Return what the best run is worth: all offered ones are worth the same."""
    offered = [option for option in state.options() if isinstance(option, RunTrains)]
    worths = {earned(state, option) for option in offered}
    assert len(worths) == 1, worths
    return worths.pop()
