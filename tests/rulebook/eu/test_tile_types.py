"""Which tiles each kind of hex takes, colour by colour."""

from __future__ import annotations

import pytest

from carril.engine.actions import LayTile
from carril.engine.state import State
from carril.rules.marker import rule
from tests.table import (
    cash,
    cited,
    code,
    corporation,
    game,
    operate,
    own_minors,
    phase,
    tiles,
    tokens,
)

PLAIN = (
    ("", "7 8 9"),
    ("9", "80 81 82 83"),
    ("82", "544 545 546"),
    ("544", ""),
)


def builder(**placed: tuple[tuple[str, ...], ...]) -> State:
    """Ana's KPEV in phase 8 with plenty of money, at the beginning of its turn."""
    state = phase(own_minors(game(), {}), "8")
    state = corporation(state, "KPEV", {"Ana": 5}, trains=("8",), tokens=4)
    state = tokens(state, **(placed or {"E6": (("KPEV",),)}))
    return operate(cash(state, KPEV=2000), "KPEV")


def of_the_right_kind(state: State, place: str) -> set[str]:
    """Return the tiles that no turn lets be refused for their colour or their kind."""
    found = set()
    for number in state.title.tables.tiles:
        for turn in range(6):
            refused = state.refusal(LayTile(place, number, turn))
            wrong = ("wrong-colour", "wrong-tile", "not-buildable")
            if refused is None or refused.code not in wrong:
                found.add(number)
    return found


def check(place: str, chain: tuple[tuple[str, str], ...], turn: int = 0) -> None:
    """Lay the tiles of a chain on a hex and compare what may come next."""
    for laid, following in chain:
        state = builder()
        if laid:
            state = tiles(state, **{place: (laid, turn)})
        assert of_the_right_kind(state, place) == set(following.split()), (place, laid)


@rule("EU-4.6-j")
@pytest.mark.parametrize("place", ["F11", "I8", "L15"])
def test_town_hexes(place: str) -> None:
    green, brown = "141 142 143 144", "145 146 147"
    check(place, (("", "3 4 58"), ("4", green), ("58", green), ("141", brown), ("145", "")))


@rule("EU-4.6-k")
@pytest.mark.parametrize("place", ["J11", "E6", "F9"])
def test_plain_city_hexes(place: str) -> None:
    chain = (("", "57"), ("57", "14 15"), ("14", "611"), ("15", "611"), ("611", "513"), ("513", ""))
    check(place, chain)


@rule("EU-4.6-l")
@pytest.mark.parametrize("place", ["G12", "C8", "J7"])
def test_y_city_hexes(place: str) -> None:
    green = "576 577 578 579"
    check(place, (("", "201 202"), ("201", green), ("202", green), ("576", "582"), ("582", "")))


@rule("EU-4.6-m")
def test_paris() -> None:
    check("A10", (("", "580"), ("580", "583"), ("583", "")), turn=3)


@rule("EU-4.6-n")
@pytest.mark.parametrize("place", ["J5", "K14"])
def test_berlin_and_vienna(place: str) -> None:
    check(place, (("", "581"), ("581", "584"), ("584", "")))


@rule("EU-4.6-o")
@pytest.mark.parametrize("place", ["E16", "D17", "J15"])
def test_mountain_hexes(place: str) -> None:
    check(place, PLAIN)


@rule("EU-4.6-p")
@pytest.mark.parametrize("place", ["H13", "I10", "B11"])
def test_clear_and_rough_hexes_without_a_symbol(place: str) -> None:
    check(place, PLAIN)


@rule("EU-4.6-p")
def test_the_printed_yellow_hex_takes_plain_green_tiles() -> None:
    assert of_the_right_kind(builder(), "K16") == {"80", "81", "82", "83"}


@rule("EU-4.6-q")
@pytest.mark.parametrize(
    ("place", "wrong", "right"),
    [
        ("G12", LayTile("G12", "57", 0), LayTile("G12", "201", 0)),
        ("D7", LayTile("D7", "201", 0), LayTile("D7", "57", 0)),
        ("D7", LayTile("D7", "4", 0), LayTile("D7", "57", 1)),
        ("D7", LayTile("D7", "9", 0), LayTile("D7", "57", 2)),
        ("J5", LayTile("J5", "580", 3), LayTile("J5", "581", 0)),
        ("A10", LayTile("A10", "581", 0), LayTile("A10", "580", 3)),
        ("K14", LayTile("K14", "14", 2), LayTile("K14", "581", 1)),
    ],
)
def test_a_tile_of_another_kind_is_refused(place: str, wrong: LayTile, right: LayTile) -> None:
    cities = 2 if place in ("A10", "J5", "K14") else 1
    circles = (("KPEV",), ())[:cities]
    state = builder(**{place: circles})
    assert code(state, wrong) == "wrong-tile"
    assert cited(state, wrong) == "EU-4.6-q"
    assert code(state, right) == ""


@rule("EU-4.6-q")
@pytest.mark.parametrize("place", ["G2", "A6", "B21"])
def test_no_tile_goes_on_an_off_map_place_or_a_port(place: str) -> None:
    state = builder()
    assert of_the_right_kind(state, place) == set()
    assert code(state, LayTile(place, "9", 0)) == "not-buildable"


@rule("EU-4.6-k", "EU-4.6-l")
def test_what_is_offered_is_what_the_list_names() -> None:
    # Cologne and Munich lie open on all sides, so each tile of the list fits somehow
    for place, following in (("D7", {"57"}), ("G12", {"201", "202"})):
        state = builder(**{place: (("KPEV",),)})
        lays = {o.tile for o in state.options() if isinstance(o, LayTile) and o.hex == place}
        assert lays == following
