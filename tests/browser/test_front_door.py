"""The front door, guests who leave and come back, forms, and the pages of an account."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from carril.engine.registry import listed_titles
from carril.service.values import NewGame, Seat
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations
from tests.service.table import first_action

TITLES = [title.name for title in listed_titles()]
SHIPPED = [one.name for one in listed_titles() if one.tables.package.startswith("carril.")]


def _account(stage: Stage, page: Page, name: str, password: str = "correct horse 9") -> None:
    """Sign a browser in with a new account."""
    user = stage.accounts.register(name, password)
    token = stage.accounts.open_session(user).token
    page.context.add_cookies([{"name": "carril", "value": token, "url": stage.url}])


def test_the_front_door_says_what_there_is(visit: Visit) -> None:
    """F21: a wall "Who are you?", without a word about the games."""
    page = visit("")
    expect(page.locator(".offer h2")).to_have_text(TITLES)
    for title in SHIPPED:
        expect(page.locator(".offer", has_text=title).locator("p.about")).not_to_be_empty()
    for picture in page.locator(".offer img").all():
        picture.scroll_into_view_if_needed()
        drawn = "image => image.complete && image.naturalWidth > 100"
        page.wait_for_function(drawn, arg=picture.element_handle())
    expect(page.locator("#sign")).to_be_visible()
    page.locator(".offer a", has_text="Read the rules").first.click()
    page.wait_for_url(f"**/rules/{TITLES[0]}")


@pytest.mark.parametrize("title", TITLES)
def test_one_click_plays_against_bots(stage: Stage, visit: Visit, title: str) -> None:
    page = visit("")
    name = page.locator("#play input[name=name]").input_value()
    assert len(name.split()) == 2
    page.locator(".offer", has_text=title).locator("button.primary").click()
    page.wait_for_url("**/table/*")
    info = stage.games.info(page.url.rsplit("/", 1)[1])
    assert info.title == title
    assert len(info.name.split()) == 2
    assert [seat.kind for seat in info.seats].count("bot") == len(info.seats) - 1
    expect(page.locator("#part-players")).to_contain_text(name)


def test_a_running_game_is_watched(stage: Stage, visit: Visit) -> None:
    player = visit("")
    player.locator(".offer button.primary").first.click()
    player.wait_for_url("**/table/*")
    game = player.url.rsplit("/", 1)[1]
    stage.until(lambda: stage.games.info(game).acting_user != "")
    hands.same_position(stage, game, player)
    hands.click_through(player, "#part-panel button[data-kind]")
    watcher = visit("")
    watcher.locator(f'.watch a[href="/table/{game}"]').click()
    hands.at(watcher, hands.number(watcher))
    assert watcher.locator("#part-panel button[data-kind]").count() == 0


def test_a_record_is_opened_without_signing_in(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.game(3))
    stage.act(game, "Ana", first_action(stage.state(game)))
    page = visit("")
    file = {"name": "game.json", "mimeType": "application/json", "buffer": b"{}"}
    page.locator(".import input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator(".import button").click()
    expect(page.locator("#error-import")).not_to_be_empty()
    file["buffer"] = stage.games.export(game).encode()
    page.locator(".import input[type=file]").set_input_files(file)  # type: ignore[arg-type]
    page.locator(".import button").click()
    page.wait_for_url("**/table/*")
    hands.at(page, 1)


# --- forms ---------------------------------------------------------------------------------


def test_errors_are_shown_on_the_form_with_what_was_typed(visit: Visit) -> None:
    """F20: an error was a page of its own, and what was typed was gone."""
    page = visit("")
    name, password = page.locator("#sign input[name=name]"), page.locator("#sign [type=password]")
    name.fill("Felix")
    password.fill("short")
    page.locator("#sign button", has_text="Create an account").click()
    expect(page.locator("#error-sign")).to_contain_text("8 to 200 characters")
    expect(name).to_have_value("Felix")
    expect(password).to_have_value("short")
    page.locator("#sign button", has_text="Sign in").click()
    expect(page.locator("#error-sign")).to_contain_text("The name or the password is wrong.")
    password.fill("correct horse 9")
    page.locator("#sign button", has_text="Create an account").click()
    expect(page.locator("#mine-title")).to_be_visible()


def test_a_new_game_that_cannot_be_set_up_keeps_the_form(visit: Visit) -> None:
    page = visit("Ana")
    page.locator("#new-game input[name=name]").fill("My table")
    for seat in (2, 3):
        page.locator(f'select[name="seat-{seat}"]').select_option("")
    page.locator("#new-game button.wide").click()
    expect(page.locator("#error-new")).to_contain_text("players, not 1")
    expect(page.locator("#new-game input[name=name]")).to_have_value("My table")
    expect(page.locator('select[name="seat-2"]')).to_have_value("")


def test_a_game_is_deleted_after_a_question(stage: Stage, visit: Visit) -> None:
    stage.user("Dan")
    game = stage.table(table.game(2), "Dan", "Doomed")
    page = visit("Dan")
    entry = page.locator(".game", has_text="Doomed")
    entry.locator("button", has_text="Delete").click()
    page.locator("#question button", has_text="Cancel").click()
    assert stage.games.info(game).name == "Doomed"
    entry.locator("button", has_text="Delete").click()
    expect(page.locator("#question")).to_contain_text("Delete “Doomed”")
    page.locator("#question button", has_text="Yes").click()
    expect(entry).to_have_count(0)


# --- guests and accounts -------------------------------------------------------------------


def _playing_guest(visit: Visit) -> tuple[Page, str]:
    page = visit("")
    page.locator(".offer button.primary").first.click()
    page.wait_for_url("**/table/*")
    return page, page.url.rsplit("/", 1)[1]


def test_a_guest_who_signs_out_comes_back_by_the_link(visit: Visit) -> None:
    """B2: signing out lost all games without a warning."""
    page, game = _playing_guest(visit)
    page.locator("form.who button").click()
    expect(page.locator("main")).to_contain_text("You are a guest with 1 game.")
    link = page.locator("#return-link").input_value()
    page.locator("main button", has_text="Sign out").click()
    expect(page.locator("#sign")).to_be_visible()
    page.goto(link)
    page.locator("main button", has_text="Go to my games").click()
    expect(page.locator(f'.game a[href="/table/{game}"]')).to_be_visible()


def test_a_guest_becomes_an_account(stage: Stage, visit: Visit) -> None:
    page, game = _playing_guest(visit)
    page.locator("a.who-name").click()
    page.locator("#upgrade input[name=name]").fill("Gerda")
    page.locator("#upgrade [type=password]").fill("short")
    page.locator("#upgrade button").click()
    expect(page.locator("#error-upgrade")).to_contain_text("8 to 200 characters")
    page.locator("#upgrade [type=password]").fill("correct horse 9")
    page.locator("#upgrade button").click()
    expect(page.locator(f'.game a[href="/table/{game}"]')).to_be_visible()
    page.locator("form.who button").click()  # an account needs no warning
    page.locator("#sign input[name=name]").fill("Gerda")
    page.locator("#sign [type=password]").fill("correct horse 9")
    page.locator("#sign button", has_text="Sign in").click()
    expect(page.locator(f'.game a[href="/table/{game}"]')).to_be_visible()
    assert stage.games.info(game).acting is not None


def test_sessions_and_tokens_are_listed_and_revoked(stage: Stage, visit: Visit) -> None:
    page = visit("")
    _account(stage, page, "Hanna")
    stage.accounts.open_session(stage.accounts.sign_in("Hanna", "correct horse 9"))
    page.goto(f"{stage.url}/account")
    expect(page.locator("#sessions li")).to_have_count(2)
    page.locator("#sessions button", has_text="Sign out there").click()
    expect(page.locator("#sessions li")).to_have_count(1)
    page.locator("#tokens input[name=label]").fill("my bot")
    page.locator("#tokens button", has_text="Create a token").click()
    assert len(page.locator("#fresh-token").input_value()) > 20
    expect(page.locator("#tokens li")).to_contain_text("my bot")
    page.locator("#tokens button", has_text="Revoke").click()
    expect(page.locator("#tokens li")).to_have_text("There are no tokens.")


def test_a_password_is_changed_and_an_account_deleted(stage: Stage, visit: Visit) -> None:
    page = visit("")
    _account(stage, page, "Irma")
    page.goto(f"{stage.url}/account")
    for field, text in (("old", "wrong"), ("new", "battery staple 7"), ("repeated", "another")):
        page.locator(f"#password input[name={field}]").fill(text)
    page.locator("#password button").click()
    expect(page.locator("#error-password")).to_contain_text("not the same")
    page.locator("#password input[name=repeated]").fill("battery staple 7")
    page.locator("#password button").click()
    expect(page.locator("#error-password")).to_contain_text("password is wrong")
    page.locator("#password input[name=old]").fill("correct horse 9")
    page.locator("#password button").click()
    expect(page.locator("#password input[name=old]")).to_have_value("")
    assert stage.accounts.sign_in("Irma", "battery staple 7").name == "Irma"
    page.locator("#delete input[name=password]").fill("battery staple 7")
    page.locator("#delete button").click()
    page.locator("#question button", has_text="Yes").click()
    expect(page.locator("#sign")).to_be_visible()


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_these_pages(stage: Stage, visit: Visit, axe: str, dark: bool) -> None:
    page = visit("", dark=dark)
    assert violations(page, axe) == []
    page.locator("#sign input[name=name]").fill("Nora")
    page.locator("#sign [type=password]").fill("wrong")
    page.locator("#sign button", has_text="Sign in").click()
    expect(page.locator("#error-sign")).not_to_be_empty()
    assert violations(page, axe) == []
    page.locator(".offer button.primary").first.click()
    page.wait_for_url("**/table/*")
    page.goto(f"{stage.url}/account")
    assert violations(page, axe) == []
    page.locator("form.who button").click()
    expect(page.locator("#return-link")).to_be_visible()
    assert violations(page, axe) == []
    seats = (Seat("me"), Seat("person"))
    invited = stage.games.create(stage.user("Ana"), NewGame(TITLES[0], seats, seed=3)).id
    stage.act(invited, "Ana", first_action(stage.state(invited)))
    stage.games.undo(invited, stage.user("Ana"), 0)
    page = visit("Ana", f"/table/{invited}", dark=dark)
    expect(page.locator("#change-2")).to_be_visible()
    assert violations(page, axe, "#part-log, #part-bar, #part-players") == []


def test_on_a_phone_everything_is_reached_by_a_thumb(visit: Visit) -> None:
    page = visit("", size=(390, 844), touch=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    low = page.evaluate(
        "[...document.querySelectorAll('main .choice, main input')]"
        ".filter(e => e.offsetParent && e.getBoundingClientRect().height < 44).length"
    )
    assert low == 0
