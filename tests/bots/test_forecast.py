"""Forecasts: complete, cheap in what they assume, and right about the last rounds."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from carril import start
from carril.bots import Dice, GreedyBot
from carril.bots.forecast import forecast
from carril.bots.greedy import outlook
from carril.cli import app
from carril.engine.state import State
from carril.lab.arena import Match
from carril.lab.forecasting import Sample, by_tenth, observe, plot, second_half
from tests.bots.test_planner import played


def sure(title: str, rounds: str) -> State:
    return played(title, "greedy", rounds)


@pytest.mark.parametrize("title", ["18EU", "18ESP", "18Cuba"])
def test_a_forecast_says_something_of_every_player_and_company_in_play(title: str) -> None:
    state = sure(title, "OR 3.1")
    ahead = forecast(state)
    assert set(ahead.worth) == set(state.players) == set(ahead.dividends)
    leading = {one.symbol for one in state.companies.values() if one.owner and not one.closed}
    assert leading <= set(ahead.companies)
    assert all(len(one.revenue) <= ahead.rounds for one in ahead.companies.values())
    assert any(one.share_worth > 0 for one in ahead.companies.values())


def test_trains_that_must_be_bought_are_foreseen() -> None:
    state = sure("18EU", "OR 3.1")
    bought = forecast(state).purchases
    prices = {name: train.price for name, train in state.tables.trains.items()}
    assert bought
    assert all(one.price == prices[one.train] and one.helped <= one.price for one in bought)


def test_the_end_is_foreseen() -> None:
    samples = observe(Match(1, "18EU", ("greedy",) * 3, 5))
    last = samples[-1]
    assert last.left == last.rounds == 1
    assert last.error < 0.03
    assert second_half(samples) < 0.25
    tenths = by_tenth(samples)
    assert sum(one.samples for one in tenths) == len(samples)
    assert tenths[0].error > tenths[-1].error
    assert plot(tenths, "errors").startswith("<svg")


def test_errors_are_shown_by_tenths_of_a_game() -> None:
    samples = [Sample("OR 1.1", part / 10, part / 100, 0.0, 1, 1, 1.0) for part in range(10)]
    assert [one.samples for one in by_tenth(samples)] == [1] * 10
    assert second_half(samples) == pytest.approx(0.07)


def test_a_wrong_title_is_one_line() -> None:
    result = CliRunner().invoke(app, ["forecast", "18XX", "--games", "1"])
    assert result.exit_code != 0
    assert "18XX" in result.output


def test_the_last_rounds_are_known_once_they_have_begun() -> None:
    state, dice = start("18ESP", ["Ana", "Ben", "Cleo", "Dan"], seed=3), Dice(3)
    while not (found := state.title.answers.last_set(state)) or not found.begun:
        state = state.apply(GreedyBot().choose(state, dice).action).state
    assert forecast(state).rounds == outlook.rounds_left(state) == found.rounds
    north = [one for one in state.companies.values() if one.trains and not one.closed]
    factors = {state.title.answers.last_factor(state, one.symbol) for one in north}
    assert factors == {1, 2}
