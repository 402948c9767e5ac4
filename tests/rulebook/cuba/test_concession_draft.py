"""The draft of the concessions (ledger CUBA-VI.6-j to -n)."""

from __future__ import annotations

import pytest

from carril.engine.actions import ChooseLot, Pass
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.cuba.common import cuba
from carril.titles.cuba.draft import DraftConcessions
from carril.titles.cuba.events import LotsRemoved
from tests.rulebook.cuba.opening import auctioned, drafted
from tests.rulebook.cuba.positions import game
from tests.table import at, cash, cited, code, events, play


def draft(players: int = 4, *variants: str, **money: int) -> State:
    """Return the beginning of the draft, in the order of the seats, with this cash."""
    return cash(auctioned(game(players, variants=variants)), **money)


@rule("CUBA-VI.6-j", "CUBA-IV.2-a")
def test_each_player_in_the_new_order_takes_one_and_pays_the_bank() -> None:
    state = draft()
    assert state.acting == "Ana"
    state = play(state, ChooseLot("M3"))
    assert state.players["Ana"].cash == 680 - 150
    assert state.bank == 5280 + 150
    assert cuba(state).concessions["M3"] == "Ana"
    assert state.acting == "Ben"
    assert code(state, ChooseLot("M3")) == "concession-gone"
    assert cited(state, ChooseLot("M3")) == "CUBA-VI.6-j"
    assert code(state, ChooseLot("M7")) == "concession-gone"
    assert cited(state, ChooseLot("M1", by="Cleo")) == "CUBA-V-b"


@rule("CUBA-VI.6-k", "CUBA-G11")
@pytest.mark.parametrize(
    ("players", "variants", "turns"),
    [
        (2, ("easy", "west"), 1),
        (2, ("hard",), 2),
        (2, ("challenging",), 3),
        (3, ("easy",), 1),
        (3, ("hard",), 2),
        (4, (), 1),
        (5, (), 1),
        (6, (), 1),
    ],
)
def test_the_draft_has_one_to_three_turns_in_the_same_order(
    players: int, variants: tuple[str, ...], turns: int
) -> None:
    state, asked = draft(players, *variants), []
    while isinstance(state.step, DraftConcessions):
        asked.append(state.acting)
        state = play(state, Pass())
    assert asked == ["Ana", "Ben", "Cleo", "Dan", "Eva", "Fay"][:players] * turns


@rule("CUBA-VI.6-l")
def test_declining_uses_up_the_turn() -> None:
    state = play(draft(3, "hard"), Pass(), ChooseLot("M1"), ChooseLot("M2"), ChooseLot("M3"))
    assert state.acting == "Ben"  # the second turn of Ana is used; hers was the first of it
    state = play(state, Pass(), Pass())
    assert str(state.round) == "SR 1"
    assert cuba(state).concessions == {"M1": "Ben", "M2": "Cleo", "M3": "Ana"}


@rule("CUBA-VI.6-l")
def test_a_concession_that_cannot_be_paid_is_refused() -> None:
    state = draft(4, Ana=170)
    assert code(state, ChooseLot("M4")) == ""
    assert code(state, ChooseLot("M5")) == "concession-too-dear"
    assert cited(state, ChooseLot("M5")) == "CUBA-VI.6-l"


@rule("CUBA-VI.6-l")
def test_a_player_who_can_pay_for_none_declines_by_themselves() -> None:
    state = at(draft(4, Ana=119), DraftConcessions("Ana"))
    assert state.acting == "Ben"


@rule("CUBA-VI.6-m")
def test_concessions_that_nobody_took_leave_the_game() -> None:
    state = play(draft(), ChooseLot("M6"), Pass(), ChooseLot("M1"))
    assert LotsRemoved(("M2", "M3", "M4", "M5")) in events(state, Pass())
    after = play(state, Pass())
    assert cuba(after).concessions == {"M1": "Cleo", "M6": "Ana"}
    all_taken = drafted(game(6), "M1", "M2", "M3", "M4", "M5", "M6")
    assert len(cuba(all_taken).concessions) == 6


@rule("CUBA-VI.6-n")
def test_share_dealing_follows_with_the_lowest_order_card() -> None:
    state = drafted(game(4), "M1", "M2", "M3", "M4")
    assert str(state.round) == "SR 1"
    assert state.acting == state.priority == "Ana"


@rule("CUBA-IV.2-s")
def test_concessions_are_no_certificates() -> None:
    state = drafted(game(2, variants=("challenging",)), "M1", "M2", "M3", "M4", "M5", "M6")
    assert state.title.certificates(state, "Ana") == 0
