"""The watches see what they are there for."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril import start as begin
from carril.engine.actions import GoBankrupt, Pass, RunTrains, SellShares
from carril.engine.events import (
    CubesDelivered,
    CubesProduced,
    DividendPaid,
    Event,
    LoanRepaid,
    LoanTaken,
    MoneyPaid,
    SharesMoved,
    TrainBought,
    TrainDiscarded,
)
from carril.engine.runs import Route
from carril.engine.state import BANK, Company, Round, State
from carril.engine.steps.trains import BuyTrains
from carril.titles.cuba.events import CubesScored
from tests.contract.invariants import Beginning, tiles_and_tokens_are_within_supply
from tests.contract.watches import Cuba, Europe, Spain, could_raise
from tests.rulebook.cuba import positions as island
from tests.rulebook.eu.endgames import buying, needy
from tests.table import cash, charter, corporation, tiles, tokens

PASS = Pass(by="Ana")


@pytest.fixture
def start() -> State:
    return begin("18ESP", ["Ana", "Ben", "Cleo"], seed=1)


def owing(state: State, debt: int) -> State:
    ana = replace(state.players["Ana"], debt=debt)
    return replace(state, players={**state.players, "Ana": ana})


def test_debt_grows_only_by_a_loan(start: State) -> None:
    after = owing(start, 100)
    Spain().see(start, PASS, [LoanTaken("Ana", 100)], after)
    with pytest.raises(AssertionError, match="owes 100, not 0"):
        Spain().see(start, PASS, [], after)


def test_debt_does_not_vanish(start: State) -> None:
    before = owing(start, 100)
    repaid = LoanRepaid("Ana", 100, 50)
    Spain().see(before, PASS, [repaid, MoneyPaid("Ana", BANK, 150, "loan repaid")], start)
    for events in ([], [repaid], [repaid, MoneyPaid("Ana", BANK, 100, "loan repaid")]):
        with pytest.raises(AssertionError):
            Spain().see(before, PASS, events, start)


def test_goals_pay_six_times_par_at_most(start: State) -> None:
    symbol = next(s for s, company in start.companies.items() if company.kind == "major")
    company = replace(start.companies[symbol], par=100)
    after = replace(start, companies={**start.companies, symbol: company})
    watch = Spain()
    for number in (1, 2, 3):
        watch.see(after, PASS, [MoneyPaid(BANK, symbol, number * 100, "goal")], after)
    with pytest.raises(AssertionError, match="got 700 for goals"):
        watch.see(after, PASS, [MoneyPaid(BANK, symbol, 100, "goal")], after)


def test_a_minor_keeps_the_train_that_it_has_bought(start: State) -> None:
    minor = next(symbol for symbol, c in start.companies.items() if c.kind == "minor")
    bought = TrainBought(minor, "5", "stack", 500)
    Spain().see(start, PASS, [bought], start)
    Spain().see(start, PASS, [bought, TrainDiscarded(minor, "3")], start)
    with pytest.raises(AssertionError, match="lost the 5 that it has bought"):
        Spain().see(start, PASS, [bought, TrainDiscarded(minor, "5")], start)


def test_shares_move_only_of_companies_in_the_game(start: State) -> None:
    Spain().see(start, PASS, [SharesMoved("N", "reserved", "ipo", 1)], start)
    with pytest.raises(AssertionError, match="TBF"):
        Spain().see(start, PASS, [SharesMoved("TBF", "reserved", "ipo", 1)], start)


def test_trains_keep_to_their_gauge(start: State) -> None:
    tables = start.title.tables
    north = next(
        h.id for h in tables.hexes.values() if {p.gauge for p in h.print.paths} == {"narrow"}
    )
    narrow = next(t.name for t in tables.trains.values() if t.gauge == "narrow")
    broad = next(t.name for t in tables.trains.values() if t.gauge == "broad")
    run = RunTrains((Route(narrow, (north,)),), by="Ana")
    Spain().see(start, run, [], start)
    with pytest.raises(AssertionError, match="wrong gauge"):
        Spain().see(start, RunTrains((Route(broad, (north,)),), by="Ana"), [], start)
    with pytest.raises(AssertionError, match="one gauge"):
        Spain().see(start, RunTrains((Route(f"{broad}|{narrow}", (north,)),), by="Ana"), [], start)


def in_need(money: int) -> State:
    """Ana must buy a train for 300 and can sell three shares at 100."""
    state = corporation(needy(), "KPEV", {"Ben": 4, "Ana": 3}, price=100)
    return buying(cash(state, SNCF=0, Ana=money), "SNCF")


def test_nobody_is_bankrupt_who_could_pay_when_the_emergency_began() -> None:
    able, unable = in_need(0), cash(in_need(0), SNCF=0, KPEV=0, Ana=0)
    unable = replace(unable, companies={**unable.companies, "KPEV": _unsold(unable)})
    Europe().see(unable, GoBankrupt(), [], unable)
    with pytest.raises(AssertionError, match="Ana could have paid"):
        Europe().see(able, GoBankrupt(), [], able)
    watch = Europe()
    watch.see(able, SellShares("KPEV", 1), [], unable)
    with pytest.raises(AssertionError, match="Ana could have paid"):
        watch.see(unable, GoBankrupt(), [], unable)
    watch = Europe()
    watch.see(able, SellShares("KPEV", 3), [], able)
    watch.see(cash(able, SNCF=300), Pass(), [], able)
    assert watch.seen["emergencies"] == 1
    assert watch.seen["bankruptcies"] == 0


def _unsold(state: State) -> Company:
    return replace(state.companies["KPEV"], operated=False)


@pytest.mark.parametrize(("money", "able"), [(0, True), (-1, False)])
def test_all_sales_are_tried(money: int, able: bool) -> None:
    state = in_need(0)
    step = state.step
    assert isinstance(step, BuyTrains)
    assert could_raise(state, step, 300 - money) is able


def test_shares_of_a_company_that_is_not_in_the_game(start: State) -> None:
    with pytest.raises(AssertionError, match="Nobody is not in the game"):
        Europe().see(start, PASS, [SharesMoved("Nobody", "pool", "Ana", 1)], start)


# --- 18Cuba ----------------------------------------------------------------------------------


def test_cubes_are_shipped_or_scored() -> None:
    state = replace(island.four_companies(), round=Round("OR", 2, 1, 1))
    boxes = island.extra(state, cubes={"HG": 2})
    watch = Cuba()
    watch.see(state, PASS, [CubesProduced("HG", 3), CubesDelivered("MS", "HG", 1)], boxes)
    watch.see(boxes, PASS, [CubesScored("FC", 2, 20)], state)
    with pytest.raises(AssertionError, match="3 cubes, 3 used"):
        watch.see(state, PASS, [], boxes)
    with pytest.raises(AssertionError, match="between rounds"):
        Cuba().see(state, PASS, [CubesProduced("HG", 2)], replace(boxes, round=Round("SR", 3)))


def _broken(state: State) -> list[tuple[str, State, list[Event]]]:
    """Return positions that break one promise each, and what the watch says."""
    prices = dict(island.memory(state).machine_prices)
    unlocked = charter(state, "MS", locked=3)
    card = island.extra(state, concessions={"M1": "Ana"}, bonuses={"M1": "Ana"})
    return [
        ("13 machines", island.extra(state, machines={"HG": ("1",)}), []),
        ("11 machines", island.extra(state, machine_prices=prices | {"1": (40,) * 11}), []),
        ("HG has a train 3", charter(state, "HG", trains=("3",)), []),
        ("HG", charter(state, "HG", trains=("1w",)), []),
        ("9 cards 4n", charter(state, "HG", trains=("4n",) * 5), []),
        ("the FC keeps 20", cash(state, FC=20), [DividendPaid("FC", "full", 30, 0)]),
        ("MS pays 35", state, [DividendPaid("MS", "full", 35, 0)]),
        ("MS locks a token", unlocked, []),
        ("a concession and its bonus", card, []),
    ]


def test_broken_promises_of_18cuba_are_seen() -> None:
    state = island.four_companies("4")
    Cuba().see(state, PASS, [DividendPaid("MS", "full", 30, 0)], state)
    for says, after, events in _broken(state):
        with pytest.raises(AssertionError, match=says):
            Cuba().see(state, PASS, events, after)


def test_only_a_company_that_chose_its_home_stands_beside_the_circles() -> None:
    """C4 with tile 57 has one slot: FEC may have an extra one there, TSS may not."""
    first = island.game()
    for symbols, wrong in ((("HG", "FEC"), False), (("HG", "TSS"), True), (("HG",), False)):
        state = tokens(tiles(first, C4=("57", 0)), C4=(symbols,))
        for symbol in symbols:
            state = charter(state, symbol, tokens=0)
        if wrong:
            with pytest.raises(AssertionError, match="C4 holds too many tokens"):
                tiles_and_tokens_are_within_supply(state, Beginning.of(first))
        else:
            tiles_and_tokens_are_within_supply(state, Beginning.of(first))
