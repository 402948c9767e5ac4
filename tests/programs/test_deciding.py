"""What each kind of program does, and each condition that stops it."""

from __future__ import annotations

from typing import Literal

import pytest

from carril.engine.actions import (
    Accept,
    Bid,
    BuyShare,
    ChooseLot,
    DeclareDividend,
    Decline,
    Pass,
    RunTrains,
)
from carril.engine.events import (
    BidMade,
    Event,
    PhaseBegan,
    PresidentChanged,
    PriceMoved,
    SharesSold,
)
from carril.engine.refusals import BadRecord
from carril.engine.state import State
from carril.engine.steps.trains import TrainOffer
from carril.programs import (
    Act,
    AnswerOffers,
    AnyProgram,
    BidUpTo,
    BuyShares,
    Halt,
    Happened,
    History,
    LayNothing,
    NewPhase,
    Operate,
    OtherBid,
    PassOn,
    PresidentChanges,
    PriceBelow,
    RoundEnds,
    ShareSold,
    Wait,
    convert_program,
    decide,
    describe,
    describe_stop,
    objection,
    say_reason,
    sensible,
)
from carril.programs.kinds import AnyStop
from tests import table
from tests.browser.positions import played_until

FIRST = "Ana"


def stock(**shares: int) -> State:
    """A stock round in which Ana is asked, with a corporation that Ben has started."""
    state = table.sell_all_minors(table.game(3, seated=True))
    state = table.cash(state, Ana=500, Ben=500, Cleo=500)
    state = table.corporation(state, "FS", shares or {"Ben": 2}, floated=False)
    return table.stock_round(state, FIRST)


def since(state: State, *events: Event, by: str = "Ben", programmed: bool = False) -> History:
    """One action of a player with some events."""
    entry = Happened(1, by, Pass(by=by), events, programmed)
    return History(round=str(state.round), entries=(entry,))


def asked(state: State, program: AnyProgram, *events: Event, by: str = "Ben") -> object:
    """Return what a program of Ana decides after some events."""
    return decide(state, FIRST, program, since(state, *events, by=by))


def code(decision: object) -> str:
    """Return why a program is over; its sentence can be said."""
    assert isinstance(decision, Halt), decision
    assert say_reason(decision.reason)
    return decision.reason.code


def test_passing_waits_for_the_players_turn() -> None:
    state = stock()
    assert asked(state, PassOn()) == Act(Pass(by=FIRST))
    assert decide(state, "Ben", PassOn(), since(state)) == Wait()


def test_passing_for_a_round_ends_with_the_round() -> None:
    state = stock()
    later = decide(state, FIRST, PassOn(), History(round="SR 1"))
    assert code(later) == "round"


def test_passing_ends_when_the_player_acts_by_hand() -> None:
    state = stock()
    bought = Happened(1, FIRST, BuyShare("FS", "pool", by=FIRST))
    assert code(decide(state, FIRST, PassOn(), History(str(state.round), entries=(bought,)))) == (
        "by-hand"
    )


@pytest.mark.parametrize(
    ("event", "why"),
    [
        (SharesSold("Ben", "FS", 2, 150), "sold"),
        (PriceMoved("FS", 80, 75, "sale"), "price-changed"),
        (PresidentChanged("FS", "Ben", "Cleo"), "president"),
    ],
)
def test_passing_until_a_change_ends_with_the_change(event: Event, why: str) -> None:
    state = stock(Ben=3, Ana=2)
    program = PassOn(until="change")
    assert isinstance(asked(state, program), Act)
    assert code(asked(state, program, event)) == why
    without = stock()
    assert isinstance(asked(without, program, event), Act)


STOPS: list[tuple[AnyStop, Event, str]] = [
    (ShareSold(), SharesSold("Ben", "FS", 1, 80), "sold"),
    (ShareSold("FS"), SharesSold("Cleo", "FS", 1, 80), "sold"),
    (PriceBelow("FS", 80), PriceMoved("FS", 80, 75, "sale"), "price"),
    (OtherBid(), BidMade("Ben", "5", 110), "other-bid"),
    (PresidentChanges(), PresidentChanged("FS", "Ben", FIRST), "president"),
    (PresidentChanges("FS"), PresidentChanged("FS", "Ben", "Cleo"), "president"),
    (NewPhase(), PhaseBegan("3"), "phase"),
]


@pytest.mark.parametrize(("stop", "event", "why"), STOPS)
def test_a_condition_stops_every_kind_of_program(stop: AnyStop, event: Event, why: str) -> None:
    state = stock(Ben=3, Ana=1)
    for program in (
        PassOn(stops=(stop,)),
        BuyShares(company="FS", until_float=False, count=3, stops=(stop,)),
        Operate(stops=(stop,)),
        LayNothing(stops=(stop,)),
        AnswerOffers(kind="train-offer", accept=True, stops=(stop,)),
    ):
        assert not isinstance(asked(state, program), Halt)
        assert code(asked(state, program, event)) == why
    assert describe_stop(stop)


def test_the_end_of_the_round_stops_a_program() -> None:
    state = stock()
    program = Operate(stops=(RoundEnds(),))
    assert code(decide(state, FIRST, program, History(round="OR 1.1"))) == "round"


def test_what_the_player_did_is_no_reason_to_stop() -> None:
    state = stock(Ben=3, Ana=1)
    program = Operate(stops=(ShareSold(), OtherBid()))
    events = (SharesSold(FIRST, "FS", 1, 80), BidMade(FIRST, "5", 100))
    assert asked(state, program, *events, by=FIRST) == Wait()


# --- each kind -----------------------------------------------------------------------------


def test_buying_until_the_company_floats_prefers_its_treasury() -> None:
    state = stock(Ben=2, pool=2)
    program = BuyShares(company="FS")
    assert asked(state, program) == Act(BuyShare("FS", "treasury", by=FIRST))
    floated = table.charter(state, "FS", floated=True)
    assert code(asked(floated, program)) == "floated"


def test_buying_a_number_of_shares_ends_with_the_last() -> None:
    state = stock(Ben=2)
    program = BuyShares(company="FS", until_float=False, count=2)
    assert isinstance(asked(state, program), Act)
    done = History(round=str(state.round), done=2)
    assert code(decide(state, FIRST, program, done)) == "bought"


def test_buying_ends_when_it_is_impossible_and_says_why() -> None:
    state = table.cash(stock(Ben=2), Ana=0)
    decision = asked(state, BuyShares(company="FS"))
    assert code(decision) == "cannot-buy"
    assert isinstance(decision, Halt)
    assert "0" in say_reason(decision.reason)


def test_bidding_makes_the_lowest_bid_and_asks_beyond_the_limit() -> None:
    state = table.game(3, seated=True)
    state = state.apply(ChooseLot("5")).state
    program = BidUpTo(lot="5", limit=104)
    assert asked(state, program) == Act(Bid(100, by=FIRST))
    assert asked(state, BidUpTo(lot="6", limit=500)) == Wait()
    low = BidUpTo(lot="5", limit=99)
    assert code(asked(state, low)) == "limit"
    passing = BidUpTo(lot="5", limit=99, then="pass")
    assert asked(state, passing) == Act(Pass(by=FIRST))


def test_a_falling_price_is_accepted_within_the_limit() -> None:
    state = table.game(3, seated=True).apply(ChooseLot("5")).state
    while state.step.stage != "falling":  # type: ignore[attr-defined]
        state = state.apply(Pass()).state
    price = state.step.price  # type: ignore[attr-defined]
    assert asked(state, BidUpTo(lot="5", limit=price)) == Act(Accept(by=FIRST))
    assert code(asked(state, BidUpTo(lot="5", limit=price - 1))) == "limit"


def test_offers_are_answered_by_kind_company_and_price() -> None:
    state = stock(Ben=3)
    state = table.charter(table.corporation(state, "DR", {FIRST: 3}), "DR", trains=("3",))
    state = table.at(state, TrainOffer("FS", "DR", "3", 50))
    accept = AnswerOffers(kind="train-offer", accept=True)
    assert asked(state, accept) == Act(Accept(by=FIRST))
    assert asked(state, AnswerOffers(kind="train-offer", accept=False)) == Act(Decline(by=FIRST))
    assert asked(state, AnswerOffers(kind="consent", accept=True)) == Wait()
    for program in (
        AnswerOffers(kind="train-offer", accept=True, least=51),
        AnswerOffers(kind="train-offer", accept=True, company="DR"),
    ):
        assert asked(state, program) == Wait()


def test_sentences_and_refusals_of_what_makes_no_sense() -> None:
    state = stock()
    for program, why in (
        (BuyShares(company="FS", until_float=False), "no-end"),
        (BuyShares(company="none"), "no-company"),
        (LayNothing(track=False), "no-effect"),
        (Operate(run=False, dividend=""), "no-effect"),
        (Operate(company="FS"), "not-yours"),
        (AnswerOffers(kind="none", accept=True), "no-offer"),
        (BidUpTo(lot="5", limit=100), "no-lot"),
    ):
        found = objection(state, FIRST, program)
        assert found
        assert found.code == why
        assert say_reason(found)


@pytest.mark.parametrize(
    "bad",
    [
        {},
        {"program": "bid", "lot": "5"},
        {"program": "bid", "lot": "5", "limit": -1},
        {"program": "bid", "lot": "5", "limit": 10**9},
        {"program": "bid", "lot": "5", "limit": 10, "more": 1},
        {"program": "plan", "mine": ["Ana"], "moves": []},
        {"program": "pass", "stops": [{"stop": "never"}]},
        {"program": "pass", "stops": [{"stop": "phase"}] * 13},
    ],
)
def test_bad_programs_are_refused(bad: object) -> None:
    with pytest.raises(BadRecord, match="not a program"):
        convert_program(bad)


@pytest.mark.parametrize("company", ["", "FS"])
def test_every_program_has_its_sentence(company: str) -> None:
    dividends: tuple[Literal["", "full", "half", "withhold"], ...]
    dividends = ("", "full", "half", "withhold")
    operating = [Operate(company=company, dividend=one) for one in dividends]
    operating += [Operate(company=company, run=False, dividend=one) for one in dividends[1:]]
    assert len({describe(one) for one in operating}) == 7
    pairs = ((True, False), (False, True), (True, True))
    skipping = [LayNothing(company=company, track=one, station=two) for one, two in pairs]
    assert len({describe(one) for one in skipping}) == 3
    for accept, least in ((True, 0), (True, 5), (False, 0)):
        offer = AnswerOffers(kind="consent", accept=accept, least=least, company=company)
        assert "consent" in describe(offer)


def test_the_sentences_of_purchases() -> None:
    assert describe(BuyShares(company="FS")).endswith("until it floats.")
    assert describe(BuyShares(company="FS", count=2)).endswith("at most 2 shares.")
    assert describe(BuyShares(company="FS", count=1, until_float=False)) == (
        "Buy 1 share of FS, one in each turn."
    )


def test_what_makes_sense_depends_on_the_position() -> None:
    auction = sensible(table.game(3, seated=True), FIRST)
    assert auction.lots
    assert auction.passing
    assert not auction.operate
    later = sensible(stock(Ben=2, Ana=1), FIRST)
    assert not later.lots
    assert later.to_float == later.buy
    assert "FS" in later.held
    assert sensible(stock(), "nobody").anything is False


def test_running_and_paying() -> None:
    state = played_until(5, "earnings", after=300)
    before = played_until(5, "run", after=200)
    player = str(before.acting)
    decision = decide(before, player, Operate(), History(round=str(before.round)))
    assert isinstance(decision, Act)
    assert isinstance(decision.action, RunTrains)
    player, now = str(state.acting), History(round=str(state.round))
    for kind in ("full", "withhold"):
        paid = decide(state, player, Operate(dividend=kind), now)
        assert paid == Act(DeclareDividend(kind, by=player))
    assert decide(state, player, Operate(dividend=""), now) == Wait()


def test_laying_nothing_passes_the_track_step_only() -> None:
    for tag, program in (
        ("track", LayNothing()),
        ("station", LayNothing(track=False, station=True)),
    ):
        state = played_until(5, tag, after=100)
        player = str(state.acting)
        now = History(round=str(state.round))
        assert decide(state, player, program, now) == Act(Pass(by=player))
        other = LayNothing(track=tag == "station", station=tag == "track")
        assert decide(state, player, other, now) == Wait()
