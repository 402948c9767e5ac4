"""What all see alike is rendered once: for all viewers, and for several processes."""

from __future__ import annotations

import asyncio
import re
import stat
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest
from fastapi.testclient import TestClient

from carril import start
from carril.engine.actions import Range
from carril.page import shared_parts
from carril.page.render import PARTS, Part
from carril.page.shared import forget_shared
from carril.page.shared_parts import SharedParts, shared_folder
from carril.page.watching import Key, Watched, Watchers
from tests.browser.stage import Stage
from tests.loops import run

KEY = Key("g", "nobody", "en")


def _watched(heard: int, *, lasting: bool = True) -> Watched:
    return Watched(heard, {"map": Part("map", f"{heard:x}", f"<p>ñ {heard}</p>")}, lasting)


@pytest.fixture
def folder() -> Iterator[str]:
    """A folder that processes share."""
    with shared_folder() as made:
        yield made


# --- viewers of one position ---------------------------------------------------------------


def _parts(html: str) -> dict[str, str]:
    return dict(re.findall(r'id="part-(\w+)"[^>]*data-rev="(\w+)"', html))


def test_a_rendering_that_is_shared_is_the_same_as_one_of_its_own(
    stage: Stage, client: TestClient
) -> None:
    """Player, owner and strangers in two languages, with and without what others left behind."""
    game = stage.table(start("18EU", ["Ana", "Ben", "Cleo"], seed=3))
    chance = Random(4)
    with TestClient(stage.app) as stranger:
        for _ in range(12):
            here = stage.games.position(game)
            option = chance.choice(here.state.options())
            action = option.at(option.least) if isinstance(option, Range) else option
            form = {"action": msgspec.json.encode(action).decode()}
            form |= {"head": str(here.head), "version": str(here.version)}
            client.post(f"/table/{game}/act", data=form).raise_for_status()
            asked = [
                (who, {"Accept-Language": language})
                for who in (client, stranger)
                for language in ("en", "de")
            ]
            url = f"/table/{game}/parts?at={here.head + 1}"
            together = [_parts(who.get(url, headers=more).text) for who, more in asked]
            for (who, more), found in zip(asked, together, strict=True):
                forget_shared()
                assert _parts(who.get(url, headers=more).text) == found
                assert set(found) == set(PARTS)


# --- processes -----------------------------------------------------------------------------


def test_what_one_process_has_rendered_others_read(folder: str) -> None:
    one, other = SharedParts(folder), SharedParts(folder)
    assert run(one.wait(KEY, 7)) is None
    one.put(KEY, 7, _watched(7))
    found = run(other.wait(KEY, 7))
    assert found is not None
    assert (found.heard, found.parts, found.lasting) == (7, _watched(7).parts, True)
    assert run(other.wait(KEY, 6)) is not None
    assert run(other.wait(KEY, 8)) is None  # it is older than what was heard
    assert run(other.wait(Key("g", "user", "en"), 7)) is None
    assert run(other.wait(Key("g", "nobody", "de"), 7)) is None


def test_what_another_process_is_rendering_is_waited_for(folder: str) -> None:
    one, other = SharedParts(folder), SharedParts(folder)

    async def both() -> Watched | None:
        assert await one.wait(KEY, 7) is None
        waiting = asyncio.ensure_future(other.wait(KEY, 7))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        one.put(KEY, 7, _watched(7))
        return await waiting

    found = run(both())
    assert found is not None
    assert found.heard == 7


def test_nobody_waits_long_for_a_process_that_died(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_parts, "_PATIENCE", 0.1)
    assert run(SharedParts(folder).wait(KEY, 7)) is None
    assert run(SharedParts(folder).wait(KEY, 7)) is None


def test_what_is_not_complete_is_not_shared(folder: str) -> None:
    one = SharedParts(folder)
    one.put(KEY, 7, _watched(7, lasting=False))
    assert run(SharedParts(folder).wait(KEY, 7)) is None


def test_a_lost_or_damaged_folder_only_costs_time(folder: str) -> None:
    one = SharedParts(folder)
    one.put(KEY, 7, _watched(7))
    for file in Path(folder).iterdir():
        file.write_bytes(b"\xc1 damaged")
    assert run(one.wait(KEY, 7)) is None
    lost = SharedParts(f"{folder}/nothing")
    assert run(lost.wait(KEY, 7)) is None
    lost.put(KEY, 7, _watched(7))


def test_old_tables_are_deleted(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_parts, "_MOST", 4)
    monkeypatch.setattr(shared_parts, "_TIDY", 8)
    one = SharedParts(folder)
    for number in range(16):
        one.put(Key(str(number), "nobody", "en"), 1, _watched(1))
    assert len(list(Path(folder).iterdir())) == 4


def test_the_folder_is_private(folder: str) -> None:
    assert stat.S_IMODE(Path(folder).stat().st_mode) == 0o700


def test_of_two_processes_one_renders(folder: str) -> None:
    made: list[str] = []

    async def watch() -> list[Watched]:
        two = {name: Watchers(others=SharedParts(folder)) for name in ("one", "other")}

        async def make(name: str) -> Watched:
            made.append(name)
            await asyncio.sleep(0.05)
            return _watched(7)

        asked = (w.get(KEY, 7, partial(make, name)) for name, w in two.items())
        return list(await asyncio.gather(*asked))

    found = run(watch())
    assert [one.heard for one in found] == [7, 7]
    assert made == ["one"]
