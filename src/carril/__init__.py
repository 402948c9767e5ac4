"""Carril: play, learn and study railway games of the 18xx family."""

from importlib.metadata import entry_points

from carril import routes, titles
from carril.engine import runs
from carril.engine.actions import Action, Option, Range
from carril.engine.play import Outcome, start
from carril.engine.refusals import BadRecord, BadSetup, CarrilError, IllegalAction, Refusal
from carril.engine.state import State

__version__ = "0.1.0"

# The engine does not import the solver (see carril.engine.runs).
runs.install(routes)

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
    "__version__",
    "start",
    "titles",
]

# Titles of other packages register themselves when their modules are imported.
for _module in entry_points(group="carril.titles"):
    _module.load()
