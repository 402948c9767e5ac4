"""Who operates when, and the order of the steps in a turn."""

from __future__ import annotations

from carril.engine.actions import (
    BuyTrain,
    DeclareDividend,
    IssueShares,
    LayTile,
    Pass,
    PlaceToken,
    RedeemShares,
    RunTrains,
    SellShares,
)
from carril.engine.events import PriceMoved, TurnBegan
from carril.engine.market import price
from carril.engine.state import Round, State
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.earnings import Earnings as PayOut
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from tests.table import (
    NAMES,
    at,
    cash,
    charter,
    cited,
    code,
    corporation,
    game,
    offered,
    operate,
    own_minors,
    pass_until,
    phase,
    plain,
    play,
    tiles,
    tokens,
)

ALL = [str(number) for number in range(1, 16)]
BERLIN_DRESDEN = {"I6": ("7", 4), "J7": ("202", 2)}


def turns(state: State) -> list[str]:
    """Pass through one operating round, run where one must, and return who had a turn."""
    begun: list[str] = []
    name = str(state.round)
    for _ in range(200):
        if str(state.round) != name:
            return begun
        passes = state.refusal(Pass()) is None
        outcome = state.apply(Pass() if passes else plain(state.options()[0]))
        begun += [event.company for event in outcome.events if isinstance(event, TurnBegan)]
        state = outcome.state
    raise AssertionError(f"{name} does not end")


def first_and_rest(state: State) -> list[str]:
    """Begin OR 2.1 and return all turns of it."""
    state = at(state, OperatingRound(), round_=Round("OR", 2, 1))
    first = state.step.subject
    found = turns(state)
    # the turn that began OR 2.2 is not of this round
    return [first, *found[:-1]]


@rule("EU-4.4-a", "EU-4.4-e")
def test_minors_operate_once_each_by_number_and_those_gone_are_skipped() -> None:
    owners = {name: NAMES[i % 4] for i, name in enumerate(ALL)}
    assert first_and_rest(own_minors(game(), owners)) == ALL
    for gone in ("2", "10"):
        del owners[gone]
    left = [name for name in ALL if name not in ("2", "10")]
    assert first_and_rest(own_minors(game(), owners)) == left


@rule("EU-4.4-a", "EU-4.4-b", "EU-4.4-e")
def test_minors_go_before_corporations_and_these_by_price() -> None:
    state = own_minors(game(), {"15": "Ana", "2": "Ben"})
    state = corporation(state, "FS", {"Ana": 5}, price=70, trains=("3",))
    state = corporation(state, "DR", {"Ben": 5}, price=100, trains=("3",))
    state = corporation(state, "NS", {"Cleo": 5}, price=82, trains=("3",))
    assert first_and_rest(state) == ["2", "15", "DR", "NS", "FS"]


@rule("EU-4.4-c")
def test_of_equal_prices_the_rightmost_space_goes_first() -> None:
    state = own_minors(game(), {})
    # 100 stands in column 2 of the top row, 4 of the third and 5 of the fourth
    state = corporation(state, "FS", {"Ana": 5}, at=(0, 2))
    state = corporation(state, "DR", {"Ben": 5}, at=(3, 5))
    state = corporation(state, "NS", {"Cleo": 5}, at=(2, 4))
    assert [price(state, name) for name in ("FS", "DR", "NS")] == [100, 100, 100]
    assert state.title.order(state) == ["DR", "NS", "FS"]


@rule("EU-4.4-d")
def test_in_one_space_the_top_of_the_stack_goes_first() -> None:
    for names in (("FS", "DR", "NS"), ("NS", "FS", "DR")):
        state = own_minors(game(), {})
        for name in names:
            state = corporation(state, name, {"Ana": 5}, price=90)
        assert state.title.order(state) == list(names)


@rule("EU-A-12")
def test_an_emergency_sale_reorders_the_corporations_still_to_operate() -> None:
    state = own_minors(game(), {})
    state = corporation(state, "DR", {"Ana": 5}, price=100)
    state = corporation(state, "FS", {"Ben": 4, "Ana": 3}, price=90, trains=("3",))
    state = corporation(state, "NS", {"Cleo": 5}, price=82, trains=("3",))
    state = play(operate(cash(state, Ana=50, DR=0), "DR"), Pass())
    assert isinstance(state.step, BuyTrains)
    assert (price(state, "FS"), price(state, "NS")) == (90, 82)
    state = play(state, SellShares("FS", 2), BuyTrain("3", "stack", 200))
    assert (price(state, "FS"), price(state, "NS")) == (75, 82)
    state = pass_until(state, LayTrack)
    assert state.step.subject == "NS"
    state = pass_until(play(state, Pass()), LayTrack)
    assert state.step.subject == "FS"


@rule("EU-A-12", "EU-4.4-e")
def test_a_corporation_that_rises_after_its_turn_does_not_operate_again() -> None:
    state = own_minors(game(), {})
    state = corporation(state, "DR", {"Ana": 5}, price=100, trains=("3",))
    state = corporation(state, "FS", {"Ben": 5}, price=90, trains=("3",))
    # both fall when they earn nothing: DR behind FS, which has not had its turn
    assert first_and_rest(state) == ["DR", "FS"]


def berlin() -> State:
    """Ana's KPEV in Berlin, with track to Dresden, a 3 train and 1000, in phase 3."""
    state = phase(own_minors(game(), {}), "3")
    shares = {"Ana": 5, "pool": 1}
    state = corporation(state, "KPEV", shares, trains=("3",), tokens=4)
    state = tokens(tiles(state, **BERLIN_DRESDEN), J5=((), ("KPEV",)))
    return operate(cash(state, KPEV=1000), "KPEV")


LAY, TOKEN = LayTile("J7", "577", 5), PlaceToken("J7", 0)
BUY, ISSUE, REDEEM = BuyTrain("3", "stack", 200), IssueShares(1), RedeemShares(1)


def refused_now(state: State) -> set[str]:
    """Return which of the kinds of action of a turn are out of order here."""
    run = RunTrains()
    pay = DeclareDividend("full")
    kinds = {"lay": LAY, "token": TOKEN, "run": run, "pay": pay, "buy": BUY, "issue": ISSUE}
    return {name for name, action in kinds.items() if code(state, action) == "not-now"}


@rule("EU-4.4-f")
def test_the_steps_of_a_turn_come_in_their_order_and_none_comes_back() -> None:
    everything = {"lay", "token", "run", "pay", "buy", "issue"}
    state = berlin()
    assert isinstance(state.step, LayTrack)
    assert refused_now(state) == everything - {"lay"}
    assert cited(state, TOKEN) == "EU-4.4-f"
    state = play(state, Pass())
    assert isinstance(state.step, PlaceStation)
    assert refused_now(state) == everything - {"token"}
    state = play(state, TOKEN)
    assert isinstance(state.step, RunStep)
    assert refused_now(state) == everything - {"run"}
    state = play(state, plain(offered(state, RunTrains)[0]))
    assert isinstance(state.step, PayOut)
    assert state.step.earnings == 60
    assert refused_now(state) == everything - {"pay"}
    paid = state.apply(DeclareDividend("withhold"))
    # the price moves with the dividend, before trains are bought
    assert PriceMoved("KPEV", 100, 90, "no dividend") in paid.events
    state = paid.state
    assert isinstance(state.step, BuyTrains)
    assert refused_now(state) == everything - {"buy"}
    state = play(state, BUY, Pass())
    assert isinstance(state.step, DealStock)
    assert refused_now(state) == everything - {"issue"}
    state = play(state, ISSUE)
    assert str(state.round) == "OR 2.2"
    assert isinstance(state.step, LayTrack)


@rule("EU-4.4-g")
def test_a_minor_has_no_token_price_or_stock_step() -> None:
    state = own_minors(game(), {"7": "Ana", "8": "Ben"})
    state = tiles(cash(charter(state, "7", trains=("2",)), m7=500), **BERLIN_DRESDEN)
    state = operate(state, "7")
    assert isinstance(state.step, LayTrack)
    assert code(state, TOKEN) == "not-now"
    state = play(state, Pass())
    # Dresden is in reach with an open circle, and still no token is offered
    assert isinstance(state.step, RunStep)
    ran = state.apply(plain(offered(state, RunTrains)[0]))
    assert not any(isinstance(event, PriceMoved) for event in ran.events)
    assert ran.state.markers == ()
    state = ran.state
    assert isinstance(state.step, BuyTrains)
    state = play(state, Pass())
    assert state.step.subject == "8"
