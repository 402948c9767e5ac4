"""Write operations at the same time, and that all of them are registered."""

from __future__ import annotations

import ast
import inspect
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import carril.service
from carril.service.errors import Busy
from carril.service.game_store import GameStore
from carril.service.games import Games
from carril.service.operations import OPERATIONS
from carril.service.people.notes import note_of, write_note
from carril.service.values import User
from tests.service.races import DATABASES, Races, run_each
from tests.service.scenes import CASTS, MAIN, Scene, own_scene
from tests.service.servers import PostgresServer
from tests.service.table import own_table, until

SERVICE = Path(str(carril.service.__file__)).parent
TIMES = 1
EVERY = 7
"""The suite runs every seventh pair of each operation; `python -m tests.service.races` runs all."""


@pytest.fixture(scope="module", params=DATABASES)
def races(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Races]:
    """The scenes of all races, set once for all pairs."""
    if request.param == "sqlite":
        folder = tmp_path_factory.mktemp("races")
        made = Races(lambda name: f"sqlite:///{folder}/{name}.db")
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        made = Races(server.empty)
    yield made
    made.close()


@pytest.mark.parametrize("first", sorted(OPERATIONS))
def test_every_pair_of_operations_at_the_same_time(races: Races, first: str) -> None:
    assert list(run_each(races, first, TIMES, EVERY)) == []


def test_a_race_is_noticed(races: Races, monkeypatch: pytest.MonkeyPatch) -> None:
    """An operation that reads before it locks loses the change of another at the same time."""

    def add_word(store: GameStore, game: str, user: User, text: str) -> None:
        with store.reading() as reader:
            before = note_of(reader.connection, game, user)
        time.sleep(0.05)
        write_note(store, game, user, f"{before} {text}")

    monkeypatch.setitem(OPERATIONS, "write_note", add_word)
    same_person = CASTS.index((own_scene, MAIN, MAIN))
    found = races.run(("write_note", "write_note"), same_person)
    races.forget()
    assert "neither order" in found


def _writers() -> Iterator[str]:
    """Yield the public functions of the service that open a write transaction."""
    for path in sorted(SERVICE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef) or node.name.startswith("_"):
                continue
            if any(
                isinstance(part, ast.Attribute) and part.attr == "writing"
                for part in ast.walk(node)
            ):
                yield node.name


NO_OPERATIONS = {
    "writing",  # the transaction itself
    "turn",  # deliveries of the outbox, made by the one process that has claimed it
    "push",
    "push_private_key",  # keys of the service, made once and then only read
    "stop_token",
    "take",  # claims of processes, one statement each
    "release",
    "close",
}


def test_every_function_that_writes_is_registered() -> None:
    assert set(_writers()) - NO_OPERATIONS <= set(OPERATIONS)


def test_arguments_are_known_for_every_operation(kept: Games) -> None:
    scene: Scene = CASTS[1][0](kept)
    scene.prepare(MAIN)
    for operation in OPERATIONS.values():
        given = scene.arguments(operation, MAIN, kept.store)
        assert set(given) == set(inspect.signature(operation).parameters)


def test_writers_that_wait_leave_threads_for_readers(
    open_games: object, people: tuple[User, User, User], games: Games, database: str
) -> None:
    if not database.startswith("sqlite"):
        pytest.skip("on PostgreSQL a lock is held on rows, not on the database")
    game = own_table(games, people[0]).id
    holder = sqlite3.connect(database.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    refused: list[int] = []

    def write(number: int) -> None:
        try:
            games.post_remark(game, people[0], f"remark {number}")
        except Busy:
            refused.append(number)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(45)]
    for thread in threads:
        thread.start()
    until(lambda: len(refused) >= 25, 4)
    assert games.info(game).head == 0
    holder.execute("ROLLBACK")
    for thread in threads:
        thread.join()
    assert len(refused) == 25
    assert len(games.chat(game)) == 20
