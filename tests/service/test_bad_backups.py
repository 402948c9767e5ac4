"""Backups that are refused: other files, damaged ones, and those of damaged games."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import Connection, update

from carril.service.accounts import Accounts
from carril.service.backup_file import BadBackup, Trailer
from carril.service.backups import back_up, check_backup, restore
from carril.service.games import Games
from carril.service.store.tables import records, standing
from tests.service.filled import QUIET, content, fill
from tests.service.filled import backup as backup

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
    number = next(n for n, line in enumerate(lines) if line.startswith(b'["users"'))
    lines[number] = lines[number].replace(b'"users"', b'"people"')


def _twice(lines: list[bytes]) -> None:
    lines[2] = lines[1]


def _unknown_column(lines: list[bytes]) -> None:
    lines[0] = lines[0].replace(b'"folded"', b'"f\\"olded"')


def _unknown_column_of_records(lines: list[bytes]) -> None:
    lines[0] = lines[0].replace(b'"before"', b'"befora"')


def _empty_record(lines: list[bytes]) -> None:
    at = next(n for n, line in enumerate(lines) if line.startswith(b'["records"'))
    table, values = msgspec.json.decode(lines[at])
    lines[at] = msgspec.json.encode((table, [None for _ in values])) + b"\n"


CHANGES = (
    _unknown_column_of_records,
    _empty_record,
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
    before = content(url)
    with pytest.raises(BadBackup) as refused:
        restore(url, path, overwrite=True)
    assert "\n" not in str(refused.value)
    assert content(url) == before


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


@pytest.mark.parametrize(
    "data", [b"", b"no backup", gzip.compress(b"", mtime=0), gzip.compress(b"{}\n", mtime=0)]
)
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
    game = fill(source)
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

    before = content(target)
    monkeypatch.setattr("carril.service.backups._verify_all", fail)
    with pytest.raises(RuntimeError):
        restore(target, backup, overwrite=True)
    assert content(target) == before


def test_a_file_that_is_no_database(tmp_path: Path, backup: Path) -> None:
    file = tmp_path / "text.db"
    file.write_text("no database" * 100)
    with pytest.raises(Exception, match="not a database"):
        restore(f"sqlite:///{file}", backup, overwrite=True)
    assert file.read_text().startswith("no database")
