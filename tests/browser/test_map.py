"""The map: what it shows, how it zooms and scrolls, and choosing tiles and cities on it."""

from __future__ import annotations

import re

from playwright.sync_api import FloatRect, Locator, Page, Route, expect

from carril.engine.actions import Pass
from carril.engine.board import tokens_in
from tests import table
from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.positions import played_until
from tests.browser.stage import Stage
from tests.rulebook.esp import works

BOX = "document.querySelector('#map svg').getAttribute('viewBox')"
ZOOMED = "document.querySelector('#map-frame').classList.contains('zoomed')"
PREVIEW = "#preview"


def _seen(page: Page) -> list[float]:
    return [float(part) for part in page.evaluate(BOX).split()]


def _name_height(page: Page) -> float:
    """Return the size of the letters of place names on the screen."""
    scale: float = page.evaluate("document.querySelector('#map svg').getScreenCTM().a")
    return 22 * scale


def _middle(found: Locator) -> tuple[float, float]:
    box = found.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _click_hex(page: Page, hex_id: str) -> None:
    page.mouse.click(*_middle(page.locator(f'#map .ground [data-hex="{hex_id}"] use')))


def _in_view(page: Page, hex_id: str) -> bool:
    x, y = _middle(page.locator(f'#map .ground [data-hex="{hex_id}"] use'))
    frame = page.locator("#map-frame").bounding_box()
    assert frame
    across = frame["x"] < x < frame["x"] + frame["width"]
    return across and frame["y"] < y < frame["y"] + frame["height"]


def _overlap(one: FloatRect, other: FloatRect) -> bool:
    across = one["x"] < other["x"] + other["width"] and other["x"] < one["x"] + one["width"]
    down = one["y"] < other["y"] + other["height"] and other["y"] < one["y"] + one["height"]
    return across and down


def _ring_is_apart(page: Page) -> None:
    """Check that no two tiles overlap, and that none covers the buttons of the map."""
    boxes = [tile.bounding_box() for tile in page.locator(".ring-tile, .map-tools").all()]
    for index, one in enumerate(boxes):
        for other in boxes[index + 1 :]:
            assert one
            assert other
            assert not _overlap(one, other)


def _strokes(path: str) -> frozenset[str]:
    """Return the pieces of a path, whichever comes first."""
    return frozenset(path.split("M"))


def test_the_wheel_zooms_and_the_view_survives_a_reload(stage: Stage, visit: Visit) -> None:
    game = stage.table(table.game(3))
    page = visit("Ana", f"/table/{game}")
    whole = page.evaluate(BOX)
    page.locator("#map").hover()
    page.mouse.wheel(0, -300)
    page.wait_for_function(f"{BOX} !== {whole!r}")
    zoomed = _seen(page)
    page.reload()
    assert [round(part) for part in _seen(page)] == [round(part) for part in zoomed]
    page.locator('[data-map="whole"]').click()
    assert page.evaluate(BOX) == whole
    page.locator('[data-map="in"]').click()
    assert page.evaluate(BOX) != whole


def test_a_tall_map_shows_where_something_can_be_done(stage: Stage, visit: Visit) -> None:
    game = stage.table(works.turn("SC", name="2"))
    page = visit("Ana", f"/table/{game}", size=(1440, 900))
    assert _name_height(page) > 7
    assert _in_view(page, "C31")
    page.locator('[data-area="north"]').click()
    assert not _in_view(page, "C31")
    assert _in_view(page, "E5")
    assert _name_height(page) > 7
    north = _seen(page)
    page.reload()
    assert _seen(page) == north
    expect(page.locator('[data-area="north"]')).to_have_attribute("aria-pressed", "true")
    page.locator('[data-map="whole"]').click()
    assert _name_height(page) < 7
    page.locator('[data-map="auto"]').click()
    assert _in_view(page, "C31")


def test_the_area_survives_an_action(stage: Stage, visit: Visit) -> None:
    game = stage.table(works.turn("SC", name="2"))
    page = visit("Ana", f"/table/{game}", size=(1440, 900))
    page.locator('[data-area="south"]').click()
    shown = page.evaluate(BOX).split()
    hands.click_through(page, hands.act("pass"))
    page.locator("#tab-map").click()
    page.wait_for_function(f"{BOX} === {' '.join(shown)!r}")


def test_a_hex_outside_the_view_is_scrolled_into_view(stage: Stage, visit: Visit) -> None:
    """And its tiles never lie on each other."""
    game = stage.table(works.turn("SC", name="2"))
    page = visit("Ana", f"/table/{game}", size=(1024, 768))
    page.locator('[data-area="north"]').click()
    page.locator('[data-open-hex="C31"]').click()
    expect(page.locator(".ring-tile").first).to_be_visible()
    assert _in_view(page, "C31")
    _ring_is_apart(page)


def test_the_tiles_of_every_hex_are_apart(stage: Stage, visit: Visit) -> None:
    game = stage.table(played_until(3, "track", after=330))
    page = visit("Ana", f"/table/{game}", size=(1024, 768))
    for button in page.locator("[data-open-hex]").all():
        button.click()
        hex_id = button.get_attribute("data-open-hex")
        page.locator(f'.hex-open[data-hex="{hex_id}"] .ring-tile').first.wait_for()
        _ring_is_apart(page)


def test_the_cross_closes_the_card(stage: Stage, visit: Visit) -> None:
    game = stage.table(played_until(3, "track", after=330))
    page = visit("Ana", f"/table/{game}")
    for hex_id in ("G10", "D9", "K12"):
        hands.open_hex(page, hex_id)
        page.locator("[data-close-hex]").click()
        page.wait_for_timeout(200)
        expect(page.locator("#hexcard")).to_be_hidden()


def test_a_card_that_comes_late_is_of_the_position_that_is_shown(
    stage: Stage, visit: Visit
) -> None:
    """Somebody acts while the card is on its way: it is asked for again."""
    game = stage.table(played_until(3, "track", after=330))
    page = visit("Ana", f"/table/{game}")
    asked = []

    def hold(route: Route) -> None:
        asked.append(route.request.url)
        response = route.fetch()
        if len(asked) == 1:
            stage.act(game, "Ana", Pass())
            hands.at(page, 1)
        route.fulfill(response=response)

    page.route("**/hex/*", hold)
    hands.open_hex(page, "G10")
    shown = page.locator("#hexcard:not([hidden]) .hex-open")
    expect(shown).to_have_attribute("hx-vals", re.compile('"head": 1'))
    assert len(asked) == 2


def test_clicking_the_tile_on_the_map_rotates_it(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ben", "15": "Cleo"})
    game = stage.table(table.operate(state, "1"))
    page = visit("Ana", f"/table/{game}")
    page.locator("[data-open-hex]").first.click()
    hex_id = page.locator(".hex-open").get_attribute("data-hex")
    assert hex_id
    tiles = page.locator(".ring-tile")
    expect(tiles.first).to_be_visible()
    turns = [tile.locator(".face").count() for tile in tiles.all()]
    tiles.nth(turns.index(max(turns))).click()
    assert max(turns) > 1
    face = page.locator('.ring-tile[aria-checked="true"] .face:not([hidden])')
    first, looks = face.get_attribute("data-turn"), page.locator(PREVIEW).inner_html()
    _click_hex(page, hex_id)
    expect(face).not_to_have_attribute("data-turn", first or "")
    assert page.locator(PREVIEW).inner_html() != looks
    turned = face.get_attribute("data-turn")
    page.locator("[data-lay-tile]").click()
    hands.at(page, 1)
    assert stage.state(game).board.laid[hex_id][1] == int(turned or -1)


def test_rotations_that_look_the_same_are_one(stage: Stage, visit: Visit) -> None:
    """Straight track has three rotations, not six; one that cannot be rotated says so."""
    game = stage.table(played_until(3, "track", after=330))
    page = visit("Ana", f"/table/{game}")
    single = 0
    for button in page.locator("[data-open-hex]").all():
        button.click()
        hex_id = button.get_attribute("data-open-hex")
        tiles = page.locator(f'.hex-open[data-hex="{hex_id}"] .ring-tile')
        tiles.first.wait_for()
        for tile in tiles.all():
            faces = tile.locator(".face")
            if faces.first.locator("svg [data-stop]").count() > 1:
                continue  # its cities can hold different tokens
            tracks = tile.locator(".face > svg .track").all()
            drawn = [_strokes(track.get_attribute("d") or "") for track in tracks]
            assert len(drawn) == len(set(drawn))
            if faces.count() == 1:
                single += 1
                tile.click()
                turn = page.locator("[data-turn-tile]")
                expect(turn).to_be_disabled()
                assert float(turn.evaluate("b => getComputedStyle(b).opacity")) < 0.6
    assert single


def test_cities_of_one_hex_can_be_told_apart(stage: Stage, visit: Visit) -> None:
    game = stage.table(works.turn("SC", name="2"))
    page = visit("Ana", f"/table/{game}", size=(1440, 900))
    page.locator('[data-open-hex="C31"]').click()
    page.locator(".ring-tile").first.click()
    connects = page.locator("[data-lay-connects]")
    expect(connects).to_contain_text("B30 Huelva")
    expect(page.locator(f'{PREVIEW} [data-name="C31"]')).to_contain_text("Sevilla")
    expect(page.locator(f'{PREVIEW} [data-company="SC"]')).to_have_count(1)
    page.locator("[data-lay-tile]").click()
    hands.says(page, "chooses a city")
    expect(page.locator("#map .city-number")).to_have_text(["1", "2"])
    second = page.locator('#map [data-stop="C31.1"]')
    button = page.locator('#part-panel [data-place="C31.1"]')
    button.hover()
    expect(second).to_have_class(re.compile("pointed-at"))
    page.locator("#sentence").hover()
    expect(second).not_to_have_class(re.compile("pointed-at"))
    page.mouse.move(*_middle(second.locator(".slot")))
    expect(button).to_have_class(re.compile("pointed-at"))
    page.mouse.click(*_middle(second.locator(".slot")))
    stage.until(lambda: tokens_in(stage.state(game).board, "C31", 1) == ("SC",))


def test_a_merger_is_shown_on_the_map(stage: Stage, visit: Visit) -> None:
    state = table.own_minors(table.game(3), {"1": "Ana", "8": "Ana", "15": "Cleo"})
    game = stage.table(table.cash(table.stock_round(state), Ana=900))
    page = visit("Ana", f"/table/{game}")
    page.locator("#tab-market").click()
    page.locator("#part-panel form.start button").first.click()
    expect(page.locator(".panel-founding")).to_be_visible()
    expect(page.locator("#view-map")).to_be_visible()
    button = page.locator('#part-panel [data-kind="merge"]').first
    home = button.get_attribute("data-place")
    expect(page.locator(f'#map [data-highlight="{home}"]')).to_have_count(1)
    button.hover()
    expect(page.locator(f'#map .ground [data-hex="{home}"]')).to_have_class(
        re.compile("pointed-at")
    )


def test_one_finger_moves_a_zoomed_map_and_not_the_page(stage: Stage, visit: Visit) -> None:
    game = stage.table(works.turn("SC", name="2"))
    page = visit("Ana", f"/table/{game}", size=(390, 844), touch=True)
    assert page.evaluate(ZOOMED)
    page.locator("#map-frame").evaluate("f => f.scrollIntoView({block: 'center'})")
    scrolled, before = page.evaluate("scrollY"), _seen(page)
    x, y = _middle(page.locator("#map-frame"))
    cdp = page.context.new_cdp_session(page)
    swipe = {"x": x, "y": y, "yDistance": 150, "gestureSourceType": "touch"}
    cdp.send("Input.synthesizeScrollGesture", swipe)
    assert page.evaluate("scrollY") == scrolled
    assert _seen(page)[1] != before[1]


def test_a_drawn_run_has_its_value_on_the_map(stage: Stage, visit: Visit) -> None:
    game = stage.table(played_until(3, "run", after=330))
    page = visit("Ana", f"/table/{game}")
    before = _seen(page)
    expect(page.locator("#map-legend")).to_contain_text("£")
    stops = page.locator("#own-add option").all()
    keys = [stop.get_attribute("value") or "" for stop in stops[1:3]]
    for key in keys:
        page.locator("#own-add").select_option(key)
        page.locator("#own-result .route .stop").last.wait_for()
    legend = page.locator("#map-legend")
    expect(legend.locator("b")).to_be_visible()
    frame, shown = page.locator("#map-frame").bounding_box(), legend.bounding_box()
    assert frame
    assert shown
    assert shown["y"] + shown["height"] <= frame["y"] + frame["height"]
    assert _seen(page) == before
    page.locator('[data-own="clear"]').click()
    expect(legend.locator("b")).to_have_count(0)
