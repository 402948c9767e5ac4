"""The upgrade chart: which tile follows which, both ways, and who can do it (G8)."""

from __future__ import annotations

from carril.engine.actions import LayTile
from carril.engine.state import State
from carril.engine.tile import city_map, next_colour, turned
from carril.rules.marker import rule
from tests.rulebook.cuba.building import building
from tests.rulebook.cuba.positions import game
from tests.table import code, tiles

# The chart as the ledger lists it; "Havana" is the print of B7.
CHART = """
7: 18 26 27 28 29 30 31 IR27 IR31 IR32 IR33 IR34 IR35
8: 16 19 23 24 25 28 29 30 31 710 711 712 IR28 IR29 IR30
9: 18 19 20 23 24 26 27 713 714 715 IR26
77: IR26 IR29 IR30 IR33 IR34 IR35
78: 710 712 713 IR28 IR31 IR32
79: 711 714 715 IR27
5 6 57: 14 15 619
201 202 621: 207 208 622
L48: L62 L63
L49: L62 L63 L64 L65
L50: L62 L63 L64
L54: L67
L55: L66
L52 L53 L56 L57 L58 L59 L60 L61: L66 L67
Havana: L44 L45
16: 43 70
18: 43
19: 45 46
20: 44 47
23: 41 43 45 47
24: 42 43 46 47
25: 40 45 46
26: 42 44 45
27: 41 44 46
28: 39 43 46 70
29: 39 43 45 70
30: 42 70
31: 41 70
14 15 619: 611
207 208 622: 216
L44 L45: L46
L62: L68
L63: L69
L64: L70
L65: L71
L66: L72
L67: L73
611: 455
216: 512
L46: L47
L68 L69 L70: L74 L75
L71: L75
L72: L76
L73: L77
"""
# Mixed plain tiles end at green, plain brown tiles at brown.
ENDS = """
710 711 712 713 714 715 IR26 IR27 IR28 IR29 IR30 IR31 IR32 IR33 IR34 IR35
39 40 41 42 43 44 45 46 47 70
455 512 L47 L74 L75 L76 L77
"""
# A hex where tiles of each kind and label are found.
PLACES = {"plain": "C12", "field": "D11", "city": "C14", "cityY": "G24", "cityH": "B7"}


def _listed() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {number: set() for number in ENDS.split()}
    for line in CHART.strip().splitlines():
        olds, _, news = line.partition(": ")
        found |= {old: set(news.split()) for old in olds.split()}
    return found


def computed_chart(state: State) -> dict[str, set[str]]:
    """Return which tiles can follow each tile in some rotation, by the rules of the engine."""
    tables = state.tables
    olds = {**tables.tiles, "Havana": tables.hexes["B7"].print}
    return {
        number: {
            new.number
            for new in tables.tiles.values()
            if new.colour == next_colour(old.colour)
            and tables.replaces(tables.hexes[PLACES[old.kind + old.label]], old, new)
            and any(city_map(old, turned(new, turn)) is not None for turn in range(6))
        }
        for number, old in olds.items()
    }


@rule("CUBA-G8", "CUBA-VII.3.5-u")
def test_every_listed_upgrade_exists_and_no_other() -> None:
    assert computed_chart(game()) == _listed()


@rule("CUBA-G8", "CUBA-VII.3.5-u", "CUBA-VII.3.5-r", "CUBA-VII.3.5-s")
def test_who_can_upgrade_plain_yellow_track() -> None:
    # Standard to standard: majors. Standard to mixed: minors. Narrow to mixed: majors. The gauge is
    # checked before the connection, so neither company needs track to C12.
    major, minor = building("MS", now="3"), building("HG", now="3")
    tables = game().tables
    for old in ("7", "8", "9", "77", "78", "79"):
        for new in _listed()[old]:
            mixed = len({path.gauge for path in tables.tiles[new].paths}) == 2
            by_minor = mixed and old in ("7", "8", "9")
            turn = next(
                turn
                for turn in range(6)
                if city_map(tables.tiles[old], turned(tables.tiles[new], turn)) is not None
            )
            for state, may, why in (
                (major, not by_minor, "no-more-standard"),
                (minor, by_minor, "no-more-narrow"),
            ):
                found = code(with_tile(state, old), LayTile("C12", new, turn))
                assert (found == why) != may, (old, new, found)


def with_tile(state: State, tile: str) -> State:
    """Return the position with this tile on C12."""
    return tiles(state, C12=(tile, 0))
