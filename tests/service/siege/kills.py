"""Part two: processes and the database are killed while people play and bots answer.

Besides those who play at once, there are tables as over weeks: messages say whose turn it is,
programs bid with sealed limits, and the clock is moved until bots take over from people who do not
come.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx

from carril.service import clock
from tests.service.clocked import MovedClock
from tests.service.receivers import receiver
from tests.service.servers import PostgresServer
from tests.service.siege.people import Address, Person, percentile, seat_people, verify_all
from tests.service.siege.processes import Process, processes
from tests.service.siege.record import Chunk
from tests.service.siege.weeks import Absent, Correspondents, Hooks, Programmed, pairs

PEOPLE = 9
PAIRS = 2
"""Tables of each kind that is played over weeks."""
BOT = "random"
PROGRESS = 10
"""Kills between two lines of progress."""
LATE = 8
"""Kills after which the clocks run out, if there are that many."""
OPTIONS = ("--private-hooks",)


@dataclass
class Toll:
    """What a run of kills showed."""

    kills: int = 0
    restarts: list[float] = field(default_factory=list)
    """Seconds until the first answer after each kill."""
    wrong: list[str] = field(default_factory=list)
    actions: int = 0
    repeated: int = 0
    messages: int = 0
    messages_repeated: int = 0
    penalties: int = 0

    def show(self, people: list[Person]) -> None:
        """Show progress from time to time."""
        if self.kills % PROGRESS == 0:
            actions = sum(len(person.told) for person in people)
            print(f"{self.kills} kills, {actions} actions", file=sys.stderr, flush=True)

    @property
    def figures(self) -> dict[str, Any]:
        """What can be added up over several runs."""
        names = ("actions", "repeated", "messages", "messages_repeated", "penalties")
        return {name: getattr(self, name) for name in names} | {"restarts": self.restarts}

    def __str__(self) -> str:
        """Say it in a line, and what is wrong in more."""
        return (
            f"{self.kills} kills, {self.actions} actions acknowledged, {self.repeated} of them "
            f"repeated after a kill, {self.messages} messages, {self.messages_repeated} repeated "
            f"with the same key, {self.penalties} penalties, {len(self.wrong)} wrong; first answer "
            f"after a restart {percentile(self.restarts, 0.5):.0f} ms, at most "
            f"{percentile(self.restarts, 1):.0f}"
        ) + "".join(f"\n  {one}" for one in self.wrong)


class Party:
    """Everybody who plays during the kills."""

    def __init__(self, address: Address, hooks: Hooks, moved: MovedClock, seed: int) -> None:
        """Seat nobody yet."""
        self._address, self._hooks, self._moved, self._seed = address, hooks, moved, seed
        self.people: list[Person] = []
        told = pairs("Correspondent", PAIRS, "203.0.113", address)
        self._told = [Correspondents(*two, hooks) for two in told]
        programmed = pairs("Programmer", PAIRS, "192.0.2", address)
        self._programmed = [Programmed(*two) for two in programmed]
        self._absent = [Absent(*pair, hooks) for two in told for pair in (two, two[::-1])]
        self._stop = asyncio.Event()
        self._playing: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Let everybody sit down and play."""
        self.people = await seat_people(PEOPLE, self._address, BOT, self._seed)
        seated: list[Correspondents | Programmed | Absent]
        seated = [*self._told, *self._programmed, *self._absent]
        for table in seated:
            await table.sit_down()
        self.people += [table.person for table in self._programmed]
        self._playing = [asyncio.create_task(_play(one, self._stop)) for one in self.people]
        over_weeks: list[Correspondents | Programmed] = [*self._told, *self._programmed]
        self._playing += [asyncio.create_task(one.play(self._stop)) for one in over_weeks]
        self.people += [one for table in self._told for one in table.people.values()]

    def let_time_run_out(self) -> None:
        """Move the clock of the service until those who do not come have no time left."""
        self._moved.move(days=1.5)
        for table in self._absent:
            table.late = True

    async def end(self, toll: Toll) -> None:
        """Let everybody finish their action, then compare with what was acknowledged."""
        self._stop.set()
        results = await asyncio.gather(*self._playing, return_exceptions=True)
        toll.wrong += [f"{type(one).__name__}: {one}" for one in results if one]
        toll.wrong += await verify_all(self.people)
        over_weeks: list[Correspondents | Absent] = [*self._told, *self._absent]
        toll.wrong += [wrong for table in over_weeks for wrong in await table.lost()]
        toll.wrong += [leak for table in self._programmed for leak in table.leaks[:1]]
        toll.actions = sum(len(person.told) for person in self.people)
        toll.repeated = sum(person.repeated for person in self.people)
        posted = [self._hooks.posted(table.game) for table in self._told]
        toll.messages = sum(len(one) for one in posted)
        toll.messages_repeated = sum(one.total() - len(one) for one in posted)
        toll.penalties = sum(table.late for table in self._absent)
        if toll.actions < toll.kills:
            toll.wrong.append("too few actions between the kills: this run shows nothing")


async def _play(person: Person, stop: asyncio.Event) -> None:
    while not stop.is_set():
        if not await person.act(stop):
            return
        if person.chance.random() < 0.1:
            with suppress(httpx.HTTPError):  # not acknowledged, so it may be there or not
                await person.chat()
        await asyncio.sleep(person.chance.random() / 5)


@contextmanager
def _besieged(count: int, database: str) -> Iterator[tuple[list[Process], Hooks, MovedClock]]:
    """Run processes whose clock can be moved, with a receiver of web-hooks."""
    with TemporaryDirectory() as folder, receiver() as received:
        file = Path(folder) / "clock"
        os.environ[clock.FILE] = str(file)
        moved = MovedClock(file, fixed=False)
        try:
            with processes(count, database, *OPTIONS) as running:
                yield running, Hooks(received), moved
        finally:
            del os.environ[clock.FILE]


async def kill_processes(database: str, count: int, chunk: Chunk) -> Toll:
    """Kill one of some processes at random moments, and start it again."""
    chance, toll = random.Random(18 + chunk.seed), Toll()
    with _besieged(count, database) as (running, hooks, moved):
        party = Party(lambda: chance.choice(running).address, hooks, moved, chunk.seed)
        await party.begin()

        async def killer(victim: Process) -> None:
            while toll.kills < chunk.count and not chunk.over:
                toll.kills += 1
                if toll.kills == min(LATE, chunk.count):
                    party.let_time_run_out()
                await asyncio.sleep(chance.uniform(0.2, 2))
                victim.kill()
                toll.restarts.append(await asyncio.to_thread(victim.start))
                toll.show(party.people)

        await asyncio.gather(*(killer(one) for one in running))
        await party.end(toll)
    return toll


async def kill_database(server: PostgresServer, count: int, chunk: Chunk) -> Toll:
    """Kill the database itself at random moments, and start it again."""
    chance, toll = random.Random(19 + chunk.seed), Toll()
    with _besieged(count, server.empty()) as (running, hooks, moved):
        party = Party(lambda: chance.choice(running).address, hooks, moved, chunk.seed)
        await party.begin()
        while toll.kills < chunk.count and not chunk.over:
            toll.kills += 1
            if toll.kills == min(LATE, chunk.count):
                party.let_time_run_out()
            await asyncio.sleep(chance.uniform(1, 4))
            await asyncio.to_thread(server.kill_and_restart)
            toll.show(party.people)
        await party.end(toll)
    return toll
