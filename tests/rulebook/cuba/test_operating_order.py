"""Section VII.1: the number of operating rounds, the order of the companies; prices in rounds."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyTrain, DeclareDividend, IssueShares, Pass
from carril.engine.market import move_price, price
from carril.engine.move import Move
from carril.engine.play import resume
from carril.engine.state import Round
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.stock import StockRound
from carril.engine.steps.track import LayTrack
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.cuba.bonuses import CollectMail
from carril.titles.cuba.central import CentralTurn
from carril.titles.cuba.machines import BuyMachines
from carril.titles.cuba.title import next_round
from tests.rulebook.cuba.positions import (
    buying,
    four_companies,
    game,
    major,
    minor,
    priced,
    reach,
    stock_round,
    supply,
)
from tests.table import at, charter, code, play


@rule("CUBA-VII.1-a", "CUBA-VII.1-b", "CUBA-V-a", "CUBA-C41")
@pytest.mark.parametrize(
    ("phase", "count"), [("1", 1), ("2", 1), ("3", 2), ("4", 2), ("5", 3), ("6", 3), ("7", 3)]
)
def test_rounds_of_a_set(phase: str, count: int) -> None:
    """The FC alone operates: its price of 50 rises once in every round (Havana 30)."""
    state = stock_round(reach(game(), phase))
    state = play(state, *(Pass(),) * 4)
    assert str(state.round) == "SR 3"
    steps = [50, 55, 60, 65].index(price(state, "FC"))
    assert steps == count


@rule("CUBA-VII.1-b")
def test_the_length_of_a_running_set_never_changes() -> None:
    """The first 3 is bought in a set of one round: no second round follows."""
    state = supply(four_companies("2"), {"2": 0})
    done = OperatingRound(("HG", "JU", "MS", "NPP"))
    state = replace(buying(state, "MS", MS=200), agenda=(done, EndTurn("MS"), BuyTrains("MS")))
    after = play(state, BuyTrain("3", "stack", 200))
    assert after.phase == "3"
    assert after.round.kind == "SR"
    move = Move(replace(after, agenda=()))
    next_round(move)
    assert move.state.round == Round("OR", after.round.turn, 1, 2)


@rule("CUBA-VII.1-c", "CUBA-VII.1-d", "CUBA-VII.1-f")
def test_minors_from_the_lowest_price_majors_from_the_highest_then_the_fc() -> None:
    state = minor(four_companies(), "CO", {"Cleo": 3}, value=100)
    state = major(state, "Oe", {"Cleo": 5}, value=95)
    assert state.title.order(state) == ["JU", "HG", "CO", "NPP", "Oe", "MS", "FC"]


@rule("CUBA-VII.1-e", "CUBA-IXa.1-b")
def test_on_one_space_the_marker_that_arrived_first_operates_first() -> None:
    """HG is on 80 when JU comes there; NPP is on 100 when MS does."""
    state = priced(four_companies(), "JU", 80)
    state = priced(state, "MS", 100)
    assert state.title.order(state) == ["HG", "JU", "NPP", "MS", "FC"]


@rule("CUBA-VII.1-g", "CUBA-G21")
def test_the_next_company_is_looked_up_each_time_and_none_operates_twice() -> None:
    """JU (75) and HG (80) have operated; NPP (100) is next, but MS has passed it by then."""
    state = priced(four_companies(), "MS", 105)
    state = replace(state, round=Round("OR", 2, 1, 1), agenda=(OperatingRound(("JU", "HG")),))
    assert resume(state).state.step.subject == "MS"
    fallen = priced(state, "MS", 70)
    assert resume(fallen).state.step.subject == "NPP"
    done = replace(fallen, agenda=(OperatingRound(("JU", "HG", "NPP")),))
    assert resume(done).state.step.subject == "MS"


@rule("CUBA-VII.3.1-a", "CUBA-C22", "CUBA-VII.3.1-b")
def test_the_steps_of_a_first_turn() -> None:
    """A home is placed only in the first one."""
    later = four_companies()
    assert not any(isinstance(step, PlaceHome) for step in later.title.turn(later, "HG"))
    state = charter(charter(later, "HG", operated=False), "MS", operated=False)
    minors = [type(step) for step in reversed(state.title.turn(state, "HG"))]
    assert minors == [
        CollectMail,
        PlaceHome,
        DealStock,
        LayTrack,
        RunStep,
        BuyTrains,
        BuyMachines,
        EndTurn,
    ]
    majors = [type(step) for step in reversed(state.title.turn(state, "MS"))]
    assert majors == [
        CollectMail,
        PlaceHome,
        DealStock,
        LayTrack,
        PlaceStation,
        RunStep,
        BuyTrains,
        EndTurn,
    ]
    assert [type(step) for step in state.title.turn(state, "FC")] == [EndTurn, CentralTurn]


@rule("CUBA-VII.3.1-a")
def test_no_way_back_to_an_earlier_step() -> None:
    state = buying(charter(four_companies(), "MS", trains=("3",)), "MS", MS=500)
    assert code(state, IssueShares(1)) == "no-emergency"
    track = at(four_companies(), EndTurn("MS"), BuyTrains("MS"), LayTrack("MS"))
    assert code(track, IssueShares(1)) == "not-now"


# --- prices in operating rounds --------------------------------------------------------------


def moved(value: int, way: str) -> int:
    """Return the price of a company after one move from a price."""
    move = Move(priced(four_companies(), "MS", value))
    move_price(move, "MS", way, "dividend")
    return price(move.state, "MS")


@rule("CUBA-IXa.1-a", "CUBA-IXa.2-a", "CUBA-IXa.2-b", "CUBA-G1")
@pytest.mark.parametrize(
    ("start", "right", "left", "down"),
    [
        (90, 100, 80, 85),
        (85, 95, 75, 80),
        (100, 110, 90, 95),
        (275, 300, 250, 260),
        (60, 70, 50, 55),
    ],
)
def test_moves_on_the_chart(start: int, right: int, left: int, down: int) -> None:
    """Right and left stay in the row, two values on; down is the next value of the other row."""
    assert (moved(start, "right"), moved(start, "left"), moved(start, "down")) == (
        right,
        left,
        down,
    )


@rule("CUBA-IXa.1-c", "CUBA-IXa.1-d")
def test_the_ends_of_the_chart() -> None:
    assert (moved(290, "right"), moved(300, "right"), moved(300, "up")) == (300, 300, 300)
    assert (moved(55, "left"), moved(50, "left"), moved(50, "down")) == (50, 50, 50)


@rule("CUBA-IXa.1-b")
def test_a_marker_that_cannot_move_keeps_its_place_in_the_pile() -> None:
    """MS arrived at 300 before NPP; its dividend moves nothing, so it stays on top."""
    state = priced(priced(four_companies(), "MS", 300), "NPP", 300)
    move = Move(state)
    move_price(move, "MS", "right", "dividend")
    assert move.state.title.order(move.state)[2:4] == ["MS", "NPP"]


@rule("CUBA-IXa.2-a", "CUBA-IXa.2-b", "CUBA-VII.3.8-g")
@pytest.mark.parametrize(("earnings", "kind", "wanted"), [(50, "full", 100), (50, "withhold", 80)])
def test_dividends_move_the_price(earnings: int, kind: str, wanted: int) -> None:
    for company in ("MS", "HG"):
        state = at(
            priced(four_companies(), company, 90), EndTurn(company), Earnings(company, earnings)
        )
        assert price(play(state, DeclareDividend(kind)), company) == wanted


@rule("CUBA-IXa.2-b")
def test_revenue_0_moves_the_price_left() -> None:
    state = at(four_companies(), EndTurn("NPP"), Earnings("NPP", 0))
    assert price(state, "NPP") == 90


@rule("CUBA-V-a", "CUBA-VI.2-e")
def test_stock_rounds_and_sets_alternate() -> None:
    state = stock_round(game())
    names = list(state.players)
    state = play(state, *(Pass(),) * 4)
    assert isinstance(state.step, StockRound)
    assert list(state.players) == names


@rule("CUBA-V-b")
def test_the_director_alone_decides_for_a_company() -> None:
    """Cleo holds a share of MS, too, but Ana directs it."""
    state = buying(charter(four_companies(), "MS", trains=("3",)), "MS", MS=500)
    assert state.acting == "Ana"
    purchase = BuyTrain("3", "stack", 200, by="Cleo")
    refusal = state.refusal(purchase)
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("not-your-turn", "CUBA-V-b")
    after = play(state, replace(purchase, by="Ana"))
    assert (after.players["Ana"].cash, after.companies["MS"].cash) == (680, 300)


@rule("CUBA-IXa.1-e")
def test_commissioners_have_no_price() -> None:
    state = game()
    assert {marker.company for marker in state.markers} == {"FC"}
    assert all(price(state, name) == 0 for name in ("K1", "K2", "K3", "K4", "K5", "K6"))
