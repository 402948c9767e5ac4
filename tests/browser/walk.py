"""A walk through a game of each title: every kind of step, at three sizes, light and dark.

`python -m tests.browser.walk [--title 18EU] [--size 1024x768] [--kind trains] [--pictures FOLDER]`
prints what is wrong and fails if anything is. Recorded games are used where they are, otherwise
games that a simple hand plays. Each step is opened in a what-if line, so that a note is shown and
the viewer decides.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright

from carril.bots import Dice, bot_named
from carril.engine.actions import Action
from carril.engine.state import State
from carril.notation.save import Game, to_text
from tests import table
from tests.browser.browsers import launch
from tests.browser.faults import faults
from tests.browser.positions import simple
from tests.browser.stage import Stage, served
from tests.page import esp_hand
from tests.rulebook.cuba import positions as cuba_positions

RECORDS = Path(__file__).parents[3] / "shared" / "games"
SIZES = ((1440, 900), (1024, 768), (390, 844))
SCHEMES = ("light", "dark")
USER = "Ana"
Hand = Callable[[State, Random], Action]


@dataclass(frozen=True)
class Stop:
    """A step of a game where the walk stops: what kind it is, and where to find it."""

    title: str
    kind: str
    game: str
    at: int


def random_bot(seed: int) -> Hand:
    """Return a hand that plays like the random bot."""
    bot, dice = bot_named("random"), Dice(seed)
    return lambda state, random: bot.choose(state, dice).action


def _played(first: State, hand: Hand, most: int) -> bytes:
    """Return a game that a hand plays, as a save file."""
    game, random = Game(first), Random(1)
    while not game.last.finished and len(game) < most:
        game.add(hand(game.last, random))
    return to_text(game).encode()


def _games(title: str, most: int, records: bool) -> Iterator[tuple[str, bytes]]:
    """Yield the games of a title to walk through: records if there are any, or played ones."""
    found = sorted((RECORDS / title).glob("*.json.gz")) if records else []
    found = [path for path in found if "trace" not in path.name]
    yield from ((path.name, path.read_bytes()) for path in found)
    if not found:
        yield f"{title}.json", _played(*_HANDS[title](), most)


_HANDS: dict[str, Callable[[], tuple[State, Hand]]] = {
    "18EU": lambda: (table.game(5, seed=3), simple),
    "18ESP": lambda: (esp_hand.game(5, seed=1), esp_hand.hand),
    "18Cuba": lambda: (cuba_positions.game(5), random_bot(3)),
}


def kind_of(state: State) -> str:
    """Return the kind of step: its mechanism, and what makes its panel look different."""
    if not state.agenda:
        return "over"
    step = state.step
    more = getattr(step, "stage", "")
    emergency = getattr(step, "emergency", None)
    if callable(emergency) and emergency(state):
        more = "emergency"
    return f"{step.mechanism} {more}".strip()


def stops(
    stage: Stage, title: str, kinds: Sequence[str] = (), most: int = 2000, records: bool = True
) -> list[Stop]:
    """Put games of a title on tables; return of each kind of step the one with most options."""
    best: dict[str, tuple[int, Stop]] = {}
    for name, data in _games(title, most, records):
        game = stage.games.import_file(stage.user(USER), data, name)
        for at in range(game.head + 1):
            state = stage.games.position(game.id, at).state
            kind = kind_of(state)
            if kinds and kind not in kinds:
                continue
            size = len(state.players) * 3 + len(state.options())
            if size > best.get(kind, (-1, None))[0]:
                best[kind] = size, Stop(title, kind, game.id, at)
    return [stop for _, stop in best.values()]


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
    context.add_cookies([stage.cookie(USER)])  # type: ignore[list-item]
    yield context.new_page()
    context.close()


def is_phone(size: tuple[int, int]) -> bool:
    """Return whether a size is that of a phone."""
    return size[0] < 760


def visit(stage: Stage, page: Page, stop: Stop) -> None:
    """Open a stop in a what-if line, or the end of a game as it is."""
    more = ""
    if stop.kind != "over":
        more = "?fork=" + stage.games.fork(stop.game, stage.user(USER), stop.at)
    page.goto(f"{stage.url}/table/{stop.game}{more}")
    page.locator("#sentence").wait_for()
    page.wait_for_timeout(120)


def walk(
    browser: Browser,
    stage: Stage,
    found: Sequence[Stop],
    views: Sequence[tuple[tuple[int, int], str]],
    pictures: Path | None = None,
) -> Iterator[str]:
    """Visit every stop in every view and yield what is wrong there."""
    for size, scheme in views:
        with window(browser, stage, size, scheme) as page:
            for stop in found:
                where = f"{stop.title} {stop.kind} {size[0]}x{size[1]} {scheme}"
                visit(stage, page, stop)
                yield from (f"{where}: {fault}" for fault in faults(page, is_phone(size)))
                _shoot(page, where, pictures)


def _shoot(page: Page, where: str, pictures: Path | None) -> None:
    if pictures:
        page.screenshot(path=pictures / f"{where.replace(' ', '-')}.png")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.browser.walk")
    parser.add_argument("--title", action="append", choices=list(_HANDS))
    parser.add_argument("--size", action="append", choices=[f"{w}x{h}" for w, h in SIZES])
    parser.add_argument("--scheme", action="append", choices=SCHEMES)
    parser.add_argument("--kind", action="append", default=[])
    parser.add_argument("--pictures", type=Path)
    return parser.parse_args()


def main() -> int:
    """Walk as the command line says; return 1 if anything is wrong."""
    asked = _arguments()
    sizes = [size for size in SIZES if not asked.size or f"{size[0]}x{size[1]}" in asked.size]
    views = list(product(sizes, asked.scheme or SCHEMES))
    if asked.pictures:
        asked.pictures.mkdir(parents=True, exist_ok=True)
    wrong = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as stage,
        sync_playwright() as play,
    ):
        browser = launch(play)
        for title in asked.title or _HANDS:
            found = stops(stage, title, asked.kind)
            print(f"{title}: {len(found)} kinds of steps: {', '.join(s.kind for s in found)}")
            for fault in walk(browser, stage, found, views, asked.pictures):
                wrong += 1
                print(fault)
    print(f"{wrong} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
