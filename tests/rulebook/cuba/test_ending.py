"""Section IX (the second one): the end of the bank, and the score."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import Pass, SellShares
from carril.engine.board import Board
from carril.engine.events import BankBroken, GameEnded, RoundBegan
from carril.engine.money import pay, total
from carril.engine.move import Move
from carril.engine.play import resume
from carril.engine.state import IPO, POOL, Round, State
from carril.engine.steps.operating import OperatingRound
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import extra, four_companies, game, reach, stock_round
from tests.table import cash, charter, play


def bank_has(state: State, amount: int) -> State:
    """Leave the bank this much; Dan has the rest, which no rule asks about."""
    return cash(state, Dan=state.players["Dan"].cash + state.bank - amount)


@rule("CUBA-IXb.1-a", "CUBA-G32")
def test_the_bank_is_broken_when_a_payment_leaves_it_nothing() -> None:
    for left, broken in ((1, False), (0, True), (-5, True)):
        move = Move(bank_has(game(), 100))
        pay(move, "bank", "Ana", 100 - left, "dividend")
        assert (move.state.broken, BankBroken() in move.events) == (broken, broken)
    move = Move(bank_has(game(), 100))
    pay(move, "bank", "Ana", 100, "dividend")
    pay(move, "Ana", "bank", 50, "shares")
    assert move.state.broken, "money that comes back changes nothing"


@rule("CUBA-IXb.1-a", "CUBA-G32")
def test_a_payment_to_an_empty_bank_breaks_nothing() -> None:
    move = Move(bank_has(game(), 0))
    pay(move, "Ana", "bank", 10, "shares")
    assert not move.state.broken


@rule("CUBA-IXb.1-b", "CUBA-IXb.1-d", "CUBA-C47")
def test_the_last_set_after_the_bank_breaks_in_an_operating_round() -> None:
    """Three rounds in phase 5; the FC pays Ana 5 x 3 = 15 for Havana in each of them.

    The bank has 20 before the first: 5 after it, -10 after the second (broken), -25 after the
    third, which is still played. Then the game is over; no train is exported and no stock round
    follows. Ana has 680 + 45, and her five shares stand at 65 after three rises from 50.
    """
    state = charter(reach(game(), "5"), "FC", shares={"Ana": 5, IPO: 5})
    state = bank_has(state, 20)
    money = total(state)
    state = replace(state, round=Round("OR", 2, 1, 3), agenda=(OperatingRound(),))
    outcome = resume(state)
    rounds = [event.round for event in outcome.events if isinstance(event, RoundBegan)]
    assert rounds == ["OR 2.2", "OR 2.3"]
    told = outcome.events
    assert told.index(RoundBegan("OR 2.2")) < told.index(BankBroken())
    assert told.index(BankBroken()) < told.index(RoundBegan("OR 2.3"))
    assert told[-1] == GameEnded("bank")
    over = outcome.state
    assert (over.bank, over.players["Ana"].cash, over.finished) == (-25, 725, True)
    assert over.companies["FC"].trains == ("1",)
    assert over.result is not None
    assert over.result["Ana"] == 725 + 5 * 65
    assert total(over) == money


@rule("CUBA-IXb.1-c", "CUBA-C47")
def test_the_last_set_after_the_bank_breaks_in_a_stock_round() -> None:
    """Ana sells a share of the FC for 50, all that the bank has: it is broken (G32).

    Ana ends her turn and all four pass. A complete set of two rounds (phase 3) follows, in which
    only the FC operates. It pays Ana 4 x 3 = 12 for Havana in each round: -24. Then the game is
    over. Sales leave the price of the FC at 50; the two rounds lift it to 60. Ana has
    680 + 50 + 24 and four shares at 60.
    """
    state = charter(reach(game(), "3"), "FC", shares={"Ana": 5, IPO: 5}, operated=True)
    state = play(stock_round(bank_has(state, 50)), SellShares("FC", 1))
    assert (state.bank, state.broken, str(state.round)) == (0, True, "SR 2")
    over = play(state, *(Pass(),) * 5)
    assert over.finished
    assert (str(over.round), over.bank) == ("OR 2.2", -24)
    assert over.result is not None
    assert over.result["Ana"] == 680 + 50 + 24 + 4 * 60


@rule("CUBA-IXb.2-a", "CUBA-IXb.2-b")
def test_the_score_is_cash_and_shares_alone() -> None:
    """Ana: 680, 5 x MS at 90 (her director's certificate counts two), 3 x HG at 80.

    Treasuries, trains, machines, commissioners and bonuses count nothing.
    """
    state = cash(four_companies(), HG=500, MS=700)
    state = charter(state, "MS", trains=("3", "3"))
    state = extra(
        state, machines={"HG": ("1", "1")}, bonuses={"M6": "Ana"}, commissioners={"K6": "Ana"}
    )
    assert state.title.worth(state, "Ana") == 680 + 5 * 90 + 3 * 80
    assert state.title.worth(state, "Ben") == 680 + 5 * 100 + 3 * 75


@rule("CUBA-IXb.2-c", "CUBA-G19")
def test_the_highest_score_wins_and_equal_scores_share() -> None:
    state = charter(game(), "FC", shares={"Ana": 1, "Ben": 1, IPO: 8})
    state = replace(state, ended="bank", agenda=())
    assert state.winners == ("Ana", "Ben")
    richer = cash(state, Ben=681)
    assert richer.winners == ("Ben",)
    assert richer.result is not None
    assert list(richer.result.values()) == [731, 730, 680, 680]


@rule("CUBA-G47")
def test_the_game_ends_when_nothing_can_happen_any_more() -> None:
    """Phase 7 in the eastern half, where the FC earns nothing without a green tile.

    The cheapest certificate is a director's at par 70: 2 x 70 = 140. Ana has 15 and three FC shares
    at 50; the pool holds 4 of its 5, so she can sell one: 15 + 50 = 65. Ben has nothing to buy the
    next one with. If he has 50, he makes room for one more; with 75 besides she has 75 + 2 x 50 =
    175, and the game goes on. So it does before phase 7, which an export will begin.
    """

    def after_set(phase: str, ana: int, ben: int) -> State:
        state = reach(game(2, variants=("easy", "east")), phase)
        state = charter(state, "FC", shares={"Ana": 3, "Ben": 3, POOL: 4})
        state = replace(state, round=Round("OR", 9, 3, 3), agenda=(OperatingRound(),))
        return resume(cash(state, Ana=ana, Ben=ben)).state

    over = after_set("7", 15, 15)
    assert (over.ended, over.result) == ("stalemate", {"Ana": 165, "Ben": 165})
    assert after_set("7", 39, 50).ended  # 39 + 2 x 50 = 139
    for able in (after_set("7", 40, 50), after_set("7", 75, 50), after_set("6", 15, 15)):
        assert not able.ended
        assert (str(able.round), able.acting) == ("SR 10", "Ana")


@rule("CUBA-G47")
def test_the_game_goes_on_while_the_fc_is_sold_out() -> None:
    """With two shares each, 2 x 50 pay for no certificate; but the price rises after each round."""
    state = reach(game(5), "7")
    state = charter(state, "FC", shares=dict.fromkeys(state.players, 2))
    state = replace(state, board=Board(), round=Round("OR", 9, 3, 3), agenda=(OperatingRound(),))
    poor = cash(state, **dict.fromkeys(state.players, 0))
    assert not resume(poor).state.ended
    one_left = {**dict.fromkeys(state.players, 2), "Ana": 1, IPO: 1}
    assert resume(charter(poor, "FC", shares=one_left)).state.ended == "stalemate"
