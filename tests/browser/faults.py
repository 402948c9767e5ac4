"""What is wrong with the page as it is shown: measured in the browser, one line for each fault."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from playwright.sync_api import Page

SMALLEST_TEXT = 11
SMALLEST_TARGET = 44

MAP_CHECKS: list[Callable[[Page], list[str]]] = []
"""Checks of the map, such as labels that overlap: each returns its faults."""


@cache
def _script() -> str:
    return Path(__file__).with_suffix(".js").read_text("utf-8")


def faults(page: Page, touch: bool = False) -> list[str]:
    """Return everything that is wrong with the table that a page shows.

    With `touch`, also buttons that are too small for a finger.
    """
    limits = {"text": SMALLEST_TEXT, "touch": SMALLEST_TARGET if touch else 0}
    found: list[str] = page.evaluate(_script(), limits)
    for check in MAP_CHECKS:
        found += check(page)
    return found
