"""Long work in worker processes: route searches, imports, bots, verification, analysis.

A *job* is a function of a module and its arguments. It is queued for a user and a table, carried
out by one of a few worker processes, and shared by everybody who asks for the same:

>>> from carril.service.jobs import Pool
>>> pool = Pool(processes=1)
>>> pool.run(divmod, 7, 2, user="ana", table="1")
(3, 1)
>>> pool.close()

`queue` decides whose job is next, `job` knows who is waiting for it, `pool` attends to the workers,
and `worker` is what runs in them. `searches` lets a web process ask for the best run without
searching itself, and `tasks` has the functions of the service that run in workers.
"""

from carril.service.jobs.job import Job, JobFailed, Ticket
from carril.service.jobs.pool import Limits, Pool

__all__ = ["Job", "JobFailed", "Limits", "Pool", "Ticket"]
