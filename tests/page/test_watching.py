"""Parts of a table are sent when they have changed, and rendered once for all who watch."""

from __future__ import annotations

import asyncio
import re
import zlib
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient

from carril import start
from carril.page import render
from carril.page.render import Part
from carril.page.watching import GZIP_HEAD, Key, Watched, Watchers, packed
from carril.service.seats import changing
from tests.browser.stage import Stage
from tests.loops import run


def _revisions(html: str) -> str:
    found = re.findall(r'id="part-(\w+)"[^>]*data-rev="(\w+)"', html)
    return ",".join(f"{name}={revision}" for name, revision in found)


def _sent(html: str) -> set[str]:
    """Return the names of the parts that are not empty."""
    return set(re.findall(r'id="part-(\w+)" class="part', html))


@pytest.fixture
def game(stage: Stage) -> str:
    return stage.table(start("18EU", ["Ana", "Ben", "Cleo"], seed=3))


def _act(stage: Stage, client: TestClient, game: str, shown: str) -> str:
    here = stage.games.position(game)
    action = here.state.options()[0]
    form = {"action": _json(action), "head": here.head, "version": here.version}
    headers = {"X-Parts": shown, "HX-Request": "true"}
    response = client.post(f"/table/{game}/act", data=form, headers=headers)
    return str(response.raise_for_status().text)


def _json(action: Any) -> str:
    return str(msgspec.json.encode(action).decode())


def test_the_response_to_an_action_has_only_what_changed(
    stage: Stage, client: TestClient, game: str
) -> None:
    page = client.get(f"/table/{game}").text
    answer = _act(stage, client, game, _revisions(page))
    assert {"panel", "log"} <= _sent(answer)
    assert not {"rail", "market", "trains", "chat"} & _sent(answer)
    whole = client.get(f"/table/{game}/parts").text
    assert _sent(whole) == set(render.PARTS)
    assert _revisions(whole) == _revisions(answer)  # together with those on the page, all of it


def test_of_parts_that_the_browser_shows_only_the_revision_is_sent(stage: Stage, game: str) -> None:
    with TestClient(stage.app) as client:
        whole = client.get(f"/table/{game}/parts").text
        again = client.get(f"/table/{game}/parts", headers={"X-Parts": _revisions(whole)}).text
    assert _sent(again) == set()
    assert _revisions(again) == _revisions(whole)
    assert len(again) < len(whole) / 10


@pytest.mark.parametrize("header", ["", "x", "map", "map=", "=,=", "map=0,map=1", "a=b" * 5000])
def test_an_odd_list_of_revisions_gets_everything(stage: Stage, game: str, header: str) -> None:
    with TestClient(stage.app) as client:
        found = client.get(f"/table/{game}/parts", headers={"X-Parts": header})
    assert found.status_code == 200
    assert _sent(found.text) == set(render.PARTS)


def test_those_who_watch_share_one_rendering(
    stage: Stage, client: TestClient, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    real = render.render_parts

    def counted(*args: Any) -> Any:
        made.append(args)
        return real(*args)

    monkeypatch.setattr(render, "render_parts", counted)
    with TestClient(stage.app) as watcher:
        url = f"/table/{game}/parts"
        first = watcher.get(url).text
        assert [watcher.get(url).text for _ in range(3)] == [first] * 3
        assert len(made) == 1
        _act(stage, client, game, "")
        made.clear()
        now = [watcher.get(url).text for _ in range(3)]
    assert len(made) == 1
    assert len(set(now)) == 1
    assert now[0] != first


def test_what_is_older_than_the_game_is_never_sent(
    stage: Stage, client: TestClient, game: str
) -> None:
    with TestClient(stage.app) as watcher:
        old = watcher.get(f"/table/{game}/parts").text
        _act(stage, client, game, "")
        assert watcher.get(f"/table/{game}/parts").text != old


def test_a_game_that_is_gone_or_private_is_not_shown_any_more(stage: Stage, game: str) -> None:
    with TestClient(stage.app) as watcher:
        url = f"/table/{game}/parts"
        assert watcher.get(url).status_code == 200
        ana = stage.user("Ana")
        changing.set_visibility(stage.games.store, game, ana, "private")
        assert watcher.get(url).status_code == 404
        changing.set_visibility(stage.games.store, game, ana, "unlisted")
        assert watcher.get(url).status_code == 200
        stage.games.delete(game, ana)
        assert watcher.get(url).status_code == 404


def test_who_is_signed_in_gets_no_answer_for_others(
    stage: Stage, client: TestClient, game: str
) -> None:
    url = f"/table/{game}/parts"
    with TestClient(stage.app) as watcher:
        seen = watcher.get(url).text
        token = stage.accounts.new_bearer(stage.user("Ana"))
        own = watcher.get(url, headers={"Authorization": f"Bearer {token}"}).text
        wrong = watcher.get(url, headers={"Authorization": "Bearer nobody"})
    assert own != seen
    assert wrong.status_code == 401
    assert client.get(url).text != seen


_KEY = Key("game", "nobody", "en")


def test_many_who_ask_at_once_wait_for_one() -> None:
    calls: list[int] = []

    async def make() -> Watched:
        calls.append(1)
        await asyncio.sleep(0.01)
        return Watched(len(calls), {"map": Part("map", "1", "")})

    async def ask() -> list[Watched]:
        watchers = Watchers()
        first = await asyncio.gather(*(watchers.get(_KEY, 1, make) for _ in range(20)))
        assert len(calls) == 1
        later = await asyncio.gather(*(watchers.get(_KEY, 2, make) for _ in range(20)))
        assert len(calls) == 2
        return first + later

    assert {one.heard for one in run(ask())} == {1, 2}


def test_rendering_goes_on_when_the_first_who_asked_has_left() -> None:
    calls: list[int] = []

    async def make() -> Watched:
        calls.append(1)
        await asyncio.sleep(0.02)
        return Watched(1, {})

    async def ask() -> None:
        watchers = Watchers()
        first = asyncio.ensure_future(watchers.get(_KEY, 1, make))
        await asyncio.sleep(0)
        second = asyncio.ensure_future(watchers.get(_KEY, 1, make))
        await asyncio.sleep(0.005)
        first.cancel()
        assert (await second).heard == 1

    run(ask())
    assert len(calls) == 1


def test_a_failure_is_not_remembered() -> None:
    async def fail() -> Watched:
        raise ValueError

    async def work() -> Watched:
        return Watched(3, {})

    async def ask() -> int:
        watchers = Watchers()
        with pytest.raises(ValueError):
            await watchers.get(_KEY, 1, fail)
        return (await watchers.get(_KEY, 1, work)).heard

    assert run(ask()) == 3


def test_packed_frames_fit_into_any_stream() -> None:
    """The same bytes can follow whatever was sent before."""
    texts = ["one " * 200, "", "two " * 300, "one " * 200]
    for order in (texts, texts[::-1]):
        stream = GZIP_HEAD + b"".join(map(packed, order))
        assert zlib.decompressobj(31).decompress(stream).decode() == "".join(order)
