"""The table at many positions: every panel is made, for who acts and for who watches."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from carril.engine.actions import LayTile, decode_action
from carril.engine.runs import Run, best, value
from carril.engine.state import State
from carril.page import render, runs
from carril.page.hexcards import card_for
from carril.page.panels import Scene, panel_for
from carril.page.panels.base import encode
from carril.page.table_routes import read_action
from carril.page.urls import TableUrls
from carril.page.view import Look, scene_of
from carril.page.view import table as table_view
from carril.page.words import Words, catalogue, words_for
from carril.service.errors import BadRequest
from tests import table
from tests.browser.positions import simple
from tests.contract.page_controls import look_at, same_rotations


def _rendered(look: Look) -> str:
    words = look.words
    context: dict[str, Any] = {
        "t": words.say,
        "word": words.name,
        "money": words.money,
        "user": look.user,
        "csrf": "",
        "fork": None,
        "undo": [],
        "redo": None,
        "keep_sure": "",
        "noted": {},
        "request": None,
        "votes": [],
        "chat": [],
        "clock": None,
        "server_now": 0,
        "may_program": False,
        "programs": [],
        "chat_read": 0,
    }
    context |= render.table_context(look, TableUrls("g", "18EU"))
    return "".join(map(str, render.render_parts(table_view(look, []), context).values()))


@pytest.fixture(scope="module")
def game() -> list[State]:
    """A whole game of the simple hand."""
    random = Random(3)
    states = [table.game(3, seed=3)]
    while not states[-1].finished:
        states.append(states[-1].apply(simple(states[-1], random)).state)
    return states


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sentence that is missing is an error here, not a key on the page."""
    say = Words.say

    def checked(self: Words, key: str, **facts: Any) -> str:
        assert key in catalogue("en"), key
        return say(self, key, **facts)

    monkeypatch.setattr(Words, "say", checked)


def test_every_panel_of_a_game_is_rendered(game: list[State]) -> None:
    seen: Counter[str] = Counter()
    for state in game:
        scene = Scene(state, words_for(state, "en"), mine=True)
        name = panel_for(scene).template
        seen[name] += 1
        if seen[name] <= 4:
            own, watched = _rendered(look_at(state)), _rendered(look_at(state, mine=False))
            assert len(own) < 250_000
            if state.agenda:
                assert 'data-kind="' in own or 'hx-post="/table/g/act"' in own, name
            assert 'hx-post="/table/g/act"' not in watched, name
    assert set(seen) >= {"auction", "stock", "track", "run", "trains", "payout", "over"}


def test_every_offered_button_is_legal(game: list[State]) -> None:
    """What the panels offer is exactly of the options; what is greyed has a reason and a rule."""
    for state in game[::37]:
        if not state.agenda:
            continue
        scene = Scene(state, words_for(state, "en"), mine=True)
        for choice in _choices(panel_for(scene).model):
            if choice.legal:
                assert state.refusal(read_action(choice.action, "", None)) is None
            else:
                assert choice.rule.startswith("EU-"), choice


def _choices(model: Any) -> list[Any]:
    if hasattr(model, "legal"):
        return [model]
    if isinstance(model, dict):
        return [found for one in model.values() for found in _choices(one)]
    if isinstance(model, list | tuple):
        return [found for one in model for found in _choices(one)]
    return []


def test_hex_cards_offer_the_options_of_their_hex(game: list[State]) -> None:
    state = next(
        s
        for s in game[200:]
        if type(s.step).__struct_config__.tag == "track" and len(s.options()) > 3
    )
    scene = scene_of(look_at(state))
    offered = {
        turn["action"]
        for hex_id in state.title.tables.hexes
        for tile in card_for(scene, hex_id).tiles
        for turn in tile["turns"]
    }
    # Of rotations that give the same track one is offered.
    lays = {min(same_rotations(state, o), key=encode) for o in scene.of(LayTile)}
    assert len(offered) == len(lays) > 0
    assert {decode_action(action) for action in offered} <= set(scene.of(LayTile))
    refused = {
        hex_id: card_for(scene, hex_id).refused for hex_id in list(state.title.tables.hexes)[:20]
    }
    reasons = [reason for found in refused.values() for reason in found]
    assert len(reasons) >= 20
    assert all(reason["why"] and reason["rule"] for reason in reasons)


def test_clicked_stops_are_traced_to_the_best_run(game: list[State]) -> None:
    """Only the stops of a proven run are given; the track between them is found again."""
    tried = 0
    for state in game[150:]:
        if not state.agenda or type(state.step).__struct_config__.tag != "run" or tried > 25:
            continue
        problem = runs.problem_of(state, state.step.subject)
        answer = best(problem)
        for route in answer.runs[0].routes:
            stops = [place for place in route.path if "." in place]
            found = runs.traced(problem, route.train, stops)
            alone = value(problem, Run((found,))).total
            assert alone == value(problem, Run((route,))).total
            tried += 1
    assert tried > 10


def test_a_form_changes_only_an_amount() -> None:
    action = read_action('{"type": "bid", "amount": 100}', "amount", 135)
    assert getattr(action, "amount", 0) == 135
    for field in ("by", "nothing"):
        with pytest.raises(BadRequest):
            read_action('{"type": "bid", "amount": 100}', field, 5)
