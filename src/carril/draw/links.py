"""Between hexes: links that lead past the scenery, and sides that no track can cross."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from carril.engine.hexes import EDGES
from carril.engine.tables import Tables

from .geometry import (
    INNER,
    Curve,
    Point,
    centre,
    corners,
    curve_path,
    edge_point,
    polyline_path,
)
from .map_key import MapKey
from .svg import group, tag


def link_curve(tables: Tables, a: str, b: str) -> Curve | None:
    """Return the track between two hexes that are neighbours but do not touch, else None."""
    here, there = centre(a, tables.orientation), centre(b, tables.orientation)
    out = edge_point(tables.hexes[a].neighbours.index(b), tables.orientation)
    back = edge_point(tables.hexes[b].neighbours.index(a), tables.orientation)
    start, end = here.plus(out), there.plus(back)
    apart = start.distance(end)
    if apart < 1:
        return None
    reach = 0.5 * apart / INNER
    return Curve(start, start.plus(out, reach), end.plus(back, reach), end)


def _links(tables: Tables) -> Iterator[Curve]:
    for hex_def in tables.hexes.values():
        for other in hex_def.neighbours:
            if hex_def.id < other and (curve := link_curve(tables, hex_def.id, other)):
                yield curve


@lru_cache(maxsize=16)
def draw_links(kept: MapKey) -> str:
    """Return the track past the scenery, on a band in the colour of the passes."""
    found = [curve_path(curve) for curve in _links(kept.tables)]
    if not found:
        return ""
    return group(
        tag("path", class_="scenery", d="".join(found)),
        *(
            tag("path", class_="casing", d=d)
            + tag("path", class_="track", d=d)
            + tag("path", class_="gap dual", d=d)
            for d in found
        ),
        class_="links",
    )


@lru_cache(maxsize=16)
def draw_walls(kept: MapKey) -> str:
    """Return the sides between two hexes of the map that no track may cross."""
    tables = kept.tables
    orientation = tables.orientation
    place = {_rounded(centre(hex_id, orientation)): hex_id for hex_id in tables.hexes}
    ends = corners(orientation)
    walls = []
    for hex_def in tables.hexes.values():
        middle = centre(hex_def.id, orientation)
        for edge in EDGES:
            beyond = place.get(_rounded(middle.plus(edge_point(edge, orientation), 2)), "")
            shut = not hex_def.neighbours[edge] and hex_def.id < beyond
            both = hex_def.buildable and beyond and tables.hexes[beyond].buildable
            if shut and both:
                side = (ends[edge - 1].plus(middle), ends[edge].plus(middle))
                walls.append(tag("path", class_="wall", d=polyline_path(side)))
    return group(*walls, class_="walls") if walls else ""


def _rounded(point: Point) -> tuple[int, int]:
    return round(point.x), round(point.y)
