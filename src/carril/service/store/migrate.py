"""Database migrations, which are part of the package and run when the service starts."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, inspect, text

from carril.engine.refusals import BadSetup

_LOCK = threading.Lock()
_POSTGRES_LOCK = 0x18CA11


def wait_for_others(connection: Connection) -> None:
    """Wait on PostgreSQL until no other process migrates."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL lock_timeout = '60s'"))
        wait = text("SELECT pg_advisory_xact_lock(:key)")
        connection.execute(wait, {"key": _POSTGRES_LOCK})


def revisions() -> list[str]:
    """Return all revisions of the tables, oldest first, by the names of the migrations."""
    folder = Path(__file__).parent / "migrations" / "versions"
    return sorted(path.name[1:5] for path in folder.glob("v[0-9]*.py"))


def _is_current(engine: Engine) -> bool:
    """Return whether no migration is missing, without loading Alembic."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars()
        return list(found) == revisions()[-1:]


def migrate(engine: Engine, to: str = "head") -> None:
    """Run the missing migrations in one process while the others wait."""
    if to == "head" and _is_current(engine):
        return
    with _LOCK, engine.connect() as connection:
        connection.info["writing"] = True
        try:
            with connection.begin():
                wait_for_others(connection)
                upgrade(connection, to)
        finally:
            connection.info.pop("writing", None)


def upgrade(connection: Connection, to: str = "head") -> None:
    """Run the missing migrations in a transaction that has begun.

    Raise BadSetup if a newer version has already changed the tables.
    """
    # Imported here because it takes long, and is needed for new versions only.
    from alembic.config import Config
    from alembic.runtime.environment import EnvironmentContext
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", "carril.service.store:migrations")
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)

    def steps(revision: Any, _: Any) -> Any:
        return script._upgrade_revs(to, revision)

    with EnvironmentContext(config, script, fn=steps) as environment:
        environment.configure(connection=connection, render_as_batch=True)
        try:
            environment.run_migrations()
        except CommandError:
            raise BadSetup("the database was used by a newer version of Carril") from None
