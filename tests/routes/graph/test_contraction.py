"""Contraction keeps every legal route and nothing that no route can use."""

from __future__ import annotations

from carril.engine.runs import Piece, Point, RunProblem
from carril.routes.graph.contraction import SegmentGraph
from tests.routes.brute import options
from tests.routes.small import boards, network, segment_mask, stop, train, triangle


def alive(graph: SegmentGraph) -> set[int]:
    return {number for here in graph.incident for number in here}


def test_a_chain_of_pieces_becomes_one_segment() -> None:
    graph = SegmentGraph(triangle(train(2)))
    ends = {(graph.segments[n].a, graph.segments[n].b): graph.segments[n] for n in alive(graph)}
    assert {frozenset(pair) for pair in ends} == {frozenset(p) for p in ((0, 1), (0, 2), (1, 2))}
    assert all(len(segment.pieces) == 2 for segment in ends.values())


def test_a_segment_lists_its_pieces_from_a_to_b() -> None:
    graph = SegmentGraph(triangle(train(2)))
    for number in alive(graph):
        segment = graph.segments[number]
        here = segment.a
        for index in segment.pieces:
            piece = graph.problem.pieces[index]
            here = piece.b if piece.a == here else piece.a
        assert here == segment.b


def test_dead_ends_and_loops_are_removed() -> None:
    base = triangle(train(3))
    points = (*base.points, Point("side", "A"), Point("junction", "D"), Point("side", "E"))
    dead, junction, loop = len(base.points), len(base.points) + 1, len(base.points) + 2
    pieces = (
        *base.pieces,
        Piece(0, dead, "A"),
        Piece(1, junction, "D"),
        Piece(junction, loop, "D"),
        Piece(loop, junction, "E"),
    )
    graph = SegmentGraph(RunProblem(base.stops, points, pieces, base.trains))
    assert len(alive(graph)) == 3
    assert not graph.incident[dead]
    assert not graph.incident[junction]


def test_what_no_train_reaches_is_removed() -> None:
    stops = (stop("A", 10, token=True), stop("B", 10), stop("C", 10), stop("D", 10))
    problem = network(stops, ("AB", "BC", "CD"), [train(2)])
    graph = SegmentGraph(problem)
    assert [graph.problem.points[p].kind for p, here in enumerate(graph.incident) if here] == [
        "stop",
        "stop",
    ]


def test_every_legal_route_consists_of_whole_segments() -> None:
    seen = 0
    for problem in boards(12):
        graph = SegmentGraph(problem)
        masks = [segment_mask(problem, graph.segments[n].pieces) for n in alive(graph)]
        for one in dict.fromkeys(problem.trains):
            for route in options(problem, one, None):
                seen += 1
                covered = 0
                for bits in masks:
                    if bits & route.mask == bits:
                        covered |= bits
                assert covered == route.mask
    assert seen > 500
