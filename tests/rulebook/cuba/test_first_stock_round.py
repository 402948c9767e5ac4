"""Scenario: the whole first stock round of four players, every sum worked out from the rules."""

from __future__ import annotations

import json

from carril.engine.actions import (
    Bid,
    BuyShare,
    ChooseLot,
    ConvertConcession,
    Pass,
    PlaceBonus,
    StartCompany,
)
from carril.engine.market import price
from carril.engine.money import total
from carril.engine.state import IPO, TREASURY, State
from carril.notation.save import Game, from_values, to_text
from carril.notation.text import parse, write
from carril.rules.marker import rule
from carril.titles.cuba.common import cuba
from tests.rulebook.cuba.positions import game
from tests.table import NAMES, code, play


def money(state: State) -> dict[str, int]:
    """Return the cash of the players."""
    return {name: player.cash for name, player in state.players.items()}


AUCTION = (
    # K1, opened by Ana (VI.6): Ana wins for 10
    *(Bid(0), Bid(5), Pass(), Pass(), Bid(10), Pass()),
    # K2, opened by Ben: 20, and nobody raises
    *(Bid(20), Pass(), Pass(), Pass()),
    # K3, opened by Cleo: Dan wins for 5
    *(Bid(0), Bid(5), Pass(), Pass(), Pass()),
    # K4, opened by Dan: Ana 30, Cleo 35
    *(Bid(0), Bid(30), Pass(), Bid(35), Pass(), Pass()),
    # K5, opened by Ana again: free
    *(Bid(0), Pass(), Pass(), Pass()),
    # K6, opened by Ben: 10
    *(Bid(10), Pass(), Pass(), Pass()),
)
DRAFT = (ChooseLot("M4"), ChooseLot("M2"), Pass(), ChooseLot("M5"))
FIRST_TURNS = (
    ConvertConcession("M4", "HG", 80),
    StartCompany("MS", 100),
    BuyShare("FC", IPO),
    ConvertConcession("M5", "SB", 70),
)
LATER_TURNS = (
    *(BuyShare("MS", IPO), BuyShare("MS", IPO), BuyShare("MS", IPO), StartCompany("CVC", 70)),
    *(BuyShare("FC", IPO), Pass(), BuyShare("CVC", IPO), Pass()),
    *(Pass(), Pass(), Pass()),
)


@rule("CUBA-VI.6-a", "CUBA-VI.6-b", "CUBA-VI.6-g", "CUBA-VI.6-i", "CUBA-VI.6-j", "CUBA-VI.6-m")
def test_auction_and_draft() -> None:
    state = play(game(4), *AUCTION)
    # III.2: 680 each. Paid: Ana 10, Ben 20 + 10, Cleo 35, Dan 5; together 80
    assert cuba(state).commissioners == {
        "K1": "Ana",
        "K2": "Ben",
        "K3": "Dan",
        "K4": "Cleo",
        "K5": "Ana",
        "K6": "Ben",
    }
    # VI.6: the least cash comes first
    assert list(money(state).items()) == [("Cleo", 645), ("Ben", 650), ("Ana", 670), ("Dan", 675)]
    assert state.bank == 8000 - 4 * 680 + 80 == 5360
    state = play(state, *DRAFT)
    # IV.2: M4 170, M2 140, M5 180; Ana declines
    assert money(state) == {"Cleo": 475, "Ben": 510, "Ana": 670, "Dan": 495}
    assert state.bank == 5360 + 490 == 5850
    assert cuba(state).concessions == {"M2": "Ben", "M4": "Cleo", "M5": "Dan"}
    assert (str(state.round), state.acting) == ("SR 1", "Cleo")


@rule("CUBA-VI.7-c", "CUBA-VI.7-e", "CUBA-VI.7-f", "CUBA-VI.8-a", "CUBA-IV.2-k", "CUBA-IV.2-l")
def test_conversions_and_starts() -> None:
    state = play(game(4), *AUCTION, *DRAFT, *FIRST_TURNS)
    # VI.7: HG at 80 costs 3 x 80 - 210 = 30 and gets 240; SB at 70 costs nothing and gets 210
    # VI.8: MS at 100 costs 2 x 100; an FC share costs 50 (III.2)
    assert money(state) == {"Cleo": 475 - 30, "Ben": 510 - 200, "Ana": 670 - 50, "Dan": 495}
    assert (state.companies["HG"].cash, state.companies["SB"].cash) == (240, 210)
    assert state.companies["HG"].shares == {"Cleo": 3, TREASURY: 2}
    # IV.2: one share of the FC came with M4, Ana has bought one
    assert state.companies["FC"].shares == {IPO: 8, "Cleo": 1, "Ana": 1}
    assert cuba(state).bonuses == {"M5": "Dan"}
    assert state.bank == 5850 + 30 - 240 + 200 + 50 - 210 == 5680
    assert state.acting == "Cleo"


@rule("CUBA-VI.8-d", "CUBA-VI.8-e", "CUBA-VI.8-f", "CUBA-VI.2-b", "CUBA-IV.2-r", "CUBA-IV.3-f")
def test_the_end_of_the_round() -> None:
    state = play(game(4), *AUCTION, *DRAFT, *FIRST_TURNS, *LATER_TURNS)
    # MS: Cleo, Ben and Ana buy one share each for 100: 50%, it floats (VI.8)
    # Dan starts CVC for 2 x 70, Cleo buys an FC share for 50, Ana one of CVC for 70: 30%
    cash = {"Cleo": 445 - 100 - 50, "Ben": 310 - 100, "Ana": 620 - 100 - 70, "Dan": 495 - 140}
    assert money(state) == cash == {"Cleo": 295, "Ben": 210, "Ana": 450, "Dan": 355}
    # VI.8: MS is founded with 5 x 100 and five shares in its treasury, CVC is not
    ms, cvc = state.companies["MS"], state.companies["CVC"]
    assert (ms.cash, ms.owner) == (500, "Ben")
    assert ms.shares == {"Ben": 3, "Cleo": 1, "Ana": 1, TREASURY: 5}
    assert (ms.tokens, ms.locked) == (2, 2)
    assert (cvc.floated, cvc.cash, cvc.held(IPO), price(state, "CVC")) == (False, 0, 7, 70)
    # VI.2: the most cash comes first
    assert list(state.players) == ["Ana", "Dan", "Cleo", "Ben"]
    # IV.2, IV.3: M2 was not converted; four minors leave
    assert cuba(state).concessions == {}
    assert {s for s, c in state.companies.items() if c.closed} == {"JU", "HY", "DQ", "CO"}
    # 5,680 + 3 x 100 + 140 + 50 + 70 - 500
    assert state.bank == 5740
    assert total(state) == 8000
    # VII.1: minors first, the lowest price first: SB at 70 before HG at 80
    assert (str(state.round), state.step.subject, state.acting) == ("OR 1.1", "SB", "Dan")
    assert state.title.order(state) == ["SB", "HG", "MS", "FC"]
    # IV.2: Dan directs no founded major that could take the mail contract
    assert code(state, PlaceBonus("M5", "CVC")) == "not-founded"


def test_the_round_is_written_as_text_and_saved() -> None:
    actions = (*AUCTION, *DRAFT, *FIRST_TURNS, *LATER_TURNS)
    record = Game.begin("18Cuba", NAMES[:4], seed=1, seated=True)
    for action in actions:
        assert parse(write(action)) == action
        record.add(action)
    again = from_values(json.loads(to_text(record)), name="a file")
    assert again.last == record.last
    assert write(FIRST_TURNS[0]) == "convert M4 into HG at 80"
    assert write(PlaceBonus("M3", "HG", "1")) == "bonus M3 to HG as 1"
