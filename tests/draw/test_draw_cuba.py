"""A map with two gauges, harbours, cane fields, mills and waiting markers; charters without owners.

18Cuba is the title that has all of these.
"""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from carril.draw import definitions, draw_charter, draw_map, draw_market, draw_tile
from carril.draw.geometry import Point
from carril.draw.placing import Mark, Size, Space
from carril.engine.board import Board
from carril.engine.registry import title_named
from carril.engine.setups import all_setups, tables_for
from carril.engine.state import IPO, POOL, State
from carril.engine.tile import Tile
from tests.rulebook.cuba.positions import extra, game, major, minor
from tests.table import charter

TABLES = title_named("18Cuba").tables
SVG = "{http://www.w3.org/2000/svg}"


def attributes(svg: str, name: str) -> Counter[str]:
    return Counter(
        value for e in ElementTree.fromstring(svg).iter() if (value := e.get(name)) is not None
    )


def drawn(state: State) -> str:
    return draw_map(state.tables, state.board, pieces=state.title.answers.map_pieces(state))


def texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg).iter(f"{SVG}text")]


def test_waiting_markers_show_until_their_hex_is_green() -> None:
    # The eight markers are at B7 (on the map), B9, B11, C14, D15, D19, E22 and G24.
    state = game(4)
    waiting = {"B9", "B11", "C14", "D15", "D19", "E22", "G24"}
    assert attributes(drawn(state), "data-piece") == dict.fromkeys(waiting, 1)
    yellow = replace(state, board=Board({"B9": ("57", 0)}, state.board.tokens))
    assert attributes(drawn(yellow), "data-piece")["B9"] == 1
    green = replace(state, board=Board({"B9": ("14", 0)}, state.board.tokens))
    assert "B9" not in attributes(drawn(green), "data-piece")


def test_half_maps_show_only_their_own_markers() -> None:
    east, west = (game(2, variants=("easy", half)) for half in ("east", "west"))
    assert set(attributes(drawn(east), "data-piece")) == {"D19", "E22", "G24"}
    assert set(attributes(drawn(west), "data-piece")) == {"B9", "B11", "C14", "D15"}


def test_the_edge_of_a_half_map_has_a_red_and_a_dark_green_hex() -> None:
    for half, red, green in (("east", "D15", "C16"), ("west", "D19", "C18")):
        root = ElementTree.fromstring(drawn(game(2, variants=("easy", half))))
        colours = {e.get("data-hex"): e.get("class") for e in root.iter() if e.get("data-hex")}
        assert (colours[red], colours[green]) == ("hex red", "hex darkgreen")


def test_a_mill_shows_the_cubes_in_its_box() -> None:
    board = Board({"C4": ("L52", 0), "D13": ("L54", 0)}, {"C4": (("HG",),), "D13": (("JU",),)})
    state = extra(replace(game(4), board=board), cubes={"HG": 3})
    root = ElementTree.fromstring(drawn(state))
    mills = {e.get("data-owner"): e for e in root.iter() if "mill" in (e.get("class") or "")}
    assert set(mills) == {"HG", "JU"}
    assert mills["HG"].findtext(f"{SVG}text") == "3"
    assert mills["HG"].findtext(f"{SVG}title") == "Mill of HG: 3 cubes in the box"
    assert mills["JU"].find(f"{SVG}text") is None


def test_every_harbour_has_the_heads_of_its_arrows() -> None:
    # 14 harbours, of which A8, A10, D23, E14 and H25 have two arrows: 19 heads.
    svg = draw_map(TABLES, Board())
    heads = [e for e in ElementTree.fromstring(svg).iter() if e.get("class") == "arrow head"]
    assert len(heads) == 14
    assert sum((e.get("d") or "").count("M") for e in heads) == 19


def test_barriers_are_walls() -> None:
    assert draw_map(TABLES, Board()).count('class="wall"') == 3


@pytest.mark.parametrize("tile", TABLES.tiles.values(), ids=lambda tile: tile.number)
def test_narrow_track_is_broken_and_standard_track_is_not(tile: Tile) -> None:
    narrow = [path for path in tile.paths if path.gauge == "narrow"]
    root = ElementTree.fromstring(draw_tile(tile, orientation="pointy"))
    gaps = [e.get("d") or "" for e in root.iter() if e.get("class") == "gap narrow"]
    assert sum(d.count("M") for d in gaps) == len(narrow)


@pytest.mark.parametrize("number", ["L52", "L66", "L72", "L76", "L77"])
@pytest.mark.parametrize("turn", range(6))
def test_a_mill_covers_no_circle_of_its_city(number: str, turn: int) -> None:
    board = Board({"F21": (number, turn)}, {"F21": (("CO",),)})
    state = extra(replace(game(4), board=board), cubes={"CO": 3})
    root = ElementTree.fromstring(drawn(state))
    parents = {child: parent for parent in root.iter() for child in parent}
    mill = next(e for e in root.iter() if e.get("class") == "piece mill")
    x, y = map(float, (parents[mill].get("transform") or "")[10:-1].split())
    stop = next(e for e in root.iter() if e.get("data-stop") == "F21.0")
    circles = [e for e in stop.iter() if e.get("class") == "slot"]
    # The short side of a mill with its cube is 27 units; a circle has a radius of 26.
    for circle in circles:
        middle = Point(float(circle.get("cx") or 0), float(circle.get("cy") or 0))
        assert middle.distance(Point(x, y)) > 26 + 27 / 2 - 3


def test_a_piece_takes_the_shape_for_which_there_is_room() -> None:
    sizes = (Size(400, 10), Size(10, 10))
    mark = Mark(sizes, (Point(0, 0),), lambda number, spot: f"{number} at {spot.x:g} {spot.y:g}")
    assert Space("pointy").drawn([mark]) == "1 at 0 0"


def test_definitions_of_every_set_up_have_each_identifier_once() -> None:
    title = title_named("18Cuba")
    for players, variants in all_setups(title):
        defined = definitions(tables_for(title, players, variants))
        assert set(attributes(f"<svg>{defined}</svg>", "id").values()) == {1}


def test_the_chart_is_two_rows_that_zigzag() -> None:
    root = ElementTree.fromstring(draw_market(TABLES, game(4).markers))
    places = {e.get("data-space"): e.get("transform") or "" for e in root.iter()}
    heights = {place.split()[1] for space, place in places.items() if space}
    assert len(heights) == 2
    assert places["0.0"].split()[1] != places["0.1"].split()[1]
    assert {"50", "55", "300"} <= {e.text for e in root.iter(f"{SVG}text")}


def test_the_state_railway_has_no_president_on_its_charter() -> None:
    state = charter(game(4), "FC", shares={IPO: 8, "Ana": 2}, trains=("1", "2", "3"))
    svg = draw_charter(state, "FC")
    assert not {"President", "nobody", "Par"} & set(texts(svg))
    assert list(attributes(svg, "data-train")) == ["1", "2", "3"]
    assert "3 cities, by its newest train 3" in texts(svg)
    assert attributes(svg, "data-holder") == {"Ana": 1, "ipo": 1}


def test_a_long_stack_of_trains_goes_on_in_the_next_line() -> None:
    trains = ("1", *("2",) * 8, *("3",) * 6)
    svg = draw_charter(charter(game(4), "FC", trains=trains), "FC")
    root = ElementTree.fromstring(svg)
    chips = [e for e in root.iter() if e.get("data-train")]
    assert len(chips) == 15
    assert len({e.get("y") for e in chips}) == 2
    assert max(float(e.get("x", "")) for e in chips) < 540


def test_the_charter_of_a_major_shows_wagons_mail_and_locked_stations() -> None:
    state = major(game(4), "MS", {"Ben": 4, "Ana": 1, POOL: 1}, trains=("3+", "1w", "2w"))
    svg = draw_charter(extra(state, mail="MS"), "MS")
    assert "Wagons" in texts(svg)
    assert {"3+", "1w", "2w"} == set(attributes(svg, "data-train"))
    assert "10 at the start of each turn" in texts(svg)
    assert "for 60, until at most 30% is in the treasury" in texts(svg)
    assert "for 80, until no share is in the treasury" in texts(svg)
    assert attributes(svg, "data-holder") == {"Ben": 1, "Ana": 1, "pool": 1, "treasury": 1}
    unlocked = draw_charter(charter(state, "MS", locked=1), "MS")
    assert "for 60, until at most 30% is in the treasury" not in texts(unlocked)
    assert "for 80, until no share is in the treasury" in texts(unlocked)


def test_the_charter_of_a_minor_shows_machines_and_cubes() -> None:
    state = minor(game(4), "HG", {"Ana": 3}, trains=("2n",))
    # One machine of the first generation (10) and one of the third (40).
    state = extra(state, machines={"HG": ("1", "3")}, cubes={"HG": 2})
    svg = draw_charter(state, "HG")
    assert "2 of 3 (generation 1, 3), +50 a run" in texts(svg)
    assert "2 cubes in the box" in texts(svg)
    assert attributes(svg, "data-holder") == {"Ana": 1, "treasury": 1}
