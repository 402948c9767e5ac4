"""Every pair of write operations at the same time, on both databases.

    python -m tests.service.races [--times 50] [--only NAME] [DATABASE ...]

The operations come from the registry, `carril.service.operations`. After each race the hash chains
must be whole, and the answers together with everything that is stored must be those of one
operation after the other, in one of the two orders. So everything that was answered with success is
there, and nothing that was refused is.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import Connection, event, func, select

from carril.service import administration, app
from carril.service.errors import ServiceError
from carril.service.games import Games
from carril.service.operations import OPERATIONS
from carril.service.settings import Settings
from carril.service.store.tables import (
    bearers,
    blocks,
    lines,
    messages,
    records,
    remarks,
    requests,
    seats,
    sessions,
    standing,
    users,
)
from carril.service.store.tables import games as stored_games
from tests.service.scenes import CASTS, Role, Scene
from tests.service.servers import postgres_server

assert app  # imports, and so registers, all operations
assert administration

Pair = tuple[str, str]
Outcome = tuple[Any, ...]


def all_pairs(only: str = "") -> list[Pair]:
    """Return all pairs of registered operations, also of one with itself."""
    pairs = itertools.combinations_with_replacement(sorted(OPERATIONS), 2)
    return [pair for pair in pairs if not only or only in pair]


class Races:
    """Races on one database, through two stores, as by two processes."""

    def __init__(self, url: str) -> None:
        """Open a database twice."""
        settings = Settings(bots=False)
        self.games = Games.open(url, settings)
        self.other = Games.open(url, settings)
        self._expected: dict[tuple[Pair, int, bool], Outcome] = {}
        self._chance = random.Random(18)
        for one in (self.games, self.other):
            if not one.store.database.is_postgres:  # the machine itself is not switched off
                event.listen(one.store.database.engine, "connect", _without_sync)

    def close(self) -> None:
        """Close both."""
        self.games.close()
        self.other.close()

    def run(self, pair: Pair, cast: int) -> str:
        """Run two operations at the same time; return what is wrong, or ""."""
        scene, roles = self._scene(cast)
        calls = self._calls(scene, pair, roles)
        barrier = threading.Barrier(2)
        answers = ["", ""]

        def call(index: int, wait: float) -> None:
            barrier.wait()
            time.sleep(wait)
            answers[index] = _answer(calls[index])

        waits = [0.0, self._chance.choice((0.0, 0.0, 0.001, 0.003))]
        self._chance.shuffle(waits)
        threads = [threading.Thread(target=call, args=each) for each in enumerate(waits)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self._judge(pair, cast, scene, answers)

    def _scene(self, cast: int) -> tuple[Scene, tuple[Role, Role]]:
        make, *roles = CASTS[cast % len(CASTS)]
        scene = make(self.games)
        for role in roles:
            scene.prepare(role)
        return scene, (roles[0], roles[1])

    def _calls(
        self, scene: Scene, pair: Pair, roles: tuple[Role, Role]
    ) -> list[Callable[[], object]]:
        stores = (self.games.store, self.other.store)

        def call(name: str, role: Role, store: object) -> Callable[[], object]:
            arguments = scene.arguments(OPERATIONS[name], role, store)
            return lambda: OPERATIONS[name](**arguments)

        return [call(*each) for each in zip(pair, roles, stores, strict=True)]

    def _judge(self, pair: Pair, cast: int, scene: Scene, answers: list[str]) -> str:
        if any(answer.startswith("5") for answer in answers):
            return f"answered {answers}"
        problems = _problems(scene)
        if problems:
            return f"answered {answers}, then {problems}"
        outcome = (*answers, *_stored(scene))
        for swapped in (False, True):
            if outcome == self._in_sequence(pair, cast, swapped):
                return ""
        return f"answered {answers}, which is neither order; stored: {outcome[2:]}"

    def _in_sequence(self, pair: Pair, cast: int, swapped: bool) -> Outcome:
        """Return the outcome of the operations one after the other."""
        key = (pair, cast % len(CASTS), swapped)
        if key not in self._expected:
            scene, roles = self._scene(cast)
            calls = self._calls(scene, pair, roles)
            answers = {index: _answer(calls[index]) for index in ((1, 0) if swapped else (0, 1))}
            assert not _problems(scene), f"{key}: {_problems(scene)}"
            self._expected[key] = (answers[0], answers[1], *_stored(scene))
        return self._expected[key]


def _without_sync(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous=OFF")


def _answer(call: Callable[[], object]) -> str:
    """Return the HTTP status of an operation and the code of its error."""
    try:
        call()
    except ServiceError as error:
        return f"{error.status} {error.name}"
    except Exception as error:
        return f"500 {type(error).__name__}: {error}"
    return "200"


def _problems(scene: Scene) -> tuple[str, ...]:
    """Return what is wrong with the hash chains of a table, unless it was deleted."""
    try:
        return scene.games.verify(scene.game).problems
    except ServiceError:
        return ()


# --- what is stored ------------------------------------------------------------------------


def _stored(scene: Scene) -> Outcome:
    """Return all that is stored of a table and its people, without ids and times."""
    names = {user.id: name for name, user in scene.people.items()} | {None: ""}
    with scene.games.store.database.reading() as connection:

        def rows(table: Any, *chosen: Any) -> list[Any]:
            return list(connection.execute(select(table).where(*chosen)).all())

        game = scene.game
        found = [_line(rows, names, line) for line in rows(lines, lines.c.game == game)]
        asked = [
            (
                names[r.user],
                r.to,
                r.version,
                r.status,
                sorted(names[one] for one in _ids(r.waiting)),
            )
            for r in rows(requests, requests.c.game == game)
        ]
        said = rows(remarks, remarks.c.game == game)
        return (
            sorted(found),
            sorted((s.player, names[s.user]) for s in rows(seats, seats.c.game == game)),
            sorted(asked),
            sorted((r.number, names[r.user], r.text) for r in said),
            sorted(
                (names[g.owner], g.read_only)
                for g in rows(stored_games, stored_games.c.owner.in_(list(names)[:-1]))
            ),
            [_account(connection, user.id) for user in scene.people.values()],
        )


def _account(connection: Connection, user: str) -> Outcome:
    """Return what is stored of an account."""
    row = connection.execute(select(users).where(users.c.id == user)).one()
    counts = (
        connection.execute(select(func.count()).where(table.c.user == user)).scalar_one()
        for table in (sessions, bearers, blocks)
    )
    return (row.password or "", row.deleted, *counts)


def _ids(waiting: str) -> list[str]:
    return [one for one in waiting.strip("[]").replace('"', "").split(",") if one]


def _line(rows: Callable[..., list[Any]], names: dict[Any, str], line: Any) -> Outcome:
    def shown(row: Any) -> Outcome:
        action = "" if row.kind == "keep" else row.action
        return (row.version, row.kind, row.number, row.by, names.get(row.user, ""), action)

    heard = [m.kind for m in rows(messages, messages.c.line == line.id)]
    return (
        line.kind,
        line.status,
        names[line.owner],
        *(line.base, line.head, line.version, line.heard),
        *(line.acting or "", line.bot, line.ended),
        sorted(shown(row) for row in rows(records, records.c.line == line.id)),
        sorted(row.number for row in rows(standing, standing.c.line == line.id)),
        sorted(heard),
    )


# --- the command ---------------------------------------------------------------------------


def run_each(url: str, first: str, times: int) -> Iterator[str]:
    """Run the pairs that begin with an operation, each at one of the tables in turn."""
    races = Races(url)
    try:
        chosen = [each for each in enumerate(all_pairs()) if each[1][0] == first]
        for (place, pair), _ in itertools.product(chosen, range(times)):
            if wrong := races.run(pair, place):
                yield f"{pair[0]} with {pair[1]}, cast {place % len(CASTS)}: {wrong}"
    finally:
        races.close()


def run_all(url: str, times: int, only: str = "") -> Iterator[str]:
    """Run every pair a number of times; yield what goes wrong."""
    races, pairs = Races(url), all_pairs(only)
    try:
        for (place, pair), number in itertools.product(enumerate(pairs), range(times)):
            if place % _PROGRESS == number == 0:
                print(f"{place} of {len(pairs)} pairs", file=sys.stderr)
            if wrong := races.run(pair, number):
                yield f"{pair[0]} with {pair[1]}, cast {number % len(CASTS)}: {wrong}"
    finally:
        races.close()


_PROGRESS = 25
"""Pairs between two lines of progress."""


def _report(url: str, times: int, only: str) -> int:
    """Run all races on a database and print the result; return how many went wrong."""
    begun, found = time.monotonic(), 0
    for line in run_all(url, times, only):
        found += 1
        print(line)
    races, kind = times * len(all_pairs(only)), url.partition(":")[0]
    print(f"{kind}: {races} races, {found} wrong, {time.monotonic() - begun:.0f} s", flush=True)
    return found


def main() -> int:
    """Run all races and print what goes wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.races")
    parser.add_argument(
        "databases", nargs="*", help='"sqlite", "postgresql" (by default both), URLs'
    )
    parser.add_argument("--times", type=int, default=50, help="races per pair")
    parser.add_argument("--only", default="", help="only pairs with this operation")
    given = parser.parse_args()
    with TemporaryDirectory() as folder, postgres_server() as server:
        known = {"sqlite": f"sqlite:///{Path(folder) / 'races.db'}"}
        known |= zip(["postgresql"], server.urls(), strict=False)
        urls = [known.get(name, name) for name in given.databases or known]
        return 1 if sum(_report(url, given.times, given.only) for url in urls) else 0


if __name__ == "__main__":
    sys.exit(main())
