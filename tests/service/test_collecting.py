"""Garbage collection between requests."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from carril.service.collecting import PAUSE, THOROUGH, Collector


class Knot:
    """An object that refers to itself, so that only a collection frees it."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def collector() -> Iterator[Collector]:
    before = gc.get_threshold()
    gc.disable()
    yield Collector(0.0)
    gc.enable()
    gc.set_threshold(*before)
    gc.unfreeze()


def test_new_garbage_is_collected_when_it_is_time(collector: Collector) -> None:
    seen = weakref.ref(Knot())
    collector.tick(PAUSE - 1)
    assert seen() is not None
    collector.tick(PAUSE)
    assert seen() is None


def test_what_survives_is_not_looked_at_again_until_everything_is(collector: Collector) -> None:
    knot = Knot()
    collector.tick(PAUSE)
    seen = weakref.ref(knot)
    del knot
    collector.tick(2 * PAUSE)
    assert seen() is not None, "it is frozen"
    collector.tick(THOROUGH)
    assert seen() is None
