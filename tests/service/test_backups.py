"""Backups: written while people play, restored into either database, refused when damaged."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import inspect, text

from carril.engine.refusals import BadSetup
from carril.service import backup_file
from carril.service.accounts import Accounts
from carril.service.backups import TRANSIENT, back_up, check_backup, move, restore
from carril.service.games import Games
from carril.service.store.database import open_engine
from carril.service.store.migrate import migrate
from carril.service.store.tables import metadata
from tests.service.filled import QUIET, content, fill, write_backup
from tests.service.filled import backup as backup
from tests.service.servers import PostgresServer
from tests.service.table import own_table, step

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of another empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/other.db"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.empty("other")


def test_what_is_restored_is_what_was_backed_up(database: str, other: str, tmp_path: Path) -> None:
    game = fill(database)
    path = tmp_path / "backup"
    write_backup(database, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("*.part"))
    before = content(database)
    assert all(before.values())
    summary = restore(other, path)
    assert summary.rows == {name: len(rows) for name, rows in before.items()}
    assert content(other) == before
    games = Games.open(other, QUIET)
    ana = Accounts(games.store).sign_in("Ana", "long enough")
    step(games, game, ana)
    games.undo(game, ana, 0)
    assert games.verify(game).sound
    games.close()


def test_everything_moves_to_another_database(database: str, other: str) -> None:
    fill(database)
    before = content(database)
    move(database, other)
    assert content(other) == before == content(database)
    with pytest.raises(BadSetup, match="already contains 2 users and 3 games"):
        move(database, other)


def test_a_backup_while_people_play_is_of_one_moment(database: str, tmp_path: Path) -> None:
    games = Games.open(database, QUIET)
    ana = Accounts(games.store).guest("Ana")
    tables = [own_table(games, ana).id for _ in range(3)]
    done = threading.Event()

    def play() -> None:
        while not done.is_set():
            for game in tables:
                step(games, game, ana)

    player = threading.Thread(target=play)
    player.start()
    try:
        for number in range(5):
            path = tmp_path / f"backup-{number}"
            assert back_up(games.store.database, path).problems == ()
            assert check_backup(path).problems == ()
            restore(f"sqlite:///{tmp_path}/restored-{number}.db", path)
    finally:
        done.set()
        player.join()
        games.close()


def test_a_database_in_use_is_not_replaced(database: str, backup: Path) -> None:
    games = Games.open(database, QUIET)
    ana = Accounts(games.store).guest("Ana")
    with pytest.raises(BadSetup, match="in use"):
        restore(database, backup, overwrite=True)
    with pytest.raises(BadSetup, match="in use"):
        move(database, "sqlite://")
    assert own_table(games, ana)
    games.close()


def test_nothing_is_overwritten_by_accident(database: str, backup: Path) -> None:
    games = Games.open(database, QUIET)
    Accounts(games.store).guest("Zoe")
    with pytest.raises(BadSetup, match="already exists"):
        back_up(games.store.database, backup)
    games.close()
    with pytest.raises(BadSetup, match="already contains 1 users and 0 games"):
        restore(database, backup)
    assert [row[1] for row in content(database)["users"]] == ["Zoe"]
    restore(database, backup, overwrite=True)
    assert sorted(row[1] for row in content(database)["users"]) == ["Ana", "Ben"]


def test_a_backup_of_an_older_version_is_brought_up_to_date(database: str, tmp_path: Path) -> None:
    """The tables of the first revision had no scopes of tokens, among others."""
    kinds: dict[str, backup_file.Kind] = {"id": "text", "name": "text", "folded": "text"}
    kinds |= {"guest": "boolean", "created": "time"}
    header = backup_file.Header(
        backup_file.FORMAT,
        1,
        "0001",
        datetime(2026, 1, 1, tzinfo=UTC),
        {"users": kinds},
    )
    path = tmp_path / "old"
    with path.open("wb") as file, backup_file.compressed(file) as lines:
        writer = backup_file.BackupWriter(lines, header)
        writer.add("users", ["u1", "Ana", "ana", False, "2026-01-01T00:00:00Z"])
        writer.finish()
    restore(database, path)
    (ana,) = content(database)["users"]
    assert ana[:3] == ("u1", "Ana", "ana")
    engine = open_engine(database)
    migrate(engine)  # nothing is missing
    engine.dispose()


def test_an_older_version_does_not_start_on_newer_tables(database: str, backup: Path) -> None:
    engine = open_engine(database)
    migrate(engine)
    with engine.connect() as connection:
        connection.info["writing"] = True
        with connection.begin():
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(BadSetup, match="newer version"):
        migrate(engine)
    engine.dispose()
    restore(database, backup)  # which replaces the tables
    assert content(database)["users"]


# --- tables ----------------------------------------------------------------------------------


def test_all_columns_have_a_kind() -> None:
    kinds = {backup_file.kind_of(column.type) for t in metadata.sorted_tables for column in t.c}
    assert {"bytes", "boolean", "integer", "time", "text"} <= kinds


def test_all_tables_are_known_to_backups(kept: Games) -> None:
    """Restoring drops all tables, so it must know them without the rest of the service."""
    program = "from carril.service.backups import metadata; print(*metadata.tables)"
    known = subprocess.check_output([sys.executable, "-c", program], text=True, env=ENVIRONMENT)
    with kept.store.database.reading() as connection:
        made = inspect(connection).get_table_names()
    assert set(made) == {*known.split(), "alembic_version"}


def test_passing_rows_are_not_backed_up(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(database)
    with monkeypatch.context() as patch:
        patch.setitem(metadata.tables["remarks"].info, TRANSIENT, True)
        write_backup(database, tmp_path / "backup")
    assert "remarks" not in check_backup(tmp_path / "backup").rows
    restore(database, tmp_path / "backup", overwrite=True)
    assert content(database)["remarks"] == []
