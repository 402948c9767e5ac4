"""Line charts: figures over a common axis, on scales that may be logarithmic."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from .colours import RINGS, style
from .geometry import Point
from .svg import group, moved, num, sheet, tag, text, title

_WIDTH, _HEIGHT = 560.0, 320.0
_LEFT, _TOP, _RIGHT, _BOTTOM = 80.0, 60.0, 30.0, 110.0


class Curve(NamedTuple):
    """A named line through points."""

    name: str
    points: tuple[tuple[float, float], ...]


class Chart(NamedTuple):
    """Curves over one pair of axes."""

    heading: str
    across: str
    """What the horizontal axis shows."""
    up: str
    curves: tuple[Curve, ...]
    log_across: bool = False
    log_up: bool = True


class _Axis:
    """Turns values into places; a logarithmic axis begins at a whole power of ten."""

    def __init__(self, values: Iterable[float], length: float, log: bool) -> None:
        self.length, self.log = length, log
        found = [value for value in values if value > 0 or not log] or [1.0]
        low, high = min(found), max(found)
        if log:
            self.low, self.high = float(floor(log10(low))), float(ceil(log10(high)))
        else:
            self.low, self.high = min(0.0, low), high
        if self.high <= self.low:
            self.high = self.low + 1

    def place(self, value: float) -> float:
        """Return the distance of a value along the axis; values below the axis are at its start."""
        if self.log:
            value = log10(value) if value > 0 else self.low
        return max(0.0, (value - self.low) / (self.high - self.low)) * self.length

    def marks(self) -> list[float]:
        """Return the values that are written along the axis."""
        if self.log:
            return [10.0**power for power in range(int(self.low), int(self.high) + 1)]
        step = 10.0 ** floor(log10(self.high - self.low))
        if (self.high - self.low) / step < 4:
            step /= 2
        count = floor((self.high - self.low) / step + 1e-9)
        return [self.low + step * number for number in range(count + 1)]


def draw_charts(charts: Sequence[Chart], label: str = "Charts") -> str:
    """Return charts side by side as one picture.

    >>> curve = Curve("time", ((1, 0.5), (2, 20.0)))
    >>> draw_charts([Chart("Growth", "step", "ms", (curve,))]).count("<polyline")
    1
    """
    wide = _LEFT + _WIDTH + _RIGHT
    high = _TOP + _HEIGHT + _BOTTOM
    drawn = [
        group(_chart(chart), transform=moved(wide * place + _LEFT, _TOP))
        for place, chart in enumerate(charts)
    ]
    width = wide * len(charts)
    paper = tag("rect", class_="paper", width=width, height=high)
    return sheet(width, high, style(), paper, *drawn, kind="carril-chart", label=label)


def _chart(chart: Chart) -> str:
    points = [point for curve in chart.curves for point in curve.points]
    across = _Axis((x for x, _ in points), _WIDTH, chart.log_across)
    up = _Axis((y for _, y in points), _HEIGHT, chart.log_up)
    parts = [text(chart.heading, 0, -30, 22, class_="heading")]
    parts += [_grid_line(up.place(mark), mark) for mark in up.marks()]
    parts += [_tick(across.place(mark), mark) for mark in across.marks()]
    parts.append(text(chart.across, _WIDTH / 2, _HEIGHT + 46, 14, class_="print"))
    parts.append(text(chart.up, -10, -12, 14, class_="print end"))
    for number, curve in enumerate(chart.curves):
        places = [Point(across.place(x), _HEIGHT - up.place(y)) for x, y in curve.points]
        parts.append(_line(curve, places, RINGS[number % len(RINGS)]))
        parts.append(_key(curve.name, number, len(chart.curves)))
    return "".join(parts)


def _line(curve: Curve, places: Sequence[Point], colour: str) -> str:
    line = tag(
        "polyline",
        points=" ".join(f"{num(p.x)},{num(p.y)}" for p in places),
        fill="none",
        stroke=colour,
        stroke_width=2.5,
    )
    few = places if len(places) <= 30 else ()
    dots = [tag("circle", cx=p.x, cy=p.y, r=3.5, fill=colour) for p in few]
    return group(title(curve.name), line, *dots, data_curve=curve.name)


def _key(name: str, number: int, count: int) -> str:
    x, y = _WIDTH / count * number, _HEIGHT + 80
    sample = tag("path", d=f"M{num(x)} {num(y)}h24", stroke=RINGS[number], stroke_width=4)
    return sample + text(name, x + 32, y, 14, class_="print start")


def _grid_line(height: float, mark: float) -> str:
    y = _HEIGHT - height
    line = tag("path", class_="line", d=f"M0 {num(y)}h{num(_WIDTH)}")
    return line + text(f"{mark:g}", -10, y, 13, class_="faint end")


def _tick(x: float, mark: float) -> str:
    line = tag("path", class_="line", d=f"M{num(x)} {num(_HEIGHT)}v6")
    return line + text(f"{mark:g}", x, _HEIGHT + 20, 13, class_="faint")
