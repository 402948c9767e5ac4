"""Tournaments: schedules, repeatable games, ratings, the command."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import carril.bots
from carril.bots import Decision, Dice, RandomBot, register_bot
from carril.cli import app
from carril.engine.refusals import BadSetup
from carril.engine.state import State
from carril.lab.arena import Match, Played, play_match, schedule
from carril.lab.running import play_here, play_in_processes, play_on_ray
from carril.lab.standings import rate, report, wilson
from carril.notation.save import load


@pytest.fixture(autouse=True)
def own_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the bots of a test after it."""
    monkeypatch.setattr(carril.bots, "_BOTS", dict(carril.bots._BOTS))


SMALL = schedule("18EU", ("random", "careless"), games=2, players=2)


def test_every_bot_has_every_seat_equally_often() -> None:
    for bots, players in ((("a", "b"), 4), (("a", "b", "c"), 3), (("a", "b", "c", "d", "e"), 3)):
        matches = _schedule(bots, 60, players)
        for seat in range(players):
            counts = Counter(match.bots[seat] for match in matches)
            assert set(counts.values()) == {60 // len(bots)}, (bots, seat)


def test_rotations_share_a_seed() -> None:
    matches = _schedule(("a", "b", "c"), 7, 3)
    assert [match.seed for match in matches] == [5, 5, 5, 6, 6, 6, 7]


def _schedule(bots: tuple[str, ...], games: int, players: int) -> tuple[Match, ...]:
    for bot in bots:
        register_bot(_Named(bot))
    return schedule("18EU", bots, games, players, seed=5)


class _Named(RandomBot):
    def __init__(self, name: str) -> None:
        self.name = name


class _Raising:
    name = "raising"

    def choose(self, state: State, dice: Dice) -> Decision:
        raise RuntimeError("out of ideas")


@pytest.mark.parametrize(
    ("bots", "players", "message"),
    [((), 4, "needs bots"), (("random",), 0, "needs bots"), (("nobody",), 4, "unknown bot")],
)
def test_tournaments_that_cannot_be_played(
    bots: tuple[str, ...], players: int, message: str
) -> None:
    with pytest.raises(BadSetup, match=message):
        schedule("18EU", bots, 1, players)


def test_the_same_match_gives_the_same_game(tmp_path: Path) -> None:
    one, two = tmp_path / "1", tmp_path / "2"
    one.mkdir()
    two.mkdir()
    assert play_match(SMALL[0], one) == play_match(SMALL[0], two)
    assert (one / "00001.json").read_bytes() == (two / "00001.json").read_bytes()
    record = load(one / "00001.json")
    played = play_match(SMALL[0])
    assert record.last.result == dict(zip(SMALL[0].players, played.worth, strict=True))
    assert sum(played.wins) == 1


def test_several_processes_play_the_same_games() -> None:
    here = sorted(play_here(SMALL), key=lambda one: one.match.number)
    there = sorted(play_in_processes(SMALL, 2), key=lambda one: one.match.number)
    assert here == there


def test_a_ray_cluster_plays_the_same_games() -> None:
    pytest.importorskip("ray", reason="the extra lab is not installed")
    there = sorted(play_on_ray(SMALL, "local"), key=lambda one: one.match.number)
    assert there == sorted(play_here(SMALL), key=lambda one: one.match.number)


def test_a_bot_that_fails_loses_its_seat() -> None:
    register_bot(_Raising())
    played = play_match(schedule("18EU", ("raising", "random"), 1, 2)[0])
    assert played.ended
    assert played.faults == ("raising 1, action 1: RuntimeError: out of ideas",)


def _played(number: int, places: tuple[int, ...], bots: tuple[str, ...]) -> Played:
    wins = tuple(1.0 if place == 1 else 0.0 for place in places)
    match = Match(number, "18EU", bots, number)
    worth = tuple(1000 - 100 * place for place in places)
    return Played(match, worth, places, wins, 300, "bank", "OR 5.2")


def test_the_better_bot_is_rated_higher() -> None:
    games = [_played(n, (1, 2), ("strong", "weak")) for n in range(10)]
    ratings = rate(games)
    assert ratings["strong"][0] > 25 > ratings["weak"][0]
    found = report(games)
    assert [one.bot for one in found.bots] == ["strong", "weak"]
    assert found.bots[0].share == 1.0
    assert (found.bots[0].worth, found.bots[1].worth) == (900, 800)
    assert found.ends == {"bank": 10}


def test_the_report_does_not_depend_on_the_order_of_games() -> None:
    games = [_played(n, (1, 2) if n % 3 else (2, 1), ("a", "b")) for n in range(9)]
    assert report(games) == report(games[::-1])


def test_intervals() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    low, high = wilson(5, 10)
    assert low == pytest.approx(0.237, abs=0.001)
    assert low + high == pytest.approx(1)


def _run(*words: str) -> Any:
    return CliRunner().invoke(app, ["arena", *words])


def test_the_command_reports_a_tournament(tmp_path: Path) -> None:
    words = ("18EU", "--bots", "random,careless", "--games", "2", "--players", "2")
    found = _run(*words, "--save", str(tmp_path / "games"), "--json")
    values = json.loads(found.stdout)
    assert values["report"]["games"] == 2
    assert {one["bot"] for one in values["report"]["bots"]} == {"random", "careless"}
    assert len(list((tmp_path / "games").iterdir())) == 2
    assert "rating" in _run(*words).stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("18EU", "--bots", "nobody"), "unknown bot 'nobody'"),
        (("18EU", "--bots", ","), "needs bots"),
        (("18EU", "--bots", "random", "--players", "9"), "9"),
        (("18EU", "--bots", "random", "--games", "0"), "--games"),
        (("18XX", "--bots", "random"), "18XX"),
        (("18ESP", "--bots", "random", "--edition", "fr"), "no edition 'fr'"),
    ],
)
def test_bad_words_get_one_line(words: tuple[str, ...], message: str) -> None:
    found = _run(*words)
    assert found.exit_code == 2
    assert message in found.stderr
    assert len(found.stderr.splitlines()) == 1
