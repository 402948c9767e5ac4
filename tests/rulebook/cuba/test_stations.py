"""Stations of majors: what they cost, which are locked, and the slots kept for homes."""

from __future__ import annotations

from carril.engine.actions import LayTile, Pass, PlaceToken
from carril.engine.network import reach
from carril.engine.state import State
from carril.engine.step import Step
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.notation.words import say
from carril.rules.marker import rule
from tests.rulebook.cuba.building import begin, building, opened
from tests.rulebook.cuba.positions import extra, game
from tests.table import at, cash, charter, cited, code, offered, play, tiles, tokens

# From Camagüey west: plain track on D17, Sancti Spiritus, Cienfuegos; each city has one slot.
LINE = {"D19": ("57", 1), "D17": ("9", 1), "D15": ("57", 1), "D13": ("57", 1)}
AT_D19 = {"D19": (("NPP",),)}


def line(laid: dict[str, tuple[str, int]] = LINE, *, begun: bool = True, **more: object) -> State:
    """Return the station step of NPP; StSp, whose home is on the line, has begun elsewhere."""
    state = opened(game(), "StSp", "Cleo") if begun else game()
    state = building("NPP", laid, AT_D19, state=state, **more)  # type: ignore[arg-type]
    return play(state, Pass())


@rule("CUBA-VII.3.6-a", "CUBA-IV.3-g")
def test_only_majors_build_stations() -> None:
    laid = {"D13": ("L60", 0), "B11": ("L60", 0)}
    state = building("HG", laid, {"D13": (("HG",),)}, tokens=1)
    asked = at(state, LayTrack("NPP"), PlaceStation("HG"))
    assert not isinstance(asked.step, PlaceStation)
    assert game().tables.companies["HG"].tokens == 1
    step = PlaceStation("HG")
    refused = step.refusal(state, PlaceToken("D13", 0))
    assert refused is not None
    assert (refused.code, refused.rule) == ("minor-one-station", "CUBA-VII.3.6-a")


@rule("CUBA-VII.3.6-b")
def test_one_station_in_a_turn_besides_the_home() -> None:
    state = line(tokens=3)
    assert code(state, Pass()) == ""
    after = play(state, PlaceToken("D13", 0))
    assert not isinstance(after.step, PlaceStation)
    # Home and a further station in the first turn: NPP owes no tile here.
    laid = tiles(opened(game(), "StSp", "Cleo"), **LINE)
    first = play(begin("NPP", laid), Pass())
    assert first.board.tokens["D19"] == (("NPP",),)
    assert play(first, PlaceToken("D15", 0)).board.tokens["D15"] == (("NPP",),)


@rule("CUBA-VII.3.6-c", "CUBA-IV.4-f")
def test_stations_cost_40_60_80_in_order() -> None:
    # The home is free; the first further one costs 40, the second 60, the third 80.
    home = {"D19": (("NPP",),)}
    states = {
        40: home,
        60: {**home, "G26": (("NPP",),)},
        80: {**home, "G26": (("NPP",),), "C4": (("NPP",),)},
    }
    for cost, placed in states.items():
        state = tokens(line(tokens=2), **placed)
        after = play(cash(state, NPP=cost), PlaceToken("D13", 0))
        assert after.companies["NPP"].cash == 0
        assert after.bank == cash(state, NPP=cost).bank + cost
        poor = cash(state, NPP=cost - 1)
        assert code(poor, PlaceToken("D13", 0)) == "station-too-dear"
        assert cited(poor, PlaceToken("D13", 0)) == "CUBA-VII.3.6-c"


@rule("CUBA-VII.3.6-c", "CUBA-VI.8-g", "CUBA-VI.8-i")
def test_a_locked_token_cannot_be_placed() -> None:
    state = charter(line(), "NPP", tokens=0, locked=2)
    refused = state.refusal(PlaceToken("D13", 0))
    assert refused is not None
    assert (refused.code, refused.rule) == ("no-token-left", "CUBA-VII.3.6-c")
    assert say(refused) == "NPP cannot use its tokens yet: 2 are locked."
    assert code(charter(line(), "NPP", tokens=1, locked=1), PlaceToken("D13", 0)) == ""
    gone = charter(line(), "NPP", tokens=0, locked=0).refusal(PlaceToken("D13", 0))
    assert gone is not None
    assert say(gone) == "NPP has no tokens left."


@rule("CUBA-VII.3.6-d")
def test_the_slot_must_be_free_and_reached_by_standard_track() -> None:
    state = line()
    assert offered(state, PlaceToken) == [
        PlaceToken("D13", 0, by="Ana"),
        PlaceToken("D15", 0, by="Ana"),
    ]
    assert code(state, PlaceToken("B11", 0)) == "city-not-reached"
    assert code(state, PlaceToken("D17", 0)) == "no-city"
    # Full, and beyond a full city.
    full = tokens(state, D15=(("StSp",),))
    assert code(full, PlaceToken("D15", 0)) == "city-full"
    assert code(full, PlaceToken("D13", 0)) == "city-not-reached"
    # Narrow track does not lead there: D17 with 79.
    narrow = tiles(state, D17=("79", 1))
    assert code(narrow, PlaceToken("D15", 0)) == "city-not-reached"
    # No reversing at a junction: D17 with 23 turned 1 (1-4, 1-5) leads from E18 to D15 and from D19
    # to D15, not from D19 to E18.
    forked = reach(state.tables, tiles(state, D17=("23", 1)).board, "NPP")
    assert ("D15", 0) in forked.stops
    assert "E18" not in forked.entries


@rule("CUBA-VII.3.6-e", "CUBA-G27")
def test_one_station_in_a_hex_also_in_havana() -> None:
    # L45 turned 1: cities on 2-3, 4-5 (FC) and 0-1. Oe has the western one; the free one of the
    # same hex is refused, and only Pinar del Río is on offer.
    placed = {"B7": ((), ("FC",), ("Oe",))}
    laid = {"B7": ("L45", 1), "B5": ("8", 4), "C4": ("57", 0)}
    state = play(building("Oe", laid, placed, now="3"), Pass())
    assert isinstance(state.step, PlaceStation)
    assert offered(state, PlaceToken) == [PlaceToken("C4", 0, by="Ana")]
    assert code(state, PlaceToken("B7", 0)) == "token-there"
    assert cited(state, PlaceToken("B7", 0)) == "CUBA-VII.3.6-e"


@rule("CUBA-VII.3.6-f")
def test_the_last_slot_of_a_home_is_kept_until_its_major_operates() -> None:
    state = line(begun=False)
    assert code(state, PlaceToken("D15", 0)) == "home-reserved"
    assert cited(state, PlaceToken("D15", 0)) == "CUBA-VII.3.6-f"
    assert code(state, PlaceToken("D13", 0)) == ""
    # With two free slots one may be taken: 14 turned 0 has edges 0, 1, 3, 4.
    green = line({**LINE, "D15": ("14", 0)}, begun=False)
    assert code(green, PlaceToken("D15", 0)) == ""
    marked = tokens(green, D15=(("FC",),))
    assert code(marked, PlaceToken("D15", 0)) == "home-reserved"
    # Founded but before its first turn it is kept as well.
    founded = opened(game(), "StSp", "Cleo", operated=False)
    waiting = play(building("NPP", LINE, AT_D19, state=founded), Pass())
    assert code(waiting, PlaceToken("D15", 0)) == "home-reserved"


@rule("CUBA-VII.3.6-f", "CUBA-G43")
def test_in_havana_the_city_of_edge_1_is_kept_for_oeste() -> None:
    # L45 turned 2: cities on 3-4 (FC), 5-0 and 1-2. MS in Pinar del Río (57: edges 0 and 3) comes
    # over B5 (8 turned 4: 4-0) to edge 1. From C14 it comes over C12, C10 and C8 (2-4) to edge 5.
    laid = {"B7": ("L45", 2), "C8": ("8", 2), "C10": ("9", 1), "C12": ("9", 1), "C14": ("5", 0)}
    laid |= {"C4": ("57", 0), "B5": ("8", 4)}
    placed = {"B7": (("FC",), (), ()), "C14": (("MS",),), "C4": (("MS",),)}
    state = play(building("MS", laid, placed, now="3"), Pass())
    assert code(state, PlaceToken("B7", 1)) == ""
    assert code(state, PlaceToken("B7", 2)) == "home-reserved"
    assert code(charter(state, "Oe", operated=True), PlaceToken("B7", 2)) == ""


@rule("CUBA-VII.3.6-g")
def test_no_slot_of_a_yellow_city_is_kept_for_the_state_railway() -> None:
    state = line()
    assert state.companies["FC"].tokens == 7
    after = play(state, PlaceToken("D15", 0))  # the only slot of an FC city
    green = building("NPP", dict(after.board.laid), dict(after.board.tokens), now="3")
    laid = play(green, LayTile("D15", "14", 0))
    assert laid.board.tokens["D15"] == (("NPP", "FC"),)


@rule("CUBA-VII.3.6-h")
def test_a_mill_blocks_like_a_station() -> None:
    # D15 has a way through for standard track: L54 turned 5, narrow 5, standard 0 (E14) and 4
    # (D17).
    laid = {**LINE, "D15": ("L54", 5)}
    free = line(laid)
    assert code(free, PlaceToken("D15", 0)) == ""
    full = tokens(free, D15=(("HG", "StSp"),))
    assert code(full, PlaceToken("D15", 0)) == "city-full"
    assert not reach(full.tables, full.board, "NPP").entries.get("E14", 0)
    assert reach(free.tables, free.board, "NPP").entries.get("E14", 0)


@rule("CUBA-VII.3.6-j")
def test_stations_are_never_moved() -> None:
    state = line()
    after = play(state, PlaceToken("D15", 0))
    assert after.board.tokens["D19"] == (("NPP",),)
    assert code(after, PlaceToken("D13", 0)) == "not-now"


@rule("CUBA-IV.5-a", "CUBA-IV.5-f")
def test_the_state_railway_decides_nothing() -> None:
    state = game()
    definition = state.tables.companies["FC"]
    assert not definition.has_president
    assert state.companies["FC"].owner == ""
    steps: tuple[Step, ...] = state.title.turn(state, "FC")
    assert not any(isinstance(step, LayTrack | PlaceStation | BuyTrains) for step in steps)
    owned = extra(state, commissioners={"K1": "Ana"})
    assert all(code(owned, action) == "not-now" for action in (LayTile("B9", "57", 1, "K1"),))
