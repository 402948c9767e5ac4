"""Taking over minors before phase 5 (4.6)."""

from typing import Any

import pytest

from carril.engine.actions import (
    Accept,
    BuyTrain,
    DeclareDividend,
    Decline,
    DiscardTrain,
    Pass,
    PlaceToken,
    TakeOver,
)
from carril.engine.board import tokens_in
from carril.engine.state import State
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.reservations import kept
from carril.titles.esp.takeover import StationChoice, Takeovers
from tests.rulebook.esp.lines import asking, buying, owned, run, running, turn_at
from tests.rulebook.esp.positions import extra, game, major, memory, minor, stock_round
from tests.table import cash, charter, cited, code, offered, phase, play, tiles, tokens


def world(
    edition: str = "de",
    *,
    name: str = "3",
    taker: str = "CRB",
    shares: dict[str, int] | None = None,
    **more: Any,
) -> State:
    """CRB of Ana beside MS and ZP of Ben and CM of Cleo; nobody has had his turn.

    All minors have operated and run a train, at 151, 90 and 80; their tokens are at home.
    """
    state = phase(game(edition=edition), name)
    held = dict(shares or {"Ana": 5})
    if edition != "de":
        held["reserved"] = 1
    state = major(state, taker, held, trains=("3",), **more)
    state = minor(state, "MS", "Ben", value=151, trains=("2",), tokens=0)
    state = minor(state, "ZP", "Ben", value=90, trains=("3",), tokens=0)
    state = minor(state, "CM", "Cleo", value=80, trains=("2", "2"), tokens=0)
    state = extra(state, ran=("MS", "ZP", "CM"), privates={"P4": "MS"})
    state = cash(state, MS=33, ZP=0, CM=0, Ana=0, Ben=0, Cleo=0, **{taker: 600})
    state = tiles(state, C27=("6", 0), E29=("57", 0), J20=("L131", 0))
    return tokens(state, B26=(("CRB",),), C27=(("MS",),), E29=(("CM",),), J20=(("ZP",), ()))


def refused(state: State, company: str, symbol: str) -> str:
    """Return why a company may not take a minor over, also where the step is not due."""
    refusal = Takeovers(company).refusal(state, TakeOver(symbol))
    return refusal.code if refusal else ""


def taken(state: State, symbol: str, *answers: Accept | Decline) -> State:
    """Ask for a minor of another player, who agrees; take it, then answer what is asked."""
    state = play(state, TakeOver(symbol), Accept())
    if isinstance(state.step, Takeovers):
        state = play(state, TakeOver(symbol))
    return play(state, *answers)


@rule("ESP-4.6-a")
def test_takeovers_come_between_earnings_and_trains_from_phase_3_on() -> None:
    state = world()
    turn = turn_at(state, "CRB", TrainStep("CRB"), Takeovers("CRB"), Earnings("CRB", earnings=100))
    assert code(turn, TakeOver("MS")) == "not-now"
    paid = play(turn, DeclareDividend("withhold"))
    assert isinstance(paid.step, Takeovers)
    assert code(paid, TakeOver("MS")) == ""
    assert code(paid, BuyTrain("3", "stack", 200)) == "not-now"
    bought = play(paid, Pass(), BuyTrain("3", "stack", 200))
    assert code(bought, TakeOver("MS")) == "not-now"
    early = world(name="2")
    assert refused(early, "CRB", "MS") == "takeovers-not-yet"
    assert not offered(asking(early, "CRB"), TakeOver)


@rule("ESP-4.6-b")
def test_only_southern_majors_take_over() -> None:
    state = owned(world(), "FdSB", "2+3", by="Dan")
    state = cash(state, FdSB=600, ZP=600)
    assert refused(state, "FdSB", "MS") == "only-southern"
    assert refused(state, "ZP", "MS") == "only-southern"
    assert refused(state, "CRB", "MS") == ""
    for company in ("FdSB", "ZP"):
        assert not offered(asking(state, company), TakeOver)


@rule("ESP-4.6-c", "ESP-DE-5.6-a", "ESP-E31")
def test_one_minor_in_the_game_or_any_number() -> None:
    german = taken(asking(world(), "CRB"), "MS", Decline())
    assert code(german, TakeOver("ZP")) == "", "a second one in the same round"
    second = taken(german, "ZP", Decline())
    assert second.companies["CRB"].shares["Ben"] == 2
    assert {s for s, c in second.companies.items() if c.closed} >= {"MS", "ZP"}
    for edition in ("en", "es"):
        state = taken(asking(world(edition), "CRB"), "MS", Decline())
        assert memory(state).takers == ("CRB",)
        assert refused(state, "CRB", "ZP") == "one-takeover"
        assert not offered(state, TakeOver)


@rule("ESP-4.6-d", "ESP-4.6-f")
def test_both_directors_must_agree_and_others_may_be_asked() -> None:
    for edition in ("de", "en"):
        state = asking(world(edition), "CRB")
        asked = play(state, TakeOver("MS"))
        assert asked.acting == "Ben"
        declined = play(asked, Decline())
        assert declined.acting == "Ana"
        assert code(declined, TakeOver("MS")) == "minor-refuses"
        assert cited(declined, TakeOver("MS")) == "ESP-4.6-d"
        assert not declined.companies["MS"].closed
        assert code(declined, TakeOver("CM")) == "", "the next one, in any order"
        assert code(declined, Pass()) == "", "nor must the major"


@rule("ESP-4.6-d")
def test_a_director_of_both_is_not_asked() -> None:
    state = charter(world(), "MS", owner="Ana", shares={"Ana": 1})
    state = play(asking(state, "CRB"), TakeOver("MS"))
    assert isinstance(state.step, StationChoice)


@rule("ESP-4.6-e")
def test_no_track_is_needed() -> None:
    state = asking(world(), "CRB")
    assert not set(state.board.laid) & {"D26", "D28", "D30"}, "no line leads to Córdoba"
    assert taken(state, "CM", Decline()).companies["CM"].closed


@rule("ESP-4.6-f", "ESP-DE-5.6-f")
def test_the_first_who_agrees_is_taken_or_the_major_chooses_among_them() -> None:
    english = play(asking(world("en"), "CRB"), TakeOver("ZP"), Decline(), TakeOver("CM"), Accept())
    assert english.step == StationChoice("CRB", "CM")
    state = asking(world(), "CRB")
    state = play(state, TakeOver("ZP"), Accept(), TakeOver("CM"), Accept(), TakeOver("MS"))
    state = play(state, Decline())
    assert not any(state.companies[name].closed for name in ("ZP", "CM", "MS"))
    chosen = play(state, TakeOver("CM"))
    assert chosen.step == StationChoice("CRB", "CM"), "not asked again"
    assert code(state, Pass()) == "", "or none of them"


@rule("ESP-4.6-g", "ESP-DE-5.6-c", "ESP-E32", "ESP-A30", "ESP-A67")
def test_the_minor_has_run_a_train_or_at_least_operated() -> None:
    idle = {edition: extra(world(edition), ran=("ZP",)) for edition in ("de", "en", "es")}
    assert refused(idle["de"], "CRB", "MS") == "", "it has operated"
    assert refused(idle["en"], "CRB", "MS") == refused(idle["es"], "CRB", "MS")
    assert refused(idle["en"], "CRB", "MS") == "minor-not-operated"
    assert refused(idle["en"], "CRB", "ZP") == ""
    fresh = charter(world(), "MS", operated=False)
    assert refused(fresh, "CRB", "MS") == "minor-not-operated"
    assert refused(world(), "CRB", "AC") == "minor-not-operated", "never launched"


@rule("ESP-4.6-g")
def test_running_is_what_makes_a_minor_fit_to_be_taken() -> None:
    state = extra(world("en"), ran=())
    state = running(tiles(state, C27=("6", 2), B26=("6", 5)), "MS")
    ran = play(state, run("2: C27.0 B26.0"))
    assert memory(ran).ran == ("MS",)


@rule("ESP-4.6-h", "ESP-A31")
def test_the_major_pays_the_price_once_to_the_minors_director() -> None:
    state = asking(cash(world(), CRB=151), "CRB")
    after = taken(state, "MS", Decline())
    assert after.players["Ben"].cash == 151
    assert after.companies["CRB"].cash == 33, "what MS had; it cannot pay for itself (A31)"
    short = world()
    short = cash(short, CRB=150)
    assert refused(short, "CRB", "MS") == "takeover-too-dear"
    assert cited(asking(short, "CRB"), TakeOver("MS")) == "ESP-4.6-h"
    assert refused(short, "CRB", "ZP") == ""


@rule("ESP-4.6-i")
def test_the_major_receives_all_the_minor_has() -> None:
    state = extra(world(), tenders=("MS",), privates={"P4": "MS", "P1": "Ana"})
    after = taken(asking(state, "CRB"), "MS", Decline())
    assert after.companies["CRB"].trains == ("3", "2")
    assert after.companies["CRB"].cash == 600 - 151 + 33
    assert memory(after).privates == {"P4": "CRB", "P1": "Ana"}
    assert memory(after).tenders == ("CRB",)
    assert (after.companies["MS"].cash, after.companies["MS"].trains) == (0, ())


@rule("ESP-4.6-i")
def test_trains_above_the_limit_are_given_up_at_once() -> None:
    state = charter(world(name="4"), "CRB", trains=("3", "4", "4"))
    state = charter(charter(state, "ZP", trains=("3",)), "MS", trains=("4",))
    after = taken(asking(state, "CRB"), "MS", Decline())
    assert code(after, Pass()) == "not-now"
    after = play(after, DiscardTrain("3"))
    assert after.companies["CRB"].trains == ("4", "4", "4")


@rule("ESP-4.6-j", "ESP-DE-5.6-e", "ESP-E33")
def test_where_the_share_for_the_minors_director_comes_from() -> None:
    for edition in ("en", "es"):
        shares = taken(asking(world(edition), "CRB"), "MS", Decline()).companies["CRB"].shares
        assert shares == {"Ana": 5, "Ben": 1, "ipo": 4}, "the reserved one"
    german = taken(asking(world(), "CRB"), "MS", Decline()).companies["CRB"].shares
    assert german == {"Ana": 5, "Ben": 1, "ipo": 4}
    market = world(shares={"Ana": 5, "Dan": 3, "pool": 2})
    shares = taken(asking(market, "CRB"), "MS", Decline()).companies["CRB"].shares
    assert shares == {"Ana": 5, "Dan": 3, "Ben": 1, "pool": 1}, "the market if the IPO is empty"
    both = world(shares={"Ana": 5, "Dan": 2, "pool": 2})
    shares = taken(asking(both, "CRB"), "MS", Decline()).companies["CRB"].shares
    assert shares == {"Ana": 5, "Dan": 2, "Ben": 1, "pool": 2}, "the IPO first"


@rule("ESP-4.6-k", "ESP-DE-5.6-j", "ESP-DE-5.6-g", "ESP-E34")
def test_the_station_on_the_map_and_what_the_takeover_unlocks() -> None:
    state = asking(world("en", tokens=0, locked=4), "CRB")
    onto = taken(state, "MS", Accept())
    assert tokens_in(onto.board, "C27", 0) == ("CRB",)
    assert (onto.companies["CRB"].tokens, onto.companies["CRB"].locked) == (1, 2)
    assert memory(onto).goals == {"CRB": ("takeover",)}
    assert onto.companies["CRB"].cash == 600 - 151 + 33 + 80, "the station is free; a goal pays"
    apart = taken(state, "MS", Decline())
    assert (apart.companies["CRB"].tokens, apart.companies["CRB"].locked) == (2, 2)
    assert tokens_in(apart.board, "C27", 0) == ()
    german = asking(world(tokens=1, locked=3), "CRB")
    onto = taken(german, "MS", Accept())
    assert tokens_in(onto.board, "C27", 0) == ("CRB",)
    assert (onto.companies["CRB"].tokens, onto.companies["CRB"].locked) == (0, 3), "no goal"
    assert memory(onto).goals == {}
    assert onto.companies["CRB"].cash == 600 - 151 + 33
    none = asking(world(tokens=0, locked=3), "CRB")
    left = taken(none, "MS")
    assert left.companies["MS"].closed, "nothing to choose without a station"
    assert tokens_in(left.board, "C27", 0) == ()


@rule("ESP-4.6-l")
def test_the_replacement_is_free_and_is_not_the_station_of_the_turn() -> None:
    state = asking(cash(world(tokens=2), CRB=151), "CRB")
    after = taken(state, "MS", Accept())
    assert tokens_in(after.board, "C27", 0) == ("CRB",)
    assert after.companies["CRB"].cash == 33
    built = tokens(world(tokens=1), B26=(("CRB",),), E21=(("CRB",),))
    assert (
        code(play(asking(built, "CRB"), TakeOver("MS"), Accept(), TakeOver("MS")), Accept()) == ""
    )


@rule("ESP-4.6-m", "ESP-DE-5.6-g")
def test_a_circle_that_is_not_taken_is_free_for_all() -> None:
    state = taken(asking(world(), "CRB"), "MS", Decline())
    assert tokens_in(state.board, "C27", 0) == ()
    assert not kept(state, "A", "C27", 0)
    assert not kept(state, "CRB", "C27", 0)


def madrid(edition: str = "de", *, mza: bool) -> State:
    """MZ of Ben in Madrid, with or without MZA in the game; CRB of Ana may take it."""
    state = minor(world(edition), "MZ", "Ben", value=100, tokens=0)
    names = tuple(s for s in memory(state).in_play if mza or s not in ("MZA", "N", "MCP"))
    state = extra(state, in_play=names, ran=("MZ",))
    return tokens(state, F24=((), (), ("MZ",)))


@rule("ESP-4.6-n", "ESP-4.6-o", "ESP-4.6-p", "ESP-E35")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_the_station_of_mz_in_madrid(edition: str) -> None:
    state = taken(asking(madrid(edition, mza=True), "CRB"), "MZ")
    assert state.companies["MZ"].closed, "no choice while MZA is in play"
    assert not any("CRB" in circle for circle in state.board.tokens.get("F24", ()))
    spare = state.companies["CRB"].tokens
    choice = taken(asking(madrid(edition, mza=False), "CRB"), "MZ")
    assert isinstance(choice.step, StationChoice)
    assert code(choice, PlaceToken("F24", 0)) == "not-now", "no other circle of Madrid"
    assert code(choice, PlaceToken("F24", 1)) == "not-now"
    onto = play(choice, Accept())
    assert onto.board.tokens["F24"] == ((), (), ("CRB",)), "that very circle"
    assert onto.companies["CRB"].tokens == spare - 1


@rule("ESP-4.6-n")
def test_the_refusal_names_mza() -> None:
    state = game(conventions="18xx.games")
    state = major(phase(state, "3"), "CRB", {"Ana": 5})
    names = (*memory(state).in_play, "MZA", "MZ")
    state = turn_at(extra(state, in_play=names), "CRB", StationChoice("CRB", "MZ"))
    assert code(state, Accept()) == "mz-with-mza"
    assert cited(state, Accept()) == "ESP-4.6-n"


@rule("ESP-4.6-q", "ESP-DE-5.6-h", "ESP-E37")
def test_a_share_from_a_takeover_may_exceed_the_limit() -> None:
    for edition in ("en", "es"):
        state = world(edition, shares={"Ben": 6})
        state = play(asking(state, "CRB"), TakeOver("MS"), Decline())
        assert state.companies["CRB"].held("Ben") == 7
        later = stock_round(state, "Ben", turn=3)
        assert code(later, Pass()) == "", "he need not sell it"
    state = asking(world(shares={"Ben": 8}), "CRB")
    state = play(state, TakeOver("MS"), Decline(), TakeOver("ZP"), Decline())
    assert state.companies["CRB"].shares == {"Ben": 10}, "all of it"


@rule("ESP-DE-5.6-b")
def test_a_major_may_do_so_in_its_first_round() -> None:
    state = asking(world(operated=False), "CRB")
    assert code(state, TakeOver("MS")) == ""


@rule("ESP-DE-5.6-a", "ESP-DE-5.6-d", "ESP-A34")
def test_without_a_share_to_give_there_is_no_takeover() -> None:
    state = world(shares={"Ana": 6, "Dan": 4})
    assert refused(state, "CRB", "MS") == "no-share-to-give"
    assert refused(world(shares={"Ana": 6, "Dan": 3}), "CRB", "MS") == ""
    last = taken(asking(world(shares={"Ana": 6, "Dan": 3}), "CRB"), "MS", Decline())
    assert refused(last, "CRB", "ZP") == "no-share-to-give", "each takeover needs one"
    poor = taken(asking(cash(world(), CRB=200), "CRB"), "MS", Decline())
    assert refused(poor, "CRB", "ZP") == "takeover-too-dear"


@rule("ESP-DE-5.6-e", "ESP-A35")
def test_the_share_may_make_another_director() -> None:
    state = world(shares={"Ana": 2, "Ben": 2})
    state = taken(asking(state, "CRB"), "MS", Decline())
    assert state.companies["CRB"].owner == "Ben", "he has more now (A35)"
    assert code(buying(world(), "CRB"), TakeOver("MS")) == "not-now"
