"""Traces the places of a route to the pieces of track it uses, and back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from carril.engine.runs.types import Route, RunProblem, Train

Place = tuple[str, int]
"""A hex and the number of a stop of the problem, or -1 where only track is used."""
Way = tuple[tuple[int, ...], tuple[int, ...]]
"""The pieces a route uses, in order, and the points it touches."""


class Track:
    """The track of a problem, indexed for tracing paths."""

    def __init__(self, problem: RunProblem) -> None:
        """Index points and pieces of `problem`."""
        self.problem = problem
        self.stop_of = {stop.key: index for index, stop in enumerate(problem.stops)}
        self.hexes = {piece.hex for piece in problem.pieces}
        self.hexes.update(stop.hex for stop in problem.stops)
        self.at: list[list[int]] = [[] for _ in problem.points]
        self.point_of = {p.stop: i for i, p in enumerate(problem.points) if p.kind == "stop"}
        for index, piece in enumerate(problem.pieces):
            self.at[piece.a].append(index)
            self.at[piece.b].append(index)

    def place(self, text: str) -> Place | None:
        """Return the place named by `text`, or None if the board has no such place."""
        index = self.stop_of.get(text, -1)
        if index >= 0:
            return self.problem.stops[index].hex, index
        return (text, -1) if text in self.hexes else None

    def places(self, route: Route) -> list[Place] | str:
        """Return all places of a route, or the text of the first that does not exist."""
        found: list[Place] = []
        for text in route.path:
            place = self.place(text)
            if place is None:
                return text
            found.append(place)
        return found

    def resources(self, way: Way) -> int:
        """Return what a way keeps from other trains as bits: pieces, then exclusive points."""
        mask = 0
        for piece in way[0]:
            mask |= 1 << piece
        for point in way[1]:
            if self.problem.points[point].exclusive:
                mask |= 1 << (len(self.problem.pieces) + point)
        return mask

    def fits(
        self, places: list[Place], train: Train | None, again: bool = False, apart: bool = True
    ) -> Iterator[Way]:
        """Yield every way to trace the places on track of the gauges of `train`.

        With `again`, track may be used twice; without `apart`, pieces of one exclusive group may
        be used together. No train may do either, but a fault can then say which it is.
        """
        start = self.point_of.get(places[0][1])
        if start is None:
            return
        for way in _walk(self, places, train, start, again):
            if again or not apart or self._apart(way):
                yield way

    def _apart(self, way: Way) -> bool:
        groups = [group for piece in way[0] if (group := self.problem.pieces[piece].once)]
        return len(set(groups)) == len(groups)


@lru_cache(maxsize=32)
def track_of(problem: RunProblem) -> Track:
    """Return the indexed track of a problem (cached)."""
    return Track(problem)


def _walk(
    track: Track, places: list[Place], train: Train | None, start: int, again: bool
) -> Iterator[Way]:
    """Yield every way along some places, by extending partial ones.

    Of a partial way are known its points and pieces, the place it is at, and whether the stop of
    that place is still ahead.
    """
    points, pieces = track.problem.points, track.problem.pieces
    gauges = train.gauges if train else ()
    todo: list[tuple[tuple[int, ...], tuple[int, ...], int, bool]] = [((start,), (), 0, False)]
    while todo:
        seen, used, index, pending = todo.pop()
        if index == len(places) - 1 and not pending and used:
            yield used, seen
            continue
        here = seen[-1]
        for number in reversed(track.at[here]):
            piece = pieces[number]
            if gauges and piece.gauge not in gauges:
                continue
            step = _step(track, places, here, used, number, index, pending)
            if step is None:
                continue
            far = piece.b if piece.a == here else piece.a
            uses = used.count(number)
            if points[far].exclusive:
                uses = max(uses, seen.count(far))
            if uses <= again:
                todo.append(((*seen, far), (*used, number), *step))


def _step(
    track: Track,
    places: list[Place],
    here: int,
    used: tuple[int, ...],
    number: int,
    index: int,
    pending: bool,
) -> tuple[int, bool] | None:
    """Return where among the places one more piece leads, or None if it does not fit."""
    problem = track.problem
    piece = problem.pieces[number]
    if problem.points[here].kind == "side":
        if used and problem.pieces[used[-1]].hex == piece.hex:
            return None  # a train does not turn back at a hexside
        if pending or index + 1 >= len(places):
            return None
        index += 1
        pending = places[index][1] >= 0
    if piece.hex != places[index][0]:
        return None
    far = problem.points[piece.b if piece.a == here else piece.a]
    if far.kind != "stop":
        return index, pending
    if not pending:
        index += 1
    if index >= len(places) or places[index][1] != far.stop:
        return None
    return index, False


def place_names(problem: RunProblem, start: int, used: tuple[int, ...]) -> tuple[str, ...]:
    """Return the places of a path that starts at point `start` and uses the pieces `used`.

    The inverse of `Track.fits`.
    """
    names: list[str] = [problem.stops[problem.points[start].stop].key]
    here, hex_open = start, True
    for number in used:
        piece = problem.pieces[number]
        if problem.points[here].kind == "side":
            hex_open = False
        here = piece.b if piece.a == here else piece.a
        point = problem.points[here]
        if point.kind == "stop":
            names.append(problem.stops[point.stop].key)
            hex_open = True
        elif point.kind == "side" and not hex_open:
            names.append(piece.hex)
    return tuple(names)


def first_legs(problem: RunProblem, train: Train) -> Iterator[Route]:
    """Yield the routes from each station to the next stops on the train's gauge, unchecked.

    Every route has such a leg at each of its stations, so without any the train has no route.
    """
    track = track_of(problem)
    for index, stop in enumerate(problem.stops):
        if stop.token:
            for used in _legs(track, train, track.point_of[index]):
                names = place_names(problem, track.point_of[index], used)
                yield Route(train.name, names)


def far_routes(problem: RunProblem, train: Train) -> Iterator[Route]:
    """Yield routes from each station with all tags that the train needs, the shortest first.

    They are unchecked, and there is only one to each stop, over the fewest stops.
    """
    track = track_of(problem)
    legs: dict[int, list[tuple[int, ...]]] = {}
    for station, stop in enumerate(problem.stops):
        if stop.token:
            yield from _far_from(track, train, station, legs)


def _far_from(
    track: Track, train: Train, station: int, legs: dict[int, list[tuple[int, ...]]]
) -> Iterator[Route]:
    """Yield the far routes from one station; `legs` caches the legs from each point."""
    problem, start = track.problem, track.point_of[station]
    todo: list[tuple[int, ...]] = [()]
    seen = {station}
    for used in todo:
        here = _end(problem, start, used)
        if here not in legs:
            legs[here] = list(_legs(track, train, here))
        for way in ((*used, *leg) for leg in legs[here]):
            met = problem.points[_end(problem, start, way)].stop
            if met in seen:
                continue
            seen.add(met)
            names = place_names(problem, start, way)
            if _has_tags(track, train, names):
                yield Route(train.name, names)
            elif problem.stops[met].through:
                todo.append(way)


def _has_tags(track: Track, train: Train, names: tuple[str, ...]) -> bool:
    """Return whether the stops on a route have all tags that a train needs."""
    stops = track.problem.stops
    on = [stops[track.stop_of[name]] for name in names if name in track.stop_of]
    return all(any(one.matches(tag) for one in on) for tag in train.must)


def _end(problem: RunProblem, start: int, way: tuple[int, ...]) -> int:
    """Return the point to which some pieces lead."""
    for number in way:
        piece = problem.pieces[number]
        start = piece.b if piece.a == start else piece.a
    return start


def _legs(track: Track, train: Train, start: int) -> Iterator[tuple[int, ...]]:
    """Yield the pieces of one path over each piece of track that leads to a next stop."""
    points, pieces = track.problem.points, track.problem.pieces
    seen: set[tuple[int, int]] = set()
    todo: list[tuple[int, tuple[int, ...]]] = [(start, ())]
    while todo:
        here, used = todo.pop()
        for number in track.at[here]:
            piece = pieces[number]
            far = piece.b if piece.a == here else piece.a
            back = used and (
                number == used[-1]
                or (points[here].kind == "side" and pieces[used[-1]].hex == piece.hex)
            )
            closed = train.gauges and piece.gauge not in train.gauges
            if back or closed or (number, far) in seen:
                continue
            seen.add((number, far))
            if points[far].kind == "stop":
                yield (*used, number)
            else:
                todo.append((far, (*used, number)))
