"""The stops of a tile. Each kind has one small function that draws it; `KINDS` lists them."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

from carril.engine.tile import StopDef, Tile

from .geometry import Point, polar
from .svg import group, moved, num, tag, title
from .track import Place, places

SLOT = 27.0
_TOWN = 13.0


def slot_points(stop: StopDef, place: Place) -> tuple[Point, ...]:
    """Return the middles of a city's circles: one, a pair, a triangle, a square, or a row."""
    along, across = polar(place.axis, SLOT), polar(place.axis + 90, SLOT)
    middle, slots = place.point, max(stop.slots, 1)
    if slots == 3:
        low = middle.plus(across, 1 / sqrt(3))
        return (low.plus(along, -1), low.plus(along), middle.plus(across, -2 / sqrt(3)))
    if slots == 4:
        top, low = middle.plus(across, -1), middle.plus(across)
        return (top.plus(along, -1), top.plus(along), low.plus(along), low.plus(along, -1))
    return tuple(middle.plus(along, 2 * i - (slots - 1)) for i in range(slots))


def outline(stop: StopDef, place: Place) -> tuple[str, float]:
    """Return a line through the middle of a stop, and how thick it must be to cover the stop."""
    if not stop.slots:
        reach = 24.0 if stop.kind == "harbour" else 13.0
        return f"M{num(place.point.x)} {num(place.point.y)}h.01", 2 * reach
    points = slot_points(stop, place)
    path = "M" + "L".join(f"{num(p.x)} {num(p.y)}" for p in points)
    return (path + "h.01" if len(points) == 1 else path + "Z"), 2 * SLOT


def _city(stop: StopDef, place: Place) -> str:
    path, width = outline(stop, place)
    back = ""
    if stop.slots > 1:
        back = tag("path", class_="rim", d=path, stroke_width=width + 6) + tag(
            "path", class_="city", d=path, stroke_width=width + 1
        )
    slots = (
        tag("circle", class_="slot", cx=p.x, cy=p.y, r=SLOT - 1) for p in slot_points(stop, place)
    )
    return back + "".join(slots)


def _town(stop: StopDef, place: Place) -> str:
    if len(place.exits) == 2:
        where = moved(*place.point, place.axis)
        return tag("rect", class_="town", x=-21, y=-7, width=42, height=14, rx=3, transform=where)
    return tag("circle", class_="town", cx=place.point.x, cy=place.point.y, r=_TOWN)


def _symbol(name: str, reach: float) -> Callable[[StopDef, Place], str]:
    def draw(stop: StopDef, place: Place) -> str:
        x, y = place.point
        back = tag("circle", class_="disc", cx=x, cy=y, r=reach)
        return back + tag("use", href=f"#carril-{name}", x=x, y=y)

    return draw


def _offboard(stop: StopDef, place: Place) -> str:
    """Draw the ground of an off-board place: its values, placed with the marks, are the stop."""
    return ""


def _plain(stop: StopDef, place: Place) -> str:
    return tag("circle", class_="disc", cx=place.point.x, cy=place.point.y, r=_TOWN)


KINDS: dict[str, Callable[[StopDef, Place], str]] = {
    "city": _city,
    "town": _town,
    "harbour": _symbol("anchor", 24),
    "mine": _symbol("mine", 18),
    "field": _symbol("cane", 22),
    "offboard": _offboard,
    "pass": _city,
}

_REACH = {"town": 15.0, "harbour": 26.0, "mine": 20.0, "field": 24.0}


def reach_discs(tile: Tile, orientation: str) -> tuple[tuple[Point, float], ...]:
    """Return discs that cover the stops of a tile, so that nothing is written on them."""
    found: list[tuple[Point, float]] = []
    for stop, place in zip(tile.stops, places(tile, orientation), strict=True):
        if stop.kind == "offboard":
            continue
        if stop.slots:
            found += [(point, SLOT + 2) for point in slot_points(stop, place)]
        elif stop.kind == "town" and len(place.exits) == 2:
            found += [(place.point.plus(polar(place.axis, x)), 10.0) for x in (-13, 0, 13)]
        else:
            found.append((place.point, _REACH.get(stop.kind, 15.0)))
    return tuple(found)


def describe(stop: StopDef, name: str) -> str:
    """Return a stop in words, for hovering and screen readers."""
    values = "/".join(str(value) for value in dict.fromkeys(stop.revenue))
    words = [name or stop.kind.capitalize()]
    if name:
        words.append(stop.kind)
    if stop.slots > 1:
        words.append(f"{stop.slots} circles")
    if values != "0":
        words.append(f"pays {values}")
    return ", ".join(words)


def draw_stops(tile: Tile, orientation: str, at: str, name: str = "") -> str:
    """Return the stops of a tile; `at` is the hex, or the number of a tile off the map."""
    parts = []
    for index, (stop, place) in enumerate(zip(tile.stops, places(tile, orientation), strict=True)):
        draw = KINDS.get(stop.kind, _plain)
        parts.append(
            tag(
                "g",
                title(describe(stop, name)),
                draw(stop, place),
                class_=f"stop-{stop.kind}",
                data_stop=f"{at}.{index}",
            )
        )
    return group(*parts)
