"""Running an application with Uvicorn."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI


def run_server(
    app: FastAPI, host: str, port: int, on_start: Callable[[str], None] | None = None
) -> None:
    """Serve an application until interrupted.

    `on_start` is called with the address once the server accepts requests. Port 0 means any free
    port.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=3
    )
    _Server(config, on_start).run()


class _Server(uvicorn.Server):
    """A server that reports its address once it has started."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[str], None] | None) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, *args: Any, **kwargs: Any) -> None:
        # Exclude everything loaded so far from later garbage collections, which would otherwise
        # lengthen requests.
        gc.collect()
        gc.freeze()
        await super().startup(*args, **kwargs)
        if self._on_start and self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._on_start(f"http://{host}:{port}")
