"""The command: one part of the siege or all of them."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.service.servers import PostgresServer, postgres_server
from tests.service.siege import fuzz, hostile, kills

PARTS = ("hostile", "kills", "fuzz")


def _hostile(database: str, given: argparse.Namespace) -> list[str]:
    return asyncio.run(
        hostile.besiege(database, given.people, given.requests or 200, tuple(given.only))
    )


def _kills(database: str, given: argparse.Namespace) -> list[str]:
    with postgres_server() as server:
        return _killed(database, server, given)


def _killed(database: str, server: PostgresServer, given: argparse.Namespace) -> list[str]:
    found = [asyncio.run(kills.kill_processes(database, 1, given.kills))]
    print(f"SQLite, one process: {found[-1]}", flush=True)
    if server.server:
        found.append(asyncio.run(kills.kill_processes(server.empty(), 3, given.kills)))
        print(f"PostgreSQL, three processes: {found[-1]}", flush=True)
        found.append(asyncio.run(kills.kill_database(server, 3, given.database_kills)))
        print(f"PostgreSQL itself: {found[-1]}", flush=True)
    return [wrong for toll in found for wrong in toll.wrong]


def _fuzz(database: str, given: argparse.Namespace) -> list[str]:
    count = 100_000 if given.requests is None else given.requests
    requests = asyncio.run(fuzz.fuzz_requests(database, count, given.seed))
    print(f"requests: {requests}", flush=True)
    seeds = fuzz.seed_files() if given.files else []
    files = asyncio.run(fuzz.fuzz_files(f"{database}-files", seeds, given.files, given.seed))
    print(f"files: {files}", flush=True)
    return requests.wrong + files.wrong


def main() -> int:
    """Run the chosen parts; exit 1 if anything is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.service.siege")
    parser.add_argument("part", choices=PARTS, nargs="*", help="all parts, if none is named")
    parser.add_argument("--people", type=int, default=20, help="people who play meanwhile")
    parser.add_argument(
        "--requests", type=int, default=None, help="requests of each kind, or in all"
    )
    parser.add_argument("--kills", type=int, default=200, help="kills of processes")
    parser.add_argument("--database-kills", type=int, default=20, help="kills of PostgreSQL")
    parser.add_argument("--files", type=int, default=50_000, help="damaged files")
    parser.add_argument(
        "--seed", type=int, default=0, help="another seed, other requests and files"
    )
    parser.add_argument("--only", action="append", default=[], help="only this kind of request")
    given = parser.parse_args()
    wrong: list[str] = []
    with TemporaryDirectory() as folder:
        for part in given.part or PARTS:
            database = str(Path(folder) / f"{part}.db")
            if part == "hostile":
                wrong += _hostile(database, given)
            elif part == "kills":
                wrong += _kills(database, given)
            else:
                wrong += _fuzz(database, given)
    for line in wrong[:50]:
        print(line)
    print(f"{len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
