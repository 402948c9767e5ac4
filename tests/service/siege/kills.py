"""Part two: processes and the database are killed while people play and bots answer."""

from __future__ import annotations

import asyncio
import random
import sys
from contextlib import suppress
from dataclasses import dataclass, field

import httpx

from tests.service.servers import PostgresServer
from tests.service.siege.people import Person, percentile, seat_people, verify_all
from tests.service.siege.processes import Process, processes

PEOPLE = 12
BOT = "random"
PROGRESS = 10
"""Kills between two lines of progress."""


@dataclass
class Toll:
    """What a run of kills showed."""

    kills: int = 0
    restarts: list[float] = field(default_factory=list)
    """Seconds until the first answer after each kill."""
    wrong: list[str] = field(default_factory=list)
    actions: int = 0
    repeated: int = 0

    def show(self, people: list[Person]) -> None:
        """Show progress from time to time."""
        if self.kills % PROGRESS == 0:
            actions = sum(len(person.told) for person in people)
            print(f"{self.kills} kills, {actions} actions", file=sys.stderr, flush=True)

    def __str__(self) -> str:
        """Say it in a line, and what is wrong in more."""
        return (
            f"{self.kills} kills, {self.actions} actions acknowledged, {self.repeated} of them "
            f"repeated after a kill, {len(self.wrong)} wrong; first answer after a restart "
            f"{percentile(self.restarts, 0.5):.0f} ms, at most {percentile(self.restarts, 1):.0f}"
        ) + "".join(f"\n  {one}" for one in self.wrong)


async def _play(person: Person, stop: asyncio.Event) -> None:
    while not stop.is_set():
        if not await person.act():
            return
        if person.chance.random() < 0.1:
            with suppress(httpx.HTTPError):  # not acknowledged, so it may be there or not
                await person.chat()
        await asyncio.sleep(person.chance.random() / 5)


async def kill_processes(database: str, count: int, kills: int) -> Toll:
    """Kill one of some processes at random moments, and start it again."""
    chance, toll = random.Random(18), Toll()
    with processes(count, database) as running:
        people = await seat_people(PEOPLE, lambda: chance.choice(running).address, BOT)
        stop = asyncio.Event()
        playing = [asyncio.create_task(_play(person, stop)) for person in people]

        async def killer(victim: Process) -> None:
            while toll.kills < kills:
                toll.kills += 1
                await asyncio.sleep(chance.uniform(0.2, 2))
                victim.kill()
                toll.restarts.append(await asyncio.to_thread(victim.start))
                toll.show(people)

        await asyncio.gather(*(killer(one) for one in running))
        await _settle(toll, people, playing, stop)
    return toll


async def kill_database(server: PostgresServer, count: int, kills: int) -> Toll:
    """Kill the database itself at random moments, and start it again."""
    chance, toll = random.Random(19), Toll()
    with processes(count, server.empty()) as running:
        people = await seat_people(PEOPLE, lambda: chance.choice(running).address, BOT)
        stop = asyncio.Event()
        playing = [asyncio.create_task(_play(person, stop)) for person in people]
        for _ in range(kills):
            await asyncio.sleep(chance.uniform(1, 4))
            await asyncio.to_thread(server.kill_and_restart)
            toll.kills += 1
            toll.show(people)
        await _settle(toll, people, playing, stop)
    return toll


async def _settle(
    toll: Toll, people: list[Person], playing: list[asyncio.Task[None]], stop: asyncio.Event
) -> None:
    """Let everybody finish their action, then compare with what was acknowledged."""
    stop.set()
    results = await asyncio.gather(*playing, return_exceptions=True)
    toll.wrong += [f"{type(one).__name__}: {one}" for one in results if one]
    toll.wrong += await verify_all(people)
    toll.actions = sum(len(person.told) for person in people)
    toll.repeated = sum(person.repeated for person in people)
    if toll.actions < toll.kills:
        toll.wrong.append("too few actions between the kills: this run shows nothing")
