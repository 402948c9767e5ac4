"""Searches for the best run, asked for by a web process and carried out by workers.

The compiled search holds the interpreter lock, so that a long one would stop every other request
of the process. While a request is answered, the engine therefore uses a `PoolSolver`: it searches
with a small budget of nodes, a few milliseconds, one request after the other, and leaves what is
not proven then to a worker. For somebody whose searches are waiting it does not search at all.
The engine gets no answer but the exception `SearchPending`; `patiently` waits for the worker
without occupying a thread and tries again, and pages show that the best run will follow.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from threading import Lock
from typing import Any, TypeVar

from fastapi.concurrency import run_in_threadpool
from msgspec import Struct

from carril import routes
from carril.engine.cache import Cache
from carril.engine.runs import Answer, Run, RunProblem
from carril.routes.bounds.trivial import trivial_bound
from carril.service.asking import asking
from carril.service.errors import ServiceError
from carril.service.jobs.job import Job
from carril.service.jobs.pool import Pool
from carril.service.jobs.waiting import wait_for

T = TypeVar("T")

AT_ONCE = 1000
"""Nodes of a search in the web process: about ten milliseconds."""
PATIENCE = 25.0
"""Seconds that a request waits for searches."""
_TURN = 0.02
"""Seconds that a thread waits for its turn to search; then it leaves the search to a worker."""
_RETURN = 10.0
"""Seconds for which a search goes on after a request that did not wait for it."""
_SINGLE, _BOTH, _PAYMENTS = "solve", "solve_both", "solve_payments"


class SearchPending(ServiceError):
    """A search that is not finished yet; `value` and `bound` are what is known so far."""

    status = 503
    code = "searching"

    def __init__(self, job: Job, answer: Answer) -> None:
        """Report what a short search has found."""
        facts = {"value": answer.value, "bound": answer.bound}
        super().__init__("The best run is still being searched. Please try again soon.", facts)
        self.job = job


class _Asked(Struct, frozen=True):
    """A search that was left to a worker, and what was known before."""

    job: Job
    known: Answer


class PoolSolver:
    """A solver for `carril.engine.runs.using` that leaves long searches to a pool."""

    def __init__(self, pool: Pool) -> None:
        """Use the workers of a pool."""
        self._pool = pool
        self._asked: Cache[_Asked] = Cache(256)
        self._searching = Lock()

    def solve(
        self,
        problem: RunProblem,
        budget: int | None = None,
        count: int = 1,
        payable: bool = False,
        known: Run | None = None,
        ties: bool = False,
    ) -> Answer:
        """Return the best runs, or raise SearchPending."""
        key = (_SINGLE, problem, budget, count, payable, ties)
        found = self._earlier(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        args = (problem, budget, count, payable, known, ties)
        with self._turn_to_search() as mine:
            tried = (
                routes.solve(problem, _at_once(budget), count, payable, known, ties)
                if mine
                else _unsearched(problem, payable)
            )
        if _complete(tried, budget):
            return tried
        raise self._ask(key, routes.solve, args, tried)

    def solve_both(self, problem: RunProblem, budget: int | None = None) -> tuple[Answer, Answer]:
        """Return the runs with the greatest total and payable part, or raise SearchPending."""
        found = self._earlier((_BOTH, problem, budget))
        if found is not None:
            return found  # type: ignore[no-any-return]
        with self._turn_to_search() as mine:
            tried = (
                routes.solve_both(problem, _at_once(budget))
                if mine
                else (_unsearched(problem, False),) * 2
            )
        unproven = next((one for one in tried if not _complete(one, budget)), None)
        if unproven is None:
            return tried
        raise self._ask((_BOTH, problem, budget), routes.solve_both, (problem, budget), unproven)

    def solve_payments(
        self, problem: RunProblem, budget: int | None = None, least: int = 0
    ) -> tuple[Answer, ...]:
        """Return the best run for each payment that is worth it, or raise SearchPending."""
        key, args = (_PAYMENTS, problem, budget, least), (problem, budget, least)
        found = self._earlier(key)
        if found is not None:
            return found  # type: ignore[no-any-return]
        with self._turn_to_search() as mine:
            tried = (
                routes.solve_payments(problem, _at_once(budget), least)
                if mine
                else (_unsearched(problem, False),)
            )
        unproven = next((one for one in tried if not _complete(one, budget)), None)
        if unproven is None:
            return tried
        raise self._ask(key, routes.solve_payments, args, unproven)

    @contextmanager
    def _turn_to_search(self) -> Iterator[bool]:
        """Yield whether this thread may search; many at once would stop the others together."""
        patient = not self._pool.waiting(asking().user)
        mine = patient and self._searching.acquire(timeout=_TURN)
        try:
            yield mine
        finally:
            if mine:
                self._searching.release()

    def _earlier(self, key: Hashable) -> Any:
        """Return the result of a search that a worker has finished, or None."""
        asked = self._asked.find(key)
        if asked is None or (asked.job.failed and not asked.job.wanted):
            return None
        if asked.job.finished.is_set():
            return asked.job.result()
        asked.job.keep(_RETURN)
        raise SearchPending(asked.job, asked.known)

    def _ask(
        self, key: Hashable, search: Callable[..., Any], args: tuple[Any, ...], known: Answer
    ) -> SearchPending:
        who = asking()
        with self._pool.submit(search, *args, key=key, user=who.user, table=who.table) as ticket:
            ticket.job.keep(_RETURN)
        self._asked.put(key, _Asked(ticket.job, known))
        return SearchPending(ticket.job, known)


def _at_once(budget: int | None) -> int:
    return AT_ONCE if budget is None else min(budget, AT_ONCE)


def _unsearched(problem: RunProblem, payable: bool) -> Answer:
    """Return what is known without a search."""
    return Answer((), 0, trivial_bound(problem, payable), False, 0, 0, 0)


def _complete(answer: Answer, budget: int | None) -> bool:
    """Return whether a longer search would give the same answer."""
    return bool(answer.runs) and (answer.optimal or (budget is not None and budget <= AT_ONCE))


async def finish(work: Callable[[], T], patience: float = PATIENCE) -> T:
    """Call a function in a thread, again and again until no search is pending; return its result.

    The function must change nothing before its searches are finished. Raise SearchPending if the
    searches take too long or the sender of the request has left.
    """
    end = time.monotonic() + patience
    while True:
        try:
            return await run_in_threadpool(work)
        except SearchPending as pending:
            if not await wait_for(pending.job, end - time.monotonic()):
                raise


def patiently(endpoint: Callable[..., T]) -> Callable[..., Awaitable[T]]:
    """Return an endpoint that waits for the searches it needs without occupying a thread."""

    @wraps(endpoint)
    async def waiting(*args: Any, **kwargs: Any) -> T:
        return await finish(partial(endpoint, *args, **kwargs))

    return waiting
