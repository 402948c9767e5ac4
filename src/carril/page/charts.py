"""Charts of net worth, share prices and revenue over a game, as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carril.draw.tokens import colour_of
from carril.engine.events import RoundBegan, TrainsRun
from carril.engine.market import price
from carril.engine.state import State
from carril.page.plot import Series, draw_lines, look_of
from carril.service.values import Entry


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its picture and its figures."""

    key: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    legend: tuple[dict[str, Any], ...]
    svg: str


def charts(log: Sequence[Entry], position: Callable[[int], State], head: int) -> list[Chart]:
    """Return the charts of a game, from the positions at the start of each round and at `head`."""
    marks = [(0, "")] + [
        (entry.number, event.round)
        for entry in log
        for event in entry.events
        if isinstance(event, RoundBegan)
    ]
    if head > marks[-1][0]:
        marks.append((head, "·"))
    states = [position(number) for number, _ in marks]
    labels = tuple(label for _, label in marks)
    worth = [
        Series(name, tuple(s.title.worth(s, name) for s in states)) for name in states[0].players
    ]
    return [
        _chart("worth", labels, worth),
        _chart("price", labels, _prices(states)),
        _chart("revenue", *_revenue(log, states[-1])),
    ]


def _prices(states: Sequence[State]) -> list[Series]:
    last = states[-1]
    return [
        Series(
            symbol,
            tuple(price(state, symbol) or None for state in states),
            colour_of(last.tables, last.tables.companies[symbol]),
        )
        for symbol, company in last.companies.items()
        if company.started
    ]


def _revenue(log: Sequence[Entry], last: State) -> tuple[tuple[str, ...], list[Series]]:
    labels: list[str] = []
    runs: dict[str, dict[int, int]] = {}
    for entry in log:
        for event in entry.events:
            if isinstance(event, TrainsRun) and labels:
                here = runs.setdefault(event.company, {})
                here[len(labels) - 1] = event.revenue + event.treasury
            elif isinstance(event, RoundBegan) and event.round.startswith("OR"):
                labels.append(event.round)
    tables = last.tables
    best = sorted(runs, key=lambda symbol: -sum(runs[symbol].values()))
    series = [
        Series(
            symbol,
            tuple(runs[symbol].get(index) for index in range(len(labels))),
            colour_of(tables, tables.companies[symbol]),
        )
        for symbol in best
    ]
    return tuple(labels), series


def _chart(key: str, labels: tuple[str, ...], series: Sequence[Series]) -> Chart:
    shared = Counter(one.colour for one in series)
    # Companies that share a colour get others, so that no two lines look the same.
    series = [replace(one, colour="") if shared[one.colour] > 1 else one for one in series]
    return Chart(key, labels, tuple(series), legend(series), draw_lines(key, labels, series))


def legend(series: Sequence[Series]) -> tuple[dict[str, Any], ...]:
    """Return the name, the last value and a sample of each line."""
    return tuple(
        {"name": one.name, "last": one.last, "sample": look_of(one, index).draw("M2 6h30")}
        for index, one in enumerate(series)
    )
