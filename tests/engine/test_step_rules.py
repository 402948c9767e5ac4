"""The steps of an operating turn with other rules than a title gives them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from msgspec.structs import replace

from carril import start
from carril.engine import runs
from carril.engine.actions import DeclareDividend, LayTile, Pass, PlaceToken, RunTrains
from carril.engine.registry import TITLES, register
from carril.engine.runs import Run
from carril.engine.state import POOL, TREASURY, State
from carril.engine.step import refuse
from carril.engine.steps.earnings import Earnings, EarningsRules, half_dividend
from carril.engine.steps.running import RunStep, run_problem
from carril.engine.steps.station import PlaceStation, StationRules, station_cost
from carril.engine.steps.track import Lay, LayTrack, TrackRules, terrain_cost
from tests import table
from tests.rulebook.eu.lines import sncf
from tests.table import NAMES, at, cash, code, play

Variant = Callable[..., State]

_numbers = count()


@pytest.fixture
def variant() -> Iterator[Variant]:
    """Return a function that starts a game with other rules or other companies' figures."""

    def begin(company: dict[str, Any] | None = None, **rules: Any) -> State:
        title = TITLES["18EU"]
        companies = {
            name: replace(row, **(company or {})) for name, row in title.tables.companies.items()
        }
        tables = replace(title.tables, companies=companies)
        names.append(f"other rules {next(_numbers)}")  # tables are built once for each name
        register(dataclasses.replace(title, name=names[-1], tables=tables, **rules))
        return start(names[-1], NAMES[:4], seed=1, seated=True)

    names: list[str] = []
    yield begin
    for name in names:
        del TITLES[name]


def line(state: State, *hexes: str, trains: tuple[str, ...] = ("2",)) -> State:
    """SNCF on a yellow line of three cities, with tokens in some of them."""
    state = table.tiles(state, J7=("202", 2), J9=("9", 0), J11=("57", 0), J13=("57", 0))
    return cash(sncf(state, *hexes, trains=trains, tokens=3), SNCF=500)


# --- stations ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("built", "cost"), [(("J11",), 40), (("J11", "J13"), 60)])
def test_stations_cost_by_their_number(variant: Variant, built: tuple[str, ...], cost: int) -> None:
    state = line(variant({"station_costs": (40, 60, 80)}), *built)
    assert station_cost(state, "SNCF") == cost


def test_the_last_cost_of_a_station_goes_on(variant: Variant) -> None:
    state = line(variant({"station_costs": (50,)}), "J11", "J13")
    assert station_cost(state, "SNCF") == 50
    assert station_cost(line(variant(), "J11"), "SNCF") == 0


def test_a_station_is_paid_to_whom_the_title_names(variant: Variant) -> None:
    rules = StationRules(payee=lambda state, hex_id, city: "Ben")
    state = at(line(variant({"station_costs": (40,)}, station=rules), "J11"), PlaceStation("SNCF"))
    after = play(state, PlaceToken("J13", 0))
    assert after.companies["SNCF"].cash == 460
    assert after.players["Ben"].cash == state.players["Ben"].cash + 40
    poor = cash(state, SNCF=39)
    assert code(poor, PlaceToken("J13", 0)) == "station-too-dear"


def test_a_reserved_circle_is_refused(variant: Variant) -> None:
    rules = StationRules(reserved=lambda state, company, hex_id, city: hex_id == "J13")
    state = line(variant(station=rules), "J11")
    state = replace(state, agenda=(PlaceStation("SNCF"),))
    assert code(state, PlaceToken("J13", 0)) == "home-reserved"
    assert PlaceToken("J13", 0, by="Ana") not in state.options()


# --- track -------------------------------------------------------------------------------------


def _dear(state: State, step: Any, lay: Lay) -> int:
    return terrain_cost(state, step, lay) + 7


def test_a_lay_costs_what_the_title_says(variant: Variant) -> None:
    state = at(line(variant(track=TrackRules(cost=_dear)), "J11"), LayTrack("SNCF"))
    option = next(o for o in state.options() if isinstance(o, LayTile))
    plain = at(line(variant(track=TrackRules()), "J11"), LayTrack("SNCF"))
    assert (
        play(plain, option).companies["SNCF"].cash
        == 7
        + play(at(line(variant(track=TrackRules(cost=_dear)), "J11"), LayTrack("SNCF")), option)
        .companies["SNCF"]
        .cash
    )


def test_a_title_can_forbid_hexes_and_tiles(variant: Variant) -> None:
    no_hex = TrackRules(limit=lambda state, step, lay: refuse(state, "hex-twice", hex=lay.hex))
    no_tile = TrackRules(
        tile_limit=lambda state, company, place, fit: refuse(state, "no-city", city=place.id)
    )
    for rules, why in ((no_hex, "hex-twice"), (no_tile, "no-city")):
        free = at(line(variant(), "J11"), LayTrack("SNCF"))
        option = next(o for o in free.options() if isinstance(o, LayTile))
        state = at(line(variant(track=rules), "J11"), LayTrack("SNCF"))
        assert state.options() == (Pass(by="Ana"),)
        assert code(state, option) == why


def test_helping_privates_are_offered_beside_the_plain_lay(variant: Variant) -> None:
    rules = TrackRules(helpers=lambda state, step: ("help",))
    state = at(line(variant(track=rules), "J11"), LayTrack("SNCF"))
    lays = [o for o in state.options() if isinstance(o, LayTile)]
    assert {lay.private for lay in lays} == {"", "help"}
    assert len({(lay.hex, lay.tile, lay.turn) for lay in lays}) * 2 == len(lays)


# --- runs --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("required", "idle"), [("best", "better-run"), ("some", "must-run"), ("any", "")]
)
def test_what_a_run_must_be(variant: Variant, required: str, idle: str) -> None:
    run = dataclasses.replace(TITLES["18EU"].run, required=lambda state: required)
    state = at(line(variant(run=run), "J11"), RunStep("SNCF"))
    assert code(state, RunTrains()) == idle


def test_trains_that_may_not_start_earn_nothing(variant: Variant) -> None:
    run = dataclasses.replace(TITLES["18EU"].run, may_start=lambda state, company, train: False)
    state = at(line(variant(run=run), "J11"), RunStep("SNCF"))
    assert state.agenda == ()


def test_only_a_better_run_that_is_known_is_a_reason_to_refuse(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = dataclasses.replace(TITLES["18EU"].run, required=lambda state: "best")
    state = at(line(variant(run=run), "J11"), RunStep("SNCF"))
    problem = run_problem(state, "SNCF")
    best = runs.best(problem)
    monkeypatch.setattr(runs, "BUDGET", 1)
    answer = runs.best_within_budget(problem)
    assert answer.value < best.value <= answer.bound
    assert not answer.optimal
    assert code(state, RunTrains((), by=state.acting or "")) == "", "no better run is known"
    found = best.runs[0]
    assert code(state, RunTrains(found.routes, found.extras, by=state.acting or "")) == ""
    assert state.options() == (RunTrains(by="Ana"),)


def test_the_offered_runs_are_the_titles(variant: Variant) -> None:
    run = dataclasses.replace(
        TITLES["18EU"].run, required=lambda state: "any", offered=lambda state, problem: (Run(),)
    )
    state = at(line(variant(run=run), "J11"), RunStep("SNCF"))
    assert state.options() == (RunTrains(by="Ana"),)


# --- earnings ----------------------------------------------------------------------------------


def test_half_a_dividend_gives_each_share_a_whole_amount() -> None:
    assert [half_dividend(amount, 10) for amount in (130, 120, 10)] == [70, 60, 10]
    assert [half_dividend(amount, 1) for amount in (130, 95)] == [65, 48]


def earning(state: State) -> State:
    """SNCF has earned 100 and holds a share itself; four are in the pool."""
    state = sncf(state)
    shares = {"Ana": 5, POOL: 4, TREASURY: 1}
    return at(table.charter(state, "SNCF", shares=shares), Earnings("SNCF", 100, 30))


@pytest.mark.parametrize(
    ("holders", "amount"), [((), 0), ((TREASURY,), 10), ((POOL, TREASURY), 50)]
)
def test_the_company_gets_the_part_of_some_holders(
    variant: Variant, holders: tuple[str, ...], amount: int
) -> None:
    state = earning(variant(earnings=EarningsRules(paid_to_company=holders)))
    before = state.companies["SNCF"].cash
    assert play(state, DeclareDividend("full")).companies["SNCF"].cash == before + amount


def test_only_the_choices_of_the_title_are_open(variant: Variant) -> None:
    state = earning(variant(earnings=EarningsRules(choices=("full", "withhold"))))
    assert [o.kind for o in state.options() if isinstance(o, DeclareDividend)] == [
        "full",
        "withhold",
    ]
    assert code(state, DeclareDividend("half")) == "no-such-dividend"


def test_a_single_choice_is_not_asked(variant: Variant) -> None:
    state = earning(variant(earnings=EarningsRules(choices=("full",))))
    assert state.agenda == ()
    assert state.players["Ana"].cash == start("18EU", NAMES[:4], seed=1).players["Ana"].cash + 50


def test_a_subsidy_is_paid_at_once_or_with_the_dividend(variant: Variant) -> None:
    start_cash = sncf(variant()).companies["SNCF"].cash
    at_once = earning(variant(earnings=EarningsRules()))
    assert at_once.companies["SNCF"].cash == start_cash + 30
    waits = earning(variant(earnings=EarningsRules(subsidy_waits=lambda state: True)))
    assert waits.companies["SNCF"].cash == start_cash
    assert play(waits, DeclareDividend("withhold")).companies["SNCF"].cash == start_cash + 130


@pytest.mark.parametrize(("steps", "where"), [(-1, 1), (0, 2), (2, 4)])
def test_the_price_moves_as_far_as_the_title_says(variant: Variant, steps: int, where: int) -> None:
    rules = EarningsRules(price_steps=lambda state, company, dividend: steps)
    state = earning(variant(earnings=rules))
    state = replace(state, markers=(replace(state.markers[0], row=2, column=2),))
    after = play(state, DeclareDividend("full"))
    assert after.markers[0].column == where
