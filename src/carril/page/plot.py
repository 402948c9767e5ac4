"""Plots that fill whatever width they get: grid, axes, lines and bars, as SVG.

Positions are percentages, and lines are drawn in a square of 1000 that is stretched while their
widths stay the same; so text has one size on a phone and on a wall screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from carril.draw.svg import group, num, tag, title

_SIDE = 1000
_MOST_LABELS, _FEW_LABELS = 14, 6
_COLOURS = ("#c2185b", "#1565c0", "#2e7d32", "#e65100", "#6a1b9a", "#00838f", "#8d6e00", "#5d4037")
_DASHES = ("", "8 4", "2 4", "12 4 2 4", "6 2", "1 3")
_PAPERS = (("pale", "#fffdf7"), ("deep", "#1d2125"))
"""The papers of the light and the dark theme, and what a line is called that is faint there."""
_FAINT = 2.0
"""A line with less contrast to the paper gets an outline."""


@dataclass(frozen=True, slots=True)
class Series:
    """A line of a chart: a name, and a value for each label (None where there is none)."""

    name: str
    values: tuple[int | None, ...]
    colour: str = ""

    @property
    def last(self) -> int | None:
        """The last value."""
        return next((value for value in reversed(self.values) if value is not None), None)


@dataclass(frozen=True, slots=True)
class Look:
    """How a line is drawn: its colour, its dashes, and the papers on which it needs an outline."""

    colour: str
    dashes: str
    outline: str

    def draw(self, path: str) -> str:
        """Return a line along a path, on a gap that separates it from the lines below."""
        under = tag("path", class_=f"under {self.outline}".strip(), d=path)
        return under + tag(
            "path",
            class_="series-line",
            d=path,
            stroke=self.colour,
            stroke_dasharray=self.dashes or None,
        )


def look_of(one: Series, index: int) -> Look:
    """Return how the line with this place in its chart is drawn."""
    colour = one.colour or _COLOURS[index % len(_COLOURS)]
    faint = (name for name, paper in _PAPERS if contrast(colour, paper) < _FAINT)
    return Look(colour, _DASHES[index % len(_DASHES)], " ".join(faint))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21, as WCAG defines it.

    >>> round(contrast("#000000", "#ffffff"), 1), contrast("#fff", "#ffffff")
    (21.0, 1.0)
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    parts = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def scale(most: int) -> tuple[int, int]:
    """Return the maximum of an axis and the distance of its lines.

    >>> scale(430), scale(7)
    ((500, 100), (10, 10))
    """
    step = 10
    while most / step > 6:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    return max(step, -(-most // step) * step), step


def draw_lines(label: str, labels: Sequence[str], series: Sequence[Series]) -> str:
    """Return a chart of lines; nothing if there are fewer than two labels."""
    if not series or len(labels) < 2:
        return ""
    most, step = scale(max((v for one in series for v in one.values if v is not None), default=0))
    places = [index / (len(labels) - 1) for index in range(len(labels))]
    drawn = [
        group(look_of(one, index).draw(_path(one, places, most)), data_series=index)
        for index, one in enumerate(series)
    ]
    return _sheet(label, _axes(labels, places, most, step), "".join(drawn))


def _path(one: Series, places: Sequence[float], most: int) -> str:
    path, pen = "", "M"
    for place, value in zip(places, one.values, strict=True):
        if value is None:
            pen = "M"
            continue
        path += f"{pen}{num(place * _SIDE)} {num(_SIDE * (1 - value / most))}"
        pen = "L"
    return path if "L" in path else f"{path}h0"


def draw_bars(label: str, labels: Sequence[str], stacks: Sequence[tuple[int, int]]) -> str:
    """Return a chart of bars in two parts, the second on top of the first."""
    if not stacks:
        return ""
    most, step = scale(max(sum(stack) for stack in stacks))
    places = [(index + 0.5) / len(labels) for index in range(len(labels))]
    wide = min(0.7 / len(labels), 0.08)
    bars = [
        _bar(place - wide / 2, wide, stack, most)
        for place, stack in zip(places, stacks, strict=True)
    ]
    return _sheet(label, _axes(labels, places, most, step) + "".join(bars), "")


def _bar(left: float, wide: float, stack: tuple[int, int], most: int) -> str:
    parts, foot = [], 0
    for kind, value in zip(("bar", "bar missed"), stack, strict=True):
        if value > 0:
            top = 1 - (foot + value) / most
            size = {"width": _percent(wide), "height": _percent(value / most)}
            parts.append(tag("rect", class_=kind, x=_percent(left), y=_percent(top), **size))
        foot += value
    return "".join(parts)


def _percent(part: float) -> str:
    return f"{part * 100:.2f}%"


def _axes(labels: Sequence[str], places: Sequence[float], most: int, step: int) -> str:
    parts = []
    for value in range(0, most + 1, step):
        y = _percent(1 - value / most)
        parts.append(tag("line", class_="line", x1="0", x2="100%", y1=y, y2=y))
        parts.append(_text(str(value), "0", y, class_="print end", dx="-8", dy=".35em"))
    every = max(1, -(-len(labels) // _MOST_LABELS))
    rare = every * max(1, -(-len(labels) // every // _FEW_LABELS))
    for index, (label, place) in enumerate(zip(labels, places, strict=True)):
        if label and index % every == 0:
            kind = "print" if index % rare == 0 else "print more"
            parts.append(_text(label, _percent(place), "100%", class_=kind, dy="18"))
    return "".join(parts)


def _text(content: str, x: str, y: str, **attributes: str) -> str:
    return tag("text", escape(content), x=x, y=y, font_size=12, **attributes)


def _sheet(label: str, axes: str, lines: str) -> str:
    """Return a picture; the style sheet gives it its size and room for the numbers around it."""
    stretched = tag(
        "svg",
        lines,
        class_="stretch",
        viewBox=f"0 0 {_SIDE} {_SIDE}",
        preserveAspectRatio="none",
        width="100%",
        height="100%",
    )
    return tag(
        "svg",
        title(label),
        axes,
        stretched if lines else "",
        xmlns="http://www.w3.org/2000/svg",
        class_="carril carril-chart",
        role="img",
    )
