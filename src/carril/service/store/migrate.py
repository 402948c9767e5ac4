"""Database migrations, which are part of the package and run when the service starts."""

from __future__ import annotations

import threading
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

_LOCK = threading.Lock()
_POSTGRES_LOCK = 0x18CA11


def _wait_for_others(connection: Connection) -> None:
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
                _wait_for_others(connection)
                _upgrade(connection, to)
        finally:
            connection.info.pop("writing", None)


def _upgrade(connection: Connection, to: str) -> None:
    config = Config()
    config.set_main_option("script_location", "carril.service.store:migrations")
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)

    def steps(revision: Any, _: Any) -> Any:
        return script._upgrade_revs(to, revision)

    with EnvironmentContext(config, script, fn=steps) as environment:
        environment.configure(connection=connection, render_as_batch=True)
        environment.run_migrations()
