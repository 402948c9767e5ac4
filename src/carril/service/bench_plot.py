"""The plot of a load: how long actions take with more and more tables, by number of processes.

Points are the figures of `bench_load`, one JSON object on each line of a file. A point may have a
`label` of its own, such as that of an older version.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

Point = Mapping[str, Any]
Lines = Mapping[str, Sequence[tuple[float, float]]]

_WIDTH, _HEIGHT, _PANEL, _TOP, _LEFT = 860, 400, 330, 60, 60
_GAP = 90
_FIGURES = (
    ("median_ms", "median of an action", 60),
    ("p99_ms", "99th percentile of an action", 400),
)
"""What is drawn: its name in a point, its heading, and the promise for 100 tables."""
_COLOURS = ("#8d8d8d", "#c2185b", "#1565c0", "#2e7d32", "#e65100")
_LEAST, _MOST = 5.0, 10_000.0
_STYLE = (
    "text{font:13px sans-serif;fill:#222}.faint{fill:#666;font-size:12px}"
    ".axis{stroke:#bbb;fill:none}.aim{stroke:#222;stroke-dasharray:3 4;fill:none}"
    ".line{fill:none;stroke-width:2.5}"
)


def note_point(file: Path, point: Point) -> None:
    """Add the figures of a load to a file."""
    with file.open("a", encoding="utf-8") as opened:
        opened.write(json.dumps(point) + "\n")


def read_points(file: Path) -> list[Point]:
    """Return the points of a file; of several with the same load, the last."""
    found: dict[tuple[object, ...], Point] = {}
    for line in file.read_text("utf-8").splitlines():
        point = json.loads(line)
        found[_label(point), point["tables"]] = point
    return list(found.values())


def _label(point: Point) -> str:
    if "label" in point:
        return str(point["label"])
    return "1 process" if point["workers"] == 1 else f"{point['workers']} processes"


def plot_load(points: Sequence[Point]) -> str:
    """Return the plot as SVG.

    >>> figures = {"median_ms": 20, "p99_ms": 90}
    >>> drawn = plot_load([{"tables": 20, "workers": 2, "action": figures}])
    >>> "2 processes" in drawn
    True
    """
    labels = list(dict.fromkeys(map(_label, points)))
    tables = sorted({int(point["tables"]) for point in points})
    drawn = [f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>']
    for number, (name, heading, aim) in enumerate(_FIGURES):
        lines = {
            label: sorted((p["tables"], p["action"][name]) for p in points if _label(p) == label)
            for label in labels
        }
        left = _LEFT + number * (_PANEL + _GAP)
        drawn.append(f'<g transform="translate({left} {_TOP})">')
        drawn += [*_axes(heading, tables, aim), *_lines(lines, tables), "</g>"]
    drawn += _legend(labels)
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
    inside = "".join(drawn)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{_STYLE}</style>{inside}</svg>\n'


def _x(count: float, tables: Sequence[int]) -> float:
    first, last = math.log(tables[0]), math.log(max(tables[-1], tables[0] + 1))
    return round(_PANEL * (math.log(count) - first) / (last - first), 1)


def _bottom() -> int:
    return _HEIGHT - _TOP - 80


def _y(value: float) -> float:
    share = math.log(min(max(value, _LEAST), _MOST) / _LEAST) / math.log(_MOST / _LEAST)
    return round(_bottom() * (1 - share), 1)


def _axes(heading: str, tables: Sequence[int], aim: float) -> list[str]:
    """Return heading, grid and labels of a panel; both axes are logarithmic."""
    found = [f'<text x="0" y="-18" font-weight="bold">{escape(heading)}, ms</text>']
    for value in (10, 30, 100, 300, 1000, 3000, 10_000):
        y = _y(value)
        found.append(f'<path class="axis" d="M0 {y}H{_PANEL}"/>')
        found.append(f'<text class="faint" x="-8" y="{y + 4}" text-anchor="end">{value:,}</text>')
    for count in tables:
        x = _x(count, tables)
        found.append(
            f'<text class="faint" x="{x}" y="{_bottom() + 20}" text-anchor="middle">{count}</text>'
        )
    found.append(f'<path class="aim" d="M0 {_y(aim)}H{_PANEL}"/>')
    middle = _PANEL // 2
    found.append(
        f'<text class="faint" x="{middle}" y="{_bottom() + 40}" text-anchor="middle">'
        "tables at which somebody acts once in a second</text>"
    )
    return found


def _lines(lines: Lines, tables: Sequence[int]) -> list[str]:
    found = []
    for number, points in enumerate(lines.values()):
        colour = _COLOURS[number % len(_COLOURS)]
        places = [(_x(count, tables), _y(value)) for count, value in points]
        path = "L".join(f"{x} {y}" for x, y in places)
        found.append(f'<path class="line" stroke="{colour}" d="M{path}"/>')
        found += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>' for x, y in places]
    return found


def _legend(labels: Sequence[str]) -> list[str]:
    found = []
    for number, label in enumerate(labels):
        x, y = _LEFT + 190 * number, _HEIGHT - 18
        colour = _COLOURS[number % len(_COLOURS)]
        found.append(f'<path class="line" stroke="{colour}" d="M{x} {y - 4}h24"/>')
        found.append(f'<text x="{x + 32}" y="{y}">{escape(label)}</text>')
    return found
