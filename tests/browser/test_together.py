"""Several people at several browsers, and bots that are watched."""

from __future__ import annotations

from random import Random

import pytest
from playwright.sync_api import expect

from carril.engine.actions import ChooseLot, Pass
from carril.engine.state import State
from carril.service import playing
from carril.service.opponents import Choice
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.positions import simple
from tests.browser.stage import Stage


def test_two_people_with_an_offer_between_them(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {})
    state = table.phase(state, "3")
    state = table.corporation(state, "FS", {"Ana": 5}, price=100, trains=("3",))
    state = table.corporation(state, "DR", {"Ben": 5}, price=90, trains=("3", "3"))
    state = table.tokens(state, G12=(("FS",),), E18=(("DR",),))
    state = table.cash(state, FS=150, DR=100)
    game = stage.table(
        table.operate(state, "FS"), {"Ana": "Ana", "Ben": "Ben", "Cleo": "Cleo"}, "Offers"
    )
    ana, ben = visit("Ana", f"/table/{game}"), visit("Ben", f"/table/{game}")
    while not ana.locator(".sellers").count():
        hands.click_through(ana, hands.act("pass"))
    hands.same_position(stage, game, ben)
    expect(ben.locator("#part-panel")).to_contain_text("Waiting for Ana")
    assert ben.locator("#part-panel button[data-kind]").count() == 0
    ana.locator(".sellers input[type=number]").fill("120")
    ana.locator(".sellers button[data-kind=train]").click()
    hands.says(ben, "should DR sell a 3 train to FS for £120")
    expect(ben).to_have_title("● Your turn · Offers")
    ben.locator(hands.act("decline")).click()
    expect(ana.locator("#part-log")).to_contain_text("Ben says no (3 train)")
    ana.locator(".sellers input[type=number]").fill("150")
    ana.locator(".sellers button[data-kind=train]").click()
    hands.says(ben, "for £150")
    ben.locator(hands.act("accept")).click()
    expect(ana.locator("#part-log")).to_contain_text("FS buys a 3 train from DR for £150")
    assert stage.state(game).companies["FS"].trains == ("3", "3")
    ben.locator("#tab-chat").click()
    ben.locator("#say").fill("A pleasure.")
    ben.locator(".say button").click()
    ana.locator("#tab-chat").click()
    expect(ana.locator(".chat")).to_contain_text("A pleasure.")
    assert "A pleasure" not in ana.locator("#part-log").inner_text()


def test_the_focus_waits_at_the_sentence_while_others_act(stage: Stage, visit: Visit) -> None:
    """Whoever plays by keyboard is not thrown back to the top of the page by another's turn."""
    state = table.stock_round(table.own_minors(table.game(3), {}))
    seats = {"Ana": "Ana", "Ben": "Ben", "Cleo": "Cleo"}
    game = stage.table(state, seats, "By keyboard")
    page = visit("Ana", f"/table/{game}")
    page.locator(hands.act("pass")).focus()
    page.keyboard.press("Enter")
    hands.says(page, "Ben may")
    expect(page.locator("#sentence")).to_be_focused()
    for player in ("Ben", "Cleo"):
        stage.act(game, player, Pass())
    hands.same_position(stage, game, page)
    expect(page.locator("#sentence")).to_be_focused()


def test_undo_among_people_needs_consent(stage: Stage, visit: Visit) -> None:
    seats = {"Ana": "Ana", "Ben": "Ben", "Cleo": "Cleo"}
    game = stage.table(table.game(3), seats)
    stage.act(game, "Ana", ChooseLot("5"))
    ana, ben = visit("Ana", f"/table/{game}"), visit("Ben", f"/table/{game}")
    ana.locator('[data-undo="step"]').click()
    expect(ana.locator("#vote-undo")).to_contain_text("Waiting for the others to agree")
    ben.locator("#vote-undo button", has_text="Agree").click()
    cleo = visit("Cleo", f"/table/{game}")
    cleo.locator("#vote-undo button", has_text="Agree").click()
    hands.at(ana, 0)
    assert stage.games.info(game).head == 0


def test_an_invitation_is_followed(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.game(2), {"Ana": "Ana", "Ben": ""}, "Invited")
    ana = visit("Ana", "/")
    link = ana.locator(".game", has_text="Invited").locator(".invite input").input_value()
    ben = visit("", link.replace(stage.url, ""))
    expect(ben.locator("main")).to_contain_text("Ben's seat at “Invited”")
    ben.locator('input[name="name"]').fill("Benedikt")
    ben.locator("main button.primary").click()
    ben.wait_for_url(f"**/table/{game}")
    expect(ben.locator("#part-players")).to_contain_text("Ben Benedikt you")
    assert stage.games.info(game).seats[1].user_name == "Benedikt"


def test_a_whole_game_of_bots_is_watched_live(
    stage: Stage, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the first action to the last, seen from a second browser without a reload."""
    random = Random(3)

    def choose(bot: str, state: State, seed: int, seconds: float = 0.0) -> Choice:
        return Choice(simple(state, random), "")

    monkeypatch.setattr(playing, "choose_guarded", choose)
    first = table.game(3, seed=3)
    watcher = visit("Zoe", "/")
    watcher.evaluate("window.untouched = true")
    game = stage.table(first, dict.fromkeys(first.players, "bot:random"), "Bots", owner="Ana")
    watcher.goto(f"{stage.url}/table/{game}")
    watcher.evaluate("window.untouched = true")
    seen: set[int] = set()

    def over() -> bool:
        seen.add(hands.number(watcher))
        watcher.wait_for_timeout(100)
        return stage.games.info(game).finished

    stage.until(over, 400)
    hands.same_position(stage, game, watcher)
    expect(watcher.locator(".standing")).to_be_visible()
    assert len(seen) > 5
    assert watcher.evaluate("window.untouched") is True
