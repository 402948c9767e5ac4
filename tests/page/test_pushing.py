"""What changes is sent to those who watch: complete, in time, nothing private, not to strangers."""

from __future__ import annotations

import asyncio
import json
import re
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fastapi.testclient import TestClient

from carril import start
from carril.page import pushing
from carril.page.watching import Watched
from carril.programs.kinds import BidUpTo
from carril.service.errors import Busy
from carril.service.people import notes
from carril.service.seats import changing
from tests.browser.stage import Stage, plain
from tests.loops import run

Event = dict[str, str]


class Browser:
    """Reads the stream of a table."""

    def __init__(self, stage: Stage, game: str, user: str = "", query: str = "") -> None:
        headers = [(b"host", b"testserver"), (b"accept-encoding", b"gzip")]
        if user:
            headers.append((b"cookie", f"carril={stage.cookie(user)['value']}".encode()))
        self.scope: dict[str, Any] = {
            "type": "http",
            "method": "GET",
            "path": f"/table/{game}/live",
            "raw_path": b"",
            "query_string": query.encode(),
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "server": ("testserver", 80),
            "scheme": "http",
            "http_version": "1.1",
            "root_path": "",
        }
        self.status = 0
        self.ended = False
        self._text = ""
        self._unpack = zlib.decompressobj(31)
        self._news = asyncio.Event()

    async def take(self, message: Any) -> None:
        self.status = message.get("status", self.status)
        self._text += self._unpack.decompress(message.get("body", b"")).decode()
        self.ended = message["type"] == "http.response.body" and not message.get("more_body")
        self._news.set()

    async def next(self) -> Event | None:
        """Return the next event, or None at the end of the stream."""
        while "\n\n" not in self._text and not self.ended:
            self._news.clear()
            await asyncio.wait_for(self._news.wait(), 10)
        if "\n\n" not in self._text:
            return None
        text, self._text = self._text.split("\n\n", 1)
        lines = [line.partition(": ") for line in text.splitlines() if not line.startswith(":")]
        event = {name: value for name, _, value in lines}
        return event if "event" in event else await self.next()

    async def until(self, kind: str) -> Event:
        """Return the next event of a kind."""
        while (event := await self.next()) is not None:
            if event["event"] == kind:
                return event
        raise AssertionError(f"the stream ended without {kind}")


@asynccontextmanager
async def watching(
    stage: Stage, game: str, user: str = "", query: str = ""
) -> AsyncIterator[Browser]:
    browser, left = Browser(stage, game, user, query), asyncio.Event()

    async def receive() -> Any:
        await left.wait()
        return {"type": "http.disconnect"}

    task = asyncio.create_task(stage.app(browser.scope, receive, browser.take))
    try:
        yield browser
    finally:
        left.set()
        await asyncio.wait_for(task, 10)


@pytest.fixture
def game(stage: Stage) -> str:
    seats = {"Ana": "Ana", "Ben": "Ben", "Cleo": "Cleo"}
    return stage.table(start("18EU", list(seats), seed=3), seats)


async def _act(stage: Stage, game: str) -> None:
    state = stage.state(game)
    action = plain(state.options()[0])
    await asyncio.to_thread(stage.act, game, str(state.acting), action)


def _revisions(html: str) -> str:
    found = re.findall(r'id="part-(\w+)"[^>]*data-rev="(\w+)"', html)
    return ",".join(f"{name}={revision}" for name, revision in found)


def _html(event: Event) -> str:
    return str(json.loads(event["data"])["html"])


def _parts(stage: Stage, game: str) -> str:
    with TestClient(stage.app) as client:
        return str(client.get(f"/table/{game}/parts").raise_for_status().text)


def test_whoever_watches_gets_what_changed_after_each_message(stage: Stage, game: str) -> None:
    shown = _revisions(_parts(stage, game))

    async def watch() -> None:
        async with watching(stage, game, query=f"after=0&shown={shown}") as browser:
            assert (await browser.next() or {})["data"] == "pushed"
            before = shown
            for number in (1, 2, 3):
                await _act(stage, game)
                message = await browser.until("action")
                assert message["id"] == str(number)
                parts = await browser.until("parts")
                assert json.loads(parts["data"])["heard"] >= number
                assert f'data-version="{number}"' in _html(parts)
                assert len(_html(parts)) < 80_000  # of about 200,000: the market has not changed
                assert 'id="part-market" data-rev' in _html(parts)
                assert _revisions(_html(parts)) != before
                before = _revisions(_html(parts))
        assert before == _revisions(await asyncio.to_thread(_parts, stage, game))

    run(watch())


def test_a_browser_that_comes_back_gets_what_it_missed(stage: Stage, game: str) -> None:
    async def watch() -> None:
        for _ in range(3):
            await _act(stage, game)
        async with watching(stage, game, query="after=1&shown=map=0") as browser:
            assert [(await browser.until("action"))["id"] for _ in (1, 2)] == ["2", "3"]
            html = _html(await browser.until("parts"))
        assert html == await asyncio.to_thread(_parts, stage, game)

    run(watch())


def test_all_who_watch_share_one_rendering(
    stage: Stage, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []
    real = pushing.render_watched

    async def counted(*args: Any) -> Watched:
        made.append(args[-1].role)
        return await real(*args)

    monkeypatch.setattr(pushing, "render_watched", counted)

    async def watch() -> None:
        async with (
            watching(stage, game, query="after=0") as one,
            watching(stage, game, query="after=0") as two,
            watching(stage, game, "Zoe", query="after=0") as zoe,
            watching(stage, game, "Yan", query="after=0") as yan,
        ):
            await _act(stage, game)
            found = [await browser.until("parts") for browser in (one, two, zoe, yan)]
        assert found[0] == found[1]
        assert found[2] == found[3] != found[0]

    run(watch())
    assert sorted(made) == ["nobody", "user"]


def test_nothing_private_is_in_what_all_get(stage: Stage) -> None:
    """Neither programs nor notes, marks, invitations or tokens against forgery."""
    state = start("18EU", ["Ana", "Ben", "Cleo"], seed=3)
    game = stage.table(state, {"Ana": "Ana", "Ben": "Ben", "Cleo": ""})
    games, ana = stage.games, stage.user("Ana")
    changing.set_visibility(games.store, game, ana, "public")
    games.give_program(game, ana, BidUpTo(lot="1", limit=4321))
    notes.write_note(games.store, game, ana, "a secret note")
    games.post_remark(game, ana, "hello")
    with TestClient(stage.app) as client:
        client.cookies.set("carril", stage.cookie("Ana")["value"])
        own = client.get(f"/table/{game}/parts").text
        csrf = client.get("/api/session").json()["csrf"]
        stranger = TestClient(stage.app)
        stranger.cookies.set("carril", stage.cookie("Zoe")["value"])
        zoe = stranger.get("/api/session").json()["csrf"]
        asked = stranger.get(f"/table/{game}/parts").text
    seen_by_ana = ["4321", "data-own", "data-read", "invitation-Cleo"]
    assert [one for one in seen_by_ana if one in own] == seen_by_ana

    after = f"after={games.info(game).heard}"

    async def watch() -> list[str]:
        async with (
            watching(stage, game, query=after) as nobody,
            watching(stage, game, "Zoe", query=after) as user,
        ):
            await asyncio.to_thread(games.post_remark, game, ana, "again")
            return [_html(await browser.until("parts")) for browser in (nobody, user)]

    pushed = run(watch())
    assert all("again" in html for html in pushed)
    for html in (*pushed, asked):
        assert 'id="take-seat"' in html
        assert [one for one in [*seen_by_ana, "a secret note", csrf, zoe] if one in html] == []


def test_the_people_of_a_table_are_told_and_ask_for_their_own_parts(
    stage: Stage, game: str
) -> None:
    async def watch() -> None:
        async with watching(stage, game, "Ben", query="after=0") as browser:
            assert (await browser.until("mode"))["data"] == "told"
            await _act(stage, game)
            await _act(stage, game)
            assert [(await browser.next() or {})["event"] for _ in (1, 2)] == ["action"] * 2

    run(watch())


def test_somebody_who_takes_a_seat_is_told_from_then_on(stage: Stage) -> None:
    state = start("18EU", ["Ana", "Ben"], seed=3)
    game = stage.table(state, {"Ana": "Ana", "Ben": ""})
    changing.set_visibility(stage.games.store, game, stage.user("Ana"), "public")

    async def watch() -> None:
        async with watching(stage, game, "Zoe", query="after=1") as browser:
            assert (await browser.until("mode"))["data"] == "pushed"
            take = changing.take_seat
            await asyncio.to_thread(take, stage.games.store, game, stage.user("Zoe"), "")
            assert [(await browser.next() or {})["event"] for _ in (1, 2)] == ["mode", "join"]

    run(watch())


@pytest.mark.parametrize("user", ["", "Zoe"])
def test_a_table_that_becomes_private_is_not_sent_to_strangers(
    stage: Stage, game: str, user: str
) -> None:
    async def watch() -> None:
        async with watching(stage, game, user, query="after=0") as browser:
            await browser.until("mode")
            change = changing.set_visibility
            ana = stage.user("Ana")
            await asyncio.to_thread(change, stage.games.store, game, ana, "private")
            await _act(stage, game)
            assert await browser.next() is None
        async with watching(stage, game, user) as again:
            assert await again.next() is None
            assert again.status == 404

    run(watch())


def test_an_action_that_follows_at_once_is_not_sent_either(stage: Stage, game: str) -> None:
    """The message about the action is read with the one about the table being private."""

    async def watch() -> None:
        async with watching(stage, game, query="after=0") as browser:
            await browser.until("mode")
            games, ana = stage.games, stage.user("Ana")
            changing.set_visibility(games.store, game, ana, "private")
            state = stage.state(game)  # nothing is sent while this thread does not wait
            stage.act(game, str(state.acting), plain(state.options()[0]))
            assert await browser.next() is None

    run(watch())


def test_parts_that_cannot_be_rendered_are_fetched(
    stage: Stage, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: Any) -> Watched:
        raise Busy("too much to do")

    monkeypatch.setattr(pushing, "render_watched", fail)

    async def watch() -> None:
        async with watching(stage, game, query="after=0") as browser:
            await browser.until("mode")
            await _act(stage, game)
            assert [(await browser.next() or {})["event"] for _ in (1, 2)] == ["action", "fetch"]

    run(watch())


def test_the_result_of_a_search_follows(
    stage: Stage, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = asyncio.Event()
    real: Callable[..., Awaitable[Watched]] = pushing.render_watched

    async def unfinished(*args: Any) -> Watched:
        made = await real(*args)
        return made if searched.is_set() else Watched(made.heard, {}, lasting=False, later=True)

    async def search(*_: Any) -> None:
        searched.set()

    monkeypatch.setattr(pushing, "render_watched", unfinished)
    monkeypatch.setattr(pushing, "search_watched", search)

    async def watch() -> None:
        async with watching(stage, game, query="after=0&shown=x") as browser:
            await browser.until("mode")
            await _act(stage, game)
            assert _html(await browser.until("parts")) == ""
            assert 'data-version="1"' in _html(await browser.until("parts"))

    run(watch())
