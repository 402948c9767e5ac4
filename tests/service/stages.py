"""Prepared scenes: each in a database of its own, put back as it was before every race."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Engine, event, text
from sqlalchemy.engine import make_url

from carril.service.game_store import GameStore
from carril.service.games import Games
from carril.service.operations import OPERATIONS
from carril.service.seats import rematching
from carril.service.settings import Settings
from carril.service.store.tables import metadata
from carril.service.verifying import verify_lines
from tests.service.scenes import Role, Scene
from tests.service.stored import Comparison, Rows

_VACUUM = 50
"""Restorations of a PostgreSQL database between two removals of its dead rows."""


class Stage:
    """A scene, opened twice as by two processes."""

    def __init__(self, url: str, make: Callable[[Games], Scene], roles: Iterable[Role]) -> None:
        """Set the scene in an empty database, and prepare what the roles may do."""
        settings = Settings(bots=False, notify=False, timers=False, verify_hours=0, poll=60)
        self.games, self.other = Games.open(url, settings), GameStore(url)
        self._stores = (self.games.store, self.other)
        self._database = self.games.store.database
        for store in self._stores:
            if not self._database.is_postgres:  # the machine itself is not switched off
                event.listen(store.database.engine, "connect", _without_sync)
                store.database.engine.dispose()
        rematching.random_seed = lambda: 18  # type: ignore[attr-defined]  # equal in every run
        scene = make(self.games)
        self._arguments: dict[tuple[str, Role, int], dict[str, Any]] = {}
        for role in roles:
            scene.prepare(role)
            for (name, one), side in itertools.product(OPERATIONS.items(), (0, 1)):
                given = scene.arguments(one, role, self._stores[side])
                self._arguments[name, role, side] = given
        with self._database.reading() as connection:
            self._comparison = Comparison(connection)
        self._template: _Template = (
            _PostgresTemplate(self._database.engine)
            if self._database.is_postgres
            else _SqliteTemplate(url)
        )

    def restore(self) -> None:
        """Put everything back as it was at first."""
        self._template.restore()

    def call(self, name: str, role: Role, side: int) -> Callable[[], object]:
        """Return an operation of a role, through one of the two stores."""
        given = self._arguments[name, role, side]
        return lambda: OPERATIONS[name](**given)

    def stored(self) -> Rows:
        """Return what is stored, in a form that can be compared."""
        with self._database.reading() as connection:
            return self._comparison.read(connection)

    def problems(self, *, replay: bool = False) -> tuple[str, ...]:
        """Return what is wrong with the hash chains of all games, and the replay of their actions.

        A replay is not needed where what is stored is compared with what was replayed.
        """
        with self._database.reading() as connection:
            found = connection.execute(text("SELECT id FROM games")).scalars().all()
            checked = [verify_lines(connection, game, replay=replay) for game in found]
        return tuple(problem for one in checked for problem in one.problems)

    def close(self) -> None:
        """Close the databases."""
        self._template.close()
        self.games.close()
        self.other.close()


class _Template(Protocol):
    """Puts a database back as it was."""

    def restore(self) -> None:
        """Put everything back."""

    def close(self) -> None:
        """Close it."""


class _SqliteTemplate:
    """A copy in memory, from which all pages of the file are written again."""

    def __init__(self, url: str) -> None:
        self._file = sqlite3.connect(Path(str(make_url(url).database)), check_same_thread=False)
        self._file.execute("PRAGMA synchronous=OFF")
        self._copy = sqlite3.connect(":memory:", check_same_thread=False)
        self._file.backup(self._copy)

    def restore(self) -> None:
        self._copy.backup(self._file)

    def close(self) -> None:
        self._copy.close()
        self._file.close()


class _PostgresTemplate:
    """Copies of all tables, and a function that fills the tables from them."""

    def __init__(self, engine: Engine) -> None:
        self._connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._count = 0
        self._names = [table.name for table in metadata.sorted_tables]
        self._run("DROP SCHEMA IF EXISTS template CASCADE")
        self._run("CREATE SCHEMA template")
        for name in self._names:
            self._run(f"CREATE TABLE template.{name} AS TABLE public.{name}")
        steps = "".join(
            f"DELETE FROM public.{name}; INSERT INTO public.{name} SELECT * FROM template.{name};"
            for name in self._names
        )
        without_keys = "PERFORM set_config('session_replication_role', 'replica', true);"
        self._run(
            "CREATE FUNCTION template.restore() RETURNS void LANGUAGE plpgsql AS"
            f" $$ BEGIN {without_keys} {steps} END $$"
        )

    def _run(self, statement: str) -> None:
        self._connection.execute(text(statement))

    def restore(self) -> None:
        self._run("SELECT template.restore()")
        self._count += 1
        if self._count % _VACUUM == 0:
            self._run(f"VACUUM {', '.join(f'public.{name}' for name in self._names)}")

    def close(self) -> None:
        self._connection.close()


def _without_sync(connection: Any, _: object) -> None:
    connection.execute("PRAGMA synchronous=OFF")
