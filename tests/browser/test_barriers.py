"""Axe finds nothing in any view and dialog of the three titles, in light and in dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from carril.engine.state import State
from carril.page.hotkeys import VIEWS
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.faults import barriers
from tests.browser.stage import Stage
from tests.rulebook.cuba import positions as cuba
from tests.rulebook.esp import works

SCHEMES = pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])


def _stock_round(title: str) -> State:
    if title == "18EU":
        return table.stock_round(table.own_minors(table.game(3), {}))
    if title == "18Cuba":
        return cuba.stock_round(cuba.four_companies())
    return works.turn("SC", name="2")


def _dialogs(page: Page, axe: str) -> list[str]:
    """Return what axe finds in the dialogs that every table has."""
    found = []
    for key, dialog in (("s", "#settings"), ("?", "#keys")):
        page.keyboard.press(key)
        expect(page.locator(dialog)).to_be_visible()
        found += [f"{dialog}: {one}" for one in barriers(page, axe)]
        page.keyboard.press("Escape")
        expect(page.locator(dialog)).to_be_hidden()
    return found


@SCHEMES
@pytest.mark.parametrize("title", ["18EU", "18ESP", "18Cuba"])
def test_no_view_or_dialog_has_barriers(
    stage: Stage, visit: Visit, axe: str, title: str, dark: bool
) -> None:
    page = visit("Ana", f"/table/{stage.table(_stock_round(title))}", dark=dark)
    found = _dialogs(page, axe)
    for view in (*VIEWS, "chat"):
        page.locator(f"#tab-{view}").click()
        expect(page.locator(f"#view-{view}")).not_to_contain_text("Loading …")
        expect(page.locator(".htmx-request")).to_have_count(0)
        found += [f"{view}: {one}" for one in barriers(page, axe)]
    assert found == []


@SCHEMES
def test_the_question_before_an_undo_has_no_barriers(
    stage: Stage, visit: Visit, axe: str, dark: bool
) -> None:
    game = stage.table(_stock_round("18EU"))
    page = visit("Ana", f"/table/{game}", dark=dark)
    for _ in range(2):
        hands.click_through(page, hands.act("pass"))
    page.locator('.history [data-go="0"]').click()
    hands.at(page, 0)
    page.locator(".line-tools [data-undo]").first.click()
    expect(page.locator("#question")).to_be_visible()
    assert barriers(page, axe) == []
    page.locator("#question button").last.click()
    assert stage.games.info(game).head == 2
