"""Several processes that answer requests on one address; a process that dies is replaced."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
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


_BALANCED = sys.platform == "linux"
"""Whether the system shares connections out among sockets with the same address.

With one socket for all, the process that is quicker to accept would get most of the connections,
and browsers keep theirs for long.
"""


def bind(host: str, port: int, count: int) -> list[socket.socket]:
    """Return a listening socket for each of some processes, all with the same address.

    They belong to the process that starts the others: what waits for one that has died is answered
    by the one that replaces it. Raise OSError if somebody else uses the address.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with _bound(family, (host, port), shared=False) as alone:
        address = alone.getsockname()
    made = [_bound(family, address, shared=_BALANCED) for _ in range(count if _BALANCED else 1)]
    for one in made:
        one.listen(_BACKLOG)
        one.set_inheritable(True)
    return made if _BALANCED else made * count


def _bound(family: int, address: Any, *, shared: bool) -> socket.socket:
    made = socket.socket(family)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if shared:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    try:
        made.bind(address)
    except OSError:
        made.close()
        raise
    return made


class Workers:
    """Processes that serve one address."""

    def __init__(self, serve: Serve, bound: Sequence[socket.socket]) -> None:
        """Prepare a process for each socket; `serve` must be picklable."""
        self._context = multiprocessing.get_context("spawn")
        self._serve = serve
        self._bound = bound
        self._ready = self._context.Event()
        self._processes: list[Any] = [None] * len(bound)
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
                host, port = self._bound[0].getsockname()[:2]
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
            args = (self._serve, number, self._bound[number], self._ready)
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
