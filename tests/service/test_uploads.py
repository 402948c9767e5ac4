"""Files that are damaged, or that never end."""

from __future__ import annotations

import gzip
import json
import random
from typing import Any

import pytest

from carril.engine.actions import Bid
from carril.notation.online import read_online
from carril.service.errors import BadUpload
from carril.service.game_files import read_game
from carril.titles.online import Reader

MOST = 1 << 20
REPEATING = "18ESP"
"""A title whose auction begins again when everybody passes."""


def _file(title: str, actions: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    players = [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)]
    return {"title": title, "id": 5, "players": players, "actions": actions, **more}


def _passes(count: int) -> list[dict[str, Any]]:
    who = [{"entity": 1 + n % 3, "entity_type": "player", "id": n + 1} for n in range(count)]
    return [{"type": "pass", **one} for one in who]


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_a_file_marked_finished_that_stops_in_a_repeating_auction(count: int) -> None:
    record = read_online(_file(REPEATING, _passes(count), status="finished"))
    assert record.playable() == count
    assert len(record.actions) <= count
    assert record.replay.findings == ["the file is marked as finished, but its game is not over"]


def test_damaged_gzip_files_are_refused() -> None:
    chance = random.Random(7)
    data = gzip.compress(json.dumps(_file("18EU", _passes(9))).encode())
    refused = 0
    for _ in range(300):
        damaged = bytearray(data)
        damaged[chance.randrange(10, len(data))] ^= 1 << chance.randrange(8)
        try:
            read_game(bytes(damaged), "x.gz", MOST)
        except BadUpload:
            refused += 1
    assert refused > 200


def test_an_assertion_of_the_rules_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("a payment of -1")

    monkeypatch.setattr(Reader, "take", fail)
    record = read_online(_file("18EU", _passes(1)))
    assert record.refused
    assert "a payment of -1" in str(record.refused.refusal.facts["why"])


def test_a_negative_payment_is_refused() -> None:
    bids = [
        {"type": "bid", "minor": "2", "price": price, "entity": n + 1, "entity_type": "player"}
        for n, price in enumerate((100, -5))
    ]
    numbered = [bid | {"id": n} for n, bid in enumerate(bids, 1)]
    imported = read_game(json.dumps(_file("18EU", numbered)).encode(), "x", MOST)
    assert any("stopped" in note for note in imported.notes)


def test_half_characters_are_refused_and_whole_ones_are_not() -> None:
    bids = [{"type": "bid", "minor": r"\ud800", "price": 100, "entity": 1, "id": 1}]
    data = json.dumps(_file("18EU", bids)).replace(r"\\ud800", r"\ud800").encode()
    assert rb"\ud800" in data
    with pytest.raises(BadUpload):
        read_game(data, "x", MOST)
    whole = data.replace(rb"\ud800", rb"\ud83d\ude82")
    assert any("stopped" in note for note in read_game(whole, "x", MOST).notes)


def test_fractions_of_money_are_refused() -> None:
    bids = [{"type": "bid", "minor": "2", "price": 100.5, "entity": 1, "entity_type": "player"}]
    imported = read_game(json.dumps(_file("18EU", [bids[0] | {"id": 1}])).encode(), "x", MOST)
    assert any("stopped" in note for note in imported.notes)
    assert not any(isinstance(one.action, Bid) for one in imported.played)
