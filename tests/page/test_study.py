"""What the study of a game shows: plots, compared runs, refusals with names."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from carril.engine.actions import RunTrains
from carril.engine.refusals import Refusal
from carril.notation.save import to_text
from carril.page.plot import Series, draw_bars, draw_lines, look_of
from carril.page.run_words import with_names
from carril.page.words import words_for
from tests.browser.stage import Stage
from tests.contract.walk import Plan, walk
from tests.rulebook.eu.test_pullmans import brussels


def test_a_pale_line_is_outlined_on_light_paper_and_a_deep_one_on_dark() -> None:
    assert look_of(Series("A", (1,), "#fffcd5"), 0).outline == "pale"
    assert look_of(Series("B", (1,), "#231f20"), 0).outline == "deep"
    assert look_of(Series("C", (1,), "#c2185b"), 0).outline == ""


def test_a_line_is_interrupted_where_there_is_no_value() -> None:
    drawn = draw_lines("x", ("1", "2", "3", "4"), [Series("A", (10, None, 20, 30))])
    assert drawn.count('class="series-line"') == 1
    assert 'd="M0 666.7M666.7 333.3L1000 0"' in drawn


def test_missed_revenue_stands_on_what_was_claimed() -> None:
    drawn = draw_bars("x", ("OR 1.1",), ((60, 30),))
    bars = re.findall(
        r'class="(bar[^"]*)" x="[^"]+" y="([^"]+)" width="[^"]+" height="([^"]+)"', drawn
    )
    assert bars == [("bar", "40.00%", "60.00%"), ("bar missed", "10.00%", "30.00%")]


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({"stop": "A6.0", "train": "2"}, {"stop": "A6 London", "train": "2"}),
        (
            {"run": "2: A6.0 B7 C8.0; 3: C8.0 D7.0 + pullman A6.0"},
            {"run": "2 train A6 London - C8 Brussels; 3 train C8 Brussels - D7 Cologne"},
        ),
        ({"value": 90, "place": "Z99.0"}, {"value": 90, "place": "Z99.0"}),
    ],
)
def test_refusals_name_places(facts: dict[str, str | int], named: dict[str, str | int]) -> None:
    state = brussels("3")
    found = with_names(state, words_for(state, "en"), Refusal("x", facts))
    assert found
    assert {key: _plain(fact) for key, fact in found.facts.items()} == named


def _plain(fact: object) -> object:
    return fact.replace("\N{EN DASH}", "-") if isinstance(fact, str) else fact


def test_the_page_of_a_run_compares_it_at_once_or_says_that_it_will(
    stage: Stage, client: TestClient
) -> None:
    walked = walk(Plan("18EU", 3, seed=41), most=260)
    number = max(n for n, one in enumerate(walked.actions) if isinstance(one, RunTrains))
    game = stage.games.import_file(stage.user("Ana"), to_text(walked).encode(), "walked.json").id
    page = client.get(f"/table/{game}/parts?at={number}&search=1").text
    assert re.search(r'id="compared">(Claimed £\d+: no run was worth more|<b>Claimed)', page)
    assert 'id="compared"' not in client.get(f"/table/{game}/parts").text


def test_the_final_standing_names_the_winner_and_how_far_the_others_are_behind(
    stage: Stage, client: TestClient
) -> None:
    walked = walk(Plan("18EU", 2, seed=7))
    assert walked.last.result
    (first, most), (_, least) = walked.last.result.items()
    game = stage.games.import_file(stage.user("Ana"), to_text(walked).encode(), "walked.json").id
    page = client.get(f"/table/{game}").text
    assert f"{first} wins with £{most}." in page
    assert f'<td class="n">£{most - least}</td>' in page
