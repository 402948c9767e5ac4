"""Conditional plans: a what-if line is played as long as everybody follows it."""

from __future__ import annotations

import pytest

from carril.engine.actions import Bid, Pass
from carril.programs import PassOn, say_reason
from carril.service.errors import NotFound, NotYourSeat, Unsuitable
from carril.service.games import Games
from carril.service.values import User
from tests.service.test_programs import (
    act,
    acting,
    crowd,
    idle,
    only,
    opened,
    play,
    reason,
)

__all__ = ["crowd", "idle"]


def planned(games: Games, crowd: dict[str, User]) -> tuple[str, str, str, str]:
    """A lot at 100. The first bidder plans: the next raises, the third passes, they bid 110."""
    game, first, second = opened(games, crowd)
    fork = games.fork(game, crowd[first], 2)
    for action in (Bid(105), Pass(), Bid(110)):
        here = games.position(game, fork=fork, user=crowd[first])
        games.act(game, crowd[first], action, here.head, fork=fork)
    return game, first, second, fork


def test_a_plan_is_played_when_everybody_follows_it(idle: Games, crowd: dict[str, User]) -> None:
    game, first, _, fork = planned(idle, crowd)
    made = idle.plan_line(game, crowd[first], fork)
    assert made.active
    play(idle, game)
    assert idle.info(game).head == 2
    act(idle, game, crowd, Bid(105))
    play(idle, game)
    assert idle.info(game).head == 3
    act(idle, game, crowd, Pass())
    play(idle, game)
    assert idle.log(game)[-1].action == Bid(110, by=first)
    assert idle.info(game).head == 5
    why = reason(idle, game, crowd[first])
    assert (why.code, why.facts) == ("plan-done", {"count": 1})


def test_a_plan_ends_at_the_first_deviation_and_says_which(
    idle: Games, crowd: dict[str, User]
) -> None:
    game, first, second, fork = planned(idle, crowd)
    idle.plan_line(game, crowd[first], fork)
    act(idle, game, crowd, Bid(110))
    play(idle, game)
    assert idle.info(game).head == 3
    why = reason(idle, game, crowd[first])
    assert why.code == "plan-left"
    assert say_reason(why) == (
        f"The plan expected “{second}: bid 105”, but action 3 was “{second}: bid 110”."
    )


def test_several_actions_of_others_and_mine_in_turn(idle: Games, crowd: dict[str, User]) -> None:
    game, first, second, fork = planned(idle, crowd)
    for action in (Bid(115), Bid(120)):
        here = idle.position(game, fork=fork, user=crowd[first])
        idle.act(game, crowd[first], action, here.head, fork=fork)
    idle.plan_line(game, crowd[first], fork)
    act(idle, game, crowd, Bid(105))
    act(idle, game, crowd, Pass())
    play(idle, game)
    assert acting(idle, game) == second
    act(idle, game, crowd, Pass())
    play(idle, game)
    assert reason(idle, game, crowd[first]).code == "plan-left"
    sold = [one for one in idle.log(game) if one.by == first]
    assert [one.action for one in sold][-1] == Bid(110, by=first)


def test_a_plan_can_be_given_while_the_game_follows_it(idle: Games, crowd: dict[str, User]) -> None:
    game, first, _, fork = planned(idle, crowd)
    act(idle, game, crowd, Bid(105))
    idle.plan_line(game, crowd[first], fork)
    act(idle, game, crowd, Pass())
    play(idle, game)
    assert idle.log(game)[-1].action == Bid(110, by=first)


def test_a_plan_that_the_game_has_left_is_refused(idle: Games, crowd: dict[str, User]) -> None:
    game, first, second, fork = planned(idle, crowd)
    act(idle, game, crowd, Bid(115))
    with pytest.raises(Unsuitable) as refused:
        idle.plan_line(game, crowd[first], fork)
    assert refused.value.name == "plan-behind"
    assert f"{second}: bid 115" in refused.value.message


def test_a_plan_without_an_action_of_mine_is_refused(idle: Games, crowd: dict[str, User]) -> None:
    game, first, _ = opened(idle, crowd)
    fork = idle.fork(game, crowd[first], 2)
    here = idle.position(game, fork=fork, user=crowd[first])
    idle.act(game, crowd[first], Bid(105), here.head, fork=fork)
    with pytest.raises(Unsuitable) as refused:
        idle.plan_line(game, crowd[first], fork)
    assert refused.value.name == "plan-empty"


def test_a_line_of_somebody_else_cannot_be_planned(idle: Games, crowd: dict[str, User]) -> None:
    game, first, second, fork = planned(idle, crowd)
    with pytest.raises(NotFound):
        idle.plan_line(game, crowd[second], fork)
    idle.leave(game, crowd[first])
    with pytest.raises(NotYourSeat):
        idle.plan_line(game, crowd[first], fork)


def test_an_undo_within_the_line_leaves_the_plan_and_one_before_it_ends_it(
    idle: Games, crowd: dict[str, User]
) -> None:
    game, first, second, fork = planned(idle, crowd)
    idle.plan_line(game, crowd[first], fork)
    act(idle, game, crowd, Bid(105))
    play(idle, game)
    _undo(idle, game, crowd, second, 2)
    play(idle, game)
    assert only(idle, game, crowd[first]).active
    act(idle, game, crowd, Bid(105))
    act(idle, game, crowd, Pass())
    play(idle, game)
    assert idle.log(game)[-1].action == Bid(110, by=first)


def test_an_undo_before_the_line_ends_the_plan(idle: Games, crowd: dict[str, User]) -> None:
    game, first, _, fork = planned(idle, crowd)
    idle.plan_line(game, crowd[first], fork)
    _undo(idle, game, crowd, first, 1)
    act(idle, game, crowd, Bid(100))
    act(idle, game, crowd, Bid(105))
    play(idle, game)
    assert reason(idle, game, crowd[first]).code == "undone"


def test_a_plan_goes_before_other_programs(idle: Games, crowd: dict[str, User]) -> None:
    game, first, _, fork = planned(idle, crowd)
    idle.give_program(game, crowd[first], PassOn())
    idle.plan_line(game, crowd[first], fork)
    act(idle, game, crowd, Bid(105))
    act(idle, game, crowd, Pass())
    assert acting(idle, game) == first
    play(idle, game)
    assert Bid(110, by=first) in [one.action for one in idle.log(game)]


def _undo(games: Games, game: str, crowd: dict[str, User], name: str, to: int) -> None:
    request = games.undo(game, crowd[name], to).request
    assert request
    for other in crowd:
        if other != name:
            games.answer(game, crowd[other], request.id, True)
