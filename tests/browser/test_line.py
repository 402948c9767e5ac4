"""Undo, history, fork, import, and what is told when somebody acted first."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from carril.engine.actions import ChooseLot, RunTrains
from tests import table
from tests.browser import hands
from tests.browser.conftest import ROOT, Visit
from tests.browser.positions import played_until
from tests.browser.stage import Stage

RECORDS = ROOT.parent / "shared" / "games" / "18EU"


def _bidding(stage: Stage) -> str:
    game = stage.table(table.game(3))
    stage.act(game, "Ana", ChooseLot("5"))
    return game


def test_undo_one_step(stage: Stage, visit: Visit) -> None:
    game = _bidding(stage)
    page = visit("Ana", f"/table/{game}")
    hands.click_through(page, '.amount button[data-kind="bid"]')
    hands.says(page, "Ana bids £100 for minor 5")
    page.locator('[data-undo="step"]').click()
    hands.at(page, 1)
    hands.says(page, "Ana may open the bidding")
    assert stage.games.info(game).head == 1


def test_history_by_slider_arrows_log_and_link(stage: Stage, visit: Visit) -> None:
    game = _bidding(stage)
    page = visit("Ana", f"/table/{game}")
    hands.click_through(page, '.amount button[data-kind="bid"]')
    hands.click_through(page, '.amount button[data-kind="bid"]')
    hands.at(page, 3)
    page.locator('.history [data-key="back"]').click()
    hands.at(page, 2)
    assert "at=2" in page.url
    expect(page.locator("#past-note")).to_contain_text("position 2")
    page.locator("#slider").fill("0")
    hands.at(page, 0)
    hands.says(page, "Ana puts a minor up for sale")
    page.locator("#past-note [data-go]").click()
    hands.at(page, 3)
    assert "at=" not in page.url
    page.locator("#entry-1 .number").click()
    hands.at(page, 1)
    page.go_back()
    hands.at(page, 3)
    later = visit("Ana", f"/table/{game}?at=1")
    hands.at(later, 1)
    later.locator('[data-undo="here"]').click()
    later.locator("#question button", has_text="Yes").click()
    hands.at(later, 1)
    hands.at(page, 1)
    assert stage.games.info(game).head == 1


def test_the_best_run_of_an_earlier_position_comes_after_it(stage: Stage, visit: Visit) -> None:
    """The position is there at once; its run, once it is searched, by itself."""
    state = played_until(5, "run", after=200)
    game = stage.table(state)
    stage.act(game, "Ana", next(one for one in state.options() if isinstance(one, RunTrains)))
    page = visit("Ana", f"/table/{game}")
    page.locator('[data-go="0"]').first.click()
    hands.at(page, 0)
    expect(page.locator(".proof").first).to_contain_text("Proven")
    expect(page.locator("#where")).not_to_have_attribute("data-later", "1")
    assert page.locator("#map .routes .route").count() > 0


def test_a_fork_is_private_and_can_be_kept_or_thrown_away(stage: Stage, visit: Visit) -> None:
    game = _bidding(stage)
    page = visit("Ana", f"/table/{game}")
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    hands.click_through(page, '.amount button[data-kind="bid"]')
    assert stage.games.info(game).head == 1
    page.locator("#fork-note button", has_text="Discard this line").click()
    page.wait_for_url(f"**/table/{game}")
    hands.at(page, 1)
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    hands.click_through(page, '.amount button[data-kind="bid"]')
    page.locator("#fork-note button", has_text="Make this the real game").click()
    page.locator("#question button", has_text="Yes").click()
    page.wait_for_url(f"**/table/{game}")
    hands.at(page, 2)
    assert stage.games.info(game).head == 2


def test_two_tabs_never_disagree(stage: Stage, visit: Visit) -> None:
    game = _bidding(stage)
    one, two = visit("Ana", f"/table/{game}"), visit("Ana", f"/table/{game}")
    two.route("**/live?*", lambda route: route.abort())
    two.reload()
    hands.click_through(one, '.amount button[data-kind="bid"]')
    two.locator('.amount button[data-kind="bid"]').click()
    expect(two.locator("#notice")).to_contain_text("Somebody else acted first")
    hands.at(two, 2)
    hands.at(one, 2)
    assert stage.games.info(game).head == 2


def test_a_lost_connection_comes_back_and_misses_nothing(stage: Stage, visit: Visit) -> None:
    game = _bidding(stage)
    page = visit("Ana", f"/table/{game}")
    page.context.set_offline(True)
    from carril.engine.actions import Bid

    stage.act(game, "Ana", Bid(100))
    page.context.set_offline(False)
    hands.at(page, 2)


def test_an_imported_record_is_looked_through_and_forked(stage: Stage, visit: Visit) -> None:
    record = RECORDS / "74045.json.gz"
    if not record.exists():
        pytest.skip("the recorded games are not on this machine")
    page = visit("Ana", "/")
    page.locator('input[type="file"]').set_input_files(Path(record))
    page.locator(".import button").click()
    page.wait_for_selector("#table")
    head = hands.number(page)
    assert head > 600
    expect(page.locator(".standing")).to_contain_text("£7127")
    page.locator("#slider").fill("300")
    hands.at(page, 300)
    page.locator("#tab-chart").click()
    expect(page.locator(".carril-chart").first).to_be_visible()
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    assert page.locator("#part-panel button[data-kind]").count() > 0


def test_a_bad_file_gets_a_reason(stage: Stage, visit: Visit, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"not": "a game"}')
    page = visit("Ana", "/")
    page.locator('input[type="file"]').set_input_files(bad)
    page.locator(".import button").click()
    expect(page.locator("main")).to_contain_text("bad.json")
