"""18Cuba by clicking: the first stock round, a minor's first turn, wagons, passes, bonuses."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from carril.engine.state import Round
from carril.engine.steps.operating import OperatingRound
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations
from tests.rulebook.cuba import lines, positions
from tests.table import at, cash

BID = '.amount button[data-kind="bid"]'


def new_game(page: Page) -> str:
    """Set up an easy game of two on the eastern half by the lobby; return its id."""
    page.locator('select[name="title"]').select_option("18Cuba")
    for seat, kind in enumerate(("me", "me", "", "", "", ""), start=1):
        page.locator(f'select[name="seat-{seat}"]').select_option(kind)
    for seat, name in enumerate(("Ana", "Ben"), start=1):
        page.locator(f'input[name="name-{seat}"]').fill(name)
    expect(page.locator(".setups li:visible")).to_have_count(4)
    page.get_by_label("2 players, easy, eastern half").check()
    page.locator("#new-game button.primary").click()
    page.wait_for_selector("#table")
    return page.url.rsplit("/", 1)[1]


def test_a_half_map_from_the_lobby_to_two_conversions(stage: Stage, visit: Visit) -> None:
    page = visit("Ana", "/")
    game = new_game(page)
    assert stage.state(game).setup.variants == ("east", "easy")
    while page.locator(".panel-private_auction").count():
        opens = page.locator(".lot-card", has_text="No bids yet").count()
        hands.click_through(page, BID if opens else hands.act("pass"))
    assert all(positions.memory(stage.state(game)).commissioners.values())
    for concession in ("M2", "M5"):
        hands.says(page, "may take one card or decline")
        hands.click_through(page, hands.act("choose") + f":has-text('Take {concession}')")
    for minor in ("HG", "CO"):
        form = page.locator(".stock", has=page.locator(f"b:text-is('{minor}')"))
        form.locator("select").select_option("85")
        before = hands.number(page)
        form.locator('button[data-kind="convert"]').click()
        hands.at(page, before + 1)
    state = stage.state(game)
    # At 85 a minor gets 255; the rest of its shares goes to its treasury.
    assert [state.companies[one].cash for one in ("HG", "CO")] == [255, 255]
    assert [state.companies[one].held("treasury") for one in ("HG", "CO")] == [2, 2]
    expect(page.locator("#part-players .private-card")).to_have_count(8)


def test_the_first_turn_of_a_minor(stage: Stage, visit: Visit) -> None:
    state = positions.minor(positions.game(4), "HG", {"Ana": 3}, cash=240, operated=False)
    game = stage.table(positions.operate(state, "HG", turn=1))
    page = visit("Ana", f"/table/{game}")
    hands.says(page, "HG chooses a city for its token")
    hands.open_hex(page, "C14")
    page.locator('#hexcard button[data-kind="token"]').click()
    hands.says(page, "HG may sell shares from its treasury")
    hands.click_through(page, hands.act("pass"))
    hands.says(page, "HG may lay track")
    expect(page.locator("#part-panel .greyed")).to_contain_text("Finish laying track")
    hands.lay_first(page)
    assert "C14" in stage.state(game).board.laid
    expect(page.locator('#map [data-piece="C14"][data-owner="HG"]')).to_have_count(1)
    hands.says(page, "HG has no train and must buy one")
    hands.click_through(page, hands.act("train") + ":has-text('2n')")
    hands.click_through(page, hands.act("pass"))
    hands.says(page, "HG may buy machines")
    hands.click_through(page, hands.act("machine"))
    assert positions.memory(stage.state(game)).machines["HG"] == ("1",)


def test_a_run_with_a_wagon_and_one_with_a_paid_pass(stage: Stage, visit: Visit) -> None:
    game = stage.table(lines.running(lines.north_coast("3", "2w", cubes=2), "MS"))
    page = visit("Ana", f"/table/{game}")
    expect(page.locator(".run").first).to_contain_text("2w with the 3 train: 2 from HG")
    for stop in ("B9.0", "B11.0", "A12.0"):
        page.locator("#own-add").select_option(stop)
        expect(page.locator("#own-result .route .stop")).not_to_have_count(0)
    expect(page.locator("#own-result .choice")).to_contain_text("$110")
    hands.click_through(page, "#own-result button.choice")
    hands.says(page, "MS earned \\$110")
    assert positions.memory(stage.state(game)).cubes["HG"] == 0

    game = stage.table(lines.running(lines.blocked("3"), "MS"))
    page = visit("Ana", f"/table/{game}")
    for count, stop in enumerate(("B9.0", "B11.0", "A12.0"), start=1):
        page.locator("#own-add").select_option(stop)
        expect(page.locator("#own-result .route .stop")).to_have_count(count)
    box = page.get_by_label("Pay $20 to pass B11 Cardenas")
    expect(box).to_be_checked()
    box.uncheck()
    expect(page.locator("#own-result .reason-line")).to_be_visible()
    page.get_by_label("Pay $20 to pass B11 Cardenas").check()
    expect(page.locator("#own-result button.choice")).to_contain_text("$60")
    hands.click_through(page, "#own-result button.choice")
    assert stage.state(game).companies["MS"].cash == 80
    assert stage.state(game).companies["FC"].cash == 20


def test_a_bonus_is_placed_on_a_phone(stage: Stage, visit: Visit) -> None:
    state = positions.major(positions.game(4), "MS", {"Ana": 6})
    state = positions.extra(state, bonuses={"M5": "Ana"}, concessions={}, commissioners={})
    game = stage.table(positions.stock_round(state, "Ana"))
    page = visit("Ana", f"/table/{game}", size=(390, 844), touch=True)
    page.locator("details.aside summary").click()
    hands.click_through(page, hands.act("bonus") + ":has-text('M5')")
    assert positions.memory(stage.state(game)).mail == "MS"


def test_the_turn_of_the_state_railway_is_seen_by_others(stage: Stage, visit: Visit) -> None:
    """A player ends the last turn; another browser reads what the FC and the export did."""
    seats: dict[str, Any] = {"Ana": "Ana", "Ben": "Ben", "Cleo": "Ana", "Dan": "Ana"}
    state = positions.minor(positions.game(4), "HG", {"Ana": 3}, cash=25, trains=("2n",))
    state = positions.extra(state, cubes={"HG": 2})
    rounds = at(cash(state), OperatingRound(), round_=Round("OR", 1, 1, 1))
    game = stage.table(rounds, seats)
    ana, ben = visit("Ana", f"/table/{game}"), visit("Ben", f"/table/{game}")
    while stage.state(game).round.kind == "OR":
        hands.click_through(ana, hands.act("pass"), hands.act("run"), hands.act("token"))
    hands.same_position(stage, game, ben)
    log = ben.locator("#part-log")
    expect(log).to_contain_text("FC counts its best cities")
    expect(log).to_contain_text("exported")


def test_nothing_serious_keeps_people_from_using_the_panels(
    stage: Stage, visit: Visit, axe: str
) -> None:
    state = positions.extra(cash(positions.game(4), Ana=100), concessions={"M2": "Ana"})
    for position in (
        positions.game(4),
        positions.stock_round(state, "Ana", turn=1),
        lines.running(lines.blocked("3"), "MS"),
    ):
        page = visit("Ana", f"/table/{stage.table(position)}")
        assert violations(page, axe) == []
        page.locator("#tab-trains").click()
        assert violations(page, axe, "#view-trains") == []
