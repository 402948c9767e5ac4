"""What is wrong with the page as it is shown: measured in the browser, one line for each fault."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.map_labels import overlaps

SMALLEST_TEXT = 11
SMALLEST_TARGET = 44


@cache
def _script() -> str:
    return Path(__file__).with_suffix(".js").read_text("utf-8")


def faults(page: Page, touch: bool = False, panel: bool = True) -> list[str]:
    """Return everything that is wrong with the table that a page shows.

    With `touch`, also buttons that are too small for a finger; without `panel`, not whether the
    main buttons are visible, which the card of a hex may cover.
    """
    limits = {"text": SMALLEST_TEXT, "touch": SMALLEST_TARGET if touch else 0, "panel": panel}
    found: list[str] = page.evaluate(_script(), limits)
    return found


def map_faults(page: Page) -> list[str]:
    """Return what is wrong with the map that a page shows: labels that overlap."""
    return [f"overlap: {one}" for one in overlaps(page)]


def barriers(page: Page, axe: str) -> list[str]:
    """Run axe-core on what a page shows; its own window keeps the page's content policy."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe + "\n;0")
    found = page.evaluate("() => axe.run('html', {resultTypes: ['violations']})")
    return [
        f"axe: {one['id']} ({one['impact']}): {[node['html'][:160] for node in one['nodes'][:3]]}"
        for one in found["violations"]
    ]
