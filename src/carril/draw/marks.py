"""The marks of a hex: names, revenue, labels, costs, consent, each placed where there is room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from carril.engine.tile import COLOURS, StopDef, Tile

from .geometry import INNER, ORIGIN, Point, polar
from .pieces import Shape
from .placing import Disc, Discs, Mark, Size, Space
from .stops import reach_discs
from .svg import group, moved, num, tag, text, text_width, title
from .symbols import TERRAIN
from .track import curves, is_arrow, places

_NAME = 22.0
_PITCH = 0.94
_REVENUE = 18.0
# The sizes of the text on the flag of a destination.
_FLAGS = (20.0, 18.0, 16.0)
# The cells of a row of revenues: width, height and size of the figures; smaller where need be.
_CELLS = ((33.0, 30.0, 21.0), (28.0, 27.0, 18.0))


class Ground(NamedTuple):
    """What a hex shows besides its tile: its name, terrain, cost and consent."""

    name: str = ""
    terrain: str = ""
    cost: int = 0
    upgrade_cost: tuple[tuple[str, int], ...] = ()
    consent_of: str = ""
    number: str = ""
    goal_of: tuple[str, ...] = ()
    pieces: tuple[tuple[Shape, ...], ...] = ()
    """Each in the shapes it can be drawn in."""


def upgrades_due(tile: Tile, cost: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Return the upgrades that still cost money: those to colours newer than the tile's."""
    if tile.colour not in COLOURS:
        return ()
    newer = COLOURS[COLOURS.index(tile.colour) + 1 :]
    return tuple((colour, cost[colour]) for colour in newer if cost.get(colour))


@lru_cache(maxsize=16)
def _around(near: float) -> tuple[Point, ...]:
    """Return places in a hex, those at `near` from the middle first, the right side before."""
    found = []
    for distance in sorted(range(40, 82, 6), key=lambda d: abs(d - near)):
        found += [polar(angle, distance) for angle in (0, 180, -60, 60, -120, 120)]
        found += [polar(angle, distance) for angle in (-30, 30, -150, 150, -90, 90)]
        found += [polar(angle, distance) for angle in range(15, 360, 30)]
    return tuple(found)


@lru_cache(maxsize=16)
def _rows(first: float) -> tuple[Point, ...]:
    """Return places for a broad mark: centred rows outwards from `first`, then to the sides."""
    rows = sorted(range(-72, 73, 4), key=lambda y: (abs(abs(y) - abs(first)), y * first < 0))
    return tuple(Point(x, y) for x in (0, 12, -12, 24, -24, 36, -36) for y in rows)


@lru_cache(maxsize=2048)
def _obstacles(tile: Tile, orientation: str) -> tuple[Disc, ...]:
    """Return what a mark had better not cover: the stops, which is worst, and then the track."""
    found = [Disc(spot.x, spot.y, reach, 30) for spot, reach in reach_discs(tile, orientation)]
    for path, curve in zip(tile.paths, curves(tile, orientation), strict=True):
        shown, weight = curve.points(7), 0.9
        if is_arrow(tile, path):
            shown, weight = (shown[:5] if path.a < path.b else shown[-5:]), 1.2
        found += [Disc(point.x, point.y, 10, weight) for point in shown]
    return tuple(found)


def _name_lines(name: str) -> tuple[str, ...]:
    if text_width(name, _NAME) < 132 or " " not in name:
        return (name,)
    cuts = [i for i, char in enumerate(name) if char == " "]
    cut = min(cuts, key=lambda i: abs(i - len(name) / 2))
    return (name[:cut], name[cut + 1 :])


def _name(tile: Tile, name: str, at: str, first: float) -> Mark:
    """Return a name in one or two lines; smaller only where there is no room."""
    lines = _name_lines(name)
    widest = max(text_width(line, 1) for line in lines)
    largest = min(_NAME, 160 / widest)
    sizes = (largest, largest * 0.9, largest * 0.8)

    def draw(number: int, spot: Point) -> str:
        size = sizes[number]
        top = spot.y - size * _PITCH * (len(lines) - 1) / 2
        drawn = (text(line, spot.x, top + i * size * _PITCH, size) for i, line in enumerate(lines))
        return group(*drawn, class_=f"name on-{tile.colour}", data_name=at)

    high = _PITCH * len(lines)
    boxes = (Size(widest * size, size * high, 6.0 * i) for i, size in enumerate(sizes))
    return Mark(tuple(boxes), _rows(first), draw)


def _revenue_disc(stop: StopDef, at: str, near: Point | None) -> Mark:
    value = str(stop.revenue[0])
    wishes = _around(60)
    if near is not None:
        wishes = tuple(sorted(wishes, key=near.distance))

    def draw(_: int, spot: Point) -> str:
        return group(
            tag("circle", class_="disc", cx=spot.x, cy=spot.y, r=_REVENUE),
            text(value, spot.x, spot.y, 22 if len(value) < 3 else 17, class_="ink"),
            data_revenue=at,
        )

    return Mark((Size(2 * _REVENUE, 2 * _REVENUE),), wishes, draw)


def _runs(revenue: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return value, first and last colour of each run of equal values."""
    found: list[tuple[int, int, int]] = []
    for index, value in enumerate(revenue):
        if found and found[-1][0] == value:
            found[-1] = (value, found[-1][1], index)
        else:
            found.append((value, index, index))
    return found


def _revenue_row(stop: StopDef, at: str, phase_colour: str) -> Mark:
    """Return a row of boxes in the colours of the phases; the one that counts now stands out."""
    now = COLOURS.index(phase_colour) - 1 if phase_colour in COLOURS[1:] else -1

    def draw(number: int, spot: Point) -> str:
        wide = _CELLS[number][0]
        cells = [
            _revenue_cell(stop.revenue, run, now, _CELLS[number]) for run in _runs(stop.revenue)
        ]
        boxes = [box for box, _ in cells]
        marks = sorted((mark for _, mark in cells), key=lambda mark: 'class="now"' in mark)
        x = spot.x - wide * len(stop.revenue) / 2
        return group(*boxes, *marks, transform=moved(x, spot.y), data_revenue=at)

    sizes = (
        Size(wide * len(stop.revenue) + 4, high + 4, 8.0 * i)
        for i, (wide, high, _) in enumerate(_CELLS)
    )
    return Mark(tuple(sizes), (ORIGIN, *_rows(10)), draw)


def _revenue_cell(
    revenue: tuple[int, ...], run: tuple[int, int, int], now: int, cell: tuple[float, float, float]
) -> tuple[str, str]:
    """Return the coloured boxes of a run of equal values, and its frame with the value."""
    (value, first, last), (wide, high, size) = run, cell
    top, left, width = -high / 2, wide * first, wide * (last - first + 1)
    due = first <= now <= last
    boxes = (
        tag("rect", class_=COLOURS[i + 1], x=wide * i, y=top, width=wide, height=high)
        for i in range(first, last + 1)
    )
    kind, size, weight = ("now", size + 2, "800") if due else ("rim", size, "600")
    frame = tag("rect", class_=kind, x=left, y=top, width=width, height=high, rx=2)
    shown = text(str(value), left + width / 2, 0, size, class_="ink", font_weight=weight)
    return "".join(boxes), frame + shown


def _revenues(tile: Tile, orientation: str, at: str, phase_colour: str) -> list[Mark]:
    """Return the values of the stops; once where all stops of the tile are worth the same."""
    paying = [(i, stop) for i, stop in enumerate(tile.stops) if any(stop.revenue)]
    alike = len({stop.revenue for _, stop in paying}) == 1
    found = []
    for index, stop in paying[:1] if alike else paying:
        where = f"{at}.{index}"
        if len(set(stop.revenue)) > 1:
            found.append(_revenue_row(stop, where, phase_colour))
        else:
            near = None if alike else places(tile, orientation)[index].point
            found.append(_revenue_disc(stop, where, near))
    return found


def label_text(label: str) -> str:
    """Return a label as players write it: one that stands for two cities with a stroke between."""
    return "/".join(label) if len(label) == 2 and label[0] != label[1] else label


def _label(label: str, at: str, between: bool) -> Mark:
    """Return the label of a tile; `between` its stops if it has several and there is room."""
    shown = label_text(label)
    size = 28 if len(shown) == 1 else 22
    wishes = (ORIGIN, *_around(68)) if between else _around(68)

    def draw(_: int, spot: Point) -> str:
        return text(shown, spot.x, spot.y, size, class_="label", data_label=at)

    return Mark((Size(text_width(shown, size), size * 0.8),), wishes, draw)


def _piece(shapes: tuple[Shape, ...]) -> Mark:
    """Return a piece in the shape and place for which there is most room."""

    def draw(number: int, spot: Point) -> str:
        return tag("g", shapes[number].drawn, transform=moved(*spot))

    return Mark(tuple(Size(shape.width, shape.height) for shape in shapes), _around(62), draw)


def _side_mark(side: str, at: str) -> Mark:
    """Return the mark of a place in the east or west, which a bonus is for."""

    def draw(_: int, spot: Point) -> str:
        return group(
            title("West" if side == "W" else "East"),
            tag("circle", class_="disc", cx=spot.x, cy=spot.y, r=13),
            text(side, spot.x, spot.y, 18, class_="side"),
            data_side=at,
        )

    return Mark((Size(26, 26),), _around(66), draw)


def _goal(companies: tuple[str, ...], at: str) -> Mark:
    """Return a flag with the companies whose destination a place is, in one line or several."""
    row = ("→ " + " ".join(companies),)
    column = tuple(f"→ {company}" for company in companies)
    ways = [(lines, size) for size in _FLAGS for lines in dict.fromkeys((row, column))]

    def draw(number: int, spot: Point) -> str:
        lines, size = ways[number]
        wide, high, _ = sizes[number]
        x, y, pitch = spot.x - wide / 2, spot.y - high / 2, size + 2
        top = spot.y - pitch * (len(lines) - 1) / 2
        return group(
            title(f"Destination of {', '.join(companies)}"),
            tag("rect", class_="flag", x=x, y=y, width=wide, height=high, rx=(size + 5) / 2),
            *(
                text(one, spot.x, top + i * pitch, size, class_="goal")
                for i, one in enumerate(lines)
            ),
            data_goal=at,
        )

    sizes = tuple(
        Size(
            max(text_width(line, size) for line in lines) + 8,
            (size + 2) * len(lines) + 3,
            4.0 * number,
        )
        for number, (lines, size) in enumerate(ways)
    )
    return Mark(sizes, _rows(40), draw)


def _cost_words(ground: Ground) -> str:
    words = [f"{ground.terrain or 'ground'}"]
    if ground.cost:
        words.append(f"first tile {ground.cost}")
    words += [f"upgrade to {colour} {cost}" for colour, cost in ground.upgrade_cost]
    return ", ".join(words)


def _upgrade_chips(ground: Ground, x: float, y: float) -> str:
    parts = []
    for index, (colour, cost) in enumerate(ground.upgrade_cost):
        left = x + index * 38
        parts.append(
            tag("rect", class_=f"{colour} box", x=left, y=y - 11, width=34, height=22, rx=5)
        )
        parts.append(text(str(cost), left + 17, y, 18, class_="ink"))
    return "".join(parts)


def _big_cost(ground: Ground, at: str) -> str:
    """Return the cost of bare ground, large in the middle of the hex."""
    symbol = TERRAIN.get(ground.terrain)
    shown = (
        tag("use", href=f"#carril-{symbol}", transform="translate(0 -20)scale(1.4)")
        if symbol
        else ""
    )
    width = text_width(str(ground.cost), 26) if ground.cost else 0
    chips = 38 * len(ground.upgrade_cost)
    left = -(width + (6 if width and chips else 0) + chips) / 2
    if ground.cost:
        shown += text(str(ground.cost), left + width / 2, 27, 26, class_="ink")
        left += width + 6
    return group(title(_cost_words(ground)), shown + _upgrade_chips(ground, left, 27), data_cost=at)


def _small_cost(ground: Ground, at: str) -> Mark:
    """Return the cost of a hex that shows other things too: in a line, or symbol above number."""
    symbol = TERRAIN.get(ground.terrain, "")
    number = text_width(str(ground.cost), 22) + 4 if ground.cost else 0.0
    chips = 38.0 * len(ground.upgrade_cost)

    def draw(way: int, spot: Point) -> str:
        stacked = bool(way) and bool(symbol)
        beside = 46.0 if symbol and not stacked else 0.0
        width, low = max(beside + number + chips, 40), 14.0 if stacked else 1.0
        x, y = (0.0, -12) if stacked else (22 - width / 2, 0)
        use = f"translate({num(x)} {y})scale(.8)"
        shown = tag("use", href=f"#carril-{symbol}", transform=use) if symbol else ""
        left = beside - width / 2 if not stacked else -(number + chips) / 2
        if ground.cost:
            shown += text(str(ground.cost), left + number / 2, low, 22, class_="ink")
        shown += _upgrade_chips(ground, left + number, low)
        return tag("g", title(_cost_words(ground)), shown, transform=moved(*spot), data_cost=at)

    line = Size(max((46 if symbol else 0) + number + chips, 40), 26)
    stack = Size(max(number + chips, 40), 52) if symbol else line
    return Mark((line, stack), (*_rows(52), *_around(50)), draw)


def _consent(minor: str, at: str) -> Mark:
    def draw(_: int, spot: Point) -> str:
        return tag(
            "g",
            title(f"The first tile needs the consent of the owner of {minor}"),
            tag("path", class_="mark", d="M-16 -17H16V4C16 13 8 17 0 20C-8 17 -16 13 -16 4Z"),
            text(minor, 0, 0, 22 if len(minor) < 3 else 14, class_="marked"),
            transform=moved(*spot),
            data_consent=at,
        )

    return Mark((Size(34, 38),), (ORIGIN, *_around(58)), draw)


def _number(number: str, orientation: str) -> Mark:
    """Return the number of a tile, small in a corner, the lower right one if it is free."""
    width = text_width(number, 14)
    x, y = (45.0, INNER - 11) if orientation == "flat" else (INNER - 5, 44.0)
    x -= width / 2

    def draw(_: int, spot: Point) -> str:
        return text(number, spot.x, spot.y, 14, class_="tile-number")

    corners = (Point(x, y), Point(-x, y), Point(x, -y), Point(-x, -y))
    return Mark((Size(width, 14),), corners, draw)


def _marks(
    tile: Tile, orientation: str, ground: Ground, at: str, phase_colour: str
) -> Iterator[Mark]:
    """Yield the marks of a hex or tile, in the order in which they choose their places."""
    if ground.number:
        yield _number(ground.number, orientation)
    offboard = any(stop.kind == "offboard" for stop in tile.stops)
    revenues = _revenues(tile, orientation, at, phase_colour)
    if offboard:
        yield from revenues
    if ground.name:
        yield _name(tile, ground.name, at, _name_row(tile, orientation, offboard))
    if not offboard:
        yield from revenues
    yield from (_piece(shapes) for shapes in ground.pieces)
    if tile.label:
        yield _label(tile.label, at, len(tile.stops) > 1)
    if sides := [side for side in ("E", "W") if any(side in stop.tags for stop in tile.stops)]:
        yield _side_mark(sides[0], at)
    if ground.goal_of:
        yield _goal(ground.goal_of, at)
    if ground.consent_of:
        yield _consent(ground.consent_of, at)
    if (ground.cost or ground.upgrade_cost) and not _bare(tile, ground):
        yield _small_cost(ground, at)


def _bare(tile: Tile, ground: Ground) -> bool:
    """Return whether a hex shows nothing but its terrain and cost."""
    return not (tile.stops or tile.paths or ground.name)


@lru_cache(maxsize=4096)
def draw_marks(
    tile: Tile, orientation: str, ground: Ground, at: str, phase: str = "", more: Discs = ()
) -> str:
    """Return all marks of a hex or tile, which cover neither one another nor `more`."""
    obstacles = [*_obstacles(tile, orientation), *more]
    big = ""
    if (ground.cost or ground.upgrade_cost) and _bare(tile, ground):
        big = _big_cost(ground, at)
        obstacles += [Disc(0, -20, 34, 3), Disc(0, 27, 24, 3)]
    space = Space(orientation, obstacles)
    return space.drawn(list(_marks(tile, orientation, ground, at, phase))) + big


def _name_row(tile: Tile, orientation: str, offboard: bool) -> float:
    """Return how high a name is best: above the stop."""
    if offboard:
        return -38
    where = places(tile, orientation)
    if not where:
        return -40
    return -30 if tile.stops[0].kind == "town" and len(where) == 1 and not tile.paths else -50
