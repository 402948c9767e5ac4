"""18Toy, a title of a few lines, has all that a title gets from the engine and its tools."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from carril import start, titles
from carril.draw import draw_charter, draw_map, draw_market
from carril.engine.registry import title_names
from carril.engine.state import State
from carril.notation.position import from_json, to_json
from carril.notation.save import Game
from carril.notation.text import parse
from carril.notation.words import say
from carril.rules import load
from carril.service.api_shapes import title_shape
from tests.browser.stage import Stage
from tests.contract.walk import Plan, walk
from tests.toy.title import TOY

ROOT = Path(__file__).resolve().parents[2]
FIRST_SET = """
Ana: start TR at 60
Ben: buy TR from ipo
Ana: buy TR from ipo
Ben: pass
Ana: pass
Ana: lay 5/5 on A1
Ana: train 2 from stack for 80
Ana: pass
"""


def played(*lines: str) -> State:
    """Return the position after some actions; Ana sits first."""
    state = start("18Toy", ["Ana", "Ben"], seated=True)
    for line in lines:
        state = state.apply(parse(line)).state
    return state


@pytest.fixture(scope="module")
def game() -> Game:
    return walk(Plan("18Toy", 2, seed=3))


def test_it_is_known_to_the_tests_and_not_shipped() -> None:
    assert "18Toy" in title_names()
    assert TOY.name not in {getattr(titles, name).name for name in titles.__all__}


def test_an_installed_package_can_add_a_title(tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text(
        "import dataclasses\n"
        "from carril.engine.registry import register\n"
        "from tests.toy.title import TOY\n"
        'register(dataclasses.replace(TOY, name="18Other"))\n'
    )
    info = tmp_path / "other-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[carril.titles]\nother = other\n")
    code = "import carril; print(carril.start('18Other', ['Ana', 'Ben'], seated=True).acting)"
    path = os.pathsep.join([str(tmp_path), str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": path}, capture_output=True
    )
    assert (done.stdout.decode().strip(), done.stderr.decode()) == ("Ana", "")


def test_the_company_floats_with_five_times_par() -> None:
    lines = FIRST_SET.split("\n")[1:3]
    before, after = played(*lines), played(*lines, "Ana: buy TR from ipo")
    assert (before.companies["TR"].floated, before.companies["TR"].cash) == (True, 300)
    assert [player.cash for player in after.players.values()] == [300 - 120 - 60, 300 - 60]
    assert after.companies["TR"].shares == {"Ana": 3, "Ben": 1, "ipo": 1}


def test_a_line_is_built_and_run_for_a_dividend() -> None:
    state = played(*FIRST_SET.strip().split("\n"))
    assert str(state.round) == "SR 2"
    state = played(*FIRST_SET.strip().split("\n"), "Ben: pass", "Ana: pass", "Ana: lay 9/5 on B2")
    assert say(state.step) == "TR runs its trains"
    (option,) = state.options()
    assert option == parse("Ana: run 2: A1.0 B2 C3.0")  # a city at 20 and the off-board place at 20
    paid = state.apply(option).state.apply(parse("Ana: dividend full")).state
    cash = [player.cash for player in paid.players.values()]
    assert cash == [120 + 3 * 8, 240 + 8]


def test_a_refusal_cites_the_rule_of_the_title() -> None:
    refusal = played().refusal(parse("start TR at 70"))
    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("no-par", "TOY-3-e")


def test_the_ledger_has_every_rule_that_is_cited() -> None:
    assert set(TOY.cites.values()) == {rule.id for rule in load("18Toy").rules}


def test_every_position_can_be_drawn(game: Game) -> None:
    for number in range(0, len(game), 10):
        state = game.position(number)
        pictures = (
            draw_map(state.tables, state.board, highlight=["A1"]),
            draw_market(state.tables, state.markers),
            draw_charter(state, "TR"),
        )
        assert {ET.fromstring(picture).tag for picture in pictures} == {
            "{http://www.w3.org/2000/svg}svg"
        }


def test_a_position_is_read_back_from_json(game: Game) -> None:
    assert from_json(to_json(game.last)) == game.last


def test_the_interface_lists_it() -> None:
    shape = title_shape("18Toy")
    assert (shape["players"], shape["conventions"]) == ([2], ["rulebook"])
    assert [variant["name"] for variant in shape["variants"]] == ["second-express"]


def test_it_is_in_the_lobby_and_every_decision_has_a_page(game: Game, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    client = TestClient(stage.app)
    cookie = stage.cookie("Ana")
    client.cookies.set(cookie["name"], cookie["value"])
    assert "18Toy" in client.get("/").text
    shown = {type(game.position(number).step): number for number in range(len(game))}
    for step, number in shown.items():
        page = client.get(f"/table/{stage.table(game.position(number))}")
        assert page.status_code == 200, step
        assert 'hx-post="/table/' in page.text, step
