"""What runs in a worker process: receive a job, carry it out within the limits, send the result."""

from __future__ import annotations

import gc
import os
import pickle
import signal
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

try:
    import resource
except ModuleNotFoundError:  # not on Windows
    resource = None  # type: ignore[assignment]

_GRACE = 5.0
"""Seconds after which an overdue worker ends itself, if the process that started it is gone."""
_NICE = 5
"""How much web processes are preferred by the operating system."""

Outcome = tuple[str, Any]
"""("done", result), ("error", exception) or ("limit", reason)."""


def work(connection: Connection, memory: int, seconds: float) -> None:
    """Carry out jobs until the other end of the connection is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server decides when workers end
    _limit(memory)
    gc.freeze()  # the modules stay for the life of the process
    try:
        connection.send(("ready", os.getpid()))
    except OSError:  # the server has stopped meanwhile
        return
    while True:
        try:
            function, args = connection.recv()
        except (EOFError, OSError):
            return
        _set_alarm(seconds + _GRACE)
        outcome = _carry_out(function, args)
        _set_alarm(0)
        try:
            connection.send_bytes(outcome)
        except (BrokenPipeError, ConnectionError):
            return
        gc.collect()


def _carry_out(function: Callable[..., Any], args: tuple[Any, ...]) -> bytes:
    """Return the pickled outcome of a job."""
    try:
        return pickle.dumps(("done", function(*args)))
    except MemoryError:
        return pickle.dumps(("limit", "memory"))
    except Exception as error:
        return _packed(error)


def _packed(error: Exception) -> bytes:
    """Return an error as an outcome; one that cannot be pickled is described in words."""
    try:
        packed = pickle.dumps(("error", error))
        pickle.loads(packed)
    except Exception:
        described = RuntimeError(f"{type(error).__name__}: {error}")
        return pickle.dumps(("error", described))
    return packed


def _limit(memory: int) -> None:
    """Limit the address space of this process, and let others go first."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = memory if hard == resource.RLIM_INFINITY else min(memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
    if hasattr(os, "nice"):
        os.nice(_NICE)


def _set_alarm(seconds: float) -> None:
    """Let the operating system end this process after some time; 0 for never."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
