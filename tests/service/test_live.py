"""Live updates: between processes, after a lost connection, over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Iterator
from typing import Any

import httpx

from carril.service.games import Games
from carril.service.values import Message, NewGame, Seat, User
from tests.loops import run
from tests.service.conftest import OpenGames
from tests.service.table import BOT, own_table, step

People = tuple[User, User, User]


async def gather(games: Games, game: str, after: int | None, count: int) -> list[Message]:
    """Watch until so many messages have come."""
    found: list[Message] = []
    watching = games.subscribe(game, after)
    async with contextlib.aclosing(watching):  # type: ignore[type-var]
        async for message in watching:
            found.append(message)
            if len(found) == count:
                break
    return found


def test_what_another_process_does_is_seen(
    games: Games, people: People, open_games: OpenGames
) -> None:
    ana = people[0]
    game = own_table(games, ana)
    other = open_games(bots=False)

    async def watch() -> tuple[list[Message], float]:
        watching = asyncio.create_task(gather(other, game.id, 0, 3))
        await asyncio.sleep(0.3)
        begun = time.monotonic()
        await asyncio.to_thread(step, games, game.id, ana)
        await asyncio.to_thread(games.post_remark, game.id, ana, "hello")
        await asyncio.to_thread(games.undo, game.id, ana, 0)
        return await asyncio.wait_for(watching, 20), time.monotonic() - begun

    found, took = run(watch())
    assert [(one.id, one.kind) for one in found] == [(1, "action"), (2, "chat"), (3, "undo")]
    assert found[0].data["by"] in ("Ana", "Zoe")
    assert found[0].data["action"]["type"] == "choose"
    assert took < 5


def test_nothing_is_missed_and_nothing_comes_twice(games: Games, people: People) -> None:
    seats = (Seat("bot", bot=BOT), Seat("bot", bot=BOT))
    game = games.create(people[0], NewGame("18EU", seats, seed=5))

    async def watch() -> list[int]:
        seen: list[int] = []
        for _ in range(6):  # connections that break after some messages
            found = await asyncio.wait_for(gather(games, game.id, seen[-1] if seen else 0, 9), 30)
            seen += [one.id for one in found]
        return seen

    assert run(watch()) == list(range(1, 55))


def test_a_late_watcher_hears_only_what_comes(games: Games, people: People) -> None:
    game = own_table(games, people[0])
    for _ in range(3):
        step(games, game.id, people[0])

    async def watch() -> list[Message]:
        watching = asyncio.create_task(gather(games, game.id, None, 1))
        await asyncio.sleep(0.3)
        await asyncio.to_thread(step, games, game.id, people[0])
        return await asyncio.wait_for(watching, 10)

    assert [one.id for one in run(watch())] == [4]
    assert games.position(game.id).heard == games.info(game.id).heard == 4


# --- over HTTP -----------------------------------------------------------------------------


def sent(lines: Iterator[str], count: int) -> list[dict[str, Any]]:
    """Read so many events of a stream."""
    events: list[dict[str, Any]] = []
    event: dict[str, Any] = {}
    for line in lines:
        if not line and "id" in event:
            events.append(event)
            event = {}
            if len(events) == count:
                break
        elif line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            event[name] = value
    return events


def test_server_sent_events_resume(served: tuple[str, str]) -> None:
    url, token = served
    client = httpx.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, timeout=20)
    seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
    game = client.post("/api/games", json={"title": "18EU", "seats": seats, "seed": 3}).json()["id"]

    def act() -> None:
        offered = client.get(f"/api/games/{game}/options").json()
        body = {"action": offered["options"][0]["action"], "head": offered["head"]}
        assert client.post(f"/api/games/{game}/actions", json=body).status_code == 200

    act()
    with httpx.stream("GET", f"{url}/api/games/{game}/live?after=0", timeout=20) as stream:
        assert stream.headers["Content-Type"].startswith("text/event-stream")
        lines = stream.iter_lines()
        assert [one["id"] for one in sent(lines, 1)] == ["1"]
        begun = time.monotonic()
        act()
        event = sent(lines, 1)[0]
        assert time.monotonic() - begun < 5
    assert (event["id"], event["event"]) == ("2", "action")
    assert json.loads(event["data"])["head"] == 2
    act()
    act()
    back = {"Last-Event-ID": "2"}
    with httpx.stream(
        "GET", f"{url}/api/games/{game}/live?after=0", headers=back, timeout=20
    ) as stream:
        assert [one["id"] for one in sent(stream.iter_lines(), 2)] == ["3", "4"]
