"""Perft: the counts on file hold, to the depth that is quick; `carril perft` checks them all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

import carril
from carril.cli import app
from carril.engine.actions import Bid, ChooseLot
from carril.engine.play import adjourn
from carril.engine.refusals import BadRecord
from carril.engine.registry import title_named, title_names
from carril.engine.setups import player_counts
from carril.notation.perft import decisions, options_digest, perft
from carril.notation.perft_files import (
    Counted,
    CountedGame,
    counts_text,
    differences,
    read_counts,
    recounted,
)

FOLDER = Path(__file__).parent
FILES = [*sorted(FOLDER.glob("*.toml")), FOLDER.parent / "toy" / "perft.toml"]
GAMES = [
    pytest.param(game, id=f"{game.title}-{path.stem}-{number}")
    for path in FILES
    for number, game in enumerate(read_counts(path))
]
QUICK = 2
OPENING = CountedGame("18EU", ("Ana", "Ben", "Cleo"), 1, (Counted(0, "opening"),))


@pytest.mark.parametrize("game", GAMES)
def test_the_counts_on_file_hold(game: CountedGame) -> None:
    found = list(differences(game, QUICK))
    assert [difference for _, difference in found if difference] == []
    assert len(found) == len(game.position) > 0


@pytest.mark.parametrize("title", title_names())
def test_every_set_up_of_every_title_is_counted(title: str) -> None:
    found = title_named(title)
    games = [game for path in FILES for game in read_counts(path) if game.title == title]
    assert {game.edition for game in games} >= set(found.editions)
    assert {game.conventions for game in games} == set(found.conventions)
    for edition in found.editions or ("",):
        of_edition = [game for game in games if game.edition == edition]
        counts = {len(game.players) for game in of_edition}
        assert counts == set(player_counts(found))
        variants = {variant for game in of_edition for variant in game.variants}
        assert variants == set(found.tables.variants)


def test_a_range_counts_as_its_least_and_its_greatest_amount() -> None:
    # 18EU, three players with 450: an opening bid is 100 to 450 in steps of 5, or none (rule 4.2).
    state = carril.start("18EU", ["Ana", "Ben", "Cleo"], seed=1).apply(ChooseLot("1")).state
    amounts = [action.amount for action in decisions(state) if isinstance(action, Bid)]
    assert amounts == [100, 450]
    assert perft(state, 1) == len(decisions(state)) == 3


def test_perft_is_the_sum_over_the_next_positions() -> None:
    state = carril.start("18EU", ["Ana", "Ben"], seed=4).apply(ChooseLot("7")).state
    below = [perft(state.apply(action).state, 2) for action in decisions(state)]
    assert perft(state, 3) == sum(below)
    assert perft(state, 0) == 1


def test_a_game_that_is_over_has_no_sequences() -> None:
    state = carril.start("18EU", ["Ana", "Ben"], seed=4)
    over = adjourn(state).state
    assert [perft(over, depth) for depth in (1, 2)] == [0, 0]


def test_the_fingerprint_differs_when_what_an_option_does_differs() -> None:
    names = ["Ana", "Ben", "Cleo"]
    one, two = (carril.start("18EU", names, 1, variants=some) for some in ((), ("extra-3",)))
    assert one.options() == two.options()
    assert options_digest(one) != options_digest(two)


def test_counts_are_written_and_read_back(tmp_path: Path) -> None:
    passed = replace(OPENING, actions="choose 3\npass\n", position=(Counted(2, "after a pass"),))
    games = (recounted(OPENING, 2), recounted(passed, 3))
    path = tmp_path / "counts.toml"
    path.write_text(counts_text(games), "utf-8")
    assert read_counts(path) == games
    assert games[0].position[0].counts == (15, 45)


def test_the_command_checks_a_folder_and_counts_again(tmp_path: Path) -> None:
    path = tmp_path / "counts.toml"
    path.write_text(counts_text([OPENING]), "utf-8")
    written = CliRunner().invoke(app, ["perft", "--write", "--depth", "2", str(tmp_path)])
    assert written.exit_code == 0
    checked = CliRunner().invoke(app, ["perft", str(tmp_path)])
    assert (checked.exit_code, checked.stdout) == (0, "1 positions counted, 0 of them differ\n")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"counts": (15, 46)}, "depth 2: 45 sequences, expected 46"),
        ({"options": "0123456789abcdef"}, "the options differ"),
    ],
)
def test_a_difference_is_one_line_and_exit_1(
    changed: dict[str, Any], said: str, tmp_path: Path
) -> None:
    right = recounted(OPENING, 2)
    wrong = replace(right, position=(replace(right.position[0], **changed),))
    path = tmp_path / "counts.toml"
    path.write_text(counts_text([wrong]), "utf-8")
    result = CliRunner().invoke(app, ["perft", str(path)])
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    assert f"18EU, 3 players, seed 1, after 0 (opening): {said}" in result.stderr


def test_what_is_no_file_of_counts_is_one_line_and_exit_2(tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["perft", str(tmp_path)]).exit_code == 2
    bad = tmp_path / "bad.toml"
    bad.write_text("game = 3\n", "utf-8")
    result = CliRunner().invoke(app, ["perft", str(bad)])
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1


def test_a_position_that_cannot_be_reached_is_a_difference() -> None:
    positions = tuple(Counted(after, "any", (3,) if after == 1 else ()) for after in (1, 3, 4))
    game = replace(OPENING, actions="choose 3\npass\nchoose 5\npass\n", position=positions)
    (first, fine), (second, why) = differences(game)
    assert (first.after, fine) == (1, "")
    assert second.after == 3
    assert why.startswith("not reached: action 3 (choose 5): ")


def test_a_position_after_the_last_action_is_a_mistake() -> None:
    game = replace(OPENING, actions="choose 3\n", position=(Counted(2, "too far"),))
    with pytest.raises(BadRecord, match="there are 1 actions, not 2"):
        recounted(game)
