"""The end of the game: the broken bank, the last solvent player, and what players are worth."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from carril.engine.actions import (
    DeclareDividend,
    ExchangeMinor,
    GoBankrupt,
    IssueShares,
    Pass,
    SellShares,
)
from carril.engine.events import BankBroken, GameEnded, RoundBegan
from carril.engine.money import total
from carril.engine.play import resume
from carril.engine.state import Player, Round, State
from carril.engine.steps.earnings import Earnings as PayOut
from carril.engine.steps.operating import OperatingRound
from carril.rules.marker import rule
from carril.titles.eu.common import EUState
from tests.rulebook.eu.endgames import (
    berlin,
    buying,
    dealing,
    empty_game,
    exchanging,
    needy,
    prices,
)
from tests.table import (
    at,
    cash,
    charter,
    cited,
    code,
    corporation,
    events,
    plain,
    play,
    stock_round,
)


def bank(state: State, left: int) -> State:
    """Leave so much in the bank; Cleo gets the rest."""
    return cash(state, Cleo=state.bank + state.players["Cleo"].cash - left)


def one_corporation(**more: Any) -> State:
    """SNCF with a train that has nowhere to run: 50% Ana, 30% Ben, 20% treasury."""
    return needy({"Ana": 5, "Ben": 3}, trains=("8",), in_phase="8", **more)


def rounds_to_the_end(state: State) -> list[str]:
    """Play on without doing anything, and return the rounds that begin until the game is over."""
    found: list[str] = []
    for _ in range(60):
        if state.finished:
            return found
        last = state.options()[-1]
        outcome = state.apply(plain(last))
        found += [event.round for event in outcome.events if isinstance(event, RoundBegan)]
        state = outcome.state
    raise AssertionError("the game does not end")


def after_the_set(state: State) -> State:
    """The last company of OR 2.2 has operated."""
    done = tuple(state.title.order(state))
    state = replace(state, round=Round("OR", 2, 2), agenda=(OperatingRound(done),))
    return resume(state).state


# --- the bank ----------------------------------------------------------------------------


@rule("EU-5-a")
def test_a_bank_broken_in_the_stock_round_leaves_both_operating_rounds() -> None:
    state = stock_round(bank(one_corporation(), 99))
    assert BankBroken() in events(state, SellShares("SNCF", 1))
    broken = play(state, SellShares("SNCF", 1))
    assert broken.broken
    assert rounds_to_the_end(broken) == ["OR 2.1", "OR 2.2"]


@rule("EU-5-a")
def test_a_bank_broken_in_the_first_operating_round_leaves_the_second() -> None:
    state = dealing(bank(one_corporation(), 99), "SNCF", number=1)
    broken = play(state, IssueShares(1))
    assert broken.broken
    assert str(broken.round) == "OR 2.2"
    assert rounds_to_the_end(broken) == []


@rule("EU-5-a")
def test_a_bank_broken_in_the_last_operating_round_ends_the_game_with_it() -> None:
    state = dealing(bank(one_corporation(), 99), "SNCF", number=2)
    told = events(state, IssueShares(1))
    assert told[-1] == GameEnded("bank")
    over = play(state, IssueShares(1))
    assert over.finished
    assert over.options() == ()
    assert code(over, Pass()) == "game-over"
    assert cited(over, Pass()) == "EU-5-a"
    unbroken = dealing(bank(one_corporation(), 100), "SNCF", number=2)
    assert not play(unbroken, IssueShares(1)).finished


@rule("EU-5-a")
def test_a_company_that_has_yet_to_operate_still_does_after_the_bank_broke() -> None:
    state = corporation(one_corporation(), "FS", {"Cleo": 5}, price=70, trains=("8",))
    state = play(dealing(bank(state, 99), "SNCF", number=2), IssueShares(1))
    assert state.broken
    assert state.step.subject == "FS"


@rule("EU-5-a")
def test_money_that_flows_back_does_not_mend_the_bank() -> None:
    state = stock_round(bank(one_corporation(), 99))
    broken = play(state, SellShares("SNCF", 1))
    rich = replace(broken, bank=5000)
    assert rounds_to_the_end(rich) == ["OR 2.1", "OR 2.2"]


@rule("EU-5-a", "EU-4.2.2-l")
def test_a_bank_broken_in_the_final_exchange_leaves_the_whole_next_set() -> None:
    state = berlin({"Ben": 4}, floated=False, operated=False, trains=("5",))
    state = play(exchanging(bank(state, 449)), ExchangeMinor("9", "KPEV", "treasury"))
    assert state.broken  # five shares at 90 were to be paid
    assert rounds_to_the_end(state) == ["SR 3", "OR 3.1", "OR 3.2"]


@rule("EU-5-b")
def test_a_broken_bank_pays_in_full() -> None:
    state = cash(one_corporation(), Ana=0, Ben=0, SNCF=0)
    state = at(bank(state, 10), OperatingRound(("SNCF",)), PayOut("SNCF", 200))
    after = play(replace(state, round=Round("OR", 2, 1)), DeclareDividend("full"))
    money = [after.players["Ana"].cash, after.players["Ben"].cash, after.companies["SNCF"].cash]
    assert money == [100, 60, 40]
    assert after.bank == 10 - 200
    assert total(after) == 12000
    again = at(after, OperatingRound(("SNCF",)), PayOut("SNCF", 400))
    assert play(again, DeclareDividend("full")).players["Ana"].cash == 300


@rule("EU-A-35")
def test_a_broken_bank_ends_the_game_before_the_final_exchange() -> None:
    state = empty_game(3, "5", {"8": "Ana", "13": "Ana"})
    state = corporation(state, "SNCF", {"Ben": 5}, trains=("5",))
    state = cash(state, Ana=100, Ben=0, m8=400)
    state = replace(state, extra=EUState(exchange="due", exchange_first="Ben"))
    assert after_the_set(state).round.kind == "FER"
    over = after_the_set(replace(state, broken=True))
    assert over.ended == "bank"
    assert over.result is not None
    assert over.result["Ana"] == 100  # her minors are worth nothing
    assert not over.companies["8"].closed


# --- bankruptcy --------------------------------------------------------------------------


@rule("EU-5-e", "EU-4-b")
def test_the_last_solvent_player_wins_at_once() -> None:
    """Reported as #7165: the game ends when one solvent player is left."""
    state = cash(needy(players=2), SNCF=100, Ana=20, Ben=40)
    state = buying(state, "SNCF")
    told = events(state, GoBankrupt())
    assert told[-1] == GameEnded("bankruptcy")
    over = play(state, GoBankrupt())
    assert over.finished
    assert over.result is not None
    assert list(over.result) == ["Ben", "Ana"]
    assert over.result == {"Ben": 40 + 400, "Ana": 0}


@rule("EU-5-e")
def test_the_last_solvent_player_wins_even_without_any_worth() -> None:
    state = needy({"Ana": 2, "Ben": 1, "pool": 5}, players=2)
    state = buying(cash(state, SNCF=100, Ana=20, Ben=0), "SNCF")
    over = play(state, GoBankrupt())
    assert over.ended == "bankruptcy"
    assert over.result is not None
    assert list(over.result) == ["Ben", "Ana"]


@rule("EU-5-e")
def test_with_two_solvent_players_left_the_game_goes_on() -> None:
    state = cash(needy(players=3), SNCF=100, Ana=20)
    after = play(buying(state, "SNCF"), GoBankrupt())
    assert not after.finished
    assert after.acting == "Ben"


# --- net worth ---------------------------------------------------------------------------


@rule("EU-5-c")
def test_worth_is_cash_and_shares_at_the_final_price() -> None:
    state = needy({"Ana": 3, "Ben": 2}, at=(1, 5), trains=("4",))
    state = cash(state, Ana=500, Ben=1, Cleo=0)
    assert prices(state, "SNCF") == [122]
    over = after_the_set(replace(state, broken=True))
    assert over.result == {"Ana": 866, "Ben": 245, "Cleo": 0}
    assert list(over.result) == ["Ana", "Ben", "Cleo"]


@rule("EU-5-c")
def test_there_is_no_result_before_the_end() -> None:
    state = one_corporation()
    assert state.result is None
    assert state.title.worth(state, "Ana") == state.players["Ana"].cash + 500


@rule("EU-5-d")
def test_company_money_trains_and_minors_are_worth_nothing() -> None:
    base = empty_game(3, "4", {"8": "Ana"})
    base = corporation(base, "SNCF", {"Ana": 5}, price=100)
    base = cash(base, Ana=500, Ben=0)
    rich = cash(charter(base, "SNCF", trains=("4", "4")), SNCF=3000, m8=700)
    for state in (base, rich):
        over = after_the_set(replace(state, broken=True))
        assert over.result is not None
        assert over.result["Ana"] == 1000


@rule("EU-A-36")
def test_equal_worth_is_a_shared_win() -> None:
    state = cash(needy({"Ana": 3, "Ben": 3}, trains=("4",)), Ana=200, Ben=200, Cleo=0)
    over = after_the_set(replace(state, broken=True))
    assert over.result is not None
    best = max(over.result.values())
    assert [name for name, worth in over.result.items() if worth == best] == ["Ana", "Ben"]


@rule("EU-A-37")
def test_shares_of_unfloated_and_unoperated_corporations_count() -> None:
    state = corporation(one_corporation(), "FS", {"Cleo": 3}, floated=False, operated=False)
    state = corporation(state, "KBS", {"Cleo": 5}, price=70, operated=False)
    state = cash(state, Cleo=0)
    over = after_the_set(replace(state, broken=True))
    assert over.result is not None
    assert over.result["Cleo"] == 3 * 100 + 5 * 70


# --- nothing else ------------------------------------------------------------------------


@rule("EU-5-f")
def test_the_top_of_the_market_does_not_end_the_game() -> None:
    state = needy({"Ana": 5}, at=(0, 15), trains=("8",), in_phase="8")
    state = at(state, OperatingRound(("SNCF",)), PayOut("SNCF", 400))
    state = play(replace(state, round=Round("OR", 2, 2)), DeclareDividend("full"))
    assert prices(state, "SNCF") == [400]
    assert not state.finished
    assert str(state.round) == "SR 3"


@rule("EU-5-f")
def test_an_unbroken_bank_goes_on_to_the_next_stock_round() -> None:
    state = after_the_set(one_corporation())
    assert str(state.round) == "SR 3"
    assert not state.finished


@rule("EU-5-f")
def test_a_player_without_anything_does_not_end_the_game() -> None:
    state = cash(one_corporation(), Cleo=0)
    assert state.players["Cleo"] == Player("Cleo", 0)
    assert not after_the_set(state).finished
