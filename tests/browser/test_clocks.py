"""Clocks, pauses, holidays and messages, by clicking, with a clock that is moved."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from carril.service import clock
from tests.browser.conftest import Visit
from tests.browser.faults import faults
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations
from tests.service.clocked import MovedClock

PHONE = (390, 844)


@pytest.fixture
def moving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MovedClock:
    """The clock of the running server, which goes on and can be moved."""
    monkeypatch.setenv(clock.FILE, str(tmp_path / "clock"))
    return MovedClock(tmp_path / "clock", fixed=False)


def _new_table(page: Page, visit: Visit, chosen: str, other: str) -> tuple[str, Page]:
    """Create a table for two with a clock by the form, and let another person join."""
    form = page.locator("#new-game")
    form.locator('select[name="seat-2"]').select_option("person")
    form.locator('select[name="seat-3"]').select_option("")
    form.locator('select[name="clock"]').select_option(chosen)
    form.locator("button.primary").click()
    page.wait_for_url("**/table/*")
    link = page.locator(".open-seats input, #invitations input, .invite input").first.input_value()
    guest = visit(other, "/join/" + link.rsplit("/", 1)[1])
    expect(guest.locator(".note")).to_contain_text("When time runs out, a bot")
    guest.locator("#main form button.primary").click()
    guest.wait_for_url("**/table/*")
    return page.url.rsplit("/", 1)[1], guest


def test_a_move_a_day_is_shown_and_a_bot_plays_on(
    stage: Stage, visit: Visit, moving: MovedClock
) -> None:
    ana = visit("Clock Ana")
    game, ben = _new_table(ana, visit, "day", "Clock Ben")
    expect(ben.locator("#part-rail .clock")).to_contain_text("23 h 59 min")
    moving.move(hours=20)
    ana.reload()
    expect(ana.locator("#part-rail .clock")).to_contain_text("3 h 59 min")
    expect(ana.locator(".player.acting .clock")).to_contain_text("3 h 59 min")
    acting = stage.games.info(game).acting
    moving.move(hours=5)
    stage.until(lambda: any(s.bot for s in stage.games.info(game).seats if s.player == acting))
    stage.until(lambda: stage.games.info(game).acting != acting)
    assert stage.games.verify(game).problems == ()


def test_a_clock_with_other_times(stage: Stage, visit: Visit) -> None:
    page = visit("Own Times")
    form = page.locator("#new-game")
    expect(form.locator("select[name=penalty]")).to_be_hidden()
    form.locator("select[name=clock]").select_option("own-budget")
    form.locator("[name=own-budget-unit]").select_option("hours")
    form.locator("[name=own-budget-budget]").fill("2000")
    form.locator("[name=own-budget-per_stock]").fill("12")
    form.locator("select[name=seat-2]").select_option("person")
    form.locator("button.primary").click()
    expect(page.locator("#error-new")).to_contain_text("up to 60 days")
    form.locator("[name=own-budget-budget]").fill("36")
    form.locator("button.primary").click()
    link = page.locator("#open-seats input").input_value()
    guest = visit("", link.removeprefix(stage.url))
    expect(guest.locator(".note")).to_contain_text(
        "1 day 12 hours for the game, 12 hours more with each stock round. When time runs out"
    )
    page.goto(f"{stage.url}/")
    form.locator("select[name=clock]").select_option("own-move")
    form.locator("[name=own-move-move]").fill("5")
    form.locator("button.primary").click()
    page.wait_for_url("**/table/*")
    expect(page.locator(".player.acting .clock")).to_contain_text("4 d 23 h")


def test_a_pause_is_agreed_and_ended(stage: Stage, visit: Visit, moving: MovedClock) -> None:
    ana = visit("Pause Ana")
    game, ben = _new_table(ana, visit, "live", "Pause Ben")
    ana.reload()
    ana.locator("[data-pause]").click()
    ana.locator(".question button[value=yes]").click()
    expect(ben.locator("#vote-pause")).to_contain_text("asks to pause")
    ben.locator("#vote-pause .primary").click()
    expect(ana.locator("#pause-note")).to_be_visible()
    expect(ana.locator("#part-rail .clock")).to_have_text("Paused")
    moving.move(days=9)
    ana.locator("#pause-note button").click()
    expect(ana.locator("#pause-note")).to_have_count(0)
    expect(ana.locator("#part-rail .clock")).to_contain_text("44:")
    assert not stage.games.info(game).seats[0].bot


@pytest.mark.parametrize("size", [(1400, 900), (820, 1180), PHONE])
def test_messages_and_holidays(
    stage: Stage, visit: Visit, axe: str, size: tuple[int, int], moving: MovedClock
) -> None:
    page = visit(f"Away {size[0]}", "/account", size=size, touch=size == PHONE)
    page.locator("#messages a").click()
    page.wait_for_url("**/account/messages")
    assert violations(page, axe) == []
    assert faults(page, touch=size == PHONE) == []
    page.locator("[name=mails]").select_option("digest")
    page.locator("[name=quiet_from]").select_option("22")
    page.locator("[name=quiet_to]").select_option("7")
    with page.expect_navigation():
        page.locator("#choices button").click()
    expect(page.locator("[name=quiet_from]")).to_have_value("22")
    today = clock.now().date()
    page.locator("[name=first]").fill(today.isoformat())
    page.locator("[name=last]").fill((today + timedelta(days=6)).isoformat())
    with page.expect_navigation():
        page.locator("#holidays form.stack button").click()
    expect(page.locator("#holidays .rows li")).to_contain_text(f"{today} to")
    page.locator("#hooks [name=url]").fill("http://127.0.0.1/x")
    page.locator("#hooks form.stack button").click()
    expect(page.locator("#error-hooks")).to_contain_text("web-hook needs an address")
    page.locator("#hooks [name=url]").fill("https://example.org/hook")
    page.locator("#hooks form.stack button").click()
    expect(page.locator("#hooks .rows li")).to_contain_text("example.org")
    page.locator("#holidays .rows button").click()
