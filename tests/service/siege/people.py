"""People who play over HTTP, and remember what the service acknowledged."""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

PASSWORD = "only for the siege"
TITLE = "18EU"
Address = Callable[[], str]
"""Where to send the next request; after a kill it may be another process."""


@dataclass
class Acknowledged:
    """An action that the service said it had recorded."""

    number: int
    action: dict[str, Any]


@dataclass
class Person:
    """Somebody with a table of their own, who plays all its seats."""

    name: str
    host: str
    """The address that they appear to come from."""
    address: Address
    token: str = ""
    game: str = ""
    told: list[Acknowledged] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """How long each action took until its answer."""
    repeated: int = 0
    chance: random.Random = field(default_factory=lambda: random.Random(18))
    client: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=30))

    async def sit_down(self) -> None:
        """Make an account with a token, and a table."""
        account = {"name": self.name, "password": PASSWORD}
        made = (await self.send("POST", "/api/accounts", json=account)).json()
        body = {"label": "siege", "scope": "play"}
        csrf = {"X-CSRF-Token": made["csrf"]}
        self.token = (await self.send("POST", "/api/tokens", json=body, headers=csrf)).json()[
            "token"
        ]
        self.client.cookies.clear()
        seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
        new = {"title": TITLE, "seats": seats, "seed": 3}
        self.game = (await self.send("POST", "/api/games", json=new)).json()["id"]

    async def send(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request; raise an error unless it succeeds."""
        headers = {"X-Forwarded-For": self.host, **more.pop("headers", {})}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        url = f"{self.address()}{path}"
        response = await self.client.request(method, url, headers=headers, **more)
        return response.raise_for_status()

    async def act(self) -> bool:
        """Choose among the options and act, again and again until an answer comes.

        Return False when the game is over.
        """
        place = f"/api/games/{self.game}"
        offered = (await self.again("GET", f"{place}/options")).json()
        if not offered["options"]:
            return False
        action = self.chance.choice(offered["options"])["action"]
        key = secrets.token_hex(8)
        body = {"action": action, "head": offered["head"], "key": key}
        begun = time.perf_counter()
        acted = (await self.again("POST", f"{place}/actions", json=body)).json()
        self.seconds.append(time.perf_counter() - begun)
        self.repeated += acted["repeated"]
        self.told.append(Acknowledged(acted["head"], action))
        return True

    async def chat(self) -> None:
        """Say something; it is not repeated, since it has no key."""
        text = secrets.token_hex(4)
        await self.send("POST", f"/api/games/{self.game}/chat", json={"text": text})
        self.remarks.append(text)

    async def again(self, method: str, path: str, **more: Any) -> httpx.Response:
        """Send a request until it is answered; killed processes and databases come back."""
        end = time.monotonic() + 60
        while True:
            try:
                return await self.send(method, path, **more)
            except httpx.HTTPStatusError as error:
                if error.response.status_code not in (429, 503) or time.monotonic() > end:
                    raise
            except httpx.TransportError:
                if time.monotonic() > end:
                    raise
            await asyncio.sleep(0.05)

    async def lost(self) -> list[str]:
        """Return what was acknowledged and is not there, or is there twice."""
        place = f"/api/games/{self.game}"
        log = (await self.again("GET", f"{place}/log")).json()
        entries = {one["number"]: one["action"] for one in log}
        wrong = [
            f"{self.name}: action {one.number} is {entries.get(one.number)}, not {one.action}"
            for one in self.told
            if not _same(one.action, entries.get(one.number))
        ]
        if len(log) != len(self.told):
            wrong.append(f"{self.name}: {len(log)} actions, {len(self.told)} acknowledged")
        said = [one["text"] for one in (await self.again("GET", f"{place}/chat")).json()]
        wrong += [f"{self.name}: {text!r} is gone" for text in self.remarks if text not in said]
        verified = (await self.again("GET", f"{place}/verify")).json()
        return wrong + [f"{self.name}: {problem}" for problem in verified["problems"]]


def _same(sent: dict[str, Any], stored: dict[str, Any] | None) -> bool:
    """Return whether an action was recorded as sent; defaults may have been left out."""
    return stored is not None and all(
        sent.get(name, value) == value for name, value in stored.items()
    )


async def seat_people(count: int, address: Address) -> list[Person]:
    """Return some people, each at a table of their own."""
    people = [
        Person(f"Person {number}", f"198.51.100.{number + 1}", address) for number in range(count)
    ]
    for person in people:  # one by one: hashing passwords is slow on purpose
        await person.sit_down()
    return people


async def verify_all(people: list[Person]) -> list[str]:
    """Return everything that is wrong with what was acknowledged."""
    return [wrong for person in people for wrong in await person.lost()]


def percentile(times: list[float], share: float) -> float:
    """Return a percentile of some times, in milliseconds."""
    ranked = sorted(times)
    return ranked[min(len(ranked) - 1, int(len(ranked) * share))] * 1000 if ranked else 0.0
