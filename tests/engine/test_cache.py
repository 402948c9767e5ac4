"""The cache: what it keeps, what it drops, and threads that share it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

from carril.engine.cache import Cache


def test_a_value_is_made_once() -> None:
    made = count()
    cache: Cache[int] = Cache(4)
    assert [cache.get("a", lambda: next(made)) for _ in range(3)] == [0, 0, 0]


def test_the_least_recently_used_value_is_dropped() -> None:
    cache: Cache[str] = Cache(2)
    for key in ("a", "b", "a", "c"):
        cache.get(key, lambda key=key: key)  # type: ignore[misc]
    assert ("a" in cache, "b" in cache, "c" in cache) == (True, False, True)
    assert len(cache) == 2


def test_put_replaces_and_finding_keeps_alive() -> None:
    cache: Cache[int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.put("a", 3)
    assert cache.find("a") == 3
    cache.put("c", 4)
    assert (cache.find("a"), cache.find("b")) == (3, None)


def test_owners_are_told_apart_by_identity() -> None:
    cache: Cache[str] = Cache(8)
    one, two = [1], [1]
    assert cache.get("key", lambda: "one", owner=one) == "one"
    assert cache.get("key", lambda: "two", owner=two) == "two"
    assert cache.find("key", owner=one) == "one"
    assert cache.find("key") is None


def test_an_owner_that_nobody_else_holds_keeps_its_identity() -> None:
    """The cache holds its owners, so a new object never gets the identity of a dropped one."""
    cache: Cache[int] = Cache(1000)
    values = [cache.get("key", lambda n=n: n, owner=[n]) for n in range(1000)]  # type: ignore[misc]
    assert values == list(range(1000))


def test_threads_share_a_small_cache_without_errors() -> None:
    cache: Cache[int] = Cache(3)

    def work(seed: int) -> bool:
        keys = [(seed * 7 + n * 5) % 11 for n in range(3000)]
        return all(cache.get(key, lambda key=key: key * key) == key * key for key in keys)  # type: ignore[misc]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(work, range(8)))
    assert len(cache) == 3
