"""As somebody new: a private table for four from the front door, and a mail when it is my turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from carril.service import clock
from tests.browser import hands
from tests.browser.faults import faults
from tests.browser.stage import Stage, served
from tests.browser.test_everybody import violations
from tests.service.clocked import MovedClock
from tests.service.smtp_server import Mailbox, smtp_server

SIZES = {"desktop": (1440, 900), "tablet": (1024, 768), "phone": (390, 844)}
FRIENDS = ("Ben", "Cleo", "Dora")


class Hands:
    """Clicks and fills in like a person, and counts both."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0
        self.fields = 0

    def click(self, found: Locator | str) -> None:
        """Click something that is in sight, or can be scrolled to."""
        self._one(found).click()
        self.clicks += 1

    def fill(self, found: Locator | str, text: str) -> None:
        """Fill in a field."""
        self._one(found).fill(text)
        self.fields += 1

    def _one(self, found: Locator | str) -> Locator:
        return self.page.locator(found) if isinstance(found, str) else found


@pytest.fixture
def mails() -> Iterator[Mailbox]:
    with smtp_server() as box:
        yield box


@pytest.fixture
def mailing(built: None, mails: Mailbox, tmp_path: Path) -> Iterator[Stage]:
    """A server that sends its mails to `mails`."""
    known = {"smtp_host": "127.0.0.1", "smtp_port": mails.port, "smtp_security": "none"}
    with served(tmp_path, **known) as found:
        yield found


@pytest.fixture
def newcomer(browser: Browser, size: tuple[int, int]) -> Iterator[Callable[[str], Page]]:
    """Open an address in a browser that was never here."""
    contexts = []

    def open_page(url: str) -> Page:
        viewport = {"width": size[0], "height": size[1]}
        contexts.append(browser.new_context(viewport=viewport, has_touch=size[0] < 500))  # type: ignore[arg-type]
        contexts[-1].set_default_timeout(40_000)
        page = contexts[-1].new_page()
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()


def _link(mail: EmailMessage) -> str:
    """Return the address in a mail."""
    body = mail.get_body(("plain",))
    assert body
    found = re.search(r"http://\S+", body.get_content())
    assert found
    return found.group()


def _set_up(ana: Hands, address: str) -> list[str]:
    """Set up a table from the front door; return the links for the friends."""
    ana.fill("#play input[name=name]", "Ana")
    ana.click(ana.page.get_by_role("button", name="Play with friends"))
    ana.click('[data-friends="4"]')
    for number, name in enumerate(FRIENDS, start=2):
        ana.fill(f'input[name="name-{number}"]', name)
    ana.fill("#new-game input[name=email]", address)
    ana.click("#new-game button.primary")
    links = ana.page.locator("#open-seats input")
    expect(links).to_have_count(3)
    return [links.nth(index).input_value() for index in range(3)]


def _confirm(stage: Stage, mails: Mailbox, newcomer: Callable[[str], Page], address: str) -> None:
    """Open the link of the mail that asks for it, in any browser."""
    stage.until(lambda: bool(mails.to(address)))
    page = newcomer(_link(mails.to(address)[0]))
    page.locator("main button.primary").click()
    expect(page.locator("main")).to_contain_text("confirmed")


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
def test_a_private_table_for_four_and_a_mail_on_my_turn(
    mailing: Stage,
    mails: Mailbox,
    newcomer: Callable[[str], Page],
    size: tuple[int, int],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    axe: str,
) -> None:
    monkeypatch.setenv(clock.FILE, str(tmp_path / "clock"))
    moving = MovedClock(tmp_path / "clock", fixed=False)
    ana = Hands(newcomer(mailing.url))
    links = _set_up(ana, "ana@example.org")
    assert (ana.clicks, ana.fields) == (3, 5)
    game = ana.page.url.rpartition("/")[2]
    assert mailing.games.info(game).visibility == "private"
    _confirm(mailing, mails, newcomer, "ana@example.org")
    pages = {"Ana": ana.page}
    for name, link in zip(FRIENDS, links, strict=True):
        friend = Hands(newcomer(link))
        assert violations(friend.page, axe) == []
        friend.fill("input[name=email]", f"{name}@example.org")
        friend.click("main button.primary")
        pages[name] = friend.page
        expect(friend.page.locator("#part-players")).to_contain_text(name)
        _confirm(mailing, mails, newcomer, f"{name}@example.org")
    first = str(mailing.games.info(game).acting)
    while (following := str(mailing.games.info(game).acting)) == first:
        hands.click_through(pages[first], "#part-panel button[data-kind]:not([disabled])")
    address = f"{following}@example.org".replace("Ana@", "ana@")
    sent = len(mails.to(address))
    moving.move(minutes=1)
    mailing.until(lambda: len(mails.to(address)) > sent)
    mail = mails.to(address)[-1]
    assert mail["Subject"].startswith("Your turn: ")
    pages[following].goto(_link(mail))
    assert pages[following].url.endswith(f"/table/{game}#sentence")
    expect(pages[following].locator("#sentence")).to_be_in_viewport()
    expect(pages[following].locator("#sentence")).to_contain_text(following)
    assert faults(pages[following], touch=size[0] < 500) == []


@pytest.mark.parametrize("size", [SIZES["phone"]], ids=["phone"])
def test_a_wrong_address_is_noticed_before_anything_happens(
    mailing: Stage, newcomer: Callable[[str], Page], size: tuple[int, int]
) -> None:
    ana = newcomer(mailing.url)
    ana.get_by_role("button", name="Play with friends").click()
    ana.locator('[data-friends="2"]').click()
    ana.locator("#new-game input[name=email]").fill("ana@localhost")
    ana.locator("#new-game button.primary").click()
    expect(ana.locator("#error-new")).to_contain_text("mail address")
    assert ana.url.endswith("#new-title")
    ana.locator("#new-game input[name=email]").fill("")
    ana.locator("#new-game button.primary").click()
    link = ana.locator("#open-seats input").input_value()
    guest = newcomer(link)
    guest.locator("input[name=name]").fill("Ben")
    guest.locator("input[name=email]").fill("ben@localhost")
    guest.locator("main button.primary").click()
    expect(guest.locator("#error-join")).to_contain_text("mail address")
    guest.locator("input[name=email]").fill("ben@example.org")
    guest.locator("main button.primary").click()
    guest.wait_for_url("**/table/*")
