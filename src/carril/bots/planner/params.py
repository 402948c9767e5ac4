"""The parameters of the planner, as data: its own and those of its characters."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import msgspec
from msgspec import Struct

from carril.bots.greedy.sight import Sight

OWN_TABLE = "planner"


class Params(Struct, frozen=True, forbid_unknown_fields=True):
    """What the planner weighs; the file of the parameters says what each of them means."""

    budget: int
    least_gain: float
    own: float
    upgrade: float
    harmless: float
    reserve: float
    later: float
    future: float
    pulls: float
    made_by: str = ""


@dataclass(frozen=True, slots=True)
class Plan(Sight):
    """A position as seen by a planner with its parameters."""

    params: Params


@cache
def characters() -> Mapping[str, Params]:
    """Return the parameters by the name of the planner or of one of its characters."""
    text = resources.files(__package__).joinpath("params.toml").read_text()
    tables = tomllib.loads(text)
    own = tables[OWN_TABLE]
    return {name: msgspec.convert({**own, **one}, Params) for name, one in tables.items()}
