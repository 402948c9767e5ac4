"""The upgrades of a tile are those that can be laid on it on some hex of the map."""

from __future__ import annotations

import pytest

from carril.engine.board import Board
from carril.engine.registry import title_named, title_names
from carril.engine.setups import all_setups, tables_for
from carril.engine.tables import Tables
from carril.engine.track import fits
from carril.engine.upgrades import upgrades


def _fitting(tables: Tables, number: str, hex_id: str) -> set[str]:
    """Return the tiles that fit on a tile on a hex, in any rotation."""
    return {
        fit.tile
        for rotation in range(6)
        for fit in fits(tables, Board({hex_id: (number, rotation)}), hex_id)
    }


def _distinct_maps() -> list[Tables]:
    found = {}
    for title in map(title_named, title_names()):
        for players, variants in all_setups(title):
            tables = tables_for(title, players, variants)
            found[id(tables.hexes)] = tables
    return list(found.values())


@pytest.mark.parametrize("tables", _distinct_maps(), ids=lambda tables: tables.package)
def test_the_upgrades_of_every_tile_are_what_fits_on_real_hexes(tables: Tables) -> None:
    """A tile lies on hexes that take it, so its upgrades are tried there and nowhere else."""
    hexes: dict[str, set[str]] = {number: set() for number in tables.tiles}
    for hex_id in tables.hexes:
        for fit in fits(tables, Board(), hex_id):
            hexes[fit.tile].add(hex_id)
    listed = upgrades(tables)
    for number in sorted(tables.tiles, key=lambda n: _rank(tables.tiles[n].colour)):
        found: set[str] = set()
        for hex_id in sorted(hexes[number]):
            here = _fitting(tables, number, hex_id)
            found |= here
            for other in here:
                hexes[other].add(hex_id)
        assert found <= set(listed[number]), number
        if tables.package != "tests.toy":  # its map has no hex that is open on all sides
            assert found == set(listed[number]), number


def _rank(colour: str) -> int:
    return ("yellow", "green", "brown", "grey").index(colour)
