"""Bots choose among the options, the same way for the same seed."""

from __future__ import annotations

from collections import Counter

import pytest

from carril import start
from carril.bots import Dice, bot_named, bot_names
from carril.bots.levels import CHARACTERS, LEVELS
from carril.engine import actions as act
from carril.engine.refusals import BadSetup
from tests.contract.walk import Plan, walk

SIMILAR = {level.name for level in LEVELS[1:-1]}
SLOW = {"search"}
"""Tested by itself, with a small budget."""
KINDS = tuple(name for name in bot_names() if name not in {*CHARACTERS, *SIMILAR, *SLOW})
"""The bots that differ in how they decide; others are the planner with other figures."""


@pytest.mark.parametrize("name", KINDS)
def test_a_bot_chooses_what_is_legal_and_says_why(name: str) -> None:
    state = start("18EU", ["Ana", "Ben", "Cleo"], seed=5)
    dice = Dice(5)
    for _ in range(200):
        decision = bot_named(name).choose(state, dice)
        assert decision.reason
        state = state.apply(decision.action).state


@pytest.mark.parametrize("name", KINDS)
def test_the_same_seed_gives_the_same_choices(name: str) -> None:
    one, two = (walk(Plan("18EU", 4, seed=6, bot=name), most=150).actions for _ in range(2))
    assert one == two
    assert one != walk(Plan("18EU", 4, seed=7, bot=name), most=150).actions


def test_an_unknown_bot_is_said_so() -> None:
    with pytest.raises(BadSetup, match="unknown bot 'hal'; there are: amateur, beginner, "):
        bot_named("hal")


@pytest.mark.parametrize("players", [2, 6])
def test_random_games_end_by_the_bank_and_pass_through_everything(players: int) -> None:
    game = walk(Plan("18EU", players, seed=16))
    assert game.last.ended == "bank"
    assert len(game) < 2500
    kinds = Counter(type(action) for action in game.actions)
    for kind in (act.StartCompany, act.MergeMinor, act.BuyTrain, act.Accept, act.PlaceToken):
        assert kinds[kind], kind.__name__
    assert any(isinstance(a, act.RunTrains) and a.extras for a in game.actions), "no Pullman ran"


def test_dice_follow_their_weights() -> None:
    dice = Dice(3)
    thrown = Counter(dice.pick([1, 0, 3]) for _ in range(4000))
    assert thrown[1] == 0
    assert 2700 < thrown[2] < 3300
    assert {Dice(4).below(6) for _ in range(10)} == {Dice(4).below(6)}
