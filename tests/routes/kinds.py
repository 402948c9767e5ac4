"""Small random boards with the trains, bonuses and cards of each title."""

from __future__ import annotations

from random import Random

from carril.cli.bench_boards import BoardBuilder, city_train
from carril.engine.runs import Bonus, Limit, Point, Room, Rules, RunCard, RunProblem, Stop, Train
from tests.routes.cuba_map import small_problem

TITLES = ("18EU", "18ESP", "18Cuba", "18Cuba map")
"""The kinds of boards; the last ones are parts of the real map, with its tiles."""


def board(title: str, seed: int) -> RunProblem:
    draw = Random(f"{title} {seed}")
    kinds = {"18EU": eu, "18ESP": esp, "18Cuba": cuba, "18Cuba map": small_problem}
    return kinds[title](draw)


def some(draw: Random, edges: list[int], least: int, most: int) -> list[int]:
    edges = list(edges)
    draw.shuffle(edges)
    return sorted(edges[: draw.randint(least, most)])


def plain(draw: Random, builder: BoardBuilder, name: str, gauge: str, exclusive: bool) -> None:
    edges = some(draw, builder.edges(name), 2, 4)
    if len(edges) == 2:
        builder.track(name, edges[0], edges[1], gauge)
    elif len(edges) == 4 and draw.randrange(2):
        builder.track(name, edges[0], edges[2], gauge)
        builder.track(name, edges[1], edges[3], gauge)
    else:
        centre = builder.point(Point("junction", name, exclusive=exclusive))
        builder.star(name, centre, edges, gauge)


def eu(draw: Random) -> RunProblem:
    builder = BoardBuilder(draw.randint(2, 4), draw.randint(2, 3))
    for _, _, name in builder.hexes:
        edges = some(draw, builder.edges(name), 4, 6)
        sort = draw.choice(("city", "city", "town", "red", "plain", "double", "port"))
        token = draw.randrange(2) == 0
        if sort == "city":
            through = token or draw.randrange(3) > 0
            city = Stop(f"{name}.0", name, "city", draw.choice((20, 30, 40)), 0, token, through)
            builder.star(name, builder.stop(city), edges)
        elif sort == "town":
            builder.star(name, builder.stop(Stop(f"{name}.0", name, "town", 10)), edges)
        elif sort == "port":
            port = Stop(f"{name}.0", name, "port", 10, through=False)
            builder.star(name, builder.stop(port), edges[:1])
        elif sort == "red":
            through = draw.randrange(3) == 0
            red = Stop(f"{name}.0", name, "offboard", 40, through=through, tags=("red",))
            builder.star(name, builder.stop(red), edges)
        elif sort == "double" and len(edges) >= 4:
            for half in (0, 1):
                own = token and half == 0
                city = Stop(f"{name}.{half}", name, "city", 50, 0, own, once=name)
                builder.star(name, builder.stop(city), edges[2 * half : 2 * half + 2])
        else:
            plain(draw, builder, name, "", False)
    trains = tuple(city_train(draw.randint(2, 4)) for _ in range(draw.randint(1, 3)))
    bonus = Bonus("red to red", ends="red", per_token=draw.choice((10, 20, 30)), cap=2)
    pullman = RunCard("pullman", doubles=("city", "offboard"))
    rules = Rules(bonuses=(bonus,), extras=(pullman,) if draw.randrange(2) else ())
    return builder.problem(trains, rules)


ANY = ("city", "pass", "offboard", "town", "mine", "harbour")
SMALL = ("town", "mine", "harbour")


def esp_stop(draw: Random, builder: BoardBuilder, name: str, gauge: str) -> None:
    """One stop of the north (narrow) or the south (broad) map."""
    where = "north" if gauge == "narrow" else "south"
    sort = draw.choice(
        ("city", "city", "city", "town", "mine", "harbour", "offboard", "plain", "choice")
    )
    edges = some(draw, builder.edges(name), 4, 6)
    token = draw.randrange(2) == 0
    if sort == "city":
        tags = (where, *draw.choice(((), ("madrid",), ("gijon",), ("E",), ("W",))))
        through = token or draw.randrange(4) > 0
        city = Stop(f"{name}.0", name, "city", draw.choice((20, 30)), 0, token, through, "", tags)
        builder.star(name, builder.stop(city), edges, gauge)
    elif sort == "town":
        town = Stop(f"{name}.0", name, "town", 10, tags=(where,))
        builder.star(name, builder.stop(town), edges, gauge)
    elif sort == "mine":
        mine = Stop(f"{name}.0", name, "mine", 0, 20, tags=(where,))
        builder.star(name, builder.stop(mine), edges[:2], gauge)
    elif sort in ("harbour", "offboard"):
        tags = (where, *draw.choice(((), ("E",), ("W",), ("W",))))
        value, box = (0, 30) if sort == "harbour" else (40, 0)
        end = Stop(f"{name}.0", name, sort, value, box, through=False, tags=tags)
        builder.star(name, builder.stop(end), edges[: 1 if sort == "harbour" else 2], gauge)
    elif sort == "choice" and len(edges) >= 2:
        mine = Stop(f"{name}.0", name, "mine", 0, 20, once=name, tags=(where,))
        town = Stop(f"{name}.1", name, "town", 10, once=name, tags=(where,))
        builder.star(name, builder.stop(mine), edges[:2], gauge)
        builder.star(name, builder.stop(town), edges[:2], gauge)
    else:
        plain(draw, builder, name, gauge, True)


def esp(draw: Random) -> RunProblem:
    """Narrow north above a row of passes, broad south below it."""
    builder = BoardBuilder(draw.randint(2, 4), 3)
    for x, y, name in builder.hexes:
        if y - x % 2 == 3:
            token = draw.randrange(3) == 0
            through = token or draw.randrange(3) > 0
            stop = Stop(f"{name}.0", name, "pass", 40 if token else 0, 0, token, through)
            centre = builder.stop(stop)
            up = [edge for edge in builder.edges(name) if edge == 3]
            builder.star(name, centre, up, "narrow")
            builder.star(name, centre, [edge for edge in builder.edges(name) if edge == 0], "broad")
        else:
            esp_stop(draw, builder, name, "narrow" if y < 3 else "broad")
    trains = []
    for _ in range(draw.randint(1, 3)):
        n, m = draw.randint(1, 3), draw.randint(1, 2)
        both = (Room(ANY, n), Room(SMALL, m))
        bars = draw.choice(((), (), ("pass", "offboard")))
        name = f"{n + 1}{'b' if bars else ''}"
        trains.append(
            draw.choice(
                (
                    Train(
                        f"{n + 1}{'b' if bars else ''}", (Room(ANY, n + 1),), ("broad",), bars=bars
                    ),
                    Train(f"{n}+{m}", both, ("narrow",)),
                    Train(f"{n + 1}+{m}c", (Room(ANY, n + 1), both[1]), must=("north", "south")),
                    Train(f"{n + 1}P", (Room(ANY, n + 1),), must=("madrid",)),
                )
            )
        )
    both_bonus = (Bonus("both", draw.choice((-50, 0)), ("E", "W", "madrid", "gijon")),)
    rules = Rules(
        limits=(Limit("pass", 1), Limit("E", 1), Limit("W", 1)),
        bonuses=(
            Bonus("east-west", 100, ("E", "W")),
            Bonus("north-south", 100, ("madrid", "gijon")),
            *both_bonus,
        ),
        extras=(RunCard("tender", room=(Room(SMALL, 1),)),) if draw.randrange(2) else (),
    )
    return builder.problem(tuple(trains), rules)


def cuba(draw: Random) -> RunProblem:
    return cuba_minor(draw) if draw.randrange(3) == 0 else cuba_major(draw)


def cuba_minor(draw: Random) -> RunProblem:
    builder = BoardBuilder(draw.randint(2, 4), draw.randint(2, 3))
    for index, (_, _, name) in enumerate(builder.hexes):
        edges = some(draw, builder.edges(name), 4, 6)
        if index == 0 or draw.randrange(6) == 0:
            tags = ("own",) if index == 0 else ("foreign",)
            mill = Stop(f"{name}.0", name, "city", 20, 0, index == 0, tags=tags)
            builder.star(name, builder.stop(mill), edges, "narrow")
        elif draw.randrange(4):
            field = Stop(f"{name}.0", name, "field", draw.choice((10, 20, 30)))
            builder.star(
                name, builder.stop(field), edges, draw.choice(("narrow", "narrow", "broad"))
            )
        else:
            plain(draw, builder, name, "narrow", True)
    trains = []
    for _ in range(draw.randint(1, 2)):
        n = draw.randint(2, 4)
        room = (Room(("city", "field"), n),)
        trains.append(Train(f"{n}n", room, ("narrow",), must=("own",), bars=("foreign",)))
    return builder.problem(tuple(trains), Rules(premium=draw.choice((0, 40))))


def cuba_major(draw: Random) -> RunProblem:
    builder = BoardBuilder(draw.randint(2, 4), draw.randint(2, 3))
    mills = ["mill:HG", "mill:CO", "mill:JU"]
    for index, (_, _, name) in enumerate(builder.hexes):
        edges = some(draw, builder.edges(name), 4, 6)
        sort = draw.choice(("city", "mill", "mill", "harbour", "harbour", "plain", "havana"))
        token = index == 0 or draw.randrange(4) == 0
        if sort == "harbour":
            stop = Stop(f"{name}.0", name, "harbour", 10, through=False)
            builder.star(name, builder.stop(stop), edges[:1])
        elif sort == "havana" and len(edges) >= 4:
            for half in (0, 1):
                city = Stop(f"{name}.{half}", name, "city", 30, 0, token and half == 0, once=name)
                builder.star(name, builder.stop(city), edges[2 * half : 2 * half + 2])
        elif sort in ("city", "mill"):
            tags = (mills.pop(),) if sort == "mill" and mills else ()
            through = token or draw.randrange(4) > 0
            cost = 20 if through and not token and draw.randrange(2) else 0
            value = draw.choice((20, 30, 40))
            city = Stop(f"{name}.0", name, "city", value, 0, token, through, "", tags, cost)
            builder.star(name, builder.stop(city), edges)
        else:
            plain(draw, builder, name, "", True)
    trains = []
    for _ in range(draw.randint(1, 3)):
        n = draw.randint(2, 4)
        room = (Room(("city", "harbour"), n),)
        mark = draw.choice(("", "+", "D"))
        factor = 2 if mark == "D" else 1
        trains.append(Train(f"{n}{mark}", room, factor=factor, free_tolls=int(mark == "+")))
    wagons = tuple(
        RunCard(f"{size}w", capacity=size, beyond=("harbour",), must=("harbour",))
        for size in draw.sample((1, 2, 3), draw.randint(0, 2))
    )
    cubes = (("mill:HG", draw.randint(0, 3)), ("mill:CO", draw.randint(0, 2)), ("mill:JU", 1))
    purse = draw.choice((0, 20, 40, 500))
    rules = Rules(extras=wagons, cubes=cubes, cube_value=30, purse=purse)
    return builder.problem(tuple(trains), rules)
