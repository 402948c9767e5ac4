"""A run of one's own: the stop that a Pullman doubles, and the train that takes the tender."""

from __future__ import annotations

import json
from typing import Any

import pytest

from carril.engine.actions import RunTrains, decode_action
from carril.engine.runs import best
from carril.engine.state import State
from carril.page.own_run import own_run
from carril.page.panels import Scene
from carril.page.run_cards import carried
from carril.page.runs import problem_of, traced
from carril.page.words import words_for
from carril.service.errors import BadRequest
from tests.rulebook.esp import lines as esp_lines
from tests.rulebook.esp.positions import extra
from tests.rulebook.esp.test_combined_trains import norte
from tests.rulebook.eu.lines import earned
from tests.rulebook.eu.test_pullmans import brussels


def _tried(state: State, routes: dict[str, list[str]], *cards: str) -> dict[str, Any]:
    scene = Scene(state, words_for(state, "en"), mine=True)
    picked = [{"train": train, "stops": stops} for train, stops in routes.items()]
    return own_run(scene, json.dumps({"routes": picked, "cards": cards}))


def _action(found: dict[str, Any]) -> RunTrains:
    action = decode_action(found["choice"].action)
    assert isinstance(action, RunTrains)
    return action


LINE = {"3": ["A6.0", "B7.0", "C8.0", "D7.0"]}


@pytest.mark.parametrize(
    ("wish", "extras", "worth"),
    [
        ("", (("pullman", "A6.0"),), 150),
        ("C8.0", (("pullman", "C8.0"),), 140),
        ("D7.0", (("pullman", "D7.0"),), 140),
        ("-", (), 110),
        ("K14.0", (("pullman", "A6.0"),), 150),  # not on the route any more
    ],
)
def test_the_pullman_goes_where_one_wants_it(
    wish: str, extras: tuple[tuple[str, str], ...], worth: int
) -> None:
    state = brussels("3", "P")
    found = _tried(state, LINE, wish)
    assert found["choice"].legal
    assert _action(found).extras == extras
    assert earned(state, _action(found)) == found["run"]["total"] == worth


def test_only_stops_of_the_run_that_it_doubles_are_offered() -> None:
    state = brussels("3", "P")
    (card,) = _tried(state, LINE, "C8.0")["cards"]
    assert [place for place, _ in card["choices"]] == ["", "A6.0", "C8.0", "D7.0", "-"]
    assert card["now"] == "C8.0"
    assert _tried(brussels("3"), LINE)["cards"] == ()
    (early,) = _tried(state, {"3": []})["cards"]
    assert [place for place, _ in early["choices"]] == ["", "-"]


def test_the_pullman_of_the_proven_best_run_is_found_again() -> None:
    state = brussels("3", "2", "P")
    problem = problem_of(state, "SNCF")
    answer = best(problem)
    routes = tuple(
        traced(problem, route.train, [place for place in route.path if "." in place])
        for route in answer.runs[0].routes
    )
    action = RunTrains(routes, carried(problem, routes, ()), by=state.acting or "")
    assert earned(state, action) == answer.value


def test_the_train_with_the_tender_is_chosen() -> None:
    state = esp_lines.running(extra(norte("4|1+2"), tenders=("N",)), "N")
    stops = [place for place in best(problem_of(state, "N")).runs[0].routes[0].path if "." in place]
    chosen = _tried(state, {"4|1+2": stops}, "4|1+2")
    assert chosen["choice"].legal
    assert _action(chosen).extras == (("tender", "4|1+2"),)
    assert [place for place, _ in chosen["cards"][0]["choices"]] == ["", "4|1+2", "-"]
    by_itself = _tried(state, {"4|1+2": stops})
    assert by_itself["run"]["total"] == chosen["run"]["total"]
    without = _tried(state, {"4|1+2": stops}, "-")
    assert without["choice"].why, "the best run needs the room of the tender"


def test_nonsense_is_refused() -> None:
    with pytest.raises(BadRequest):
        _tried(brussels("3", "P"), LINE, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("stop", ["x.y", "ZZ.0", "F24.\u00b2", "A6", "", "A6.0.0", "\ud800"])
def test_stops_that_do_not_exist_are_refused(stop: str) -> None:
    with pytest.raises(BadRequest):
        _tried(brussels("3", "P"), {"3": ["A6.0", stop]})
