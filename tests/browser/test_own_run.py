"""A run of one's own in the browser: the Pullman's stop chosen by hand and by keyboard."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.browser import hands
from tests.browser.conftest import Visit
from tests.browser.stage import Stage
from tests.rulebook.cuba.lines import north_coast, running
from tests.rulebook.eu.test_pullmans import brussels


def test_the_stop_that_a_pullman_doubles(stage: Stage, visit: Visit) -> None:
    game = stage.table(brussels("3", "P"))
    page = visit("Ana", f"/table/{game}")
    for count, stop in enumerate(("A6.0", "B7.0", "C8.0", "D7.0"), start=1):
        page.locator("#own-add").select_option(stop)
        expect(page.locator("#own-result .route .stop")).to_have_count(count)
    expect(page.locator("#own-result .choice")).to_contain_text("£150")
    page.get_by_label("Stop that the Pullman doubles").select_option("C8.0")
    expect(page.locator("#own-result .choice")).to_contain_text("£140")
    expect(page.locator("#own-result")).to_contain_text("Pullman at C8")

    page.locator("#own-card-0").focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator("#own-result")).to_contain_text("Pullman at D7")
    expect(page.locator("#own-card-0")).to_be_focused()  # the list is a new one, the focus stays
    page.keyboard.press("ArrowUp")
    expect(page.locator("#own-result")).to_contain_text("Pullman at C8")

    hands.click_through(page, "#own-result button.choice")
    hands.says(page, "SNCF earned £140")


def test_the_legend_and_the_refusal_are_about_the_run_that_is_drawn(
    stage: Stage, visit: Visit
) -> None:
    game = stage.table(brussels("3"))
    page = visit("Ana", f"/table/{game}")
    legend = page.locator("#map-legend")
    expect(legend).to_contain_text("3 train: £130")
    for count, stop in enumerate(("A6.0", "B7.0", "C8.0"), start=1):
        page.locator("#own-add").select_option(stop)
        expect(page.locator("#own-result .route .stop")).to_have_count(count)
    expect(legend).not_to_contain_text("£130")
    expect(legend).to_contain_text("£80")
    page.locator('[data-own="clear"]').click()
    expect(legend).to_contain_text("3 train: £130")
    for count, stop in enumerate(("C8.0", "D3.0"), start=1):
        page.locator("#own-add").select_option(stop)
        expect(page.locator("#own-result .route .stop")).to_have_count(count)
    refusal = page.locator("#own-result .reason-line")
    expect(refusal).to_contain_text("has no track from C8 Brussels to D3 Amsterdam")
    expect(legend).not_to_contain_text("£130")


def test_stops_that_are_picked_faster_than_the_server_answers_all_count(
    stage: Stage, visit: Visit
) -> None:
    """A response that is overtaken by a later one is dropped, and no request waits for another."""
    game = stage.table(brussels("3"))
    page = visit("Ana", f"/table/{game}")
    expect(page.locator("#own-add")).to_be_visible()
    held: list[Route] = []
    page.route("**/try-run*", lambda route: held.append(route))
    for stop in ("A6.0", "B7.0", "C8.0"):
        with page.expect_request("**/try-run*"):
            page.locator("#own-add").select_option(stop)
    page.wait_for_timeout(200)
    assert len(held) == 3
    for route in reversed(held):  # the last answer comes first
        route.continue_()
        page.wait_for_timeout(200)
    expect(page.locator("#own-result .route .stop")).to_have_count(3)
    expect(page.locator("#map-legend")).to_contain_text("£80")


def test_a_new_panel_of_the_same_position_keeps_the_drawn_run(stage: Stage, visit: Visit) -> None:
    game = stage.table(brussels("3"))
    page = visit("Ana", f"/table/{game}")
    for count, stop in enumerate(("A6.0", "B7.0"), start=1):
        page.locator("#own-add").select_option(stop)
        expect(page.locator("#own-result .route .stop")).to_have_count(count)
    page.evaluate(
        """() => {
          const panel = document.getElementById("part-panel");
          panel.dataset.rev = "older";
          document.dispatchEvent(new Event("visibilitychange"));
        }"""
    )
    expect(page.locator("#part-panel")).not_to_have_attribute("data-rev", "older")
    expect(page.locator("#own-result .route .stop")).to_have_count(2)


def test_a_run_that_is_not_the_best_is_refused_in_plain_words(stage: Stage, visit: Visit) -> None:
    game = stage.table(running(north_coast("3"), "MS"))
    page = visit("Ana", f"/table/{game}")
    for count, stop in enumerate(("B9.0", "B11.0"), start=1):
        page.locator("#own-add").select_option(stop)
        expect(page.locator("#own-result .route .stop")).to_have_count(count)
    refusal = page.locator("#own-result .reason-line")
    expect(refusal).to_contain_text("50 is possible and must be run: 3 train A12")
    expect(refusal).not_to_contain_text(".0")
