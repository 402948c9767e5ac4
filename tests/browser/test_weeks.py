"""Two people and a bot finish a game over some weeks, by clicking; the test moves the clock."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from carril.engine.actions import Bid
from carril.service import clock
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.service.clocked import MovedClock

NEARLY_BROKEN = 1500
"""Bots are quick: the game must last until both people have taken their seats back."""
SEED = "5"
"""With this seed the order of play is Ben, Ana, and the bot."""
BUTTON = "#part-panel button[data-kind]:not([disabled])"
PASS = '#part-panel button[data-kind="pass"]:not([disabled])'
BID = '.amount button[data-kind="bid"]'


class Weeks:
    """The table, its pages by player, and the clock."""

    def __init__(self, stage: Stage, visit: Visit, moving: MovedClock) -> None:
        self.stage = stage
        self.visit = visit
        self.moving = moving
        self.game = ""
        self.pages: dict[str, Page] = {}

    @property
    def acting(self) -> str:
        """The player to act."""
        return str(self.stage.games.info(self.game).acting)

    def go(self, player: str, path: str) -> Page:
        """Let a player open a page of the table."""
        page = self.pages[player]
        page.goto(f"{self.stage.url}/table/{self.game}{path}")
        return page

    def click(self, *selectors: str) -> None:
        """Let whoever is next act, a few hours later; the bot acts by itself."""
        self.moving.move(hours=3)
        head = self.stage.games.info(self.game).head
        page = self.pages[self.acting]
        hands.at(page, head)
        hands.click_through(page, *selectors)

    def settled(self) -> None:
        """Wait for the bot, and for programs: until a person must decide or the game is over."""

        def waits() -> bool:
            info = self.stage.games.info(self.game)
            active = (
                one.active
                for name in self.pages
                for one in self.stage.games.programs(self.game, self.stage.user(name))
            )
            return info.finished or (info.acting in self.pages and not any(active))

        self.stage.until(waits)

    def until_turn(self, player: str, *selectors: str) -> None:
        """Let the people act until it is somebody's turn."""
        self.settled()
        while self.acting != player:
            self.click(*selectors)
            self.settled()

    def give(self, player: str, kind: str, **fields: str) -> None:
        """Give a program with the form."""
        page = self.pages[player]
        page.locator(".program-new").click()
        card = page.locator(f'.program-card[data-kind="{kind}"]')
        card.locator("> summary").click()
        for name, value in fields.items():
            field = card.locator(f"[name={name}]")
            if name == "then":
                field.select_option(value)
            else:
                field.fill(value)
        card.locator("button.primary").click()
        expect(page.locator("#programs")).not_to_be_visible()

    def let_bot_play(self, player: str, bot: str) -> None:
        """Let a bot play a seat, or take the seat back."""
        page = self.go(player, "/people")
        form = page.locator("#seats form[action$='/bot']")
        if bot:
            form.locator("select").select_option(bot)
        with page.expect_navigation():
            form.locator("button").click()


@pytest.fixture
def weeks(stage: Stage, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weeks:
    monkeypatch.setenv(clock.FILE, str(tmp_path / "clock"))
    return Weeks(stage, visit, MovedClock(tmp_path / "clock", fixed=False))


def _sit_down(weeks: Weeks) -> None:
    """Ana sets the table up for herself, Ben and a bot, with two weeks for everybody; Ben joins."""
    ana = weeks.pages["Ana"] = weeks.visit("Ana")
    form = ana.locator("#new-game")
    form.locator("select[name=seat-2]").select_option("person")
    form.locator("input[name=name-2]").fill("Ben")
    form.locator("select[name=seat-3]").select_option("bot:greedy")
    form.locator("select[name=clock]").select_option("weeks")
    form.locator("summary", has_text="More settings").click()
    form.locator("input[name=seed]").fill(SEED)
    form.locator("button.primary").click()
    link = ana.locator("#open-seats input").input_value()
    weeks.game = ana.url.rpartition("/")[2]
    ben = weeks.pages["Ben"] = weeks.visit("Ben", link.removeprefix(weeks.stage.url))
    ben.locator("main button.primary").click()
    ben.wait_for_url("**/table/*")


def _sealed_bids(weeks: Weeks) -> None:
    """Ben puts a lot up; his program and Ana's bid against each other, up to Ana's limit."""
    weeks.click(BUTTON)
    weeks.click(BID)
    weeks.give("Ben", "bid", limit="283", then="pass")
    weeks.give("Ana", "bid", limit="117", then="pass")
    weeks.settled()
    bids = [one.action for one in weeks.stage.games.log(weeks.game) if isinstance(one.action, Bid)]
    assert {bid.by for bid in bids} >= {"Ana", "Ben"}
    assert max(bid.amount for bid in bids if bid.by == "Ana") <= 117
    for page in weeks.pages.values():
        page.reload()
    assert not re.search(r"\b283\b", weeks.pages["Ana"].content())
    assert not re.search(r"\b117\b", weeks.pages["Ben"].content())


def _plan(weeks: Weeks) -> None:
    """While Ben decides, Ana plans: if he raises, I raise."""
    page = weeks.go("Ana", "")
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    hands.click_through(page, BID)
    hands.click_through(page, BID)
    page.locator("[data-plan]").click()
    page.wait_for_url(f"**/table/{weeks.game}")
    expect(page.locator(".programs li.active")).to_contain_text("Play the line of 2 actions")


def _plans(weeks: Weeks) -> None:
    """Ben first follows Ana's plan, and then leaves it."""
    weeks.until_turn("Ana", PASS, BUTTON)
    weeks.click(BUTTON)
    weeks.click(BID)
    weeks.settled()
    assert weeks.acting == "Ben"
    _plan(weeks)
    head = weeks.stage.games.info(weeks.game).head
    weeks.click(BID)
    weeks.stage.until(lambda: weeks.stage.games.info(weeks.game).head >= head + 2)
    assert weeks.stage.games.log(weeks.game)[head + 1].by == "Ana"
    page = weeks.pages["Ana"]
    over = page.locator(".programs li.over", has_text="Play the line")
    expect(over).to_contain_text("played to its end")
    weeks.settled()
    assert weeks.acting == "Ben"
    _plan(weeks)
    weeks.click(PASS)
    expect(over).to_contain_text("The plan expected “Ben: bid")


def _holiday(weeks: Weeks) -> None:
    """Ana takes a week off in her turn: her clock stands still, and nobody can replace her."""
    weeks.until_turn("Ana", PASS, BUTTON)
    left = weeks.stage.games.clock(weeks.game)
    page = weeks.pages["Ana"]
    page.goto(f"{weeks.stage.url}/account/messages")
    today = clock.now().date()
    page.locator("[name=first]").fill(today.isoformat())
    page.locator("[name=last]").fill((today + timedelta(days=6)).isoformat())
    with page.expect_navigation():
        page.locator("#holidays form.stack button").click()
    weeks.moving.move(days=5)
    ben = weeks.go("Ben", "")
    expect(ben.locator("#part-rail")).to_contain_text("On holiday")
    expect(weeks.go("Ben", "/people").locator("#seats form[action$='/ask']")).to_have_count(0)
    after = weeks.stage.games.clock(weeks.game)
    assert left
    assert after
    assert left.left["Ana"] - after.left["Ana"] < 60
    page.locator("#holidays .rows button").click()
    expect(page.locator("#holidays .rows button")).to_have_count(0)
    for player in weeks.pages:
        weeks.go(player, "")


def _replace(weeks: Weeks) -> None:
    """Ben is not seen for four days; Ana gives his seat to Cleo."""
    weeks.until_turn("Ben", PASS, BUTTON)
    weeks.moving.move(days=4)
    page = weeks.go("Ana", "/people")
    form = page.locator("#seats form[action$='/ask']")
    form.locator("select").select_option("")
    with page.expect_navigation():
        form.locator("button").click()
    link = page.locator("#seats .invite input").input_value()
    cleo = weeks.visit("Cleo", link.removeprefix(weeks.stage.url))
    cleo.locator("main button.primary").click()
    cleo.wait_for_url("**/table/*")
    del weeks.pages["Ben"]
    weeks.pages["Ben"] = cleo  # the seat keeps its name
    seat = weeks.stage.games.info(weeks.game).seat("Ben")
    assert seat
    assert seat.user_name == "Cleo"


def _finish(weeks: Weeks) -> None:
    """Bots play for both until the bank is nearly broken; then the people play to the end."""
    for player in weeks.pages:
        weeks.let_bot_play(player, "greedy")
    weeks.moving.move(days=7)
    weeks.stage.until(lambda: weeks.stage.state(weeks.game).bank < NEARLY_BROKEN, 120)
    for player in weeks.pages:
        weeks.let_bot_play(player, "")
        weeks.go(player, "")
    while not weeks.stage.games.info(weeks.game).finished:
        weeks.settled()
        if not weeks.stage.games.info(weeks.game).finished:
            weeks.click('#part-panel button[data-kind="run"]', PASS, BUTTON)


def test_two_people_and_a_bot_finish_a_game_over_weeks(weeks: Weeks) -> None:
    begun = clock.now()
    _sit_down(weeks)
    _sealed_bids(weeks)
    _plans(weeks)
    _holiday(weeks)
    _replace(weeks)
    _finish(weeks)
    assert clock.now() - begun > timedelta(weeks=2)
    info = weeks.stage.games.info(weeks.game)
    assert info.ended == "bank"
    assert set(info.result or {}) == {seat.player for seat in info.seats}
    assert weeks.stage.games.verify(weeks.game).problems == ()
    by = {one.by for one in weeks.stage.games.log(weeks.game)[-60:]}
    assert by == set(info.result or {})
    for page in weeks.pages.values():
        expect(page.locator(".panel-over")).to_be_visible()
