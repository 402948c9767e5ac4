"""Minors from phase 5 on: frozen and still to be taken over, or gone (4.6.1)."""

import pytest

from carril.engine.actions import (
    Accept,
    BuyTrain,
    Decline,
    Pass,
    PlaceToken,
    SellShares,
    StartCompany,
    TakeOver,
)
from carril.engine.board import tokens_in, tokens_of
from carril.engine.events import TurnBegan
from carril.engine.market import price
from carril.engine.state import State
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.reservations import kept
from carril.titles.esp.takeover import StationChoice, Takeovers
from tests.rulebook.esp.lines import asking, buying, owned, turn_at
from tests.rulebook.esp.positions import extra, game, major, memory, minor, stock_round
from tests.table import (
    cash,
    charter,
    cited,
    code,
    events,
    offered,
    phase,
    play,
    stack_from,
    tiles,
    tokens,
)


def before(edition: str = "en") -> State:
    """Phase 4, the first 5 on top: FdLR of Dan, CRB of Ana; MS of Ben has run, ZP has not.

    AC, MZ, CM and SC were never launched; ZPB is not launched either.
    """
    state = stack_from(phase(game(edition=edition), "4"), "5")
    reserved = {"reserved": 1} if edition != "de" else {}
    state = owned(state, "FdLR", "3+4", by="Dan", column=40)
    state = major(state, "CRB", {"Ana": 5, **reserved}, trains=("4",), column=6, locked=4)
    state = minor(state, "MS", "Ben", value=151, trains=("3",), tokens=0)
    state = minor(state, "ZP", "Cleo", value=90, tokens=0)
    state = extra(state, ran=("MS",), privates={})
    state = tiles(state, C27=("6", 0), J20=("L131", 0))
    state = tokens(state, B26=(("CRB",),), C27=(("MS",),), J20=(("ZP",), ()))
    return cash(state, FdLR=600, CRB=600, MS=40, ZP=10, Ana=0, Ben=0, Cleo=0, Dan=0)


def late(edition: str = "en") -> State:
    """Phase 5 has begun by a purchase of FdLR; CRB is about to take minors over."""
    bought = play(buying(before(edition), "FdLR"), BuyTrain("4+5", "stack", 500))
    return asking(bought, "CRB")


def refused(state: State, company: str, symbol: str) -> str:
    """Return why a company may not take a minor over, also where the step is not due."""
    refusal = Takeovers(company).refusal(state, TakeOver(symbol))
    return refusal.code if refusal else ""


@rule("ESP-4.6.1-a", "ESP-E38")
@pytest.mark.parametrize("edition", ["en", "es"])
def test_all_minors_are_frozen_when_phase_5_begins(edition: str) -> None:
    state = late(edition)
    assert set(memory(state).frozen) == {"MS", "ZP", "AC", "MZ", "CM", "SC"}
    assert state.title.order(state) == ["FdLR", "CRB"], "they do not operate"
    assert price(state, "MS") == 151
    assert state.companies["MS"].trains == ("3",), "whatever their limit"
    assert (state.companies["MS"].cash, tokens_in(state.board, "C27", 0)) == (40, ("MS",))
    market = stock_round(cash(state, Ana=500), "Ana", turn=3)
    assert code(market, StartCompany("AC", 100)) == "no-new-minors"


@rule("ESP-4.6.1-b", "ESP-4.6.1-a")
def test_the_freeze_is_immediate() -> None:
    """FdLR buys the first 4+5; MS, next in order, no longer operates in this round."""
    state = buying(before(), "FdLR")
    assert state.title.order(state)[:2] == ["FdLR", "MS"]
    after = play(state, BuyTrain("4+5", "stack", 500))
    state = cash(after, FdLR=1000)
    turns = [e.company for e in events(buying(state, "FdLR"), Pass()) if isinstance(e, TurnBegan)]
    assert turns == ["CRB"]


@rule("ESP-4.6.1-c")
def test_an_unlaunched_major_puts_its_reserved_share_into_the_ipo() -> None:
    assert before().companies["ZPB"].shares == {"ipo": 9, "reserved": 1}
    state = late()
    assert state.companies["ZPB"].shares == {"ipo": 10}
    assert state.companies["CRB"].shares == {"Ana": 5, "reserved": 1, "ipo": 4}, (
        "a launched one not"
    )


@rule("ESP-4.6.1-d")
def test_reserved_shares_are_freed_when_no_minor_that_ran_is_left() -> None:
    state = owned(before(), "N", "4", by="Dan", column=20)
    state = charter(state, "N", shares={"Dan": 5, "reserved": 1, "ipo": 4})
    state = play(buying(state, "FdLR"), BuyTrain("4+5", "stack", 500))
    state = asking(state, "CRB")
    assert state.companies["N"].shares == {"Dan": 5, "reserved": 1, "ipo": 4}
    after = play(state, TakeOver("MS"), Decline())
    assert after.companies["N"].shares == {"Dan": 5, "ipo": 5}
    none = extra(before(), ran=())
    none = play(buying(none, "FdLR"), BuyTrain("4+5", "stack", 500))
    assert none.companies["CRB"].shares == {"Ana": 5, "ipo": 5}, "at once if none had run"


@rule("ESP-4.6.1-e", "ESP-4.6.1-l")
def test_a_frozen_minor_that_ran_is_taken_over_as_before_but_cannot_refuse() -> None:
    state = late()
    after = play(state, TakeOver("MS"))
    assert after.acting == "Ana", "Ben is not asked"
    after = play(after, Accept())
    assert after.players["Ben"].cash == 151
    assert after.companies["CRB"].shares == {"Ana": 5, "Ben": 1, "ipo": 4}
    assert after.companies["CRB"].trains == ("4", "3")
    assert after.companies["CRB"].cash == 600 - 151 + 40 + 80, "with the first goal"
    assert tokens_in(after.board, "C27", 0) == ("CRB",)
    assert code(buying(state, "CRB"), TakeOver("MS")) == "not-now", "only in its step"


@rule("ESP-4.6.1-f")
def test_a_launched_minor_that_never_ran() -> None:
    """ZP started at 100 and fell to 90: its director gets 90 and no share."""
    after = play(late(), TakeOver("ZP"), Accept())
    assert after.players["Cleo"].cash == 90
    assert after.companies["CRB"].shares == {"Ana": 5, "ipo": 5}, "the reserved one to the IPO"
    assert list(tokens_of(after.board, "CRB")) == [("B26", 0), ("J20", 0)]
    assert after.companies["CRB"].cash == 600 - 90 + 10 + 80, "the station costs nothing"


@rule("ESP-4.6.1-g", "ESP-4.6.1-j")
def test_a_minor_that_was_never_launched() -> None:
    state = late()
    asked = [option.minor for option in offered(state, TakeOver) if isinstance(option, TakeOver)]
    assert set(asked) == {"MS", "ZP", "AC", "MZ", "CM", "SC"}, "whichever it likes"
    bank = state.bank
    after = play(state, TakeOver("AC"), Accept())
    assert after.companies["CRB"].cash == 600 - 100 + 80
    assert after.bank == bank + 100 - 80
    assert after.companies["CRB"].shares == {"Ana": 5, "ipo": 5}
    assert tokens_in(after.board, "H28", 0) == ("CRB",)
    assert after.companies["CRB"].tokens == 2 + 2 - 1
    poor = cash(late(), CRB=99)
    assert refused(poor, "CRB", "AC") == "takeover-too-dear"


@rule("ESP-4.6.1-g", "ESP-4.6.1-h")
def test_later_the_station_costs_50_and_the_circle_is_kept_no_longer() -> None:
    state = late()
    assert kept(state, "N", "H28", 0), "as long as nobody has taken AC over"
    after = play(state, TakeOver("AC"), Decline())
    assert not kept(after, "N", "H28", 0)
    assert after.companies["CRB"].tokens == 4
    near = tokens(tiles(after, H28=("6", 2)), G27=(("CRB",),))
    build = turn_at(near, "CRB", Build("CRB"))
    assert code(build, PlaceToken("H28", 0)) == "", "Albacete, next to Alcázar"
    paid = play(build, PlaceToken("H28", 0))
    assert paid.companies["CRB"].cash == build.companies["CRB"].cash - 50


@rule("ESP-4.6.1-g")
def test_on_an_oo_tile_the_city_is_chosen() -> None:
    state = tiles(late(), C31=("L131", 0))
    asked = play(state, TakeOver("SC"), Accept())
    assert code(asked, PlaceToken("C31", 1)) == ""
    assert tokens_in(play(asked, PlaceToken("C31", 1)).board, "C31", 1) == ("CRB",)
    bare = play(late(), TakeOver("SC"), Accept())
    assert tokens_in(bare.board, "C31", 0) == ("CRB",), "without a tile it waits on the hex"


@rule("ESP-4.6.1-i")
def test_mz_gives_no_place_in_madrid_while_mza_is_in_play() -> None:
    state = late()
    assert "MZA" in memory(state).in_play
    after = play(state, TakeOver("MZ"))
    assert after.companies["MZ"].closed, "there is nothing to choose"
    assert not any("CRB" in circle for circle in after.board.tokens.get("F24", ()))
    assert after.companies["CRB"].tokens == 2 + 2, "stations for the charter"
    names = tuple(s for s in memory(state).in_play if s != "MZA")
    without = play(extra(state, in_play=names), TakeOver("MZ"))
    assert isinstance(without.step, StationChoice)
    assert play(without, Accept()).board.tokens["F24"] == ((), (), ("CRB",))


@rule("ESP-4.6.1-k")
def test_a_major_launched_from_phase_5_on_takes_nobody_over() -> None:
    state = extra(late(), late=("CRB",))
    assert refused(state, "CRB", "MS") == "late-no-takeover"
    assert refused(late(), "CRB", "MS") == ""
    assert not offered(asking(state, "CRB"), TakeOver)


@rule("ESP-4.6.1-m", "ESP-4.6.1-a")
def test_trains_of_a_frozen_minor_are_not_for_sale() -> None:
    state = buying(late(), "CRB")
    deal = BuyTrain("3", "MS", 1)
    assert code(state, deal) == "frozen-minor"
    assert cited(state, deal) == "ESP-4.6.1-m"
    early = buying(before(), "CRB")
    assert code(early, deal) == "", "before, with its director's consent"


@rule("ESP-4.6-r")
def test_who_is_above_the_certificate_limit_sells_something_on_his_next_turn() -> None:
    """A frozen minor's certificate does not count, so its share is one more."""
    state = late()
    for symbol in ("N", "A", "MCP"):
        state = major(state, symbol, {"Ben": 5, "Dan": 5})
    state = major(state, "MZA", {"Ben": 6, "Dan": 4})
    state = major(state, "ZPB", {"Dan": 6, "Ben": 3, "pool": 1})
    assert state.title.certificates(state, "Ben") == 20
    assert code(stock_round(state, "Ben", turn=3), Pass()) == ""
    state = play(asking(state, "CRB"), TakeOver("MS"), Decline())
    assert state.title.certificates(state, "Ben") == 21
    state = stock_round(state, "Ben", turn=3)
    assert code(state, Pass()) == "must-sell"
    sold = play(state, SellShares("MZA", 1))
    assert sold.companies["CRB"].held("Ben") == 1, "not necessarily that share"
    assert code(sold, Pass()) == ""


@rule("ESP-DE-5.6-i", "ESP-E38", "ESP-A63")
def test_all_minors_leave_with_everything_they_own() -> None:
    state = before("de")
    bank = state.bank
    after = play(buying(state, "FdLR"), BuyTrain("4+5", "stack", 500))
    assert all(after.companies[s].closed for s in ("MS", "ZP", "AC", "MZ", "CM", "SC"))
    assert (after.players["Ben"].cash, after.players["Cleo"].cash) == (0, 0), "nothing is paid"
    assert after.bank == bank + 500 + 40 + 10
    assert after.companies["MS"].trains == ()
    assert "3" not in after.depot.pool, "nor do their trains come back"
    assert not list(tokens_of(after.board, "MS"))
    assert [marker.company for marker in after.markers] == ["FdLR", "CRB"]
    assert refused(after, "CRB", "MS") == "no-minors-left"
