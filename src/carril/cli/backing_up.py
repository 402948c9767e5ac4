"""`carril backup`, `carril restore` and `carril move`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from carril.cli.common import DIFFERENT, aside, screen
from carril.cli.databases import (
    Overwrite,
    TheConfig,
    TheDatabase,
    check_file_exists,
    database_errors,
    open_store,
    settings_for,
)
from carril.service import backups
from carril.service.backups import Summary
from carril.service.settings import database_url


def backup(
    file: Annotated[Path, typer.Argument(help="The file to write.")],
    database: TheDatabase = None,
    config: TheConfig = None,
    overwrite: Overwrite = False,
) -> None:
    """Back up a database to a file while the service runs; the exit status is 1 if it is damaged.

    The file contains hashes of passwords and tokens: only its owner can read it.
    """
    with open_store(database, config) as store:
        summary = backups.back_up(store.database, file, overwrite=overwrite)
    _report(f"Backed up to {file}", summary)


def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")],
    database: TheDatabase = None,
    config: TheConfig = None,
    overwrite: Overwrite = False,
    accept_damaged: Annotated[
        bool, typer.Option("--accept-damaged", help="Restore damaged games as they are.")
    ] = False,
) -> None:
    """Restore a backup into a database, SQLite or PostgreSQL, all or nothing.

    The hash chains are checked before and after. The service must not be running.
    """
    with database_errors():
        settings = settings_for(database, config)
        summary = backups.restore(
            settings.url, file, overwrite=overwrite, accept_damaged=accept_damaged
        )
    _report(f"Restored {file}", summary)


def move(
    target: Annotated[str, typer.Argument(help="An SQLite file, or a URL.", metavar="DATABASE")],
    database: TheDatabase = None,
    config: TheConfig = None,
    overwrite: Overwrite = False,
) -> None:
    """Copy everything into another database, for example from SQLite to PostgreSQL.

    The service must not be running. The old database stays as it is.
    """
    with database_errors():
        source = settings_for(database, config).url
        check_file_exists(source)
        summary = backups.move(source, database_url(target), overwrite=overwrite)
    _report("Everything was copied. Start the service with the new database", summary)


def _report(what: str, summary: Summary) -> None:
    rows = summary.rows
    screen().print(
        f"{what}: {rows['users']} users, {rows['games']} games, {rows['records']} records.",
        markup=False,
        soft_wrap=True,
    )
    for problem in summary.problems:
        aside().print(f"damaged: {problem}", markup=False, soft_wrap=True)
    if summary.problems:
        raise typer.Exit(DIFFERENT)
