"""Playouts in several processes; the results do not depend on how many there are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from multiprocessing import get_context

from carril.bots.search.playout import Interrupted, Job, Playout, play_on
from carril.engine.state import State
from carril.notation.position import decode, encode

LOOK = 0.05
"""Seconds between two looks at whether the search is to stop."""


class Pool:
    """Processes that are started at the first search."""

    def __init__(self, processes: int) -> None:
        """Plan for some processes."""
        self.processes = processes
        self._executor: ProcessPoolExecutor | None = None

    def play(
        self, jobs: Sequence[tuple[State, Job]], stop: Callable[[], bool] | None = None
    ) -> list[Playout]:
        """Play some games on, and return what they led to in the same order."""
        if self._executor is None:
            self._executor = ProcessPoolExecutor(self.processes, get_context("spawn"))
        futures = [self._executor.submit(_played, encode(state), job) for state, job in jobs]
        if stop is not None:
            self._watch(futures, stop)
        return [future.result() for future in futures]

    def _watch(self, futures: list[Future[Playout]], stop: Callable[[], bool]) -> None:
        """Wait until all is done; raise Interrupted if told to stop."""
        left = set(futures)
        while left:
            if stop():
                for future in left:
                    future.cancel()
                raise Interrupted
            left = wait(left, LOOK).not_done

    def close(self) -> None:
        """End the processes."""
        if self._executor is not None:
            self._executor.shutdown(cancel_futures=True)
            self._executor = None


def _played(position: bytes, job: Job) -> Playout:
    import carril  # noqa: F401  (it installs the route solver)

    return play_on(decode(position), job)
