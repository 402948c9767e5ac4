"""What privates 1, 2, 4, 6 and 7 do (ledger ESP-2.2, ESP-DE-3.1)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    BuyPrivate,
    BuyTrain,
    ChooseSide,
    Decline,
    DiscardTrain,
    LayTile,
    OpenPass,
    Pass,
    RunTrains,
    TakeOver,
)
from carril.engine.events import PrivateClosed
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.build import Build
from carril.titles.esp.common import esp
from carril.titles.esp.privates import TakeTrain
from carril.titles.esp.running import able_trains
from carril.titles.esp.takeover import Takeovers
from tests.rulebook.esp.bidding import to_private, win
from tests.rulebook.esp.positions import extra, game, major, minor, operate, privates, stock_round
from tests.table import at, cash, charter, cited, code, events, offered, phase, play, tiles, tokens

MINE = LayTile("H6", "L94", 0)
PLAIN = LayTile("H6", "960", 0)


def north(name: str = "3", owner: str = "FdLR", **more: Any) -> State:
    """FdLR in Reinosa, its track on to the mine of H6 and to the pass Alar del Rey."""
    state = phase(privates(game(**more), P1=owner, P4=owner), name)
    state = major(state, "FdLR", {"Ana": 4}, cash=500)
    state = tiles(state, H8=("956", 0), H10=("79", 0))
    return tokens(state, H8=(("FdLR",),))


def south(owner: str = "N") -> State:
    """N in Valladolid, Salamanca and San Sebastián, next to three passes."""
    state = major(phase(privates(game(), P4=owner), "3"), "N", {"Ana": 4}, cash=500)
    state = tiles(state, E21=("57", 0), E19=("L91", 0), D20=("4", 0), D22=("57", 0))
    return tokens(state, E21=(("N",),), D22=(("N",),), H16=(("N",),))


# --- private 1 --------------------------------------------------------------------------------


@rule("ESP-2.2-n", "ESP-2.2-o")
def test_private_1_takes_30_off_a_yellow_mine_and_closes() -> None:
    state = operate(north(), "FdLR")
    assert play(state, MINE).companies["FdLR"].cash == 470
    helped = replace(MINE, private="P1")
    laid = play(state, helped)
    assert laid.companies["FdLR"].cash == 500
    assert laid.board.laid["H6"] == ("L94", 0)
    assert PrivateClosed("P1") in events(state, helped)
    assert "P1" not in esp(laid).privates
    assert esp(play(state, MINE)).privates["P1"] == "FdLR"  # not used, not closed


@rule("ESP-2.2-n", "ESP-2.2-o")
def test_private_1_takes_30_off_dismantling_a_mine() -> None:
    state = operate(tiles(north(), H6=("L94", 0)), "FdLR")
    plain, helped = play(state, PLAIN), play(state, replace(PLAIN, private="P1"))
    assert (plain.companies["FdLR"].cash, helped.companies["FdLR"].cash) == (470, 500)
    assert "P1" not in esp(helped).privates


@rule("ESP-2.2-n")
def test_private_1_serves_nothing_but_mines() -> None:
    state = operate(north(), "FdLR")
    city = LayTile("H8", "L107", 0)
    assert code(state, city) == ""
    assert code(state, replace(city, private="P1")) == "private-1-for-mines"


@rule("ESP-2.2-p")
@pytest.mark.parametrize("owner", ["Ana", "Ben", "MZA"])
def test_private_1_serves_only_the_company_that_owns_it(owner: str) -> None:
    state = operate(north(owner=owner), "FdLR")
    helped = replace(MINE, private="P1")
    assert code(state, helped) == "private-1-for-mines"
    assert cited(state, helped) == "ESP-2.2-p"
    assert code(state, MINE) == ""
    if owner == "Ana":
        bought = play(state, BuyPrivate("P1", 10))
        assert code(bought, helped) == ""


# --- private 2 --------------------------------------------------------------------------------


def buyer(name: str = "2", trains: tuple[str, ...] = (), **more: Any) -> State:
    """FdLR of Ana begins its turn; she owns private 2 herself."""
    state = phase(privates(game(**more), P2="Ana"), name)
    state = major(state, "FdLR", {"Ana": 4}, cash=500, trains=trains)
    state = tiles(state, H8=("956", 0), H6=("L94", 0))
    return operate(tokens(state, H8=(("FdLR",),)), "FdLR")


@rule("ESP-2.2-q", "ESP-2.2-r", "ESP-DE-3.1-b")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
@pytest.mark.parametrize("name", ["2", "3"])
def test_private_2_brings_a_train_on_the_side_of_choice_and_closes(edition: str, name: str) -> None:
    state = buyer(name, edition=edition)
    asked = play(state, BuyPrivate("P2", 40))
    assert isinstance(asked.step, TakeTrain)
    assert code(asked, ChooseSide("3")) == "no-such-side"
    assert "P2" not in esp(asked).privates
    for side in ("2", "1+2"):
        taken = play(asked, ChooseSide(side))
        assert taken.companies["FdLR"].trains == (side,)
        assert taken.depot.left["2"] == state.depot.left["2"]  # it is no train of the deck
        assert isinstance(taken.step, Build)


@rule("ESP-2.2-q")
def test_a_minor_gets_the_train_as_a_2() -> None:
    state = operate(minor(privates(game(), P2="Ana"), "CM", "Ana", cash=100), "CM")
    bought = play(state, BuyPrivate("P2", 40))
    assert bought.companies["CM"].trains == ("2",)
    assert isinstance(bought.step, Build)


@rule("ESP-2.2-s", "ESP-DE-3.1-b")
def test_the_train_of_private_2_runs_from_the_next_operating_round() -> None:
    state = play(buyer(), BuyPrivate("P2", 40), ChooseSide("1+2"), Pass())
    assert isinstance(state.step, TrainStep)  # there was nothing to run
    other = play(buyer(trains=("1+2",)), BuyPrivate("P2", 40), ChooseSide("1+2"))
    assert able_trains(other, "FdLR") == ("1+2",)  # only the other one
    while str(state.round) != "OR 3.1":
        state = play(state, Pass())
    assert able_trains(state, "FdLR") == ("1+2",)
    run = play(state, Pass())
    assert RunTrains() != offered(run, RunTrains)[0]


@rule("ESP-2.2-t")
def test_the_train_of_private_2_is_an_ordinary_train() -> None:
    state = play(buyer(), BuyPrivate("P2", 40), ChooseSide("2"), Pass())
    assert code(state, Pass()) == ""  # the duty is met
    full = play(buyer(trains=("2", "2", "2")), BuyPrivate("P2", 40), ChooseSide("2"))
    fewer = play(buyer(trains=("2", "2")), BuyPrivate("P2", 40), ChooseSide("2"))
    assert not TrainStep("FdLR").has_room(full)
    assert play(full, Pass()).round.kind == "SR"  # no fifth train can be bought
    assert isinstance(play(fewer, Pass()).step, TrainStep)
    over = play(buyer(trains=("2", "2", "2", "1+2")), BuyPrivate("P2", 40), ChooseSide("2"))
    assert list(over.options()) == [
        DiscardTrain("1+2", by="Ana"),
        DiscardTrain("2", by="Ana"),
    ]
    rich = cash(state, FdLR=900)
    left = {**rich.depot.left, "2": 0, "3": 0}
    rich = replace(rich, depot=replace(rich.depot, left=left))
    four = play(at(rich, TrainStep("FdLR")), BuyTrain("4", "stack", 300))
    assert four.companies["FdLR"].trains == ("4",)


@rule("ESP-2.2-u", "ESP-2.2-r", "ESP-E6")
@pytest.mark.parametrize("edition", ["es", "en"])
def test_bought_after_the_rust_private_2_gives_no_train_and_closes(edition: str) -> None:
    state = buyer("4", edition=edition)
    assert code(state, BuyPrivate("P2", 80)) == ""
    bought = play(state, BuyPrivate("P2", 80))
    assert bought.companies["FdLR"].trains == ()
    assert "P2" not in esp(bought).privates
    assert bought.companies["FdLR"].cash == 420


@rule("ESP-DE-3.1-c", "ESP-E6")
def test_bought_in_phase_4_private_2_stays_open_without_a_train() -> None:
    state = play(buyer("4"), BuyPrivate("P2", 120))
    assert state.companies["FdLR"].trains == ()
    assert esp(state).privates == {"P2": "FdLR"}
    before = state.companies["FdLR"].cash
    round_ = stock_round(replace(state, agenda=()))
    while round_.round.kind == "SR":
        round_ = play(round_, Pass())
    assert round_.companies["FdLR"].cash == before + 10
    five = cash(at(round_, TrainStep("FdLR")), FdLR=600)
    left = {**five.depot.left, "4": 0}
    five = replace(five, depot=replace(five.depot, left=left))
    assert esp(play(five, BuyTrain("5", "stack", 500))).privates == {}


@rule("ESP-2.2-v", "ESP-2.2-t", "ESP-E7")
@pytest.mark.parametrize(("edition", "refused"), [("es", True), ("en", False), ("de", False)])
def test_only_the_spanish_edition_forbids_to_sell_the_train(edition: str, refused: bool) -> None:
    state = play(buyer("3", edition=edition), BuyPrivate("P2", 40), ChooseSide("1+2"))
    state = major(state, "FdSB", {"Ana": 4}, cash=300)
    state = at(state, TrainStep("FdSB"))
    action = BuyTrain("1+2", "FdLR", 50)
    assert code(state, action) == ("mataro-not-sold" if refused else "")
    if refused:
        assert cited(state, action) == "ESP-2.2-v"
        both = charter(state, "FdLR", trains=("1+2", "1+2"))  # an ordinary one besides it
        sold = play(both, action)
        assert code(sold, action) == "mataro-not-sold"


@rule("ESP-2.2-v")
def test_the_train_stays_unsold_with_the_company_that_takes_a_minor_over() -> None:
    state = phase(privates(game(edition="es"), P2="Ana"), "3")
    state = operate(minor(state, "CM", "Ana", cash=100), "CM")
    state = extra(play(state, BuyPrivate("P2", 40)), ran=("CM",))
    state = major(major(state, "MZA", {"Ana": 4}, cash=500), "A", {"Ana": 4}, cash=500)
    taken = play(at(state, Takeovers("MZA")), TakeOver("CM"), Decline())
    assert taken.companies["MZA"].trains == ("2",)
    buying = at(taken, TrainStep("A"))
    assert code(buying, BuyTrain("2", "MZA", 50)) == "mataro-not-sold"
    assert code(extra(buying, mataro=()), BuyTrain("2", "MZA", 50)) == ""


# --- private 4 --------------------------------------------------------------------------------


@rule("ESP-2.2-ag", "ESP-2.2-ah", "ESP-2.2-aj")
@pytest.mark.parametrize(
    ("hex_id", "plain", "helped"), [("H12", 60, 0), ("D12", 100, 60), ("L8", 80, 40)]
)
def test_private_4_opens_alar_free_and_the_others_40_cheaper(
    hex_id: str, plain: int, helped: int
) -> None:
    state = operate(south(), "N")
    assert play(state, OpenPass(hex_id)).companies["N"].cash == 500 - plain
    opened = play(state, OpenPass(hex_id, "P4"))
    assert opened.companies["N"].cash == 500 - helped
    assert hex_id not in opened.board.tokens
    assert "P4" not in esp(opened).privates
    assert esp(play(state, OpenPass(hex_id))).privates == {"P4": "N"}


@rule("ESP-2.2-ag", "ESP-2.2-aj")
def test_a_northern_major_uses_private_4_if_it_owns_it() -> None:
    opened = play(operate(north(), "FdLR"), OpenPass("H12", "P4"))
    assert opened.companies["FdLR"].cash == 500
    for owner in ("Ana", "N"):
        state = operate(north(owner=owner), "FdLR")
        assert code(state, OpenPass("H12", "P4")) == "private-4-owner"
        assert cited(state, OpenPass("H12", "P4")) == "ESP-2.2-ag"


@rule("ESP-2.2-ai")
def test_a_minor_does_not_use_private_4() -> None:
    state = minor(south("CM"), "CM", "Ana", cash=300)
    state = operate(tokens(state, E21=(("CM",),)), "CM")
    assert code(state, OpenPass("H12", "P4")) == "minor-no-pass"
    assert code(state, OpenPass("H12")) == "minor-no-pass"


# --- privates 6 and 7 -------------------------------------------------------------------------


@rule("ESP-2.2-ax", "ESP-2.2-ba")
def test_zafra_huelva_gives_a_share_of_crb_at_once() -> None:
    state = to_private(game(), "P6")
    assert state.companies["CRB"].held("Ben") == 0
    won = win(state, 180)
    assert won.companies["CRB"].held("Ben") == 1
    assert not won.companies["CRB"].started
    assert esp(won).privates["P6"] == "Ben"


@rule("ESP-2.2-bc")
def test_private_7_closes_with_the_first_train_of_its_company() -> None:
    state = extra(privates(game(), P7="Ben"), director_7="FdLR")
    state = major(major(state, "FdLR", {"Ana": 4}, cash=500), "FdSB", {"Ana": 4}, cash=500)
    other = play(at(state, TrainStep("FdSB")), BuyTrain("1+2", "stack", 100))
    assert esp(other).privates == {"P7": "Ben"}
    own = at(state, TrainStep("FdLR"))
    assert PrivateClosed("P7") in events(own, BuyTrain("1+2", "stack", 100))
    assert esp(play(own, BuyTrain("1+2", "stack", 100))).privates == {}


@rule("ESP-2.2-bc")
def test_the_train_of_private_2_is_not_bought_so_private_7_stays() -> None:
    state = extra(privates(game(), P7="Ben", P2="Ana"), director_7="FdLR")
    state = operate(major(state, "FdLR", {"Ana": 4}, cash=500), "FdLR")
    taken = play(state, BuyPrivate("P2", 40), ChooseSide("1+2"))
    assert esp(taken).privates == {"P7": "Ben"}
