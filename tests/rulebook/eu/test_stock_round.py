"""The stock round: turns, passes, priority and its end (ledger EU-4.1, EU-4.1.4)."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import (
    BuyShare,
    BuyTrain,
    DiscardTrain,
    ExchangeMinor,
    Pass,
    SellShares,
    StartCompany,
)
from carril.engine.events import (
    PriceMoved,
    PriorityMoved,
    RoundBegan,
    TrainDiscarded,
    TurnBegan,
)
from carril.engine.state import State
from carril.engine.steps.stock import StockRound
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from tests.rulebook.eu.dealing import to_round, turn_of, why
from tests.table import (
    cash,
    code,
    corporation,
    game,
    operate,
    own_minors,
    pass_until,
    phase,
    play,
    stock_round,
    tokens,
)

BUY = BuyShare("SNCF", "treasury")


def table(first: str = "Ana") -> State:
    """A stock round of four in which all can buy SNCF; Ana and Ben can sell KBS and FS."""
    state = own_minors(game(4), {})
    state = corporation(state, "SNCF", {"Ana": 3}, trains=("5",))
    state = corporation(state, "KBS", {"Ben": 4, "Ana": 3}, at=(3, 3), trains=("5",))
    state = corporation(state, "FS", {"Cleo": 3, "Ana": 2, "Ben": 2}, at=(3, 4), trains=("5",))
    state = tokens(state, E6=(("SNCF",),), G12=(("KBS",),), E18=(("FS",),))
    state = cash(state, Ana=900, Ben=900, Cleo=900, Dan=900)
    return stock_round(state, first)


def passing(state: State, count: int) -> State:
    """Let so many players pass."""
    return play(state, *[Pass()] * count)


@rule("EU-4.1-a")
def test_players_act_in_order_from_the_priority_deal_on() -> None:
    state = table("Cleo")
    turns = []
    for _ in range(6):
        turns.append(state.acting)
        state = play(state, BUY)
    assert turns == ["Cleo", "Dan", "Ana", "Ben", "Cleo", "Dan"]
    assert why(table("Cleo"), BuyShare("SNCF", "treasury", by="Dan")) == "not-your-turn"
    assert why(table("Cleo"), BuyShare("SNCF", "treasury", by="Cleo")) == ""


@rule("EU-4.1-b")
def test_a_turn_is_sales_and_then_one_purchase() -> None:
    state = play(table(), SellShares("KBS", 1))
    assert state.acting == "Ana"
    state = play(state, SellShares("FS", 2))
    assert state.acting == "Ana"
    assert play(state, BUY).acting == "Ben"
    assert play(state, Pass()).acting == "Ben"
    started = own_minors_and_start()
    assert started.acting == "Ben"


def own_minors_and_start() -> State:
    """Ana sells and then starts a corporation with her only minor."""
    state = own_minors(game(4), {"8": "Ana"})
    state = corporation(state, "KBS", {"Ben": 4, "Ana": 3})
    state = stock_round(cash(state, Ana=200, Ben=900))
    return play(state, SellShares("KBS", 1), StartCompany("DR", 100))


@rule("EU-4.1-b", "EU-4.1-d")
def test_selling_alone_is_not_a_pass() -> None:
    state = play(table(), SellShares("KBS", 1), Pass())
    after = passing(state, 3)
    assert (str(after.round), after.acting) == ("SR 2", "Ana")
    ended = passing(after, 1)
    assert (str(ended.round), ended.priority) == ("OR 2.1", "Ben")


@rule("EU-4.1-c")
def test_who_has_passed_may_act_again() -> None:
    state = passing(table(), 3)
    assert state.acting == "Dan"
    again = play(state, BUY)
    assert again.acting == "Ana"
    assert code(again, BUY) == ""
    assert code(again, SellShares("KBS", 1)) == ""


@rule("EU-4.1-d")
def test_the_round_ends_when_all_have_passed_in_succession() -> None:
    assert str(passing(table(), 3).round) == "SR 2"
    assert str(passing(table(), 4).round) == "OR 2.1"
    interrupted = passing(play(passing(table(), 3), BUY), 3)
    assert str(interrupted.round) == "SR 2"
    assert str(passing(interrupted, 1).round) == "OR 2.1"


@rule("EU-4.1-e")
def test_priority_goes_to_whoever_began_the_last_passes() -> None:
    state = play(table(), BUY, BUY, BUY)  # Cleo buys last
    ended = passing(state, 4)
    assert str(ended.round) == "OR 2.1"
    assert ended.priority == "Dan"
    assert pass_until(ended, StockRound).acting == "Dan"


@rule("EU-A-9")
def test_if_nobody_acts_priority_stays() -> None:
    for first in ("Ana", "Cleo"):
        ended = passing(table(first), 4)
        assert str(ended.round) == "OR 2.1"
        assert ended.priority == first


def over_the_limit() -> State:
    """The last pass is due; SNCF is sold out, and SNCF and KBS have four trains each in phase 4."""
    state = phase(own_minors(game(3), {}), "4")
    four = ("3", "4", "4", "5")
    state = corporation(state, "KBS", {"Ben": 5}, at=(3, 3), trains=("3", "3", "4", "P"))
    state = corporation(state, "SNCF", {"Ana": 6, "Ben": 4}, at=(2, 4), trains=four)
    state = tokens(state, E6=(("SNCF",),), G12=(("KBS",),))
    return passing(stock_round(state, "Cleo"), 2)


@rule("EU-4.1-f", "EU-A-11", "EU-4.3-q")
def test_priority_prices_and_discards_come_before_the_operating_round() -> None:
    state = over_the_limit()
    assert (str(state.round), state.acting) == ("SR 2", "Ben")
    outcome = state.apply(Pass())
    assert [event for event in outcome.events if not hasattr(event, "step")] == [
        PriorityMoved("Cleo"),
        PriceMoved("SNCF", 100, 110, "sold out"),
    ]
    waiting = outcome.state
    assert (str(waiting.round), waiting.acting) == ("SR 2", "Ana")
    assert code(waiting, DiscardTrain("2")) == "no-such-train-owned"
    assert code(waiting, Pass()) == "not-now"
    told = waiting.apply(DiscardTrain("3")).events
    # SNCF first, being dearer; of KBS the Pullman goes, which is no choice.
    assert told == (
        TrainDiscarded("SNCF", "3"),
        TrainDiscarded("KBS", "P"),
        RoundBegan("OR 2.1"),
        TurnBegan("SNCF"),
    )


@rule("EU-4.1.4-a")
def test_the_first_operating_round_begins_at_once() -> None:
    ended = passing(table(), 4)
    assert (str(ended.round), ended.acting) == ("OR 2.1", "Ana")
    assert isinstance(ended.step, LayTrack)
    assert ended.step.subject == "SNCF"


@rule("EU-4.1.2-g", "EU-4.1-b")
def test_nothing_of_the_stock_round_can_be_done_between_rounds() -> None:
    ended = passing(table(), 4)
    for action in (BUY, SellShares("KBS", 1), ExchangeMinor("8", "SNCF", "treasury")):
        assert code(ended, action) == "not-now"


@rule("EU-A-15")
def test_an_emergency_sale_does_not_bar_buying_in_the_next_stock_round() -> None:
    state = phase(own_minors(game(3), {}), "4")
    state = corporation(state, "SNCF", {"Ana": 5, "Ben": 2})
    state = corporation(state, "KBS", {"Ben": 5, "Ana": 3}, at=(3, 3), trains=("5",))
    state = tokens(cash(state, Ana=230), E6=(("SNCF",),), G12=(("KBS",),))
    state = pass_until(operate(state, "SNCF", turn=2, number=2), BuyTrains)
    state = play(state, SellShares("KBS", 1), BuyTrain("4", "stack", 300))
    assert state.companies["KBS"].held("Ana") == 2
    state = turn_of(cash(to_round(state, "SR 3").state, Ana=500), "Ana")
    assert code(state, BuyShare("KBS", "pool")) == ""
    sold = play(state, SellShares("KBS", 1))
    assert code(sold, BuyShare("KBS", "pool")) == "sold-this-round"


@rule("EU-4.1-a", "EU-4.1-d")
def test_a_bankrupt_player_is_passed_over() -> None:
    state = table()
    dan = replace(state.players["Dan"], bankrupt=True)
    state = passing(replace(state, players={**state.players, "Dan": dan}), 2)
    assert (str(state.round), state.acting) == ("SR 2", "Cleo")
    assert play(state, BUY).acting == "Ana"
    assert str(passing(state, 1).round) == "OR 2.1"
