"""Metrics in the text format of Prometheus, served to this machine on a port of their own."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from fastapi import FastAPI

from carril.service.games import Games
from carril.service.streams import Streams

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Upper limits of response times, in seconds."""
_CONTENT = "text/plain; version=0.0.4; charset=utf-8"
_PATH = "/metrics"

Sample = tuple[str, float]
"""The labels of a figure, as text, and its value."""


class RequestMetrics:
    """Counts requests by method and status, and their response times."""

    def __init__(self) -> None:
        """Start without requests."""
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, int]] = Counter()
        self._times = [0] * (len(BUCKETS) + 1)
        self._seconds = 0.0

    def count(self, method: str, status: int, seconds: float | None) -> None:
        """Count a request; the time of a stream is None."""
        with self._lock:
            self._answers[method, status] += 1
            if seconds is not None:
                self._times[bisect_left(BUCKETS, seconds)] += 1
                self._seconds += seconds

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text format."""
        with self._lock:
            answers, times, seconds = dict(self._answers), list(self._times), self._seconds
        counted = [
            (f'{{method="{method}",status="{status}"}}', float(count))
            for (method, status), count in sorted(answers.items())
        ]
        yield from family("carril_requests_total", "counter", "Requests answered.", counted)
        name = "carril_request_seconds"
        yield from _header(name, "histogram", "Response times, without streams.")
        below = 0
        for limit, count in zip((*map(str, BUCKETS), "+Inf"), times, strict=True):
            below += count
            yield f'{name}_bucket{{le="{limit}"}} {below}'
        yield f"{name}_sum {seconds:.6f}"
        yield f"{name}_count {below}"


def _header(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {name} {about}"
    yield f"# TYPE {name} {kind}"


def family(name: str, kind: str, about: str, samples: Iterable[Sample]) -> Iterator[str]:
    """Yield the lines of one metric.

    >>> print(*family("jobs", "gauge", "Jobs.", [("", 2.0)]), sep="; ")
    # HELP jobs Jobs.; # TYPE jobs gauge; jobs 2
    """
    yield from _header(name, kind, about)
    for labels, value in samples:
        yield f"{name}{labels} {value:g}"


def metrics_text(app: FastAPI) -> str:
    """Return all metrics of a process."""
    games: Games = app.state.games
    streams: Streams = app.state.streams
    jobs, verified = games.jobs, games.verification
    counts = [(f'{{what="{what}"}}', float(n)) for what, n in sorted(jobs.counts.items())]
    single = (
        ("carril_streams", "gauge", "Open streams of live updates.", len(streams)),
        ("carril_jobs_queued", "gauge", "Jobs that wait for a worker process.", jobs.queued),
        ("carril_job_seconds_total", "counter", "Time that jobs have taken.", jobs.seconds),
        ("carril_games_verified_total", "counter", "Games verified.", verified.checked),
        ("carril_games_damaged", "gauge", "Games found damaged.", len(verified.damaged)),
    )
    lines = [
        *app.state.metrics.lines(),
        *family("carril_jobs_total", "counter", "Jobs by what became of them.", counts),
    ]
    for name, kind, about, value in single:
        lines += family(name, kind, about, [("", float(value))])
    return "\n".join(lines) + "\n"


def serve_metrics(app: FastAPI, port: int) -> ThreadingHTTPServer:
    """Serve the metrics of an application at /metrics, on a port of this machine only."""

    class Handler(BaseHTTPRequestHandler):
        """Answers requests for the metrics."""

        def do_GET(self) -> None:
            """Send the metrics."""
            known = self.path == _PATH
            body = metrics_text(app).encode() if known else b""
            self.send_response(200 if known else 404)
            self.send_header("Content-Type", _CONTENT)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server
