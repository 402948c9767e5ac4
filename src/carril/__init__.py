"""Carril: play, learn and study 18EU, 18ESP and 18Cuba."""

from carril import titles
from carril.engine import runs
from carril.engine.actions import Action, Option, Range
from carril.engine.play import Outcome, start
from carril.engine.refusals import BadRecord, BadSetup, CarrilError, IllegalAction, Refusal
from carril.engine.state import State
from carril.routes import solve

# The engine does not import the solver (see carril.engine.runs).
runs.install(solve)

__all__ = [
    "Action",
    "BadRecord",
    "BadSetup",
    "CarrilError",
    "IllegalAction",
    "Option",
    "Outcome",
    "Range",
    "Refusal",
    "State",
    "start",
    "titles",
]
