"""Labels: limits, groups, tags, ends and coupling; and labels with the same future."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from msgspec.structs import replace

from carril.engine.runs import Bonus, Limit, Rules, RunCard, RunProblem
from carril.routes.graph.layers import LayeredGraph
from carril.routes.state.lookahead import Remaining
from carril.routes.state.resources import RemainingResources, Resources
from tests.routes.small import boards, equipped, stop, train
from tests.routes.test_exclusions import changed

A, B, C, D = range(4)


def problem(rules: Rules | None = None, **more: Mapping[str, object]) -> RunProblem:
    """Four cities worth 10, 20, 30 and 40; A has a station."""
    values = {"A": 10, "B": 20, "C": 30, "D": 40}
    stops = tuple(
        replace(stop(name, value, token=name == "A"), **more.get(name, {}))
        for name, value in values.items()
    )
    return RunProblem(stops, (), (), (), rules or Rules())


def label_after(resources: Resources, *visits: int, ends: tuple[int, ...] = ()) -> int:
    """Return the label after visits; -1 if one is not allowed."""
    label = 0
    for visit in visits:
        found = resources.extend(label, visit, visit in ends)
        if not found:
            return -1
        label = found[0][0]
    return label


def test_a_route_needs_a_station_and_its_tags() -> None:
    resources = Resources(problem(D={"tags": ("east",)}), train(4, must=("east",)), None)
    assert resources.complete(label_after(resources, A, D)) == (0, 0)
    assert resources.complete(label_after(resources, A, B)) is None
    assert resources.complete(label_after(resources, B, D)) is None


def test_tolls_that_cannot_be_paid_are_limited_by_free_passes() -> None:
    tolled = {"toll": 20}
    board = problem(Rules(purse=19), B=tolled, C=tolled, D=tolled)
    for free in (0, 1, 2):
        resources = Resources(board, train(4, free_tolls=free), None)
        assert resources.tolls == []
        for passed in (1, 2, 3):
            label = label_after(resources, *(B, C, D)[:passed])
            assert (label >= 0) == (passed <= free)
        assert label_after(resources, B, C, ends=(B, C)) >= 0, "a route may end there"
    rich = Resources(problem(Rules(purse=20), B=tolled, C=tolled), train(4), None)
    assert len(rich.tolls) == 2
    assert label_after(rich, B, C) >= 0, "the coupling terms choose what is paid"


def test_limits_and_groups_refuse_more() -> None:
    rules = Rules(limits=(Limit("east", 1), Limit("west", 1, inner=True)))
    east, west = {"tags": ("east",)}, {"tags": ("west",), "once": "same"}
    resources = Resources(problem(rules=rules, A=east, B=east, C=west, D=west), train(4), None)
    assert label_after(resources, A, B) == -1, "a second stop in the east"
    assert label_after(resources, C, D) == -1, "two stops of one group"
    free = Resources(
        problem(rules=rules, C={"tags": ("west",)}, D={"tags": ("west",)}), train(4), None
    )
    assert label_after(free, C, D) == -1, "two inner stops in the west"
    assert label_after(free, C, D, ends=(D,)) >= 0, "one of them is an end"


def test_barred_stops_and_stops_that_may_not_be_passed() -> None:
    resources = Resources(problem(B={"through": False}), train(4, bars=("C", "city")), None)
    assert resources.barred == [True] * 4
    resources = Resources(problem(B={"through": False}), train(4), None)
    assert label_after(resources, B) == -1
    assert label_after(resources, B, ends=(B,)) >= 0


def test_a_bonus_for_both_ends_counts_stations() -> None:
    bonus = Bonus("ends", ends="east", per_token=10, cap=2)
    east = {"tags": ("east",), "token": True}
    resources = Resources(problem(rules=Rules(bonuses=(bonus,)), B=east, D=east), train(4), None)
    assert resources.complete(label_after(resources, B, A, D, ends=(B, D))) == (0, 20)
    assert resources.complete(label_after(resources, B, D, A, ends=(B, A))) == (0, 0)


def test_a_card_doubles_one_stop_and_allows_one_beyond_the_range() -> None:
    resources = Resources(problem(), train(4), RunCard("x", doubles=("city",)))
    once, twice = resources.extend(0, C, False)
    assert once[1:] == (30, 30, 1)
    assert twice[1:] == (60, 60, 1)
    assert len(resources.extend(twice[0], D, False)) == 1
    resources = Resources(problem(B={"treasury": 5}), train(4), RunCard("x", beyond=("city",)))
    assert [one[1:] for one in resources.extend(0, B, True)] == [(25, 20, 1), (5, 0, 0)]


def test_excluded_bits() -> None:
    group = {"once": "same"}
    resources = Resources(problem(B=group, C=group), train(4, bars=("D",)), None)
    assert resources.excluded_by([B, -1]) & label_after(resources, C)
    assert not resources.excluded_by([B, A]) & label_after(resources, A)
    assert resources.excluded_by([B, C]) == -1, "no route visits both"


def futures(
    resources: Resources, label: int, visits: list[int], ends: int
) -> list[tuple[int, int] | None]:
    """Return what complete routes earn that go on over some stops, the last `ends` of them ends."""
    labels = [label]
    for index, visit in enumerate(visits):
        end = index >= len(visits) - ends
        labels = [new for old in labels for new, *_ in resources.extend(old, visit, end)]
    return [resources.complete(one) for one in labels]


def remaining_after(resources: Resources, layered: LayeredGraph, layer: int) -> RemainingResources:
    remaining = Remaining(resources)
    for later in layered.layers[layer:]:
        at = layered.problem.points[later.point].stop
        if at >= 0 and not resources.barred[at]:
            remaining.add_stop(at)
        for number in later.starting:
            pieces = layered.graph.segments[number].pieces
            remaining.add_segment([layered.problem.pieces[piece].once for piece in pieces])
    return resources.limits(remaining.counters, remaining.ends)


def test_a_canonical_label_has_the_same_future() -> None:
    """Random visits to stops of the first layers, then to stops of the others."""
    merged = 0
    for seed, case in enumerate([*boards(30), *(changed(seed) for seed in range(30))]):
        draw, layered = Random(seed), LayeredGraph(case)
        stops = [case.points[layer.point].stop for layer in layered.layers]
        for one, card in equipped(case) if len(stops) > 2 else ():
            resources = Resources(case, one, card)
            for _ in range(12):
                cut = draw.randrange(1, len(stops))
                ends = draw.randrange(3)
                before = [s for s in stops[:cut] if s >= 0 and draw.randrange(2)]
                after = [s for s in stops[cut:] if s >= 0 and draw.randrange(2)]
                label = label_after(resources, *before, ends=tuple(before[: 2 - ends]))
                if label < 0 or len(after) < ends:
                    continue
                same = resources.canonical(label, remaining_after(resources, layered, cut))
                merged += same != label
                assert futures(resources, label, after, ends) == futures(
                    resources, same, after, ends
                )
    assert merged > 100


def test_canonical_labels_forget_what_cannot_matter() -> None:
    bonus = Bonus("both", amount=50, has=("east", "west"))
    tags = {"B": {"tags": ("east",)}, "C": {"tags": ("west",)}}
    resources = Resources(problem(rules=Rules(bonuses=(bonus,)), **tags), train(4), None)
    nothing_left = resources.limits([0] * len(resources.counters), [0] * len(resources.ends))
    only_east, neither = label_after(resources, A, B), label_after(resources, A)
    assert only_east != neither
    assert resources.canonical(only_east, nothing_left) == neither
    both = label_after(resources, A, B, C)
    assert resources.canonical(both, nothing_left) == both


def test_coupling_labels() -> None:
    rules = Rules(cubes=(("north", 2), ("south", 0)), cube_value=10, premium=5)
    case = problem(rules=rules, B={"tags": ("north",)}, C={"toll": 20})
    resources = Resources(case, train(4), RunCard("w", capacity=3))
    assert [source for _, source in resources.sources] == [0], "an empty source is left out"
    label = label_after(resources, A, C, B, ends=(A, B))
    found = resources.complete(label)
    assert found is not None
    assert found[1] == 2 * 10, "two cubes, as if no other card took any"
    number, passed = resources.tolls[0]
    assert (passed, resources.get(found[0], number)) == (C, 1)
    assert resources.complete(label_after(resources, A, C, ends=(A, C))) is None, "no cube"
    assert resources.get(found[0], resources.pays) == 1
    worthless = replace(case, stops=tuple(replace(s, value=0) for s in case.stops))
    empty = Resources(worthless, train(4), None)
    assert empty.complete(label_after(empty, A, B)) == (0, 0)
