"""What the commands that work on a database share: naming it, opening it, errors in one line."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from carril.engine.refusals import BadSetup
from carril.service.configuration import FILE, load_settings
from carril.service.errors import ServiceError
from carril.service.game_store import GameStore
from carril.service.settings import Settings

TheDatabase = Annotated[
    str | None,
    typer.Option(
        "--database", help="The database, as for `carril serve`. [CARRIL_DATABASE]", metavar="NAME"
    ),
]
TheConfig = Annotated[
    str | None, typer.Option("--config", help="A TOML file with settings. [CARRIL_CONFIG]")
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace what is there, which is then lost.")
]


def settings_for(database: str | None, config: str | None) -> Settings:
    """Return the settings of the service that uses a database."""
    return load_settings({"database": database, FILE: config}, os.environ)


def check_file_exists(url: str) -> None:
    """Raise BadSetup if there is no such SQLite file; opening it would make an empty one."""
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(parsed.database or "").is_file():
        raise BadSetup(f"there is no database {parsed.database or url}")


@contextmanager
def database_errors() -> Iterator[None]:
    """Turn errors of a database into errors in one line."""
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, ModuleNotFoundError) as error:
        reason = str(error).splitlines()[0]
        raise BadSetup(f"cannot open the database: {reason}") from None


@contextmanager
def open_store(database: str | None, config: str | None) -> Iterator[GameStore]:
    """Open the database of a service, which may be running; turn errors into one line."""
    with database_errors():
        settings = settings_for(database, config)
        check_file_exists(settings.url)
        store = GameStore(settings.url, settings.stored_positions)
        try:
            yield store
        except ServiceError as error:
            raise BadSetup(error.message) from None
        finally:
            store.database.close()
