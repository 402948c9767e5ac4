"""Turns of 18Cuba by clicking: a set on the half map, wagons, commissioners, own shares, keys."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from carril.engine.actions import BuyMachine, IssueShares, LayTile
from carril.engine.market import price
from carril.engine.state import State
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.browser.test_cuba import BID, new_game
from tests.browser.test_everybody import tab_to, violations
from tests.rulebook.cuba import lines, positions
from tests.rulebook.cuba.building import building
from tests.rulebook.cuba.rounds import due, sugar_coast
from tests.table import charter, tokens


def _first_turn(stage: Stage, page: Page, minor: str, home: str) -> None:
    """Play the first turn of a minor: home, its tile, a 2n train, no machine."""
    hands.says(page, f"{minor} chooses a city for its token")
    hands.open_hex(page, home)
    before = hands.number(page)
    page.locator('#hexcard button[data-kind="token"]').click()
    hands.at(page, before + 1)
    hands.click_through(page, hands.act("pass"))  # own shares
    hands.lay_first(page)
    if LayTile in stage.state(page.url.rsplit("/", 1)[1]).step.allows:
        hands.click_through(page, hands.act("pass"))  # a commissioner laid it
    hands.says(page, f"{minor} has no train and must buy one")
    hands.click_through(page, hands.act("train") + ":has-text('2n')")
    while minor in hands.sentence(page):
        hands.click_through(page, hands.act("pass"))


def test_a_half_map_from_the_lobby_to_the_second_stock_round(stage: Stage, visit: Visit) -> None:
    """Auction, draft, two conversions, the first set of two minors and the FC, all by clicks."""
    page = visit("Ana", "/")
    game = new_game(page)
    while page.locator(".panel-private_auction").count():
        opens = page.locator(".lot-card", has_text="No bids yet").count()
        hands.click_through(page, BID if opens else hands.act("pass"))
    for concession in ("M1", "M6"):
        hands.click_through(page, hands.act("choose") + f":has-text('Take {concession}')")
    for minor, par in (("HG", "70"), ("CO", "80")):
        form = page.locator(".stock", has=page.locator(f"b:text-is('{minor}')"))
        form.locator("select").select_option(par)
        before = hands.number(page)
        form.locator('button[data-kind="convert"]').click()
        hands.at(page, before + 1)
    while stage.state(game).round.kind == "SR":
        hands.click_through(page, hands.act("pass"))
    _first_turn(stage, page, "HG", "F21")  # 70, the lowest price, is first
    _first_turn(stage, page, "CO", "D19")
    hands.says(page, "may sell shares, buy a share")
    state = stage.state(game)
    assert (str(state.round), state.phase) == ("SR 2", "2")
    assert {state.board.tokens[at] for at in ("F21", "D19")} == {(("HG",),), (("CO",),)}
    # HG: 3 x 70 - 80. CO: 3 x 80 - 80; its director keeps the discount of M6 or has used it.
    assert state.companies["HG"].cash == 210 - 80
    assert state.companies["CO"].cash in (240 - 80, 240)
    card = page.locator(".automatic")
    expect(card).to_contain_text("exported")
    expect(card).to_contain_text("no token in a city yet")


def _two_mills() -> State:
    """MS has two 3 trains, two 1-wagons and stations in Matanzas and Cienfuegos.

    Cárdenas, full with a token of the FC, has two cubes of HG; Cienfuegos has one of CO.
    """
    state = charter(sugar_coast(), "MS", trains=("3", "3", "1w", "1w"))
    state = tokens(state, D13=(("CO", "MS"),))
    return lines.running(positions.extra(state, cubes={"HG": 2, "CO": 1}), "MS")


def test_a_run_with_two_wagons_cubes_of_two_mills_and_a_paid_pass(
    stage: Stage, visit: Visit
) -> None:
    """30 + 20 + 30 + the harbour beyond the range 0 + a cube 30; 20 + 10 + a cube 30: 170."""
    game = stage.table(_two_mills())
    page = visit("Ana", f"/table/{game}")
    expect(page.locator(".run").first).to_contain_text("1 from CO")
    expect(page.locator(".proof")).to_contain_text("without paid passes")
    for train, stops in ((0, ("B7.1", "B9.0", "B11.0", "A12.0")), (1, ("D13.0", "E14.0"))):
        page.locator(f'.own-trains input[value="{train}"]').check()
        for count, stop in enumerate(stops, start=1):
            page.locator("#own-add").select_option(stop)
            shown = page.locator("#own-result .route").nth(train).locator(".stop")
            expect(shown).to_have_count(count)
    result = page.locator("#own-result")
    expect(page.get_by_label("Pay $20 to pass B11 Cardenas")).to_be_checked()
    expect(result.locator(".facts").first).to_contain_text("$170")
    expect(result.locator("button.choice")).to_contain_text("Run this for $170 and pay $20")
    hands.click_through(page, "#own-result button.choice")
    hands.says(page, "MS earned \\$170")
    state = stage.state(game)
    assert positions.memory(state).cubes == {"HG": 1, "CO": 0}
    assert (state.companies["MS"].cash, state.companies["FC"].cash) == (80, 20)


def test_a_commissioner_lays_a_second_tile(stage: Stage, visit: Visit) -> None:
    """CVC pays 10 for plain track on cane, and commissioner K1 brings Ana 30."""
    first = positions.extra(positions.game(), commissioners={"K1": "Ana"})
    position = building("CVC", {"C14": ("6", 2)}, {"C14": (("CVC",),)}, state=first)
    game = stage.table(position)
    page = visit("Ana", f"/table/{game}")
    cash = position.players["Ana"].cash
    hands.open_hex(page, "B13")
    helped = page.locator(".ring-tile", has_text="K1").first
    expect(helped.locator("[title]")).to_have_attribute("title", re.compile("then receives \\$30"))
    helped.click()
    before = hands.number(page)
    page.locator("[data-lay-tile]").click()
    hands.at(page, before + 1)
    state = stage.state(game)
    assert state.players["Ana"].cash == cash + 30
    assert (state.companies["CVC"].cash, positions.memory(state).commissioners) == (90, {})
    hands.says(page, "CVC may lay track")  # the normal tile is still open
    hands.lay_first(page)
    assert len(stage.state(game).board.laid) == 3


def test_an_issue_unlocks_a_token(stage: Stage, visit: Visit) -> None:
    """MS issues one of its four treasury shares at 100: 30% are left, the third station opens."""
    position = due(positions.operate(sugar_coast(), "MS"), "MS", IssueShares)
    game = stage.table(position)
    page = visit("Ana", f"/table/{game}")
    page.locator("#tab-market").click()
    card = page.locator(".card", has=page.locator("b:text-is('MS')"))
    expect(card).to_contain_text("for 60, until at most 30% is in the treasury")
    hands.click_through(page, hands.act("issue"))
    expect(page.locator("#part-log")).to_contain_text("1 locked station of MS can be built")
    expect(card).not_to_contain_text("until at most 30%")
    state = stage.state(game)
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (2, 1)
    assert state.companies["MS"].cash == 100 + 100


def test_the_fcs_turn_is_explained_in_a_second_browser(
    stage: Stage, visit: Visit, axe: str
) -> None:
    """Ben reads the card that explains the turn of the FC and the export, step by step."""
    position = positions.operate(sugar_coast(), "TSS", turn=3, number=2, of=2)
    position = positions.extra(position, cubes={"CO": 1})
    seats = {"Ana": "Zoe", "Ben": "Ben", "Cleo": "Zoe", "Dan": "Zoe"}
    game = stage.table(position, seats)
    zoe, ben = visit("Zoe", f"/table/{game}"), visit("Ben", f"/table/{game}")
    expect(ben.locator(".automatic")).to_have_count(0)
    while stage.state(game).round.kind == "OR":
        hands.click_through(
            zoe, hands.act("pass"), hands.act("run"), hands.act("dividend"), hands.act("train")
        )
    card = ben.locator(".automatic")
    expect(card.locator("li").first).to_have_text(
        "Its newest train is a 4: it could count 4 cities, but has tokens in 2"
    )
    for text in ("B7 Havana$30", "B11 Cardenas$30", "1 cube that nobody shipped, at 10 each$10"):
        expect(card).to_contain_text(text)
    expect(card.locator(".total")).to_have_text("Paid out, 7 for each share$70")
    expect(card).to_contain_text("Share price rises from 60 to 65")
    expect(card).to_contain_text("the 4 on top of the stack is exported to it")
    expect(card).to_have_attribute("open", "")
    assert violations(ben, axe, "#part-automatic") == []


def test_a_minors_turn_by_keyboard(stage: Stage, visit: Visit) -> None:
    """HG runs, pays out and buys a machine with the keys alone."""
    position = due(
        positions.operate(sugar_coast(), "HG", turn=3, number=2, of=2), "HG", IssueShares
    )
    game = stage.table(position)
    page = visit("Ana", f"/table/{game}")
    for kind in ("pass", "pass", "run", "dividend", "pass", "machine"):
        if not page.locator(hands.act(kind)).count():
            continue
        now = hands.number(page)
        tab_to(page, hands.act(kind))
        page.keyboard.press("Enter")
        expect(page.locator("#where")).not_to_have_attribute("data-at", str(now))
    state = stage.state(game)
    assert len(positions.memory(state).machines["HG"]) == 3
    assert positions.memory(state).cubes["HG"] == 2
    assert BuyMachine not in state.step.allows or state.step.subject != "HG"


def test_a_majors_turn_on_a_phone(stage: Stage, visit: Visit) -> None:
    """MS lays track, runs its 3 and pays out by taps, and nothing is wider than the screen.

    Havana 30, Matanzas 20 and Cardenas 30 are 8 for each share: 6 of Ana, 4 of the treasury.
    """
    position = due(positions.operate(sugar_coast(), "MS"), "MS", LayTile)
    game = stage.table(position)
    page = visit("Ana", f"/table/{game}", size=(390, 844), touch=True)
    cash, laid = position.players["Ana"].cash, len(position.board.laid)
    hands.says(page, "MS may lay track")
    hands.lay_first(page)
    while "MS" in hands.sentence(page):
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        hands.click_through(page, hands.act("run"), hands.act("dividend"), hands.act("pass"))
    state = stage.state(game)
    assert len(state.board.laid) == laid + 1
    assert state.players["Ana"].cash == cash + 6 * 8
    assert price(state, "MS") == 110
