"""The bot of the manual is complete, short, and plays every title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carril import bots
from carril.bots import bot_named
from carril.engine.registry import title_named, title_names
from tests.contract.walk import Plan, walk

MANUAL = (Path(__file__).parents[2] / "docs" / "bots.md").read_text("utf-8")
PROGRAMS = re.findall(r"```python\n(.*?)```", MANUAL, re.DOTALL)


@pytest.fixture(autouse=True)
def bot() -> Iterator[str]:
    """Register the bot of the manual, for one test."""
    before = dict(bots._BOTS)
    names: dict[str, Any] = {}
    exec(compile(PROGRAMS[0], "docs/bots.md", "exec"), names)
    yield next(name for name in bots.bot_names() if name not in before)
    bots._BOTS.clear()
    bots._BOTS.update(before)


def test_a_complete_bot_has_under_40_lines() -> None:
    assert len(PROGRAMS[0].strip().splitlines()) < 40


@pytest.mark.parametrize("title", title_names())
def test_the_bot_plays_every_title(title: str, bot: str) -> None:
    setup = title_named(title).tables.setups[0]
    plan = Plan(title, setup.players, seed=3, bot=bot, variants=setup.variants)
    game = walk(plan, most=120)
    assert len(game) == 120 or game.last.finished
    assert bot_named(bot).choose(plan.begin().last, plan.dice()).reason


def test_the_example_game_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PROGRAMS[1], "docs/bots.md", "exec"), {})
    assert re.match(r"\w+.* \{'Ana': \d+, 'Ben': \d+\}", capsys.readouterr().out)


def test_the_example_of_ranked_choices_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PROGRAMS[2], "docs/bots.md", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 3
