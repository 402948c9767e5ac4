"""Several processes that answer requests on one address; a process that dies is replaced."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

_log = logging.getLogger("carril.service.workers")
_BACKLOG = 2048
_LOOK = 0.2
_PAUSE = 1.0
"""Seconds before a process that has died is replaced."""
_GRACE = 15.0
"""Seconds in which processes must end."""

Serve = Callable[[int, socket.socket, Callable[[str], None]], None]
"""Serves requests on a socket: gets the number of the process, and what to call once it answers."""


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; the processes inherit it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    bound.bind((host, port))
    bound.listen(_BACKLOG)
    bound.set_inheritable(True)
    return bound


class Workers:
    """Processes that serve one socket."""

    def __init__(self, count: int, serve: Serve, bound: socket.socket) -> None:
        """Prepare a number of processes; `serve` must be picklable."""
        self._context = multiprocessing.get_context("spawn")
        self._serve = serve
        self._bound = bound
        self._ready = self._context.Event()
        self._processes: list[Any] = [None] * count
        self._stopping = threading.Event()

    def run(self, on_start: Callable[[str], None]) -> None:
        """Run the processes until this one is asked to stop; call `on_start` with the address."""
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self._stopping.set())
        announced = False
        while not self._stopping.is_set():
            self._replace_dead()
            if not announced and self._ready.is_set():
                announced = True
                host, port = self._bound.getsockname()[:2]
                on_start(f"http://{host}:{port}")
            self._stopping.wait(_LOOK)
        self._stop()

    def _replace_dead(self) -> None:
        for number, process in enumerate(self._processes):
            if process is not None and process.is_alive():
                continue
            if process is not None:
                _log.error("process %d ended with %s", process.pid, process.exitcode)
                time.sleep(_PAUSE)
            args = (self._serve, number, self._bound, self._ready)
            made = self._context.Process(target=_work, args=args, name=f"carril {number}")
            made.start()
            self._processes[number] = made

    def _stop(self) -> None:
        """Let all processes finish their requests; kill those that take too long."""
        running = [process for process in self._processes if process is not None]
        for process in running:
            process.terminate()
        end = time.monotonic() + _GRACE
        for process in running:
            process.join(timeout=max(0.0, end - time.monotonic()))
            if process.is_alive():
                process.kill()


def _work(serve: Serve, number: int, bound: socket.socket, ready: Any) -> None:
    """Serve requests in this process, until it or the process that started it ends."""
    threading.Thread(target=_end_with_parent, daemon=True).start()
    serve(number, bound, lambda _: ready.set())


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os.kill(os.getpid(), signal.SIGTERM)
