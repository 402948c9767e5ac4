"""A job: what is to be done, who is waiting for it, and what came of it."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Any

from carril.service.errors import ServiceError


class JobFailed(ServiceError):
    """A job that was not finished: it exceeded a limit, its worker died, or nobody waited for it.

    `facts["reason"]` is "time", "memory", "died", "cancelled" or "closed".
    """

    status = 503
    code = "job-failed"


_SENTENCES = {
    "time": "This took longer than the server allows.",
    "memory": "This needed more memory than the server allows.",
    "died": "The process that worked on this ended unexpectedly. Please try again.",
    "cancelled": "This was cancelled because nobody was waiting for it.",
    "closed": "The server is shutting down. Please try again in a moment.",
}


def failure(reason: str) -> JobFailed:
    """Return the error of a job that was not finished."""
    return JobFailed(_SENTENCES[reason], {"reason": reason})


class Job:
    """A function with its arguments. All methods may be called from any thread."""

    def __init__(self, function: Callable[..., Any], args: tuple[Any, ...], key: Hashable) -> None:
        """Describe a job; equal questions have the same key."""
        self.name = getattr(function, "__name__", str(function))
        self.packed = pickle.dumps((function, args))
        self.key = key
        self.finished = threading.Event()
        self.created = time.monotonic()
        self._result: Any = None
        self._error: BaseException | None = None
        self._lock = threading.Lock()
        self._listeners: list[Callable[[], None]] = []
        self._waiting = 0
        self._wanted_until = 0.0

    @property
    def wanted(self) -> bool:
        """Whether somebody is waiting, or wants to come back for the result."""
        return self._waiting > 0 or time.monotonic() < self._wanted_until

    @property
    def failed(self) -> bool:
        """Whether it has ended with an error."""
        return self._error is not None

    def join(self, count: int) -> None:
        """Count somebody who starts (1) or ceases (-1) to wait."""
        with self._lock:
            self._waiting += count

    def keep(self, seconds: float) -> None:
        """Go on for some time although nobody is waiting."""
        with self._lock:
            self._wanted_until = max(self._wanted_until, time.monotonic() + seconds)

    def finish(self, result: Any = None, error: BaseException | None = None) -> None:
        """Give the result or the error to everybody who waits."""
        with self._lock:
            if self.finished.is_set():
                return
            self._result, self._error = result, error
            self.finished.set()
            listeners, self._listeners = self._listeners, []
        for listener in listeners:
            listener()

    def on_finish(self, listener: Callable[[], None]) -> None:
        """Call a function when the job ends, or now if it has; it must return quickly."""
        with self._lock:
            if not self.finished.is_set():
                self._listeners.append(listener)
                return
        listener()

    def result(self) -> Any:
        """Return the result of a finished job, or raise its error."""
        assert self.finished.is_set()
        if self._error is not None:
            raise self._error
        return self._result


class Ticket:
    """Somebody's interest in a job; a job in which nobody is interested is cancelled."""

    def __init__(self, job: Job) -> None:
        """Wait for a job until `close`."""
        self.job = job
        self._open = True
        job.join(1)

    def result(self, timeout: float | None = None) -> Any:
        """Wait in this thread, then return the result; raise TimeoutError if it takes too long."""
        if not self.job.finished.wait(timeout):
            raise TimeoutError("the job is not finished yet")
        return self.job.result()

    async def wait(self, timeout: float) -> bool:
        """Wait without occupying a thread; return whether the job has ended."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def wake() -> None:
            with suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(ended.set)

        self.job.on_finish(wake)
        try:
            await asyncio.wait_for(ended.wait(), timeout)
        except TimeoutError:
            return self.job.finished.is_set()
        return True

    def close(self) -> None:
        """Cease to wait."""
        if self._open:
            self._open = False
            self.job.join(-1)

    def __enter__(self) -> Ticket:
        """Wait until the end of a `with` statement."""
        return self

    def __exit__(self, *_: object) -> None:
        """Cease to wait."""
        self.close()
