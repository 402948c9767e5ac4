"""Lines of track of 18Cuba to run on, and positions in which a company is about to run."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import RunTrains
from carril.engine.events import TrainsRun
from carril.engine.runs import Run as Routes
from carril.engine.runs import Value, value
from carril.engine.state import Round, State
from carril.engine.steps.running import RunStep, run_problem
from tests import table
from tests.rulebook.cuba import positions

ROUND = Round("OR", 2, 1, 2)


def run(*texts: str, extras: tuple[str, ...] = (), **more: Any) -> RunTrains:
    """Return a run: "2: B9.0 B11.0", and its extras: "1w 2 HG=1", "toll B11.0"."""
    pairs = tuple((name, detail) for name, _, detail in (text.partition(" ") for text in extras))
    return RunTrains(table.named_routes(*texts), pairs, **more)


def running(state: State, *companies: str) -> State:
    """Let these companies run, one after the other."""
    return table.at(state, *(RunStep(name) for name in reversed(companies)), round_=ROUND)


def earned(state: State, action: RunTrains) -> int:
    """Return the revenue of a run that is legal."""
    found = [one for one in table.events(state, action) if isinstance(one, TrainsRun)]
    return found[0].revenue


def offered(state: State) -> dict[tuple[int, tuple[tuple[str, str], ...]], RunTrains]:
    """Return the runs on offer by their revenue and extras."""
    found = {}
    for action in table.offered(state, RunTrains):
        assert isinstance(action, RunTrains)
        found[earned(state, action), action.extras] = action
    return found


def worth(state: State, company: str, action: RunTrains) -> Value:
    """Return what a run is worth, stop by stop."""
    return value(run_problem(state, company), Routes(action.routes, action.extras))


def matanzas(**more: Any) -> State:
    """MS with its token in Matanzas and no track; Havana without the state railway."""
    fields: dict[str, Any] = {"cash": 0, "trains": ("2",)} | more
    state = positions.major(table.phase(positions.game(), "3"), "MS", {"Ana": 6}, **fields)
    return table.tokens(state, B7=((), ()), B9=(("MS",),))


def mill(state: State, symbol: str = "HG", **more: Any) -> State:
    """Open a minor of Ben's, who has three of its five shares; the others are in its treasury."""
    return positions.minor(state, symbol, {"Ben": 3}, **more)


def north_coast(*trains: str, cubes: int = 0, **more: Any) -> State:
    """Matanzas (20, MS) joined to Cárdenas (20, the mill of HG), and this to the harbour A12.

    From Cárdenas narrow track leads to the field B13 (10), and on to Santa Clara.
    """
    state = mill(matanzas(trains=trains, **more), trains=("2n",))
    state = table.tiles(state, B9=("5", 4), B11=("L56", 2), B13=("L49", 0))
    return positions.extra(table.tokens(state, B11=(("HG",),)), cubes={"HG": cubes})


def blocked(*trains: str, **more: Any) -> State:
    """Matanzas (20, MS) with one exit, to Cárdenas (30, full: FC and TSS) and to Cienfuegos (20).

    Cárdenas also leads to the harbour A12, so that a train gains 10 by passing it.
    """
    state = matanzas(**({"cash": 100, "trains": trains} | more))
    state = table.tiles(
        state, B9=("5", 5), C10=("29", 2), B11=("14", 0), C12=("8", 5), D13=("5", 2)
    )
    return table.tokens(state, B11=(("FC", "TSS"),))
