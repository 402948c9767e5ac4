"""The browser of the machine."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Playwright

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


def chromium() -> str | None:
    """Return where a chromium is, if there is one."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def launch(play: Playwright) -> Browser:
    """Start it."""
    found = chromium()
    assert found, "no chromium on the PATH"
    return play.chromium.launch(executable_path=found, args=list(_QUIET))
