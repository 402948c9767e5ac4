"""Paying the state railway to pass its tokens, for track and for stations."""

from __future__ import annotations

from itertools import combinations

from carril.engine.actions import LayTile, Pass, PlaceToken
from carril.engine.network import reach
from carril.engine.state import State
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import LayTrack
from carril.engine.track import fits
from carril.rules.marker import rule
from carril.titles.cuba.passes import tolled
from tests.rulebook.cuba.building import EAST, FULL, building, lays, opened
from tests.rulebook.cuba.positions import extra, game
from tests.table import at, cash, cited, code, offered, play, tokens

BOTH = ("B11.0", "C14.0")
BEYOND = LayTile("C16", "9", 1, passes=BOTH)
"""A tile on the cane field east of Santa Clara: two passes for 20 each, and 10 for the cane."""


def blocked(**more: object) -> State:
    """Return the track step of MS, with two full cities of the state railway to the east."""
    return building("MS", EAST, FULL, now="3", **more)  # type: ignore[arg-type]


def with_choice(placed: dict[str, tuple[tuple[str, ...], ...]] | None = None) -> State:
    """Return MS in Matanzas and in Sancti Spiritus, so that C10 is reached through either city.

    D15: 57 turned 2, edges 2 (C14) and 5. C12: 9 turned 1, edges 1-4, so C14 leads to edge 4 of
    C10; B11 leads to its edge 3.
    """
    laid = {**EAST, "D15": ("57", 2), "C12": ("9", 1)}
    return building("MS", laid, {**FULL, "D15": (("MS",),), **(placed or {})}, now="3")


@rule("CUBA-IV.5-g", "CUBA-IV.5-h", "CUBA-IV.5-i", "CUBA-VII.3.4-x", "CUBA-C11", "CUBA-C13")
def test_two_tokens_on_the_way_cost_40_which_go_to_the_state_railway() -> None:
    state = blocked()
    assert code(state, LayTile("C16", "9", 1)) == "not-connected"
    after = play(state, BEYOND)
    # 100 - 2 x 20 - 10 for the cane field = 50; the FC gets 40, the bank 10.
    assert after.companies["MS"].cash == 50
    assert after.companies["FC"].cash == state.companies["FC"].cash + 40
    assert after.bank == state.bank + 10
    assert after.board.tokens == state.board.tokens  # the tokens stay where they are


@rule("CUBA-IV.5-e", "CUBA-G41")
def test_a_token_of_the_state_railway_blocks_and_its_slot_can_be_bought_free() -> None:
    state = blocked()
    tables, board = state.tables, state.board
    assert ("B11", 0) in reach(tables, board, "MS").stops  # reached, not passed
    assert ("C14", 0) not in reach(tables, board, "MS").stops
    assert tolled(state, "MS", "B11", 0)
    assert not tolled(state, "NPP", "B11", 0)  # it has a token there itself
    # A full city without the FC cannot be passed for money.
    other = tokens(state, B11=(("TSS", "NPP"),))
    assert code(other, LayTile("C16", "9", 1, passes=BOTH)) == "pass-not-needed"


@rule("CUBA-IV.5-j")
def test_a_pass_that_is_not_needed_is_refused() -> None:
    state = blocked()
    assert code(state, LayTile("C16", "9", 1, passes=("B11.0",))) == "not-connected"
    # B13 is reached with one pass: it has an upgrade there.
    near = LayTile("B13", "29", 5, passes=("B11.0",))  # 5-1 and 5-0
    assert code(state, near) == ""
    assert code(state, LayTile("B13", "29", 5, passes=BOTH)) == "pass-not-needed"
    assert cited(state, LayTile("B13", "29", 5, passes=BOTH)) == "CUBA-IV.5-j"
    # An open city: one of the two slots of B11 is free.
    free = tokens(state, B11=(("FC",),))
    assert code(free, LayTile("B13", "29", 5, passes=("B11.0",))) == "pass-not-needed"
    assert code(free, LayTile("B13", "29", 5)) == ""
    # What is reached anyway, what is no city, and one city named twice.
    assert code(state, LayTile("B11", "611", 0, passes=("B11.0",))) != ""
    for names in (("Z9.0",), ("B11",), ("B11.7",), ("B11.00",), ("B11.0", "B11.0"), ("",)):
        assert code(state, LayTile("C16", "9", 1, passes=names)) == "pass-not-needed"
    # The order in which they are named does not matter.
    assert state.refusal(LayTile("C16", "9", 1, passes=BOTH[::-1])) is None


@rule("CUBA-IV.5-j")
def test_all_least_sets_of_passes_are_offered() -> None:
    state = with_choice()
    # 7 turned 3 on C10 joins edges 3 and 4: either pass will do, both are too many. 8 turned 3
    # (3-5) needs B11, 8 turned 2 (2-4) needs C14.
    found = lays(state, "C10")
    assert ("7", 3, "", ("B11.0",)) in found
    assert ("7", 3, "", ("C14.0",)) in found
    assert ("8", 3, "", ("B11.0",)) in found
    assert ("8", 2, "", ("C14.0",)) in found
    assert not [one for one in found if one[3] == () or len(one[3]) == 2]
    assert code(state, LayTile("C10", "7", 3, passes=BOTH)) == "pass-not-needed"
    assert code(state, LayTile("C10", "7", 3)) == "not-connected"
    # Without a blocked city there are no passes on offer, and with one slot free only the other.
    half = with_choice({"B11": (("FC",),)})
    assert ("7", 3, "", ()) in lays(half, "C10")
    assert ("7", 3, "", ("C14.0",)) not in lays(half, "C10")
    assert ("8", 2, "", ("C14.0",)) in lays(half, "C10")


@rule("CUBA-IV.5-k")
def test_passes_are_paid_together_with_the_cane_from_what_is_there() -> None:
    assert code(blocked(money=50), BEYOND) == ""  # 40 + 10
    poor = blocked(money=49)
    assert code(poor, BEYOND) == "passes-too-dear"
    assert cited(poor, BEYOND) == "CUBA-IV.5-k"
    assert not lays(poor, "C16")
    assert code(cash(blocked(), MS=19), LayTile("B13", "29", 5, passes=("B11.0",))) != ""


@rule("CUBA-IV.5-l", "CUBA-C49")
def test_only_majors_pay_for_passes() -> None:
    laid = {**EAST, "D13": ("L61", 0)}
    state = building("HG", laid, {**FULL, "D13": (("HG",),)}, now="3")
    for passes in (("B11.0",), BOTH):
        lay = LayTile("C12", "79", 2, passes=passes)
        assert code(state, lay) == "no-passes"
        assert cited(state, lay) == "CUBA-IV.5-l"
    assert all(passes == () for _, _, _, passes in lays(state))


@rule("CUBA-IV.5-h")
def test_a_second_tile_of_the_step_does_not_pay_again() -> None:
    state = extra(blocked(), commissioners={"K1": "Ana"})
    first = play(state, BEYOND)
    assert isinstance(first.step, LayTrack)
    assert first.step.paid == BOTH
    # C14 also leads west, to edge 4 of C12: an open hex, free of charge.
    west = LayTile("C12", "9", 1, "K1")
    second = play(first, west)
    assert second.companies["MS"].cash == first.companies["MS"].cash
    again = LayTile("C12", "9", 1, "K1", passes=("C14.0",))
    assert code(first, again) == "pass-not-needed"
    assert all(passes == () for _, _, _, passes in lays(first))
    # In the next turn it is due again.
    later = at(first, LayTrack("NPP"), LayTrack("MS"))
    assert code(later, LayTile("C18", "8", 5)) == "not-connected"  # 5-1
    assert code(later, LayTile("C18", "8", 5, passes=BOTH)) == ""


@rule("CUBA-IV.5-g", "CUBA-VII.3.6-i", "CUBA-C12")
def test_a_station_beyond_a_blocked_city_pays_for_its_own_passes() -> None:
    # Santa Clara has a free slot here, and CVC has operated.
    state = opened(game(), "CVC", "Cleo")
    placed = {**FULL, "C14": (("FC",),)}
    state = building("MS", EAST, placed, now="3", money=80, state=state)
    track = play(state, LayTile("B13", "29", 5, passes=("B11.0",)))
    assert isinstance(track.step, PlaceStation)
    assert track.companies["MS"].cash == 60
    # Paid for track, not for the station: 40 and 20 again.
    assert code(track, PlaceToken("C14", 0)) == "city-not-reached"
    after = play(track, PlaceToken("C14", 0, ("B11.0",)))
    assert after.companies["MS"].cash == 60 - 40 - 20 == 0
    assert after.companies["FC"].cash == 20 + 20
    assert after.board.tokens["C14"] == (("FC", "MS"),)
    assert offered(track, PlaceToken) == [PlaceToken("C14", 0, ("B11.0",), by="Ana")]
    poor = cash(track, MS=59)
    assert code(poor, PlaceToken("C14", 0, ("B11.0",))) == "passes-too-dear"
    assert code(poor, PlaceToken("C14", 0, ("B11.0", "C14.0"))) == "pass-not-needed"


@rule("CUBA-IV.5-n")
def test_no_token_goes_on_the_slot_of_the_state_railway() -> None:
    # MS is in D15 too (6 turned 2: edges 2 and 4) and could build in D19; the cities with the FC
    # are full, whatever is paid.
    laid = {**EAST, "D15": ("6", 2), "D17": ("9", 1), "D19": ("57", 1)}
    state = play(building("MS", laid, {**FULL, "D15": (("MS",),)}, now="3"), Pass())
    assert isinstance(state.step, PlaceStation)
    assert offered(state, PlaceToken) == [PlaceToken("D19", 0, by="Ana")]
    for names in ((), ("B11.0",)):
        assert code(state, PlaceToken("C14", 0, names)) == "city-full"
    assert code(state, PlaceToken("B11", 0)) == "city-full"


@rule("CUBA-IV.5-o")
def test_a_token_of_the_state_railway_is_no_station_of_the_payer() -> None:
    # Nothing joins MS to Havana: a pass there leads nowhere. L45 turned 1: the FC's city has edges
    # 4 and 5; it is full with the one token.
    laid = {"B9": ("57", 0), "B7": ("L45", 1)}  # B9: edges 0 and 3
    placed = {"B9": (("MS",),), "B7": ((), ("FC",), ())}
    apart = building("MS", laid, placed, now="3")
    assert code(apart, LayTile("C8", "8", 2, passes=("B7.1",))) == "not-connected"
    joined = building("MS", {**laid, "B9": ("57", 1)}, placed, now="3")
    assert code(joined, LayTile("C8", "8", 2, passes=("B7.1",))) == ""  # 2-4


@rule("CUBA-VII.3.5-o", "CUBA-C12")
def test_an_upgrade_beyond_a_blocked_city() -> None:
    state = blocked()
    assert code(state, LayTile("B13", "29", 5)) == "not-connected"
    after = play(state, LayTile("B13", "29", 5, passes=("B11.0",)))
    assert after.companies["MS"].cash == 100 - 20
    # The blocked city itself can be upgraded without a pass.
    brown = building("MS", EAST, FULL, now="5")
    assert code(brown, LayTile("B11", "611", 0)) == ""
    assert code(brown, LayTile("B11", "611", 0, passes=("B11.0",))) == "pass-not-needed"


@rule("CUBA-IV.5-j")
def test_the_lays_on_offer_are_all_that_are_legal_with_any_set_of_passes() -> None:
    # Havana with L45 turned 1 as well: the FC's city joins B9 to C8. Three blocked cities, so eight
    # sets of passes, each tried with every tile that fits a hex.
    laid = {**EAST, "B7": ("L45", 1), "D15": ("57", 2), "C12": ("9", 1)}
    placed = {**FULL, "B7": ((), ("FC",), ()), "D15": (("MS",),)}
    state = building("MS", laid, placed, now="3", money=200)
    blocks = ("B11.0", "B7.1", "C14.0")
    tables, board = state.tables, state.board
    legal = {
        (hex_id, fit.tile, fit.turn, names)
        for hex_id in tables.hexes
        for fit in fits(tables, board, hex_id)
        for size in range(4)
        for names in combinations(blocks, size)
        if state.refusal(LayTile(hex_id, fit.tile, fit.turn, passes=names)) is None
    }
    found = [one for one in state.options() if isinstance(one, LayTile)]
    assert {(one.hex, one.tile, one.turn, one.passes) for one in found} == legal
    assert len(found) == len(legal)
    assert {len(names) for _, _, _, names in legal} == {0, 1}
    # Without the second token of MS, what is beyond Santa Clara needs two passes.
    one_token = tokens(state, D15=((),))
    sets = {one.passes for one in one_token.options() if isinstance(one, LayTile)}
    assert sets == {(), ("B11.0",), ("B7.1",), ("B11.0", "C14.0")}
