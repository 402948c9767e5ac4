"""A game by clicking: the sale, two operating rounds, a stock round with a start."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage


def _sale(page: Page) -> int:
    """Play the whole sale; the minors go at different prices. Return how many clicks it took."""
    clicks = lots = 0
    while page.locator(".panel-auction").count():
        bid = '.amount button[data-kind="bid"]'
        if page.locator("button.lot").count():
            hands.click_through(page, "button.lot")
            lots += 1
        elif lots <= 2 and page.locator(bid).count() and clicks % 3 != 2:
            hands.click_through(page, bid)
        else:
            hands.click_through(page, hands.act("accept"), hands.act("pass"))
        clicks += 1
        assert clicks < 400
    return clicks


def test_a_sale_two_operating_rounds_and_a_stock_round(stage: Stage, visit: Visit) -> None:
    page = visit("Ana", "/")
    page.locator('select[name="title"]').select_option("18EU")
    page.locator('input[name="name-1"]').fill("Ana")
    page.locator('select[name="seat-2"]').select_option("me")
    page.locator('input[name="name-2"]').fill("Ben")
    page.locator('select[name="seat-3"]').select_option("")
    page.locator("details.more:not(.bots) summary").click()
    page.locator('input[name="seed"]').fill("5")
    page.locator("#new-game button.primary").click()
    page.wait_for_selector("#table")
    game = page.url.rsplit("/", 1)[1]

    clicks = _sale(page)
    state = stage.state(game)
    assert clicks > 30
    assert all(c.owner for c in state.companies.values() if c.kind == "minor")
    assert str(state.round) == "OR 1.1"

    laid, runs = _operate(page)
    assert laid >= 8
    assert runs >= 4
    assert str(stage.state(game).round) == "SR 2"

    _stock_round(stage, page, game)


def _operate(page: Page) -> tuple[int, int]:
    laid = runs = 0
    for _ in range(300):
        if page.locator(".panel-stock").count():
            return laid, runs
        if page.locator("[data-open-hex]").count() and laid < 12:
            hands.lay_first(page)
            laid += 1
        elif page.locator(hands.act("run")).count():
            hands.click_through(page, hands.act("run"))
            runs += 1
        else:
            hands.click_through(page, hands.act("accept"), hands.act("pass"))
    raise AssertionError("two operating rounds never end")


def _stock_round(stage: Stage, page: Page, game: str) -> None:
    """Start a corporation, look at a refusal, buy shares, and pass."""
    for _ in range(12):
        if page.locator(".stock form.start").count():
            break
        hands.click_through(page, hands.act("pass"))
    page.locator("#part-panel .not-now > summary").first.click()
    page.locator("#part-panel .greyed").first.click()
    box = page.locator(".why-box:popover-open")
    expect(box).to_be_visible()
    link = box.locator("a.rule-link").get_attribute("href")
    assert link
    assert link.startswith("/rules/18EU?rule=EU-")
    page.keyboard.press("Escape")
    form = page.locator(".stock form.start").first
    form.locator("select").select_option(index=form.locator("option").count() - 1)
    before = hands.number(page)
    form.locator("button").click()
    expect(page.locator("#where")).not_to_have_attribute("data-at", str(before))
    if page.locator(".panel-founding").count():
        hands.click_through(page, hands.act("merge"))
    started = [c for c in stage.state(game).companies.values() if c.started]
    assert len(started) == 1
    if page.locator('.stock button.buy[data-kind="buy"]').count():
        hands.click_through(page, '.stock button.buy[data-kind="buy"]')
    for _ in range(12):
        if page.locator(".panel-stock").count() == 0:
            break
        hands.click_through(page, hands.act("pass"))
    assert stage.state(game).round.kind == "OR"


def test_a_merger_with_the_token_decision(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {"1": "Ana", "3": "Ana", "8": "Ben"})
    state = table.cash(state, Ana=600, Ben=600, Cleo=600)
    game = stage.table(table.stock_round(state))
    page = visit("Ana", f"/table/{game}")
    form = page.locator(".stock", has_text="SNCF").locator("form.start")
    form.locator("select").select_option("100")
    form.locator("button").click()
    hands.says(page, "chooses the minor whose token SNCF takes over")
    page.locator(hands.act("merge"), has_text="minor 1").click()
    hands.says(page, "Ben may buy a share")
    hands.click_through(page, hands.act("pass"))
    hands.click_through(page, hands.act("pass"))
    hands.says(page, "Ana may buy a share")
    hands.click_through(page, '.stock button[data-kind="exchange"]')
    hands.says(page, "should SNCF replace minor 3's token in A10 Paris")
    page.locator(hands.act("accept")).click()
    both = (("SNCF",), ("SNCF",))
    stage.until(lambda: stage.state(game).board.tokens["A10"] == both)
    expect(page.locator("#part-log")).to_contain_text("SNCF places a token in A10")


def test_an_emergency_purchase_with_its_sums(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {})
    state = table.phase(state, "4")
    state = table.corporation(state, "FS", {"Ana": 5, "Ben": 2}, price=100, trains=())
    state = table.corporation(state, "DR", {"Ben": 3, "Ana": 2}, price=90, trains=("4",))
    state = table.tokens(state, G12=(("FS",),), E18=(("DR",),))
    state = table.cash(state, Ana=50, Ben=300, Cleo=300, FS=40, DR=200)
    game = stage.table(table.operate(state, "FS"))
    page = visit("Ana", f"/table/{game}")
    while "must buy" not in hands.sentence(page):
        hands.click_through(page, hands.act("pass"))
    sums = page.locator(".emergency .sums-list")
    expect(sums).to_contain_text("Cheapest train")
    expect(sums).to_contain_text("£300")
    expect(sums).to_contain_text("Still needed")
    expect(sums).to_contain_text("£210")
    hands.click_through(page, hands.act("sell") + ":has-text('Sell 2 DR')")
    hands.click_through(page, hands.act("sell") + ":has-text('Sell 1 FS')")
    bought = page.locator(hands.act("train"), has_text="4 train from the stack")
    expect(bought).to_contain_text("Ana contributes £260")
    bought.click()
    stage.until(lambda: stage.state(game).companies["FS"].trains == ("4",))
    assert stage.state(game).companies["FS"].cash == 0
