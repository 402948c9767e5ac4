"""For everybody: keyboard alone, a phone, axe-core, weight, rules, runs of one's own."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.positions import played, played_until
from tests.browser.stage import Stage

SERIOUS = ("serious", "critical")


def violations(page: Page, axe: str, where: str = "html") -> list[Any]:
    """Run axe-core on what the page shows; its own window keeps the page's content policy."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe + "\n;0")
    found = page.evaluate("s => axe.run(s, {resultTypes: ['violations']})", where)
    return [
        (one["id"], [node["html"][:160] for node in one["nodes"][:3]])
        for one in found["violations"]
        if one["impact"] in SERIOUS
    ]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_serious(stage: Stage, visit: Visit, axe: str, dark: bool) -> None:
    game = stage.table(played_until(3, "stock-round", after=330))
    for name, path in (("", "/"), ("Ana", "/"), ("Ana", f"/table/{game}")):
        page = visit(name, path, dark=dark)
        assert violations(page, axe) == []
    for tab in ("map", "sheet", "trains", "tiles", "chart", "rules"):
        page.locator(f"#tab-{tab}").click()
        expect(page.locator(f"#view-{tab}")).not_to_contain_text("Loading …")
        assert violations(page, axe, f"#view-{tab}") == [], tab
    track = stage.table(played_until(3, "track", after=330))
    page = visit("Ana", f"/table/{track}", dark=dark)
    page.locator("[data-open-hex]").first.click()
    expect(page.locator(".ring-tile").first).to_be_visible()
    assert violations(page, axe, "#hexcard, #part-panel") == []


def test_a_turn_by_keyboard_alone(stage: Stage, visit: Visit) -> None:
    """Track by the map's arrow keys, the run, and the end of the turn, without a pointer."""
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ben", "15": "Cleo"})
    game = stage.table(table.operate(state, "1"))
    page = visit("Ana", f"/table/{game}")
    keys = page.keyboard
    tab_to(page, "#map [data-hex]")
    start = page.evaluate("document.activeElement.dataset.hex")
    keys.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.hex") != start
    keys.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.hex") == start
    for _ in range(40):
        if page.evaluate("document.activeElement.classList.contains('can')"):
            break
        keys.press("ArrowDown" if _ % 2 else "ArrowLeft")
    keys.press("Enter")
    expect(page.locator(".ring-tile").first).to_be_focused()
    keys.press("Enter")
    face = page.locator('.ring-tile[aria-checked="true"] .face:not([hidden])')
    before = face.get_attribute("data-turn")
    turns = page.locator('.ring-tile[aria-checked="true"] .face').count()
    keys.press("r")
    assert turns == 1 or face.get_attribute("data-turn") != before
    keys.press("Enter")
    hands.at(page, 1)
    assert len(stage.state(game).board.laid) == 1
    while "Ana" in (stage.state(game).acting or "") and stage.state(game).step.subject == "1":
        now = hands.number(page)
        tab_to(page, "#part-panel button[data-kind]")
        keys.press("Enter")
        expect(page.locator("#where")).not_to_have_attribute("data-at", str(now))
    assert stage.state(game).step.subject == "8"


def tab_to(page: Page, selector: str) -> None:
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("s => !!document.activeElement.closest(s)", selector):
            return
    raise AssertionError(f"the tab key never reaches {selector}")


def test_a_turn_on_a_phone(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ben", "15": "Cleo"})
    game = stage.table(table.operate(state, "1"))
    page = visit("Ana", f"/table/{game}", size=(360, 740), touch=True)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 360
    page.locator("[data-open-hex]").first.tap()
    page.locator(".ring-tile").first.tap()
    page.locator("[data-lay-tile]").tap()
    hands.at(page, 1)
    page.locator(".thumb-bar a", has_text="Market").tap()
    expect(page.locator("#part-market")).to_be_visible()
    page.locator(".thumb-bar a", has_text="Act").tap()
    while stage.state(game).step.subject == "1":
        now = hands.number(page)
        page.locator("#part-panel button[data-kind]").first.tap()
        expect(page.locator("#where")).not_to_have_attribute("data-at", str(now))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_run_of_ones_own_and_why_not(stage: Stage, visit: Visit) -> None:
    state = played_until(3, "run", after=330)
    game = stage.table(state)
    page = visit("Ana", f"/table/{game}")
    expect(page.locator(".proof").first).to_contain_text("Proven optimal: no run is worth more")
    assert page.locator("#map .route").count() > 0
    page.locator('[data-own="add"]').select_option(index=1)
    page.locator("#own-result .stop").first.wait_for()
    page.locator('[data-own="add"]').select_option(index=2)
    expect(page.locator("#own-result .reason-line, #own-result .choice")).to_have_count(1)
    page.locator('[data-own="clear"]').click()
    expect(page.locator("#own-result .stop")).to_have_count(0)


def test_why_a_hex_cannot_be_built_leads_to_the_rule(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ben", "15": "Cleo"})
    game = stage.table(table.operate(state, "1"))
    page = visit("Ana", f"/table/{game}")
    hands.open_hex(page, "G8")
    link = page.locator("#hexcard a.rule-link").first
    expect(link).to_be_visible()
    rule = link.inner_text()
    page.goto(stage.url + (link.get_attribute("href") or ""))
    expect(page.locator(".rules li.marked .rule-id")).to_have_text(rule)
    page.locator("#rule-q").fill("Pullman")
    expect(page.locator("#rule-list")).to_contain_text("rules found")


def test_the_table_weighs_less_than_300_kilobytes(stage: Stage, visit: Visit) -> None:
    """At a late position with every hex built: page, scripts, styles and fonts, compressed."""
    game = stage.table(played(3, 900))
    finished: list[Request] = []
    page = visit("", "/")
    page.on("requestfinished", lambda request: finished.append(request))
    page.route("**/live?*", lambda route: route.abort())
    page.goto(f"{stage.url}/table/{game}")
    page.wait_for_load_state("load")
    page.wait_for_timeout(300)
    sent = {one.url: one.sizes()["responseBodySize"] for one in finished}
    assert sum(sent.values()) < 300_000, sent


def test_the_theme_is_switched_and_remembered(visit: Visit) -> None:
    page = visit("Ana", "/")
    page.locator("[data-theme-switch]").click()
    page.locator("[data-theme-switch]").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
