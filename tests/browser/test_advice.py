"""Asking the planner at the table."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations
from tests.page.test_advice import stock_round


def test_the_planner_is_asked_and_answers_below_the_panel(
    stage: Stage, visit: Visit, axe: str
) -> None:
    page = visit("Ana", f"/table/{stage.table(stock_round())}")
    ask = page.get_by_role("button", name="What would the planner do?")
    expect(page.locator("#advice .thinking")).to_be_hidden()
    ask.click()
    expect(page.locator("#advice .advised li")).to_have_count(3)
    expect(page.locator("#advice .advised")).to_contain_text("ends with about")
    assert violations(page, axe) == []
    if folder := os.environ.get("CARRIL_PICTURES"):
        page.screenshot(path=Path(folder) / "advice.png")
    page.locator(".act .choice:not(.greyed)").first.click()
    expect(page.locator("#advice .advised")).to_have_count(0)
