"""The page of every title: each option has a control, each control is an option or says why not.

A new title inherits these tests by being registered.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import pytest

from carril.bots import bot_named
from carril.engine.actions import Action, LayTile, Option, Range, any_of
from carril.engine.registry import title_named, title_names
from carril.engine.state import State
from carril.engine.step import Step
from carril.notation.text import write
from carril.page.option_cache import options_of
from carril.page.panels.plain import plain
from carril.page.view import scene_of
from carril.page.words import Words, catalogue
from tests.contract.page_controls import (
    Controls,
    controls_of,
    look_at,
    panel_html,
    same_rotations,
)
from tests.contract.walk import Plan

EACH = 2
"""Positions of a game that are looked at for each step and set of possible actions."""


def plans(title: str) -> Iterator[Plan]:
    """Yield a game of every set-up, the editions in turn, and one of every other convention."""
    known = title_named(title)
    editions = cycle(known.editions or ("",))
    for seed, (setup, edition) in enumerate(zip(known.tables.setups, editions, strict=False), 1):
        yield Plan(title, setup.players, seed, variants=setup.variants, edition=edition)
    setup = known.tables.setups[:2][-1]
    for preset in known.conventions:
        if preset != "rulebook":
            yield Plan(title, setup.players, 3, variants=setup.variants, conventions=preset)


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a missing sentence an error; the page would show its key."""
    say = Words.say

    def checked(self: Words, key: str, **facts: Any) -> str:
        assert key in catalogue("en"), key
        return say(self, key, **facts)

    monkeypatch.setattr(Words, "say", checked)


def positions(plan: Plan) -> Iterator[State]:
    """Yield some positions of a game of bots, of every sort that comes up."""
    state, dice, bot = plan.begin().last, plan.dice(), bot_named(plan.bot)
    seen: Counter[tuple[object, ...]] = Counter()
    while not state.finished:
        actions = (o.action if isinstance(o, Range) else o for o in options_of(state))
        sort = (type(state.step), frozenset(type(action) for action in actions))
        seen[sort] += 1
        if seen[sort] <= EACH:
            yield state
        state = state.apply(bot.choose(state, dice).action).state


def _among(options: tuple[Option, ...], action: Action) -> bool:
    """Return whether an action is one of the options, or an amount of one."""
    return any(
        option.holds(getattr(action, option.field, option.least - 1))
        and option.at(getattr(action, option.field)) == action
        if isinstance(option, Range)
        else option == action
        for option in options
    )


def _check_controls(state: State, controls: Controls, by_the_book: bool) -> None:
    """Check the controls of the acting player against the options."""
    options = options_of(state)
    for option in options:
        action = option.action if isinstance(option, Range) else option
        alike: list[Option] = [option]
        if isinstance(option, LayTile):
            alike += same_rotations(state, option)
        assert any(map(controls.offers, alike)), f"no control for {write(action)}"
    for action in controls.sent():
        # A convention of another program may let more through than it would ever offer.
        legal = _among(options, action) if by_the_book else state.refusal(action) is None
        assert legal, f"{write(action)} is no option"
    for box in controls.disabled:
        assert controls.explained.get(box), f"a disabled button without a reason: {box}"


def _check_plain(state: State) -> None:
    """Check that a step without a panel of its own could still be played."""
    model = plain(scene_of(look_at(state))).model
    lays = [option for option in options_of(state) if isinstance(option, LayTile)]
    assert len(model["choices"]) + len(model["amounts"]) == len(options_of(state)) - len(lays)
    assert {lay.hex for lay in lays} == {one["id"] for one in model["hexes"]}


def _own_steps(title: str) -> set[type[Step]]:
    """Return the kinds of decisions that are defined in a title's package."""
    package = title_named(title).tables.package
    kinds: tuple[type[Step], ...] = any_of(Step).__args__
    return {kind for kind in kinds if kind.allows and kind.__module__.startswith(f"{package}.")}


@pytest.mark.parametrize("title", title_names())
def test_each_option_has_a_control_and_each_control_is_an_option(title: str) -> None:
    reached: set[type[Step]] = set()
    for plan in plans(title):
        for state in positions(plan):
            reached.add(type(state.step))
            try:
                _check_controls(state, controls_of(state), plan.conventions == "rulebook")
                _check_plain(state)
                watched = Controls(panel_html(look_at(state, mine=False)))
                assert not [*watched.sent(), *watched.disabled], "a spectator has controls"
            except AssertionError as error:
                where = f"{plan}, {state.round}, {state.step}"
                raise AssertionError(f"{where}: {error}") from error
    assert _own_steps(title) <= reached, "these games do not reach every step of the title"


def test_a_missing_control_is_noticed() -> None:
    state = next(positions(next(plans(title_names()[0]))))
    controls = controls_of(state)
    option = options_of(state)[0]
    assert controls.offers(option)
    controls.buttons.clear()
    controls.forms.clear()
    assert not controls.offers(option)
