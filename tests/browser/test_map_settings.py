"""The settings of the map, and pictures to download."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.positions import played
from tests.browser.stage import Stage
from tests.browser.test_everybody import violations


def _fill(page: Page, colour: str) -> str:
    found: str = page.locator(f"#map .ground .hex.{colour}").first.evaluate(
        "hex => getComputedStyle(hex).fill"
    )
    return found


def test_the_palette_gives_each_colour_a_texture(stage: Stage, visit: Visit, axe: str) -> None:
    game = stage.table(played(3, 900))
    page = visit("Ana", f"/table/{game}")
    assert "url" not in _fill(page, "green")
    page.locator('[data-open-dialog="settings"]').click()
    assert violations(page, axe, "#settings") == []
    page.locator("#set-palette").select_option("textured")
    page.locator("#set-coordinates").select_option("off")
    page.locator("#settings button").click()
    textures = [_fill(page, colour) for colour in ("green", "brown", "red")]
    assert len(set(textures)) == 3
    assert all("url" in texture for texture in textures)
    expect(page.locator("#map .rulers")).to_be_hidden()
    page.reload()
    assert [_fill(page, colour) for colour in ("green", "brown", "red")] == textures
    expect(page.locator("#map .rulers")).to_be_hidden()


@pytest.mark.parametrize(("tab", "picture"), [("map", "map"), ("market", "market")])
def test_a_picture_is_downloaded(
    stage: Stage, visit: Visit, tmp_path: Path, tab: str, picture: str
) -> None:
    game = stage.table(played(3, 900))
    page = visit("Ana", f"/table/{game}")
    page.locator(f"#tab-{tab}").click()
    place = page.locator(f'[data-picture="{picture}"]')
    place.locator(".download summary").click()
    for kind in ("svg", "png"):
        with page.expect_download() as waiting:
            place.locator(f'[data-download="{kind}"]').click()
        file = tmp_path / waiting.value.suggested_filename
        waiting.value.save_as(file)
        assert file.name == f"{picture}.{kind}"
        assert file.stat().st_size > 20_000
    alone = (tmp_path / f"{picture}.svg").read_text("utf-8")
    assert "<defs>" in alone
    assert "<style" in alone


def test_a_chart_is_downloaded(stage: Stage, visit: Visit) -> None:
    game = stage.table(played(3, 300))
    page = visit("Ana", f"/table/{game}")
    page.locator("#tab-chart").click()
    place = page.locator("#view-chart [data-picture]").first
    if place.locator(".download").count():
        place.locator(".download summary").click()
        with page.expect_download() as waiting:
            place.locator('[data-download="png"]').click()
        assert waiting.value.suggested_filename.endswith(".png")
