"""`carril check`: what it prints, and how it fails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from carril.cli import app, wall
from carril.notation.ledger import Ledger


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(app, ["check", *map(str, words)])


@pytest.mark.parametrize("command", ["records", "ledger"])
def test_games_are_counted(command: str) -> None:
    result = run(command, "--title", "18eu", "--actions", "1")
    assert result.exit_code == 0, result.output
    assert "18EU" in result.output
    assert result.output.split()[-1] == "0"


def test_a_difference_is_one_line_and_status_1(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Ledger, "difference", lambda self, state: "cash: bank 1, not 2")
    result = run("ledger", "--title", "18EU", "--seed", "7", "--actions", "1")
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith("carril: 18EU, 2 players, seed 7: action 1 (")
    assert line.endswith("cash: bank 1, not 2")


def test_an_error_in_a_game_is_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(plan: wall.Plan) -> wall.Outcome:
        raise AssertionError("two\nlines")

    monkeypatch.setattr(wall, "ledger_outcome", broken)
    result = run("ledger", "--title", "18EU", "--actions", "1")
    assert result.exit_code == 1
    assert "AssertionError: two lines" in result.stderr.splitlines()[0]


def test_a_log_is_continued(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    for wanted in (1, 2):
        assert run("ledger", "--title", "18EU", "--actions", "1", "--log", log).exit_code == 0
        assert len(log.read_text().splitlines()) == wanted
    plans = [one.plan for one in wall.Log(log).outcomes]
    assert plans[0] != plans[1]


def test_an_unknown_check_is_named() -> None:
    result = run("wheels")
    assert result.exit_code == 2
    assert result.stderr == (
        "carril: nothing to check called 'wheels'; there is: records, ledger\n"
    )
