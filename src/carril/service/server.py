"""Running an application with Uvicorn."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI
from sse_starlette.sse import AppStatus

from carril.service.collecting import Collector
from carril.service.connections import limited_protocol, proxy_list
from carril.service.games import Games
from carril.service.logs import configure_logging
from carril.service.metrics import serve_metrics
from carril.service.settings import Settings

try:
    import resource
except ModuleNotFoundError:  # not on Windows
    resource = None  # type: ignore[assignment]

_OTHER_FILES = 200
"""File descriptors for the database, files and the server itself."""

_SWITCH = 0.0003
"""Seconds after which a thread that renders lets the event loop go on.

The event loop gives way at every system call, so with the usual 5 ms it would wait that long for
each of them, and all requests with it.
"""

_KEEP_ALIVE = 8
"""Seconds that a connection stays open between two requests.

Many clients close theirs after 5 seconds; if the server did so as well, a request that is sent at
this very moment would meet a connection that is closing.
"""


def run_server(
    app: FastAPI,
    host: str,
    port: int,
    on_start: Callable[[str], None] | None = None,
    bound: socket.socket | None = None,
) -> None:
    """Serve an application until interrupted.

    `on_start` is called with the address once the server accepts requests. Port 0 means any free
    port. A socket that is `bound` already is used instead of host and port.
    """
    settings: Settings = app.state.settings
    configure_logging(settings.log_format)
    _allow_connections(settings.connections)
    sys.setswitchinterval(_SWITCH)
    AppStatus.enable_automatic_graceful_drain = False  # the server ends streams itself
    metrics = serve_metrics(app, settings.metrics_port) if settings.metrics_port else None
    _Server(server_config(app, host, port), on_start).run([bound] if bound else None)
    if metrics:
        metrics.server_close()


def server_config(app: FastAPI, host: str, port: int) -> uvicorn.Config:
    """Return the configuration of the server: limits, and whose forwarded addresses it believes."""
    settings: Settings = app.state.settings
    proxies = proxy_list(settings)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        http=limited_protocol(settings),
        ws="none",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=proxies,
        log_level="warning",
        timeout_keep_alive=_KEEP_ALIVE,
        timeout_graceful_shutdown=3,
    )


def _allow_connections(connections: int) -> None:
    """Let this process open a file descriptor for each connection, as far as the system allows."""
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _OTHER_FILES
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class _Server(uvicorn.Server):
    """A server that reports its address once it has started, and answers before it stops."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[str], None] | None) -> None:
        super().__init__(config)
        self._on_start = on_start
        self._state: Any = config.app.state  # type: ignore[union-attr]
        self._games: Games = self._state.games

    async def startup(self, *args: Any, **kwargs: Any) -> None:
        self._collector = Collector(time.monotonic())
        await super().startup(*args, **kwargs)
        if self.started:
            self._games.jobs.warm_up()
        if self._on_start and self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._on_start(f"http://{host}:{port}")
        threading.Thread(target=self._warm_up, name="warm-up", daemon=True).start()

    def _warm_up(self) -> None:
        """Fill caches, which then stay for the life of the process."""
        self._state.warm_up()

    async def on_tick(self, counter: int) -> bool:
        """Collect garbage between requests; this is called ten times a second."""
        self._collector.tick(time.monotonic())
        return await super().on_tick(counter)

    async def shutdown(self, *args: Any, **kwargs: Any) -> None:
        """End streams and jobs, so that all requests are answered, and stop."""
        await asyncio.to_thread(self._games.begin_closing)
        await super().shutdown(*args, **kwargs)
