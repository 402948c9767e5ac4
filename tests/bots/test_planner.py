"""The planner avoids what loses money: companies that never float, trains that cannot run."""

from __future__ import annotations

from functools import cache

import pytest

from carril import start
from carril.bots import Dice, GreedyBot, PlannerBot, bot_named
from carril.bots.greedy import outlook
from carril.bots.levels import CHARACTERS, LEVELS
from carril.bots.planner.openings import opening
from carril.bots.planner.params import characters
from carril.engine import actions as act
from carril.engine.asides import takes
from carril.engine.state import State
from carril.engine.trains import train_def


@cache
def played(title: str, bot: str, rounds: str, seed: int = 3) -> State:
    """Return the position when a round of a game of four bots begins."""
    state, dice = start(title, ["Ana", "Ben", "Cleo", "Dan"], seed=seed), Dice(seed)
    while str(state.round) != rounds:
        state = state.apply(bot_named(bot).choose(state, dice).action).state
    return state


def test_companies_that_are_started_float() -> None:
    state = played("18EU", "planner", "OR 3.1")
    started = [one for one in state.companies.values() if one.started and one.shares]
    assert len(started) >= 4
    assert all(one.floated for one in started)


def test_trains_run_on_the_track_of_their_company() -> None:
    state = played("18ESP", "greedy", "OR 3.1")
    tables = state.tables.companies
    north = [one for one in state.companies.values() if tables[one.symbol].region == "north"]
    owned = [train for one in north for train in one.trains]
    assert owned
    assert {train_def(state, train).gauge for train in owned} == {"narrow"}


def test_runs_are_estimated_well_even_on_large_networks() -> None:
    state = played("18EU", "greedy", "OR 5.1")
    for company in state.companies.values():
        if company.trains and not company.closed:
            with outlook.careful(PlannerBot().care):
                guess = outlook.income(state, company.symbol)
            sure = outlook.certain_income(state, company.symbol)
            assert guess >= sure * 0.8
            assert guess <= sure * 1.5 + 20


def test_the_choice_is_ranked_first_and_others_have_estimates_and_reasons() -> None:
    state = played("18EU", "greedy", "SR 3")
    bot = PlannerBot()
    found = bot.rank(state, Dice(1))
    assert len(found) == 3
    assert found[0].action == bot.choose(state, Dice(1)).action
    assert all(state.refusal(one.action) is None and one.reason for one in found)
    assert found[1].estimate >= found[2].estimate > 0


def test_a_turn_of_track_looks_at_the_next_one() -> None:
    state = played("18EU", "greedy", "OR 1.1")
    assert takes(state, act.LayTile)
    assert isinstance(PlannerBot().choose(state, Dice(1)).action, act.LayTile)


@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_differ_from_the_planner(name: str) -> None:
    assert characters()[name] != characters()["planner"]
    assert bot_named(name).name == name


def test_levels_make_fewer_mistakes_the_higher_they_are() -> None:
    mistakes = [level.mistakes for level in LEVELS]
    assert len(LEVELS) == 5
    assert mistakes == sorted(mistakes, reverse=True)
    assert mistakes[-1] == 0


def test_a_beginner_sometimes_decides_otherwise() -> None:
    state, dice = start("18EU", ["Ana", "Ben", "Cleo"], seed=5), Dice(5)
    differs = 0
    for _ in range(60):
        usual = PlannerBot().choose(state, Dice(1)).action
        differs += usual != bot_named("beginner").choose(state, dice).action
        state = state.apply(GreedyBot().choose(state, Dice(1)).action).state
    assert differs >= 5


def test_a_company_is_played_out_before_it_is_started() -> None:
    state = start("18ESP", ["Ana", "Ben", "Cleo", "Dan"], seed=3)
    found = {symbol: opening(state, symbol) for symbol in ("CFEA", "SC", "ZP")}
    assert all(earns >= 40 for earns in found.values())
    assert state == start("18ESP", ["Ana", "Ben", "Cleo", "Dan"], seed=3)
