"""Every pair of write operations at the same time, on both databases.

    python -m tests.service.races [--times 50] [--pairs FIRST:END] [--only NAME]
                                  [--database sqlite|postgresql] [--record FILE]

The operations come from the registry, `carril.service.operations`. After each race the hash chains
must be whole, and the answers together with everything that is stored must be those of one
operation after the other, in one of the two orders. So everything that was answered with success is
there, and nothing that was refused is.

Both databases are worked on at once, each by a process of its own. With `--record`, the pairs that
are finished are noted in a file, and another run with the same file goes on from there: with a
greater number of `--times`, it runs only the races that are missing.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from carril.service import administration, app
from carril.service.errors import ServiceError
from carril.service.games import Games
from carril.service.operations import OPERATIONS
from tests.service.scenes import CASTS, Role, Scene
from tests.service.servers import postgres_server
from tests.service.stages import Stage
from tests.service.stored import Rows, difference

_REGISTER = (administration, app)  # importing them registers all operations

Pair = tuple[str, str]
Outcome = tuple[tuple[str, str], Rows]
"""The two answers, and what is stored then."""
EmptyDatabase = Callable[[str], str]
"""Returns the URL of an empty database for a scene of this name."""
DATABASES = ("sqlite", "postgresql")


def all_pairs(only: str = "") -> list[Pair]:
    """Return all pairs of registered operations, also of one with itself."""
    pairs = itertools.combinations_with_replacement(sorted(OPERATIONS), 2)
    return [pair for pair in pairs if not only or only in pair]


class Races:
    """Races on one kind of database, through two stores, as by two processes."""

    def __init__(self, empty: EmptyDatabase) -> None:
        """Set all scenes, each in a database of its own."""
        roles: dict[Callable[[Games], Scene], set[Role]] = {}
        for make, *two in CASTS:
            roles.setdefault(make, set()).update(two)
        self._stages = {
            make: Stage(empty(make.__name__), make, cast) for make, cast in roles.items()
        }
        self._expected: dict[tuple[Pair, int, bool], Outcome] = {}
        self._chance = random.Random(18)
        self._threads = ThreadPoolExecutor(2)

    def close(self) -> None:
        """Close all databases."""
        self._threads.shutdown()
        for stage in self._stages.values():
            stage.close()

    def run(self, pair: Pair, number: int) -> str:
        """Run two operations at the same time, with one of the casts; return what is wrong."""
        cast = number % len(CASTS)
        stage, calls = self._begin(pair, cast)
        barrier = threading.Barrier(2)

        def call(index: int, wait: float) -> str:
            barrier.wait()
            time.sleep(wait)
            return _answer(calls[index])

        waits = [0.0, self._chance.choice((0.0, 0.0, 0.001, 0.003))]
        self._chance.shuffle(waits)
        one, other = self._threads.map(call, (0, 1), waits)
        wrong = self._judge(pair, cast, stage, (one, other))
        return f"{pair[0]} with {pair[1]}, cast {cast}: {wrong}" if wrong else ""

    def forget(self) -> None:
        """Forget the outcomes of former pairs."""
        self._expected.clear()

    def _begin(self, pair: Pair, cast: int) -> tuple[Stage, list[Callable[[], object]]]:
        """Return a stage as it was at first, and the two operations."""
        make, *roles = CASTS[cast]
        stage = self._stages[make]
        stage.restore()
        return stage, [stage.call(pair[side], roles[side], side) for side in (0, 1)]

    def _judge(self, pair: Pair, cast: int, stage: Stage, answers: tuple[str, str]) -> str:
        if any(answer.startswith("5") for answer in answers):
            return f"answered {answers}"
        if problems := stage.problems():
            return f"answered {answers}, then {problems}"
        outcome = (answers, stage.stored())
        orders = (self._in_sequence(pair, cast, swapped) for swapped in (False, True))
        if any(outcome == each for each in orders):
            return ""
        return f"answered {answers}, which is neither order: " + "; or ".join(
            f"{each[0]} and {difference(outcome[1], each[1])}"
            for each in (self._in_sequence(pair, cast, swapped) for swapped in (False, True))
        )

    def _in_sequence(self, pair: Pair, cast: int, swapped: bool) -> Outcome:
        """Return the outcome of the operations one after the other."""
        key = (pair, cast, swapped)
        if key not in self._expected:
            stage, calls = self._begin(pair, cast)
            answers = {index: _answer(calls[index]) for index in ((1, 0) if swapped else (0, 1))}
            problems = stage.problems(replay=True)
            assert not problems, f"{key}: {problems}"
            self._expected[key] = ((answers[0], answers[1]), stage.stored())
        return self._expected[key]


def _answer(call: Callable[[], object]) -> str:
    """Return the HTTP status of an operation and the code of its error."""
    try:
        call()
    except ServiceError as error:
        return f"{error.status} {error.name}"
    except Exception as error:
        return f"500 {type(error).__name__}: {error}"
    return "200"


def run_each(races: Races, first: str, times: int, every: int = 1) -> Iterator[str]:
    """Run the pairs that begin with an operation, or every n-th, each at one of the tables."""
    chosen = [each for each in enumerate(all_pairs()) if each[1][0] == first][::every]
    for (place, pair), _ in itertools.product(chosen, range(times)):
        if wrong := races.run(pair, place):
            yield wrong
    races.forget()


# --- the command ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Order:
    """What to run."""

    times: int
    pairs: tuple[int, int] = (0, 1 << 31)
    only: str = ""
    record: Path | None = None


class Record:
    """A file with the finished races: a line for each pair and database."""

    def __init__(self, path: Path | None, database: str) -> None:
        """Read what was noted before."""
        self._path, self._database = path, database
        self._done: dict[Pair, int] = {}
        if path and path.exists():
            for line in path.read_text("utf-8").splitlines():
                noted = json.loads(line)
                if noted["database"] == database:
                    one, other = noted["pair"]
                    self._done[one, other] = max(self.done((one, other)), noted["times"])

    def done(self, pair: Pair) -> int:
        """Return how often a pair was run."""
        return self._done.get(pair, 0)

    def note(self, pair: Pair, times: int, wrong: list[str]) -> None:
        """Note that a pair was run, and what went wrong."""
        line = {"database": self._database, "pair": pair, "times": times, "wrong": wrong}
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")


@contextmanager
def empty_databases(kind: str) -> Iterator[EmptyDatabase]:
    """Provide empty databases of a kind."""
    if kind == "sqlite":
        with TemporaryDirectory() as folder:
            yield lambda name: f"sqlite:///{Path(folder) / name}.db"
    else:
        with postgres_server() as server:
            if server.reason:
                raise SystemExit(f"PostgreSQL cannot be started here: {server.reason}")
            yield server.empty


def run_all(kind: str, order: Order) -> tuple[int, int]:
    """Run all races on a kind of database; return how many, and how many went wrong."""
    begun, count, found = time.monotonic(), 0, 0
    pairs, record = all_pairs(order.only)[slice(*order.pairs)], Record(order.record, kind)
    with empty_databases(kind) as empty:
        races = Races(empty)
        for place, pair in enumerate(pairs):
            if place % _PROGRESS == 0:
                took = time.monotonic() - begun
                print(f"{kind}: {place} of {len(pairs)} pairs, {count} races, {took:.0f} s")
                sys.stdout.flush()
            numbers = range(record.done(pair), order.times)
            wrong = [one for number in numbers if (one := races.run(pair, number))]
            races.forget()
            record.note(pair, max(order.times, record.done(pair)), wrong)
            count, found = count + len(numbers), found + len(wrong)
            print(*wrong, sep="\n", end="\n" if wrong else "", flush=True)
        races.close()
    took = time.monotonic() - begun
    print(f"{kind}: {count} races of {len(pairs)} pairs, {found} wrong, {took:.0f} s", flush=True)
    return count, found


_PROGRESS = 25
"""Pairs between two lines of progress."""


def _span(text: str) -> tuple[int, int]:
    first, _, end = text.partition(":")
    return int(first or 0), int(end or 1 << 31)


def main() -> int:
    """Run all races and print what goes wrong; the last line is a summary as JSON."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.races")
    parser.add_argument("--database", choices=DATABASES, action="append", help="by default both")
    parser.add_argument("--times", type=int, default=50, help="races per pair")
    parser.add_argument("--pairs", type=_span, default=(0, 1 << 31), help="such as 100:200")
    parser.add_argument("--only", default="", help="only pairs with this operation")
    parser.add_argument("--record", type=Path, help="note what is finished, and go on from there")
    given = parser.parse_args()
    order = Order(given.times, given.pairs, given.only, given.record)
    kinds = given.database or DATABASES
    with ProcessPoolExecutor(len(kinds)) as pool:
        results = dict(zip(kinds, pool.map(run_all, kinds, itertools.repeat(order)), strict=True))
    found = sum(wrong for _, wrong in results.values())
    summary = {kind: {"races": count, "wrong": wrong} for kind, (count, wrong) in results.items()}
    print(json.dumps({"pairs": len(all_pairs(given.only)), **summary}))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
