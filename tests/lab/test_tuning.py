"""Tuning: repeatable, resumable, and only better parameters are kept."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from carril.bots.planner.params import OWN_TABLE, Params, characters
from carril.engine.refusals import BadSetup
from carril.lab.arena import Match, Played
from carril.lab.tuning import (
    TUNED,
    Settings,
    Study,
    advantage,
    as_table,
    continued,
    tuned,
)

SETTINGS = Settings("18EU", games=2, seed=4)


def wants_small_reserve(params: Params, settings: Settings) -> float:
    return -abs(params.reserve - 0.2)


def last(study: Study, trials: int, path: Path) -> Study:
    return list(tuned(study, trials, path, wants_small_reserve))[-1]


def test_the_first_trial_is_the_planner_as_it_is(tmp_path: Path) -> None:
    study = last(Study(SETTINGS), 1, tmp_path / "study.json")
    assert study.trials[0].params == characters()[OWN_TABLE]


def test_trials_find_better_parameters_and_say_how(tmp_path: Path) -> None:
    study = last(Study(SETTINGS), 40, tmp_path / "study.json")
    assert study.best.score > study.trials[0].score
    assert SETTINGS.command in study.best.params.made_by
    table = tomllib.loads(as_table(study.best))[OWN_TABLE]
    assert table["reserve"] == study.best.params.reserve


def test_an_interrupted_study_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    whole = last(Study(SETTINGS), 12, tmp_path / "whole.json")
    path = tmp_path / "parts.json"
    last(Study(SETTINGS), 5, path)
    assert last(continued(path, SETTINGS), 12, path) == whole


def test_the_file_of_another_study_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.json"
    last(Study(SETTINGS), 1, path)
    with pytest.raises(BadSetup, match="is another study: carril tune 18EU"):
        continued(path, Settings("18EU", games=3, seed=4))
    path.write_text("[]")
    with pytest.raises(BadSetup, match="is not a study"):
        continued(path, SETTINGS)


def test_the_score_is_the_part_of_the_worth_above_the_part_of_the_seats() -> None:
    match = Match(1, "18EU", (TUNED, "greedy"), 1)
    game = Played(match, (300, 100), (1, 2), (1.0, 0.0), 10, "bank", "OR 1.1")
    assert advantage([game]) == pytest.approx(0.25)
