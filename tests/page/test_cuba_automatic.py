"""The turn of a company that nobody decides for, explained step by step."""

from __future__ import annotations

from typing import Any

from fastapi.testclient import TestClient

from carril.engine.actions import Pass
from carril.engine.state import IPO, Round, State
from carril.engine.steps.operating import OperatingRound
from tests.browser.stage import Stage
from tests.rulebook.cuba.positions import extra, game, major, minor
from tests.table import at, cash, charter, tiles, tokens


def last_turn(trains: tuple[str, ...] = ("1", "3"), **more: Any) -> State:
    """Return the machine step of HG, the last company before the FC, at the end of a set.

    The FC has tokens in Havana (30) and Camagüey (619, 30), a 3 train by default, and 60 in fees;
    Ana holds three of its shares. Two cubes of HG are left over.
    """
    state = minor(game(4), "HG", {"Ana": 3}, cash=25, trains=("2n",))
    state = tokens(tiles(state, D19=("619", 0)), D19=(("FC",),))
    state = charter(state, "FC", trains=trains, shares={"Ana": 3, IPO: 7}, **more)
    state = cash(extra(state, cubes={"HG": 2}), FC=60)
    state = at(state, OperatingRound(), round_=Round("OR", 1, 1, 1))
    return state.apply(Pass()).state.apply(Pass()).state


def lines(client: TestClient, game_id: str) -> list[str]:
    """Return the steps on the card, without tags."""
    text = client.get(f"/table/{game_id}").text
    card = text.split('id="part-automatic"')[1].split("</details>")[0]
    items = card.split("<li")[1:]
    return [
        item.split("<span>")[1].replace("</span>", " ").replace("<b>", "").split("</")[0].strip()
        for item in items
    ]


def test_each_step_with_its_sum(client: TestClient, stage: Stage) -> None:
    """Range 3, two cities: 30 + 30 = 60, two cubes at 10: 80, 8 a share; Ana 24; fees 60."""
    table = stage.table(last_turn())
    assert 'class="automatic"' not in client.get(f"/table/{table}").text
    stage.act(table, "Ana", Pass())
    assert lines(client, table) == [
        "Its newest train is a 3: it could count 3 cities, but has tokens in 2",
        "B7 Havana $30",
        "D19 Camagüey $30",
        "2 cubes that nobody shipped, at 10 each $20",
        "Paid out, 8 for each share $80",
        "to Ana $24",
        "Fees for passing its tokens, on to the bank $60",
        "Share price rises from 50 to 55",
        "End of the set: the 2 on top of the stack is exported to it",
        "Phase 2 begins",
    ]


def test_it_is_open_while_the_viewer_neither_acts_nor_has_acted(
    client: TestClient, stage: Stage
) -> None:
    """The user Ana plays Ben, who is the second to act after the end of the set."""
    seats = {"Ana": "Zoe", "Ben": "Ana", "Cleo": "Zoe", "Dan": "Zoe"}
    table = stage.table(last_turn(), seats)
    stage.act(table, "Zoe", Pass())
    assert '<details class="automatic" open>' in client.get(f"/table/{table}").text
    stage.act(table, "Zoe", Pass())
    assert '<details class="automatic">' in client.get(f"/table/{table}").text, "Ben is to act"
    stage.act(table, "Ana", Pass())
    assert '<details class="automatic">' in client.get(f"/table/{table}").text, "Ben has acted"


def test_spectators_see_it_open_until_the_next_action(client: TestClient, stage: Stage) -> None:
    table = stage.table(last_turn(), "Zoe")
    stage.act(table, "Zoe", Pass())
    assert '<details class="automatic" open>' in client.get(f"/table/{table}").text
    stage.act(table, "Zoe", Pass())
    assert '<details class="automatic">' in client.get(f"/table/{table}").text


def test_a_turn_without_income(client: TestClient, stage: Stage) -> None:
    """In the eastern half there is no Havana: no city, no cube, nothing is paid."""
    state = game(2, variants=("easy", "east"))
    state = major(state, "NPP", {"Ana": 6}, trains=("2",))
    state = at(state, OperatingRound(), round_=Round("OR", 1, 1, 2))
    table = stage.table(state)
    while 'class="automatic"' not in client.get(f"/table/{table}").text:
        stage.act(table, "Ana", Pass())
    assert lines(client, table) == [
        "Its newest train is a 1, but it has no token in a city yet",
        "Paid out, 0 for each share $0",
        "Nothing to pay out, so the share price stays",
    ]
