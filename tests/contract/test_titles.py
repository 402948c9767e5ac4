"""The contract of every title. A new title inherits these tests by being registered."""

from __future__ import annotations

from pathlib import Path

import pytest

import carril
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.notation.position import digest
from carril.notation.save import load, save
from tests.contract.walk import NAMES, Depth, Plan, walk

COUNTS = [
    (title, int(count))
    for title in title_names()
    for count in title_named(title).tables.setup["players"]
]
PRESETS = [(title, preset) for title in title_names() for preset in title_named(title).conventions]
VARIANTS = [(title, tuple(title_named(title).tables.setup["variants"])) for title in title_names()]
SHORT = 250


@pytest.mark.parametrize(("title", "players"), COUNTS)
def test_a_whole_random_game_keeps_every_invariant(title: str, players: int) -> None:
    game = walk(Plan(title, players, seed=3), depth=Depth(applied=1, texts=1, probed=1))
    assert game.last.finished


@pytest.mark.parametrize(("title", "players"), COUNTS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_opening_is_held_to_the_contract_in_depth(title: str, players: int, seed: int) -> None:
    walk(Plan(title, players, seed, bot="careless"), most=SHORT, depth=Depth())


@pytest.mark.parametrize(("title", "preset"), PRESETS)
def test_every_convention_keeps_the_invariants(title: str, preset: str) -> None:
    fewest = min(players for name, players in COUNTS if name == title)
    plan = Plan(title, fewest + 1, seed=5, conventions=preset)
    walk(plan, most=2 * SHORT, depth=Depth(applied=1, texts=1, probed=1))


@pytest.mark.parametrize(("title", "variants"), VARIANTS)
def test_all_variants_together_keep_the_invariants(title: str, variants: tuple[str, ...]) -> None:
    players = max(count for name, count in COUNTS if name == title)
    plan = Plan(title, players, seed=4, variants=variants)
    walk(plan, most=2 * SHORT, depth=Depth(applied=1, texts=1, probed=1))


@pytest.mark.parametrize("title", title_names())
def test_the_same_seed_gives_the_same_game_and_another_seed_another(title: str) -> None:
    players = COUNTS[0][1] + 1
    one, two = (walk(Plan(title, players, seed=8), most=SHORT) for _ in range(2))
    other = walk(Plan(title, players, seed=9), most=SHORT)
    assert one.actions == two.actions
    assert digest(one.last) == digest(two.last)
    assert one.actions != other.actions


@pytest.mark.parametrize("title", title_names())
def test_undo_is_the_earlier_value_and_play_can_go_another_way(title: str) -> None:
    game = walk(Plan(title, COUNTS[0][1], seed=2), most=SHORT)
    marks = {number: digest(game.position(number)) for number in range(0, SHORT, 50)}
    actions = game.actions
    for number in sorted(marks, reverse=True):
        while len(game) > number:
            game.undo()
        assert digest(game.last) == marks[number]
    for action in actions:
        game.add(action)
    assert all(digest(game.position(number)) == mark for number, mark in marks.items())


@pytest.mark.parametrize("title", title_names())
@pytest.mark.parametrize("name", ["game.json", "game.json.gz"])
def test_a_saved_game_loads_as_the_same_game(title: str, name: str, tmp_path: Path) -> None:
    game = walk(Plan(title, COUNTS[0][1] + 2, seed=6), most=SHORT)
    save(game, tmp_path / name)
    again = load(tmp_path / name)
    assert again.actions == game.actions
    assert again.last == game.last
    assert again.setup == game.setup


@pytest.mark.parametrize("title", title_names())
def test_a_wrong_number_of_players_is_refused(title: str) -> None:
    counts = [players for name, players in COUNTS if name == title]
    for players in (0, min(counts) - 1, max(counts) + 1):
        with pytest.raises(BadSetup, match=f"not {players}"):
            carril.start(title, NAMES[:players])


@pytest.mark.parametrize("title", title_names())
def test_nothing_can_be_done_after_the_end(title: str) -> None:
    game = walk(Plan(title, COUNTS[0][1], seed=2))
    assert game.last.finished
    refusal = game.last.refusal(game.actions[-1])
    assert refusal is not None
    assert refusal.code == "game-over"
