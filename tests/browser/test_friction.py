"""What made players stop and think: views that flip, missing numbers, numbers without a name."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import Page, expect

from carril.engine.actions import RunTrains
from carril.engine.events import TrainsRun
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.positions import played_until, simple
from tests.browser.stage import Stage
from tests.rulebook.esp import positions, purchases


def _open_view(page: Page) -> str:
    return page.locator('.board [role="tab"][aria-selected="true"]').get_attribute("id") or ""


def _seen(page: Page) -> str:
    return page.locator("#map > svg").get_attribute("viewBox") or ""


def test_zoom_and_view_stay_while_others_act(stage: Stage, visit: Visit) -> None:
    """F6: by live updates, with steps that need the map and steps that need the trains."""
    state = table.own_minors(table.game(3), {"1": "Ben", "8": "Ben", "15": "Cleo"})
    state = table.operate(table.cash(state, m1=300, m8=300), "1")
    game = stage.table(state, {"Ana": "Ana", "Ben": "Ben", "Cleo": "Cleo"}, "Watched")
    ana, ben = visit("Ana", f"/table/{game}"), visit("Ben", f"/table/{game}")
    whole = _seen(ana)
    ana.locator("#map").hover()
    ana.mouse.wheel(0, -300)
    expect(ana.locator("#map > svg")).not_to_have_attribute("viewBox", whole)
    zoomed = _seen(ana)
    views = set()
    for view in ("tab-map", "tab-map", "tab-market"):
        ana.locator(f"#{view}").click()
        hands.click_through(ben, hands.act("pass"))
        hands.same_position(stage, game, ana)
        views.add(_open_view(ben))
        assert _open_view(ana) == view
        assert _seen(ana) == zoomed
    assert views == {"tab-map", "tab-trains"}, "the view of the player who acts follows the step"


def _with_trains(stage: Stage, *trains: str) -> str:
    """Put CFLG, whose track is of narrow gauge, on a table at the beginning of its turn."""
    state = purchases.company(purchases.empty("2"), "CFLG", money=500, trains=trains)
    return stage.table(positions.operate(purchases.coast(state), "CFLG"))


def test_trains_that_cannot_run_are_named_at_the_run(stage: Stage, visit: Visit) -> None:
    """F3: next to the run of the others."""
    page = visit("Ana", f"/table/{_with_trains(stage, '2', '1+2')}")
    hands.click_through(page, hands.act("pass"))
    hands.says(page, "CFLG runs its trains")
    expect(page.locator("#part-panel .warning")).to_have_text(
        "Cannot run, because CFLG has no track of its gauge: 2"
    )


def test_a_run_that_is_skipped_is_explained(stage: Stage, visit: Visit) -> None:
    """F3: when no train can run there is nothing to decide, but a reason to know."""
    page = visit("Ana", f"/table/{_with_trains(stage, '2')}")
    hands.click_through(page, hands.act("pass"))
    hands.says(page, "CFLG may buy trains")
    why = "No train of CFLG can run, because it has no track of their gauge: 2 (Iberian gauge)."
    expect(page.locator("#part-panel .warning").first).to_have_text(why)
    page.locator("#tab-market").click()
    expect(page.locator('.card[aria-label^="CFLG "] .warning')).to_have_text(why)


def test_liquidity_and_shares_to_float_are_right(stage: Stage, visit: Visit) -> None:
    """F10: £300 and four shares of DR at £100; NS has sold two shares of five that it needs."""
    state = table.own_minors(table.game(3), {})
    state = table.corporation(state, "DR", {"Ana": 4, "Ben": 2}, price=100)
    state = table.charter(table.cash(state, Ana=300), "DR", operated=True)
    state = table.corporation(state, "NS", {"Ben": 2}, price=82)
    state = table.charter(state, "NS", floated=False, operated=False)
    page = visit("Ana", f"/table/{stage.table(table.stock_round(state))}")
    expect(page.locator(".panel-stock .facts")).to_contain_text("could raise £700 ")
    expect(page.locator(".player.acting .sums")).to_contain_text(re.compile(r"Can raise\s*£700"))
    stock = page.locator(".stock", has=page.locator("b:text-is('NS')")).first
    expect(stock).to_contain_text("3 more shares to float")
    page.locator("#tab-market").click()
    expect(page.locator('.card[aria-label^="NS "]')).to_contain_text("3 more shares to float")


def test_what_each_minor_earns_when_one_is_merged(stage: Stage, visit: Visit) -> None:
    """F10: on the buttons and on the cards, as its last run was."""
    game, random = stage.table(played_until(5, "run", after=60)), Random(1)
    earned: dict[str, int] = {}
    for _ in range(400):
        state = stage.state(game)
        if type(state.step).__struct_config__.tag == "founding":
            break
        runs = [one for one in state.options() if isinstance(one, RunTrains)]
        stage.act(game, "Ana", runs[0] if runs else simple(state, random))
    for entry in stage.games.log(game):
        for event in entry.events:
            if isinstance(event, TrainsRun):
                earned[event.company] = event.revenue
    page = visit("Ana", f"/table/{game}")
    page.locator("#tab-market").click()
    checked = 0
    for button in page.locator("#part-panel button[data-kind]").all():
        minor = re.search(r"Merge minor (\d+)", button.inner_text())
        if minor and earned.get(minor[1]):
            expect(button).to_contain_text(f"£{earned[minor[1]]} half paid")
            card = page.locator(f'.card.minor[data-company="{minor[1]}"]')
            expect(card).to_contain_text(f"£{earned[minor[1]]} half paid")
            checked += 1
    assert checked > 1


def test_numbers_have_names(stage: Stage, visit: Visit) -> None:
    """F11 and F22: treasury and tiles at the track; the log names tile and hex."""
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ben", "15": "Cleo"})
    page = visit("Ana", f"/table/{stage.table(table.operate(table.cash(state, m1=90), '1'))}")
    expect(page.locator("#part-panel .facts")).to_have_text("1 yellow tile left · Treasury £90")
    hands.lay_first(page)
    expect(page.locator("#part-log")).to_contain_text(
        re.compile(r"Minor 1 lays tile \d+ on [A-Z]\d+")
    )


def test_trains_have_the_colour_of_their_phase(stage: Stage, visit: Visit) -> None:
    """F22: they were all yellow."""
    page = visit("Ana", f"/table/{stage.table(table.stock_round(table.game(3)))}")
    page.locator("#tab-trains").click()
    colours = dict(
        page.locator("#view-trains th .train-card").evaluate_all(
            "all => all.map((one) => [one.innerText, getComputedStyle(one).backgroundColor])"
        )
    )
    assert colours["3"] == colours["4"]
    assert colours["5"] == colours["6"]
    assert len({colours[name] for name in ("2", "3", "5", "8")}) == 4
