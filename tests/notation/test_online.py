"""Files of 18xx.games: undo and redo, the envelope, and a replay that goes only as far as asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from carril.cli import app
from carril.engine import play
from carril.engine.refusals import BadRecord
from carril.notation.files import open_record
from carril.notation.online import OnlineRecord, live_actions, read_online
from carril.titles.online import Recorded
from tests.records import FOLDER

Values = dict[str, Any]


def values(name: str = "18eu") -> Values:
    found: Values = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


@pytest.fixture
def applied(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The actions that are applied, as they are."""
    seen: list[object] = []
    settled = play.apply

    def apply(state: Any, action: Any) -> Any:
        seen.append(action)
        return settled(state, action)

    monkeypatch.setattr("carril.titles.online.apply", apply)
    return seen


# --- how far a record is played ------------------------------------------------------------


@pytest.mark.parametrize("name", ["18eu", "18esp"])
def test_the_length_plays_nothing(name: str, applied: list[object]) -> None:
    record = read_online(values(name))
    assert len(record) == len(live_actions(values(name)["actions"])) > 50
    assert applied == []
    assert record.playable() == len(record)
    assert applied == record.actions


def test_a_position_plays_only_what_leads_to_it(applied: list[object]) -> None:
    record = read_online(values())
    record.position(3)
    # The first action chooses a minor and opens with a bid: two decisions of ours.
    assert len(applied) == 4
    record.position(2)
    assert len(applied) == 4


@pytest.mark.parametrize("command", ["show", "options", "routes"])
def test_commands_play_only_as_far_as_at(command: str, applied: list[object]) -> None:
    words = [command, str(FOLDER / "18eu.json"), "--at", "40"]
    words += ["--company", "1"] if command == "routes" else []
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.stderr
    played = len(applied)
    record = read_online(values())
    record.position(40)
    assert played == len(record.replay.reader.played) > 0


def damaged(tmp_path: Path, **changed: object) -> Path:
    """Write the record with a fourth live action that cannot be played."""
    file = values()
    live = live_actions(file["actions"])
    live[3] = {**live[3], **changed}
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps(file | {"actions": live}), "utf-8")
    return path


DAMAGES = [
    pytest.param({"entity": 999}, id="unknown player"),
    pytest.param({"type": "dance"}, id="unknown kind"),
    pytest.param({"type": "bid", "minor": "1", "price": 3}, id="refused"),
    pytest.param({"type": "bid", "minor": "1", "price": None}, id="no price"),
    pytest.param({"entity": "77", "entity_type": "minor"}, id="unknown company"),
]


@pytest.mark.parametrize("changed", DAMAGES)
def test_what_stands_before_the_damage_is_shown(changed: Values, tmp_path: Path) -> None:
    path = damaged(tmp_path, **changed)
    for command in ("show", "options"):
        result = CliRunner().invoke(app, [command, str(path), "--at", "3"])
        assert (result.exit_code, result.stderr) == (0, "")
    routes = CliRunner().invoke(app, ["routes", str(path), "--at", "3", "--company", "1"])
    assert routes.exit_code == 0


@pytest.mark.parametrize("changed", DAMAGES)
def test_the_damaged_action_is_the_one_that_is_named(changed: Values, tmp_path: Path) -> None:
    path = damaged(tmp_path, **changed)
    record = open_record(path)
    assert (len(record), record.playable()) == (97, 3)
    assert record.refused is not None
    assert record.refused.index == 4
    assert record.last == record.position(3)
    for number in (-1, 4, 98):
        with pytest.raises(IndexError):
            record.position(number)
    beyond = CliRunner().invoke(app, ["show", str(path), "--at", "4"])
    assert beyond.exit_code == 2
    (line,) = beyond.stderr.splitlines()
    assert "has positions 0 to 3; action 4" in line
    assert CliRunner().invoke(app, ["replay", str(path)]).exit_code == 1


# --- undo and redo -------------------------------------------------------------------------


def live(*actions: str | tuple[str, int]) -> list[int]:
    """Return the ids of the actions that stand; a pair is an undo back to an id."""
    made: list[Recorded] = [
        {"type": one, "id": number}
        if isinstance(one, str)
        else {"type": one[0], "id": number, "action_id": one[1]}
        for number, one in enumerate(actions, start=1)
    ]
    return [action["id"] for action in live_actions(made)]


def test_undo_takes_back_the_last_action_that_stands() -> None:
    assert live("bid", "pass", "undo", "undo", "bid") == [5]
    assert live("bid", "message", "undo", "pass") == [4]


def test_undo_goes_back_to_an_action() -> None:
    assert live("bid", "pass", "pass", ("undo", 1), "bid") == [1, 5]
    assert live("bid", "pass", ("undo", 0)) == []


def test_redo_restores_what_the_last_undo_took_back() -> None:
    assert live("bid", "pass", ("undo", 0), "redo") == [1, 2]
    assert live("bid", "pass", "undo", "undo", "redo") == [1]
    assert live("bid", "undo", "message", "redo") == [1]
    assert live("bid", "undo", "pass", "redo") == [3]  # nothing to redo after a new action


# --- the envelope --------------------------------------------------------------------------


def test_players_of_the_same_name_or_a_companys_are_told_apart() -> None:
    names = [{"id": 1, "name": "FS"}, {"id": 2, "name": "Ana"}, {"id": 3, "name": "Ana"}]
    record = read_online(values() | {"players": names, "actions": []})
    assert record.players == ("FS (2)", "Ana", "Ana (2)")
    assert record.position(0).setup.players == record.players


@pytest.mark.parametrize(
    ("settings", "game", "seed"),
    [
        ({"seed": 12}, 5, 12),
        ({}, "hs_abc_134483", 134483),
        ({"seed": ""}, 77, 77),
        ({"seed": None}, "none", 0),
        ({}, None, 0),
    ],
)
def test_the_seed_or_the_digits_of_the_id(settings: Values, game: object, seed: int) -> None:
    file = values() | {"settings": settings, "id": game, "actions": []}
    assert read_online(file).seed == seed


@pytest.mark.parametrize(
    "changed",
    [{"players": 3}, {"players": [{}]}, {"actions": [3]}, {"actions": [{"id": 1}]}],
)
def test_a_bad_envelope_is_one_clear_error(changed: Values) -> None:
    with pytest.raises(BadRecord, match="not a game file"):
        read_online(values() | changed)


def test_a_record_is_replayed_by_the_conventions_of_the_other_program() -> None:
    record = read_online(values("18esp"))
    assert isinstance(record, OnlineRecord)
    first = record.position(0)
    assert first.setup.conventions != first.title.conventions["rulebook"]
    assert tuple(first.players) == record.names
