"""The marks of a hex: names, revenue, labels, costs, consent, each placed where there is room."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from carril.engine.tile import COLOURS, StopDef, Tile

from .geometry import INNER, ORIGIN, Point, polar
from .pieces import Shape
from .placing import Disc, Space
from .stops import reach_discs
from .svg import group, moved, num, tag, text, text_width, title
from .symbols import TERRAIN
from .track import curves, is_arrow, places

_NAME = 22.0
_PITCH = 0.94
_REVENUE = 18.0
_CELL = 35.0
_CELL_HIGH = 32.0


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
    found = [Disc(spot.x, spot.y, reach, 3) for spot, reach in reach_discs(tile, orientation)]
    for path, curve in zip(tile.paths, curves(tile, orientation), strict=True):
        shown, weight = curve.points(7), 0.5
        if is_arrow(tile, path):
            shown, weight = (shown[:5] if path.a < path.b else shown[-5:]), 0.7
        found += [Disc(point.x, point.y, 10, weight) for point in shown]
    return tuple(found)


def _name_lines(name: str) -> tuple[str, ...]:
    if text_width(name, _NAME) < 132 or " " not in name:
        return (name,)
    cuts = [i for i, char in enumerate(name) if char == " "]
    cut = min(cuts, key=lambda i: abs(i - len(name) / 2))
    return (name[:cut], name[cut + 1 :])


def _name(space: Space, tile: Tile, name: str, at: str, first: float) -> str:
    lines = _name_lines(name)
    size = min(_NAME, _NAME * 160 / max(text_width(line, _NAME) for line in lines))
    width = max(text_width(line, size) for line in lines)
    spot = space.place(width, size * _PITCH * len(lines), _rows(first))
    top = spot.y - size * _PITCH * (len(lines) - 1) / 2
    drawn = (text(line, spot.x, top + i * size * _PITCH, size) for i, line in enumerate(lines))
    return group(*drawn, class_=f"name on-{tile.colour}", data_name=at)


def _revenue_disc(space: Space, stop: StopDef, at: str, near: Point | None) -> str:
    value = str(stop.revenue[0])
    wishes = _around(60)
    if near is not None:
        wishes = tuple(sorted(wishes, key=near.distance))
    spot = space.place(2 * _REVENUE, 2 * _REVENUE, wishes)
    return group(
        tag("circle", class_="disc", cx=spot.x, cy=spot.y, r=_REVENUE),
        text(value, spot.x, spot.y, 22 if len(value) < 3 else 17, class_="ink"),
        data_revenue=at,
    )


def _runs(revenue: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """Return value, first and last colour of each run of equal values."""
    found: list[tuple[int, int, int]] = []
    for index, value in enumerate(revenue):
        if found and found[-1][0] == value:
            found[-1] = (value, found[-1][1], index)
        else:
            found.append((value, index, index))
    return found


def _revenue_row(space: Space, stop: StopDef, at: str, phase_colour: str) -> str:
    """Return a row of boxes in the colours of the phases; the one that counts now stands out."""
    width, high, top = _CELL * len(stop.revenue), _CELL_HIGH, -_CELL_HIGH / 2
    spot = space.place(width + 4, high + 4, (Point(0, 0), *_rows(10)))
    now = COLOURS.index(phase_colour) - 1 if phase_colour in COLOURS[1:] else -1
    left, boxes, marks = -width / 2, [], []
    for value, first, last in _runs(stop.revenue):
        x, wide = left + _CELL * first, _CELL * (last - first + 1)
        due = first <= now <= last
        for index in range(first, last + 1):
            colour = COLOURS[index + 1]
            boxes.append(
                tag("rect", class_=colour, x=left + _CELL * index, y=top, width=_CELL, height=high)
            )
        frame = "now" if due else "rim"
        marks.append(tag("rect", class_=frame, x=x, y=top, width=wide, height=high, rx=2))
        size, weight = (24, "800") if due else (22, "600")
        marks.append(text(str(value), x + wide / 2, 0, size, class_="ink", font_weight=weight))
    marks.sort(key=lambda mark: 'class="now"' in mark)
    return group(*boxes, *marks, transform=moved(*spot), data_revenue=at)


def _revenues(space: Space, tile: Tile, orientation: str, at: str, phase_colour: str) -> list[str]:
    """Return the values of the stops; once where all stops of the tile are worth the same."""
    paying = [(i, stop) for i, stop in enumerate(tile.stops) if any(stop.revenue)]
    alike = len({stop.revenue for _, stop in paying}) == 1
    found = []
    for index, stop in paying[:1] if alike else paying:
        where = f"{at}.{index}"
        if len(set(stop.revenue)) > 1:
            found.append(_revenue_row(space, stop, where, phase_colour))
        else:
            near = None if alike else places(tile, orientation)[index].point
            found.append(_revenue_disc(space, stop, where, near))
    return found


def label_text(label: str) -> str:
    """Return a label as players write it: one that stands for two cities with a stroke between."""
    return "/".join(label) if len(label) == 2 and label[0] != label[1] else label


def _label(space: Space, label: str, at: str, between: bool) -> str:
    """Return the label of a tile; `between` its stops if it has several and there is room."""
    shown = label_text(label)
    size = 28 if len(shown) == 1 else 22
    wishes = (ORIGIN, *_around(68)) if between else _around(68)
    spot = space.place(text_width(shown, size) - 4, size * 0.8, wishes)
    return text(shown, spot.x, spot.y, size, class_="label", data_label=at)


def _piece(space: Space, shapes: tuple[Shape, ...]) -> str:
    """Return a piece in the shape and place for which there is most room."""
    sizes = [(shape.width, shape.height) for shape in shapes]
    index, spot = space.place_one(sizes, _around(62))
    return tag("g", shapes[index].drawn, transform=moved(*spot))


def _side_mark(space: Space, side: str, at: str) -> str:
    """Return the mark of a place in the east or west, which a bonus is for."""
    spot = space.place(24, 24, _around(66))
    return group(
        title("West" if side == "W" else "East"),
        tag("circle", class_="disc", cx=spot.x, cy=spot.y, r=13),
        text(side, spot.x, spot.y, 18, class_="side"),
        data_side=at,
    )


def _goal(space: Space, companies: tuple[str, ...], at: str) -> str:
    """Return the companies whose destination a place is."""
    shown = "→" + " ".join(companies)
    spot = space.place(text_width(shown, 17), 15, _rows(40))
    return group(
        title(f"Destination of {', '.join(companies)}"),
        text(shown, spot.x, spot.y, 17, class_="goal"),
        data_goal=at,
    )


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


def _small_cost(space: Space, ground: Ground, at: str, stacked: bool) -> str:
    """Return the cost of a hex that shows other things too: in a line, or symbol above number."""
    symbol = TERRAIN.get(ground.terrain, "")
    beside = 46.0 if symbol and not stacked else 0.0
    number = text_width(str(ground.cost), 22) + 4 if ground.cost else 0.0
    width = max(beside + number + 38 * len(ground.upgrade_cost), 40)
    height, low = (52, 14) if symbol and stacked else (26, 1)
    wishes = _around(50) if stacked else _rows(52)
    spot = space.place(width, height, wishes)
    left, high = (0.0, -12) if stacked else (22 - width / 2, 0)
    use = f"translate({num(left)} {high})scale(.8)"
    shown = tag("use", href=f"#carril-{symbol}", transform=use) if symbol else ""
    left = beside - width / 2
    if ground.cost:
        shown += text(str(ground.cost), left + number / 2, low, 22, class_="ink")
    shown += _upgrade_chips(ground, left + number, low)
    return tag("g", title(_cost_words(ground)), shown, transform=moved(*spot), data_cost=at)


def _consent(space: Space, minor: str, at: str) -> str:
    spot = space.place(34, 38, (*_around(58),) if space.taken else (Point(0, 0),))
    return tag(
        "g",
        title(f"The first tile needs the consent of the owner of {minor}"),
        tag("path", class_="mark", d="M-16 -17H16V4C16 13 8 17 0 20C-8 17 -16 13 -16 4Z"),
        text(minor, 0, 0, 22 if len(minor) < 3 else 14, class_="marked"),
        transform=moved(*spot),
        data_consent=at,
    )


@lru_cache(maxsize=4096)
def draw_marks(
    tile: Tile, orientation: str, ground: Ground, at: str, phase_colour: str = ""
) -> str:
    """Return all marks of a hex or tile, placed so that they do not cover one another."""
    space = Space(orientation, _obstacles(tile, orientation))
    parts = [_number(space, ground.number, orientation)] if ground.number else []
    offboard = any(stop.kind == "offboard" for stop in tile.stops)
    if offboard:
        parts += _revenues(space, tile, orientation, at, phase_colour)
    if ground.name:
        first = _name_row(tile, orientation, offboard)
        parts.append(_name(space, tile, ground.name, at, first))
    if not offboard:
        parts += _revenues(space, tile, orientation, at, phase_colour)
    parts += [_piece(space, shapes) for shapes in ground.pieces]
    if tile.label:
        parts.append(_label(space, tile.label, at, len(tile.stops) > 1))
    if sides := [side for side in ("E", "W") if any(side in stop.tags for stop in tile.stops)]:
        parts.append(_side_mark(space, sides[0], at))
    if ground.goal_of:
        parts.append(_goal(space, ground.goal_of, at))
    if ground.consent_of:
        parts.append(_consent(space, ground.consent_of, at))
    if ground.cost or ground.upgrade_cost:
        bare = not (tile.stops or tile.paths or ground.name)
        parts.append(
            _big_cost(ground, at) if bare else _small_cost(space, ground, at, bool(tile.paths))
        )
    return "".join(parts)


def _number(space: Space, number: str, orientation: str) -> str:
    """Return the number of a tile, small in a corner, the lower right one if it is free."""
    width = text_width(number, 14)
    x, y = (45.0, INNER - 11) if orientation == "flat" else (INNER - 5, 44.0)
    x -= width / 2
    spot = space.place(width, 14, (Point(x, y), Point(-x, y), Point(x, -y), Point(-x, -y)))
    return text(number, spot.x, spot.y, 14, class_="tile-number")


def _name_row(tile: Tile, orientation: str, offboard: bool) -> float:
    """Return how high a name is best: above the stop."""
    if offboard:
        return -38
    where = places(tile, orientation)
    if not where:
        return -40
    return -30 if tile.stops[0].kind == "town" and len(where) == 1 and not tile.paths else -50
