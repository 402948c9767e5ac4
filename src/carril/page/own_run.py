"""A run that the player draws by clicking stops."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from carril.draw.routes import draw_routes
from carril.engine.actions import RunTrains
from carril.engine.runs import RunProblem
from carril.page.panels import Scene
from carril.page.panels.run import tried
from carril.page.places import key_name
from carril.page.run_cards import carried, fields
from carril.page.runs import COLOURS, problem_of, traced
from carril.service.errors import BadRequest


class Picked(Struct, frozen=True):
    """The stops clicked for one train, in order."""

    train: str
    stops: tuple[str, ...] = ()


class OwnRun(Struct, frozen=True):
    """The run that the page sends: the stops of each train, and a place for each card."""

    routes: tuple[Picked, ...] = ()
    cards: tuple[str, ...] = ()


def _check_stops(problem: RunProblem, own: OwnRun) -> None:
    known = {stop.key for stop in problem.stops}
    if any(key not in known for one in own.routes for key in one.stops):
        raise BadRequest("There is no such stop.")


def own_run(scene: Scene, text: str) -> dict[str, Any]:
    """Return the run drawn so far: its value and a button, or why it is not allowed."""
    try:
        own = msgspec.json.decode(text, type=OwnRun)
    except msgspec.DecodeError as error:
        raise BadRequest(f"This is not a run: {error}.") from None
    if not scene.state.agenda or RunTrains not in scene.step.allows:
        raise BadRequest("No trains can run now.")
    company = scene.step.company
    problem = problem_of(scene.state, company)
    _check_stops(problem, own)
    picked = [
        {
            "train": one.train,
            "colour": index % len(COLOURS),
            "stops": [key_name(scene.state, key) for key in one.stops],
        }
        for index, one in enumerate(own.routes)
    ]
    stops = [(stop.key, key_name(scene.state, stop.key)) for stop in problem.stops]
    routes = tuple(traced(problem, one.train, one.stops) for one in own.routes if one.stops)
    found: dict[str, Any] = {
        "picked": picked,
        "stops": sorted(stops, key=lambda stop: stop[1]),
        "cards": tuple(fields(scene.state, scene.words, problem, routes, own.cards)),
        "run": {"routes": (), "total": 0},
        "choice": None,
        "lines": "",
    }
    if not any(len(one.stops) > 1 for one in own.routes):
        return found
    extras = carried(problem, routes, own.cards)
    model, choice = tried(scene, RunTrains(routes, extras, by=scene.actor))
    found["choice"] = choice
    if model:
        found["run"] = model
        tables, board = scene.state.tables, scene.state.board
        lines: Any = model["lines"]
        found["lines"] = draw_routes(tables, board, lines)
    return found
