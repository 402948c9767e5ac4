"""The benchmark runs and reports its figures; how fast it was is not judged here."""

from __future__ import annotations

import pytest

from carril.cli.bench_service import serve_benchmark
from carril.service import bench
from carril.service.bench_load import Load, bench_load


def test_the_figures_of_the_service(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SAMPLES", 5)
    monkeypatch.setattr(bench, "WATCHED_ACTIONS", 2)
    figures = bench.bench_service(serve_benchmark, spectators=5)
    assert figures["actions"] > 100
    assert figures["spectators"]["missed"] == 0
    for name in ("page", "page_cpu", "position", "options", "action", "spectators"):
        ranked = [figures[name][key] for key in ("median_ms", "p90_ms", "p99_ms", "max_ms")]
        assert ranked[0] > 0
        assert ranked == sorted(ranked)


def test_the_figures_under_load() -> None:
    found = bench_load(Load(tables=2, watchers=3, seconds=2, think=0.2))
    assert found["refused"] == 0
    assert found["action"]["median_ms"] > 0
    assert found["seen"]["median_ms"] > 0
    assert found["actions_per_second"] > 0
