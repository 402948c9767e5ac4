"""The panel never hides the action, and shows the numbers that players look for."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from carril.engine.actions import DeclareDividend, RunTrains, SellShares
from carril.engine.state import State
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.faults import barriers, faults
from tests.browser.positions import played, played_until, simple
from tests.browser.stage import Stage
from tests.browser.walk import SIZES, walk
from tests.browser.walk_stops import stops
from tests.rulebook.cuba import positions as cuba
from tests.rulebook.cuba.test_emergency import short
from tests.rulebook.esp import positions, purchases
from tests.table import charter, play

WIDE, TABLET, PHONE = SIZES


def _owing(state: State, player: str, debt: int) -> State:
    owner = replace(state.players[player], debt=debt)
    return replace(state, players={**state.players, player: owner})


def _box(found: Locator) -> FloatRect:
    box = found.bounding_box()
    assert box
    return box


# --- nothing hides the action ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "kinds"),
    [("18EU", ("stock-round", "trains")), ("18ESP", ("stock-round",)), ("18Cuba", ("earnings",))],
)
def test_a_short_walk_finds_no_fault(
    stage: Stage, browser: Browser, axe: str, title: str, kinds: tuple[str, ...]
) -> None:
    """Five players and a note on a tablet, and a phone; `python -m tests.browser.walk` does all."""
    found = stops(stage, title, kinds, most=420, whole=False)
    assert {stop.kind for stop in found} == set(kinds)
    assert list(walk(browser, stage, found, [(TABLET, "light"), (PHONE, "dark")], axe)) == []


def test_a_fault_is_found(stage: Stage, visit: Visit) -> None:
    """The walk would notice a hidden button, small text, a small target, a second primary."""
    game = stage.table(played_until(3, "stock-round", after=330))
    page = visit("Ana", f"/table/{game}", size=TABLET)
    assert faults(page, touch=False) == []
    for selector, style in (
        (".main-acts", "position: absolute; top: 3000px"),
        (".facts", "font-size: 9px"),
        (".stock .choice:first-child", "background: red; width: 20px"),
    ):
        change = "(all, style) => all.forEach((one) => { one.style.cssText = style; })"
        page.locator(selector).evaluate_all(change, style)
    page.evaluate("document.querySelector('.stock .choice').classList.add('primary')")
    page.evaluate("document.querySelector('.main-acts .choice').classList.add('primary')")
    found = " ".join(faults(page, touch=True))
    for word in ("not visible: Pass", "small text: 9 px", "small target", "2 primary", "unequal"):
        assert word in found, found


@pytest.mark.parametrize("size", [WIDE, TABLET])
def test_the_acting_player_is_in_view(stage: Stage, visit: Visit, size: tuple[int, int]) -> None:
    """Even the last of five players who hold shares (B13)."""
    state = played(3, 520, players=5)
    while state.acting != "Eva":
        state = state.apply(simple(state, Random(1))).state
    game = stage.table(state)
    page = visit("Ana", f"/table/{game}", size=size)
    acting, people = _box(page.locator(".player.acting")), _box(page.locator(".side-people"))
    assert page.locator(".player").count() == 5
    assert acting["y"] >= people["y"] - 1
    assert acting["y"] + 20 <= people["y"] + people["height"]


def test_the_log_gives_way_and_one_line_holds_history_and_tools(stage: Stage, visit: Visit) -> None:
    game = stage.table(played_until(3, "stock-round", after=330, players=5))
    page = visit("Ana", f"/table/{game}", size=TABLET)
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    tops = {
        round(_box(page.locator(one))["y"] / 12) for one in (".history", ".line-tools", "#slider")
    }
    assert len(tops) == 1
    assert _box(page.locator(".side-talk"))["height"] < 140
    assert _box(page.locator(".side-act"))["height"] > 340


def test_what_cannot_be_done_is_folded(stage: Stage, visit: Visit) -> None:
    """F7: greyed choices are under "Not now", and still say why."""
    game = stage.table(table.stock_round(table.own_minors(table.game(3), {})))
    page = visit("Ana", f"/table/{game}")
    fold = page.locator("#part-panel .not-now").last
    expect(fold.locator("summary")).to_contain_text("Not now: ")
    expect(page.locator("#part-panel .greyed").first).to_be_hidden()
    fold.locator("summary").click()
    fold.locator(".greyed").first.click()
    expect(page.locator(".why-box:popover-open")).to_be_visible()


def test_on_a_phone_the_main_button_is_above_the_bottom_bar(stage: Stage, visit: Visit) -> None:
    """Wherever one has scrolled (F14)."""
    game = stage.table(played_until(3, "trains", after=330))
    page = visit("Ana", f"/table/{game}", size=PHONE, touch=True)
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    button, bar = _box(page.locator(".main-acts .choice").last), _box(page.locator(".thumb-bar"))
    assert button["height"] >= 44
    assert bar["y"] - 30 < button["y"] + button["height"] <= bar["y"] + 1
    assert _box(page.locator("#sentence"))["y"] > bar["y"] - 300
    before = hands.number(page)
    page.locator(".main-acts .choice").last.tap()
    expect(page.locator("#where")).not_to_have_attribute("data-at", str(before))


def test_on_a_phone_the_note_of_a_line_is_no_wider_than_the_screen(
    stage: Stage, visit: Visit
) -> None:
    """At one's own table it has more buttons, which pushed the main button off the screen."""
    game = stage.table(played_until(3, "trains", after=330))
    page = visit("Ana", f"/table/{game}", size=PHONE, touch=True)
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    expect(page.locator("#fork-note [data-plan]")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE[0]
    assert faults(page, touch=True) == []


def _nothing_left_to_sell() -> State:
    """Return an emergency in which Ana has sold what she may, and MS can issue nothing."""
    state = charter(short(), "MS", shares={"Ana": 5, "Cleo": 5})
    state = charter(state, "NPP", shares={"Ben": 5, "Ana": 1, "treasury": 4})
    state = charter(state, "HG", shares={"Ana": 2, "Ben": 2, "treasury": 1})
    return play(state, SellShares("NPP", 1))


def test_advice_comes_below_the_only_way_out_of_an_emergency(
    stage: Stage, visit: Visit, axe: str
) -> None:
    """On a tablet with a note open, where there is no room to spare above the choices."""
    page = visit("Ana", f"/table/{stage.table(_nothing_left_to_sell())}", size=TABLET)
    page.locator(".line-tools button", has_text="What if").click()
    page.wait_for_url("**fork=*")
    way_out = page.locator(".emergency button[data-kind]")
    expect(way_out).to_contain_text("Declare bankruptcy")
    assert faults(page) == []
    assert barriers(page, axe) == []
    assert _box(page.locator("#advice"))["y"] > _box(way_out)["y"]


# --- limits, debt, standings -----------------------------------------------------------------


def test_a_forced_sale_names_the_limit(stage: Stage, visit: Visit) -> None:
    """B15: which limit is exceeded, and nothing that is refused."""
    state = table.own_minors(table.game(3), {})
    state = table.corporation(state, "DR", {"Ana": 8, "Ben": 2}, price=100)
    game = stage.table(table.stock_round(table.charter(state, "DR", operated=True)))
    page = visit("Ana", f"/table/{game}")
    hands.says(page, r"Ana must sell shares first: 80% of DR, but the limit is 60%\.")
    expect(page.locator(".main-acts")).to_have_count(0)
    expect(page.locator(hands.act("sell")).first).to_contain_text("Sell 2 for £200")


def test_the_sentence_names_only_what_the_title_has(stage: Stage, visit: Visit) -> None:
    """B15: nothing about exchanges where there are none."""
    game = stage.table(cuba.stock_round(cuba.four_companies()))
    page = visit("Ana", f"/table/{game}")
    hands.says(page, "Ana may .*pass")
    assert "exchange" not in hands.sentence(page)


def test_repaying_debt_shows_its_cost(stage: Stage, visit: Visit) -> None:
    """B14: the interest is on the screen, not only in a label."""
    state = positions.major(positions.game(), "FdLR", {"Ana": 4, "Ben": 3})
    state = positions.stock_round(_owing(table.cash(state, Ana=300), "Ana", 120))
    page = visit("Ana", f"/table/{stage.table(state)}")
    expect(page.locator(".panel-stock .amount .range")).to_contain_text(
        "Repaying 120 pts costs 180 pts"
    )


def test_the_standings_show_debt(stage: Stage, visit: Visit) -> None:
    """B21: the parts of every row add up to the worth."""
    state = positions.major(positions.game(), "FdLR", {"Ana": 4, "Ben": 3})
    state = _owing(table.cash(state, Ana=300), "Ana", 100)
    page = visit("Ana", f"/table/{stage.table(replace(state, agenda=(), ended='RENFE'))}")
    expect(page.locator(".standing thead")).to_contain_text("Debt")
    row = page.locator(".standing tbody tr", has_text="Ana").locator("td.n")
    worth, behind, *rest = row.all_inner_texts()
    parts = [_number(text) for text in rest]
    assert -150 in parts
    assert sum(parts) == _number(worth)
    assert behind.endswith("pts")


def _number(text: str) -> int:
    digits = text.replace("−", "-").removesuffix(" pts")  # noqa: RUF001
    return 0 if digits == "–" else int(digits)  # noqa: RUF001


# --- trains ----------------------------------------------------------------------------------


def test_a_train_of_the_wrong_gauge_is_marked_before_it_is_bought(
    stage: Stage, visit: Visit
) -> None:
    """F3: on the button, in the table of trains, and where such a train could not run."""
    state = purchases.company(purchases.empty("2"), "CFLG", money=500, trains=("2",))
    state = purchases.buying(purchases.coast(state), "CFLG")
    page = visit("Ana", f"/table/{stage.table(state)}")
    broad = page.locator(hands.act("train"), has_text="Buy a 2 train")
    expect(broad).to_contain_text("cannot run on CFLG's track: Iberian gauge")
    narrow = page.locator(hands.act("train"), has_text="Buy a 1+2 train")
    expect(narrow).not_to_contain_text("cannot run")
    expect(page.locator("#part-panel .primary")).to_contain_text("Buy a 1+2 train")
    expect(page.locator("#part-panel .warning").first).to_contain_text(
        "No train of CFLG can run, because it has no track of their gauge: 2 (Iberian gauge)"
    )
    expect(page.locator("#view-trains thead").first).to_contain_text("Gauge")


def _traders(cash: int) -> State:
    state = table.phase(table.own_minors(table.game(3), {}), "3")
    state = table.corporation(state, "FS", {"Ana": 5}, price=100, trains=("3",))
    state = table.corporation(state, "DR", {"Ana": 5}, price=90, trains=("3", "3"))
    state = table.tokens(state, G12=(("FS",),), E18=(("DR",),))
    return table.operate(table.cash(state, FS=cash, DR=100), "FS")


@pytest.mark.parametrize(("cash", "price"), [(450, "200"), (150, "1")])
def test_the_price_between_companies_is_never_the_whole_treasury(
    stage: Stage, visit: Visit, cash: int, price: str
) -> None:
    """F9: the list price or the lowest, with what both companies have afterwards."""
    page = visit("Ana", f"/table/{stage.table(_traders(cash))}")
    while not page.locator(".sellers").count():
        hands.click_through(page, hands.act("pass"))
    deal = page.locator(".sellers li", has_text="Ana").first
    expect(deal.locator("input[type=number]")).to_have_value(price)
    expect(deal).to_contain_text(f"FS then has £{cash - int(price)}")
    deal.locator('[data-step="1"]').click()
    expect(deal).to_contain_text(f"FS then has £{cash - int(price) - 1}")
    expect(deal).to_contain_text(f"DR then has £{100 + int(price) + 1}")


def test_only_one_button_is_primary(stage: Stage, visit: Visit) -> None:
    """F8: for a company with a train that is to buy nothing more."""
    page = visit("Ana", f"/table/{stage.table(_traders(450))}")
    while not page.locator(".sellers").count():
        hands.click_through(page, hands.act("pass"))
    expect(page.locator("#part-panel .primary")).to_have_count(1)
    expect(page.locator("#part-panel .primary")).to_contain_text("Buy no more trains")


def _owners_of_twos() -> State:
    state = table.own_minors(table.game(5), {str(n): "Ana" for n in range(1, 16)})
    for number in range(1, 16):
        state = table.charter(state, str(number), trains=("2",))
    return table.stock_round(state)


def test_the_owners_of_a_train_wrap_on_a_phone(stage: Stage, visit: Visit) -> None:
    """B24: not one column of fifteen."""
    page = visit("Ana", f"/table/{stage.table(_owners_of_twos())}", size=PHONE, touch=True)
    page.locator("#tab-trains").click()
    owners = page.locator("#view-trains .owners").first
    assert owners.locator("svg").count() == 15
    assert _box(owners)["height"] < 8 * 28


def test_prices_of_trains_stay_on_one_line(stage: Stage, visit: Visit) -> None:
    """B24: "100 pts" is not broken in two."""
    page = visit("Ana", f"/table/{stage.table(positions.stock_round(positions.game()))}", size=WIDE)
    page.locator("#tab-trains").click()
    price = page.locator("#view-trains tbody td.n").first
    assert price.inner_text() == "100 pts"
    count_lines = """e => {
        const range = document.createRange();
        range.selectNodeContents(e);
        return range.getClientRects().length;
    }"""
    assert price.evaluate(count_lines) == 1


def test_the_reach_of_trains_is_written_for_players(stage: Stage, visit: Visit) -> None:
    """F22."""
    page = visit("Ana", f"/table/{stage.table(positions.stock_round(positions.game()))}")
    page.locator("#tab-trains").click()
    rows = page.locator("#view-trains tbody tr")
    expect(rows.filter(has_text="Iberian").first).to_contain_text("2 stops")
    expect(rows.filter(has_text="narrow").first).to_contain_text(
        "1 stop + 2 towns, mines or harbours"
    )


# --- revenue ---------------------------------------------------------------------------------


def _run_and_paid(stage: Stage) -> tuple[str, str, int]:
    """Return a table where a company has just run and paid out, the company, and what it earned."""
    state = played_until(5, "run", after=330)
    while state.companies[state.step.subject].kind != "major" or not state.options():
        state = state.apply(simple(state, Random(1))).state
    company, game = state.step.subject, stage.table(state)
    run = next(one for one in state.options() if isinstance(one, RunTrains))
    stage.act(game, "Ana", run)
    after = stage.state(game)
    earned = getattr(after.step, "earnings", 0)
    stage.act(game, "Ana", DeclareDividend("full", by=after.acting or ""))
    return game, company, earned


def test_the_last_run_and_how_it_was_paid(stage: Stage, visit: Visit) -> None:
    """F10: on the card of the company and in the spreadsheet, which is sorted by clicking."""
    game, company, earned = _run_and_paid(stage)
    page = visit("Ana", f"/table/{game}")
    page.locator("#tab-market").click()
    card = page.locator(f'.card[aria-label^="{company} "]')
    expect(card).to_contain_text(f"£{earned} paid out")
    page.locator("#tab-sheet").click()
    paid = page.locator(".sheet td.paid-full")
    expect(paid).to_have_count(1)
    expect(paid).to_contain_text(str(earned))
    expect(page.locator(".sheet tr.not-started").first).to_be_visible()
    _check_sorted(page)


def _check_sorted(page: Page) -> None:
    column = page.locator('.sheet th:has(button:text-is("Cash"))')
    place = column.evaluate("e => e.cellIndex")
    for order in ("descending", "ascending"):
        column.locator("button").click()
        expect(column).to_have_attribute("aria-sort", order)
        cells = f".sheet tbody tr > :nth-child({place + 1})"
        values = page.locator(cells).evaluate_all("all => all.map((e) => Number(e.dataset.value))")
        assert values == sorted(values, reverse=order == "descending")
        assert len(set(values)) > 2


def test_shares_to_float_proceeds_and_liquidity(stage: Stage, visit: Visit) -> None:
    """F10: what a stock round is decided by."""
    state = table.own_minors(table.game(3), {})
    state = table.corporation(state, "DR", {"Ana": 4, "Ben": 2}, price=100)
    state = table.charter(table.cash(state, Ana=300), "DR", operated=True)
    state = table.corporation(state, "NS", {"Ben": 2}, price=82)
    state = table.charter(state, "NS", floated=False, operated=False)
    page = visit("Ana", f"/table/{stage.table(table.stock_round(state))}")
    expect(page.locator(".panel-stock .facts")).to_contain_text("could raise £")
    expect(page.locator(".stock", has_text="NS").first).to_contain_text("more shares to float")
    expect(page.locator(hands.act("sell")).nth(1)).to_contain_text("Sell 2 for £200")
