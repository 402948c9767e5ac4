"""The lobby names the set-ups of each title and refuses any other."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient

from carril.engine.registry import title_named, title_names


def test_every_set_up_is_named(client: TestClient) -> None:
    shown = client.get("/").text
    for title in title_names():
        for setup in title_named(title).tables.setups:
            assert f"certificate limit {setup.certificates}</li>" in shown


@pytest.mark.parametrize("title", title_names())
def test_only_an_existing_set_up_is_accepted(client: TestClient, title: str) -> None:
    setup = title_named(title).tables.setups[0]
    seats = {"title": title, "seat-1": "me", "variant": list(setup.variants)}
    refused = client.post("/new", data=seats)
    assert refused.status_code == 400
    assert "players, not 1" in refused.text
    seats |= {f"seat-{number}": "bot:random" for number in range(2, setup.players + 1)}
    assert client.post("/new", data=seats, follow_redirects=False).status_code == 303
