"""Positions as bytes and as words."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.refusals import BadRecord
from carril.notation.position import decode, describe, digest, encode, from_json, to_json
from tests.contract.walk import Plan, walk
from tests.table import game, operate, own_minors

GAME = walk(Plan("18EU", 3, seed=21), most=700)


@pytest.mark.parametrize("number", range(0, 701, 70))
def test_a_position_reads_back_as_itself(number: int) -> None:
    state = GAME.position(number)
    assert decode(encode(state)) == state
    assert from_json(to_json(state)) == state
    assert repr(decode(encode(state))) == repr(state)
    assert decode(encode(state)).options() == state.options()


def test_the_digest_knows_every_difference_but_not_the_order_of_making() -> None:
    state = GAME.last
    turned = dict(reversed(list(state.companies["SNCF"].shares.items())))
    same = replace(
        state,
        companies={
            **state.companies,
            "SNCF": replace(state.companies["SNCF"], shares=turned),
        },
    )
    assert digest(same) == digest(state)
    assert digest(replace(state, bank=state.bank - 1)) != digest(state)
    seats = dict(reversed(list(state.players.items())))
    assert digest(replace(state, players=seats)) != digest(state)
    found = {digest(GAME.position(number)) for number in range(100)}
    assert len(found) == 100


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x80", encode(game())[:-5]])
def test_what_is_no_position_is_said_in_one_line(data: bytes) -> None:
    with pytest.raises(BadRecord, match=r"^not a position: ") as caught:
        decode(data)
    assert "\n" not in str(caught.value)


def test_a_position_in_short_words() -> None:
    state = operate(own_minors(game(3), {"8": "Ben"}), "8")
    assert describe(state).splitlines() == [
        "18EU, OR 2.1, phase 2, bank 10650",
        "Ben to decide: track of 8",
        "cash: Ana 450, Ben 450, Cleo 450",
    ]
    assert "prices: " in describe(GAME.last)
