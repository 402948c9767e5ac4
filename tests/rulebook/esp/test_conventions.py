"""Where 18xx.games differs: set-up, auction, stock round, prices, the end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril import start
from carril.engine.actions import (
    Bid,
    DeclareDividend,
    Pass,
    ReachDestination,
    RunTrains,
    SellShares,
)
from carril.engine.events import Event, Passed, TrainsRun
from carril.engine.market import price
from carril.engine.refusals import BadSetup
from carril.engine.state import Round, State
from carril.engine.steps.auction import Auction as PrivateAuction
from carril.engine.steps.earnings import Earnings
from carril.engine.steps.operating import OperatingRound
from carril.engine.steps.running import RunStep
from carril.rules.marker import rule
from carril.titles.esp.conventions import ONLINE, RULEBOOK
from carril.titles.esp.title import TABLES, import_conventions, import_variants
from tests.rulebook.esp.deviations import BOOK, online
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
from tests.rulebook.esp.purchases import across, buying, company, empty, northwards
from tests.table import NAMES, at, cash, code, events, play, tiles, tokens


def divide(conventions: Any, column: int, kind: str) -> int:
    """Return the price of a company that began in a column and divides 100."""
    state = major(empty("5", conventions=conventions), "N", {"Ana": 4}, column=column)
    steps = (OperatingRound(("N",)), Earnings("N", earnings=100))
    there = at(state, *steps, round_=Round("OR", 2, 1, 3))
    return price(play(there, DeclareDividend(kind)), "N")


@rule("ESP-G1")
def test_prices_at_the_ends_of_the_chart() -> None:
    changed = online("price_moves_short")
    assert [divide(c, 1, "withhold") for c in (BOOK, changed)] == [50, 55]
    assert [divide(c, 40, "full") for c in (BOOK, changed)] == [400, 380]
    assert [divide(c, 39, "full") for c in (BOOK, changed)] == [400, 400]
    assert [divide(c, 2, "withhold") for c in (BOOK, changed)] == [50, 50]


@rule("ESP-G7")
def test_who_leads_after_a_tie() -> None:
    """Cleo sells everything; Ben and Dan, Ana aside, are equal: cards 2 and 4."""

    def leader(conventions: Any) -> str:
        state = privates(game(4, conventions=conventions))
        state = major(state, "N", {"Cleo": 4, "Ben": 2, "Dan": 2})
        return play(stock_round(state, "Cleo"), SellShares("N", 4)).companies["N"].owner

    assert leader(BOOK) == "Ben"
    assert leader(online("tie_by_card")) == "Dan"  # the next after Cleo


@rule("ESP-G8")
def test_bids_between_multiples_of_5() -> None:
    assert code(game(), Bid(23)) == "opening-step"
    changed = game(conventions=online("bids_by_five"))
    assert code(changed, Bid(23)) == ""
    assert code(changed, Bid(19)) == "opening-too-low"
    assert code(play(changed, Bid(23)), Bid(27)) == "raise-too-low"
    assert code(play(changed, Bid(23)), Bid(28)) == ""


@rule("ESP-G9")
def test_private_1_at_0_is_given_away() -> None:
    """18xx.games stops with an error there; we do not follow it in that."""
    for conventions in (BOOK, ONLINE):
        state = game(conventions=conventions)
        state = play(state, *[Pass()] * 16)  # four times all four pass: 15, 10, 5, 0
        assert memory(state).privates["P1"] == "Ana"
        assert state.players["Ana"].cash == 650
        assert isinstance(state.step, PrivateAuction)
        assert state.step.private == "P2"


@rule("ESP-G10")
def test_who_cannot_pay_is_asked_before_the_first_bid() -> None:
    def opened(conventions: Any) -> State:
        state = cash(game(conventions=conventions), Ana=19)
        return at(state, state.step)

    assert opened(BOOK).acting == "Ben"
    asked = opened(online("cashless_asked"))
    assert asked.acting == "Ana"
    assert code(asked, Bid(20)) == "bid-above-cash"
    bidding = play(cash(game(), Ben=24), Bid(20))
    assert bidding.acting == "Cleo"  # after a bid he is passed in both
    told = events(cash(game(conventions=online("cashless_asked")), Ben=24), Bid(20))
    assert Passed("Ben", "private-auction", True) in told


@rule("ESP-G10")
def test_a_lone_bidder_wins_at_once() -> None:
    for conventions in (BOOK, online("cashless_asked")):
        state = cash(game(conventions=conventions), Ben=0, Cleo=0, Dan=0)
        assert memory(play(state, Bid(20))).privates["P1"] == "Ana"


@rule("ESP-G31")
def test_the_random_set_up_is_the_default_of_records() -> None:
    assert import_variants(()) == ("random",)
    assert import_variants(("core",)) == ()
    assert game().setup.variants == ()
    drawn = {memory(game(seed=seed, variants=("random",))).in_play for seed in range(4)}
    assert len(drawn) > 1
    assert len({memory(game(seed=seed)).in_play for seed in range(4)}) == 1


@rule("ESP-G32")
@pytest.mark.parametrize("players", [2, 7])
def test_three_to_six_players(players: int) -> None:
    names = [*NAMES, "Gus"][:players]
    for conventions in ("rulebook", "18xx.games"):
        with pytest.raises(BadSetup):
            start("18ESP", names, conventions=conventions)
        assert len(start("18ESP", NAMES[:3], conventions=conventions).players) == 3


@rule("ESP-G33")
def test_the_yellow_value_of_san_esteban() -> None:
    def earned(conventions: Any) -> list[Event]:
        """CFEA runs from Avilés by Muros de Nalón to the harbour in phase 2."""
        state = company(empty("2", conventions=conventions), "CFEA", trains=("1+2",))
        state = tokens(tiles(state, D4=("956", 2)), D4=(("CFEA",),))
        there = at(state, OperatingRound(("CFEA",)), RunStep("CFEA"), round_=Round("OR", 1, 1, 1))
        run = next(o for o in there.options() if isinstance(o, RunTrains) and "C1.0" in str(o))
        return [event for event in events(there, run) if isinstance(event, TrainsRun)]

    assert earned(BOOK) == [TrainsRun("CFEA", 30, 40)]
    assert earned(online("harbour_30")) == [TrainsRun("CFEA", 30, 30)]


@rule("ESP-G34")
def test_the_number_of_yellow_tiles() -> None:
    """A piece with two faces is counted once: 85, as 18xx.games has them."""
    yellow = {t.number: t for t in TABLES.tiles.values() if t.colour == "yellow"}
    firsts = [t for t in yellow.values() if t.number < t.back]
    assert sum(tile.count for tile in firsts) == 85
    assert all(yellow[tile.back].count == tile.count for tile in firsts)
    assert 2 * len(firsts) == len(yellow)


@rule("ESP-G35")
def test_the_home_of_the_central_of_aragon() -> None:
    home = TABLES.companies["CA"].home
    assert home is not None
    assert home.hex == "J20"


@rule("ESP-G36")
def test_an_empty_run_is_accepted_and_withholds() -> None:
    for conventions in (BOOK, ONLINE):
        state = northwards(company(empty("3", conventions=conventions), "N", trains=("3",)))
        there = at(state, OperatingRound(("N",)), RunStep("N"), round_=Round("OR", 2, 1, 2))
        after = play(there, RunTrains())
        assert price(after, "N") == 70  # 80, one column left, without a question
        assert after.companies["N"].cash == 0
    older = northwards(company(empty("3", edition="en"), "N", trains=("3",)))
    there = at(older, OperatingRound(("N",)), RunStep("N"), round_=Round("OR", 2, 1, 2))
    assert code(there, RunTrains()) == "must-run"


@rule("ESP-G37", "ESP-A14")
def test_the_order_of_the_companies_that_are_left() -> None:
    """N stood before MCP when the round began; by now MCP is dearer."""

    def order(conventions: Any, *, sold: bool = False) -> list[str]:
        state = company(empty("4", conventions=conventions), "N", par=70, trains=("4",))
        state = company(state, "MCP", "Ben", par=80, trains=("4",))
        state = major(state, "A", {"Cleo": 4}, par=100)
        state = extra(state, round_order=("A", "N", "MCP"))
        if sold:
            state = cash(state, Cleo=0, A=200)
            state = play(replace(state, agenda=buying(state, "A").agenda), SellShares("A", 1))
        return state.title.order(state)

    assert order(BOOK) == ["A", "MCP", "N"]
    changed = online("order_fixed")
    assert order(changed) == ["A", "N", "MCP"]
    assert order(BOOK, sold=True) == order(changed, sold=True) == ["A", "MCP", "N"]


@rule("ESP-G38")
def test_a_tie_for_victory() -> None:
    def won(conventions: Any) -> tuple[str, ...]:
        state = cash(empty("8", conventions=conventions), Ana=10, Ben=500, Cleo=500)
        return replace(state, ended="RENFE").winners

    assert won(BOOK) == ("Ben",)
    assert won(online("tie_shared")) == ("Ben", "Cleo")


@rule("ESP-G39")
def test_what_is_shown_as_a_players_worth() -> None:
    """18xx.games adds open privates; a minor counts twice its price in both."""

    def shown(conventions: Any) -> int:
        state = privates(game(3, conventions=conventions), P4="Ana")
        state = minor(cash(state, Ana=10), "MS", "Ana", value=85)
        return state.title.worth(state, "Ana")

    assert shown(BOOK) == 10 + 170
    assert shown(online("privates_are_worth")) == 10 + 170 + 100


@rule("ESP-G40")
def test_names_and_actions_of_records() -> None:
    assert [phase.name for phase in TABLES.phases][-1] == "8"
    assert TABLES.trains["2P"].price == 0
    assert not import_conventions([{"type": "pass"}]).destination_declared
    newer = [{"type": "lay_tile", "auto_actions": [{"type": "destination_connection"}]}]
    assert import_conventions(newer).destination_declared


@rule("ESP-G40")
def test_a_destination_may_be_an_action_of_its_own() -> None:
    def begun(conventions: Any) -> State:
        state = company(empty("3", conventions=conventions), "N", trains=("3",), money=5)
        return operate(extra(across(state), goals={}), "N")

    assert begun(BOOK).companies["N"].cash == 85
    assert code(begun(BOOK), ReachDestination()) == "not-at-destination"
    declared = begun(replace(RULEBOOK, destination_declared=True))
    assert declared.companies["N"].cash == 5
    assert play(declared, ReachDestination()).companies["N"].cash == 85
