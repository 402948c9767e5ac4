"""The command: one part of the siege or all of them, in one run or in several."""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.service.servers import PostgresServer, postgres_server
from tests.service.siege import fuzz, hostile, kills
from tests.service.siege.kills import Toll
from tests.service.siege.record import Chunk, Record

PARTS = ("hostile", "kills", "fuzz")
VICTIMS = ("sqlite", "postgresql", "database")
"""What is killed: the process on SQLite, three on PostgreSQL, or PostgreSQL itself."""


class Siege:
    """One run, as it was ordered."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        """Go on from the record, for a limited time."""
        self._given, self._folder = given, folder
        self.record = Record(given.record)
        self._end = time.monotonic() + 60 * given.minutes
        self.wrong: list[str] = []

    def run(self) -> None:
        """Run the chosen parts."""
        for part in self._given.part or PARTS:
            getattr(self, f"_{part}")()

    def _hostile(self) -> None:
        given = self._given
        done = {one.partition(": ")[2] for one in self.record.parts if one.startswith("hostile")}
        only = tuple(given.only) or tuple(one for one in hostile.kinds() if one not in done)
        ordered = hostile.Order(given.people, given.requests or 200, only, self._end)
        if only:
            found = asyncio.run(hostile.besiege(self._database("hostile"), ordered))
            for kind, (figures, wrong) in found.items():
                self._note(f"hostile: {kind}", ordered.requests, wrong, figures)

    def _kills(self) -> None:
        chosen = self._given.on or VICTIMS
        if "sqlite" in chosen:
            file = self._database("kills")
            self._kill("sqlite", lambda chunk: kills.kill_processes(file, 1, chunk))
        if set(chosen) - {"sqlite"}:
            with postgres_server() as server:
                if server.reason:
                    raise SystemExit(f"PostgreSQL cannot be started here: {server.reason}")
                self._kill_postgres(server, chosen)

    def _kill_postgres(self, server: PostgresServer, chosen: tuple[str, ...]) -> None:
        if "postgresql" in chosen:
            empty = server.empty()
            self._kill("postgresql", lambda chunk: kills.kill_processes(empty, 3, chunk))
        if "database" in chosen:
            self._kill("database", lambda chunk: kills.kill_database(server, 3, chunk))

    def _kill(self, victim: str, run: Callable[[Chunk], object]) -> None:
        given = self._given
        count = given.database_kills if victim == "database" else given.kills
        chunk = self.record.chunk(f"kills: {victim}", count, given.seed, self._end)
        if chunk.count and not chunk.over:
            toll: Toll = asyncio.run(run(chunk))  # type: ignore[arg-type]
            self._note(f"kills: {victim}", toll.kills, toll.wrong, toll.figures)

    def _fuzz(self) -> None:
        given = self._given
        count = 100_000 if given.requests is None else given.requests
        chunk = self.record.chunk("fuzz: requests", count, given.seed, self._end)
        if chunk.count and not chunk.over:
            found = asyncio.run(fuzz.fuzz_requests(self._database("requests"), chunk))
            total = found.answers.total()
            self._note("fuzz: requests", total, found.wrong, found.figures)
        chunk = self.record.chunk("fuzz: files", given.files, given.seed, self._end)
        if chunk.count and not chunk.over:
            files = fuzz.seed_files()
            found = asyncio.run(fuzz.fuzz_files(self._database("files"), files, chunk))
            self._note("fuzz: files", found.answers.total(), found.wrong, found.figures)

    def _database(self, name: str) -> str:
        return str(self._folder / f"{name}.db")

    def _note(self, part: str, count: int, wrong: list[str], figures: dict[str, object]) -> None:
        self.record.note(part, count, wrong, figures)
        self.wrong += wrong
        print(f"{part}: {self.record.parts[part]}", flush=True)
        print(*(f"  {one}" for one in wrong[:50]), sep="\n", flush=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.service.siege")
    parser.add_argument("part", choices=PARTS, nargs="*", help="all parts, if none is named")
    parser.add_argument("--people", type=int, default=20, help="people who play meanwhile")
    parser.add_argument(
        "--requests", type=int, default=None, help="requests of each kind, or in all"
    )
    parser.add_argument("--kills", type=int, default=200, help="kills of processes")
    parser.add_argument("--database-kills", type=int, default=20, help="kills of PostgreSQL")
    parser.add_argument("--on", choices=VICTIMS, action="append", help="what to kill; else all")
    parser.add_argument("--files", type=int, default=50_000, help="damaged files")
    parser.add_argument(
        "--seed", type=int, default=0, help="another seed, other requests and files"
    )
    parser.add_argument("--only", action="append", default=[], help="only this kind of request")
    parser.add_argument("--record", type=Path, help="note what is done, and go on from there")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after this time")
    return parser


def main() -> int:
    """Run the chosen parts; exit 1 if anything is wrong."""
    with TemporaryDirectory() as folder:
        siege = Siege(_parser().parse_args(), Path(folder))
        siege.run()
    for part, done in siege.record.parts.items():
        print(f"{part}: {done}")
    print(f"{len(siege.wrong)} wrong")
    return 1 if siege.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
