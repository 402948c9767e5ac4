"""The save file: nothing is lost, and what is damaged is said in one line."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pytest

from carril import start
from carril.engine.actions import Bid
from carril.engine.refusals import BadRecord, IllegalAction
from carril.engine.registry import title_names
from carril.notation.files import open_record
from carril.notation.save import DamagedRecord, Game, _next_link, load, save, to_text
from carril.notation.text import parse, write
from carril.titles.eu.conventions import EUConventions
from tests.contract.walk import Plan, walk

GAME = walk(Plan("18EU", 3, seed=31, variants=("extra-4",)), most=60)
TEXT = to_text(GAME)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "game.json"


def failure(path: Path, text: str | bytes) -> DamagedRecord | BadRecord:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    with pytest.raises(BadRecord) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    return caught.value


def kept(error: BadRecord) -> Game:
    assert isinstance(error, DamagedRecord)
    assert error.record is not None
    return error.record


def changed(**fields: Any) -> str:
    return json.dumps({**json.loads(TEXT), **fields})


@pytest.mark.parametrize("name", ["game.json", "game.json.gz"])
def test_a_game_loads_as_it_was_saved(tmp_path: Path, name: str) -> None:
    save(GAME, tmp_path / name)
    again = load(tmp_path / name)
    assert (again.setup, again.actions, again.last) == (GAME.setup, GAME.actions, GAME.last)
    assert open_record(tmp_path / name).players == GAME.players


def test_the_file_can_be_read_without_the_program() -> None:
    values = json.loads(TEXT)
    assert values["title"] == "18EU"
    assert values["variants"] == ["extra-4"]
    assert values["conventions"] == "rulebook"
    texts = [text for text, _ in values["actions"]]
    assert [parse(text) for text in texts] == list(GAME.actions)
    assert TEXT.count("\n") == len(GAME) + 15


def test_conventions_that_are_no_preset_are_kept_field_by_field(path: Path) -> None:
    own = EUConventions(price_after_200=225)
    save(Game(start("18EU", ["Ana", "Ben"], conventions=own)), path)
    assert load(path).setup.conventions == own


def test_writing_is_all_or_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save(GAME, path)

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        save(Game.begin("18EU", ["Ana", "Ben"]), path)
    assert load(path).actions == GAME.actions
    assert [file.name for file in path.parent.iterdir()] == ["game.json"]


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(BadRecord, match=r"none\.json: no such file$"):
        load(tmp_path / "none.json")
    with pytest.raises(BadRecord, match="a folder, not a file"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("hello", "not JSON"),
        (b"\xff\xfe\x00\x01" * 9, "not JSON (not even text)"),
        ("", "the file is empty"),
        ("[1, 2]", "not a save file of Carril"),
        ('{"title": "18EU"}', "not a save file of Carril"),
        (b"\x1f\x8b\x08rubbish that is no gzip file", "the gzip file is damaged"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_what_is_no_save_file(path: Path, data: str | bytes, message: str) -> None:
    assert str(failure(path, data)) == f"{path}: {message}"


@pytest.mark.parametrize("actions", [0, 1, 17, 59])
def test_a_file_that_is_cut_off_gives_back_what_it_has(path: Path, actions: int) -> None:
    lines = TEXT.split("\n")
    first = lines.index('"actions": [') + 1
    cut = "\n".join(lines[: first + actions]) + "\n" + lines[first + actions][:12]
    error = failure(path, cut)
    assert str(error) == f"{path}: the file is cut off, after action {actions}"
    assert kept(error).actions == GAME.actions[:actions]
    assert kept(error).last == GAME.position(actions)


@pytest.mark.parametrize("size", [1, 30, 200])
def test_a_file_that_is_cut_off_in_its_head(path: Path, size: int) -> None:
    assert "the file is cut off" in str(failure(path, TEXT[:size]))


def test_a_gzipped_file_that_is_cut_off_gives_back_what_it_has(path: Path) -> None:
    data = gzip.compress(TEXT.encode())
    error = failure(path, data[: len(data) * 2 // 3])
    assert "the file is cut off" in str(error)
    assert 0 < len(kept(error)) < len(GAME)


@pytest.mark.parametrize("number", [1, 17, 60])
def test_a_changed_action_is_found_and_what_is_before_it_kept(path: Path, number: int) -> None:
    rows = json.loads(TEXT)["actions"]
    rows[number - 1][0] = "Ana: bid 999"
    error = failure(path, changed(actions=rows))
    assert f"hash chain broken at action {number} (Ana: bid 999)" in str(error)
    assert kept(error).actions == GAME.actions[: number - 1]


def test_a_missing_action_is_found(path: Path) -> None:
    rows = json.loads(TEXT)["actions"]
    assert "hash chain broken at action 5 " in str(
        failure(path, changed(actions=rows[:4] + rows[5:]))
    )
    error = failure(path, changed(actions=rows[:-1]))
    assert "the position after action 59 is not the one that was saved" in str(error)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"title": "18XX"}, f"unknown title '18XX'; known titles: {', '.join(title_names())}"),
        ({"rules": "77"}, "18EU rules version '77' is not known; this Carril has 1, 2"),
        ({"carril": 2}, "save format 2 is not known; this Carril reads 1"),
        ({"seed": "x"}, "Expected `int`, got `str` - at `$.seed`"),
        ({"colour": "red"}, "Object contains unknown field `colour`"),
        ({"seed": 32}, "hash chain broken at the set-up"),
        ({"players": ["Ana", "Ben"]}, "hash chain broken at the set-up"),
        ({"actions": 5}, "the actions are not a list"),
        ({"actions": [5]}, "action 1 is not a pair of text and hash"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(path: Path, fields: dict[str, Any], message: str) -> None:
    assert str(failure(path, changed(**fields))) == f"{path}: {message}"


def forged(text: str) -> str:
    """Return a file with a further action and a link that fits it."""
    values = json.loads(TEXT)
    rows = values["actions"]
    rows.append([text, _next_link(rows[-1][1], text)])
    return json.dumps(values)


def test_a_refused_action_is_told_with_code_and_rule(path: Path) -> None:
    acting = GAME.last.acting
    error = failure(path, forged(f"{acting}: bid -5"))
    assert f"action 61 ({acting}: bid -5) is refused: " in str(error)
    assert "[EU-" in str(error)
    assert kept(error).last == GAME.last
    record = open_record(path)
    assert record.refused is not None
    assert record.refused.index == 61
    assert len(record) == 60


def test_an_end_by_agreement_is_kept(tmp_path: Path) -> None:
    game = walk(Plan("18EU", 3, 4), most=30)
    game.agreed = True
    save(game, tmp_path / "agreed.carril")
    again = load(tmp_path / "agreed.carril")
    assert (again.last, again.last.ended) == (game.last, "agreement")
    assert again.position(len(again)) == game.position(30)
    assert not again.position(30).finished
    again.undo()
    assert (again.last, len(again)) == (game.position(30), 30)


def test_nothing_stands_after_an_end_by_agreement(path: Path) -> None:
    values = json.loads(forged("end by agreement"))
    rows = values["actions"]
    rows.append(["pass", _next_link(rows[-1][1], "pass")])
    error = failure(path, json.dumps(values))
    assert "action 62 (pass) stands after the end of the game" in str(error)
    assert kept(error).last.ended == "agreement"


def test_an_action_that_is_none_is_told(path: Path) -> None:
    error = failure(path, forged("Ana: dance"))
    assert "action 61: cannot read 'dance': expected one of" in str(error)
    assert kept(error).last == GAME.last


def test_a_refused_action_changes_nothing() -> None:
    game = Game.begin("18EU", ["Ana", "Ben"], seed=1)
    with pytest.raises(IllegalAction):
        game.add(Bid(100))
    assert len(game) == 0


def test_positions_are_numbered_from_the_first() -> None:
    assert GAME.position(0).round.kind == "Sale"
    assert GAME.position(60) == GAME.last
    with pytest.raises(IndexError):
        GAME.position(61)
    with pytest.raises(IndexError):
        GAME.position(-1)


def test_a_file_of_another_kind_is_said_so(path: Path) -> None:
    path.write_text('{"hello": 1}')
    with pytest.raises(BadRecord, match="neither a save file of Carril nor"):
        open_record(path)
    path.write_text('{"hello": 1')
    with pytest.raises(BadRecord, match="cut off"):
        open_record(path)


def test_with_until_nothing_after_it_is_played_or_checked(path: Path) -> None:
    rows = json.loads(TEXT)["actions"]
    path.write_text(changed(actions=[*rows[:3], ["dance", "0"], *rows[4:]]), "utf-8")
    record = open_record(path, until=3)
    assert record.position(3) == GAME.position(3)
    assert record.playable() == 3
    for until in (None, 4, 60):
        with pytest.raises(DamagedRecord, match="hash chain broken at action 4"):
            open_record(path, until)


def test_with_until_the_end_of_the_file_may_be_missing(path: Path) -> None:
    path.write_text(TEXT[: TEXT.index(json.dumps(write(GAME.actions[9])))], "utf-8")
    assert open_record(path, until=8).position(8) == GAME.position(8)
    for until in (9, 10):
        with pytest.raises(DamagedRecord, match="the file is cut off, after action 9"):
            open_record(path, until)


def test_with_until_the_actions_before_it_are_checked(path: Path) -> None:
    rows = json.loads(TEXT)["actions"]
    path.write_text(changed(actions=[rows[1], *rows]), "utf-8")
    with pytest.raises(DamagedRecord, match="hash chain broken at action 1"):
        open_record(path, until=3)
