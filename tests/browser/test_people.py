"""People by clicking: a table for friends, votes, rematch, bots in seats, lists, profiles."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from carril.service.store.notices import hooks_of
from carril.service.values import NewGame, Seat
from tests import table
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations

SIZES = {"desktop": (1400, 900), "phone": (390, 844)}


def yes(page: Page) -> None:
    """Answer the question of the page."""
    page.locator("#question button[value=yes]").click()


def too_small(page: Page) -> list[str]:
    """Return the buttons, fields and links like buttons that are lower than 44 pixels."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(`main .choice, main input:not([type=hidden],
        [type=checkbox], [type=radio]), main select, main textarea`)]
        .filter(e => e.offsetParent && e.getBoundingClientRect().height < 43.5)
        .map(e => e.outerHTML.slice(0, 120))"""
    )
    return found


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_private_table_for_four(stage: Stage, visit: Visit, size: tuple[int, int]) -> None:
    ana = visit("Ana", "/", size=size)
    ana.locator('[data-friends="4"]').click()
    for number, name in enumerate(("Ben", "Cleo", "Dora"), start=2):
        ana.locator(f'input[name="name-{number}"]').fill(name)
    ana.locator("#new-game button.primary").click()
    links = ana.locator("#open-seats input")
    expect(links).to_have_count(3)
    addresses = [links.nth(index).input_value() for index in range(3)]
    game = ana.url.rpartition("/")[2]
    stranger = visit("", f"/table/{game}", size=size)
    expect(stranger.locator("main")).to_contain_text("There is no game")
    for name, address in zip(("Ben", "Cleo", "Dora"), addresses, strict=True):
        guest = visit("", address.removeprefix(stage.url), size=size)
        expect(guest.locator("input[name=name]")).to_have_value(name)
        guest.locator("main button.primary").click()
        expect(guest.locator("#part-players")).to_contain_text(name)
    expect(ana.locator("#open-seats")).to_have_count(0)
    assert stage.games.info(game).visibility == "private"


def two_at(stage: Stage, name: str) -> str:
    return stage.table(table.game(2), {"Ana": "Ana", "Ben": "Ben"}, name)


def test_a_game_is_ended_by_vote_and_played_again(stage: Stage, visit: Visit) -> None:
    game = two_at(stage, "Ending")
    ana, ben = visit("Ana", f"/table/{game}/people"), visit("Ben", f"/table/{game}")
    ana.locator("#end button").click()
    yes(ana)
    expect(ana.locator("#vote-end")).to_contain_text("You suggested ending the game")
    expect(ben.locator("#vote-end")).to_contain_text("Ana suggests ending the game now")
    ben.locator("#vote-end button.primary").click()
    expect(ben.locator("#rematch-note")).to_be_visible()
    assert stage.games.info(game).ended == "agreement"
    ben.locator("#rematch-note button").click()
    expect(ben.locator("#open-seats")).to_be_visible()
    again = ben.url.rpartition("/")[2]
    ana.goto(f"{stage.url}/table/{game}")
    ana.locator("#rematch-note button", has_text="Join the rematch").click()
    expect(ana).to_have_url(f"{stage.url}/table/{again}")
    assert [seat.player for seat in stage.games.info(again).seats] == ["Ben", "Ana"]


def test_a_bot_plays_a_seat_and_gives_it_back(stage: Stage, visit: Visit) -> None:
    game = two_at(stage, "Away")
    acting = stage.state(game).acting or ""
    page = visit(acting, f"/table/{game}/people")
    page.locator("#seats select[name=bot]").select_option("random")
    page.locator("#seats button", has_text="Let the bot play").click()
    expect(page.locator("#seats")).to_contain_text("bot random plays")
    stage.until(lambda: stage.games.info(game).head > 0)
    page.goto(f"{stage.url}/table/{game}")
    expect(page.locator("#stand-in")).to_contain_text(f"The bot random plays for {acting}")
    page.locator("#stand-in button").click()
    expect(page.locator("#stand-in")).to_have_count(0)
    seat = stage.games.info(game).seat(acting)
    assert seat is not None
    assert seat.bot == ""


def test_a_table_has_a_web_hook_of_its_own(stage: Stage, visit: Visit) -> None:
    game = two_at(stage, "Hooked")
    page = visit("Ana", f"/table/{game}/people")
    page.locator("#hooks [name=url]").fill("https://example.org/channel")
    with page.expect_navigation():
        page.locator("#hooks form.stack button").click()
    expect(page.locator("#hooks .rows li")).to_contain_text("example.org/channel")
    with stage.games.reading() as reader:
        assert [one.game for one in hooks_of(reader.connection, game=game)] == [game]
    expect(visit("Ben", f"/table/{game}/people").locator("#hooks")).to_have_count(0)
    page.locator("#hooks .rows button").click()
    expect(page.locator("#hooks .rows li")).to_have_count(0)


def test_notes_are_private_and_remarks_unread(stage: Stage, visit: Visit) -> None:
    game = two_at(stage, "Notes")
    ana = visit("Ana", f"/table/{game}/people")
    ana.locator("#note-text").fill("Ben is short of cash.")
    ana.locator("#note button").click()
    expect(ana.locator("#note-text")).to_have_value("Ben is short of cash.")
    ben = visit("Ben", f"/table/{game}/people")
    expect(ben.locator("#note-text")).to_have_value("")
    stage.games.post_remark(game, stage.user("Ana"), "Hello!")
    ben.goto(stage.url)
    row = ben.locator(".game", has_text="Notes")
    expect(row.locator(".unread")).to_contain_text("1")
    ben.goto(f"{stage.url}/table/{game}")
    expect(ben.locator("#unread")).to_have_text("1")
    with ben.expect_response("**/read"):
        ben.locator("#tab-chat").click()
    ben.goto(stage.url)
    expect(ben.locator(".game", has_text="Notes").locator(".unread")).to_have_count(0)


def test_a_table_is_found_and_joined_in_one_click(stage: Stage, visit: Visit) -> None:
    seats = (Seat("me"), Seat("person"))
    new = NewGame("18EU", seats, name="Come and play", visibility="public")
    made = stage.games.create(stage.user("Ana"), new)
    page = visit("Zoe", "/tables")
    page.locator("input[type=search]").fill("come and")
    page.locator(".filters button").click()
    expect(page.locator(".table-list li")).to_have_count(1)
    page.locator(".table-list button", has_text="Join").click()
    expect(page).to_have_url(f"{stage.url}/table/{made.id}")
    assert stage.games.info(made.id).seats_of(stage.user("Zoe")) == ("Guest 2",)


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_pages_of_people_are_for_everybody(
    stage: Stage, visit: Visit, axe: str, size: tuple[int, int]
) -> None:
    game = two_at(stage, "For everybody")
    name = f"Paula {size[0]}"
    user = stage.accounts.register(name, "a long password")
    for path in ("/tables", f"/people/{user.id}", "/recover", f"/table/{game}/people", "/account"):
        page = visit("Ana", path, size=size)
        assert violations(page, axe) == [], path
        assert too_small(page) == [], path
        wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
        assert not wide, path
