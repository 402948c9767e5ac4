"""Programs and plans, given by clicking."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from carril.engine.actions import Bid, BuyShare, ChooseLot, Pass
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage

SEATS = {"Ana": "Ana", "Ben": "Ben", "Cleo": "Cleo"}


def _auction(stage: Stage) -> str:
    """A lot on sale, for which Ana has bid 100."""
    game = stage.table(table.game(3, seated=True), SEATS)
    stage.act(game, "Ana", ChooseLot("5"))
    stage.act(game, "Ana", Bid(100))
    return game


def _stock_round(stage: Stage) -> str:
    state = table.sell_all_minors(table.game(3, seated=True))
    state = table.cash(state, Ana=900, Ben=900, Cleo=900)
    state = table.corporation(state, "FS", {"Ben": 2}, floated=False, operated=False)
    return stage.table(table.stock_round(state, "Ana"), SEATS)


def _open(page: Page, kind: str) -> None:
    """Open the form of a kind of program."""
    page.locator(".program-new").click()
    page.locator(f'.program-card[data-kind="{kind}"] > summary').click()


def _start(page: Page, kind: str) -> None:
    page.locator(f'.program-card[data-kind="{kind}"] button.primary').click()
    expect(page.locator("#programs")).not_to_be_visible()


def test_a_pass_program_passes_and_is_withdrawn(stage: Stage, visit: Visit) -> None:
    game = _auction(stage)
    page = visit("Ben", f"/table/{game}")
    _open(page, "pass")
    _start(page, "pass")
    stage.until(lambda: stage.games.info(game).head == 3)
    hands.at(page, 3)
    expect(page.locator(".programs li.active")).to_contain_text("Pass for the rest of this round")
    page.locator(".programs li button").click()
    expect(page.locator(".programs li")).to_have_count(0)
    assert stage.games.programs(game, stage.user("Ben")) == []


def test_shares_are_bought_until_the_company_floats(stage: Stage, visit: Visit) -> None:
    game = _stock_round(stage)
    page = visit("Ana", f"/table/{game}")
    _open(page, "buy")
    _start(page, "buy")
    hands.at(page, 1)
    assert stage.games.log(game)[-1].action == BuyShare("FS", "treasury", by="Ana")
    while not stage.state(game).companies["FS"].floated:
        head = stage.games.info(game).head
        stage.act(game, str(stage.games.info(game).acting), Pass())
        stage.until(
            lambda head=head: (  # type: ignore[misc]
                (stage.games.info(game).head > head and stage.games.info(game).acting != "Ana")
                or stage.state(game).companies["FS"].floated
            )
        )
    expect(page.locator(".programs li.over")).to_contain_text("FS has floated")


def test_a_sealed_bid_is_played_and_nobody_else_sees_it(stage: Stage, visit: Visit) -> None:
    game = _auction(stage)
    page, other = visit("Ben", f"/table/{game}"), visit("Cleo", f"/table/{game}")
    _open(page, "bid")
    form = page.locator('.program-card[data-kind="bid"]')
    form.locator('input[name="limit"]').fill("117")
    _start(page, "bid")
    hands.at(page, 3)
    hands.at(other, 3)
    assert stage.games.log(game)[-1].action == Bid(105, by="Ben")
    expect(page.locator(".programs li.active")).to_contain_text("Bid for lot 5 up to £117")
    assert "117" not in other.content()
    stage.act(game, "Cleo", Bid(120))
    stage.act(game, "Ana", Pass())
    expect(page.locator(".programs li.over")).to_contain_text("Decide yourself")
    hands.says(page, "Ben may raise")


def test_a_wrong_program_says_why_in_its_form(stage: Stage, visit: Visit) -> None:
    game = _stock_round(stage)
    page = visit("Ana", f"/table/{game}")
    _open(page, "buy")
    form = page.locator('.program-card[data-kind="buy"]')
    form.locator('input[name="until_float"]').uncheck()
    form.locator("button.primary").click()
    expect(page.locator("#error-program")).to_contain_text("needs an end")


def _plan(page: Page, game: str) -> None:
    """Try a line as what-if: Ben bids 105, Cleo passes, Ana bids 110; give it as a plan."""
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    hands.click_through(page, '.amount button[data-kind="bid"]')
    hands.click_through(page, 'button[data-kind="pass"]')
    hands.click_through(page, '.amount button[data-kind="bid"]')
    page.locator("[data-plan]").click()
    page.wait_for_url(f"**/table/{game}")
    expect(page.locator(".programs li.active")).to_contain_text("Play the line of 3 actions")


def test_a_plan_is_played_when_everybody_follows_it(stage: Stage, visit: Visit) -> None:
    game = _auction(stage)
    page = visit("Ana", f"/table/{game}")
    _plan(page, game)
    stage.act(game, "Ben", Bid(105))
    stage.act(game, "Cleo", Pass())
    hands.at(page, 5)
    assert stage.games.log(game)[-1].action == Bid(110, by="Ana")
    expect(page.locator(".programs li.over")).to_contain_text("played to its end")


def test_a_plan_ends_at_a_deviation_and_says_which(stage: Stage, visit: Visit) -> None:
    game = _auction(stage)
    page = visit("Ana", f"/table/{game}")
    _plan(page, game)
    stage.act(game, "Ben", Pass())
    why = page.locator(".programs li.over")
    expect(why).to_contain_text("The plan expected “Ben: bid 105”, but action 3 was “Ben: pass”")
    assert stage.games.info(game).head == 3


def test_the_forms_are_usable_by_everybody(stage: Stage, visit: Visit, axe: str) -> None:
    game = _stock_round(stage)
    for size in ((1400, 900), (390, 844)):
        page = visit("Ben", f"/table/{game}", size=size)
        _open(page, "operate")
        page.evaluate(axe)
        found = page.evaluate("axe.run('#programs').then(r => r.violations.map(v => v.id))")
        assert found == []
        for control in page.locator("#programs :is(button, select, summary):visible").all():
            box = control.bounding_box()
            assert box
            assert box["height"] >= 44, control.inner_html()
        page.keyboard.press("Escape")
        expect(page.locator("#programs")).not_to_be_visible()
