"""The greedy bot plays whole games by the rules, the same way for the same seed, and well."""

from __future__ import annotations

import pytest

from carril import start
from carril.bots import Dice, GreedyBot
from carril.bots.greedy import outlook
from carril.engine import actions as act
from tests.bots.duel import duel, read_setup, seating


@pytest.mark.parametrize(
    ("title", "setup", "seed"),
    [
        ("18EU", "3", 20),
        ("18EU", "4", 21),
        ("18Cuba", "4", 22),
        ("18Cuba", "2:easy+east", 23),
    ],
)
def test_greedy_beats_random(title: str, setup: str, seed: int) -> None:
    players, variants = read_setup(setup)
    game = duel(title, seating(seed, players), seed, variants=variants)
    assert game.last.ended == "bank"
    assert game.winner == "greedy"
    assert not game.broke
    assert all(game.reasons)


@pytest.mark.parametrize(
    ("title", "end"), [("18EU", "bank"), ("18ESP", "RENFE"), ("18Cuba", "bank")]
)
def test_greedy_bots_alone_play_a_whole_game(title: str, end: str) -> None:
    game = duel(title, ["greedy"] * 4, seed=5)
    assert game.last.ended == end
    assert not game.avoidable
    assert all(game.reasons)


def test_the_same_seed_gives_the_same_game() -> None:
    one, two = (duel("18EU", ["greedy"] * 3, seed=8, most=250) for _ in range(2))
    assert one.last == two.last
    assert one.reasons == two.reasons


def test_a_bid_stays_below_what_a_minor_is_worth() -> None:
    state = start("18EU", ["Ana", "Ben", "Cleo"], seed=3)
    dice, highest = Dice(3), 0
    while state.round.kind == "Sale":
        action = GreedyBot().choose(state, dice).action
        if isinstance(action, act.Bid):
            highest = max(highest, action.amount)
        state = state.apply(action).state
    assert 100 <= highest <= 200
    assert all(player.cash >= 0 for player in state.players.values())


def test_the_run_is_the_best() -> None:
    state = start("18EU", ["Ana", "Ben", "Cleo"], seed=3)
    dice = Dice(3)
    while act.RunTrains not in state.step.allows:
        state = state.apply(GreedyBot().choose(state, dice).action).state
    earned = outlook.income(state, state.step.subject)
    assert GreedyBot().choose(state, dice).reason == f"the best run earns {earned}"
