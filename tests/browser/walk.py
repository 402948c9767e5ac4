"""A walk through games of each title: every kind of step, at three sizes, light and dark.

`python -m tests.browser.walk [--title 18EU] [--size 1024x768] [--kind trains] [--pictures FOLDER]`
prints what is wrong and fails if anything is, or if a kind of step never came up. Each step is
opened in a what-if line, so that a note is shown and the viewer decides; then its map, the card of
a hex, and for some steps every other view.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from carril.page.hotkeys import VIEWS
from tests.browser.browsers import launch
from tests.browser.faults import barriers, faults, map_faults
from tests.browser.stage import Stage, served
from tests.browser.walk_stops import EXPECTED, USER, Stop, stops

SIZES = ((1440, 900), (1024, 768), (390, 844))
SCHEMES = ("light", "dark")
ALL_VIEWS = ("stock-round", "over")
"""Steps where every view is opened."""


@contextmanager
def window(browser: Browser, stage: Stage, size: tuple[int, int], scheme: str) -> Iterator[Page]:
    """Open a browser window of a size in a colour scheme; a phone has a touch screen."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=is_phone(size),
        is_mobile=is_phone(size),
    )
    context.set_default_timeout(60_000)
    context.add_cookies([stage.cookie(USER)])  # type: ignore[list-item]
    yield context.new_page()
    context.close()


def is_phone(size: tuple[int, int]) -> bool:
    """Return whether a size is that of a phone."""
    return size[0] < 760


@contextmanager
def visited(stage: Stage, page: Page, stop: Stop) -> Iterator[None]:
    """Open a stop in a what-if line, or the end of a game as it is; discard the line afterwards."""
    user = stage.user(USER)
    fork = "" if stop.kind == "over" else stage.games.fork(stop.game, user, stop.at)
    page.goto(f"{stage.url}/table/{stop.game}{f'?fork={fork}' if fork else ''}")
    page.locator("#sentence").wait_for()
    page.wait_for_timeout(120)
    yield
    if fork:
        stage.games.discard_fork(stop.game, user, fork)


def _show_view(page: Page, view: str) -> None:
    page.evaluate("id => document.getElementById(id).click()", f"tab-{view}")
    expect(page.locator(f"#view-{view}")).not_to_contain_text("Loading …", timeout=60_000)
    expect(page.locator(".htmx-request")).to_have_count(0, timeout=60_000)
    page.wait_for_timeout(60)


def _found_at(page: Page, stop: Stop, touch: bool, axe: str) -> Iterator[str]:
    """Yield what is wrong at a stop: as it opens, on the map, in a hex card, in other views."""
    yield from faults(page, touch)
    yield from barriers(page, axe)
    _show_view(page, "map")
    yield from (f"map: {fault}" for fault in map_faults(page))
    first = page.locator("[data-open-hex]").first
    if first.count():
        first.evaluate("button => button.click()")
        page.locator("#hexcard:not([hidden])").wait_for()
        yield from (f"hex card: {fault}" for fault in faults(page, touch, panel=False))
        yield from (f"hex card: {fault}" for fault in barriers(page, axe))
        page.keyboard.press("Escape")
    for view in VIEWS if stop.kind in ALL_VIEWS and not stop.action else ():
        _show_view(page, view)
        yield from (f"view {view}: {fault}" for fault in faults(page, touch, panel=False))
        yield from (f"view {view}: {fault}" for fault in barriers(page, axe))


def walk(
    browser: Browser,
    stage: Stage,
    found: Sequence[Stop],
    views: Sequence[tuple[tuple[int, int], str]],
    axe: str,
    pictures: Path | None = None,
) -> Iterator[str]:
    """Visit every stop in every view and yield what is wrong there."""
    for size, scheme in views:
        with window(browser, stage, size, scheme) as page:
            for stop in found:
                where = f"{stop.name} {size[0]}x{size[1]} {scheme}"
                wrong = _visit(stage, page, stop, axe, pictures and pictures / where)
                yield from (f"{where}: {fault}" for fault in wrong)


def _visit(stage: Stage, page: Page, stop: Stop, axe: str, picture: Path | None) -> list[str]:
    """Return what is wrong at a stop, each fault once, and keep a picture of it."""
    with visited(stage, page, stop):
        if picture:
            page.screenshot(path=picture.with_name(picture.name.replace(" ", "-") + ".png"))
        touch = bool(page.evaluate("navigator.maxTouchPoints"))
        return list(dict.fromkeys(_found_at(page, stop, touch, axe)))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.walk")
    parser.add_argument("--title", action="append", choices=list(EXPECTED))
    parser.add_argument("--size", action="append", choices=[f"{w}x{h}" for w, h in SIZES])
    parser.add_argument("--scheme", action="append", choices=SCHEMES)
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--pictures", type=Path)
    return parser.parse_args()


def _title_faults(
    browser: Browser, stage: Stage, title: str, asked: argparse.Namespace
) -> Iterator[str]:
    """Walk through the games of a title and yield what is wrong."""
    sizes = [size for size in SIZES if not asked.size or f"{size[0]}x{size[1]}" in asked.size]
    found = stops(stage, title, asked.kind)
    kinds = {stop.kind for stop in found}
    print(f"{title}: {len(found)} stops, {len(kinds)} kinds of steps: {', '.join(sorted(kinds))}")
    for missing in sorted((set(asked.kind) or EXPECTED[title]) - kinds):
        yield f"{title} {missing}: never came up"
    views = list(product(sizes, asked.scheme or SCHEMES))
    yield from walk(browser, stage, found, views, axe_source(), asked.pictures)


def axe_source() -> str:
    """Return the script that finds what keeps people from using a page."""
    return (Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js").read_text("utf-8")


def main() -> int:
    """Walk as the command line says; return 1 if anything is wrong."""
    asked = _arguments()
    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as stage,
        sync_playwright() as play,
    ):
        browser = launch(play)
        for title in asked.title or EXPECTED:
            for fault in _title_faults(browser, stage, title, asked):
                wrong += 1
                print(fault, flush=True)
    print(f"{wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
