"""Placing further tokens."""

from __future__ import annotations

import pytest

from carril.engine.actions import LayTile, MergeMinor, Pass, PlaceToken, StartCompany
from carril.engine.state import State
from carril.engine.steps.running import RunStep
from carril.engine.steps.station import PlaceStation
from carril.rules.marker import rule
from tests.table import (
    cash,
    charter,
    cited,
    code,
    corporation,
    game,
    operate,
    own_minors,
    phase,
    play,
    stock_round,
    tiles,
    tokens,
)

RHINE = {
    "C8": ("201", 4),
    "D7": ("14", 1),
    "E6": ("57", 1),
    "E8": ("9", 2),
    "F9": ("57", 2),
    "G10": ("58", 0),
    "G12": ("202", 3),
}
"""Cologne with Brussels and Dortmund beside it, and Frankfurt, Nuremberg, Munich on a line."""

BY_HAMBURG = {
    "D3": ("201", 5),
    "E4": ("8", 2),
    "F3": ("4", 1),
    "H3": ("8", 0),
    "H5": ("8", 3),
    "I6": ("8", 2),
}
"""Amsterdam, Bremen, Hamburg, Berlin's western circle."""


def station(state: State, symbol: str) -> State:
    """Begin the corporation's turn and pass its track step."""
    return play(operate(state, symbol), Pass())


def rhine(spare: int = 4, without: str = "") -> State:
    """Ana's KPEV with its token in Cologne and so many to spare, in phase 3."""
    state = phase(own_minors(game(), {}), "3")
    state = corporation(state, "KPEV", {"Ana": 5}, trains=("3",), tokens=spare)
    track = {at: tile for at, tile in RHINE.items() if at != without}
    return tokens(tiles(state, **track), D7=(("KPEV",),))


def places(state: State) -> set[str]:
    """Return the hexes where a token is offered."""
    return {option.hex for option in state.options() if isinstance(option, PlaceToken)}


@rule("EU-4.4.2-a")
def test_one_token_a_turn_and_it_is_free() -> None:
    state = station(cash(rhine(), KPEV=10), "KPEV")
    assert isinstance(state.step, PlaceStation)
    after = play(state, PlaceToken("F9", 0))
    assert after.board.tokens["F9"] == (("KPEV",),)
    assert after.companies["KPEV"].tokens == 3
    assert after.companies["KPEV"].cash == 10
    assert after.bank == state.bank
    assert isinstance(after.step, RunStep)
    assert code(after, PlaceToken("E6", 0)) == "not-now"
    # nobody has to
    assert code(state, Pass()) == ""


@rule("EU-4.4.2-b")
def test_a_token_needs_an_open_circle_that_a_route_reaches() -> None:
    state = station(rhine(), "KPEV")
    assert places(state) == {"C8", "E6", "F9", "G12"}
    assert code(state, PlaceToken("J11", 0)) == "city-not-reached"
    assert cited(state, PlaceToken("J11", 0)) == "EU-4.4.2-b"
    full = station(tokens(rhine(), E6=(("NS",),)), "KPEV")
    assert code(full, PlaceToken("E6", 0)) == "city-full"
    assert cited(full, PlaceToken("E6", 0)) == "EU-4.4.2-b"
    assert code(full, PlaceToken("F9", 0)) == ""


@rule("EU-4.4.2-b")
def test_the_route_has_any_length_but_does_not_pass_a_full_city() -> None:
    free = station(rhine(), "KPEV")
    assert code(free, PlaceToken("G12", 0)) == ""
    blocked = station(tokens(rhine(), F9=(("NS",),)), "KPEV")
    assert code(blocked, PlaceToken("G12", 0)) == "city-not-reached"
    # an open second circle lets the route through, and takes the token as well
    green = station(tiles(tokens(rhine(), F9=(("NS",),)), F9=("14", 1)), "KPEV")
    assert code(green, PlaceToken("G12", 0)) == ""
    assert play(green, PlaceToken("F9", 0)).board.tokens["F9"] == (("NS", "KPEV"),)
    # so does a token of its own
    own = station(tiles(tokens(rhine(), F9=(("NS", "KPEV"),)), F9=("14", 1)), "KPEV")
    assert code(own, PlaceToken("G12", 0)) == ""


@rule("EU-4.4.2-b")
def test_any_of_the_corporations_tokens_is_a_beginning() -> None:
    state = tokens(tiles(rhine(), J11=("57", 0), J9=("9", 0), J7=("202", 0)), J11=(("KPEV",),))
    assert code(station(state, "KPEV"), PlaceToken("J7", 0)) == ""
    assert code(station(state, "KPEV"), PlaceToken("F9", 0)) == ""


@rule("EU-4.4.2-c")
def test_no_second_token_in_a_hex_not_even_in_another_circle() -> None:
    state = phase(own_minors(game(), {}), "3")
    state = corporation(state, "DR", {"Ana": 5}, trains=("3",), tokens=3)
    line = {"I6": ("7", 4), "J7": ("202", 0), "J9": ("9", 0), "J11": ("57", 0)}
    state = tokens(tiles(state, **line), J7=(("DR",),))
    south_west = PlaceToken("J5", 1)
    assert code(station(state, "DR"), south_west) == ""
    north_east = station(tokens(state, J5=(("DR",), ())), "DR")
    assert code(north_east, south_west) == "token-there"
    assert cited(north_east, south_west) == "EU-4.4.2-c"
    assert code(north_east, PlaceToken("J11", 0)) == ""


@rule("EU-4.4.2-c")
@pytest.mark.parametrize(("place", "tile"), [("J5", ("581", 0)), ("D7", ("14", 1))])
def test_an_open_circle_beside_its_own_token_is_refused(place: str, tile: tuple[str, int]) -> None:
    circles = (("KPEV",), (), ()) if place == "J5" else (("KPEV",),)
    state = station(tokens(tiles(rhine(), **{place: tile}), **{place: circles}), "KPEV")
    for city in range(len(circles)):
        assert code(state, PlaceToken(place, city)) == "token-there"


@rule("EU-4.4.2-d")
def test_no_token_in_towns_ports_or_off_map_places() -> None:
    state = phase(own_minors(game(), {}), "3")
    state = corporation(state, "DR", {"Ana": 5}, trains=("3",), tokens=3)
    state = tokens(tiles(state, **BY_HAMBURG), J5=((), ("DR",)))
    state = station(state, "DR")
    for place in ("F3", "G2", "D1", "A6", "G22", "E4"):
        assert code(state, PlaceToken(place, 0)) == "no-city"
        assert cited(state, PlaceToken(place, 0)) == "EU-4.4.2-d"
    # Amsterdam, reached by way of Bremen and Hamburg, takes one
    assert places(state) == {"D3"}
    assert code(state, PlaceToken("D3", 0)) == ""


@rule("EU-4.4.2-e")
def test_a_minor_never_places_a_token() -> None:
    state = own_minors(game(), {"2": "Ana"})
    state = tiles(state, C8=("201", 4), D7=("57", 1))
    assert state.companies["2"].tokens == 0
    # not even if it had one
    state = operate(charter(state, "2", tokens=1), "2")
    assert code(state, PlaceToken("D7", 0)) == "not-now"
    state = play(state, Pass())
    # Cologne is open and in reach, but the next step is the run
    assert isinstance(state.step, RunStep)
    assert code(state, PlaceToken("D7", 0)) == "not-now"
    corporate = corporation(own_minors(game(), {}), "NS", {"Ana": 5}, tokens=4)
    corporate = tokens(tiles(corporate, C8=("201", 4), D7=("57", 1)), C8=(("NS",),))
    assert code(station(corporate, "NS"), PlaceToken("D7", 0)) == ""


@rule("EU-4.4.2-f")
def test_five_tokens_are_all_a_corporation_has() -> None:
    state = own_minors(game(), {"2": "Ana", "8": "Ana"})
    state = play(stock_round(cash(state, Ana=500)), StartCompany("SNCB", 100), MergeMinor("2"))
    assert state.companies["SNCB"].tokens + 1 == 5
    state = rhine(spare=3)
    for place in ("C8", "E6", "F9"):
        state = play(station(state, "KPEV"), PlaceToken(place, 0))
    assert state.companies["KPEV"].tokens == 0
    # Munich is open and in reach, but the charter is empty: there is nothing to place
    over = station(state, "KPEV")
    assert isinstance(over.step, RunStep)
    one_more = station(rhine(spare=1), "KPEV")
    assert code(one_more, PlaceToken("G12", 0)) == ""


@rule("EU-4.4.2-b")
def test_a_tile_laid_in_the_same_turn_opens_the_way() -> None:
    gap = operate(rhine(without="E8"), "KPEV")
    built = play(gap, LayTile("E8", "9", 2))
    assert isinstance(built.step, PlaceStation)
    assert code(built, PlaceToken("F9", 0)) == ""
    assert code(play(gap, Pass()), PlaceToken("F9", 0)) == "city-not-reached"
