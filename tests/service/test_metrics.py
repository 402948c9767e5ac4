"""Metrics in the text format of Prometheus, on a port of their own."""

from __future__ import annotations

import httpx
import pytest
from fastapi.testclient import TestClient

from carril.service.app import make_api
from carril.service.metrics import BUCKETS, RequestMetrics, metrics_text, serve_metrics
from carril.service.settings import Settings


def test_requests_are_counted_by_status_and_time() -> None:
    metrics = RequestMetrics()
    metrics.count("GET", 200, 0.001)
    metrics.count("GET", 200, 0.3)
    metrics.count("POST", 422, 99.0)
    metrics.count("GET", 200, None)
    lines = list(metrics.lines())
    assert 'carril_requests_total{method="GET",status="200"} 3' in lines
    assert 'carril_requests_total{method="POST",status="422"} 1' in lines
    assert 'carril_request_seconds_bucket{le="0.005"} 1' in lines
    assert f'carril_request_seconds_bucket{{le="{BUCKETS[-1]}"}} 2' in lines
    assert 'carril_request_seconds_bucket{le="+Inf"} 3' in lines
    assert "carril_request_seconds_count 3" in lines


@pytest.mark.parametrize(("path", "status"), [("/metrics", 200), ("/", 404)])
def test_metrics_have_a_port_of_their_own(path: str, status: int) -> None:
    app = make_api(Settings(database="sqlite://"))
    server = serve_metrics(app, 0)
    client = TestClient(app)
    assert client.get("/metrics").status_code == 404
    assert client.get("/api/health").status_code == 200
    found = httpx.get(f"http://127.0.0.1:{server.server_port}{path}", timeout=20)
    assert found.status_code == status
    if status == 200:
        assert found.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        assert 'carril_requests_total{method="GET",status="404"} 1' in found.text
    server.shutdown()
    server.server_close()
    app.state.games.close()


def test_every_figure_is_described() -> None:
    app = make_api(Settings(database="sqlite://"))
    app.state.games.jobs.run(divmod, 7, 2)
    lines = metrics_text(app).splitlines()
    app.state.games.close()
    assert 'carril_jobs_total{what="done"} 1' in lines
    described = {line.split()[2] for line in lines if line.startswith("# TYPE")}
    for line in (line for line in lines if not line.startswith("#")):
        name = line.split("{")[0].split(" ")[0]
        stem = name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count")
        assert {name, stem} & described
