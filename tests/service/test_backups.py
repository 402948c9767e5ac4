"""Backups: written while people play, restored into either database, refused when damaged."""

from __future__ import annotations

import gzip
import hashlib
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import Connection, inspect, select, text, update

from carril.engine.refusals import BadSetup
from carril.service import backup_file
from carril.service.accounts import Accounts
from carril.service.backup_file import BadBackup, Trailer
from carril.service.backups import TRANSIENT, back_up, check_backup, move, restore
from carril.service.blocking import block_user
from carril.service.games import Games
from carril.service.settings import Settings
from carril.service.store.database import open_engine
from carril.service.store.migrate import migrate
from carril.service.store.tables import metadata, records, standing
from tests.service.servers import PostgresServer
from tests.service.table import own_table, shared_table, step

ENVIRONMENT = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2] / "src")}
QUIET = Settings(bots=False, verify_hours=0)


@pytest.fixture(params=["sqlite", "postgresql"])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of another empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/other.db"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.empty("other")


def _play(url: str) -> str:
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


def _content(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """Return all rows of a database."""
    games = Games.open(url, QUIET)
    with games.store.database.reading() as connection:
        found = {
            table.name: sorted(
                (tuple(row) for row in connection.execute(select(*table.columns))), key=repr
            )
            for table in metadata.sorted_tables
        }
    games.close()
    return found


def _back_up(url: str, path: Path) -> None:
    games = Games.open(url, QUIET)
    back_up(games.store.database, path)
    games.close()


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    """A backup of a small database."""
    path, url = tmp_path / "backup", f"sqlite:///{tmp_path}/source.db"
    _play(url)
    _back_up(url, path)
    return path


def test_what_is_restored_is_what_was_backed_up(database: str, other: str, tmp_path: Path) -> None:
    game = _play(database)
    path = tmp_path / "backup"
    _back_up(database, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not list(tmp_path.glob("*.part"))
    before = _content(database)
    assert all(before.values())
    summary = restore(other, path)
    assert summary.rows == {name: len(rows) for name, rows in before.items()}
    assert _content(other) == before
    games = Games.open(other, QUIET)
    ana = Accounts(games.store).sign_in("Ana", "long enough")
    step(games, game, ana)
    games.undo(game, ana, 0)
    assert games.verify(game).sound
    games.close()


def test_everything_moves_to_another_database(database: str, other: str) -> None:
    _play(database)
    before = _content(database)
    move(database, other)
    assert _content(other) == before == _content(database)
    with pytest.raises(BadSetup, match="already contains 2 users and 2 games"):
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
    assert [row[1] for row in _content(database)["users"]] == ["Zoe"]
    restore(database, backup, overwrite=True)
    assert sorted(row[1] for row in _content(database)["users"]) == ["Ana", "Ben"]


def test_a_backup_of_an_older_version_is_brought_up_to_date(database: str, tmp_path: Path) -> None:
    """The tables of the first revision had no scopes of tokens, among others."""
    kinds: dict[str, backup_file.Kind] = {"id": "text", "name": "text", "folded": "text"}
    kinds |= {"guest": "boolean", "created": "time"}
    header = backup_file.Header(
        backup_file.FORMAT,
        1,
        "0001",
        msgspec.convert("2026-01-01T00:00:00Z", Any),
        {"users": kinds},
    )
    path = tmp_path / "old"
    with path.open("wb") as file, backup_file.compressed(file) as content:
        writer = backup_file.BackupWriter(content, header)
        writer.add("users", ["u1", "Ana", "ana", False, "2026-01-01T00:00:00Z"])
        writer.finish()
    restore(database, path)
    (ana,) = _content(database)["users"]
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
    assert _content(database)["users"]


# --- bad files -------------------------------------------------------------------------------


def _change_lines(path: Path, change: Callable[[list[bytes]], None]) -> None:
    """Change the lines of a backup and give it a checksum that matches."""
    lines = gzip.decompress(path.read_bytes()).splitlines(keepends=True)[:-1]
    rows = msgspec.json.decode(gzip.decompress(path.read_bytes()).splitlines()[-1], type=Trailer)
    change(lines)
    trailer = Trailer(rows.rows, hashlib.sha256(b"".join(lines)).hexdigest())
    path.write_bytes(gzip.compress(b"".join(lines) + msgspec.json.encode(trailer) + b"\n"))


def _newer(lines: list[bytes]) -> None:
    lines[0] = lines[0].replace(b'"revision":"', b'"revision":"9')


def _other_format(lines: list[bytes]) -> None:
    lines[0] = lines[0].replace(b"carril-backup", b"something")


def _newer_format(lines: list[bytes]) -> None:
    lines[0] = lines[0].replace(b'"version":1', b'"version":2')


def _no_row(lines: list[bytes]) -> None:
    lines[1] = b'{"users": 1}\n'


def _unknown_table(lines: list[bytes]) -> None:
    lines[1] = lines[1].replace(b'"users"', b'"people"')


def _twice(lines: list[bytes]) -> None:
    lines[2] = lines[1]


def _unknown_column(lines: list[bytes]) -> None:
    lines[0] = lines[0].replace(b'"folded"', b'"f\\"olded"')


CHANGES = (
    _newer,
    _other_format,
    _newer_format,
    _no_row,
    _unknown_table,
    _twice,
    _unknown_column,
)


def _refused(path: Path, url: str) -> None:
    """Check that a file is refused in one line, and that the database stays as it was."""
    before = _content(url)
    with pytest.raises(BadBackup) as refused:
        restore(url, path, overwrite=True)
    assert "\n" not in str(refused.value)
    assert _content(url) == before


@pytest.fixture
def target(database: str) -> str:
    """A database with one user."""
    games = Games.open(database, QUIET)
    Accounts(games.store).guest("Zoe")
    games.close()
    return database


@pytest.mark.parametrize("change", CHANGES)
def test_files_that_are_no_backups_of_this_version(
    target: str, backup: Path, change: Callable[[list[bytes]], None]
) -> None:
    _change_lines(backup, change)
    _refused(backup, target)


@pytest.mark.parametrize("data", [b"", b"no backup", gzip.compress(b""), gzip.compress(b"{}\n")])
def test_files_that_are_no_backups(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(BadBackup, match="not a backup"):
        check_backup(path)


def test_every_damage_of_the_file_is_noticed(backup: Path) -> None:
    data = backup.read_bytes()
    assert check_backup(backup).problems == ()
    places = range(12, len(data), max(1, len(data) // 60))
    for place in places:
        damaged = bytearray(data)
        damaged[place] ^= 4
        backup.write_bytes(damaged)
        with pytest.raises(BadBackup):
            check_backup(backup)
        backup.write_bytes(data[:place])
        with pytest.raises(BadBackup):
            check_backup(backup)


def test_lines_that_are_missing_or_swapped_are_noticed(backup: Path) -> None:
    content = gzip.decompress(backup.read_bytes()).splitlines(keepends=True)
    for changed in (content[:-1], [*content[:3], *content[4:]], [*content[:-1], content[-2]]):
        backup.write_bytes(gzip.compress(b"".join(changed)))
        with pytest.raises(BadBackup, match="damaged"):
            check_backup(backup)


# --- damaged games ---------------------------------------------------------------------------

Damage = Callable[[Connection, str], object]


def _changed_record(connection: Connection, game: str) -> object:
    chosen = (records.c.line == game) & (records.c.version == 1)
    return connection.execute(update(records).where(chosen).values(reason="changed"))


def _cut_record(connection: Connection, game: str) -> object:
    chosen = (records.c.line == game) & (records.c.version == 3)
    return connection.execute(update(records).where(chosen).values(version=77))


def _changed_index(connection: Connection, game: str) -> object:
    chosen = (standing.c.line == game) & (standing.c.number == 1)
    return connection.execute(update(standing).where(chosen).values(number=70))


@pytest.mark.parametrize("damage", [_changed_record, _cut_record, _changed_index])
def test_damaged_games_are_restored_only_on_demand(
    target: str, tmp_path: Path, damage: Damage
) -> None:
    source, path = f"sqlite:///{tmp_path}/source.db", tmp_path / "backup"
    game = _play(source)
    games = Games.open(source, QUIET)
    with games.store.database.writing() as connection:
        damage(connection, game)
    summary = back_up(games.store.database, path)
    games.close()
    assert bool(summary.problems) == (damage is not _changed_index)
    _refused(path, target)
    restored = restore(target, path, overwrite=True, accept_damaged=True)
    assert restored.problems
    games = Games.open(target, QUIET)
    assert not games.verify(game).sound
    games.close()


def test_a_restore_that_fails_changes_nothing(
    target: str, backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the machine stops")

    before = _content(target)
    monkeypatch.setattr("carril.service.backups._verify_all", fail)
    with pytest.raises(RuntimeError):
        restore(target, backup, overwrite=True)
    assert _content(target) == before


def test_a_file_that_is_no_database(tmp_path: Path, backup: Path) -> None:
    file = tmp_path / "text.db"
    file.write_text("no database" * 100)
    with pytest.raises(Exception, match="not a database"):
        restore(f"sqlite:///{file}", backup, overwrite=True)
    assert file.read_text().startswith("no database")


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
    _play(database)
    monkeypatch.setitem(metadata.tables["remarks"].info, TRANSIENT, True)
    _back_up(database, tmp_path / "backup")
    assert "remarks" not in check_backup(tmp_path / "backup").rows
    restore(database, tmp_path / "backup", overwrite=True)
    assert _content(database)["remarks"] == []
