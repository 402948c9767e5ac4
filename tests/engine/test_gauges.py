"""Gauges: narrow and broad track may meet in a city or at a side without joining.

The tiles are those of a game with two gauges on one map; their numbers, tracks and upgrades are
written down by hand.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.board import Board
from carril.engine.hexes import EDGES, neighbour
from carril.engine.network import has_route, joined, next_stops, reach
from carril.engine.registry import TITLES
from carril.engine.tables import CompanyDef, HexDef, Tables, same_kind
from carril.engine.tile import Tile, city_map, read_tile, side_bits, turned
from carril.engine.track import fits, joins, lengthens


def plain(number: str, *tracks: str) -> Tile:
    """Read a tile without a stop: "n0-2" is narrow track, "b0-2" broad track."""
    gauges = {"n": "narrow", "b": "broad", "d": "dual"}
    paths = [f"{track[1:]}:{gauges[track[0]]}" for track in tracks]
    colour = "yellow" if len(paths) == 1 else "green"
    return read_tile(number, {"colour": colour, "count": 9, "paths": paths})


def city(number: str, colour: str, narrow: str, broad: str, slots: int) -> Tile:
    """Read a tile with one city and these edges of narrow and of broad track."""
    paths = [f"{edge}-c0:narrow" for edge in narrow] + [f"{edge}-c0:broad" for edge in broad]
    stop = {"revenue": {"yellow": 20, "green": 30}[colour], "slots": slots}
    row = {"colour": colour, "count": 9, "cities": [stop], "paths": paths}
    return read_tile(number, row)


YELLOW = {
    "7": plain("7", "b0-1"),
    "8": plain("8", "b0-2"),
    "9": plain("9", "b0-3"),
    "77": plain("77", "n0-1"),
    "78": plain("78", "n0-2"),
    "79": plain("79", "n0-3"),
}
MIXED = {
    "710": plain("710", "n0-2", "b1-3"),
    "711": plain("711", "n0-3", "b2-4"),
    "712": plain("712", "b0-2", "n1-3"),
    "713": plain("713", "b0-3", "n2-4"),
    "714": plain("714", "b0-3", "n1-4"),
    "715": plain("715", "n0-3", "b1-4"),
    "IR26": plain("IR26", "b0-3", "n1-2"),
    "IR27": plain("IR27", "n0-3", "b1-2"),
    "IR28": plain("IR28", "n1-3", "b0-4"),
    "IR29": plain("IR29", "n0-1", "b2-4"),
    "IR30": plain("IR30", "n1-2", "b0-4"),
    "IR31": plain("IR31", "b1-2", "n0-4"),
    "IR32": plain("IR32", "b0-1", "n2-4"),
    "IR33": plain("IR33", "b0-1", "n2-3"),
    "IR34": plain("IR34", "n0-1", "b3-4"),
    "IR35": plain("IR35", "n0-1", "b2-3"),
}
CHART = {
    "7": {"IR27", "IR31", "IR32", "IR33", "IR34", "IR35"},
    "8": {"710", "711", "712", "IR28", "IR29", "IR30"},
    "9": {"713", "714", "715", "IR26"},
    "77": {"IR26", "IR29", "IR30", "IR33", "IR34", "IR35"},
    "78": {"710", "712", "713", "IR28", "IR31", "IR32"},
    "79": {"711", "714", "715", "IR27"},
}
CITIES = {
    "L52": city("L52", "yellow", "0", "45", 2),
    "L53": city("L53", "yellow", "4", "05", 2),
    "L54": city("L54", "yellow", "0", "15", 2),
    "L55": city("L55", "yellow", "3", "15", 2),
    "L56": city("L56", "yellow", "2", "15", 2),
    "L57": city("L57", "yellow", "2", "35", 2),
    "L58": city("L58", "yellow", "3", "25", 2),
    "L59": city("L59", "yellow", "1", "25", 2),
    "L60": city("L60", "yellow", "1", "45", 2),
    "L61": city("L61", "yellow", "2", "45", 2),
}
L66 = city("L66", "green", "34", "0125", 3)
L67 = city("L67", "green", "04", "1235", 3)


def keeping(old: Tile, new: Tile) -> list[int]:
    """Return the rotations in which a tile keeps the track of another one."""
    return [turn for turn in range(6) if city_map(old, turned(new, turn)) is not None]


# --- what an upgrade must keep -----------------------------------------------------------------


@pytest.mark.parametrize("old", list(YELLOW))
def test_plain_track_stays_in_its_gauge(old: str) -> None:
    assert {number for number, new in MIXED.items() if keeping(YELLOW[old], new)} == CHART[old]


def test_broad_track_never_becomes_narrow_on_the_same_edges() -> None:
    assert 0 not in keeping(YELLOW["7"], MIXED["IR34"])
    assert keeping(YELLOW["7"], MIXED["IR34"]) == [3]
    assert keeping(YELLOW["77"], MIXED["IR34"]) == [0]


def test_a_city_keeps_each_track_in_its_gauge() -> None:
    assert keeping(CITIES["L52"], L66) == [3]
    only = {"L54": (L67,), "L55": (L66,)}
    for number, old in CITIES.items():
        found = tuple(new for new in (L66, L67) if keeping(old, new))
        assert found == only.get(number, (L66, L67)), number


def test_dual_track_may_replace_either_gauge_but_not_the_other_way_round() -> None:
    dual = plain("dual", "d0-1")
    assert keeping(YELLOW["7"], dual) == keeping(YELLOW["77"], dual) == [0]
    assert keeping(dual, YELLOW["7"]) == []


# --- where track leads -------------------------------------------------------------------------

LINE = ("E5", "E7", "E9", "E11")
"""Hexes in a line: edge 0 leads to the next one, edge 3 back."""
MAP = (*LINE, *(neighbour("E7", edge) for edge in (1, 2, 4, 5)))
TILES = {**YELLOW, **MIXED, **CITIES, "d": plain("d", "d0-3")}
TILES["cn"] = city("cn", "yellow", "03", "", 1)
TILES["cb"] = city("cb", "yellow", "", "03", 1)
TILES["cx"] = city("cx", "yellow", "0", "3", 2)


def world(*cities: str) -> Tables:
    """Return tables with a small map, and companies with one gauge or with any."""
    hexes = {at: _hex(at, at in cities) for at in MAP}
    companies = {
        name: CompanyDef(name, "major", name, name, gauge=gauge)
        for name, gauge in (("narrow", "narrow"), ("broad", "broad"), ("any", ""))
    }
    standard = next(iter(TITLES.values())).tables
    figures = replace(standard.figures, one_circle=())
    changed = replace(standard, hexes=hexes, tiles=TILES, companies=companies, figures=figures)
    return replace(changed, replaces=same_kind)


def _hex(at: str, is_city: bool) -> HexDef:
    row: dict[str, Any] = {"cities": [{"revenue": 0, "slots": 1}]} if is_city else {}
    around = tuple(n if (n := neighbour(at, edge)) in MAP else "" for edge in EDGES)
    return HexDef(at, at, read_tile(at, row), "", 0, {}, "", around)


def line(company: str, *numbers: str) -> tuple[Tables, Board]:
    """Lay tiles along the line, the first being a city with a token of the company."""
    laid = {at: (number, 0) for at, number in zip(LINE, numbers, strict=False)}
    tables = world(*(at for at, (number, _) in laid.items() if TILES[number].stops))
    return tables, Board(laid, {LINE[0]: ((company,),)})


def cities_reached(company: str, *numbers: str) -> set[str]:
    """Return the hexes with a stop that a company reaches along the line."""
    tables, board = line(company, *numbers)
    return {hex_id for hex_id, _ in reach(tables, board, company).stops}


@pytest.mark.parametrize("company", ["narrow", "any"])
def test_track_of_one_gauge_leads_on(company: str) -> None:
    assert cities_reached(company, "cn", "79", "cn") == {"E5", "E9"}


@pytest.mark.parametrize("company", ["narrow", "broad", "any"])
@pytest.mark.parametrize("numbers", [("cn", "9", "cn"), ("cn", "79", "cb"), ("cb", "79", "cb")])
def test_two_gauges_at_one_side_do_not_join(company: str, numbers: tuple[str, ...]) -> None:
    tables, board = line(company, *numbers)
    assert cities_reached(company, *numbers) == {"E5"}
    assert not has_route(tables, board, company)
    assert not joined(tables, board, ("E5", 0), "E9")


def test_track_of_another_gauge_is_not_even_entered() -> None:
    tables, board = line("narrow", "cb", "9", "cb")
    assert reach(tables, board, "narrow").pieces == frozenset()
    assert reach(tables, board, "narrow", "broad").stops == {("E5", 0), ("E9", 0)}


def test_a_city_joins_two_gauges_only_for_who_can_use_both() -> None:
    """The city E7 has broad track to E5 and narrow track to E9."""
    numbers = ("cb", "cx", "cn")
    assert cities_reached("broad", *numbers) == {"E5", "E7"}
    assert cities_reached("narrow", *numbers) == {"E5"}
    assert cities_reached("any", *numbers) == {"E5", "E7", "E9"}


@pytest.mark.parametrize(("company", "first"), [("narrow", "cn"), ("broad", "cb")])
def test_dual_track_serves_both_gauges(company: str, first: str) -> None:
    assert cities_reached(company, first, "d", first) == {"E5", "E9"}
    other = {"cn": "cb", "cb": "cn"}[first]
    assert cities_reached(company, first, "d", other) == {"E5"}


def test_the_next_stop_and_the_route_go_by_gauge() -> None:
    tables, board = line("narrow", "cx", "79", "cn")
    assert list(next_stops(tables, board, "E5", 0)) == [("E9", 0)]
    assert list(next_stops(tables, board, "E5", 0, "narrow")) == [("E9", 0)]
    assert list(next_stops(tables, board, "E5", 0, "broad")) == []
    assert has_route(tables, board, "narrow")
    tables, board = line("broad", "cx", "79", "cn")
    assert not has_route(tables, board, "broad")


def test_entries_tell_the_gauge_that_arrives() -> None:
    tables, board = line("any", "cn")
    assert reach(tables, board, "any").entries == {"E7": side_bits(3, 2)}


# --- what a lay must join ----------------------------------------------------------------------


def upgrades(company: str, number: str) -> dict[str, tuple[bool, bool]]:
    """Return for each rotation of a tile on E7 whether it joins and lengthens the network."""
    first = {"narrow": "cn", "broad": "cb"}[company]
    tables, board = line(company, first, "9")
    entries = reach(tables, board, company).entries.get("E7", 0)
    return {
        f"{fit.tile}/{fit.turn}": (
            joins(tables, board, company, "E7", fit, entries),
            lengthens(tables, board, company, "E7", fit, entries),
        )
        for fit in fits(tables, board, "E7")
        if fit.tile == number
    }


def test_new_track_counts_only_in_the_gauge_of_the_company() -> None:
    """Broad track from E5 to E11 gets narrow track that never arrives from E5."""
    assert upgrades("broad", "IR26") == {"IR26/0": (True, False), "IR26/3": (True, False)}
    assert upgrades("narrow", "IR26") == {"IR26/0": (False, False), "IR26/3": (False, False)}


def test_new_track_must_meet_track_of_its_own_gauge() -> None:
    """On an empty hex where narrow track arrives, only narrow tiles continue it."""
    tables, board = line("narrow", "cn")
    fitting = fits(tables, board, "E7")
    entries = reach(tables, board, "narrow").entries["E7"]
    found = {fit.tile for fit in fitting if lengthens(tables, board, "narrow", "E7", fit, entries)}
    assert found == {"77", "78", "79", "d"}
    assert found == {
        fit.tile for fit in fitting if joins(tables, board, "narrow", "E7", fit, entries)
    }


def test_narrow_track_on_a_broad_tile_serves_who_arrives_by_narrow_track() -> None:
    """Tile 9 becomes IR26: narrow track between edges 1 and 2 is added."""
    beside = neighbour("E7", 1)
    board = Board({beside: ("cn", 1), "E7": ("9", 0)}, {beside: (("narrow",),)})
    tables = world(beside)
    entries = reach(tables, board, "narrow").entries["E7"]
    found = {
        fit.turn: lengthens(tables, board, "narrow", "E7", fit, entries)
        for fit in fits(tables, board, "E7")
        if fit.tile == "IR26"
    }
    assert found == {0: True, 3: False}
