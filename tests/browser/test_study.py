"""Studying a game by clicking: runs next to the best, bots that play on, tables from a position."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from carril.engine.actions import RunTrains
from carril.engine.events import TrainsRun
from carril.engine.runs.compared import claimed_sums, compare
from carril.notation.save import Game, to_text
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations
from tests.contract.walk import Plan, walk

TITLES = ("18EU", "18ESP", "18Cuba")
PHONE = (390, 844)


def _missed(game: Game) -> dict[int, int]:
    """Return how much each run missed, by the number of its action."""
    found = {}
    for number, action in enumerate(game.actions, start=1):
        if isinstance(action, RunTrains):
            state = game.position(number - 1)
            claimed = sum(claimed_sums(state, action))
            found[number] = compare(state, state.step.subject, claimed).missed
    return found


# Under these conventions any run is allowed, and a random bot misses revenue.
MISSING = walk(Plan("18EU", 3, seed=41, conventions="18xx.games"), most=200)
MISSED = _missed(MISSING)
WORST = max(MISSED, key=lambda number: MISSED[number])


def _imported(stage: Stage, game: Game) -> str:
    return stage.games.import_file(stage.user("Ana"), to_text(game).encode(), "walked.json").id


def _study(page: Page) -> None:
    page.locator("#tab-study").click()
    expect(page.locator("#study .runs-table")).to_be_visible()


@pytest.mark.parametrize("title", TITLES)
def test_every_run_is_listed_and_proven(stage: Stage, visit: Visit, title: str) -> None:
    game = walk(Plan(title, 4, seed=5), most=420)
    runs = sum(isinstance(action, RunTrains) for action in game.actions)
    assert runs
    page = visit("Ana", f"/table/{_imported(stage, game)}")
    _study(page)
    expect(page.locator("#study [data-run]")).to_have_count(runs)
    expect(page.locator(".study-sum")).to_contain_text(f"{runs} of {runs} run")
    expect(page.locator("#study")).not_to_contain_text("…")
    expect(page.locator("#study .bar").first).to_be_visible()


def test_a_row_opens_the_position_with_both_runs_on_the_map(stage: Stage, visit: Visit) -> None:
    page = visit("Ana", f"/table/{_imported(stage, MISSING)}")
    _study(page)
    row = page.locator(f'#study [data-run="{WORST}"]')
    expect(row.locator("b")).to_have_text(f"£{MISSED[WORST]}")
    expect(page.locator("#study .bar.missed").first).to_be_visible()
    page.locator("#study-worst-first").click()
    expect(page.locator("#study [data-run]").first).to_have_attribute("data-run", str(WORST))
    row.locator("a").click()
    hands.at(page, WORST - 1)
    expect(page.locator("#view-map")).to_be_visible()
    expect(page.locator("#compared")).to_contain_text(f"£{MISSED[WORST]} missed")
    drawn, dashed = "#map .routes .route", "#map .routes .route[stroke-dasharray]"
    assert 0 < page.locator(dashed).count() < page.locator(drawn).count()
    expect(page.locator("#map-legend")).to_contain_text("claimed: ")


def test_on_a_phone_a_row_leads_to_the_map(stage: Stage, visit: Visit) -> None:
    page = visit("Ana", f"/table/{_imported(stage, MISSING)}", size=PHONE, touch=True)
    _study(page)
    page.locator(f"#study-run-{WORST}").click()
    hands.at(page, WORST - 1)
    expect(page.locator("#map-frame")).to_be_in_viewport(ratio=0.5)


def test_the_final_standings_lead_to_the_study(stage: Stage, visit: Visit) -> None:
    game = _imported(stage, walk(Plan("18EU", 2, seed=7)))
    page = visit("Ana", f"/table/{game}", size=PHONE, touch=True)
    expect(page.locator(".standing caption")).to_have_text("Final standings")
    page.get_by_role("button", name="Study the runs").click()
    expect(page.locator("#study .runs-table")).to_be_visible()
    expect(page.locator("#tab-study")).to_be_in_viewport()


def test_missed_revenue_is_on_the_charts_too(stage: Stage, visit: Visit) -> None:
    page = visit("Ana", f"/table/{_imported(stage, MISSING)}")
    page.locator("#tab-chart").click()
    expect(page.locator("#study-chart .bar.missed").first).to_be_visible()
    expect(page.locator("#study-chart")).to_contain_text(f"missed £{sum(MISSED.values())}")


@pytest.mark.parametrize("title", TITLES)
def test_bots_play_one_round_in_a_what_if_line(stage: Stage, visit: Visit, title: str) -> None:
    game = _imported(stage, walk(Plan(title, 4, seed=5), most=60))
    page = visit("Ana", f"/table/{game}")
    begun = str(stage.state(game).round)
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    page.locator("#bots-on-bot").select_option("random")
    page.locator('[data-bots-on="round"]').click()
    expect(page.locator('[data-bots-on="round"]')).to_be_visible(timeout=60_000)
    expect(page.locator("#where")).not_to_have_attribute("data-at", "60")
    fork = page.url.partition("fork=")[2]
    here = stage.games.position(game, fork=fork, user=stage.user("Ana")).state
    assert str(here.round) != begun or here.ended


def test_bots_that_play_to_the_end_can_be_stopped(stage: Stage, visit: Visit) -> None:
    game = _imported(stage, walk(Plan("18EU", 3, seed=5), most=60))
    page = visit("Ana", f"/table/{game}")
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    page.locator('[data-bots-on="end"]').click()
    expect(page.locator("#where")).not_to_have_attribute("data-at", "60")
    page.locator('[data-bots-on="stop"]').click()
    expect(page.locator('[data-bots-on="end"]')).to_be_visible()
    stopped = hands.number(page)
    page.wait_for_timeout(700)
    assert hands.number(page) == stopped
    assert stage.games.info(game).head == 60
    page.locator("#fork-note").wait_for()


@pytest.mark.parametrize("title", TITLES)
def test_a_record_is_played_on_as_a_table_of_its_own(
    stage: Stage, visit: Visit, title: str
) -> None:
    walked = walk(Plan(title, 4, seed=5), most=80)
    game = _imported(stage, walked)
    page = visit("Ana", f"/table/{game}?at=50")
    page.get_by_role("link", name="Play on from here").click()
    expect(page.locator("h1")).to_contain_text("position 50")
    for seat in page.locator('select[name="seat"]').all():
        seat.select_option("me")
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_selector("#table")
    hands.at(page, 50)
    made = page.url.rsplit("/", 1)[1]
    assert stage.state(made) == walked.position(50)
    assert not stage.games.info(made).read_only
    stage.act(made, "Ana", walked.actions[50])
    hands.at(page, 51)
    page.locator('[data-undo="step"]').click()
    hands.at(page, 50)
    assert stage.games.info(game).head == 80


def test_conventions_of_a_record_are_kept_and_named(stage: Stage, visit: Visit) -> None:
    game = _imported(stage, MISSING)
    page = visit("Ana", f"/table/{game}/play-on?at=20")
    expect(page.locator("main")).to_contain_text("conventions of 18xx.games, and so will")
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_selector("#table")
    made = stage.games.info(page.url.rsplit("/", 1)[1])
    assert made.conventions == "18xx.games"
    assert [seat.kind for seat in made.seats].count("bot") == 2


def test_a_save_file_is_opened_to_play_on(stage: Stage, visit: Visit, tmp_path: Path) -> None:
    file = tmp_path / "saved.json"
    file.write_text(to_text(walk(Plan("18EU", 3, seed=5), most=40)), "utf-8")
    page = visit("Ana", "/")
    page.locator('input[type="file"]').set_input_files(file)
    page.get_by_label("Play on from where it ends").check()
    page.locator(".import button").click()
    expect(page.locator("h1")).to_contain_text("position 40")
    page.get_by_role("button", name="Set up the table").click()
    page.wait_for_selector("#table")
    assert not stage.games.info(page.url.rsplit("/", 1)[1]).read_only


BOXES = """all => all.filter(one => one.checkVisibility()).map(one => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return { x, y, width, height };
})"""
"""The boxes of all labels that are visible, at the same moment."""


class TestCharts:
    def test_the_legend_names_every_line_below_the_plot(self, stage: Stage, visit: Visit) -> None:
        walked = walk(Plan("18EU", 3, seed=41), most=260)
        game = _imported(stage, walked)
        ran = {
            event.company
            for entry in stage.games.log(game)
            for event in entry.events
            if isinstance(event, TrainsRun)
        }
        for size in ((1440, 900), PHONE):
            page = visit("Ana", f"/table/{game}", size=size)
            page.locator("#tab-chart").click()
            revenue = page.locator(".chart").nth(2)
            expect(revenue.locator(".legend li")).to_have_count(len(ran))
            self._check_boxes(page)

    def _check_boxes(self, page: Page) -> None:
        """The plot uses the width, and its legend is below it and on the screen."""
        for figure in page.locator(".chart:has(.carril-chart)").all():
            figure.scroll_into_view_if_needed()
            whole, plot = figure.bounding_box(), figure.locator(".carril-chart").bounding_box()
            assert whole
            assert plot
            assert plot["width"] > whole["width"] * 0.78
            for box in figure.locator(".carril-chart text").evaluate_all(BOXES):
                assert box["height"] >= 11
                assert whole["x"] - 1 <= box["x"]
                assert box["x"] + box["width"] <= whole["x"] + whole["width"] + 1
            for name in figure.locator(".legend li").all():
                box = name.bounding_box()
                assert box
                assert box["y"] > plot["y"] + plot["height"]
                assert box["x"] >= whole["x"] - 1
                assert box["x"] + box["width"] <= whole["x"] + whole["width"] + 1

    def test_no_two_lines_look_the_same(self, stage: Stage, visit: Visit) -> None:
        game = _imported(stage, walk(Plan("18EU", 3, seed=41), most=260))
        page = visit("Ana", f"/table/{game}")
        page.locator("#tab-chart").click()
        lines = page.locator(".chart").nth(2).locator(".legend .series-line")
        expect(lines.first).to_be_attached()
        drawn = "one => `${one.getAttribute('stroke')} ${one.getAttribute('stroke-dasharray')}`"
        looks = lines.evaluate_all(f"all => all.map({drawn})")
        assert len(looks) == len(set(looks)) > 5

    def test_pale_lines_have_an_outline(self, stage: Stage, visit: Visit) -> None:
        state = walk(Plan("18EU", 3, seed=41), most=260)
        page = visit("Ana", f"/table/{_imported(stage, state)}")
        page.locator("#tab-chart").click()
        under = page.locator(".legend .under.pale").first
        paper = page.evaluate("getComputedStyle(document.querySelector('.board')).backgroundColor")
        assert under.evaluate("one => getComputedStyle(one).stroke") != paper


def test_figures_in_tables_are_tabular_in_the_shipped_font(stage: Stage, visit: Visit) -> None:
    page = visit("Ana", f"/table/{_imported(stage, MISSING)}")
    _study(page)
    page.evaluate("document.fonts.ready.then(() => 0)")
    loaded = "[...document.fonts].filter(f => f.status === 'loaded').map(f => f.family)"
    names = {name.strip('"') for name in page.evaluate(loaded)}
    assert names == {"Source Sans 3", "Source Serif 4"}
    widths = page.evaluate(
        """() => ['1111', '0000', '7484'].map((text) => {
            const cell = document.querySelector('.runs-table td.n').cloneNode();
            cell.innerHTML = '<span></span>';
            cell.firstChild.textContent = text;
            document.querySelector('.runs-table tr[data-run]').append(cell);
            return cell.firstChild.getBoundingClientRect().width;
        })"""
    )
    assert len(set(widths)) == 1


def test_the_study_has_no_barriers(stage: Stage, visit: Visit, axe: str) -> None:
    for dark in (False, True):
        page = visit("Ana", f"/table/{_imported(stage, MISSING)}", dark=dark)
        _study(page)
        expect(page.locator("#study .bar.missed").first).to_be_visible()
        page.evaluate("document.getElementById('study').classList.add('htmx-request')")
        assert violations(page, axe, "#main") == []  # also while more runs are asked for
        page.goto(page.url.partition("?")[0] + "/play-on?at=20")
        assert violations(page, axe) == []
