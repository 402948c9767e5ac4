"""The contract of every title. A new title inherits these tests by being registered."""

from __future__ import annotations

from pathlib import Path

import pytest

import carril
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.engine.setups import optional_variants, player_counts
from carril.notation.position import digest
from carril.notation.save import load, save
from tests.contract.walk import NAMES, Depth, Plan, walk

SETUPS = [
    (title, setup.players, setup.variants)
    for title in title_names()
    for setup in title_named(title).tables.setups
]
FIRST = {title: title_named(title).tables.setups[0] for title in title_names()}
PRESETS = [(title, preset) for title in title_names() for preset in title_named(title).conventions]
SHORT = 250


def first_plan(title: str, seed: int) -> Plan:
    """Return a game of a title's first set-up."""
    return Plan(title, FIRST[title].players, seed, variants=FIRST[title].variants)


@pytest.mark.parametrize(("title", "players", "variants"), SETUPS)
def test_a_whole_random_game_keeps_every_invariant(
    title: str, players: int, variants: tuple[str, ...]
) -> None:
    plan = Plan(title, players, seed=3, variants=variants)
    game = walk(plan, depth=Depth(applied=1, texts=1, probed=1))
    assert game.last.finished


@pytest.mark.parametrize(("title", "players", "variants"), SETUPS)
@pytest.mark.parametrize("seed", [1, 2])
def test_the_opening_is_held_to_the_contract_in_depth(
    title: str, players: int, variants: tuple[str, ...], seed: int
) -> None:
    plan = Plan(title, players, seed, bot="careless", variants=variants)
    walk(plan, most=SHORT, depth=Depth())


@pytest.mark.parametrize(("title", "preset"), PRESETS)
def test_every_convention_keeps_the_invariants(title: str, preset: str) -> None:
    setup = title_named(title).tables.setups[1:2] or (FIRST[title],)
    plan = Plan(title, setup[0].players, seed=5, variants=setup[0].variants, conventions=preset)
    walk(plan, most=2 * SHORT, depth=Depth(applied=1, texts=1, probed=1))


@pytest.mark.parametrize("title", title_names())
def test_all_optional_variants_together_keep_the_invariants(title: str) -> None:
    found = title_named(title)
    setup = max(found.tables.setups, key=lambda setup: setup.players)
    optional = optional_variants(found, setup.players)
    plan = Plan(title, setup.players, seed=4, variants=(*setup.variants, *optional))
    walk(plan, most=2 * SHORT, depth=Depth(applied=1, texts=1, probed=1))


@pytest.mark.parametrize("title", title_names())
def test_the_same_seed_gives_the_same_game_and_another_seed_another(title: str) -> None:
    players, variants = FIRST[title].players, FIRST[title].variants
    plans = [Plan(title, players, seed=seed, variants=variants) for seed in (8, 8, 9)]
    one, two, other = (walk(plan, most=SHORT) for plan in plans)
    assert one.actions == two.actions
    assert digest(one.last) == digest(two.last)
    assert one.actions != other.actions


@pytest.mark.parametrize("title", title_names())
def test_undo_is_the_earlier_value_and_play_can_go_another_way(title: str) -> None:
    game = walk(first_plan(title, seed=2), most=SHORT)
    marks = {number: digest(game.position(number)) for number in range(0, len(game), 50)}
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
    game = walk(first_plan(title, seed=6), most=SHORT)
    save(game, tmp_path / name)
    again = load(tmp_path / name)
    assert again.actions == game.actions
    assert again.last == game.last
    assert again.setup == game.setup


@pytest.mark.parametrize("title", title_names())
def test_a_wrong_number_of_players_is_refused(title: str) -> None:
    counts = player_counts(title_named(title))
    for players in (0, min(counts) - 1, max(counts) + 1):
        with pytest.raises(BadSetup, match=f"not {players}"):
            carril.start(title, NAMES[:players])


@pytest.mark.parametrize("title", title_names())
def test_nothing_can_be_done_after_the_end(title: str) -> None:
    game = walk(first_plan(title, seed=2))
    assert game.last.finished
    refusal = game.last.refusal(game.actions[-1])
    assert refusal is not None
    assert refusal.code == "game-over"
