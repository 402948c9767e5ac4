"""What happened: the card since the last move, outlines of what is new, the log, the replay."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from carril.engine.actions import BuyShare, ChooseLot, LayTile, Pass, SellShares
from carril.engine.state import State
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage, plain
from tests.browser.test_everybody import violations
from tests.rulebook.esp import lines, positions
from tests.rulebook.esp.test_takeovers import world

EACH = {"Ana": "Ana", "Ben": "Ben", "Cleo": "Cleo"}


def _stock() -> State:
    state = table.own_minors(table.game(3), {})
    state = table.corporation(state, "FS", {"Ben": 5, "Cleo": 2}, price=100, trains=("3",))
    state = table.corporation(state, "DR", {"Ana": 3}, price=90, trains=("3",))
    state = table.tokens(state, G12=(("FS",),), E18=(("DR",),))
    return table.stock_round(table.cash(state, Ana=500, Ben=500, Cleo=500))


def _pace(page: Page, value: str) -> None:
    page.locator(".tools [data-open-dialog=settings]").click()
    page.locator("#set-pace").select_option(value)
    page.keyboard.press("Escape")


def test_the_card_tells_what_others_did_until_one_acts(stage: Stage, visit: Visit) -> None:
    game = stage.table(_stock(), EACH, "News")
    page = visit("Ana", f"/table/{game}")
    assert page.locator(".news-card").count() == 0
    hands.click_through(page, hands.act("pass"))
    stage.act(game, "Ben", SellShares("FS", 1))
    stage.act(game, "Ben", Pass())
    stage.act(game, "Cleo", BuyShare("FS", "pool"))
    hands.same_position(stage, game, page)
    card = page.locator(".news-card")
    expect(card).to_contain_text("Since your last move")
    turns = card.locator(".news-turn")
    expect(turns.nth(0)).to_contain_text("Ben")
    expect(turns.nth(0)).to_contain_text("+£100")
    expect(turns.nth(0).locator(".news-price")).to_contain_text("£100")
    expect(turns.nth(1)).to_contain_text("Cleo buys 1 share of FS from the pool")
    expect(page.locator(".carril-market .fresh-token")).to_have_count(1)
    expect(page.locator('.card[data-company="FS"] .price.fresh')).to_have_count(1)
    card.get_by_text("Ben sells 1 share of FS").click()
    hands.at(page, 2)
    assert "at=2" in page.url
    assert page.locator(".news-card").count() == 0
    page.keyboard.press("n")
    hands.says(page, "Ana may")
    expect(page.locator(".news-card")).to_be_visible()
    hands.click_through(page, hands.act("pass"))
    expect(page.locator(".news-card")).to_have_count(0)
    expect(page.locator(".fresh-mark, .fresh")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_the_end_of_a_round_is_announced(stage: Stage, visit: Visit, axe: str, dark: bool) -> None:
    """Also to the player whose own action ended it."""
    game = stage.table(_stock(), EACH, "Rounds")
    page = visit("Ana", f"/table/{game}", dark=dark)
    hands.click_through(page, hands.act("pass"))
    stage.act(game, "Ben", SellShares("FS", 1))
    stage.act(game, "Ben", Pass())
    stage.act(game, "Cleo", Pass())
    hands.same_position(stage, game, page)
    hands.click_through(page, hands.act("pass"))
    stage.act(game, "Ben", Pass())
    hands.same_position(stage, game, page)
    end = page.locator(".news-card .news-round")
    expect(end).to_contain_text("Stock round 2 is over.")
    expect(end).to_contain_text("Operating round 2.1 begins.")
    expect(end.locator(".news-price")).to_contain_text("£100")
    expect(end).to_contain_text("Order:")
    expect(page.locator("#part-log .log-round").first).to_contain_text("Operating round 2.1")
    assert violations(page, axe, ".side-news, #talk") == []


def test_new_tiles_are_outlined_until_one_acts(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {"1": "Ben", "8": "Ana", "15": "Cleo"})
    game = stage.table(table.operate(state, "1"), EACH, "Tiles")
    page = visit("Ana", f"/table/{game}")
    lay = next(o for o in stage.state(game).options() if isinstance(o, LayTile))
    stage.act(game, "Ben", lay)
    while stage.state(game).acting == "Ben":
        options = [plain(option) for option in stage.state(game).options()]
        stage.act(game, "Ben", next((o for o in options if isinstance(o, Pass)), options[0]))
    hands.same_position(stage, game, page)
    expect(page.locator(f'#map .fresh-tile[data-fresh="{lay.hex}"]')).to_have_count(1)
    hands.lay_first(page)
    expect(page.locator("#map .fresh-tile")).to_have_count(0)


def test_a_valuation_is_not_shown_while_the_bidding_is_open(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.game(2), {"Ana": "Ana", "Ben": "bot:greedy"}, "Sale")
    stage.act(game, "Ana", ChooseLot("5"))
    page = visit("Ana", f"/table/{game}")
    hands.click_through(page, '.amount button[data-kind="bid"]')
    hands.at(page, 3)
    expect(page.locator("#part-log")).to_contain_text("Ben bids £105 for minor 5")
    assert "worth about" not in page.content()
    page.locator(hands.act("pass")).click()
    expect(page.locator("#part-log")).to_contain_text("worth about")


def test_step_by_step_waits_for_a_click_and_can_be_skipped(stage: Stage, visit: Visit) -> None:
    game = stage.table(_stock(), EACH, "Steps")
    page = visit("Ana", f"/table/{game}")
    _pace(page, "step")
    hands.click_through(page, hands.act("pass"))
    stage.act(game, "Ben", SellShares("FS", 1))
    hands.at(page, 2)  # the first move is shown at once
    stage.act(game, "Ben", Pass())
    stage.act(game, "Cleo", Pass())
    replay = page.locator("#replay")
    expect(replay).to_contain_text("Action 2 of 4. It is your turn.")
    expect(page).to_have_title("● Your turn · Steps")
    hands.at(page, 2)
    replay.locator('[data-replay="next"]').click()
    hands.at(page, 3)
    expect(replay).to_be_visible()
    replay.locator('[data-replay="now"]').click()
    hands.at(page, 4)
    expect(replay).to_be_hidden()
    expect(page.locator(hands.act("pass"))).to_be_visible()


def test_moves_are_replayed_at_the_chosen_pace(stage: Stage, visit: Visit) -> None:
    """Every position is shown, and then it is one's own turn; a reload keeps the pace."""
    game = stage.table(_stock(), EACH, "Pace")
    page = visit("Ana", f"/table/{game}")
    _pace(page, "half")
    page.reload()
    hands.click_through(page, hands.act("pass"))
    page.evaluate(
        """() => { window.seen = []; document.body.addEventListener("carril:parts",
        () => window.seen.push(Number(document.getElementById("where").dataset.at))); }"""
    )
    stage.act(game, "Ben", SellShares("FS", 1))
    stage.act(game, "Ben", Pass())
    stage.act(game, "Cleo", Pass())
    expect(page.locator(hands.act("pass"))).to_be_visible()
    assert page.evaluate("window.seen") == [2, 3, 4]
    expect(page.locator("#replay")).to_be_hidden()


def test_the_log_has_headings_logos_money_and_times(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ana", "15": "Ana"})
    game = stage.table(table.operate(state, "1"))
    page = visit("Ana", f"/table/{game}")
    hands.lay_first(page)
    log = page.locator("#part-log")
    expect(log.locator(".log-round")).to_have_text("Operating round 2.1")
    expect(log.locator(".log-company").nth(0)).to_contain_text("Ungarische Staatsbahn")
    expect(log.locator(".log-company").nth(1)).to_contain_text("Chemin de Fer du Nord")
    expect(log.locator(".log-company .tok").first).to_be_visible()
    expect(log.locator(".entry time").first).to_have_text(re.compile(r"^\d\d:\d\d$"))
    expect(log).to_contain_text("Minor 1 runs for £0")


def test_names_in_the_log_of_18esp_are_listed(stage: Stage, visit: Visit) -> None:
    """The order of play was once written as a program writes it."""
    game = stage.table(positions.stock_round(positions.game(3)))
    page = visit("Ana", f"/table/{game}")
    while stage.state(game).round.kind == "SR" and hands.number(page) < 9:
        hands.click_through(page, hands.act("pass"))
    expect(page.locator("#part-log")).to_contain_text("The order of play is ")
    assert "('" not in page.locator("#part-log").inner_text()


def test_an_offer_for_a_private_is_in_the_log(stage: Stage, visit: Visit) -> None:
    state = positions.privates(positions.game(3), P3="Ben")
    state = positions.major(state, "FdLR", {"Ana": 5})
    state = table.cash(state, FdLR=200)
    game = stage.table(positions.operate(state, "FdLR"), "Ana")
    page = visit("Ana", f"/table/{game}")
    page.locator("#part-panel .aside summary").first.click()
    page.locator('#part-panel button[data-kind="private"]').first.click()
    hands.at(page, 1)
    expect(page.locator("#entry-1")).to_contain_text("FdLR offers ")
    expect(page.locator("#entry-1")).to_contain_text(" to Ben for P3")


def test_a_takeover_that_is_asked_for_is_in_the_log(stage: Stage, visit: Visit) -> None:
    game = stage.table(lines.asking(world(), "CRB"))
    page = visit("Ana", f"/table/{game}")
    hands.click_through(page, hands.act("takeover") + ":has-text('Ask Ben for MS')")
    expect(page.locator("#entry-1")).to_contain_text("CRB asks Ben for consent to take over MS")


def test_an_unread_remark_is_marked(stage: Stage, visit: Visit) -> None:
    game = stage.table(_stock(), EACH, "Chat")
    page = visit("Ana", f"/table/{game}")
    expect(page.locator("#unread")).to_be_hidden()
    stage.games.post_remark(game, stage.user("Ben"), "Hurry up.")
    expect(page.locator("#unread")).to_have_text("1")
    page.locator("#tab-chat").click()
    expect(page.locator("#unread")).to_be_hidden()
    page.reload()
    expect(page.locator("#where")).to_be_attached()
    expect(page.locator("#unread")).to_be_hidden()
