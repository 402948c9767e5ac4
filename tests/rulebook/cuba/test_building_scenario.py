"""A minor's first turn and the first turns of a major, with commissioners and passes, by hand.

Only building is played: home, track and station of each turn. Every sum is worked out from the
rulebook in a comment.
"""

from __future__ import annotations

from carril.engine.actions import LayTile, Pass, PlaceToken
from carril.engine.state import State
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import LayTrack
from carril.rules.marker import rule
from tests.rulebook.cuba.building import opened
from tests.rulebook.cuba.positions import extra, game, memory
from tests.table import at, cash, charter, code, phase, play, tiles, tokens


def turn(state: State, symbol: str) -> State:
    """Begin the building of a company's turn; Ben's NPP comes next, so that the game goes on."""
    steps = (LayTrack("NPP"), PlaceStation(symbol), LayTrack(symbol))
    first = not state.companies[symbol].operated
    return at(state, *steps, *((PlaceHome(symbol),) if first else ()))


def ended(state: State, symbol: str) -> State:
    """Say that a company has taken its turn."""
    assert state.step.subject != symbol
    return charter(state, symbol, operated=True)


def founded() -> State:
    """Return the beginning: HG opened at 70 (3 x 70 = 210), CVC at 80 with 60% sold (6 x 80 = 480).

    Ana directs both and has commissioners 1 to 3; MS and Oe have begun, Ben's NPP has not.
    """
    state = opened(game(), "HG", operated=False, tokens=1)
    state = opened(state, "CVC", operated=False, tokens=2)
    state = opened(opened(state, "MS", "Ben"), "Oe", "Cleo")
    state = opened(state, "NPP", "Ben", operated=False)
    state = tokens(tiles(state, B9=("57", 1)), B9=(("MS",),), B7=(("Oe",), ("FC",)))
    state = extra(state, commissioners={"K1": "Ana", "K2": "Ana", "K3": "Ana", "K4": "Ben"})
    return cash(state, HG=210, CVC=480)


def sums(state: State) -> tuple[int, int, int, int]:
    """Return the money of Ana, HG, CVC and the state railway."""
    companies = [state.companies[symbol].cash for symbol in ("HG", "CVC", "FC")]
    return (state.players["Ana"].cash, *companies)  # type: ignore[return-value]


def minors_turn(state: State) -> State:
    """Play the first turn of HG: home in Cienfuegos, three tiles, two of them by commissioners."""
    state = play(turn(state, "HG"), PlaceToken("D13", 0))
    assert code(state, Pass()) == "minor-tile-due"  # VII.3.4: the home tile must be laid
    # IV.1: commissioner 2 lays a yellow city and pays its owner 35; the normal tile is still open.
    state = play(state, LayTile("D13", "L60", 0, "K2"))
    # VII.3.4: a field on the cane of D11 (edges 1-4) is free for a minor.
    state = play(state, LayTile("D11", "L48", 2))
    # Commissioner 1, a yellow plain or field tile: D9 (edges 3-4), the side to C8 being a barrier.
    assert code(state, LayTile("D9", "L50", 3, "K1")) == "prohibited-side"
    state = play(state, LayTile("D9", "L50", 4, "K1"))
    return ended(state, "HG")


def majors_first_turn(state: State) -> State:
    """Play the first turn of CVC: its home token and tile in Santa Clara; no city is reached."""
    state = turn(state, "CVC")
    assert state.board.tokens["C14"] == (("CVC",),)
    assert code(state, LayTile("C14", "L60", 0)) == "major-standard-only"
    return ended(play(state, LayTile("C14", "6", 2)), "CVC")  # edges 2 and 4


def majors_second_turn(state: State) -> State:
    """Play the second turn: plain track on the cane of B13 for 10 (VII.3.4), edges 5 and 1."""
    return ended(play(turn(state, "CVC"), LayTile("B13", "8", 5)), "CVC")


def majors_third_turn(state: State) -> State:
    """Play the third turn: Cárdenas, an upgrade by commissioner 3, and a station for 40."""
    state = play(turn(state, "CVC"), LayTile("B11", "57", 1))
    state = play(state, LayTile("B13", "29", 5, "K3"))  # 5-1 and 5-0; its owner gets 40
    return ended(play(state, PlaceToken("B11", 0)), "CVC")


def majors_fourth_turn(state: State) -> State:
    """Play the fourth turn: past Matanzas, which MS and the FC fill, for 20 (IV.5)."""
    state = turn(state, "CVC")
    assert code(state, LayTile("C8", "8", 1)) == "not-connected"
    state = play(state, LayTile("C8", "8", 1, passes=("B9.0",)))  # edges 1 and 3
    return ended(state, "CVC")


def majors_fifth_turn(state: State) -> State:
    """Play the fifth turn: 20 for track again, and 20 + 60 for a station in Pinar del Río."""
    state = turn(tiles(state, C4=("57", 1)), "CVC")
    state = play(state, LayTile("C6", "9", 1, passes=("B9.0",)))
    assert code(state, PlaceToken("C4", 0)) == "city-not-reached"
    return ended(play(state, PlaceToken("C4", 0, ("B9.0",))), "CVC")


@rule("CUBA-VII.3.4-k", "CUBA-VII.3.4-z", "CUBA-IV.1-k", "CUBA-IV.5-g", "CUBA-IV.5-h")
def test_first_turns_with_commissioners_and_passes() -> None:
    state = founded()
    assert sums(state) == (680, 210, 480, 0)  # 680 is the starting cash of four players
    state = minors_turn(state)
    # Ana: 680 + 35 + 30 = 745. HG pays nothing.
    assert sums(state) == (745, 210, 480, 0)
    assert set(memory(state).commissioners) == {"K3", "K4"}
    state = majors_first_turn(state)
    # The home token and the home tile are free.
    assert sums(state) == (745, 210, 480, 0)
    state = majors_second_turn(state)
    # 480 - 10 = 470.
    assert sums(state) == (745, 210, 470, 0)
    state = majors_third_turn(phase(state, "3"))
    # Ana: 745 + 40 = 785. CVC: 470 - 40 = 430 for its first station after the home.
    assert sums(state) == (785, 210, 430, 0)
    # Ben's MS upgrades Matanzas: two slots, MS and the marker of the FC (VII.3.5).
    state = charter(play(turn(state, "MS"), LayTile("B9", "14", 0)), "MS", operated=True)
    assert state.board.tokens["B9"] == (("MS", "FC"),)
    state = majors_fourth_turn(state)
    # 430 - 20 = 410, and the FC has 20.
    assert sums(state) == (785, 210, 410, 20)
    state = majors_fifth_turn(charter(state, "CVC", tokens=1))
    # Track: 410 - 20 = 390. Station: 390 - 20 - 60 = 310. The FC: 20 + 20 + 20 = 60.
    assert sums(state) == (785, 210, 310, 60)
    assert state.board.tokens["C4"] == (("CVC",),)
    assert memory(state).commissioners == {"K4": "Ben"}
