"""Tiles: well-formed in every turn, and track that meets at the edges."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest

from carril.draw import draw_tile
from carril.draw.geometry import INNER, centre, edge_point, polar
from carril.draw.stops import SLOT, slot_points
from carril.draw.track import curves, places, way
from carril.engine.hexes import EDGES, neighbour, opposite
from carril.engine.registry import title_named
from carril.engine.tile import JUNCTION, STOP, Tile, read_tile, turned

TABLES = title_named("18EU").tables
PRINTS = tuple(h.print for h in TABLES.hexes.values() if h.print.stops or h.print.paths)
TILES = (*TABLES.tiles.values(), *PRINTS)


def attributes(svg: str, name: str) -> Counter[str]:
    return Counter(
        value for e in ElementTree.fromstring(svg).iter() if (value := e.get(name)) is not None
    )


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.number)
def test_every_tile_in_every_turn_is_well_formed_and_shows_each_part_once(
    tile: Tile, orientation: str
) -> None:
    for turn in range(6):
        svg = draw_tile(tile, turn=turn, orientation=orientation)
        stops = {f"{tile.number}.{i}": 1 for i in range(len(tile.stops))}
        assert attributes(svg, "data-stop") == stops
        assert attributes(svg, "data-label") == ({tile.number: 1} if tile.label else {})
        values = {stop.revenue for stop in tile.stops if any(stop.revenue)}
        assert len(attributes(svg, "data-revenue")) == len(values)
        assert svg.count('class="slot"') == sum(stop.slots for stop in tile.stops)
        assert len(svg.encode()) < 12_000


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_edges_of_neighbours_meet_on_the_sheet(orientation: str) -> None:
    for edge in EDGES:
        here = centre("E6", orientation).plus(edge_point(edge, orientation))
        there = centre(neighbour("E6", edge, orientation), orientation)
        assert here.distance(there.plus(edge_point(opposite(edge), orientation))) < 1e-6


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.number)
def test_track_crosses_its_edges_in_the_middle_and_at_a_right_angle(
    tile: Tile, orientation: str
) -> None:
    for turn in range(6):
        face = turned(tile, turn)
        for path, curve in zip(face.paths, curves(face, orientation), strict=True):
            for end, line in ((path.a, curve), (path.b, curve.back)):
                if end >= JUNCTION:
                    continue
                assert line.start.distance(edge_point(end, orientation)) < 1e-6
                cross = line.start.x * line.first.y - line.start.y * line.first.x
                assert abs(cross) < 1e-6


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.number)
def test_track_ends_at_the_stop_it_leads_to(tile: Tile) -> None:
    where = places(tile, "flat")
    for path, curve in zip(tile.paths, curves(tile, "flat"), strict=True):
        for end, line in ((path.a, curve), (path.b, curve.back)):
            if end >= STOP:
                assert line.start.distance(where[end - STOP].point) < 1e-6


@pytest.mark.parametrize("tile", TILES, ids=lambda tile: tile.number)
def test_circles_do_not_overlap_and_lie_in_the_hex(tile: Tile) -> None:
    for turn in range(6):
        face = turned(tile, turn)
        points = [
            point
            for stop, place in zip(face.stops, places(face, "flat"), strict=True)
            if stop.slots
            for point in slot_points(stop, place)
        ]
        for index, point in enumerate(points):
            assert all(point.distance(other) > 2 * SLOT - 0.1 for other in points[:index])
            far = max(point.x * n.x + point.y * n.y for n in (polar(30 + 60 * e, 1) for e in EDGES))
            assert far + SLOT < INNER + 1


def test_tracks_of_separate_cities_do_not_cross() -> None:
    for number in ("580", "581", "583"):
        tile = TABLES.tiles[number]
        lines = [curve.points(24) for curve in curves(tile, "flat")]
        for i, path in enumerate(tile.paths):
            for j in range(i):
                if path.b != tile.paths[j].b:
                    apart = min(p.distance(q) for p in lines[i] for q in lines[j])
                    assert apart > 25


def test_four_circles_form_a_square() -> None:
    row = {"cities": [{"revenue": 50, "slots": 4}], "paths": ["0-c0"]}
    tile = read_tile("X", row)
    points = slot_points(tile.stops[0], places(tile, "flat")[0])
    assert len({round(p.x) for p in points}) == len({round(p.y) for p in points}) == 2


def test_way_through_a_tile() -> None:
    junction = TABLES.tiles["81"]
    assert way(junction, 0, 2) == ((0, False), (1, True))
    assert way(junction, 0, 1) is None
    assert way(TABLES.tiles["580"], STOP, STOP + 1) is None


def test_number_of_a_tile_is_escaped() -> None:
    svg = draw_tile(read_tile('<&">', {"colour": "yellow", "towns": [{"revenue": 10}]}))
    assert attributes(svg, "data-tile") == {'<&">': 1}


def test_narrow_track_has_a_broken_line() -> None:
    svg = draw_tile(read_tile("N", {"colour": "yellow", "paths": ["0-3:narrow", "1-4"]}))
    assert svg.count('class="gap narrow"') == 1


@pytest.mark.parametrize("kind", ["mines", "fields", "harbours", "passes", "towns", "offboards"])
def test_every_kind_of_stop_can_be_drawn(kind: str) -> None:
    row = {kind: [{"revenue": {"yellow": 0, "green": 10, "brown": 20, "grey": 30}}] * 2}
    svg = draw_tile(read_tile("K", row))
    assert attributes(svg, "data-stop") == {"K.0": 1, "K.1": 1}


def test_different_values_stand_near_their_own_stops() -> None:
    row = {
        "colour": "yellow",
        "cities": [{"revenue": 20, "slots": 1}, {"revenue": 30, "slots": 1}],
        "paths": ["1-c0", "4-c1"],
    }
    root = ElementTree.fromstring(draw_tile(read_tile("H", row), orientation="pointy"))
    x = {}
    for element in root.iter():
        if where := element.get("data-revenue"):
            x[where] = float(element[0].get("cx", ""))
    assert x["H.0"] < 0 < x["H.1"]
