"""A page is read in one transaction, so everything on it is of the same version."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import current_thread
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient
from sqlalchemy import Connection, event

from carril.service.table_view import read_table
from tests import table
from tests.browser.stage import Stage, plain


@dataclass
class Count:
    """Transactions begun while counting."""

    reads: int = 0
    writes: int = 0


@contextmanager
def counted(stage: Stage) -> Iterator[Count]:
    count = Count()

    def begin(connection: Connection) -> None:
        if not current_thread().name.startswith("AnyIO"):  # bots and clocks look for work
            return
        if connection.info.get("writing"):
            count.writes += 1
        else:
            count.reads += 1

    engine = stage.games.store.database.engine
    event.listen(engine, "begin", begin)
    yield count
    event.remove(engine, "begin", begin)


def _game(stage: Stage, **more: Any) -> str:
    game = stage.table(table.game(3), **more)
    for _ in range(3):
        stage.act(game, "Ana", plain(stage.state(game).options()[0]))
    return game


PAGES = (
    "",
    "?at=1",
    "/parts",
    "/parts?at=2&search=1",
    "/hex/A10",
    "/log?until=3",
    "/view/sheet",
    "/view/tiles",
    "/view/chart",
    "/view/rules",
)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_one_read(stage: Stage, client: TestClient, path: str) -> None:
    game = _game(stage)
    for _ in range(2):  # also when everything is cached
        with counted(stage) as count:
            assert client.get(f"/table/{game}{path}").status_code == 200
        assert (count.reads, count.writes) == (1, 0)


@pytest.mark.parametrize("path", ["", "/parts", "/hex/A10"])
def test_a_fork_is_one_read(stage: Stage, client: TestClient, path: str) -> None:
    game = _game(stage)
    fork = stage.games.fork(game, stage.user("Ana"), 1)
    with counted(stage) as count:
        assert client.get(f"/table/{game}{path}", params={"fork": fork}).status_code == 200
    assert (count.reads, count.writes) == (1, 0)


def test_the_lobby_is_one_read(stage: Stage, client: TestClient) -> None:
    _game(stage)
    for path in ("/", "/games"):
        with counted(stage) as count:
            assert client.get(path).status_code == 200
        assert (count.reads, count.writes) == (1, 0)


def _order(stage: Stage, game: str) -> dict[str, Any]:
    here = stage.games.position(game)
    action = plain(here.state.options()[0])
    text = msgspec.json.encode(action).decode()
    return {"action": text, "head": here.head, "version": here.version}


def test_an_action_reads_the_turn_writes_and_reads_the_table(
    stage: Stage, client: TestClient
) -> None:
    game = _game(stage)
    order = _order(stage, game)
    with counted(stage) as count:
        answer = client.post(f"/table/{game}/act", data=order)
    assert answer.status_code == 200
    assert (count.reads, count.writes) == (2, 1)  # while the table is read, others can write
    assert 'data-at="4" data-head="4"' in answer.text  # the table after the action
    assert 'id="entry-4"' in answer.text
    stale = client.post(f"/table/{game}/act", data=order)
    assert stale.status_code == 409
    assert "please choose again" in stale.text


def test_undo_and_chat_read_the_visitor_and_the_table(stage: Stage, client: TestClient) -> None:
    game = _game(stage)
    for path, form in (("undo", {"to": 2}), ("chat", {"text": "Well played."})):
        with counted(stage) as count:
            assert client.post(f"/table/{game}/{path}", data=form).status_code == 200
        assert (count.reads, count.writes) == (2, 1)


def test_everything_on_a_table_is_of_one_version(stage: Stage) -> None:
    """Somebody acts while the table is being read: the reader does not see it."""
    game = _game(stage)
    ana = stage.user("Ana")
    with stage.games.reading() as reader:
        before = reader.info(game, ana)
        stage.act(game, "Ana", plain(stage.state(game).options()[0]))
        stage.games.post_remark(game, ana, "Too late.")
        shown = read_table(reader, game, ana)
    assert shown.info.version == shown.position.version == before.version
    assert shown.log[-1].number == shown.position.head == before.head
    assert shown.chat == ()
    now = stage.games.table(game, ana)
    assert (now.position.head, now.log[-1].number) == (before.head + 1, before.head + 1)
    assert [remark.text for remark in now.chat] == ["Too late."]
