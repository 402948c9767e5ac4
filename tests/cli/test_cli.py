"""The `carril` command: what it prints, and one line for every mistake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from carril.bots import bot_names
from carril.cli import app
from carril.engine.registry import title_named, title_names
from carril.notation.save import _next_link, load, save, to_text
from tests.contract.walk import Plan, walk

GAME = walk(Plan("18EU", 3, seed=41), most=120)


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


def fails(*words: str | Path, status: int = 2) -> str:
    """Run a command that must fail with one line on the error stream; return the line."""
    result = run(*words)
    assert result.exit_code == status, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    lines: list[str] = result.stderr.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    save(GAME, path)
    return path


class TestPlay:
    def test_a_game_of_bots_is_told_round_by_round_and_saved(self, tmp_path: Path) -> None:
        path = tmp_path / "played.json.gz"
        result = run("play", "18eu", "--players", "2", "--seed", "3", "--save", path)
        assert result.exit_code == 0, result.output
        for words in ("Sale", "OR 1.1", "SR 2", "is over", "Phase 3 begins", "floats", "worth"):
            assert words in result.output, words
        assert load(path).last.finished

    def test_json_and_nothing_else(self, tmp_path: Path) -> None:
        path = tmp_path / "played.json"
        args = ("play", "18EU", "--players", "2", "--seed", "3", "--bots", "random,careless")
        result = run(*args, "--variant", "extra-3", "--save", path, "--json")
        told = json.loads(result.stdout)
        game = load(path)
        assert told["finished"] is True
        assert told["actions"] == len(game)
        assert told["result"] == game.last.result
        assert told["variants"] == ["extra-3"]
        assert sorted(told["bots"].values()) == ["careless", "random"]

    @pytest.mark.parametrize(
        ("words", "line"),
        [
            ("18XX", f"unknown title '18XX'; known titles: {', '.join(title_names())}"),
            ("18EU --players 7", "18EU is for 2 to 6 players, not 7"),
            ("18EU --players 1", "18EU is for 2 to 6 players, not 1"),
            ("18EU --players -3", "there cannot be -3 players"),
            ("18EU --bots hal", f"unknown bot 'hal'; there are: {', '.join(bot_names())}"),
            ("18EU --bots random,random", "2 bots for 4 players: name one bot, or one for each"),
            ("18EU --variant x", "18EU has no variant 'x'; it has extra-3, extra-3b, extra-4"),
            ("18EU --save /no/such/x.json", "/no/such/x.json: there is no folder /no/such"),
        ],
    )
    def test_what_is_wrong_is_one_line(self, words: str, line: str) -> None:
        assert fails("play", *words.split()) == f"carril: {line}"

    @pytest.mark.parametrize(
        "words", ["play", "play 18EU --players many", "dance", "--dance", "play 18EU --dance"]
    )
    def test_what_cannot_be_understood_is_one_line(self, words: str) -> None:
        assert fails(*words.split()).startswith("carril: ")


class TestShow:
    def test_a_title(self, tmp_path: Path) -> None:
        result = run("show", "18EU", "--svg", tmp_path / "map.svg")
        assert result.exit_code == 0
        assert "Königlich-Bayerische" in result.output
        assert (tmp_path / "map.svg").read_text("utf-8").startswith("<svg")

    def test_a_position(self, file: Path, tmp_path: Path) -> None:
        result = run("show", file, "--at", "100", "--svg", tmp_path / "map.svg")
        assert result.exit_code == 0
        for name in GAME.players:
            assert name in result.output
        assert "after 100 actions" in (tmp_path / "map.svg").read_text("utf-8")

    def test_mistakes(self, file: Path, tmp_path: Path) -> None:
        known = ", ".join(title_names())
        assert fails("show", "18XX") == f"carril: unknown title '18XX'; known titles: {known}"
        assert fails("show", "none.json") == "carril: none.json: no such file"
        assert fails("show", file, "--at", "121").endswith("has positions 0 to 120")
        assert fails("show", "18EU", "--at", "1") == "carril: --at is for files"
        assert "map.svg" in fails("show", "18EU", "--svg", tmp_path / "no" / "map.svg")


class TestOptions:
    def test_all_options_as_text(self, file: Path) -> None:
        result = run("options", file, "--at", "0")
        assert result.exit_code == 0
        assert result.output.count("choose") == 15

    def test_ranges_as_json(self, file: Path) -> None:
        told = json.loads(run("options", file, "--at", "1", "--json").stdout)
        bid = told["options"][0]
        assert bid["action"]["type"] == "bid"
        assert bid["range"]["least"] == 100
        assert told["acting"] == GAME.position(1).acting
        assert told["due"].endswith("may open the bidding for minor " + GAME.actions[0].lot)  # type: ignore[attr-defined]

    def test_out_of_range(self, file: Path) -> None:
        assert fails("options", file, "--at", "-1").endswith("has positions 0 to 120")


class TestReplay:
    def test_json_has_the_agreed_form(self, file: Path) -> None:
        result = run("replay", file, "--json")
        assert result.exit_code == 0
        assert json.loads(result.stdout) == {
            "title": "18EU",
            "players": list(GAME.players),
            "actions": 120,
            "finished": False,
            "result": {},
            "refused": None,
        }

    def test_a_finished_game_has_a_result(self, tmp_path: Path) -> None:
        game = walk(Plan("18EU", 2, seed=2))
        save(game, tmp_path / "whole.json")
        told = json.loads(run("replay", tmp_path / "whole.json", "--json").stdout)
        assert told["result"] == game.last.result
        assert "is over" in run("replay", tmp_path / "whole.json").output

    def test_a_position_on_the_way(self, file: Path) -> None:
        result = run("replay", file, "--at", "0")
        assert result.exit_code == 0
        assert "Sale" in result.output

    def test_a_negative_bid_and_an_action_of_another_seat(self, file: Path) -> None:
        values = json.loads(to_text(GAME))
        acting = GAME.last.acting
        other = next(name for name in GAME.players if name != acting)
        for text in (f"{acting}: bid -5", f"{other}: pass"):
            rows = [*values["actions"], [text, _next_link(values["actions"][-1][1], text)]]
            file.write_text(json.dumps({**values, "actions": rows}), "utf-8")
            line = fails("replay", file, status=1)
            assert f"action 121 ({text}) is refused" in line
            told = json.loads(run("replay", file, "--json").stdout)["refused"]
            assert told["index"] == 121
            assert told["action"] == text
            assert told["rule"].startswith("EU-")
            assert told["message"]
        assert told["code"] == "not-your-turn"

    def test_damaged_files_are_one_line(self, file: Path) -> None:
        text = file.read_text("utf-8")
        for damaged, line in (
            (text[:-400], "the file is cut off, after action "),
            ("no JSON at all", "not JSON"),
            (text.replace("choose", "choosy", 1), "hash chain broken at action 1 "),
            (text.replace("18EU", "18XX"), "unknown title '18XX'"),
            ('{"a": 1}', "neither a save file of Carril nor a file of 18xx.games"),
        ):
            file.write_text(damaged, "utf-8")
            for command in ("replay", "options", "show"):
                assert line in fails(command, file)
        assert "no such file" in fails("replay", file.parent / "none.json")


class TestRules:
    def test_one_rule_a_section_and_a_search(self) -> None:
        assert "60%" in run("rules", "18EU", "EU-3.1-e").output
        assert "EU-3.1-e" in run("rules", "18EU", "Shares and limits").output
        assert "EU-" in run("rules", "18EU", "--search", "pullman").output
        assert "rules" in run("rules", "18EU").output

    def test_coverage_exits_1_while_a_rule_is_open(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "tests").mkdir()
        (tmp_path / "pyproject.toml").touch()
        monkeypatch.chdir(tmp_path)
        result = run("rules", "18EU", "--coverage")
        assert result.exit_code == 1
        assert "missing" in result.output

    def test_mistakes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "unknown title '18XX'" in fails("rules", "18XX")
        assert "has no rule 'EU-99'" in fails("rules", "18EU", "EU-99")
        monkeypatch.chdir(tmp_path)
        assert "no tests to look at" in fails("rules", "18EU", "--coverage")


class TestBench:
    def test_figures_of_a_record_as_json_and_as_a_table(self, file: Path) -> None:
        told = json.loads(run("bench", "engine", file, "--json").stdout)
        (found,) = told["titles"]
        assert (found["title"], found["edition"], found["actions"]) == ("18EU", "", 120)
        assert {"median_ms", "p99_ms", "max_ms"} <= set(found["replay"])
        assert found["options"]["per_position_max"] >= 15
        assert "random_play" not in found
        assert "all options" in run("bench", "engine", file).output

    def test_every_title_and_edition_is_measured(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("carril.cli.playing.MOST_ACTIONS", 12)
        told = json.loads(run("bench", "engine", "--json").stdout)
        measured = [(found["title"], found["edition"]) for found in told["titles"]]
        wanted = [(n, e) for n in title_names() for e in title_named(n).editions or ("",)]
        assert measured == wanted
        assert {("18ESP", "de"), ("18ESP", "en"), ("18ESP", "es"), ("18EU", "")} <= set(measured)
        for found in told["titles"]:
            assert found["random_play"]["actions"] == found["actions"] == 12 * found["games"]
            greedy = found["greedy_play"]
            assert greedy["actions"] == found["actions"]
            assert 0 < greedy["game_s_median"] <= greedy["game_s_max"]
            assert 0 < greedy["decision"]["median_ms"] <= greedy["decision"]["p99_ms"]
        only = run("bench", "engine", "--title", "18eu", "--games", "2")
        assert "18EU: 6 games, 72 actions" in only.output
        assert "18ESP" not in only.output

    def test_each_set_up_by_itself(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("carril.cli.playing.MOST_ACTIONS", 12)
        words = ("bench", "engine", "--title", "18Cuba", "--setups")
        told = json.loads(run(*words, "--json").stdout)
        names = [found["setup"] for found in told["titles"]]
        setups = title_named("18Cuba").tables.setups
        assert len(names) == len(set(names)) == len(setups)
        assert {"2 players, easy, east", "4 players"} <= set(names)
        assert all(found["games"] == 1 for found in told["titles"])
        assert "18Cuba, 4 players: 1 games, 12 actions" in run(*words).output

    def test_pages_of_positions(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("carril.service.bench_pages.MOST_ACTIONS", 12)
        words = ("bench", "page", "--title", "18EU", "--samples", "3", "--bot", "random")
        (found,) = json.loads(run(*words, "--json").stdout)
        setups = title_named("18EU").tables.setups
        assert (found["title"], found["positions"]) == ("18EU", 3 * len(setups))
        assert 0 < found["page"]["median_ms"] <= found["page"]["p99_ms"]
        apart = json.loads(run(*words, "--setups", "--json").stdout)
        assert [one["positions"] for one in apart] == [3] * len(setups)
        assert [one["setup"] for one in apart] == [f"{one.players} players" for one in setups]

    def test_mistakes(self) -> None:
        assert fails("bench", "wheels") == (
            "carril: nothing to measure called 'wheels'; "
            "there is: engine, bots, routes, page, service"
        )
        assert fails("bench", "engine", "--games", "0").endswith("cannot be measured")
        assert fails("bench", "page", "--samples", "0").endswith("cannot be measured")
        assert "unknown title '18XX'" in fails("bench", "engine", "--title", "18XX")
        assert "unknown title '18XX'" in fails("bench", "page", "--title", "18XX")


def test_a_mistake_of_our_own_is_not_told_as_the_users(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise KeyError("hex")

    monkeypatch.setattr("carril.cli.playing.begin", broken)
    assert isinstance(run("play", "18EU").exception, KeyError)


def test_help_names_every_command() -> None:
    result = run("--help")
    for command in ("play", "show", "options", "replay", "routes", "rules", "bench"):
        assert command in result.output
