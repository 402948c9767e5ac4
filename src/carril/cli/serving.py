"""`carril serve`: the web table, composed of the service and its pages.

The options are those of `Settings`. Every one can also be set by an environment variable
(`--bot-pause` by `CARRIL_BOT_PAUSE`) or in a file (`--config FILE`, a line `bot-pause = 1`).
"""

from __future__ import annotations

import inspect
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from fastapi import FastAPI
from msgspec.structs import replace

from carril.cli.common import screen
from carril.cli.databases import database_errors
from carril.page.app import add_pages
from carril.page.shared_parts import SharedParts, shared_folder
from carril.page.watching import Watchers
from carril.service.app import make_api
from carril.service.configuration import FILE, described, load_settings, option, variable
from carril.service.server import run_server
from carril.service.settings import Settings
from carril.service.store.database import Database
from carril.service.workers import Workers, bind


def serve(**options: Any) -> None:
    """Serve the web table until interrupted."""
    settings = load_settings(options, os.environ)
    if settings.workers > 1:
        _serve_workers(settings)
        return
    application = make_application(settings, api_only=settings.api_only)
    run_server(application, settings.host, settings.port, _print_address)


def _serve_workers(settings: Settings) -> None:
    """Serve in several processes; the database is opened first, to report mistakes in one line."""
    with database_errors():
        Database(settings.url).close()
    bound = bind(settings.host, settings.port, settings.workers)
    with shared_folder() as folder:
        serve_one = partial(_serve_worker, settings, folder)
        Workers(serve_one, bound).run(_print_address)


def _serve_worker(
    settings: Settings,
    folder: str,
    number: int,
    bound: socket.socket,
    on_start: Callable[[str], None],
) -> None:
    """Serve in one of several processes, which share rendered parts in a folder."""
    port = settings.metrics_port and settings.metrics_port + number
    settings = replace(settings, metrics_port=port)
    application = make_application(settings, api_only=settings.api_only)
    application.state.watchers = Watchers(others=SharedParts(folder))
    run_server(application, settings.host, settings.port, on_start, bound)


def _parameter(name: str, kind: Any, about: str) -> inspect.Parameter:
    """Return the parameter of an option; values are read by `load_settings`."""
    switch = kind is bool
    declared = f"{option(name)}/--no-{option(name)[2:]}" if switch else option(name)
    shown = f"{about[0].upper()}{about[1:]}. [{variable(name)}]"
    chosen = typer.Option(declared, help=shown, show_default=False)
    annotation = Annotated[bool | None, chosen] if switch else Annotated[str | None, chosen]
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation
    )


def _signature() -> inspect.Signature:
    file = _parameter(FILE, str, "a TOML file with settings")
    found = [_parameter(name, kind, s.about) for name, (kind, s) in described().items()]
    return inspect.Signature([file, *found], return_annotation=None)


serve.__signature__ = _signature()  # type: ignore[attr-defined]
serve.__annotations__ = {
    name: one.annotation
    for name, one in serve.__signature__.parameters.items()  # type: ignore[attr-defined]
}


def make_application(settings: Settings, *, api_only: bool = False) -> FastAPI:
    """Return the application: the service with its API and, unless `api_only`, its pages."""
    with database_errors():
        app = make_api(settings)
    if not api_only:
        add_pages(app)
    return app


def _print_address(address: str) -> None:
    screen().print(f"The table is open at [bold]{address}[/bold] (press Ctrl-C to stop)")
