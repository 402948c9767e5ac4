"""Where the games of a tournament are played: here, in several processes, or on a Ray cluster.

The results do not depend on the place.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from carril.engine.refusals import BadSetup
from carril.lab.arena import Match, Played, play_match

Task = TypeVar("Task")
Result = TypeVar("Result")


def play_here(matches: Iterable[Match], folder: Path | None = None) -> Iterator[Played]:
    """Yield the matches as they are played, one after the other."""
    return (play_match(match, folder) for match in matches)


def play_in_processes(
    matches: Iterable[Match], workers: int, folder: Path | None = None
) -> Iterator[Played]:
    """Yield the matches as they are played, several at once."""
    return in_processes(partial(play_match, folder=folder), matches, workers)


def in_processes(
    work: Callable[[Task], Result], tasks: Iterable[Task], workers: int
) -> Iterator[Result]:
    """Yield the results of a function for all tasks as they come, from several processes."""
    todo = iter(tasks)
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        waiting: set[Future[Result]] = set()
        while True:
            more = islice(todo, 2 * workers - len(waiting))
            waiting |= {pool.submit(work, task) for task in more}
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)


def play_on_ray(
    matches: Iterable[Match], address: str, folder: Path | None = None
) -> Iterator[Played]:
    """Yield the matches as they are played on a cluster; "local" starts one with two workers."""
    ray = _ray()
    here = address == "local"
    ray.init(None if here else address, num_cpus=2 if here else None, log_to_driver=False)
    try:
        task = ray.remote(play_match)
        waiting = [task.remote(match, folder) for match in matches]
        while waiting:
            done, waiting = ray.wait(waiting)
            yield from ray.get(done)
    finally:
        ray.shutdown()


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise BadSetup("--ray needs the package ray: pip install 'carril[lab]'") from None
    return ray
