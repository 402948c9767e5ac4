"""The set-up: which companies take part, and what comes with privates 6 and 7."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from carril.engine.stream import draw, shuffled
from carril.engine.tables import CompanyDef, Tables
from carril.titles.esp.figures import ESPFigures


class Draw(NamedTuple):
    """The companies in play and the two certificates that go with privates."""

    companies: tuple[str, ...]
    share_6: str
    director_7: str


def _group(company: CompanyDef) -> str:
    return "minor" if company.kind == "minor" else company.region


def _kept(tables: Tables) -> Mapping[str, int]:
    return cast(ESPFigures, tables.figures).random


def _standard(tables: Tables) -> list[str]:
    return [company.symbol for company in tables.companies.values() if company.standard]


def _northern(tables: Tables, names: list[str]) -> list[str]:
    return [name for name in names if _group(tables.companies[name]) == "north"]


def draw_setup(tables: Tables, stream: int, random: bool) -> tuple[Draw, int]:
    """Draw a set-up from our own stream (ESP-1.5.1, ESP-1.5.2). Version 1 of the draw."""
    names = _standard(tables)
    if random:
        kept: set[str] = set()
        for group in ("north", "south", "minor"):
            members = [c.symbol for c in tables.companies.values() if _group(c) == group]
            mixed, stream = shuffled(stream, members)
            kept.update(mixed[: _kept(tables)[group]])
        names = [symbol for symbol in tables.companies if symbol in kept]
    northern = _northern(tables, names)
    seventh, stream = draw(stream, len(northern))
    sixth, stream = draw(stream, len(northern))
    share = "CRB" if "CRB" in names else northern[sixth]
    return Draw(tuple(names), share, northern[seventh]), stream


class _Online:
    """The numbers that 18xx.games draws from a seed."""

    def __init__(self, seed: int) -> None:
        self.value = seed % 2**31

    def next(self) -> int:
        self.value = (1103515245 * self.value + 12345) % 2**31
        return self.value


def draw_online(tables: Tables, seed: int, random: bool) -> Draw:
    """Draw exactly what 18xx.games draws, for records.

    >>> from carril.titles.esp.title import TABLES
    >>> draw_online(TABLES, 1, random=True)[1:]
    ('SFVA', 'FdSB')
    """
    numbers = _Online(seed)
    names = [company.symbol for company in tables.companies.values()]
    if random:
        for group in ("north", "south", "minor"):
            members = [c.symbol for c in tables.companies.values() if _group(c) == group]
            drawn = {symbol: numbers.next() for symbol in members}
            keep = _kept(tables)[group]
            out = sorted(members, key=lambda symbol: drawn[symbol])[: len(members) - keep]
            names = [symbol for symbol in names if symbol not in out]
    else:
        names = _standard(tables)
    northern = _northern(tables, names)
    director = northern[numbers.next() // 4096 % 4]
    share = northern[numbers.next() // 4096 % 4]
    return Draw(tuple(names), "CRB" if "CRB" in names else share, director)
