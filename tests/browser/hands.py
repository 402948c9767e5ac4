"""What a hand does at the table."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.stage import Stage


def at(page: Page, number: int) -> None:
    """Wait until the page shows this position; a busy machine takes its time."""
    expect(page.locator("#where")).to_have_attribute("data-at", str(number), timeout=40_000)


def number(page: Page) -> int:
    """Return the position that the page shows."""
    return int(page.locator("#where").get_attribute("data-at") or 0)


def click_through(page: Page, *selectors: str) -> str:
    """Click the first of these that is there, and wait for the next position."""
    before = number(page)
    for selector in selectors:
        found = page.locator(selector)
        if found.count():
            found.first.click()
            expect(page.locator("#where")).not_to_have_attribute("data-at", str(before))
            return selector
    raise AssertionError(f"none of {selectors} at {page.locator('#sentence').inner_text()}")


def act(kind: str) -> str:
    """Return what selects the buttons of a kind of action."""
    return f'#part-panel button[data-kind="{kind}"]'


def open_hex(page: Page, hex_id: str) -> None:
    """Click a hex on the map."""
    page.locator("#tab-map").click()
    page.locator(f'#map .ground [data-hex="{hex_id}"] use').click(force=True)
    expect(page.locator("#hexcard")).to_be_visible()


def lay_first(page: Page) -> None:
    """Lay the first tile that fits the first hex within reach, by the map."""
    before = number(page)
    hex_id = page.locator("[data-open-hex]").first.get_attribute("data-open-hex")
    assert hex_id
    open_hex(page, hex_id)
    page.locator(".ring-tile").first.click()
    page.locator("[data-lay-tile]").click()
    expect(page.locator("#where")).not_to_have_attribute("data-at", str(before))


def sentence(page: Page) -> str:
    """Return what the panel says may be done."""
    return page.locator("#sentence").inner_text()


def says(page: Page, words: str) -> None:
    """Wait until the panel says so."""
    expect(page.locator("#sentence")).to_contain_text(re.compile(words))


def same_position(stage: Stage, game: str, page: Page) -> None:
    """Check that the page shows the newest position of the game."""
    at(page, stage.games.info(game).head)
