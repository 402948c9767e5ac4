"""`carril routes` and `carril bench routes`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from carril.cli.recorded import claims
from carril.engine.actions import BuyTrain, RunTrains
from carril.engine.registry import title_named
from carril.engine.runs import Run, value
from carril.notation.save import Game, _next_link, save
from carril.notation.text import write
from tests.cli.test_cli import fails, run
from tests.contract.walk import Plan, walk

GAMES = Path(__file__).resolve().parents[3] / "shared" / "games"
GAME = walk(Plan("18EU", 3, seed=41), most=260)
RUNS = [number for number, one in enumerate(GAME.actions) if isinstance(one, RunTrains)]
ESP = walk(Plan("18ESP", 3, seed=5), most=330)
recorded = pytest.mark.skipif(
    not GAMES.exists(), reason="the folder shared/ with facts and recorded games is not here"
)


def told(*words: str | Path) -> Any:
    result = run("routes", *words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save(GAME, tmp_path / "game.json")
    return tmp_path / "game.json"


@pytest.fixture
def esp(tmp_path: Path) -> Path:
    save(ESP, tmp_path / "esp.json")
    return tmp_path / "esp.json"


@pytest.fixture
def online(tmp_path: Path) -> Path:
    """A file in the form of 18xx.games, before its first action."""
    players = [{"id": number, "name": name} for number, name in enumerate(("Ana", "Ben"))]
    values = {"id": 1, "title": "18EU", "players": players, "settings": {}, "actions": []}
    (tmp_path / "online.json").write_text(json.dumps(values), "utf-8")
    return tmp_path / "online.json"


class TestAnswer:
    def test_json_says_what_is_best_and_proven(self, file: Path) -> None:
        at = RUNS[-1]
        found = told(file, "--at", str(at))
        state = GAME.position(at)
        company = state.step.subject
        assert found["company"] == found["symbol"] == company
        assert found["value"] == found["bound"] == found["payable"] > 0
        assert found["optimal"] is True
        assert found["treasury"] == 0
        assert found["nodes"] > 0
        problem = state.title.run_problem(state, company)
        action = GAME.actions[at]
        assert isinstance(action, RunTrains)
        assert value(problem, Run(action.routes, action.extras)).total == found["value"]
        assert sum(route["revenue"] for route in found["routes"]) == found["value"]
        for route in found["routes"]:
            stops = sum(stop["value"] for stop in route["stops"])
            assert stops + sum(one["amount"] for one in route["bonuses"]) == route["revenue"]
            assert [stop["stop"] for stop in route["stops"]] == [
                place for place in route["path"] if "." in place
            ]

    def test_the_terminal_shows_every_stop_and_the_proof(self, file: Path, tmp_path: Path) -> None:
        picture = tmp_path / "runs.svg"
        at = str(RUNS[-1])
        result = run("routes", file, "--at", at, "--svg", picture)
        assert result.exit_code == 0, result.output
        found = told(file, "--at", at)
        for route in found["routes"]:
            for stop in route["stops"]:
                assert stop["hex"] in result.output
        assert f"In all {found['value']}" in result.output
        assert f"proven: no run is worth more; {found['nodes']} node" in result.output
        drawn = picture.read_text("utf-8")
        assert drawn.count("data-route=") == len(found["routes"])

    def test_any_company_at_any_position(self, file: Path) -> None:
        """Whether or not it is its turn; without trains it earns nothing."""
        state = GAME.position(RUNS[-1])
        for symbol, company in state.companies.items():
            found = told(file, "--at", str(RUNS[-1]), "--company", symbol.lower())
            assert found["symbol"] == symbol
            assert found["optimal"]
            if not company.trains:
                assert (found["value"], found["routes"]) == (0, [])

    def test_in_a_stock_round_the_last_that_ran_is_meant(self, file: Path) -> None:
        at = next(
            number
            for number in range(RUNS[0] + 1, len(GAME) + 1)
            if GAME.position(number).step.subject == ""
        )
        ran = [claim.company for claim in claims(GAME) if claim.number <= at]
        assert told(file, "--at", str(at))["company"] == ran[-1]

    def test_a_budget_gives_a_bound(self, file: Path) -> None:
        at = str(RUNS[-1])
        best = told(file, "--at", at)
        short = told(file, "--at", at, "--budget", "1")
        assert short["value"] <= best["value"] <= short["bound"]
        assert short["optimal"] is (short["bound"] == short["value"])
        if not short["optimal"]:
            output = run("routes", file, "--at", at, "--budget", "1").output
            assert f"not proven: a run may be worth up to {short['bound']}" in output


class TestTreasury:
    def test_total_and_payable_part(self, esp: Path) -> None:
        """The greatest total may pay less out than the greatest dividend."""
        seen = 0
        for claim in list(claims(ESP))[-8:]:
            at = str(claim.number - 1)
            total, payable = told(esp, "--at", at), told(esp, "--at", at, "--payable")
            assert total["value"] == total["payable"] + total["treasury"]
            assert payable["value"] == payable["payable"] >= total["payable"]
            assert payable["payable"] + payable["treasury"] <= total["value"]
            assert total["value"] >= claim.payable + claim.treasury
            seen += total["treasury"] > 0
        assert seen > 0


class TestImported:
    def test_a_company_is_called_as_in_the_file(self, online: Path) -> None:
        """18xx.games calls the Dutch railway DR; the German one is GSR there."""
        dutch = told(online, "--company", "DR")
        assert (dutch["company"], dutch["symbol"]) == ("DR", "NS")
        assert told(online, "--company", "NS")["company"] == "DR"
        german = told(online, "--company", "GSR")
        assert (german["company"], german["symbol"]) == ("GSR", "DR")
        assert (
            "DR (our NS, Nederlandsche Spoorwegen)"
            in run("routes", online, "--company", "DR").output
        )

    @recorded
    @pytest.mark.parametrize("name", ["18EU/made_2p_seed1101", "18ESP/made_3p_seed2206"])
    def test_no_recorded_run_earned_more_than_is_possible(self, name: str) -> None:
        found = told(GAMES / f"{name}.json.gz", "--all")
        assert found["proven"] == len(found["runs"]) > 100
        assert min(one["missed"] for one in found["runs"]) == 0
        payable = told(GAMES / f"{name}.json.gz", "--all", "--payable")
        assert min(one["missed"] for one in payable["runs"]) == 0


class TestAll:
    def test_every_run_with_what_was_missed(self, file: Path) -> None:
        found = told(file, "--all")
        assert [one["action"] for one in found["runs"]] == [number + 1 for number in RUNS]
        for one in found["runs"]:
            assert one["claimed"] + one["missed"] == one["possible"]
            assert one["missed"] == 0, "the rulebook wants the best"
        result = run("routes", file, "--all")
        assert f"{len(RUNS)} runs, {len(RUNS)} proven" in result.stdout

    def test_of_one_company(self, file: Path) -> None:
        symbol = GAME.position(RUNS[0]).step.subject
        found = told(file, "--all", "--company", symbol)
        assert {one["company"] for one in found["runs"]} == {symbol}

    def test_idle_trains_are_missed_revenue(self, tmp_path: Path) -> None:
        game = Game(ESP.position(0))
        for action in ESP.actions:
            idle = RunTrains(by=action.by) if isinstance(action, RunTrains) else action
            try:
                game.add(idle)
            except ValueError:
                break
        save(game, tmp_path / "idle.json")
        found = told(tmp_path / "idle.json", "--all")
        assert found["claimed"] == 0
        assert found["missed"] == found["possible"] > 0


class TestMistakes:
    @pytest.mark.parametrize(
        ("words", "line"),
        [
            ("--company XYZ", "unknown company 'XYZ'; there are: 1, 2, 3,"),
            ("--budget 0", "--budget 0: a budget is a number of nodes, 1 or more"),
            ("--budget -5", "--budget -5: a budget is a number of nodes, 1 or more"),
            ("--at 261", "has positions 0 to 260"),
            ("--at -1", "has positions 0 to 260"),
            ("--at 0", "no company has run yet after 0 actions: name one with --company"),
            ("--all --at 3", "--all is for the whole record: --at does not fit"),
        ],
    )
    def test_one_line(self, file: Path, words: str, line: str) -> None:
        assert line in fails("routes", file, *words.split())

    def test_a_train_no_title_has(self, file: Path) -> None:
        number = next(n for n, one in enumerate(GAME.actions) if isinstance(one, BuyTrain))
        values = json.loads(file.read_text("utf-8"))
        rows = values["actions"][:number]
        text = write(replace(GAME.actions[number], train="99"))
        values["actions"] = [*rows, [text, _next_link(rows[-1][1], text)]]
        file.write_text(json.dumps(values), "utf-8")
        for more in ((), ("--all",), ("--at", "260")):
            line = fails("routes", file, *more)
            assert f"action {number + 1} " in line
            assert "99" in line
        assert told(file, "--at", str(number), "--company", "1")["optimal"]


class TestBench:
    def test_figures_and_a_plot(self, file: Path, tmp_path: Path) -> None:
        plot = tmp_path / "plot.svg"
        words = ("bench", "routes", file, "--games", "0", "--boards", "0", "--plot", plot)
        result = run(*words, "--json")
        assert result.exit_code == 0, result.output
        found = json.loads(result.stdout)
        assert found["recorded"]["runs"] == found["recorded"]["proven"] == len(RUNS)
        for unit in ("ms", "nodes"):
            parts = found["recorded"][unit]
            assert parts["median"] <= parts["p90"] <= parts["p99"] <= parts["max"]
        assert plot.read_text("utf-8").count("<polyline") == 1
        assert f"{len(RUNS)} of {len(RUNS)}" in run(*words).output

    def test_a_budget_leaves_some_runs_unproven(self, file: Path) -> None:
        words = ("bench", "routes", file, "--games", "0", "--boards", "0", "--budget", "1")
        found = json.loads(run(*words, "--json").stdout)
        assert found["recorded"]["proven"] < found["recorded"]["runs"] == len(RUNS)

    def test_games_of_a_title_by_set_up(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("carril.cli.playing.MOST_ACTIONS", 150)
        words = ("bench", "routes", "--title", "18eu", "--games", "2", "--boards", "0")
        together = json.loads(run(*words, "--json").stdout)["titles"]
        apart = json.loads(run(*words, "--setups", "--json").stdout)["titles"]
        names = [f"18EU, {one.players} players" for one in title_named("18EU").tables.setups[:2]]
        assert (list(together), list(apart)) == (["18EU"], names)
        assert sum(one["runs"] for one in apart.values()) == together["18EU"]["runs"] > 0

    def test_mistakes(self, file: Path) -> None:
        assert "unknown title '18XX'" in fails("bench", "routes", "--title", "18XX")
        assert "there is no folder /no/such" in fails("bench", "routes", "--plot", "/no/such/p.svg")
        assert fails("bench", "routes", "--games", "-1").endswith("cannot be measured")
        assert "--budget" in fails("bench", "routes", "--budget", "0")
