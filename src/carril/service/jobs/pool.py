"""A pool of worker processes, each attended to by a thread."""

from __future__ import annotations

import logging
import multiprocessing
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable
from typing import Any

from msgspec import Struct

from carril.service.errors import Busy, TooMany
from carril.service.jobs.job import Job, Ticket, failure
from carril.service.jobs.queue import FairQueue
from carril.service.jobs.worker import Outcome, work

_log = logging.getLogger("carril.service.jobs")
_LOOK = 0.25
"""Seconds between two looks whether anybody still waits for a job."""
_PRELOADED = "carril.service.jobs.tasks"
_starting = threading.Lock()


class Limits(Struct, frozen=True):
    """What jobs may use."""

    seconds: float = 30.0
    """Time of one job."""
    megabytes: int = 1500
    """Address space of one worker process."""
    queued: int = 500
    """Jobs that may wait."""
    queued_by_user: int = 20
    """Jobs of one user that may wait."""


class Pool:
    """A few worker processes; they start when the first job arrives, and are replaced if they die.

    All methods may be called from any thread.
    """

    def __init__(self, processes: int = 2, limits: Limits | None = None) -> None:
        """Create a pool without starting its processes."""
        self.limits = limits or Limits()
        self.counts: Counter[str] = Counter()
        """How many jobs were asked for ("asked"), "shared" by equal questions, "done", and failed
        by reason; and "started" worker processes."""
        self.seconds = 0.0
        """Time that workers have worked."""
        self._processes = processes
        self._queue: FairQueue[Job] = FairQueue()
        self._jobs: dict[Hashable, Job] = {}
        self._news = threading.Condition()
        self._closing = False
        self._threads: list[threading.Thread] = []

    def submit(
        self,
        function: Callable[..., Any],
        *args: Any,
        key: Hashable = None,
        user: str = "",
        table: str = "",
    ) -> Ticket:
        """Queue a job and return a ticket for its result; close it when you cease to wait.

        `function` must be importable, and arguments and result must be picklable. A question with
        the same key as an unfinished one shares its result. Raise TooMany or Busy if too many
        jobs are waiting.
        """
        with self._news:
            self.counts["asked"] += 1
            known = self._jobs.get(key) if key is not None else None
            if known is not None and not known.finished.is_set():
                self.counts["shared"] += 1
                return Ticket(known)
            self._check_room(user)
            job = Job(function, args, key)
            if key is not None:
                self._jobs[key] = job
            self._queue.put(job, user, table)
            ticket = Ticket(job)
            self._start()
            self._news.notify()
        return ticket

    def run(self, function: Callable[..., Any], *args: Any, **asked: Any) -> Any:
        """Submit a job, wait for it in this thread and return its result."""
        with self.submit(function, *args, **asked) as ticket:
            return ticket.result()

    def warm_up(self) -> None:
        """Start the processes before the first job arrives."""
        with self._news:
            self._start()

    @property
    def queued(self) -> int:
        """The number of jobs that wait for a worker."""
        with self._news:
            return len(self._queue)

    def waiting(self, user: str) -> int:
        """Return the number of jobs of a user that wait for a worker."""
        with self._news:
            return self._queue.waiting(user)

    def close(self) -> None:
        """End all processes; jobs that are not finished fail."""
        with self._news:
            self._closing = True
            while (job := self._queue.take()) is not None:
                self._end(job, failure("closed"))
            self._news.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    # --- in the threads -------------------------------------------------------------------

    def _check_room(self, user: str) -> None:
        if self._closing:
            raise failure("closed")
        if self._queue.waiting(user) >= self.limits.queued_by_user:
            raise TooMany("Too much is being worked out for you. Please try again in a moment.")
        if len(self._queue) >= self.limits.queued:
            raise Busy("The server has too much to work out. Please try again in a moment.")

    def _start(self) -> None:
        while len(self._threads) < self._processes and not self._closing:
            thread = threading.Thread(target=self._attend, name="jobs", daemon=True)
            self._threads.append(thread)
            thread.start()

    def _attend(self) -> None:
        """Give jobs to one worker process, and replace it whenever it ends."""
        worker = self._new_worker()
        while (job := self._next()) is not None:
            if not job.wanted:
                self._end(job, failure("cancelled"))
                continue
            if worker is None or not worker.alive:
                worker = self._new_worker()
            if worker is None:
                self._end(job, failure("died"))
                continue
            begun = time.monotonic()
            kind, value = worker.carry_out(job, self.limits.seconds, lambda: self._closing)
            self.seconds += time.monotonic() - begun
            self._conclude(job, kind, value)
        if worker is not None:
            worker.kill()

    def _new_worker(self) -> _Worker | None:
        if self._closing:
            return None
        self.counts["started"] += 1
        try:
            return _Worker(self.limits)
        except Exception:
            _log.exception("a worker process could not be started")
            return None

    def _next(self) -> Job | None:
        with self._news:
            while not self._closing:
                job = self._queue.take()
                if job is not None:
                    return job
                self._news.wait()
        return None

    def _conclude(self, job: Job, kind: str, value: Any) -> None:
        if kind == "done":
            self.counts["done"] += 1
            self._forget(job)
            job.finish(value)
        elif kind == "error":
            self.counts["error"] += 1
            self._forget(job)
            job.finish(error=value)
        else:
            if value in ("time", "memory", "died"):
                _log.warning("job %s failed: %s", job.name, value)
            self._end(job, failure(value))

    def _end(self, job: Job, error: BaseException) -> None:
        self.counts[getattr(error, "facts", {}).get("reason", "error")] += 1
        self._forget(job)
        job.finish(error=error)

    def _forget(self, job: Job) -> None:
        with self._news:
            if job.key is not None and self._jobs.get(job.key) is job:
                del self._jobs[job.key]


class _Worker:
    """One worker process and the connection to it."""

    def __init__(self, limits: Limits) -> None:
        context = _context()
        self._connection, other = context.Pipe()
        args = (other, limits.megabytes << 20, limits.seconds)
        self._process = context.Process(target=work, args=args, name="carril job", daemon=True)
        with _starting:
            self._process.start()
        other.close()
        self.alive = True
        self._connection.recv()

    def carry_out(self, job: Job, seconds: float, closing: Callable[[], bool]) -> Outcome:
        """Let the process do a job; end the process if that takes too long or nobody waits."""
        end = time.monotonic() + seconds
        try:
            self._connection.send_bytes(job.packed)
            while not self._connection.poll(_LOOK):
                stop = _reason_to_stop(job, end, closing)
                if stop:
                    self.kill()
                    return "limit", stop
            outcome: Outcome = self._connection.recv()
        except (EOFError, OSError):
            self.kill()
            return "limit", "died"
        if outcome == ("limit", "memory"):
            self.kill()  # what it has cached may be incomplete
        return outcome

    def kill(self) -> None:
        """End the process at once."""
        self.alive = False
        self._process.kill()
        self._process.join(timeout=5)
        self._connection.close()


def _reason_to_stop(job: Job, end: float, closing: Callable[[], bool]) -> str:
    """Return why a job must not go on, or ""."""
    if closing():
        return "closed"
    if time.monotonic() > end:
        return "time"
    return "" if job.wanted else "cancelled"


def _context() -> Any:
    """Return how processes are started: forked from a small server that has loaded the modules."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    # A forked process imports the main module of its parent, so that one is loaded as well.
    main = [name for name in ("carril.cli",) if name in sys.modules]
    context.set_forkserver_preload([_PRELOADED, *main])
    return context
