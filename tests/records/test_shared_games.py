"""Recorded games that are not part of the project, held to their traces line by line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from carril.cli import app
from carril.engine.registry import title_named, title_names
from carril.notation.files import open_record
from carril.notation.online import OnlineRecord
from tests.records import trace_of

GAMES = Path(__file__).resolve().parents[3] / "shared" / "games"
FILES = sorted(path for path in GAMES.glob("*/*.json*") if ".trace." not in path.name)

AMBIGUOUS = {"made_3p_seed2206": ["CFEA: a recorded run of 50 and 0 is worth 40 and 20"]}
"""Runs whose stored connections have two readings, of which the recorded value is the other."""

needs_games = pytest.mark.skipif(not FILES, reason="the folder shared/games is not here")


@needs_games
def test_every_title_that_reads_records_has_some() -> None:
    readable = {title for title in title_names() if title_named(title).online}
    assert {path.parent.name for path in FILES} == readable


@needs_games
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_the_record_replays_as_its_trace_says(path: Path) -> None:
    """Every line of the trace, by the command itself."""
    result = CliRunner().invoke(app, ["replay", str(path), "--check", str(trace_of(path))])
    assert (result.exit_code, result.stderr) == (0, "")


@needs_games
@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_nothing_is_filled_in_and_the_result_is_the_recorded_one(path: Path) -> None:
    record = open_record(path)
    assert isinstance(record, OnlineRecord)
    assert record.playable() == len(record)
    assert record.replay.reader.fillers == 0
    assert record.replay.findings == AMBIGUOUS.get(path.name.partition(".")[0], [])
    ids = dict(zip(record.names, record.ids, strict=True))
    found = {str(ids[name]): worth for name, worth in (record.last.result or {}).items()}
    assert found == record.claimed
