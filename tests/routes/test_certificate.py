"""Decoding paths into runs, and the independent check."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine import runs
from carril.engine.runs import Route, Rules, Run, RunCard
from carril.routes.certificate import certify, decode
from tests.routes.small import boards, paths, reward, train, train_sets, triangle


def test_every_path_decodes_to_a_legal_run_of_its_value() -> None:
    seen = 0
    for problem in boards(15):
        for trains in train_sets(problem):
            idle = [[0] * trains.depth for _ in trains.diagrams]
            for index, diagram in enumerate(trains.diagrams):
                for path in list(paths(diagram))[:40]:
                    chosen = [*idle[:index], path, *idle[index + 1 :]]
                    value = trains.value(chosen)
                    if value < 0:
                        continue
                    found = certify(problem, decode(trains.coupling, trains.diagrams, chosen))
                    assert found.total >= value, "a card may double a better stop than the path's"
                    seen += 1
    assert seen > 500


def test_routes_come_in_the_order_of_the_trains() -> None:
    problem = triangle(train(3), train(2))
    (trains,) = train_sets(problem)
    trains.greedy()
    run = decode(trains.coupling, trains.diagrams, trains.incumbent_paths)
    order = [one.name for one in problem.trains]
    names = [route.train for route in run.routes]
    assert names == sorted(names, key=order.index)
    assert certify(problem, run).total == trains.incumbent


def test_an_idle_train_has_no_route() -> None:
    (trains,) = train_sets(triangle(train(2)))
    assert decode(trains.coupling, trains.diagrams, trains.incumbent_paths) == Run()


def test_a_card_is_named_with_the_stop_it_doubles() -> None:
    card = RunCard("double", doubles=("city",))
    problem = triangle(train(2), rules=Rules(extras=(card,)))
    (trains,) = train_sets(problem)
    best = max(paths(trains.diagrams[0]), key=lambda path: reward(trains.diagrams[0], path))
    run = decode(trains.coupling, trains.diagrams, [best])
    assert run.extras == (("double", "B.0"),)
    assert certify(problem, run).total == 30 + 2 * 40


def test_an_illegal_run_is_never_certified() -> None:
    problem = triangle(train(2))
    legal = Run((Route("2", ("A.0", "B.0")),))
    assert certify(problem, legal) == runs.value(problem, legal)
    with pytest.raises(AssertionError, match="no-such-train"):
        certify(replace(problem, trains=()), legal)
