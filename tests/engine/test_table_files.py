"""A mistake in a table is named with its file."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from carril.engine.figures import Figures
from carril.engine.refusals import BadSetup
from carril.engine.tables import load_tables
from tests.toy.title import ToyFigures

TOY = Path(__file__).resolve().parents[1] / "toy"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the tables of 18Toy that can be imported as "copied"."""
    shutil.copytree(TOY, tmp_path / "copied")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "copied", raising=False)
    return tmp_path / "copied"


@pytest.mark.parametrize(
    ("name", "old", "new", "message"),
    [
        ("trains", "price = 80", 'price = "80"', "Expected `int`, got `str` - at `$[0].price`"),
        ("phases", "phase = [", "phases = [", "'phase' is missing or unknown"),
        ("map", 'at = "A1"', 'on = "A1"', "'at' is missing or unknown"),
        ("tiles", "tile = [", "tile = {", "Invalid"),
        ("setup", "last_set", "last_sett", "Object contains unknown field `last_sett`"),
        ("companies", "tokens = 2", "tokens = true", "Expected `int`, got `bool`"),
    ],
)
def test_the_file_is_named(package: Path, name: str, old: str, new: str, message: str) -> None:
    path = package / f"{name}.toml"
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    with pytest.raises(BadSetup) as failed:
        load_tables("copied", ToyFigures)
    assert str(failed.value).startswith(f"copied/{name}.toml: ")
    assert message in str(failed.value)


def test_a_missing_file_is_named(package: Path) -> None:
    (package / "market.toml").unlink()
    with pytest.raises(BadSetup, match=r"copied/market\.toml: there is no such file"):
        load_tables("copied", ToyFigures)


def test_a_figure_that_no_rule_reads_is_refused(package: Path) -> None:
    with pytest.raises(BadSetup, match=r"copied/setup\.toml: .*unknown field `last_set`"):
        load_tables("copied", Figures)
