"""Database migrations, which are part of the package and run when the service starts."""

from __future__ import annotations

import threading
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, Engine, text

from carril.engine.refusals import BadSetup

_LOCK = threading.Lock()
_POSTGRES_LOCK = 0x18CA11


def wait_for_others(connection: Connection) -> None:
    """Wait on PostgreSQL until no other process migrates."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = '60s'"))
        wait = text("SELECT pg_advisory_xact_lock(:key)")
        connection.execute(wait, {"key": _POSTGRES_LOCK})


def migrate(engine: Engine, to: str = "head") -> None:
    """Run the missing migrations in one process while the others wait."""
    with _LOCK, engine.connect() as connection:
        connection.info["writing"] = True
        try:
            with connection.begin():
                wait_for_others(connection)
                upgrade(connection, to)
        finally:
            connection.info.pop("writing", None)


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "carril.service.store:migrations")
    config.set_main_option("path_separator", "os")
    return config


def latest_revision() -> str:
    """Return the revision of the tables that this version uses."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


def is_known(revision: str) -> bool:
    """Return whether this version can bring tables of a revision up to date."""
    known = ScriptDirectory.from_config(_config()).walk_revisions()
    return revision in {one.revision for one in known}


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the missing migrations in a transaction that has begun.

    Raise BadSetup if a newer version has already changed the tables.
    """
    config = _config()
    script = ScriptDirectory.from_config(config)

    def steps(revision: Any, _: Any) -> Any:
        return script._upgrade_revs(to, revision)

    with EnvironmentContext(config, script, fn=steps) as environment:
        environment.configure(connection=connection, render_as_batch=True)
        try:
            environment.run_migrations()
        except CommandError:
            raise BadSetup("the database was used by a newer version of Carril") from None
