"""The types of a run problem and of its answers.

A title turns its board, tokens, trains and phase into one `RunProblem`: plain
data read by `legality`, `revenue` and the route solver alike, so that the three
cannot disagree.

Wherever a *tag* is expected, a stop matches if the tag is its kind or one of
its tags.
"""

from __future__ import annotations

import msgspec


class Stop(msgspec.Struct, frozen=True):
    """A revenue location as the running company sees it now."""

    key: str
    """Hex, a point, and the index of the stop on its tile: "A10.0"."""
    hex: str
    kind: str
    """city, town, port, offboard, mine, harbour, pass, field."""
    value: int
    """What a visit pays to the dividend part."""
    treasury: int = 0
    """What a visit pays to the treasury directly."""
    token: bool = False
    """A station of the running company is here."""
    through: bool = True
    """False: a route may end here but not pass (full city, off-map place, port)."""
    once: str = ""
    """Exclusive group: a route visits at most one stop of each non-empty group."""
    tags: tuple[str, ...] = ()
    """What limits, bonuses, cards and trains refer to, such as "red" or "north"."""
    toll: int = 0
    """What passing (not ending) costs the treasury, once per run."""

    def matches(self, tag: str) -> bool:
        """Return whether `tag` is the kind or a tag of this stop."""
        return tag == self.kind or tag in self.tags


class Point(msgspec.Struct, frozen=True):
    """Where pieces of track meet."""

    kind: str
    """stop, junction, or side (a hexside between two hexes)."""
    hex: str
    """For a side: either of its two hexes."""
    stop: int = -1
    """Index into the stops, for kind stop."""
    exclusive: bool = False
    """Counts as track: one train may use it, once."""


class Piece(msgspec.Struct, frozen=True):
    """One printed piece of track inside a hex; one train may use it once."""

    a: int
    b: int
    hex: str
    gauge: str = ""
    once: str = ""
    """Exclusive group: a route uses at most one piece of each non-empty group."""


class Room(msgspec.Struct, frozen=True):
    """How many stops of which kinds fit in a train."""

    kinds: tuple[str, ...]
    count: int
    """-1 = any number."""


class Train(msgspec.Struct, frozen=True):
    """A train as it may run now. Each stop of its route takes one place in one of its rooms."""

    name: str
    room: tuple[Room, ...]
    gauges: tuple[str, ...] = ()
    """Gauges it may run on; () = any."""
    factor: int = 1
    """What stop values are multiplied by."""
    must: tuple[str, ...] = ()
    """Tags; its route needs a stop for each."""
    bars: tuple[str, ...] = ()
    """Tags; its route may visit no such stop."""
    free_tolls: int = 0
    """Number of tolls this train need not pay."""


class Limit(msgspec.Struct, frozen=True):
    """A route visits at most `count` stops that match the tag."""

    tag: str
    count: int
    inner: bool = False
    """Only stops between the two ends count: those that the route passes through."""


class Bonus(msgspec.Struct, frozen=True):
    """Paid once per route that has every tag of `has` and, if set, both ends tagged `ends`."""

    name: str
    amount: int = 0
    has: tuple[str, ...] = ()
    ends: str = ""
    per_token: int = 0
    """Paid for each own station on the route, `cap` of them at most."""
    cap: int = 0


class RunCard(msgspec.Struct, frozen=True):
    """A card that goes with one train of a run, such as a wagon. A train takes at most one."""

    name: str
    doubles: tuple[str, ...] = ()
    """Kinds of which one stop of the route counts twice."""
    room: tuple[Room, ...] = ()
    """Room it adds to the train's."""
    capacity: int = 0
    """Cubes it carries at most; if not 0, at least one must be loaded."""
    beyond: tuple[str, ...] = ()
    """Kinds of which one stop may be beyond the train's range, at value 0."""
    must: tuple[str, ...] = ()
    """Tags; its route needs a stop for each."""
    trains: tuple[str, ...] = ()
    """Trains that may carry it; () = any."""


class Rules(msgspec.Struct, frozen=True):
    """A title's rules about routes and sets of routes."""

    limits: tuple[Limit, ...] = ()
    bonuses: tuple[Bonus, ...] = ()
    extras: tuple[RunCard, ...] = ()
    """The cards of the running company; equal ones are listed once each."""
    cubes: tuple[tuple[str, int], ...] = ()
    """Sources of cubes: the tag of their stops, and the cubes that all cards share."""
    cube_value: int = 0
    purse: int = -1
    """The most that may be spent on tolls; -1 = any sum."""
    premium: int = 0
    """Added once to the payable part when any route pays."""


class RunProblem(msgspec.Struct, frozen=True, cache_hash=True):
    """Everything that decides what a company may run and what it earns.

    Answers are cached by problem, so a problem caches its hash.
    """

    stops: tuple[Stop, ...]
    points: tuple[Point, ...]
    pieces: tuple[Piece, ...]
    trains: tuple[Train, ...]
    rules: Rules = Rules()


class Route(msgspec.Struct, frozen=True, order=True):
    """The route of one train: "HEX.i" where stop i is visited, "HEX" where track is used.

    >>> Route("2", ("A6.0", "B7.0", "A10.0"))
    Route(train='2', path=('A6.0', 'B7.0', 'A10.0'))
    """

    train: str
    path: tuple[str, ...]


class Run(msgspec.Struct, frozen=True, order=True):
    """The routes of a company in one turn, and how its extra cards are used.

    `extras` has one pair per card in use and per toll paid:
    (card, "A10.0"): the stop that counts twice;
    (card, "3+4"): the train that carries it, "3+4/2" for the second route of that name;
    (card, "4+ north=2 south=1"): the train, then the cubes by source;
    ("toll", "C14.0"): a stop whose toll is paid.
    """

    routes: tuple[Route, ...] = ()
    extras: tuple[tuple[str, str], ...] = ()


def in_words(run: Run) -> str:
    """Return a run in the notation of actions, without the verb.

    >>> in_words(Run((Route("2", ("A6.0", "B7", "C8.0")),), (("car", "A6.0"),)))
    '2: A6.0 B7 C8.0 + car A6.0'
    """
    routes = "; ".join(f"{route.train}: {' '.join(route.path)}" for route in run.routes)
    extras = "".join(f" + {name} {detail}" for name, detail in run.extras)
    return f"{routes or 'nothing'}{extras}"


class Fault(msgspec.Struct, frozen=True):
    """Why a run is not legal: a code, and the facts for a sentence about it."""

    code: str
    facts: dict[str, str | int] = {}


class RouteValue(msgspec.Struct, frozen=True):
    """What one route earns, and why."""

    train: str
    stops: tuple[tuple[str, int, int], ...]
    """Key, payable value, treasury value, in the order of the route."""
    bonuses: tuple[tuple[str, int], ...]
    payable: int
    treasury: int


class Value(msgspec.Struct, frozen=True):
    """What a run earns. Tolls are deducted from the treasury part; total is the sum of both."""

    total: int
    payable: int
    treasury: int
    routes: tuple[RouteValue, ...]
    tolls: int = 0
    premium: int = 0


class Answer(msgspec.Struct, frozen=True):
    """The best runs, best first, and what is proven about them.

    `value` and `bound` are in the unit that was maximised: the total, or the
    payable part. `optimal`: it is proven that no run is worth more than `value`.
    """

    runs: tuple[Run, ...]
    value: int
    bound: int
    optimal: bool
    nodes: int
    payable: int
    treasury: int


class BadProblem(ValueError):
    """A run problem that contradicts itself; the text names the part at fault."""
