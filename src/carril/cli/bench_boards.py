"""Generates run problems for benchmarks and tests: a seed gives the same board on every machine.

`ladder` generates boards that grow step by step in size, exits per tile, stations and trains, so
that the cost of the solver can be drawn as a curve.
"""

from __future__ import annotations

from random import Random

from carril.engine.runs.types import (
    Bonus,
    Piece,
    Point,
    Room,
    Rules,
    RunCard,
    RunProblem,
    Stop,
    Train,
)

_STEPS = ((0, 2), (-1, 1), (-1, -1), (0, -2), (1, -1), (1, 1))
"""Column and row offsets across edges 0 to 5 of a flat-topped hex."""

TEAMS: tuple[tuple[int, ...], ...] = (
    (3, 3, 2, 2, 2, 2),
    (3, 3, 3, 2, 2, 2, 2, 2, 2),
    (5, 4, 4, 4, 3, 3, 3, 3, 2, 2, 2, 2),
)
"""The sizes of the trains in the last steps of the ladder, which have many trains."""
MANY_TRAINS = 12
"""The first step with many trains."""
SHIPPERS: tuple[tuple[str, ...], ...] = (
    ("3", "3+"),
    ("4", "4+", "4", "4+"),
    ("5", "5+"),
    ("6+", "8"),
    ("8", "4D"),
)
"""The trains in the steps with tolls, harbours and wagons: "+" passes one toll, "D" doubles."""
SHIPPING = MANY_TRAINS + len(TEAMS)
"""The first step with tolls, harbours and wagons."""
LADDER = SHIPPING + len(SHIPPERS)
"""Number of steps of the ladder."""
TOLLS = 8
"""The tolled cities in those steps."""
SOURCES = 6
"""The cities that have cubes in those steps."""


class BoardBuilder:
    """A grid of hexes with track on it, from which problems are made."""

    def __init__(self, columns: int, rows: int) -> None:
        """Start an empty grid; a hex is named by its column letter and doubled row."""
        self.hexes = [
            (x, 2 * y + x % 2 + 1, f"{chr(65 + x)}{2 * y + x % 2 + 1}")
            for x in range(columns)
            for y in range(rows)
        ]
        self.named = {(x, y): name for x, y, name in self.hexes}
        self.where = {name: (x, y) for x, y, name in self.hexes}
        self.stops: list[Stop] = []
        self.points: list[Point] = []
        self.pieces: list[Piece] = []
        self._sides: dict[tuple[str, str], int] = {}

    def edges(self, name: str) -> list[int]:
        """Return the edges of a hex that have a neighbour on the grid."""
        return [edge for edge in range(6) if self.neighbour(name, edge)]

    def neighbour(self, name: str, edge: int) -> str:
        """Return the hex across an edge, or ""."""
        x, y = self.where[name]
        return self.named.get((x + _STEPS[edge][0], y + _STEPS[edge][1]), "")

    def side(self, name: str, edge: int) -> int:
        """Return the point in the middle of an edge, which is added if needed."""
        other = self.neighbour(name, edge)
        key = (min(name, other), max(name, other))
        if key not in self._sides:
            self._sides[key] = self.point(Point("side", name))
        return self._sides[key]

    def arrives(self, name: str, edge: int) -> bool:
        """Return whether track of the neighbour ends at this edge."""
        other = self.neighbour(name, edge)
        return (min(name, other), max(name, other)) in self._sides

    def point(self, point: Point) -> int:
        """Add a point and return its number."""
        self.points.append(point)
        return len(self.points) - 1

    def stop(self, stop: Stop) -> int:
        """Add a stop with its point, and return the number of the point."""
        self.stops.append(stop)
        return self.point(Point("stop", stop.hex, len(self.stops) - 1))

    def star(self, name: str, centre: int, edges: list[int], gauge: str = "") -> None:
        """Add track from a stop or junction to some edges of its hex."""
        for edge in edges:
            self.pieces.append(Piece(centre, self.side(name, edge), name, gauge))

    def track(self, name: str, one: int, two: int, gauge: str = "") -> None:
        """Add track between two edges."""
        self.pieces.append(Piece(self.side(name, one), self.side(name, two), name, gauge))

    def problem(self, trains: tuple[Train, ...], rules: Rules) -> RunProblem:
        """Return the problem of a company with `trains` on this board."""
        return RunProblem(tuple(self.stops), tuple(self.points), tuple(self.pieces), trains, rules)


def city_train(size: int) -> Train:
    """Return a train for `size` cities and off-board places; towns are free.

    >>> city_train(4).name
    '4'
    """
    return Train(str(size), (Room(("city", "offboard"), size), Room(("town", "port"), -1)))


def city_board(
    draw: Random, columns: int, rows: int, exits: int, stations: int, full: int = 0
) -> BoardBuilder:
    """Generate a board of cities, towns and plain track with up to `exits` exits per tile."""
    builder = BoardBuilder(columns, rows)
    cities = [name for _, _, name in builder.hexes if draw.randrange(5) == 0]
    if len(cities) < 2:
        cities = [name for _, _, name in builder.hexes[:2]]
    own = set(draw.sample(cities, min(stations, len(cities))))
    blocked = {name for name in cities if name not in own and draw.randrange(100) < full}
    for _, _, name in builder.hexes:
        edges = joining(draw, builder, name, draw.randint(2, max(2, exits)))
        if name in cities:
            value = draw.choice((30, 40, 50, 60))
            city = Stop(f"{name}.0", name, "city", value, 0, name in own, name not in blocked)
            builder.star(name, builder.stop(city), edges)
        elif draw.randrange(3) == 0:
            town = Stop(f"{name}.0", name, "town", draw.choice((10, 20)))
            builder.star(name, builder.stop(town), edges)
        elif len(edges) == 2:
            builder.track(name, edges[0], edges[1])
        elif edges:
            builder.star(name, builder.point(Point("junction", name)), edges)
    return builder


def shipping_train(name: str) -> Train:
    """Return a train for cities and harbours.

    >>> shipping_train("4D").factor, shipping_train("5+").free_tolls
    (2, 1)
    """
    room = (Room(("city", "harbour"), int(name.rstrip("+D"))),)
    doubles, plus = name.endswith("D"), name.endswith("+")
    return Train(name, room, factor=2 if doubles else 1, free_tolls=int(plus))


def shipping_board(draw: Random, stations: int) -> BoardBuilder:
    """Generate a late board, a long island: tolled cities, cities with cubes, harbours."""
    builder = BoardBuilder(14, 4)
    names = [name for _, _, name in builder.hexes]
    draw.shuffle(names)
    harbours = set([name for name in names if len(builder.edges(name)) < 6][:12])
    cities = [name for name in names if name not in harbours][: TOLLS + 6]
    own, tolled = set(cities[:stations]), set(cities[stations : stations + TOLLS])
    sources = dict(zip(draw.sample(cities, SOURCES), range(SOURCES), strict=True))
    for _, _, name in builder.hexes:
        most = 4 if name in cities else 3
        edges = joining(draw, builder, name, 2 if name in harbours else draw.randint(2, most))
        if name in harbours:
            harbour = Stop(f"{name}.0", name, "harbour", 10, through=False)
            builder.star(name, builder.stop(harbour), edges)
        elif name in cities:
            tags = (f"source{sources[name]}",) if name in sources else ()
            value, toll = draw.choice((30, 40, 50)), 20 if name in tolled else 0
            city = Stop(f"{name}.0", name, "city", value, 0, name in own, tags=tags, toll=toll)
            builder.star(name, builder.stop(city), edges)
        elif len(edges) == 2:
            builder.track(name, edges[0], edges[1])
        elif edges:
            centre = builder.point(Point("junction", name, exclusive=True))
            builder.star(name, centre, edges)
    return builder


def _shipping(draw: Random, names: tuple[str, ...]) -> RunProblem:
    """Return a late board with two wagons, cubes in all sources and money for four tolls."""
    cards = tuple(
        RunCard(f"{size}w", capacity=size, beyond=("harbour",), must=("harbour",))
        for size in (2, 3)
    )
    cubes = tuple((f"source{number}", draw.randint(0, 3)) for number in range(SOURCES))
    rules = Rules(extras=cards, cubes=cubes, cube_value=30, purse=80)
    trains = tuple(shipping_train(name) for name in names)
    return shipping_board(draw, 4).problem(trains, rules)


def joining(draw: Random, builder: BoardBuilder, name: str, count: int) -> list[int]:
    """Choose edges for a tile: first those with track, then those of hexes without a tile."""
    laid = {piece.hex for piece in builder.pieces}
    meeting = [edge for edge in builder.edges(name) if builder.arrives(name, edge)]
    blank = [edge for edge in builder.edges(name) if builder.neighbour(name, edge) not in laid]
    draw.shuffle(blank)
    return (meeting + blank)[:count]


def ladder(step: int, seed: int = 0) -> RunProblem:
    """Return the problem of one step of the ladder, 0 to `LADDER` - 1.

    >>> small, large = ladder(0), ladder(5)
    >>> len(small.pieces) < len(large.pieces)
    True
    """
    if not 0 <= step < LADDER:
        raise ValueError(f"the ladder has steps 0 to {LADDER - 1}, not {step}")
    draw = Random(1000 * seed + step)
    if step >= SHIPPING:
        return _shipping(draw, SHIPPERS[step - SHIPPING])
    if step >= MANY_TRAINS:
        sizes: tuple[int, ...] = TEAMS[step - MANY_TRAINS]
        builder = city_board(draw, 8, 6, 3, 3)
    else:
        sizes = (2 + step // 2,) * (1 + step % 2)
        builder = city_board(draw, 3 + step, 3 + step // 2, 3 + step // 6, 1 + step // 2)
    cards = (RunCard("double", doubles=("city", "offboard")),) if step >= 4 else ()
    bonus = (Bonus("red ends", ends="red", per_token=20, cap=4),)
    return builder.problem(tuple(city_train(size) for size in sizes), Rules((), bonus, cards))
