"""Floating and founding majors, and their locked stations (ledger CUBA-VI.8)."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyShare, Pass, SellShares, StartCompany
from carril.engine.events import CompanyFloated
from carril.engine.market import price
from carril.engine.move import Move
from carril.engine.state import IPO, POOL, TREASURY, State
from carril.rules.marker import rule
from carril.titles.cuba.common import cuba
from carril.titles.cuba.events import TokensUnlocked
from carril.titles.cuba.founding import is_founded, unlock_by_treasury
from tests.rulebook.cuba.positions import game, major, stock_round
from tests.table import charter, code, events, play


def sold_in_first_round(par: int, sold: int) -> State:
    """Start MS at a price, sell this many shares in the first stock round, and end it."""
    state = stock_round(game(4), turn=1)
    state = play(state, StartCompany("MS", par))
    for _ in range(sold - 2):
        state = play(state, BuyShare("MS", IPO))
    return play(state, *(Pass() for _ in range(4)))


@rule("CUBA-VI.8-c", "CUBA-C8")
def test_a_major_floats_at_half() -> None:
    state = stock_round(game(4), turn=1)
    state = play(state, StartCompany("MS", 70), BuyShare("MS", IPO), BuyShare("MS", IPO))
    assert not state.companies["MS"].floated  # 40%
    assert CompanyFloated("MS") in events(state, BuyShare("MS", IPO))
    assert play(state, BuyShare("MS", IPO)).companies["MS"].floated  # 50%


@rule("CUBA-VI.8-c")
def test_sales_to_the_pool_do_not_undo_the_flotation() -> None:
    state = stock_round(major(game(4), "MS", {"Ana": 4, "Ben": 1}))
    state = play(state, SellShares("MS", 2))
    assert state.companies["MS"].held("Ana") + state.companies["MS"].held("Ben") == 3
    assert state.companies["MS"].floated
    state = play(state, *(Pass() for _ in range(5)))
    assert "MS" in state.title.order(state)


@rule("CUBA-VI.8-d", "CUBA-C7")
def test_founding_waits_for_the_end_of_the_round() -> None:
    state = stock_round(game(4), turn=1)
    state = play(state, StartCompany("MS", 70), *(BuyShare("MS", IPO) for _ in range(3)))
    floated = state.companies["MS"]
    assert (floated.floated, floated.cash, floated.shares[IPO]) == (True, 0, 5)
    assert not is_founded(state, "MS")
    assert cuba(state).founding == ("MS",)
    # a further share still comes from the offering
    state = play(state, BuyShare("MS", IPO), *(Pass() for _ in range(4)))
    founded = state.companies["MS"]
    assert is_founded(state, "MS")
    assert cuba(state).founding == ()
    assert founded.held(TREASURY) == 4
    assert founded.held(IPO) == 0


@rule("CUBA-VI.8-e", "CUBA-C6")
@pytest.mark.parametrize(("par", "sold"), [(90, 6), (70, 5), (100, 5), (75, 8)])
def test_the_treasury_is_the_price_for_each_unit_sold(par: int, sold: int) -> None:
    founded = sold_in_first_round(par, sold).companies["MS"]
    # par 90 and 60% sold: 540
    assert founded.cash == {(90, 6): 540, (70, 5): 350, (100, 5): 500, (75, 8): 600}[par, sold]
    assert founded.held(TREASURY) == 10 - sold


@rule("CUBA-VI.8-f")
def test_an_unfloated_major_waits_for_a_later_round() -> None:
    state = sold_in_first_round(85, 4)
    waiting = state.companies["MS"]
    assert (waiting.floated, waiting.cash, waiting.held(IPO)) == (False, 0, 6)
    assert price(state, "MS") == 85
    assert "MS" not in state.title.order(state)
    assert str(state.round) == "SR 2"  # only the FC has operated
    later = play(state, BuyShare("MS", IPO), *(Pass() for _ in range(4)))
    assert later.companies["MS"].cash == 5 * 85
    assert later.step.subject == "MS"


@rule("CUBA-VI.8-g", "CUBA-VI.8-l", "CUBA-G36")
def test_two_tokens_are_usable_and_two_locked() -> None:
    start = game(4).companies["MS"]
    assert (start.tokens, start.locked) == (2, 2)
    # par 80, 60% sold: 40% stay in the treasury
    state = stock_round(game(4), turn=1)
    state = play(state, StartCompany("MS", 80), *(BuyShare("MS", IPO) for _ in range(4)))
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (2, 2)
    state = play(state, *(Pass() for _ in range(3)))
    last = events(state, Pass())
    assert not any(isinstance(event, TokensUnlocked) for event in last)


@rule("CUBA-VI.8-h", "CUBA-VI.8-l", "CUBA-G36")
def test_the_third_token_unlocks_at_the_founding_with_30_percent_left() -> None:
    state = stock_round(game(4), turn=1)
    state = play(state, StartCompany("MS", 80), *(BuyShare("MS", IPO) for _ in range(5)))
    assert state.companies["MS"].locked == 2  # 70% are sold, but the founding is still to come
    state = play(state, *(Pass() for _ in range(3)))
    assert TokensUnlocked("MS", 1) in events(state, Pass())
    assert state.title.stock.finish is not None
    after = state.apply(Pass()).state.companies["MS"]
    assert (after.cash, after.held(TREASURY)) == (560, 3)
    assert after.locked == 1


@rule("CUBA-VI.8-i", "CUBA-C10")
@pytest.mark.parametrize(("left", "locked"), [(4, 2), (3, 1), (2, 1), (1, 1), (0, 0)])
def test_the_fourth_token_unlocks_when_nothing_is_left(left: int, locked: int) -> None:
    move = Move(major(game(4), "MS", {"Ana": 6, "Ben": 4 - left, TREASURY: left}))
    unlock_by_treasury(move, "MS")
    company = move.state.companies["MS"]
    assert (company.tokens, company.locked) == (4 - locked, locked)


@rule("CUBA-VI.8-j", "CUBA-VI.8-h", "CUBA-VI.8-i")
def test_purchases_from_the_treasury_unlock_tokens_for_good() -> None:
    state = stock_round(major(game(4), "MS", {"Dan": 5, "Cleo": 1}))  # 40% in the treasury
    state = play(state, BuyShare("MS", TREASURY))
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (3, 1)
    state = play(state, BuyShare("MS", TREASURY), BuyShare("MS", TREASURY))
    assert state.companies["MS"].locked == 1  # 10% left
    assert TokensUnlocked("MS", 1) in events(state, BuyShare("MS", TREASURY))
    state = play(state, BuyShare("MS", TREASURY))
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (4, 0)
    # shares that come back lock nothing
    back = charter(state, "MS", shares={"Dan": 6, TREASURY: 4})
    move = Move(back)
    unlock_by_treasury(move, "MS")
    assert move.state == back


@rule("CUBA-VI.8-j")
def test_a_purchase_from_the_pool_unlocks_nothing() -> None:
    state = stock_round(major(game(4), "MS", {"Dan": 5, POOL: 1}))  # 40% in the treasury
    after = play(state, BuyShare("MS", POOL))
    assert after.companies["MS"].locked == 2


@rule("CUBA-VI.8-l")
def test_nothing_unlocks_before_the_founding() -> None:
    state = stock_round(game(4), turn=1)
    state = play(state, StartCompany("MS", 70), BuyShare("MS", IPO))
    assert state.companies["MS"].held(TREASURY) == 0
    assert state.companies["MS"].locked == 2


def two_founded() -> State:
    """Play a first stock round of four players with 680 each in which two majors are founded."""
    return play(
        stock_round(game(4), turn=1),
        StartCompany("MS", 70),  # Ana 680 - 140 = 540 (VI.8: twice the price)
        StartCompany("CVC", 80),  # Ben 680 - 160 = 520
        BuyShare("MS", IPO),  # Cleo 680 - 70 = 610
        BuyShare("MS", IPO),  # Dan 610: MS 40%
        BuyShare("MS", IPO),  # Ana 470: MS 50%, floats (VI.8)
        BuyShare("CVC", IPO),  # Ben 440: CVC 30%
        BuyShare("MS", IPO),  # Cleo 540: MS 60%
        BuyShare("MS", IPO),  # Dan 540: MS 70%
        BuyShare("CVC", IPO),  # Ana 390: CVC 40%
        BuyShare("CVC", IPO),  # Ben 360: CVC 50%, floats
        *(Pass() for _ in range(4)),
    )


@rule("CUBA-VI.8-e", "CUBA-VI.8-g", "CUBA-VI.8-h", "CUBA-VI.8-l")
def test_scenario_a_token_unlocked_at_the_founding() -> None:
    state = two_founded()
    # VI.8: 7 x 70 = 490 for MS with 30% in its treasury, 5 x 80 = 400 for CVC with 50%
    ms, cvc = state.companies["MS"], state.companies["CVC"]
    assert (ms.cash, ms.held(TREASURY), ms.locked) == (490, 3, 1)
    assert (cvc.cash, cvc.held(TREASURY), cvc.locked) == (400, 5, 2)
    # VI.2: most cash first; Cleo and Dan have 540 each and keep their order
    cash = {name: player.cash for name, player in state.players.items()}
    assert list(cash.items()) == [("Cleo", 540), ("Dan", 540), ("Ana", 390), ("Ben", 360)]


@rule("CUBA-VI.8-h", "CUBA-VI.8-i", "CUBA-VI.8-j", "CUBA-VI.5-f")
def test_scenario_tokens_unlocked_by_purchases() -> None:
    """The second stock round, made by hand: prices as they were, both companies have operated."""
    state = two_founded()
    for symbol in ("MS", "CVC"):
        state = charter(state, symbol, operated=True)
    # the home token of a company that has begun its first turn is on the map
    usable = state.companies["MS"].tokens
    state = play(stock_round(state, "Cleo"), BuyShare("CVC", TREASURY))
    cvc = state.companies["CVC"]  # VI.5: Cleo pays it 80; 40% left
    assert (cvc.cash, cvc.held(TREASURY), cvc.locked) == (480, 4, 2)
    state = play(state, BuyShare("CVC", TREASURY))
    cvc = state.companies["CVC"]  # Dan pays 80; 30% left: the third token (VI.8)
    assert (cvc.cash, cvc.held(TREASURY), cvc.locked) == (560, 3, 1)
    state = play(state, BuyShare("MS", TREASURY), BuyShare("MS", TREASURY))
    ms = state.companies["MS"]  # Ana and Ben pay 70 each; 10% left
    assert (ms.cash, ms.held(TREASURY), ms.locked) == (630, 1, 1)
    state = play(state, BuyShare("MS", TREASURY))
    ms = state.companies["MS"]  # Cleo pays 70; nothing left: the fourth token (C10)
    assert (ms.cash, ms.held(TREASURY), ms.tokens, ms.locked) == (700, 0, usable + 1, 0)
    assert code(state, BuyShare("MS", TREASURY)) == "no-share-there"
