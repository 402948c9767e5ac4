"""The server, the browser and its pages. Without a chromium on the PATH these tests are skipped."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
    sync_playwright,
)

from tests.browser.browsers import chromium, launch
from tests.browser.stage import Stage, served

ROOT = Path(__file__).parents[2]
Visit = Callable[..., Page]
expect.set_options(timeout=30_000)


def _is_fault(told: ConsoleMessage) -> bool:
    """Return whether the console reports a mistake of the page; a lost connection is none."""
    if told.text.startswith(("htmx:sendError", "htmx:afterRequest")):
        return False
    return "Content Security Policy" in told.text or ("htmx:" in told.text and told.type == "error")


@pytest.fixture(scope="session")
def built() -> None:
    """Build the script of the page if its sources have changed."""
    environment = os.environ | {"PYTHON": sys.executable}
    with (ROOT / "package.json").open() as only_one:
        fcntl.flock(only_one, fcntl.LOCK_EX)
        subprocess.run([ROOT / "scripts/build-page"], check=True, env=environment)


@pytest.fixture(scope="session")
def axe(built: None) -> str:
    """The source of axe-core, which finds what keeps people from using a page."""
    return (ROOT / "node_modules/axe-core/axe.min.js").read_text("utf-8")


@pytest.fixture(scope="session")
def stage(built: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with served(tmp_path_factory.mktemp("stage")) as found:
        yield found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if chromium() is None:
        pytest.skip("no chromium on the PATH")
    with sync_playwright() as play:
        found = launch(play)
        yield found
        found.close()


@pytest.fixture
def visit(browser: Browser, stage: Stage) -> Iterator[Visit]:
    """Open a page as a user: `visit("Ana", "/table/...", size=(390, 844), dark=True)`."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def open_page(
        name: str = "Ana",
        path: str = "/",
        size: tuple[int, int] = (1400, 900),
        dark: bool = False,
        touch: bool = False,
    ) -> Page:
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            reduced_motion="reduce",
        )
        context.set_default_timeout(40_000)
        contexts.append(context)
        if name:
            context.add_cookies([stage.cookie(name)])  # type: ignore[list-item]
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda told: faults.append(told.text) if _is_fault(told) else None)
        page.goto(stage.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not faults, faults
