"""Views, focus, keys and settings: what follows the player, and what stays where it was."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from carril.engine.actions import ChooseLot
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.positions import played
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations
from tests.rulebook.esp import positions


def _operating(stage: Stage) -> str:
    """Put minors of Ana on a table, which can lay track and then buy trains."""
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ana", "15": "Ana"})
    return stage.table(table.operate(table.cash(state, m1=300, m8=300), "1"))


def _open_view(page: Page) -> str:
    return page.locator('.board [role="tab"][aria-selected="true"]').get_attribute("id") or ""


def test_the_view_follows_the_next_company_after_tabs_were_clicked(
    stage: Stage, visit: Visit
) -> None:
    game = _operating(stage)
    page = visit("Ana", f"/table/{game}")
    page.locator("#tab-chart").click()
    page.locator("#tab-map").click()
    hands.click_through(page, hands.act("pass"))
    assert _open_view(page) == "tab-trains"
    hands.click_through(page, hands.act("pass"))
    hands.says(page, "8 may lay")
    assert _open_view(page) == "tab-map"


def test_the_view_stays_in_history_and_while_others_act(stage: Stage, visit: Visit) -> None:
    game = _operating(stage)
    page = visit("Ana", f"/table/{game}")
    for _ in range(4):
        hands.click_through(page, hands.act("pass"))
    page.locator("#tab-map").click()
    for number in reversed(range(hands.number(page))):
        page.locator('.history [data-key="back"]').click()
        hands.at(page, number)
        assert _open_view(page) == "tab-map"


def test_a_rule_opens_in_the_view_of_rules(stage: Stage, visit: Visit) -> None:
    game = stage.table(played(3, 340))
    page = visit("Ana", f"/table/{game}")
    page.locator("#part-panel .not-now > summary").first.click()
    page.locator("#part-panel .not-now .greyed").first.click()
    link = page.locator(".why-box:popover-open a.rule-link")
    rule = link.get_attribute("data-rule") or ""
    link.click()
    marked = page.locator("#view-rules li.marked")
    expect(marked).to_contain_text(rule)
    expect(marked).to_be_in_viewport()
    expect(marked).to_be_focused()
    assert len(page.context.pages) == 1


def test_the_rules_are_written_for_players(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.game(3))
    page = visit("Ana", f"/table/{game}")
    page.locator("#tab-rules").click()
    rules = page.locator("#view-rules")
    expect(rules.locator("details.case").first).to_be_visible()
    text = rules.inner_text()
    assert "_Test" not in text
    assert "REFUSE" not in text
    case = rules.locator("details.case").first
    expect(case.locator("p")).to_be_hidden()
    case.locator("summary").click()
    expect(case.locator("p")).to_be_visible()
    rules.locator(".glossary summary").click()
    expect(rules.locator(".glossary")).to_contain_text("stock round")


def test_a_second_enter_does_not_pass(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.stock_round(table.own_minors(table.game(3), {})))
    page = visit("Ana", f"/table/{game}")
    page.locator(hands.act("pass")).focus()
    page.keyboard.press("Enter")
    hands.at(page, 1)
    expect(page.locator("#sentence")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    assert stage.games.info(game).head == 1


def test_the_focus_is_at_the_sentence_after_a_tile(stage: Stage, visit: Visit) -> None:
    """Laying a tile opens another view; the focus must not fall out of the page with the map."""
    game = _operating(stage)
    page = visit("Ana", f"/table/{game}")
    page.locator("[data-open-hex]").first.click()
    page.locator(".ring-tile").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    hands.at(page, 1)
    page.wait_for_timeout(100)
    where = page.evaluate("document.activeElement.id || document.activeElement.dataset.hex")
    assert where, "the focus is lost"
    assert page.evaluate("document.activeElement.dataset.kind") != "pass"


def test_the_focus_stays_on_the_history(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.game(3))
    stage.act(game, "Ana", ChooseLot("5"))
    page = visit("Ana", f"/table/{game}")
    hands.click_through(page, '.amount button[data-kind="bid"]')
    back = page.locator('.history [data-key="back"]')
    back.focus()
    page.keyboard.press("Enter")
    hands.at(page, 1)
    expect(back).to_be_focused()


def test_views_that_scroll_can_have_the_focus(stage: Stage, visit: Visit, axe: str) -> None:
    game = stage.table(positions.stock_round(positions.game(4)))
    page = visit("Ana", f"/table/{game}")
    for tab in ("tiles", "rules", "trains", "market"):
        page.locator(f"#tab-{tab}").click()
        expect(page.locator(f"#view-{tab}")).not_to_contain_text("Loading …")
        assert violations(page, axe, ".board") == [], tab
        page.locator(f"#view-{tab}").focus()
        expect(page.locator(f"#view-{tab}")).to_be_focused()


def test_keys(stage: Stage, visit: Visit, axe: str) -> None:
    game = stage.table(table.game(3))
    stage.act(game, "Ana", ChooseLot("5"))
    page = visit("Ana", f"/table/{game}")
    keys = page.keyboard
    keys.press("?")
    listed = page.locator("#keys")
    expect(listed).to_be_visible()
    expect(listed).to_contain_text("Pass or end the step")
    assert violations(page, axe, "#keys") == []
    keys.press("2")  # an open dialog keeps its keys
    keys.press("Escape")
    expect(listed).to_be_hidden()
    assert _open_view(page) == "tab-map"
    keys.press("2")
    assert _open_view(page) == "tab-market"
    keys.press("1")
    before = page.locator("#map > svg").get_attribute("viewBox")
    keys.press("+")
    assert page.locator("#map > svg").get_attribute("viewBox") != before
    keys.press("0")
    assert page.locator("#map > svg").get_attribute("viewBox") == before
    keys.press(",")
    hands.at(page, 0)
    keys.press("n")
    hands.at(page, 1)
    keys.press("u")
    hands.at(page, 0)


def test_pass_by_key_needs_shift_and_nothing_happens_while_typing(
    stage: Stage, visit: Visit
) -> None:
    game = stage.table(table.stock_round(table.own_minors(table.game(3), {})))
    page = visit("Ana", f"/table/{game}")
    page.keyboard.press("c")
    page.locator("#say").fill("")
    page.locator("#say").focus()
    page.keyboard.type("Pun? 2,u")
    page.keyboard.press("Shift+P")
    assert page.locator("#say").input_value() == "Pun? 2,uP"
    page.locator("#sentence").focus()
    page.keyboard.press("p")
    page.wait_for_timeout(200)
    assert stage.games.info(game).head == 0
    assert _open_view(page) == "tab-market"
    page.keyboard.press("Shift+P")
    hands.at(page, 1)


def test_settings_are_kept(stage: Stage, visit: Visit, axe: str) -> None:
    game = stage.table(table.stock_round(table.own_minors(table.game(3), {})))
    page = visit("Ana", f"/table/{game}")
    size = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
    normal = page.evaluate(size)
    page.keyboard.press("s")
    assert violations(page, axe, "#settings") == []
    page.locator("#set-text").select_option("larger")
    page.locator("#set-confirm").select_option("passes")
    assert page.evaluate(size) > normal
    page.reload()
    assert page.evaluate(size) > normal
    page.locator(hands.act("pass")).click()
    expect(page.locator("#question-text")).to_have_text("Pass?")
    page.locator("#question button").last.click()
    assert stage.games.info(game).head == 0
    page.locator(hands.act("pass")).click()
    page.locator("#question button").first.click()
    hands.at(page, 1)
