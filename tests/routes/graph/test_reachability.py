"""Resource-bounded reachability: a superset of what routes contain, and useful."""

from __future__ import annotations

from carril.engine.runs import RunProblem, Train
from carril.routes.graph.reachability import Neighbours, reachable_points
from tests.routes.brute import options
from tests.routes.small import boards, network, stop, train


def neighbours(problem: RunProblem) -> Neighbours:
    def found(point: int, one: Train) -> list[int]:
        return [
            piece.b if piece.a == point else piece.a
            for piece in problem.pieces
            if point in (piece.a, piece.b) and (not one.gauges or piece.gauge in one.gauges)
        ]

    return found


def reached(problem: RunProblem) -> set[str]:
    points = reachable_points(problem, neighbours(problem))
    return {problem.points[p].hex for p in points if problem.points[p].kind == "stop"}


def line(*trains: Train, blocked: str = "") -> RunProblem:
    stops = [stop(name, 10, token=name == "B", through=name != blocked) for name in "ABCDE"]
    return network(stops, ("AB", "BC", "CD", "DE"), trains)


def test_a_train_reaches_as_many_stops_as_it_has_room_for() -> None:
    assert reached(line(train(2))) == set("ABC")
    assert reached(line(train(3))) == set("ABCD")
    assert reached(line(train(2), train(4))) == set("ABCDE")


def test_a_stop_that_may_not_be_passed_ends_the_search() -> None:
    assert reached(line(train(5), blocked="C")) == set("ABC")


def test_a_barred_stop_is_not_reached() -> None:
    assert reached(line(train(5, bars=("city",)))) == set()


def test_every_point_of_a_legal_route_is_reachable() -> None:
    seen = 0
    for problem in boards(12):
        points = reachable_points(problem, neighbours(problem))
        for one in dict.fromkeys(problem.trains):
            for route in options(problem, one, None):
                for number, piece in enumerate(problem.pieces):
                    if route.mask >> number & 1:
                        seen += 1
                        assert {piece.a, piece.b} <= points
    assert seen > 1000
