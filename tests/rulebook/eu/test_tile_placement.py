"""Where a tile may go: colours, supply, connection, sides, kept track and tokens."""

from __future__ import annotations

import random

import pytest

from carril.engine.actions import LayTile, StartCompany
from carril.engine.board import tile_at
from carril.engine.state import State
from carril.engine.tile import COLOURS
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
    plain,
    play,
    stock_round,
    tiles,
    tokens,
)

Laid = dict[str, tuple[str, int]]


def turn_of(
    place: tuple[str, int], laid: Laid | None = None, *, name: str = "3", money: int = 1000
) -> State:
    """Ana's KPEV with one token in this city and these tiles, at the beginning of its turn."""
    state = phase(own_minors(game(), {}), name)
    state = corporation(state, "KPEV", {"Ana": 5}, trains=("3",), tokens=4)
    at, city = place
    circles: list[tuple[str, ...]] = [()] * len(state.title.tables.hexes[at].print.stops)
    circles[city] = ("KPEV",)
    state = tokens(tiles(state, **(laid or {})), **{at: tuple(circles)})
    return operate(cash(state, KPEV=money), "KPEV")


def first_turn(symbol: str) -> State:
    """Ana owns this minor alone; its turn in OR 1.1."""
    return operate(own_minors(game(), {symbol: "Ana"}), symbol, turn=1, number=1)


COLOGNE: Laid = {"D7": ("57", 2)}
"""Cologne with track to the north-west (C6) and the south-east (E8)."""


@rule("EU-4.6-a")
def test_colours_come_one_after_the_other() -> None:
    brown, green = LayTile("D7", "611", 2), LayTile("D7", "14", 1)
    yellow = turn_of(("D7", 0), COLOGNE, name="8")
    assert code(yellow, brown) == "wrong-colour"
    assert cited(yellow, brown) == "EU-4.6-a"
    assert code(yellow, green) == ""
    assert code(yellow, LayTile("D7", "57", 2)) == "wrong-colour"
    # green stands between: then brown, then grey
    built = turn_of(("D7", 0), {"D7": ("14", 1)}, name="8")
    assert {o.tile for o in built.options() if isinstance(o, LayTile) and o.hex == "D7"} == {"611"}
    assert code(built, LayTile("D7", "513", 0)) == "wrong-colour"
    assert code(turn_of(("D7", 0), {"D7": ("611", 0)}, name="8"), LayTile("D7", "513", 0)) == ""


@rule("EU-4.6-b")
def test_without_a_tile_of_the_next_colour_there_is_no_upgrade() -> None:
    elsewhere = ("B19", "D19", "E6", "E20", "F9", "I18", "J11")
    taken: Laid = {at: ("14" if i < 4 else "15", 0) for i, at in enumerate(elsewhere)}
    last = turn_of(("D7", 0), COLOGNE | taken, name="5")
    assert code(last, LayTile("D7", "14", 1)) == "no-tile-left"
    assert cited(last, LayTile("D7", "14", 1)) == "EU-4.6-b"
    assert code(last, LayTile("D7", "15", 2)) == ""
    none = tiles(last, M8=("15", 0))
    lays = {o.tile for o in none.options() if isinstance(o, LayTile) and o.hex == "D7"}
    assert lays == set()
    # brown tiles there are, but the green step cannot be left out
    assert code(none, LayTile("D7", "611", 2)) == "wrong-colour"


@rule("EU-4.6-c")
def test_a_replaced_tile_can_be_laid_again() -> None:
    # of tile 7 there are four: one leads from Cologne to Dortmund, three lie elsewhere
    sevens: Laid = dict.fromkeys(("A18", "J17", "K18"), ("7", 0))
    state = turn_of(("D7", 0), {"D7": ("14", 2), "E8": ("7", 2)} | sevens)
    fifth = LayTile("D9", "7", 3)
    assert code(state, fifth) == "no-tile-left"
    # when one of them is upgraded it is in the supply again
    after = operate(play(state, LayTile("E8", "80", 2)), "KPEV")
    assert code(after, fifth) == ""
    assert code(tiles(after, M8=("7", 0)), fifth) == "no-tile-left"


@rule("EU-4.6-d")
def test_new_track_must_lengthen_a_route_of_the_company() -> None:
    state = turn_of(("D7", 0), COLOGNE)
    assert code(state, LayTile("E8", "9", 2)) == ""
    # beside the line but not joined to it, far away, or next to an end that is not there
    for apart in (LayTile("E8", "9", 0), LayTile("H13", "9", 0), LayTile("D9", "9", 0)):
        assert code(state, apart) == "not-connected"
        assert cited(state, apart) == "EU-4.6-d"
    # a town likewise
    assert code(state, LayTile("C6", "58", 3)) == ""
    assert code(state, LayTile("C6", "58", 1)) == "not-connected"


@rule("EU-4.6-d")
def test_track_beyond_a_city_full_of_others_lengthens_no_route() -> None:
    line: Laid = COLOGNE | {"E8": ("9", 2), "F9": ("57", 2)}
    beyond = LayTile("G10", "4", 2)
    free = turn_of(("D7", 0), line)
    assert code(free, beyond) == ""
    assert code(tokens(free, F9=(("NS",),)), beyond) == "not-connected"


@rule("EU-4.6-d")
def test_an_upgrade_of_plain_track_must_join_new_track_to_a_route() -> None:
    line: Laid = COLOGNE | {"E8": ("9", 2), "H13": ("9", 0)}
    state = turn_of(("D7", 0), line)
    assert code(state, LayTile("E8", "82", 2)) == ""
    assert code(state, LayTile("H13", "82", 0)) == "not-connected"


@rule("EU-4.6-e")
def test_a_city_upgrade_may_only_raise_the_value_of_a_route() -> None:
    # brown Paris has the track of green Paris and is worth more: 60 becomes 80
    line: Laid = {"A10": ("580", 3), "A12": ("9", 0), "B11": ("8", 0), "B9": ("9", 1)}
    line |= {"C8": ("201", 1)}
    brown = LayTile("A10", "583", 3)
    reaches = turn_of(("C8", 0), line, name="5")
    assert code(reaches, brown) == ""
    assert code(turn_of(("D7", 0), COLOGNE | line, name="5"), brown) == "not-connected"
    # also when all circles are full and the route ends there
    full = tokens(reaches, A10=(("NS",), ("FS",)))
    assert code(full, brown) == ""


@rule("EU-4.6-e")
def test_a_city_upgrade_may_extend_a_route() -> None:
    # the track that arrives at Frankfurt meets none there, until the green tile
    line: Laid = COLOGNE | {"E8": ("9", 2), "F9": ("57", 0)}
    state = turn_of(("D7", 0), line)
    assert code(state, LayTile("F9", "15", 0)) == ""
    assert code(state, LayTile("F9", "14", 0)) == "not-connected"


@rule("EU-4.6-f")
@pytest.mark.parametrize("home", [LayTile("M16", "201", 1), LayTile("M16", "202", 1)])
def test_a_company_without_track_begins_with_its_home(home: LayTile) -> None:
    state = first_turn("8")
    elsewhere = LayTile("M14", "9", 0)
    assert code(state, elsewhere) == "home-first"
    assert cited(state, elsewhere) == "EU-4.6-f"
    assert code(state, home) == ""
    lays = {(o.hex, o.tile) for o in state.options() if isinstance(o, LayTile)}
    assert lays == {("M16", "201"), ("M16", "202")}


@rule("EU-4.6-f")
def test_track_of_others_beside_an_unbuilt_home_is_no_beginning() -> None:
    state = tiles(first_turn("8"), L15=("4", 2))
    assert code(state, LayTile("M14", "7", 0)) == "home-first"
    assert code(state, LayTile("L13", "9", 0)) == "home-first"
    # a corporation that took over an unbuilt home is in the same position
    taken = turn_of(("M16", 0), {"L15": ("4", 2)})
    assert code(taken, LayTile("L13", "9", 0)) == "home-first"
    assert code(taken, LayTile("M16", "201", 1)) == ""


@rule("EU-4.6-f")
def test_printed_track_is_a_beginning() -> None:
    assert code(first_turn("1"), LayTile("B9", "9", 1)) == ""
    assert code(first_turn("6"), LayTile("K12", "4", 0)) == ""


@rule("EU-4.6-g", "EU-A-25")
@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (LayTile("M16", "202", 0), LayTile("M16", "202", 1)),  # south of Budapest
        (LayTile("M16", "201", 3), LayTile("M16", "201", 2)),  # north-east of it
        (LayTile("M16", "202", 4), LayTile("M16", "202", 3)),  # towards Bucharest is right
    ],
)
def test_no_track_leads_off_the_map(wrong: LayTile, right: LayTile) -> None:
    state = turn_of(("M16", 0))
    assert code(state, wrong) == "prohibited-side"
    assert cited(state, wrong) == "EU-4.6-g"
    assert code(state, right) == ""


@rule("EU-4.6-g", "EU-4.6-s")
def test_a_port_is_entered_by_its_marked_side_only() -> None:
    # Marseille lies north of its port; the hex west of Marseille touches a blank side of it
    state = turn_of(("B19", 0), {"B19": ("57", 1)})
    blank = LayTile("A20", "7", 4)
    assert code(state, blank) == "prohibited-side"
    assert code(state, LayTile("A20", "7", 3)) == ""
    assert code(turn_of(("B19", 0)), LayTile("B19", "57", 0)) == ""


@rule("EU-4.6-s")
@pytest.mark.parametrize(("city", "edge"), [("B19", 0), ("D3", 3), ("E20", 0), ("I18", 0)])
def test_a_city_beside_a_port_may_be_joined_to_it(city: str, edge: int) -> None:
    state = turn_of((city, 0))
    tables = state.title.tables
    joined = []
    for option in state.options():
        if isinstance(option, LayTile) and option.hex == city:
            after = play(state, option)
            joined.append(edge in tile_at(tables, after.board, city).exits)
    assert True in joined
    assert False in joined


@rule("EU-A-25")
def test_track_meets_an_off_map_place_where_its_track_is_printed() -> None:
    # Amsterdam, then Bremen: Hamburg lies north-east of it, nothing to the north
    state = turn_of(("D3", 0), {"D3": ("201", 5), "E4": ("8", 2)})
    assert code(state, LayTile("F3", "4", 1)) == ""
    assert code(state, LayTile("F3", "58", 1)) == "prohibited-side"
    assert code(state, LayTile("F3", "58", 5)) == ""


@rule("EU-4.6-r")
def test_an_upgrade_keeps_every_connection() -> None:
    # yellow Cologne has sides 2 and 5
    state = turn_of(("D7", 0), COLOGNE)
    assert code(state, LayTile("D7", "14", 0)) == "drops-track"
    assert cited(state, LayTile("D7", "14", 0)) == "EU-4.6-r"
    kept = {o.turn for o in state.options() if isinstance(o, LayTile) and o.tile == "14"}
    assert kept == {1, 2, 4, 5}
    # plain track likewise: E8 joins sides 2 and 5
    line: Laid = COLOGNE | {"E8": ("9", 2)}
    assert code(turn_of(("D7", 0), line), LayTile("E8", "81", 0)) == "drops-track"
    assert code(turn_of(("D7", 0), line), LayTile("E8", "83", 2)) == ""


@rule("EU-4.6-r")
def test_green_paris_keeps_its_two_cities_apart() -> None:
    state = turn_of(("A10", 0))
    turns = {o.turn for o in state.options() if isinstance(o, LayTile) and o.tile == "580"}
    assert turns == {3}
    assert code(state, LayTile("A10", "580", 4)) == "drops-track"


@rule("EU-4.6-t")
@pytest.mark.parametrize(("place", "kept"), [("J5", {1, 4}), ("K14", {0, 3})])
def test_green_berlin_and_vienna_have_two_orientations(place: str, kept: set[int]) -> None:
    state = turn_of((place, 0))
    seen = set()
    for option in state.options():
        if isinstance(option, LayTile) and option.tile == "581":
            tile = tile_at(state.title.tables, play(state, option).board, place)
            ends: dict[int, set[int]] = {}
            for path in tile.paths:
                ends.setdefault(path.b, set()).add(path.a)
            cities = frozenset(frozenset(edges) for edges in ends.values())
            # the two printed tracks stay in cities of their own
            assert all(len(city & kept) <= 1 for city in cities)
            seen.add(cities)
    assert len(seen) == 2


@rule("EU-4.6-u")
@pytest.mark.parametrize("turn", range(6))
def test_tokens_stay_in_their_city_and_the_third_circle_is_open(turn: int) -> None:
    state = tokens(turn_of(("J5", 0)), J5=(("KPEV",), ("NS",)))
    after = play(state, LayTile("J5", "581", turn))
    tile = tile_at(after.title.tables, after.board, "J5")
    city_of = {path.a: path.b - 10 for path in tile.paths}
    circles = after.board.tokens["J5"]
    assert circles[city_of[4]] == ("KPEV",)
    assert circles[city_of[1]] == ("NS",)
    assert sorted(circles) == [(), ("KPEV",), ("NS",)]


@rule("EU-4.6-v")
def test_the_hex_south_east_of_munich_is_clear() -> None:
    munich: Laid = {"G12": ("202", 3)}
    after = play(turn_of(("G12", 0), munich, money=0), LayTile("H13", "9", 2))
    upgraded = play(operate(after, "KPEV"), LayTile("H13", "82", 2))
    assert upgraded.board.laid["H13"] == ("82", 2)
    assert upgraded.companies["KPEV"].cash == 0


@rule("EU-4.6-w")
def test_tiles_only_ever_give_way_to_the_next_colour() -> None:
    chance = random.Random(18)
    state = game(3)
    laid_once: set[str] = set()
    for _ in range(600):
        if state.finished:
            break
        options = [plain(option) for option in state.options()]
        lays = [option for option in options if isinstance(option, LayTile)]
        action = chance.choice(lays or options)
        after = state.apply(action).state
        for at, (number, _turn) in state.board.laid.items():
            now = after.board.laid[at][0]
            colours = [COLOURS.index(state.title.tables.tiles[n].colour) for n in (number, now)]
            assert now == number or colours[1] == colours[0] + 1
        laid_once |= set(after.board.laid)
        state = after
    assert len(laid_once) > 20
    assert laid_once == set(state.board.laid)


@rule("EU-4.6-w")
def test_the_tiles_of_a_company_that_leaves_play_stay() -> None:
    state = play(first_turn("8"), LayTile("M16", "202", 1))
    state = stock_round(cash(state, Ana=300))
    merged = play(state, StartCompany("KKÖ", 100))
    assert merged.companies["8"].closed
    assert merged.board.laid == {"M16": ("202", 1)}
