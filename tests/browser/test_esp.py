"""18ESP by clicking: the private auction, a pass, a takeover, a combined train's run, a loan."""

from __future__ import annotations

from msgspec.structs import replace
from playwright.sync_api import Page, expect

from carril.engine.board import tokens_in
from carril.engine.state import State
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.rulebook.esp import lines, positions, purchases, works
from tests.rulebook.esp.test_combined_trains import norte
from tests.rulebook.esp.test_forced_purchase import with_shares
from tests.rulebook.esp.test_takeovers import world
from tests.table import cash


def _new_game(page: Page) -> str:
    """Set up a game of three by the English book with companies at random; return its id."""
    page.locator('select[name="title"]').select_option("18ESP")
    for seat, name in enumerate(("Ana", "Ben", "Cleo"), start=1):
        page.locator(f'select[name="seat-{seat}"]').select_option("me")
        page.locator(f'input[name="name-{seat}"]').fill(name)
    page.locator("details.more:not(.bots) summary").click()
    settings = page.locator('[data-of="18ESP"]')
    settings.locator('select[name="edition"]').select_option("en")
    settings.locator('input[value="random"]').check()
    page.locator('input[name="seed"]').fill("7")
    page.locator("#new-game button.primary").click()
    page.wait_for_selector("#table")
    return page.url.rsplit("/", 1)[1]


def test_a_private_auction_from_the_lobby(stage: Stage, visit: Visit) -> None:
    page = visit("Ana", "/")
    game = _new_game(page)
    state = stage.state(game)
    assert (state.setup.edition, state.setup.variants) == ("en", ("random",))
    expect(page.locator(".lot-card")).to_contain_text("Ferrocarril de La Habana")
    bid = '.amount button[data-kind="bid"]'
    while page.locator(".panel-private_auction").count():
        opens = page.locator(".lot-card", has_text="No bids yet").count()
        hands.click_through(page, bid if opens else hands.act("pass"))
    hands.says(page, "chooses the starting price")
    hands.click_through(page, hands.act("start"))
    state = stage.state(game)
    assert all(positions.memory(state).privates.values())
    assert state.round.kind == "SR"
    expect(page.locator("#part-players .private-card")).to_have_count(7)


def test_a_pass_is_opened_and_tokened(stage: Stage, visit: Visit) -> None:
    game = stage.table(works.turn("FdLR", works.ALAR_NORTH, money=200))
    page = visit("Ana", f"/table/{game}")
    hands.says(page, "FdLR may build")
    expect(page.locator("#part-panel")).to_contain_text("build track to K5 Bilbao")
    hands.open_hex(page, "H12")
    expect(page.locator("#hexcard")).to_contain_text("closed")
    page.locator('#hexcard button[data-kind="open"]').click()
    expect(page.locator("#part-log")).to_contain_text("FdLR opens the pass at H12")
    assert stage.state(game).companies["FdLR"].cash == 140
    hands.click_through(page, hands.act("token") + ":has-text('Alar del Rey')")
    assert tokens_in(stage.state(game).board, "H12", 0) == ("FdLR",)
    assert stage.state(game).companies["FdLR"].cash == 90


def test_a_takeover_that_the_other_player_agrees_to(stage: Stage, visit: Visit) -> None:
    state = lines.asking(world(), "CRB")
    game = stage.table(state, {"Ana": "Ana", "Ben": "Ben", "Cleo": "Ana", "Dan": "Ana"})
    ana, ben = visit("Ana", f"/table/{game}"), visit("Ben", f"/table/{game}")
    expect(ben.locator("#part-panel")).to_contain_text("Waiting for Ana")
    hands.click_through(ana, hands.act("takeover") + ":has-text('Ask Ben for MS')")
    hands.says(ben, "may CRB take over MS for 151 pts")
    hands.click_through(ben, hands.act("accept"))
    hands.same_position(stage, game, ana)
    hands.click_through(ana, hands.act("takeover") + ":has-text('Take over MS')")
    hands.says(ana, "should CRB replace MS's station in C27 Mérida")
    hands.click_through(ana, hands.act("accept"))
    found = stage.state(game)
    assert found.companies["MS"].closed
    assert tokens_in(found.board, "C27", 0) == ("CRB",)
    assert found.companies["CRB"].held("Ben") == 1
    expect(ana.locator("#part-companies")).to_contain_text("P4")


def test_a_combined_train_runs_over_a_pass(stage: Stage, visit: Visit) -> None:
    buying = lines.buying(norte("4"), "N")
    game = stage.table(buying)
    page = visit("Ana", f"/table/{game}")
    hands.click_through(page, hands.act("combine") + ":has-text('Combine 4 with a 1+2')")
    assert stage.state(game).companies["N"].trains == ("4|1+2",)

    game = stage.table(lines.running(norte("6|2+3", name="6"), "N"))
    page = visit("Ana", f"/table/{game}")
    route = page.locator(".run .route").first
    expect(route.locator(".train-card")).to_have_text("6|2+3")
    expect(route).to_contain_text("H12 Alar del Rey")
    expect(route).to_contain_text("east to west")
    hands.click_through(page, hands.act("run"))
    hands.says(page, "N earned")
    hands.click_through(page, hands.act("dividend"))
    assert stage.state(game).companies["N"].cash > 1000


def _in_debt(debt: int) -> State:
    state = positions.major(positions.game(), "FdLR", {"Ana": 4, "Ben": 3})
    state = cash(state, Ana=300)
    owing = replace(state.players["Ana"], debt=debt)
    return positions.stock_round(replace(state, players={**state.players, "Ana": owing}))


def test_a_loan_is_taken_and_repaid(stage: Stage, visit: Visit) -> None:
    game = stage.table(purchases.buying(with_shares(100), "N"))
    page = visit("Ana", f"/table/{game}")
    hands.says(page, "must buy")
    sums = page.locator(".emergency .sums-list")
    expect(sums).to_contain_text("Still needed")
    expect(sums).to_contain_text("100 pts")
    expect(page.locator(hands.act("sell"), has_text="MCP").first).to_be_visible()
    loan = page.locator(hands.act("train"), has_text="4 train from the stack").first
    expect(loan).to_contain_text("Ana borrows 100 pts")
    loan.click()
    stage.until(lambda: stage.state(game).players["Ana"].debt == 100)
    expect(page.locator("#part-players")).to_contain_text("Debt 100 pts")

    game = stage.table(_in_debt(100))
    page = visit("Ana", f"/table/{game}")
    expect(page.locator(".panel-stock .facts")).to_contain_text("Debt 100 pts")
    hands.click_through(page, hands.act("repay"))
    assert stage.state(game).players["Ana"].debt == 0
    assert stage.state(game).players["Ana"].cash == 150
