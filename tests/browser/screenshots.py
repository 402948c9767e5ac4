"""Pictures of the table for the manual: seeded games at telling moments.

`python -m tests.browser.screenshots FOLDER [NAME ...]`; `scripts/screenshots` calls it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from itertools import product
from pathlib import Path
from random import Random

from playwright.sync_api import Browser, Page, sync_playwright

from carril.bots import Dice, bot_named
from carril.engine.actions import Action, ConvertConcession
from carril.engine.state import State
from tests import table
from tests.browser.browsers import launch
from tests.browser.positions import simple
from tests.browser.stage import Stage, served
from tests.page import esp_hand
from tests.rulebook.cuba import positions as cuba_positions

WIDE, PHONE = (1400, 900), (390, 844)
SHAPES = ((WIDE, "wide"), (PHONE, "phone"))
SEED = 3
_ELSEWHERE = ("esp", "cuba", "lobby", "door")
"""What does not need the first of the games: pictures of the others, and pages without a game."""
Hand = Callable[[State, Random], Action]
Plans = dict[str, tuple[Callable[[], str], Callable[[Page], None] | None]]


def _tag(state: State) -> str:
    return str(type(state.step).__struct_config__.tag) if state.agenda else "over"


class Scenes:
    """One seeded game, played on tables of its own up to each moment."""

    def __init__(self, stage: Stage, first: State, hand: Hand) -> None:
        """Play the game once in memory, from its first position with this hand."""
        self.stage = stage
        self.actions: list[Action] = []
        self.states = [first]
        random = Random(SEED)
        while not self.states[-1].finished:
            action = hand(self.states[-1], random)
            self.actions.append(action)
            self.states.append(self.states[-1].apply(action).state)

    def moment(self, tag: str, after: int, check: Callable[[State], bool]) -> int:
        """Return the first number from which a step is due and something holds."""
        for number in range(after, len(self.states)):
            if _tag(self.states[number]) == tag and check(self.states[number]):
                return number
        raise AssertionError(tag)

    def table(self, name: str, number: int) -> str:
        """Return a table where the game has come so far, with its log."""
        game = self.stage.table(self.states[0], name=name)
        for action in self.actions[:number]:
            self.stage.act(game, "Ana", action)
        return f"{self.stage.url}/table/{game}"


@contextmanager
def _page(
    browser: Browser, stage: Stage, size: tuple[int, int], scheme: str, guest: str = "Ana"
) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if scheme == "dark" else "light",
        reduced_motion="reduce",
        has_touch=size == PHONE,
    )
    if guest:
        context.add_cookies([stage.cookie(guest)])  # type: ignore[list-item]
    yield context.new_page()
    context.close()


def _major(state: State) -> bool:
    return state.companies[state.step.subject].kind == "major"


def _rich(state: State) -> bool:
    company = state.companies[state.step.subject]
    return company.kind == "major" and len(company.trains) > 1


def _open_hex(page: Page) -> None:
    hexes = page.locator("[data-open-hex]")
    hexes.nth(min(2, hexes.count() - 1)).click()
    page.locator(".ring-tile").first.wait_for()
    page.locator(".ring-tile").first.click()


def _plans(scenes: Scenes) -> Plans:
    first = scenes.moment

    def at(name: str, number: int) -> Callable[[], str]:
        return lambda: scenes.table(name, number)

    bidding = first("auction", 18, lambda s: getattr(s.step, "stage", "") == "bidding")
    return {
        "auction": (at("Evening at Ana's", bidding), None),
        "stock": (at("Tuesday evenings", first("stock-round", 320, lambda s: True)), None),
        "track": (at("Berlin to Warsaw", first("track", 330, _major)), _open_hex),
        "run": (at("Across the Alps", first("run", 520, _rich)), None),
        "trains": (at("Night train to Lyon", first("trains", 330, _major)), None),
        "finished": (at("Grand tour", len(scenes.actions)), None),
    }


def _esp_plans(scenes: Scenes) -> Plans:
    def at(name: str, tag: str, after: int, check: Callable[[State], bool]) -> Callable[[], str]:
        return lambda: scenes.table(name, scenes.moment(tag, after, check))

    def several(state: State) -> bool:
        return len(state.options()) > 6

    return {
        "esp-auction": (at("La Maquinista", "auction", 20, lambda s: True), None),
        "esp-build": (at("Over the Cantabrian", "build", 480, several), _open_hex),
        "esp-stock": (at("Madrid, Zaragoza, Alicante", "stock-round", 240, several), None),
    }


def _cuba_hand() -> Hand:
    """Return a hand that plays like the random bot."""
    bot, dice = bot_named("random"), Dice(SEED)
    return lambda state, random: bot.choose(state, dice).action


def _cuba_plans(scenes: Scenes) -> Plans:
    def at(name: str, tag: str, after: int, check: Callable[[State], bool]) -> Callable[[], str]:
        return lambda: scenes.table(name, scenes.moment(tag, after, check))

    def converts(state: State) -> bool:
        return any(isinstance(option, ConvertConcession) for option in state.options())

    return {
        "cuba-auction": (at("Sugar and steam", "auction", 3, lambda s: True), None),
        "cuba-stock": (at("Six concessions", "stock-round", 0, converts), None),
        "cuba-track": (at("Matanzas to Camagüey", "track", 200, _major), _open_hex),
        "cuba-run": (at("Night mail to Havana", "run", 250, _major), None),
    }


def _shoot(
    opened: AbstractContextManager[Page],
    url: str,
    prepare: Callable[[Page], None] | None,
    file: Path,
) -> None:
    """Write a picture of a page once it is loaded and prepared."""
    with opened as page:
        page.goto(url)
        page.wait_for_load_state("load")
        if prepare:
            prepare(page)
        page.wait_for_timeout(250)
        page.screenshot(path=file)


def _some_tables(stage: Stage) -> None:
    """Put tables into the list of games."""
    stage.table(table.game(3), name="Evening at Ana's")
    seats = {"Ana": "Ana", "Ben": "bot:greedy", "Cleo": "bot:greedy"}
    stage.table(esp_hand.game(3, seed=1), seats, name="La Maquinista")
    stage.table(cuba_positions.game(4), name="Sugar and steam")


def make(folder: Path, names: list[str]) -> None:
    """Write the pictures, wide and for a phone, light and dark."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as place,
        served(Path(place)) as stage,
        sync_playwright() as play,
    ):
        browser = launch(play)
        plans: Plans = {}
        if not names or any(name.split("-")[0] not in _ELSEWHERE for name in names):
            plans |= _plans(Scenes(stage, table.game(3, seed=SEED), simple))
        if not names or any(name.startswith("esp-") for name in names):
            plans |= _esp_plans(Scenes(stage, esp_hand.game(seed=1), esp_hand.hand))
        if not names or any(name.startswith("cuba-") for name in names):
            plans |= _cuba_plans(Scenes(stage, cuba_positions.game(4), _cuba_hand()))
        wanted = names or [*plans, "lobby", "door"]
        urls = {name: plan[0]() for name, plan in plans.items() if name in wanted}
        urls |= {"lobby": stage.url, "door": stage.url}
        if "lobby" in wanted and not plans:
            _some_tables(stage)
        for name in wanted:
            guest = "" if name == "door" else "Ana"
            prepare = plans[name][1] if name in plans else None
            for (size, shape), scheme in product(SHAPES, ("light", "dark")):
                file = folder / f"{name}-{shape}-{scheme}.png"
                opened = _page(browser, stage, size, scheme, guest)
                _shoot(opened, urls[name], prepare, file)
            print(name)


if __name__ == "__main__":
    make(Path(sys.argv[1]), sys.argv[2:])
