"""A run of one's own, drawn by clicking stops."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from carril.draw.routes import draw_routes
from carril.engine.actions import RunTrains
from carril.engine.runs import Run, RunProblem
from carril.engine.runs_value import route_names
from carril.page.panels import Scene
from carril.page.panels.run import tried
from carril.page.places import key_name
from carril.page.runs import COLOURS, problem_of, traced
from carril.service.errors import BadRequest


class Picked(Struct, frozen=True):
    """The stops clicked for one train, in order."""

    train: str
    stops: tuple[str, ...] = ()


class OwnRun(Struct, frozen=True):
    """What the page sends: a line of stops for each train, and cars with their places."""

    routes: tuple[Picked, ...] = ()
    extras: tuple[tuple[str, str], ...] = ()


def _with_room(scene: Scene, problem: RunProblem, action: RunTrains) -> RunTrains:
    """Return the run with a tender on the train that needs one, if that makes it legal."""
    if action.extras or scene.state.refusal(action) is None:
        return action
    for card in (card for card in problem.rules.extras if card.room):
        for name in route_names(Run(action.routes)):
            tried_with = replace(action, extras=((card.name, name),))
            if scene.state.refusal(tried_with) is None:
                return tried_with
    return action


def own_run(scene: Scene, text: str) -> dict[str, Any]:
    """Return the clicked run as far as it goes: its value and a button, or why not."""
    try:
        own = msgspec.json.decode(text, type=OwnRun)
    except msgspec.DecodeError as error:
        raise BadRequest(f"not a run: {error}") from None
    if not scene.state.agenda or RunTrains not in scene.step.allows:
        raise BadRequest("no trains run now")
    company = scene.step.company
    problem = problem_of(scene.state, company)
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
        "run": {"routes": (), "total": 0},
        "choice": None,
        "lines": "",
    }
    if not any(len(one.stops) > 1 for one in own.routes):
        return found
    action = _with_room(scene, problem, RunTrains(routes, own.extras, by=scene.actor))
    model, choice = tried(scene, action)
    found["choice"] = choice
    if model:
        found["run"] = model
        tables, board = scene.state.title.tables, scene.state.board
        lines: Any = model["lines"]
        found["lines"] = draw_routes(tables, board, lines)
    return found
