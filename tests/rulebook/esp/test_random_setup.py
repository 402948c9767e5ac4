"""The random set-up, and what 18xx.games draws from a seed (ledger ESP-1.5.2)."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.state import IPO, State
from carril.rules.marker import rule
from carril.titles.esp.common import RESERVED, esp
from carril.titles.esp.reservations import kept
from tests.rulebook.esp.bidding import auctioned, to_private, win
from tests.rulebook.esp.positions import game

NORTH = {"FdSB", "CFEA", "CFLG", "FdLR", "SFVA", "FdC"}
SOUTH = {"N", "MZA", "A", "CRB", "MCP", "ZPB", "GSSR", "AVT", "TBF"}
MINORS = {"MS", "CM", "SC", "AC", "MZ", "ZP", "CSE", "MH", "CA"}
SEEDS = range(40)


def drawn(seed: int, **more: Any) -> State:
    """Return a game with the random set-up."""
    return game(seed=seed, variants=("random",), **more)


def removed(state: State) -> set[str]:
    """Return the companies that are not in the game."""
    return set(state.companies) - set(esp(state).in_play)


@rule("ESP-1.5.2-a", "ESP-1.5.2-b", "ESP-1.5.2-c", "ESP-3.2.2-p")
def test_four_northern_six_southern_majors_and_six_minors_are_drawn() -> None:
    gone: set[str] = set()
    for seed in SEEDS:
        state = drawn(seed)
        out = removed(state)
        assert (len(out & NORTH), len(out & SOUTH), len(out & MINORS)) == (2, 3, 3)
        assert {s for s, c in state.companies.items() if c.closed} == out
        gone |= out
    assert gone == NORTH | SOUTH | MINORS  # nobody is safe


@rule("ESP-1.5.2-d")
def test_homes_of_discarded_companies_are_kept_for_nobody() -> None:
    alone = {"A": "E33", "GSSR": "I29", "AVT": "K25", "TBF": "L22", "CSE": "H32", "CM": "E29"}
    seen = set()
    for seed in SEEDS:
        state = drawn(seed)
        for symbol, hex_id in alone.items():
            here = symbol in esp(state).in_play
            assert kept(state, "FdSB", hex_id, 0) == here
            seen.add(here)
    assert seen == {True, False}


@rule("ESP-1.5.2-e", "ESP-2.2-ba")
def test_private_6_is_zafra_huelva_only_when_crb_plays() -> None:
    others = set()
    for seed in SEEDS:
        state = drawn(seed)
        if "CRB" in esp(state).in_play:
            assert esp(state).share_6 == "CRB"
        else:
            assert esp(state).share_6 in NORTH & set(esp(state).in_play)
            others.add(esp(state).share_6)
        assert list(esp(state).privates).count("P6") == 1
    assert len(others) > 2


@rule("ESP-1.5.2-f", "ESP-1.5.2-g")
def test_private_7_has_a_northern_director_perhaps_of_the_same_company() -> None:
    same = set()
    directors = set()
    for seed in range(120):
        state = drawn(seed)
        assert esp(state).director_7 in NORTH & set(esp(state).in_play)
        directors.add(esp(state).director_7)
        if "CRB" not in esp(state).in_play:
            same.add(esp(state).share_6 == esp(state).director_7)
    assert directors == NORTH
    assert same == {True, False}


@rule("ESP-1.5.2-f", "ESP-2.2-ay")
def test_vasco_navarro_gives_its_northern_share_at_once() -> None:
    seed = next(s for s in SEEDS if esp(drawn(s)).share_6 == esp(drawn(s)).director_7)
    state = to_private(drawn(seed), "P6")
    symbol, buyer = esp(state).share_6, state.acting or ""
    won = win(state)
    assert won.companies[symbol].held(buyer) == 1
    assert won.companies[symbol].held(IPO) == 9
    after = auctioned(won)
    assert sum(after.companies[symbol].held(name) for name in after.players) == 3


@rule("ESP-1.5.2-h")
@pytest.mark.parametrize(("edition", "kept_back"), [("de", 0), ("en", 1), ("es", 1)])
def test_the_rest_follows_the_standard_setup(edition: str, kept_back: int) -> None:
    for seed in range(5):
        state = drawn(seed, edition=edition)
        southern = SOUTH & set(esp(state).in_play)
        assert len(southern) == 6
        assert {state.companies[s].held(RESERVED) for s in southern} == {kept_back}
        assert {p.cash for p in state.players.values()} == {650}
        assert state.depot.left["2"] == 10


# --- the draws of 18xx.games ------------------------------------------------------------------

DRAWS = [
    (717663806, "SFVA CFEA ZPB N MCP AC CM MS", "FdLR", "CRB"),
    (277341054, "CFLG CFEA N A MZA SC CM CA", "SFVA", "CRB"),
    (1, "FdC CFEA MCP CRB MZA CSE CA MS", "FdSB", "SFVA"),
]


@rule("ESP-1.5.2-a", "ESP-1.5.2-e", "ESP-1.5.2-g")
@pytest.mark.parametrize(("seed", "out", "director", "share"), DRAWS)
def test_the_draws_of_known_seeds(seed: int, out: str, director: str, share: str) -> None:
    state = game(seed=seed, variants=("random",), conventions="18xx.games")
    assert removed(state) == set(out.split())
    assert (esp(state).director_7, esp(state).share_6) == (director, share)


@rule("ESP-1.5.1-l")
def test_the_draw_of_a_known_seed_in_the_standard_setup() -> None:
    state = game(seed=717663806, conventions="18xx.games")
    assert esp(state).director_7 == "FdSB"
    assert esp(state).share_6 == "CRB"
    assert removed(state) == {"SFVA", "FdC", "GSSR", "AVT", "TBF", "CSE", "MH", "CA"}
