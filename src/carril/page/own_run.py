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
from carril.page.run_cards import carried, fields, payments, toll_boxes
from carril.page.runs import COLOURS, problem_of, traced
from carril.service.errors import BadRequest


class Picked(Struct, frozen=True):
    """The stops clicked for one train, in order."""

    train: str
    stops: tuple[str, ...] = ()


class OwnRun(Struct, frozen=True):
    """The run that the page sends: the stops of each train, a place for each card, and tolls."""

    routes: tuple[Picked, ...] = ()
    cards: tuple[str, ...] = ()
    tolls: dict[str, bool] = {}
    """The tolls that the player has ticked or unticked."""


def _check_stops(problem: RunProblem, own: OwnRun) -> None:
    known = {stop.key for stop in problem.stops}
    if any(key not in known for one in own.routes for key in one.stops):
        raise BadRequest("There is no such stop.")


def own_run(scene: Scene, text: str) -> dict[str, Any]:
    """Return the run drawn so far: its value and a button, or why it is not allowed."""
    own = _read(scene, text)
    problem = problem_of(scene.state, scene.step.company)
    _check_stops(problem, own)
    routes = tuple(traced(problem, one.train, one.stops) for one in own.routes if one.stops)
    passed, paid = payments(problem, tuple(r for r in routes if len(r.path) > 1), own.tolls)
    found: dict[str, Any] = {
        "picked": [_picked(scene, index, one) for index, one in enumerate(own.routes)],
        "tolls": toll_boxes(scene.state, scene.words, problem, passed, paid),
        "stops": _stops(scene, problem),
        "cards": tuple(fields(scene.state, scene.words, problem, routes, own.cards)),
        "run": {"routes": (), "total": 0},
        "choice": None,
        "lines": "",
    }
    if not any(len(one.stops) > 1 for one in own.routes):
        return found
    extras = carried(problem, routes, own.cards, paid)
    model, choice = tried(scene, RunTrains(routes, extras, by=scene.actor))
    found["choice"] = choice
    if model:
        found["run"] = model
        lines: Any = model["lines"]
        found["lines"] = draw_routes(scene.state.tables, scene.state.board, lines)
    return found


def _read(scene: Scene, text: str) -> OwnRun:
    """Return what the page has sent; raise BadRequest if it is no run, or none can be made now."""
    try:
        own = msgspec.json.decode(text, type=OwnRun)
    except msgspec.DecodeError as error:
        raise BadRequest(f"This is not a run: {error}.") from None
    if not scene.state.agenda or RunTrains not in scene.step.allows:
        raise BadRequest("No trains can run now.")
    return own


def _picked(scene: Scene, index: int, one: Picked) -> dict[str, Any]:
    return {
        "train": one.train,
        "colour": index % len(COLOURS),
        "stops": [key_name(scene.state, key) for key in one.stops],
    }


def _stops(scene: Scene, problem: RunProblem) -> list[tuple[str, str]]:
    """Return all stops by name."""
    stops = [(stop.key, key_name(scene.state, stop.key)) for stop in problem.stops]
    return sorted(stops, key=lambda stop: stop[1])
