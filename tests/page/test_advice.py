"""What the planner would do, at the table and in the API."""

from __future__ import annotations

import re

from fastapi.testclient import TestClient
from msgspec import to_builtins

from carril import start
from carril.bots import Dice, GreedyBot, PlannerBot
from carril.engine.state import State
from carril.page.study import sentence
from tests.browser.stage import Stage


def stock_round() -> State:
    """Return a position in which there is something to weigh: a turn of the second stock round."""
    state, dice = start("18EU", ["Ana", "Ben", "Cleo"], seed=5), Dice(5)
    while str(state.round) != "SR 2":
        state = state.apply(GreedyBot().choose(state, dice).action).state
    return state


def test_the_table_shows_three_choices_with_estimates_and_reasons(
    stage: Stage, client: TestClient
) -> None:
    state = stock_round()
    game = stage.table(state)
    assert f'hx-get="/table/{game}/advice?at=0"' in client.get(f"/table/{game}").text
    shown = client.get(f"/table/{game}/advice?at=0")
    assert shown.status_code == 200
    assert shown.text.count("<li>") == 3
    best = PlannerBot().rank(state, Dice(0))
    assert sentence(best[0].reason) in shown.text
    assert [str(one.estimate) for one in best] == re.findall(r"about \D*(\d+)\.<", shown.text)


def test_the_api_answers_with_actions_that_can_be_taken(stage: Stage, client: TestClient) -> None:
    state = stock_round()
    game = stage.table(state)
    found = client.get(f"/api/games/{game}/advice").json()
    assert found["player"] == state.acting
    assert found["at"] == 0
    first = PlannerBot().rank(state, Dice(0))[0]
    assert found["choices"][0]["action"] == to_builtins(first.action)
    estimates = [one["estimate"] for one in found["choices"]]
    assert len(estimates) == 3
    assert estimates[1] >= estimates[2]


def test_nobody_is_advised_without_an_account_or_when_the_game_is_over(
    stage: Stage, client: TestClient
) -> None:
    state = stock_round()
    game = stage.table(state)
    stranger = TestClient(stage.app)
    assert stranger.get(f"/api/games/{game}/advice").status_code == 401
    assert "advice" not in stranger.get(f"/table/{game}").text
    while not state.finished:
        state = state.apply(GreedyBot().choose(state, Dice(1)).action).state
    over = stage.table(state)
    assert client.get(f"/api/games/{over}/advice").status_code == 400
    assert "/advice" not in client.get(f"/table/{over}").text


def test_a_reason_becomes_a_sentence() -> None:
    assert sentence("leads to new places") == "Leads to new places."
    assert sentence("Done.") == "Done."
