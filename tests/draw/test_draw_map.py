"""The map: everything on it once, escaped, the same each time, and clear about bad input."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from math import hypot
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from carril.draw import Picture, RouteLine, draw_map, ground
from carril.draw.geometry import INNER, RADIUS, Point, between, centre
from carril.draw.ground import Face, draw_layers
from carril.draw.map_key import MapKey
from carril.draw.routes import route_points
from carril.engine.board import Board, tile_at
from carril.engine.registry import title_named
from carril.engine.tables import Tables

TABLES = title_named("18EU").tables

# A board of the middle game: Berlin green, Vienna brown, cities with one, two and three circles.
BOARD = Board(
    laid={
        "J5": ("581", 0),
        "K14": ("584", 0),
        "A10": ("583", 3),
        "E6": ("513", 0),
        "D7": ("14", 1),
        "C8": ("582", 0),
        "E8": ("81", 0),
        "C18": ("9", 0),
        "B7": ("4", 2),
        "C6": ("3", 0),
        "I6": ("8", 4),
        "D5": ("146", 0),
    },
    tokens={
        "E6": (("DR", "FS", "SNCF"),),
        "K14": (("KPEV", "KKÖ"),),
        "J5": (("7",), (), ("9",)),
        "A10": (("NS",), ("SNCB", "1")),
    },
)


def attributes(svg: str, name: str) -> Counter[str]:
    return Counter(
        value for e in ElementTree.fromstring(svg).iter() if (value := e.get(name)) is not None
    )


@pytest.mark.parametrize("board", [Board(), BOARD], ids=["empty", "middle"])
def test_every_part_of_the_map_is_there_once(board: Board) -> None:
    svg = draw_map(TABLES, board)
    tiles = {hex_id: tile_at(TABLES, board, hex_id) for hex_id in TABLES.hexes}
    bare = {h: d for h, d in TABLES.hexes.items() if h not in board.laid}
    assert attributes(svg, "data-hex") == dict.fromkeys(TABLES.hexes, 1)
    assert attributes(svg, "data-stop") == {
        f"{h}.{i}": 1 for h, tile in tiles.items() for i in range(len(tile.stops))
    }
    assert attributes(svg, "data-revenue") == {
        f"{h}.0": 1 for h, tile in tiles.items() if any(any(s.revenue) for s in tile.stops)
    }
    assert attributes(svg, "data-label") == {h: 1 for h, tile in tiles.items() if tile.label}
    assert attributes(svg, "data-name") == {h: 1 for h, d in TABLES.hexes.items() if d.name}
    assert attributes(svg, "data-consent") == {h: 1 for h, d in bare.items() if d.consent_of}
    assert attributes(svg, "data-token") == {
        f"{h}.{i}": len(city)
        for h, cities in board.tokens.items()
        for i, city in enumerate(cities)
        if city
    }
    costs = {h for h, d in bare.items() if d.cost or d.upgrade_cost}
    costs |= {h for h in board.laid if TABLES.hexes[h].upgrade_cost}
    assert attributes(svg, "data-cost") == dict.fromkeys(costs, 1)
    assert len(svg.encode()) < 150_000


def test_an_upgrade_that_is_done_costs_no_more() -> None:
    assert "C18" in attributes(draw_map(TABLES, BOARD), "data-cost")
    green = Board({"C18": ("82", 0)})
    assert "C18" not in attributes(draw_map(TABLES, green), "data-cost")


def test_homes_show_until_the_minor_has_its_token() -> None:
    minors = {company.symbol for company in TABLES.of_kind("minor")}
    assert attributes(draw_map(TABLES, Board()), "data-home") == dict.fromkeys(minors, 1)
    placed = Board(tokens={"D13": (("14",),)})
    assert "14" not in attributes(draw_map(TABLES, placed), "data-home")


def test_identifiers_are_unique_and_every_reference_resolves() -> None:
    svg = draw_map(TABLES, BOARD)
    ids = attributes(svg, "id")
    assert set(ids.values()) == {1}
    assert {ref.removeprefix("#") for ref in attributes(svg, "href")} <= set(ids)
    fills = {fill[5:-1] for fill in attributes(svg, "fill") if fill.startswith("url(#")}
    assert fills
    assert fills <= set(ids)


def test_majors_are_told_by_symbol_and_pattern_not_only_by_colour() -> None:
    majors = [company.symbol for company in TABLES.of_kind("major")]
    board = Board(tokens={"E6": (tuple(majors),)})
    root = ElementTree.fromstring(draw_map(TABLES, board))
    ns = "{http://www.w3.org/2000/svg}"
    shapes = {
        "".join(ElementTree.tostring(e, "unicode") for e in pattern.findall(f"{ns}g/*"))
        for pattern in root.iter(f"{ns}pattern")
    }
    assert len(shapes) == len(majors)
    shown = {e.text for e in root.iter(f"{ns}text")}
    assert set(majors) <= shown


def test_the_same_position_gives_the_same_picture() -> None:
    again = Board(dict(BOARD.laid), dict(BOARD.tokens))
    assert draw_map(TABLES, BOARD) == draw_map(TABLES, again)


def test_names_and_titles_are_escaped() -> None:
    name = 'A & B <i>"C"</i>'
    hexes = {**TABLES.hexes, "E6": replace(TABLES.hexes["E6"], name=name)}
    route = RouteLine('"><script>', ("E6.0",), name)
    svg = draw_map(replace(TABLES, hexes=hexes), Board(), title=name, routes=(route,))
    root = ElementTree.fromstring(svg)
    assert all("script" not in element.tag for element in root.iter())
    assert sum(name in (element.text or "") for element in root.iter()) >= 3


def test_the_value_of_the_phase_stands_out() -> None:
    assert draw_map(TABLES, Board(), phase_colour="green") == draw_map(TABLES, Board())
    late = draw_map(TABLES, Board(), phase_colour="brown")
    assert late != draw_map(TABLES, Board())
    assert late.count('class="now"') == 5


def test_coordinates_and_highlight() -> None:
    assert "aria-hidden" not in draw_map(TABLES, Board(), coordinates=False)
    lit = draw_map(TABLES, Board(), highlight=["E8", "H9", "E8"])
    assert attributes(lit, "data-highlight") == {"E8": 1, "H9": 1}


def test_a_route_follows_the_track_through_adjacent_hexes() -> None:
    path = ("E6.0", "D7.0", "C8.0")
    points = route_points(TABLES, BOARD, path)
    assert points[0] == centre("E6", "flat")
    assert points[-1].distance(centre("C8", "flat")) < 1e-6
    assert max(a.distance(b) for a, b in pairwise(points)) < 20
    for point in points:
        assert min(point.distance(centre(h[:2], "flat")) for h in path) <= RADIUS
    border = between(centre("E6", "flat"), centre("D7", "flat"))
    assert min(point.distance(border) for point in points) < 1


def test_a_route_over_a_plain_junction() -> None:
    board = Board({"E8": ("81", 0), "E10": ("9", 0), "D7": ("57", 5)})
    points = route_points(TABLES, board, ("D7.0", "E8", "E10"))
    assert points[0] == centre("D7", "flat")
    south = centre("E8", "flat")
    assert points[-1].distance(south.plus(Point(0, INNER))) < 1e-6


def test_routes_that_share_hexes_run_side_by_side_whatever_their_direction() -> None:
    there = RouteLine("#f00", ("E6.0", "D7.0", "C8.0"), "one")
    back = RouteLine("#00f", ("C8.0", "D7.0", "E6.0"), "two")
    svg = draw_map(TABLES, BOARD, routes=(there, back, there))
    root = ElementTree.fromstring(svg)
    lines = [e.get("d") for e in root.iter() if e.get("data-route")]
    assert len(set(lines)) == 3
    assert attributes(svg, "data-visit") == {"E6.0": 3, "D7.0": 3, "C8.0": 3}
    assert svg.count("two</text>") == 1


@pytest.mark.parametrize(
    ("path", "message"),
    [
        (("E6.0", "Z9"), "no hex 'Z9'"),
        (("",), "no hex ''"),
        (("E6.7",), "E6 has 1 stop"),
        (("E6.x",), "E6 has 1 stop"),
        (("E6.0", "H7.0"), "not neighbours"),
        (("E6.0", "E4"), None),
        (("E6.0", "F7", "F9.0"), "no track in F7"),
    ],
)
def test_a_bad_route_is_refused_in_words(path: tuple[str, ...], message: str | None) -> None:
    if message is None:
        draw_map(TABLES, BOARD, routes=(RouteLine("red", path),))
        return
    with pytest.raises(ValueError, match=message):
        draw_map(TABLES, BOARD, routes=(RouteLine("red", path),))


@pytest.mark.parametrize(
    ("board", "highlight", "message"),
    [
        (Board({"Z1": ("8", 0)}), (), "tile on 'Z1'"),
        (Board({"E8": ("8888", 0)}), (), "tile '8888' on E8"),
        (Board(tokens={"Z1": (("FS",),)}), (), "token on 'Z1'"),
        (Board(tokens={"E6": (("XYZ",),)}), (), "no company 'XYZ'"),
        (Board(), ("Q1",), "highlight on 'Q1'"),
    ],
)
def test_a_board_that_does_not_fit_the_map_is_refused_in_words(
    board: Board, highlight: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        draw_map(TABLES, board, highlight=highlight)


def test_a_pointy_map_is_drawn_by_the_same_functions() -> None:
    pointy: Tables = replace(TABLES, orientation="pointy")
    svg = draw_map(pointy, BOARD)
    assert attributes(svg, "data-hex") == dict.fromkeys(TABLES.hexes, 1)


def test_picture_shows_itself_and_can_be_saved(tmp_path: object) -> None:
    picture = Picture.of_map(TABLES, BOARD, title="18EU")
    path = picture.save(f"{tmp_path}/map.svg")
    assert path.read_text("utf-8") == picture._repr_svg_() == str(picture)
    assert Picture.of_tile(TABLES.tiles["57"]).svg.startswith("<svg")
    assert Picture.of_market(TABLES, ()).svg.startswith("<svg")


def test_kept_hexes_are_those_that_would_be_drawn_anew() -> None:
    """Only what changed is drawn again; the map is the same as one drawn from nothing."""
    moved_on = replace(
        BOARD,
        laid={**BOARD.laid, "E6": ("513", 1), "C6": ("3", 2)},
        tokens={**BOARD.tokens, "E6": (("DR", "FS"),), "J5": (("7",), (), ())},
    )
    kept = [
        draw_map(TABLES, board, phase_colour=colour, notes=notes, present=present)
        for board in (BOARD, moved_on, BOARD)
        for colour in ("green", "brown")
        for notes in (None, {}, {"E6": "a note"})
        for present in (None, ("DR", "1"))
    ]
    ground.draw_layers.cache_clear()
    ground.draw_ground.cache_clear()
    assert len(set(kept)) == 24
    assert kept[12:24][0] == draw_map(
        TABLES, moved_on, phase_colour="green", notes=None, present=None
    )
    assert kept[-1] == draw_map(
        TABLES, BOARD, phase_colour="brown", notes={"E6": "a note"}, present=("DR", "1")
    )


def test_few_hexes_are_kept() -> None:
    assert ground.draw_layers.cache_info().maxsize == ground.draw_ground.cache_info().maxsize
    assert 0 < (ground.draw_layers.cache_info().maxsize or 0) < 10_000


def test_a_label_keeps_clear_of_a_token_without_a_slot() -> None:
    """Two companies with the same home share its circle until one of them moves."""
    tables = title_named("18ESP").tables
    face = Face("F24", ("L83", 0), circles=((), (), ("MZ", "MZA")))
    layers = draw_layers(MapKey(tables), face)
    label = re.search(r'<text x="([-.\d]+)" y="([-.\d]+)"[^>]*data-label', layers.marks)
    tokens = re.findall(r'<use href="#carril-token-\d+" x="([-.\d]+)" y="([-.\d]+)"', layers.stops)
    assert label
    assert len(tokens) == 2
    x, y = float(label[1]), float(label[2]) - 10  # the middle of the letter
    for left, top in tokens:
        assert hypot(float(left) - x, float(top) - y) > 38
