"""Starting the service: `carril serve`."""

from __future__ import annotations

import gc
import importlib
import importlib.util
import logging
from collections.abc import Callable
from typing import Any

import uvicorn
from fastapi import FastAPI

from carril.service.app import make_api
from carril.service.settings import Settings

_PAGE = "carril.page.app"


def serve(
    host: str = "127.0.0.1",
    port: int = 8018,
    database: str = "carril.db",
    *,
    api_only: bool = False,
    on_start: Callable[[str], None] | None = None,
    **more: Any,
) -> None:
    """Serve the web table until interrupted; `more` are further fields of `Settings`.

    `on_start` is called with the address when the service answers. Port 0 takes any free one.
    """
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("alembic").setLevel(logging.WARNING)
    settings = Settings(database=database, **more)
    app = make_api(settings) if api_only else make_whole(settings)
    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", timeout_graceful_shutdown=3
    )
    _Server(config, on_start).run()


def make_whole(settings: Settings) -> FastAPI:
    """Return the application with its pages, or the API alone where there are no pages."""
    if importlib.util.find_spec("carril.page") is None:
        return make_api(settings)
    make_app: Callable[[Settings], FastAPI] = importlib.import_module(_PAGE).make_app
    return make_app(settings)


class _Server(uvicorn.Server):
    """A server that says when it answers, and where."""

    def __init__(self, config: uvicorn.Config, on_start: Callable[[str], None] | None) -> None:
        super().__init__(config)
        self._on_start = on_start

    async def startup(self, *args: Any, **kwargs: Any) -> None:
        # What is there now stays: no later search for garbage, in the middle of somebody's
        # request, need look at it again.
        gc.collect()
        gc.freeze()
        await super().startup(*args, **kwargs)
        if self._on_start and self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._on_start(f"http://{host}:{port}")
