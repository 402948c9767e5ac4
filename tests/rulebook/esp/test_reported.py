"""What users of other programs reported about 18ESP: each report is a test here."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril import start
from carril.engine.actions import (
    Accept,
    Bid,
    BuyPrivate,
    BuyShare,
    BuyTender,
    BuyTrain,
    CombineTrains,
    Decline,
    DiscardTrain,
    LayTile,
    OpenPass,
    Pass,
    RepayLoan,
    RunTrains,
    SellShares,
    StartCompany,
    TakeOver,
)
from carril.engine.board import open_circles
from carril.engine.events import GoalReached
from carril.engine.market import price
from carril.engine.runs import Route
from carril.engine.state import Round, State
from carril.engine.steps.discards import DiscardTrains as Discards
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.titles.esp.draws import draw_setup
from carril.titles.esp.loans import interest
from carril.titles.esp.takeover import Takeovers
from carril.titles.esp.title import TABLES
from tests.rulebook.esp.positions import (
    extra,
    game,
    major,
    memory,
    minor,
    operate,
    privates,
    stock_round,
)
from tests.rulebook.esp.purchases import (
    across,
    buying,
    coast,
    company,
    deck,
    empty,
    two_passes,
)
from tests.table import NAMES, at, cash, charter, code, events, offered, phase, play, tiles, tokens


def takeover(state: State, symbol: str = "N") -> State:
    """Put a major before its takeovers, the purchase of trains after it."""
    steps = (OperatingRound((symbol,)), TrainStep(symbol), Takeovers(symbol))
    return at(state, *steps, round_=Round("OR", 2, 1, 2))


# --- loans and trains --------------------------------------------------------------------


@pytest.mark.parametrize(("debt", "extra_cost"), [(1, 1), (2, 1), (75, 38), (101, 51)])
def test_interest_is_half_rounded_up(debt: int, extra_cost: int) -> None:
    """#10404: interest of 50% is rounded up."""
    assert interest(debt) == extra_cost
    state = cash(empty(), Ana=500)
    player = replace(state.players["Ana"], debt=debt)
    state = stock_round(replace(state, players={**state.players, "Ana": player}))
    assert play(state, RepayLoan(debt)).players["Ana"].cash == 500 - debt - extra_cost


def test_shares_or_a_loan_never_both() -> None:
    """#10644: in an emergency one sells shares or borrows the exact need, and is told so."""
    state = major(company(empty("4"), "N", money=200), "MCP", {"Ben": 3, "Ana": 3})
    state = buying(cash(state, Ana=0), "N")
    assert code(state, BuyTrain("4", "stack", 300, loan=100)) == ""
    assert code(state, BuyTrain("4", "stack", 300, loan=120)) == "loan-exact"
    sold = play(state, SellShares("MCP", 1))
    assert code(sold, BuyTrain("4", "stack", 300, loan=20)) == "shares-or-loan"


def test_any_train_fulfils_the_duty_and_without_a_run_the_price_falls() -> None:
    """#10640, #10672, #11281, #11287: the duty is to own a train, even one that cannot run."""
    state = company(empty("3"), "N", trains=("2+3",), money=500)
    assert code(buying(state, "N"), Pass()) == ""
    idle = at(state, OperatingRound(("N",)), RunStep("N"), round_=Round("OR", 2, 1, 2))
    assert price(idle, "N") == 70
    once = play(buying(charter(state, "N", trains=()), "N"), BuyTrain("2+3", "stack", 200))
    assert code(once, Pass()) == ""  # not a second one


def test_a_combined_train_has_one_part_of_each_gauge() -> None:
    """#10632: a combined train is a conventional train and a + train."""
    state = company(empty("4"), "N", trains=("4", "3+4"), money=900)
    state = buying(extra(state, scrap={"2": 2}), "N")
    assert code(state, CombineTrains("4", "2")) == "same-gauge"
    assert code(state, CombineTrains("3+4", "1+2")) == "same-gauge"
    assert code(state, CombineTrains("4", "1+2")) == ""
    assert code(state, CombineTrains("3+4", "2")) == ""


def test_the_strawberry_train_is_never_discarded() -> None:
    """PR #11601: a 2P does not count for the limit, and discarding leaves it where it is."""
    state = company(deck(empty("5"), "6"), "N", trains=("4", "5", "2P"), money=700)
    after = play(buying(state, "N"), BuyTrain("6", "stack", 600))
    assert isinstance(after.step, Discards)
    assert code(after, DiscardTrain("2P")) == "no-such-train-owned"
    assert play(after, DiscardTrain("4")).companies["N"].trains == ("5", "2P", "6")
    two = play(buying(charter(state, "N", trains=("5", "2P")), "N"), BuyTrain("6", "stack", 600))
    assert two.companies["N"].trains == ("5", "2P", "6")  # two and the strawberry train


# --- capital, goals and stations ---------------------------------------------------------


def test_a_company_launched_from_phase_5_on_has_full_capital_and_no_goals() -> None:
    """#10624, #10633: ten times par at once, every station, no goals."""
    state = cash(empty("5"), Ana=1000, Ben=1000, Cleo=1000)
    state = play(stock_round(state), StartCompany("CFLG", 70))
    for _ in range(3):
        assert not state.companies["CFLG"].floated
        state = play(state, BuyShare("CFLG", "ipo"))
    state = play(state, BuyShare("CFLG", "ipo"))
    launched = state.companies["CFLG"]
    assert (launched.floated, launched.cash) == (True, 700)
    assert (launched.tokens, launched.locked) == (5, 0)
    there = coast(charter(state, "CFLG", trains=("4+5",)))
    there = at(there, OperatingRound(("CFLG",)), RunStep("CFLG"), round_=Round("OR", 2, 1, 3))
    run = RunTrains((Route("4+5", ("E1.0", "E3.0")),))
    assert not any(isinstance(event, GoalReached) for event in events(there, run))


def test_five_stations_of_which_two_are_free_to_use() -> None:
    """#11271, #11300: five tokens; two at once, three released one by one by goals."""
    for symbol in ("N", "CFLG"):
        state = game()
        assert (state.companies[symbol].tokens, state.companies[symbol].locked) == (2, 3)
    state = company(empty("3"), "CFLG", trains=("2+3",))
    there = at(
        coast(state), OperatingRound(("CFLG",)), RunStep("CFLG"), round_=Round("OR", 2, 1, 2)
    )
    after = play(there, RunTrains((Route("2+3", ("E1.0", "E3.0")),)))
    tokens_before = state.companies["CFLG"].tokens
    assert after.companies["CFLG"].tokens == tokens_before + 1
    assert after.companies["CFLG"].locked == state.companies["CFLG"].locked - 1


def test_no_second_station_in_a_hex_by_a_takeover() -> None:
    """#11337: a taker with a station in the hex places none; its token stays on the charter."""
    state = minor(company(empty("3"), "N", trains=("3",), money=500), "MS", "Ana")
    there = takeover(tokens(state, C27=(("MS",),)))
    asked = play(there, TakeOver("MS"))
    assert code(asked, Accept()) == ""
    both = takeover(tokens(tiles(state, C27=("14", 0)), C27=(("MS", "N"),)))
    after = play(both, TakeOver("MS"))  # nothing to choose
    assert after.companies["MS"].closed
    assert after.board.tokens["C27"] == (("N",),)
    assert after.companies["N"].tokens == state.companies["N"].tokens


def test_a_takeover_needs_the_money_in_the_treasury() -> None:
    """#11277: the price comes from the treasury, not from the minor's own money."""
    state = cash(minor(company(empty("3"), "N", trains=("3",)), "MS", "Ana"), MS=500, N=79)
    state = minor(state, "CM", "Ana", value=70)
    assert code(takeover(state), TakeOver("MS")) == "takeover-too-dear"
    assert code(takeover(cash(state, N=80)), TakeOver("MS")) == ""


def test_a_takeover_without_a_token_left() -> None:
    """Commit of July 2026: it works, and the minor's circle becomes free."""
    state = minor(company(empty("3"), "N", trains=("3",), money=500), "MS", "Ana")
    state = tokens(charter(state, "N", tokens=0), C27=(("MS",),))
    after = play(takeover(state), TakeOver("MS"))
    assert after.companies["MS"].closed
    assert "C27" not in after.board.tokens
    assert after.companies["N"].tokens == 0


# --- Madrid ------------------------------------------------------------------------------


def madrid() -> State:
    """MZ and MZA share the third city of Madrid; N and MCP have theirs."""
    state = company(deck(empty("4"), "5"), "N", trains=("4",), money=600, par=100)
    state = company(state, "MZA", "Ben", trains=("4",), money=100)
    state = minor(state, "MZ", "Cleo", trains=("4",))
    return tokens(state, F24=(("MCP",), ("N",), ("MZ", "MZA")))


def test_mz_and_mza_share_a_circle_that_is_not_freed() -> None:
    """#10476, #11383, PR #11721: when MZ closes no circle is won, nor on the brown tile."""
    state = madrid()
    assert open_circles(TABLES, state.board, "F24", 2) < 1
    after = play(buying(state, "N"), BuyTrain("5", "stack", 500))
    assert after.companies["MZ"].closed
    assert after.board.tokens["F24"] == (("MCP",), ("N",), ("MZA",))
    assert open_circles(TABLES, after.board, "F24", 2) == 0
    brown = tokens(tiles(after, F24=("L86", 0)), F24=(("MCP", "N", "MZA"),))
    assert open_circles(TABLES, brown.board, "F24", 0) == 1


def test_mza_joins_mz_in_its_circle() -> None:
    """#10476: MZA begins in the circle of MZ, although others are free."""
    state = minor(empty("3"), "MZ", "Cleo", trains=("3",))
    state = tokens(state, F24=((), (), ("MZ",)))
    state = company(state, "MZA", "Ben", money=100, operated=False, par=100)
    assert operate(state, "MZA").board.tokens["F24"] == ((), (), ("MZ", "MZA"))


@pytest.mark.parametrize("present", [True, False])
def test_the_token_of_mz_is_replaced_only_without_mza(present: bool) -> None:
    """Commit of April 2025: the taker keeps MZ's circle when MZA is out of the game."""
    state = empty("3")
    if not present:
        rest = tuple(s for s in memory(state).in_play if s != "MZA")
        state = charter(extra(state, in_play=rest), "MZA", closed=True)
    state = minor(company(state, "A", trains=("3",), money=500), "MZ", "Ana")
    there = takeover(tokens(state, F24=((), (), ("MZ",))), "A")
    after = play(there, TakeOver("MZ"))
    if present:
        assert after.companies["MZ"].closed
        assert not after.board.tokens.get("F24")
    else:
        assert play(after, Accept()).board.tokens["F24"] == ((), (), ("A",))


# --- passes, privates, tenders -----------------------------------------------------------


def test_one_pass_in_a_turn() -> None:
    """PR #11165: a company opens one mountain pass per turn."""
    state = two_passes(company(phase(privates(game(3)), "3"), "N", trains=("3",), money=500))
    there = operate(state, "N")
    assert code(there, OpenPass("D12")) == ""
    after = play(there, OpenPass("H12"))
    assert after.companies["N"].cash == 440
    assert code(after, OpenPass("D12")) == "one-pass"


def test_several_takeovers_in_one_turn() -> None:
    """PR #11165: a Southern major may take over several minors."""
    state = company(empty("3"), "N", trains=("3",), money=500)
    state = minor(minor(state, "MS", "Ana"), "CM", "Ana", value=90)
    after = play(takeover(state), TakeOver("MS"), Decline(), TakeOver("CM"), Decline())
    assert after.companies["N"].cash == 500 - 80 - 90
    assert after.companies["N"].held("Ana") == 6


def test_minors_close_in_phase_5() -> None:
    """PR #11165: minors leave the game with all they own."""
    state = madrid()
    state = cash(state, MZ=77, Cleo=0)
    after = play(buying(state, "N"), BuyTrain("5", "stack", 500))
    gone = after.companies["MZ"]
    assert (gone.closed, gone.cash, gone.trains, gone.owner) == (True, 0, (), "")
    assert after.players["Cleo"].cash == 0


def test_private_2_is_not_resold() -> None:
    """PR #11165: a company that owns private 2 may not sell it on."""
    state = company(privates(phase(game(3), "4"), P2="N"), "N", trains=("4",), money=100)
    state = company(state, "MCP", "Ana", trains=("4",), money=500)
    assert code(operate(state, "MCP"), BuyPrivate("P2", 10)) == "private-not-resold"


def test_tenders_come_from_the_private_or_the_market() -> None:
    """PR #11165: 80 for a tender; of one of the private's owner he gets 20."""
    state = company(privates(phase(game(3), "3"), P5="Ben"), "N", trains=("3",), money=100)
    sold = play(operate(cash(state, Ben=0), "N"), BuyTender("private"), Accept())
    assert (sold.companies["N"].cash, sold.players["Ben"].cash) == (20, 20)
    market = extra(cash(state, Ben=0), tenders_pool=1, privates={})
    bought = play(operate(market, "N"), BuyTender("pool"))
    assert (bought.companies["N"].cash, bought.players["Ben"].cash) == (20, 0)


def test_all_tenders_but_one_go_to_the_bank_with_private_5() -> None:
    """PR #11393: the buyer of private 5 keeps one tender, the others go to the market."""
    state = company(privates(phase(game(3), "3"), P5="Ana"), "N", trains=("3",), money=200)
    after = play(operate(state, "N"), BuyPrivate("P5", 130))
    assert memory(after).tenders == ("N",)
    assert (memory(after).tenders_private, memory(after).tenders_pool) == (0, 5)
    assert "P5" not in memory(after).privates


def test_face_values_and_least_prices_of_privates() -> None:
    """#10639, PR #11270, #11609: P1 opens at 20 and P2 at 60; P6 is sold from 1 on."""
    state = game()
    assert code(state, Bid(15)) == "opening-too-low"
    second = play(state, Bid(20), Pass(), Pass(), Pass())
    assert code(second, Bid(55)) == "opening-too-low"
    assert code(second, Bid(60)) == ""
    shop = company(privates(phase(game(3), "3"), P6="Ana", P7="Ana"), "N", money=100)
    there = operate(charter(shop, "N", trains=("3",)), "N")
    assert code(there, BuyPrivate("P6", 1)) == ""
    assert code(there, BuyPrivate("P6", 0)) == "private-price"
    assert code(there, BuyPrivate("P7", 1)) == "private-7-not-sold"


def test_the_powers_of_privates_are_not_swapped() -> None:
    """#11609: P2 gives the train at once and P3 the one of phase 5; P4 a pass, P5 a tender."""
    owned = dict.fromkeys(("P2", "P3", "P4", "P5"), "Ana")
    state = company(privates(phase(game(3), "3"), **owned), "N", trains=("3",), money=900)
    there = operate(state, "N")
    assert play(there, BuyPrivate("P2", 60)).acting == "Ana"
    assert code(play(there, BuyPrivate("P3", 70)), Pass()) == ""
    assert memory(play(there, BuyPrivate("P3", 70))).privates["P3"] == "N"
    assert memory(play(there, BuyPrivate("P4", 100))).tenders == ()
    assert memory(play(there, BuyPrivate("P5", 130))).tenders == ("N",)


# --- the end, connections, the set-up ----------------------------------------------------


def test_the_second_8_leads_to_a_stock_round_and_a_full_set() -> None:
    """PR #11792; by the ledger (ESP-7-b) the running round is finished, not the whole set."""
    state = company(empty("8"), "N", trains=("6",), money=900)
    after = play(buying(extra(state, eights=1), "N", 1, 3), BuyTrain("8", "stack", 800))
    assert str(after.round) == "SR 3"
    while after.round.kind == "SR":
        after = play(after, Pass())
    assert (str(after.round), after.round.of) == ("OR 3.1", 3)


def test_a_destination_reached_by_the_lay_of_a_private_counts() -> None:
    """Commits of April and June 2026: checked after every lay, with private 1 as well."""
    state = privates(phase(game(3), "3"), P1="CFLG")
    state = tiles(coast(company(state, "CFLG", trains=("2+3",), money=500)), E5=("74", 0))
    there = operate(state, "CFLG")
    lays = [o for o in offered(there, LayTile) if isinstance(o, LayTile) and o.hex == "E7"]
    helped = [lay for lay in lays if lay.private == "P1"]
    assert helped
    for lay in helped:
        assert GoalReached("CFLG", "destination") in events(there, lay)


def test_track_opens_at_once_when_a_token_leaves() -> None:
    """Commits of April and June 2026: what a token blocked is reached when it is gone."""
    state = company(empty("3"), "N", trains=("3",), money=500)
    state = minor(state, "MH", "Ana")
    blocked = tokens(across(state), E21=(("MH",),))
    blocked = tokens(blocked, H12=game(3).board.tokens["H12"])
    assert code(operate(blocked, "N"), OpenPass("H12")) == "no-closed-pass"
    free = tokens(blocked, E21=((),))
    assert code(operate(free, "N"), OpenPass("H12")) == ""


def test_the_draw_of_the_set_up_is_our_own_and_fixed() -> None:
    """#11609: a changed draw would break every running game, so the draw of a seed is held."""
    found, _ = draw_setup(TABLES, 7, random=True)
    minors, south = "MS CM SC AC MH CA", "MZA A MCP ZPB"
    assert " ".join(found.companies) == f"{minors} {south} FdSB CFEA CFLG FdC AVT TBF"
    assert (found.share_6, found.director_7) == ("CFEA", "CFEA")
    assert start("18ESP", NAMES[:3], seed=1).setup.version == "1"
