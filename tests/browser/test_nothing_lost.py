"""No click loses a game: undo asks and can be redone, and a lost connection loses no action."""

from __future__ import annotations

import re

from playwright.sync_api import Page, Route, expect

from carril.engine.actions import ChooseLot
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.service.table import first_action


def _played(stage: Stage, actions: int) -> str:
    game = stage.table(table.game(3))
    for _ in range(actions):
        stage.act(game, "Ana", first_action(stage.state(game)))
    return game


def _answer(page: Page, button: str) -> None:
    page.locator("#question button", has_text=button).click()
    expect(page.locator("#question")).to_be_hidden()


def test_undo_to_here_asks_and_is_redone(stage: Stage, visit: Visit) -> None:
    """B1: one click took back the whole game, without a question and for good."""
    game = _played(stage, 8)
    page = visit("Ana", f"/table/{game}?at=0")
    page.locator('[data-undo="here"]').click()
    expect(page.locator("#question")).to_contain_text("Take back 8 actions?")
    expect(page.locator("#question")).to_contain_text("back to position 0")
    _answer(page, "Cancel")
    assert stage.games.info(game).head == 8
    page.locator('[data-undo="here"]').click()
    _answer(page, "Yes")
    hands.at(page, 0)
    expect(page.locator("#part-log")).to_contain_text("Ana took back 8 actions, to position 0.")
    watcher = visit("Zoe", f"/table/{game}")
    expect(watcher.locator("#part-log")).to_contain_text("Ana took back 8 actions")
    assert watcher.locator("[data-redo], [data-undo]").count() == 0
    page.locator('[data-undo="redo"]').click()
    hands.at(page, 8)
    hands.at(watcher, 8)
    expect(page.locator("#part-log")).to_contain_text("Ana put back 8 actions, from 1 on.")
    assert stage.games.verify(game).sound


def test_ones_own_last_action_is_undone_without_a_question(stage: Stage, visit: Visit) -> None:
    game = _played(stage, 3)
    page = visit("Ana", f"/table/{game}")
    page.locator('[data-undo="step"]').click()
    hands.at(page, 2)
    page.locator('[data-undo="redo"]').click()
    hands.at(page, 3)


def test_what_was_undone_is_put_back_from_the_log(stage: Stage, visit: Visit) -> None:
    game = _played(stage, 6)
    page = visit("Ana", f"/table/{game}?at=3")
    page.locator('[data-undo="here"]').click()
    _answer(page, "Yes")
    # Position 3 was shown before, too, but without buttons: they come with the end of the history.
    expect(page.locator("#part-panel button[data-kind]").first).to_be_visible(timeout=40_000)
    hands.at(page, 3)
    hands.click_through(page, hands.act("pass"), "#part-panel button[data-kind]")
    expect(page.locator('[data-undo="redo"]')).to_have_count(0)
    page.locator("[data-redo]").click()
    expect(page.locator("#question")).to_contain_text("takes back 1 action played since")
    _answer(page, "Yes")
    hands.at(page, 6)


def test_keeping_a_line_asks_and_can_be_taken_back(stage: Stage, visit: Visit) -> None:
    game = _played(stage, 5)
    page = visit("Ana", f"/table/{game}?at=2")
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    hands.click_through(page, hands.act("pass"), "#part-panel button[data-kind]")
    page.locator("#fork-note button", has_text="Make this the real game").click()
    expect(page.locator("#question")).to_contain_text("takes back 3 actions after position 2")
    _answer(page, "Cancel")
    assert stage.games.info(game).head == 5
    page.locator("#fork-note button", has_text="Make this the real game").click()
    page.locator("#question button", has_text="Yes").click()
    page.wait_for_url(f"**/table/{game}")
    hands.at(page, 3)
    page.locator("[data-redo]").click()
    _answer(page, "Yes")
    hands.at(page, 5)


def test_redo_among_people_needs_consent(stage: Stage, visit: Visit) -> None:
    seats = {"Ana": "Ana", "Ben": "Ben"}
    game = stage.table(table.game(2), seats)
    stage.act(game, "Ana", ChooseLot("5"))
    stage.games.undo(game, stage.user("Ana"), 0)
    request = stage.games.undo_request(game)
    assert request
    stage.games.answer(game, stage.user("Ben"), request.id, True)
    ana, ben = visit("Ana", f"/table/{game}"), visit("Ben", f"/table/{game}")
    expect(ben.locator("#part-log")).to_contain_text("Ana took back 1 action")
    ben.locator('[data-undo="redo"]').click()
    expect(ana.locator("#vote-redo")).to_contain_text("Ben asks to put back what was undone")
    ana.locator("#vote-redo button", has_text="Agree").click()
    hands.at(ben, 1)


# --- the network ---------------------------------------------------------------------------


def test_an_action_without_a_connection_is_sent_again(stage: Stage, visit: Visit) -> None:
    """B10: nothing happened, and nothing was said."""
    state = table.stock_round(table.own_minors(table.game(3), {}))
    game = stage.table(state)
    page = visit("Ana", f"/table/{game}")
    page.context.set_offline(True)
    page.locator(hands.act("pass")).click()
    expect(page.locator("#notice")).to_contain_text(re.compile("sent again|Reconnecting"))
    assert stage.games.info(game).head == 0
    page.context.set_offline(False)
    hands.at(page, 1)
    assert stage.games.info(game).head == 1


def test_an_action_whose_answer_was_lost_counts_once(stage: Stage, visit: Visit) -> None:
    """The server carries it out, but the page does not hear of it: the same key is sent again."""
    state = table.stock_round(table.own_minors(table.game(3), {}))
    game = stage.table(state)
    page = visit("Ana", f"/table/{game}")
    keys: list[str | None] = []

    def lose_the_first(route: Route) -> None:
        keys.append(route.request.headers.get("idempotency-key"))
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/act", lose_the_first)
    page.route("**/parts*", lambda route: route.abort())
    page.locator(hands.act("pass")).click()
    hands.at(page, 1)
    assert len(keys) == 2
    assert keys[0]
    assert keys[0] == keys[1]
    assert stage.games.info(game).head == 1


def _answered_late(page: Page, status: int = 0) -> None:
    """Let responses to actions arrive after the live update, which has removed the buttons."""

    def hold(route: Route) -> None:
        before = hands.number(page)
        response = route.fetch()
        page.wait_for_function(
            "before => Number(document.querySelector('#where').dataset.at) > before", arg=before
        )
        if status:
            route.fulfill(status=status, body="<p>down</p>", content_type="text/html")
        else:
            route.fulfill(response=response)

    page.route("**/act", hold, times=1)


def _filled_parts(page: Page) -> set[str]:
    found: list[str] = page.evaluate(
        "[...document.querySelectorAll('[id^=part-]')].filter(p => p.innerHTML).map(p => p.id)"
    )
    return set(found)


def test_an_answer_after_the_live_update_changes_nothing(stage: Stage, visit: Visit) -> None:
    """It leaves out the parts that have not changed, so it must not replace anything itself."""
    game = stage.table(table.stock_round(table.own_minors(table.game(3), {})))
    page = visit("Ana", f"/table/{game}")
    before = _filled_parts(page)
    assert "part-map" in before
    _answered_late(page)
    with page.expect_response("**/act"):
        page.locator(hands.act("pass")).click()
    hands.at(page, 1)
    hands.click_through(page, hands.act("pass"))
    assert _filled_parts(page) >= before


def test_an_error_after_the_live_update_loses_nothing(stage: Stage, visit: Visit) -> None:
    """The action is sent again with the same key, which the server has seen."""
    game = stage.table(table.stock_round(table.own_minors(table.game(3), {})))
    page = visit("Ana", f"/table/{game}")
    _answered_late(page, status=503)
    page.locator(hands.act("pass")).click()
    expect(page.locator("#notice")).to_contain_text("sent again")
    expect(page.locator("#notice")).to_be_hidden()
    hands.at(page, 1)
    assert stage.games.info(game).head == 1
    hands.click_through(page, hands.act("pass"))


def test_an_error_of_the_server_is_said_and_tried_again(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.stock_round(table.own_minors(table.game(3), {})))
    page = visit("Ana", f"/table/{game}")
    failures = iter((503, 500))

    def fail(route: Route) -> None:
        status = next(failures, None)
        if status:
            route.fulfill(status=status, body="<p>down</p>", content_type="text/html")
        else:
            route.continue_()

    page.route("**/act", fail)
    page.locator(hands.act("pass")).click()
    expect(page.locator("#notice")).to_contain_text("sent again")
    hands.at(page, 1)
    expect(page.locator("#notice")).to_be_hidden()


def test_other_requests_without_a_connection_say_so(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.game(3))
    page = visit("Ana", f"/table/{game}")
    page.route("**/view/sheet*", lambda route: route.abort())
    page.locator("#tab-sheet").click()
    expect(page.locator("#notice")).to_contain_text("The server could not be reached.")
    page.unroute("**/view/sheet*")
    page.locator("#tab-map").click()
    page.locator("#tab-sheet").click()
    expect(page.locator("#view-sheet table")).to_be_visible()


# --- people at the table -------------------------------------------------------------------


def test_the_host_invites_from_the_table_and_sees_who_sits_down(stage: Stage, visit: Visit) -> None:
    """B6 and B7: no link on the table, no news, and "Guest 2" instead of a name."""
    host = visit("Ana", "/")
    host.context.grant_permissions(["clipboard-read", "clipboard-write"])
    host.locator('select[name="seat-2"]').select_option("person")
    host.locator('select[name="seat-3"]').select_option("")
    host.locator("#new-game button.wide").click()
    host.wait_for_url("**/table/*")
    game = host.url.rsplit("/", 1)[1]
    host.locator("#open-seats [data-copy]").click()
    expect(host.locator("#notice")).to_contain_text("The link is copied.")
    link = host.evaluate("navigator.clipboard.readText()")
    assert link == host.locator("#open-seats input").input_value()
    bea = visit("", link.replace(stage.url, ""))
    bea.locator('input[name="name"]').fill("Bea")
    bea.locator("main button.primary").click()
    bea.wait_for_url(f"**/table/{game}")
    expect(host.locator("#notice")).to_contain_text("Bea has taken the seat of Guest 2.")
    expect(host.locator("#open-seats")).to_have_count(0)
    for page in (host, bea):
        expect(page.locator("#part-players")).to_contain_text("Bea")
        for part in ("players", "rail", "panel"):
            expect(page.locator(f"#part-{part}")).not_to_contain_text("Guest 2")
    info = stage.games.info(game)
    users = {seat.player: seat.user_name for seat in info.seats}
    acting = {"Ana": host, "Bea": bea}[users[str(info.acting)]]
    hands.click_through(acting, "#part-panel button[data-kind]")
    expect(host.locator("#part-log")).to_contain_text(users[str(info.acting)])
    expect(host.locator("#part-log")).not_to_contain_text("Guest 2")


def test_spectators_get_no_chat_box(stage: Stage, visit: Visit) -> None:
    """B17: they could write, and were refused."""
    game = stage.table(table.game(3))
    watcher = visit("Zoe", f"/table/{game}")
    watcher.locator("#tab-chat").click()
    expect(watcher.locator("#view-chat")).to_contain_text("No messages yet.")
    assert watcher.locator("#say").count() == 0
    player = visit("Ana", f"/table/{game}")
    player.locator("#tab-chat").click()
    expect(player.locator("#say")).to_be_visible()
