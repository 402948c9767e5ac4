"""A database with something in every table, and a backup of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from carril.service.accounts import Accounts
from carril.service.backups import TRANSIENT, back_up
from carril.service.blocking import block_user
from carril.service.games import Games
from carril.service.settings import Settings
from carril.service.store.tables import metadata
from tests.service.table import own_table, shared_table, step

QUIET = Settings(bots=False, verify_hours=0)


def fill(url: str) -> str:
    """Fill a database: two tables, an undo request, a what-if line, chat, sessions, a block."""
    games = Games.open(url, QUIET)
    accounts = Accounts(games.store)
    ana, ben = accounts.register("Ana", "long enough"), accounts.guest("Ben")
    own, shared = own_table(games, ana).id, shared_table(games, ana, ben).id
    for _ in range(4):
        step(games, own, ana)
    games.undo(own, ana, 2)
    fork = games.fork(own, ana, 1)
    step(games, own, ana, fork)
    games.keep_fork(own, ana, fork)
    step(games, own, ana, games.fork(own, ana, 1))
    step(games, shared, {"Ana": ana, "Second": ben}[str(games.info(shared).acting)])
    games.undo(shared, ana, 0)
    games.post_remark(shared, ben, "Grüße \N{STEAM LOCOMOTIVE}")
    accounts.new_bearer(ana, "program")
    accounts.open_session(ben)
    block_user(games.store, ben, "spam", 3)
    games.close()
    return own


def content(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a database that are backed up."""
    games = Games.open(url, QUIET)
    with games.store.database.reading() as connection:
        found = {
            table.name: sorted(
                (tuple(row) for row in connection.execute(select(*table.columns))), key=repr
            )
            for table in metadata.sorted_tables
            if not table.info.get(TRANSIENT)
        }
    games.close()
    return found


def write_backup(url: str, path: Path) -> None:
    """Back up a database."""
    games = Games.open(url, QUIET)
    back_up(games.store.database, path)
    games.close()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a small database."""
    path, url = tmp_path / "backup", f"sqlite:///{tmp_path}/source.db"
    fill(url)
    write_backup(url, path)
    return path
