"""Waiting for jobs while a request is answered, without occupying a thread."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from carril.service.asking import asking
from carril.service.jobs.job import Job, Ticket, failure
from carril.service.jobs.pool import Pool

_LOOK = 0.5
"""Seconds between two looks whether the sender of a request is still there."""


async def wait_for(job: Job, seconds: float) -> bool:
    """Wait for a job while the sender of the request is there; return whether it has ended."""
    end = time.monotonic() + seconds
    with Ticket(job) as ticket:
        while (left := end - time.monotonic()) > 0:
            if await ticket.wait(min(_LOOK, left)):
                return True
            if await asking().has_left():
                break
    return job.finished.is_set()


async def call(pool: Pool, function: Callable[..., Any], *args: Any, **asked: Any) -> Any:
    """Submit a job and return its result; it is cancelled if the sender of the request leaves."""
    with pool.submit(function, *args, **asked) as ticket:
        while not await wait_for(ticket.job, pool.limits.seconds):
            if await asking().has_left():
                raise failure("cancelled")
        return ticket.job.result()
