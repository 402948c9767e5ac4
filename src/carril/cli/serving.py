"""`carril serve`: the table in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from carril.cli.common import screen
from carril.service.server import serve as start_service


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port; 0 takes any free one.")] = 8018,
    database: Annotated[
        str, typer.Option(help="A file for SQLite, or the URL of a database.")
    ] = "carril.db",
    api_only: Annotated[bool, typer.Option("--api-only", help="No pages, only JSON.")] = False,
) -> None:
    """Serve the table until it is interrupted."""
    start_service(host, port, database, api_only=api_only, on_start=_tell)


def _tell(address: str) -> None:
    screen().print(f"The table is open at [bold]{address}[/bold]  (Ctrl-C closes it)")
