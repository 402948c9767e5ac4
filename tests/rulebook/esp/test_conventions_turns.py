"""Where 18xx.games differs inside a company's turn: discards, Madrid, private 1, home tokens."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    BuyPrivate,
    BuyTender,
    BuyTrain,
    ChooseSide,
    DeclareDividend,
    Decline,
    DiscardTrain,
    LayTile,
    OpenPass,
    Pass,
    PlaceToken,
    RunTrains,
)
from carril.engine.board import CLOSED
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.conventions import ONLINE
from carril.titles.esp.privates import TakeTrain
from carril.titles.esp.takeover import StationChoice, Takeovers
from tests.rulebook.esp.deviations import BOOK, online
from tests.rulebook.esp.lines import turn_at
from tests.rulebook.esp.positions import extra, game, major, memory, minor, operate
from tests.rulebook.esp.purchases import company, empty, northwards, two_passes
from tests.table import at, cash, charter, code, offered, phase, plain, play, tiles, tokens

# --- trains above the limit --------------------------------------------------------------

FULL = ("3", "3", "3", "3")
"""As many as the limit of phase 3."""


def overfull(conventions: Any, *due: Any, trains: tuple[str, ...] = FULL, **privates: str) -> State:
    """N of Ana, and MZA of Ben that has five trains since a takeover, in N's turn."""
    state = empty("3", conventions=conventions)
    state = company(northwards(state), "N", trains=trains, money=500)
    state = extra(company(state, "MZA", "Ben", trains=(*FULL, "2+3")), privates=privates)
    return turn_at(state, "N", *due)


@rule("ESP-G5")
def test_a_purchase_from_another_company_lets_everybody_discard() -> None:
    changed = overfull(online("takeover_discards"), BuyTrains("N"), trains=("3",))
    changed = play(charter(changed, "MCP", trains=("3",), owner="Ana"), BuyTrain("3", "MCP", 1))
    assert isinstance(changed.step, DiscardTrains)
    assert (changed.step.subject, changed.acting) == ("MZA", "Ben")
    after = play(changed, DiscardTrain("3"))
    assert isinstance(after.step, BuyTrains)
    assert after.companies["MZA"].trains == ("3", "3", "3", "2+3")


@rule("ESP-G5")
def test_the_train_of_private_2_lets_everybody_discard_after_the_dividend() -> None:
    steps = (BuyTrains("N"), Takeovers("N"), RunStep("N"), Build("N"))
    state = overfull(online("takeover_discards"), *steps, P2="Ana")
    state = play(state, BuyPrivate("P2", 1), ChooseSide("2"))
    assert isinstance(state.step, Build), "not before the dividend"
    assert state.companies["N"].trains == (*FULL, "2")
    state = play(state, Pass())
    assert isinstance(state.step, RunStep)
    state = play(state, plain(offered(state, RunTrains)[0]))
    assert isinstance(state.step, Earnings)
    state = play(state, DeclareDividend("withhold"))
    assert isinstance(state.step, DiscardTrains)
    assert state.step.companies == ("N", "MZA")


@rule("ESP-4.4.1-i", "ESP-2.2-t")
def test_by_the_rulebook_the_train_of_private_2_is_discarded_for_at_once() -> None:
    steps = (BuyTrains("N"), Takeovers("N"), RunStep("N"), Build("N"))
    state = overfull(BOOK, *steps, P2="Ana")
    state = play(state, BuyPrivate("P2", 1), ChooseSide("2"))
    assert isinstance(state.step, DiscardTrains)
    assert state.step.subject == "N"


@rule("ESP-G5")
def test_after_the_dividend_private_2_lets_them_discard_at_once() -> None:
    state = overfull(online("takeover_discards"), BuyTrains("N"), trains=("3",), P2="Ana")
    state = play(state, BuyPrivate("P2", 1), ChooseSide("2"))
    assert isinstance(state.step, DiscardTrains)
    assert state.step.companies == ("MZA",)


# --- Madrid ------------------------------------------------------------------------------


def eastern_madrid(conventions: Any, there: tuple[str, ...], mz: dict[str, Any]) -> State:
    """CRB comes to the eastern circle of Madrid, which MZ and MZA share; MZA is not launched."""
    state = company(empty("3", conventions=conventions), "CRB", trains=("3",), money=500)
    state = tiles(state, G23=("3", 0), G25=("8", 3), H26=("8", 0), H28=("57", 0))
    state = tokens(state, B26=(("CRB",),), H28=(("CRB",),), F24=((), (), there))
    return operate(charter(state, "MZ", **mz), "CRB")


@rule("ESP-G42")
def test_once_mz_has_come_and_gone_its_circle_is_free() -> None:
    changed, place = online("madrid_released"), PlaceToken("F24", 2)
    gone = {"operated": True, "closed": True}
    assert code(eastern_madrid(BOOK, (), gone), place) == "home-reserved"
    assert code(eastern_madrid(changed, (), gone), place) == ""
    assert code(eastern_madrid(changed, (), {}), place) == "home-reserved", "MZ is still to come"
    never = {"closed": True}
    assert code(eastern_madrid(changed, (), never), place) == "home-reserved", "it never came"
    assert code(eastern_madrid(changed, ("MZ",), {"operated": True}), place) == "city-full"


@rule("ESP-G42")
def test_mza_then_has_its_home_in_an_additional_circle() -> None:
    state = eastern_madrid(online("madrid_released"), (), {"operated": True, "closed": True})
    state = play(state, PlaceToken("F24", 2))
    state = major(state, "MZA", {"Ben": 5}, operated=False, tokens=2)
    assert operate(state, "MZA").board.tokens["F24"] == ((), (), ("CRB", "MZA"))


# --- the track step ----------------------------------------------------------------------

MINE = LayTile("E11", "L89", 0)


def built(owner: str, *, conventions: Any = ONLINE, name: str = "3", **done: Any) -> State:
    """N, which reaches a closed pass, has taken its track actions and its station."""
    state = two_passes(company(empty(name, conventions=conventions), "N", trains=("3",), money=500))
    state = extra(state, privates={"P1": owner} if owner else {}, goals={"N": ("destination",)})
    state = tokens(state, D12=((CLOSED, CLOSED),), H12=((CLOSED, CLOSED),))
    step = Build("N", normal=2, mined=True, stationed=True, hexes=("E23", "E21"))
    return turn_at(state, "N", BuyTrains("N"), RunStep("N"), replace(step, **done))


@rule("ESP-G54")
def test_the_track_step_stays_open_for_an_unused_private_1() -> None:
    assert isinstance(built("N").step, Build)
    assert isinstance(built("").step, RunStep)
    assert isinstance(built("Ben").step, Build), "a player's private 1 could be bought"
    assert isinstance(built("MCP").step, RunStep)
    assert isinstance(play(built("N"), Pass()).step, RunStep)


@rule("ESP-G54")
def test_after_a_lay_with_private_1_a_pass_can_still_be_opened() -> None:
    helped = built("", helped=True)
    assert isinstance(helped.step, Build)
    assert offered(helped, OpenPass)
    assert isinstance(built("", helped=False).step, RunStep)
    without = built("", helped=True, opened=True, name="2")
    assert isinstance(without.step, RunStep), "no pass can be opened in phase 2"


@rule("ESP-G54")
def test_only_the_last_lay_with_private_1_keeps_the_step_open() -> None:
    """Huelva is a mine hex; SC in Sevilla lays there with private 1, then plain track."""
    state = minor(empty("3", conventions=ONLINE), "SC", "Ana")
    state = cash(extra(state, privates={"P1": "SC"}), SC=200)
    state = tokens(tiles(state, C31=("L129", 2)), C31=(("SC",), ("SC",)))
    state = turn_at(state, "SC", RunStep("SC"), Build("SC"))
    lay = next(o for o in offered(state, LayTile) if isinstance(o, LayTile) and o.private)
    laid = play(state, lay)
    assert isinstance(laid.step, Build)
    assert laid.step.helped
    plain = next(o for o in offered(laid, LayTile) if isinstance(o, LayTile))
    after = play(laid, plain)
    assert not (isinstance(after.step, Build) and after.step.helped)


# --- privates and tenders at any moment ---------------------------------------------------

ANY_MOMENT = "purchases_interrupt"


def interrupted(conventions: Any, *due: Any) -> State:
    """Ana's N is in its turn, with these decisions due; Cleo owns private 3."""
    state = empty("3", conventions=conventions)
    state = company(northwards(state), "N", trains=("3",), money=500)
    state = company(state, "MZA", "Ben", trains=(*FULL, "2+3"))
    state = minor(state, "MS", "Ben")
    state = extra(state, privates={"P3": "Cleo"}, tenders_pool=1)
    return turn_at(state, "N", BuyTrains("N"), *due)


@rule("ESP-G55")
@pytest.mark.parametrize(
    "due",
    [TakeTrain("N"), StationChoice("N", "MS"), PlaceHome("N", "J20", "N")],
    ids=["side", "map", "city"],
)
def test_privates_are_bought_while_something_is_to_be_chosen(due: Any) -> None:
    private, tender = BuyPrivate("P3", 10, by="Ana"), BuyTender("pool", by="Ana")
    book = interrupted(BOOK, due)
    assert {code(book, private), code(book, tender)} == {"not-now"}
    assert not offered(book, BuyPrivate)
    state = interrupted(online(ANY_MOMENT, "consents_asked"), due)
    assert offered(state, BuyPrivate)
    after = play(state, private, tender)
    assert memory(after).privates["P3"] == "N"
    assert memory(after).tenders == ("N",)
    assert after.step == due, "the choice is still due"


@rule("ESP-G55")
def test_the_price_of_a_minor_is_not_spent_on_a_private() -> None:
    """N has 500 and owes 80 for MS, whose station is to be chosen for."""
    state = interrupted(online(ANY_MOMENT, "consents_asked"), StationChoice("N", "MS"))
    state = cash(state, N=80 + 69)
    assert code(state, BuyPrivate("P3", 70)) == "treasury-short-private"
    assert code(state, BuyPrivate("P3", 69)) == ""
    assert code(state, BuyTender("pool")) == "treasury-short-private"
    bought = play(state, BuyPrivate("P3", 69))
    assert play(bought, Decline()).companies["MS"].closed


@rule("ESP-G55")
def test_the_company_buys_while_others_discard() -> None:
    private = BuyPrivate("P3", 10, by="Ana")
    book = interrupted(BOOK, DiscardTrains(("MZA",)))
    assert book.acting == "Ben"
    assert code(book, private) == "not-your-turn"
    state = interrupted(online(ANY_MOMENT, "consents_asked"), DiscardTrains(("MZA",)))
    assert state.acting == "Ben"
    assert not offered(state, BuyPrivate), "it is not Ben who can buy"
    assert code(state, BuyPrivate("P3", 10, by="Ben")) == "not-your-turn"
    assert code(state, BuyPrivate("P3", 10, by="Cleo")) == "not-your-turn"
    after = play(state, private)
    assert memory(after).privates["P3"] == "N"
    assert isinstance(after.step, DiscardTrains)
    assert after.acting == "Ben"


@rule("ESP-G55")
def test_nobody_buys_outside_a_turn() -> None:
    state = interrupted(online(ANY_MOMENT), DiscardTrains(("MZA",)))
    outside = at(state, DiscardTrains(("MZA",)))
    assert code(outside, BuyPrivate("P3", 10, by="Ana")) == "not-your-turn"
    assert code(outside, BuyPrivate("P3", 10)) == "not-now"


# --- home tokens on an OO hex ------------------------------------------------------------

OO = LayTile("J20", "L131", 1)


def zaragoza(conventions: Any, *there: str, money: int = 200) -> State:
    """ZPB of Ben is about to lay the first tile of Zaragoza, where home tokens wait."""
    state = game(conventions=conventions)
    state = extra(state, in_play=(*memory(state).in_play, "CA"), privates={})
    state = charter(state, "CA", closed=False)
    for symbol, owner in (("ZP", "Ana"), ("CA", "Cleo")):
        state = cash(minor(state, symbol, owner, tokens=0), **{symbol: 100})
    state = company(state, "N", "Dan", tokens=0, money=money)
    state = company(phase(state, "3"), "ZPB", "Ben", trains=("3",), money=500)
    state = tiles(state, L20=("9", 2), K19=("6", 5))
    places = tuple((symbol,) for symbol in there)
    state = tokens(state, M21=((), ("ZPB",)), J20=(*places, *((),) * (2 - len(places))))
    return operate(state, "ZPB")


@rule("ESP-G56", "ESP-4.3-r")
@pytest.mark.parametrize("conventions", [BOOK, ONLINE], ids=["book", "online"])
def test_the_home_token_of_the_first_city_is_asked_first(conventions: Any) -> None:
    asked = play(zaragoza(conventions, "ZP", "CA"), OO)
    assert isinstance(asked.step, PlaceHome)
    assert (asked.step.company, asked.step.subject) == ("ZP", "ZPB")
    second = play(asked, PlaceToken("J20", 1))
    assert isinstance(second.step, PlaceHome)
    assert second.step.company == "CA"
    after = play(second, PlaceToken("J20", 0))
    assert after.board.tokens["J20"] == (("CA",), ("ZP",))


@rule("ESP-G57")
def test_a_station_that_replaced_a_minors_costs_50_when_the_tile_comes() -> None:
    """N took over ZP and put its station on the bare hex of Zaragoza."""
    place = PlaceToken("J20", 1)
    changed = online("replaced_token_costs")
    for conventions, left in ((BOOK, 200), (changed, 150)):
        after = play(zaragoza(conventions, "N"), OO, place)
        assert after.board.tokens["J20"] == ((), ("N",))
        assert after.companies["N"].cash == left
    assert play(zaragoza(changed, "ZP"), OO, place).companies["ZP"].cash == 100, "a home is free"
    assert play(zaragoza(changed, "N", money=30), OO, place).companies["N"].cash == 0
