"""Games written as files of 18xx.games: their form, and that they read back as the same game."""

from __future__ import annotations

from typing import Any

import pytest

from carril.bots import Dice, bot_named
from carril.cli.wall import Plan, plans
from carril.engine.actions import Bid, ChooseLot, Pass
from carril.notation.written import WrittenGame, first_difference

SAMPLE = list(plans(("18EU", "18ESP"), 1, 1, editions=False))


def played(plan: Plan, most: int) -> WrittenGame:
    """Return the beginning of a game of bots."""
    game, dice = WrittenGame(plan.title, plan.names, plan.seed, plan.variants), plan.dice()
    while game.played < most and not game.state.finished:
        action = plan.bot.choose(game.state, dice).action
        if game.can_play(action):
            game.play(action)
    return game


@pytest.mark.parametrize("plan", SAMPLE, ids=str)
def test_a_game_reads_back_as_it_was_played(plan: Plan) -> None:
    game = played(plan, 300)
    assert len(game.actions) > 200
    assert game.difference() == ""


def test_a_changed_record_is_noticed() -> None:
    game = played(SAMPLE[0], 250)
    bought = next(one for one in game.actions if one["type"] == "buy_train")
    bought["price"] += 1
    place = game.actions.index(bought) + 1
    assert game.difference().startswith(f"recorded action {place} (buy_train of ")


def test_a_file_names_things_as_18xx_games_does() -> None:
    actions = played(SAMPLE[0], 400).actions
    kinds: dict[str, dict[str, Any]] = {}
    for action in actions:
        if action["type"] != "run_routes" or action["routes"]:
            kinds.setdefault(action["type"], action)
    assert kinds["bid"]["entity"] in (101, 102)
    assert kinds["lay_tile"]["tile"].rpartition("-")[2].isdigit()
    assert kinds["par"]["share_price"].count(",") == 2
    assert kinds["buy_shares"]["shares"][0].partition("_")[2].isdigit()
    assert kinds["place_token"]["city"].count("-") == 2
    entry = kinds["run_routes"]["routes"][0]
    assert entry["connections"][0][0] == entry["hexes"][0]
    assert entry["connections"][-1][-1] == entry["hexes"][-1]
    assert [node.rpartition("-")[0] for node in entry["nodes"]] == entry["hexes"]


def test_choosing_a_lot_is_recorded_with_opening_or_declining() -> None:
    game = WrittenGame("18EU", ("Ana", "Ben"), 1)
    game.play(ChooseLot("3"))
    assert game.actions == []
    game.play(Pass())
    first = {"id": 1, "type": "bid", "entity": 101, "entity_type": "player"}
    assert game.actions == [first | {"minor": "3", "price": 0}]
    other = WrittenGame("18EU", ("Ana", "Ben"), 1)
    other.play(ChooseLot("3"))
    other.play(Bid(110))
    assert other.actions == [first | {"minor": "3", "price": 110}]


def test_the_first_difference_names_the_place() -> None:
    one, two = WrittenGame("18EU", ("Ana", "Ben"), 1), WrittenGame("18EU", ("Ana", "Ben"), 1)
    dice, bot = Dice(1), bot_named("random")
    while one.state.players["Ana"].cash == two.state.players["Ana"].cash:
        one.play(bot.choose(one.state, dice).action)
    mine, other = one.state.players["Ana"].cash, two.state.players["Ana"].cash
    found = first_difference(one.state, two.state)
    assert found == f"players Ana cash: {mine} played, {other} read"
