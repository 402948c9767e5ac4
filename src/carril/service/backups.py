"""Backing up a database while it is in use, and restoring a backup into any database."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import groupby, islice
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Engine, Table, column, func, insert, inspect, select, table, text
from sqlalchemy.exc import SQLAlchemyError

from carril.engine.refusals import BadSetup
from carril.service.backup_file import (
    FORMAT,
    KINDS,
    VERSION,
    BackupReader,
    BackupWriter,
    BadBackup,
    Header,
    compressed,
    kind_of,
)
from carril.service.chain_check import ChainCheck
from carril.service.store.database import Database, open_engine
from carril.service.store.journal import now
from carril.service.store.migrate import revisions, upgrade, wait_for_others
from carril.service.store.notices import hooks, notices, pushes, service_keys
from carril.service.store.tables import games, metadata, records, users
from carril.service.verifying import verify_lines

TRANSIENT = "transient"
"""The mark (in `Table.info`) of tables whose rows soon lose their meaning; they are left out."""
_REGISTERED = (hooks, notices, pushes, service_keys)  # importing them makes them known
_CHUNK = 500
"""Rows that are read or inserted at once."""


class Summary(Struct, frozen=True):
    """What a backup contains, and what is wrong with its hash chains."""

    rows: dict[str, int]
    problems: tuple[str, ...]


# --- backing up ------------------------------------------------------------------------------


def back_up(database: Database, path: Path, *, overwrite: bool = False) -> Summary:
    """Write all tables, as they are at one moment, to a file that only its owner can read.

    Damaged records are part of the backup; the summary names them. The file appears once it is
    complete.
    """
    if path.exists() and not overwrite:
        raise BadSetup(f"{path} already exists; --overwrite replaces it")
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            summary = _write_tables(database, file)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return summary


def _write_tables(database: Database, file: IO[bytes]) -> Summary:
    check = ChainCheck()
    with database.reading() as connection, compressed(file) as content:
        writer = BackupWriter(content, _header())
        for each in _kept_tables():
            order = (each.c.line, each.c.version) if each is records else each.primary_key.columns
            query = select(*each.columns).order_by(*order)
            for row in connection.execute(query.execution_options(yield_per=_CHUNK)):
                writer.add(str(each.name), list(row))
                check.add(each.name, row._asdict())
        writer.finish()
    return Summary(writer.rows, check.problems())


def _kept_tables() -> list[Table]:
    """Return the tables that are backed up, in an order in which rows can be inserted."""
    return [each for each in metadata.sorted_tables if not each.info.get(TRANSIENT)]


def _header() -> Header:
    described = {
        str(each.name): {str(one.name): kind_of(one.type) for one in each.columns}
        for each in _kept_tables()
    }
    return Header(FORMAT, VERSION, revisions()[-1], now(), described)


# --- restoring -------------------------------------------------------------------------------


def check_backup(path: Path) -> Summary:
    """Read a whole backup and check its hash chains; raise BadBackup if the file is damaged."""
    reader = BackupReader(path)
    if reader.header.revision not in revisions():
        raise BadBackup(f"{path}: it was written by a newer version of Carril")
    check = ChainCheck()
    rows = dict.fromkeys(reader.header.tables, 0)
    for name, row in reader.rows():
        rows[name] += 1
        try:
            check.add(name, row)
        except (KeyError, msgspec.ValidationError) as error:
            raise BadBackup(f"{path}: it is damaged: {name}: {error}") from None
    return Summary(rows, check.problems())


def restore(
    url: str, path: Path, *, overwrite: bool = False, accept_damaged: bool = False
) -> Summary:
    """Replace the content of a database by a backup, all or nothing.

    The hash chains are checked in the file, and again in the database before anything is committed.
    """
    summary = check_backup(path)
    _refuse_damaged(path, summary.problems, accept_damaged)
    engine = open_engine(url)
    try:
        check_unused(engine)
        with _transaction(engine) as connection:
            _clear(connection, overwrite)
            _fill(connection, BackupReader(path))
            problems = _verify_all(connection)
            _refuse_damaged(path, problems, accept_damaged)
    finally:
        engine.dispose()
    return Summary(summary.rows, problems)


def move(source: str, target: str, *, overwrite: bool = False) -> Summary:
    """Copy everything into another database; neither may be in use."""
    engine = open_engine(source)
    check_unused(engine)
    engine.dispose()
    with TemporaryDirectory(prefix="carril-") as folder:
        path = Path(folder) / "backup"
        database = Database(source)
        try:
            back_up(database, path)
        finally:
            database.close()
        return restore(target, path, overwrite=overwrite)


def _refuse_damaged(path: Path, problems: tuple[str, ...], accept: bool) -> None:
    if problems and not accept:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise BadBackup(f"{path}: {problems[0]}{more}; --accept-damaged restores it as it is")


def check_unused(engine: Engine) -> None:
    """Raise BadSetup if other programs have a database open.

    PostgreSQL lists a connection for a moment after its program has ended, so it is asked again.
    """
    end = time.monotonic() + _PATIENCE
    while _is_used(engine):
        if time.monotonic() > end:
            raise BadSetup("the database is in use; stop the service first")
        time.sleep(0.1)


def _is_used(engine: Engine) -> bool:
    if engine.dialect.name != "postgresql":
        return _is_open(str(engine.url.database))
    with engine.connect() as connection:
        return bool(connection.execute(_OTHERS).scalar_one())


_PATIENCE = 3.0
"""Seconds in which connections of programs that have ended may disappear."""


_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def _is_open(file: str) -> bool:
    """Return whether other programs have an SQLite file open, by leaving WAL mode for a moment."""
    with closing(sqlite3.connect(file, timeout=0.2)) as connection:
        try:
            mode: str = connection.execute("PRAGMA journal_mode=DELETE").fetchone()[0]
            return mode != "delete"
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            return True


@contextmanager
def _transaction(engine: Engine) -> Iterator[Connection]:
    """Open one write transaction for all changes, of the tables themselves as well."""
    with engine.connect() as connection:
        connection.info["writing"] = True
        with connection.begin():
            wait_for_others(connection)
            yield connection


def _clear(connection: Connection, overwrite: bool) -> None:
    """Drop all tables; raise BadSetup if there is something in them, unless told to overwrite."""
    known = inspect(connection).get_table_names()
    counts = [
        connection.execute(select(func.count()).select_from(table(each.name))).scalar_one()
        for each in (users, games)
        if each.name in known
    ]
    if any(counts) and not overwrite:
        raise BadSetup(
            f"the database already contains {counts[0]} users and {counts[1]} games;"
            " --overwrite replaces them"
        )
    metadata.drop_all(connection)
    connection.execute(text("DROP TABLE IF EXISTS alembic_version"))


def _fill(connection: Connection, reader: BackupReader) -> None:
    """Create the tables of a backup, insert its rows, and bring the tables up to date."""
    upgrade(connection, reader.header.revision)
    try:
        for name, rows in groupby(reader.rows(), key=itemgetter(0)):
            kinds = reader.header.tables[name].items()
            target = table(name, *(column(one, KINDS[kind][0]()) for one, kind in kinds))
            for chunk in _chunks(values for _, values in rows):
                connection.execute(insert(target), chunk)
    except SQLAlchemyError as error:
        reason = str(error).splitlines()[0]
        raise BadBackup(f"the backup cannot be restored: {reason}") from None
    upgrade(connection)
    if connection.dialect.name == "postgresql":
        _set_sequences(connection)


def _chunks(rows: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    remaining = iter(rows)
    while chunk := list(islice(remaining, _CHUNK)):
        yield chunk


def _set_sequences(connection: Connection) -> None:
    """Let new rows continue after the ids that were inserted."""
    for each in metadata.sorted_tables:
        if (counted := each.autoincrement_column) is not None:
            sequence = func.pg_get_serial_sequence(each.name, counted.name)
            following = func.coalesce(func.max(counted), 0) + 1
            connection.execute(select(func.setval(sequence, following, False)))


def _verify_all(connection: Connection) -> tuple[str, ...]:
    """Return what is wrong with the hash chains and the index of all games."""
    known = connection.execute(select(games.c.id).order_by(games.c.id)).scalars().all()
    return tuple(
        problem
        for game in known
        for problem in verify_lines(connection, game, replay=False).problems
    )
