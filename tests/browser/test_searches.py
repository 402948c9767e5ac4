"""The best run follows the page: the browser asks for it, and shows it once it is known."""

from __future__ import annotations

import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from carril import routes
from carril.engine import runs
from carril.engine.runs import Answer, RunProblem
from carril.page.option_cache import forget_options
from carril.service.jobs import searches
from tests.browser.conftest import Visit
from tests.browser.positions import played_until
from tests.browser.stage import Stage


def gated(gate: str, problem: RunProblem, budget: int, *more: Any) -> Answer:
    """Search; a long search does not end before the gate is open."""
    if budget > searches.AT_ONCE:
        while not Path(gate).exists():
            time.sleep(0.02)
    return routes.solve(problem, budget, *more)


def test_the_run_of_the_latest_position_follows(
    stage: Stage, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = tmp_path / "open"
    monkeypatch.setattr(searches, "AT_ONCE", 1)
    solver = SimpleNamespace(solve=partial(gated, str(gate)), solve_both=None, solve_payments=None)
    monkeypatch.setattr(searches, "routes", solver)
    state = played_until(5, "run", after=200)
    game = stage.table(state)
    runs.forget()
    forget_options()
    page = visit("Ana", f"/table/{game}")
    expect(page.locator("#where")).to_have_attribute("data-later", "1")
    expect(page.locator("#part-panel")).to_contain_text("Searching for the best run")
    gate.touch()
    expect(page.locator(".proof").first).to_contain_text("Proven", timeout=30_000)
    expect(page.locator("#where")).to_have_attribute("data-now", "1")
    expect(page.locator("#where")).not_to_have_attribute("data-later", "1")
