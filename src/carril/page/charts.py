"""Charts of net worth, share prices and revenue over a game, as SVG."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carril.draw.svg import group, num, sheet, tag, text
from carril.draw.tokens import colour_of
from carril.engine.events import RoundBegan, TrainsRun
from carril.engine.market import price
from carril.engine.state import State
from carril.service.values import Entry

_WIDTH, _HEIGHT = 760.0, 300.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 96.0, 14.0, 34.0
_COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#e65100", "#6a1b9a", "#00838f", "#8d6e00", "#5d4037")
_DASHES = ("", "8 4", "2 4", "12 4 2 4", "6 2", "1 3")


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a chart: a name, and a value for each label (None where there is none)."""

    name: str
    values: tuple[int | None, ...]
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its picture and its figures."""

    key: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
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
    best = sorted(runs, key=lambda symbol: -sum(runs[symbol].values()))[:12]
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
    return Chart(key, labels, tuple(series), _draw(key, labels, series))


def _scale(series: Sequence[Series]) -> tuple[int, int]:
    """Return the maximum of the scale and the distance of its lines."""
    most = max((v for one in series for v in one.values if v is not None), default=0)
    step = 10
    while most / step > 6:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return max(step, -(-most // step) * step), step


def _draw(key: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    if not series or len(labels) < 2:
        return ""
    top, step = _scale(series)
    wide, high = _WIDTH - _LEFT - _RIGHT, _HEIGHT - _TOP - _BOTTOM

    def x(index: int) -> float:
        return _LEFT + wide * index / (len(labels) - 1)

    def y(value: int) -> float:
        return _TOP + high * (1 - value / top)

    rules = [
        tag("path", class_="line", d=f"M{num(_LEFT)} {num(y(v))}H{num(_LEFT + wide)}")
        + text(str(v), _LEFT - 8, y(v), 12, class_="faint end")
        for v in range(0, top + 1, step)
    ]
    every = max(1, -(-len(labels) // 12))
    rules += [
        text(label, x(index), _HEIGHT - 16, 11, class_="faint")
        for index, label in enumerate(labels)
        if label and index % every == 0
    ]
    drawn = [_line(one, index, x, y) for index, one in enumerate(series)]
    names = _names(series, y)
    body = (group(*rules), group(*drawn, class_="series"), group(*names))
    return sheet(_WIDTH, _HEIGHT, *body, kind="carril-chart", label=key)


def _look(one: Series, index: int) -> Mapping[str, Any]:
    colour = one.colour or _COLOURS[index % len(_COLOURS)]
    return {"stroke": colour, "stroke_dasharray": _DASHES[index % len(_DASHES)] or None}


def _line(one: Series, index: int, x: Callable[[int], float], y: Callable[[int], float]) -> str:
    path, pen = "", "M"
    for number, value in enumerate(one.values):
        if value is None:
            pen = "M"
            continue
        path += f"{pen}{num(x(number))} {num(y(value))}"
        pen = "L"
    halo = tag("path", class_="halo", d=path)
    return halo + tag("path", class_="series-line", d=path, **_look(one, index))


def _names(series: Sequence[Series], y: Callable[[int], float]) -> list[str]:
    """Return the labels at the right edge, moved apart where they would overlap."""
    ends = []
    for index, one in enumerate(series):
        last = next((v for v in reversed(one.values) if v is not None), 0)
        ends.append((y(last), index, one))
    ends.sort(key=lambda end: end[0])
    parts, lowest = [], 0.0
    for wanted, index, one in ends:
        at = max(wanted, lowest + 14)
        lowest = at
        left = _WIDTH - _RIGHT + 8
        parts.append(
            tag("path", class_="series-line", d=f"M{num(left)} {num(at)}h16", **_look(one, index))
        )
        parts.append(text(one.name, left + 21, at, 12, class_="print start"))
    return parts
