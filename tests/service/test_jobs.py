"""The pool of worker processes: limits, equal questions, cancellation, workers that die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from carril.service.errors import Busy, NotFound, TooMany
from carril.service.jobs import JobFailed, Limits, Pool
from carril.service.jobs.queue import FairQueue
from tests.service.table import until


def pause(file: str) -> int:
    """Write down who works, then work for ever."""
    Path(file).write_text(str(os.getpid()))
    time.sleep(600)
    return 0


def fill_memory(megabytes: int) -> int:
    """Use much memory."""
    return len(bytearray(megabytes << 20))


def note(file: str, wait: float) -> int:
    """Write a line, and return how many there are."""
    time.sleep(wait)
    with Path(file).open("a", encoding="utf-8") as lines:
        lines.write("x\n")
    return len(Path(file).read_text().splitlines())


def refuse() -> None:
    """Raise an error of the service."""
    raise NotFound("There is no such thing.", {"thing": "x"})


class _Odd(Exception):
    def __init__(self, one: int, two: int) -> None:
        super().__init__(f"{one} and {two}")


def fail_oddly() -> None:
    """Raise an error that cannot be sent to another process."""
    raise _Odd(1, 2)


MakePool = Callable[..., Pool]


@pytest.fixture
def make_pool() -> Iterator[MakePool]:
    made: list[Pool] = []

    def make(processes: int = 1, **limits: Any) -> Pool:
        made.append(Pool(processes, Limits(**limits)))
        return made[-1]

    yield make
    for pool in made:
        pool.close()


def reason(error: pytest.ExceptionInfo[JobFailed]) -> str:
    return str(error.value.facts["reason"])


def worker_of(file: Path) -> int:
    """Return the id of the process that works on `pause`."""
    until(lambda: file.exists() and bool(file.read_text()), 60)
    return int(file.read_text())


def test_results_and_errors_come_back(make_pool: MakePool) -> None:
    pool = make_pool()
    assert pool.run(divmod, 7, 2) == (3, 1)
    with pytest.raises(NotFound) as refused:
        pool.run(refuse)
    assert refused.value.facts == {"thing": "x"}
    with pytest.raises(RuntimeError, match="_Odd: 1 and 2"):
        pool.run(fail_oddly)
    assert pool.run(divmod, 9, 2) == (4, 1)
    assert pool.counts["started"] == 1


def test_a_job_that_takes_too_long_is_ended(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool(seconds=0.5)
    with pytest.raises(JobFailed) as failed:
        pool.run(pause, str(tmp_path / "who"))
    assert reason(failed) == "time"
    assert pool.run(divmod, 7, 2) == (3, 1)
    assert pool.counts["started"] == 2


def test_a_job_that_needs_too_much_memory_is_ended(make_pool: MakePool) -> None:
    pool = make_pool(megabytes=1500)
    assert pool.run(fill_memory, 100) == 100 << 20
    with pytest.raises(JobFailed) as failed:
        pool.run(fill_memory, 4000)
    assert reason(failed) == "memory"
    assert pool.run(divmod, 7, 2) == (3, 1)


def test_a_worker_that_is_killed_is_replaced(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool()
    with pool.submit(pause, str(tmp_path / "who")) as ticket:
        os.kill(worker_of(tmp_path / "who"), signal.SIGKILL)
        with pytest.raises(JobFailed) as failed:
            ticket.result(60)
    assert reason(failed) == "died"
    assert pool.run(divmod, 7, 2) == (3, 1)


def test_equal_questions_are_worked_out_once(make_pool: MakePool, tmp_path: Path) -> None:
    pool, file = make_pool(2), str(tmp_path / "lines")
    tickets = [
        pool.submit(note, file, 0.5, key="the same", user=user) for user in ("ana", "ben", "cleo")
    ]
    assert [ticket.result(60) for ticket in tickets] == [1, 1, 1]
    assert pool.counts["shared"] == 2
    assert pool.run(note, file, 0, key="the same") == 2  # the first one has ended


def test_a_job_that_nobody_waits_for_is_cancelled(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool()
    one = pool.submit(pause, str(tmp_path / "who"), key="long")
    other = pool.submit(pause, str(tmp_path / "who"), key="long")
    queued = pool.submit(note, str(tmp_path / "lines"), 0)
    process = worker_of(tmp_path / "who")
    one.close()
    queued.close()
    assert not one.job.finished.wait(0.6)  # somebody else still waits
    other.close()
    assert one.job.finished.wait(60)
    with pytest.raises(JobFailed) as failed:
        one.job.result()
    assert reason(failed) == "cancelled"
    until(lambda: not _runs(process), 60)
    assert pool.run(divmod, 7, 2) == (3, 1)
    assert not (tmp_path / "lines").exists()


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_users_and_their_tables_take_turns() -> None:
    queue: FairQueue[str] = FairQueue()
    for number in range(3):
        queue.put(f"ana 1.{number}", "ana", "1")
    queue.put("ana 2.0", "ana", "2")
    queue.put("ben 1.0", "ben", "1")
    order = [queue.take() for _ in range(len(queue))]
    assert order == ["ana 1.0", "ben 1.0", "ana 2.0", "ana 1.1", "ana 1.2"]


def test_the_queues_are_limited(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool(queued=3, queued_by_user=2)
    busy = pool.submit(pause, str(tmp_path / "who"), user="ana")
    worker_of(tmp_path / "who")
    held = [pool.submit(divmod, 7, number, user="ana") for number in (2, 3)]
    with pytest.raises(TooMany):
        pool.submit(divmod, 7, 4, user="ana")
    held.append(pool.submit(divmod, 7, 4, user="ben"))
    with pytest.raises(Busy):
        pool.submit(divmod, 7, 4, user="cleo")
    busy.close()
    assert [ticket.result(60) for ticket in held] == [(3, 1), (2, 1), (1, 3)]


def test_jobs_end_with_the_pool(make_pool: MakePool, tmp_path: Path) -> None:
    pool = make_pool()
    ticket = pool.submit(pause, str(tmp_path / "who"))
    process = worker_of(tmp_path / "who")
    pool.close()
    with pytest.raises(JobFailed) as failed:
        ticket.result(1)
    assert reason(failed) == "closed"
    until(lambda: not _runs(process), 60)
    with pytest.raises(JobFailed):
        pool.submit(divmod, 7, 2)
