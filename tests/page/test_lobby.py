"""The lobby names the set-ups of each title and refuses any other."""

from __future__ import annotations

import re

import pytest
from fastapi.testclient import TestClient

from carril.engine.registry import title_named, title_names


def test_every_set_up_is_named(client: TestClient) -> None:
    shown = client.get("/").text
    for title in title_names():
        for setup in title_named(title).tables.setups:
            named = f"{setup.players} players.*certificate limit {setup.certificates}<"
            assert re.search(named, shown)


@pytest.mark.parametrize("title", title_names())
def test_only_an_existing_set_up_is_accepted(client: TestClient, title: str) -> None:
    setup = title_named(title).tables.setups[0]
    seats = {"title": title, "seat-1": "me", "variant": list(setup.variants)}
    refused = client.post("/new", data=seats)
    assert refused.status_code == 400
    assert "players, not 1" in refused.text
    seats |= {f"seat-{number}": "bot:random" for number in range(2, setup.players + 1)}
    assert client.post("/new", data=seats, follow_redirects=False).status_code == 303


def _seats(count: int) -> dict[str, str]:
    return {"seat-1": "me"} | {f"seat-{n}": "bot:random" for n in range(2, count + 1)}


def test_set_ups_with_levels_are_chosen_by_name(client: TestClient) -> None:
    """Every set-up that variants choose is a choice of the form, and starts a game."""
    shown = client.get("/").text
    for title in title_names():
        for setup in title_named(title).tables.setups:
            if not setup.variants:
                continue
            value = " ".join(setup.variants)
            assert f'data-players="{setup.players}"><label class="check">' in shown
            assert f'name="setup" value="{value}"' in shown
            form = {"title": title, "setup": value} | _seats(setup.players)
            assert client.post("/new", data=form, follow_redirects=False).status_code == 303


@pytest.mark.parametrize(
    ("players", "setup", "variant", "message"),
    [
        (4, "easy", "", "for 4 players is played with no variant, not easy"),
        (3, "challenging", "", "for 3 players is played with easy; hard, not challenging"),
        (2, "east", "", "for 2 players is played with easy and east; "),
        (2, "easy", "", "for 2 players is played with easy and east; "),
        (4, "", "less-cash", "for 4 players has no variant &#39;less-cash&#39;"),
    ],
)
def test_other_levels_are_refused_clearly(
    client: TestClient, players: int, setup: str, variant: str, message: str
) -> None:
    form = {"title": "18Cuba", "setup": setup} | _seats(players)
    form |= {"variant": variant} if variant else {}
    refused = client.post("/new", data=form)
    assert refused.status_code == 400
    assert message in refused.text


def test_a_variant_says_which_numbers_of_players_it_is_for(client: TestClient) -> None:
    shown = client.get("/").text
    assert 'data-for="5 6"' in shown
    assert "(for 5 or 6 players)" in shown
