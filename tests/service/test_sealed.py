"""Sealed bids, in short; `python -m tests.service.sealed` makes 10,000 of them."""

from __future__ import annotations

from tests.service.sealed import plain, run


def test_nothing_that_others_can_fetch_depends_on_a_limit() -> None:
    made, found = run(6)
    assert made == 6
    assert found == []


def test_only_ids_and_times_are_left_out_of_the_comparison() -> None:
    text = '{"id": "abc", "when": "2026-11-18T01:02:03.5+00:00", "amount": 105, "limit": 120}'
    assert plain(text, "abc") == '{"id": "GAME", "when": "TIME", "amount": 105, "limit": 120}'
