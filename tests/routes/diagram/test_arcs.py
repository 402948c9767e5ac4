"""Arcs as columns: which stay, and in which order."""

from __future__ import annotations

from carril.routes.diagram.arcs import Arcs, RelaxedArcs, kept_arcs, kept_relaxed_arcs, renumber


def fill(arcs: Arcs) -> None:
    arcs.source = [0, 2, 1, 0]
    arcs.target = [0, 1, 1, 2]
    arcs.reward = [10, 20, 30, 40]
    arcs.segments = [1, 2, 4, 8]


def test_arcs_are_sorted_by_source() -> None:
    arcs = Arcs()
    fill(arcs)
    kept = kept_arcs(arcs, renumber([True] * 3), renumber([True] * 3))
    assert (kept.source, kept.target) == ([0, 0, 1, 2], [0, 2, 1, 1])
    assert (kept.reward, kept.segments) == ([10, 40, 30, 20], [1, 8, 4, 2])
    assert kept.offsets == [0, 2, 3, 4]


def test_arcs_of_removed_nodes_are_removed() -> None:
    arcs = RelaxedArcs()
    fill(arcs)
    arcs.payable, arcs.calls = [1, 2, 3, 4], [0, 1, 0, 1]
    kept = kept_relaxed_arcs(arcs, renumber([True, False, True]), renumber([False, True, True]))
    assert (kept.source, kept.target) == ([0, 1], [1, 0])
    assert (kept.payable, kept.calls, kept.offsets) == ([4, 2], [1, 1], [0, 1, 2])
