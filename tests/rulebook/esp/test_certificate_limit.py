"""The certificate limit (ledger ESP-3.1.2, ESP-DE-4.1)."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.actions import BuyShare, Pass, RepayLoan, SellShares, StartCompany
from carril.engine.shares import certificate_limit
from carril.engine.state import IPO, State
from carril.rules.marker import rule
from carril.titles.esp.common import certificates
from carril.titles.esp.figures import figures
from tests.rulebook.esp.positions import extra, game, major, minor, privates, stock_round
from tests.table import cash, charter, cited, code, offered, phase, play

FIVES = ("MZA", "N", "MCP", "ZPB")
"""Majors of which Ana has half: five shares, four certificates each."""


def full(more: int, players: int = 4, **given: Any) -> State:
    """Ana has 16 certificates of four majors and so many privates, in phase 3."""
    names = [f"P{number}" for number in range(1, 8)][:more]
    state = phase(privates(game(players, **given), **dict.fromkeys(names, "Ana")), "3")
    for symbol in FIVES:
        state = major(state, symbol, {"Ana": 5, "Ben": 2})
    state = major(state, "A", {"Ben": 3})
    return stock_round(cash(state, Ana=900, Ben=900))


@rule("ESP-3.1.2-a", "ESP-E3")
@pytest.mark.parametrize(("players", "limit"), [(3, 27), (4, 20), (5, 16), (6, 13)])
def test_the_limit_by_number_of_players(players: int, limit: int) -> None:
    for edition in ("de", "en", "es"):
        assert certificate_limit(game(players, edition=edition)) == limit


@rule("ESP-DE-4.1-a")
def test_the_limit_of_two_players_is_kept_for_their_variant() -> None:
    assert figures(game()).two_players.certificates == 16


@rule("ESP-3.1.2-b")
def test_privates_directors_shares_and_minors_count_one_each() -> None:
    state = privates(game(), P4="Ana", P7="Ana")
    assert certificates(state, "Ana") == 2
    state = major(state, "MZA", {"Ana": 2, "Ben": 3})
    assert (certificates(state, "Ana"), certificates(state, "Ben")) == (3, 3)
    state = minor(major(state, "A", {"Ben": 4, "Ana": 2}), "CM", "Ana")
    assert (certificates(state, "Ana"), certificates(state, "Ben")) == (6, 6)
    state = charter(state, "CRB", shares={"Ana": 1, IPO: 9})  # the share of private 6
    assert certificates(state, "Ana") == 7


@rule("ESP-3.1.2-c", "ESP-E4")
def test_a_frozen_minor_does_not_count() -> None:
    state = minor(minor(privates(game(edition="en")), "CM", "Ana"), "SC", "Ana")
    assert certificates(state, "Ana") == 2
    assert certificates(extra(state, frozen=("CM",)), "Ana") == 1
    assert certificates(extra(state, frozen=("CM", "SC")), "Ana") == 0


@rule("ESP-3.1.2-d", "ESP-A12")
def test_who_is_over_the_limit_sells_before_anything_else() -> None:
    state = full(6)
    assert certificates(state, "Ana") == 22
    for action in (Pass(), BuyShare("A", IPO), StartCompany("CRB", 80), RepayLoan(1)):
        assert code(state, action) == "must-sell"
        assert cited(state, action) == "ESP-3.1.2-d"
    kinds = {type(getattr(option, "action", option)) for option in state.options()}
    assert kinds == {SellShares}
    fewer = play(state, SellShares("MZA", 1))  # smaller, but still too many
    assert code(fewer, Pass()) == code(fewer, BuyShare("A", IPO)) == "must-sell"
    down = play(fewer, SellShares("MZA", 1))
    assert certificates(down, "Ana") == 20
    assert code(down, Pass()) == ""


@rule("ESP-3.1.2-d", "ESP-A11")
def test_who_can_sell_nothing_may_only_pass() -> None:
    state = full(6)
    for symbol in FIVES:
        state = charter(state, symbol, operated=False)
    assert certificates(state, "Ana") == 22
    assert offered(state, SellShares) == []
    assert code(state, BuyShare("A", IPO)) == "must-sell"
    assert code(state, Pass()) == ""


@rule("ESP-3.1.2-e")
def test_no_purchase_exceeds_the_limit() -> None:
    state = full(4)
    assert certificates(state, "Ana") == 20
    for action in (BuyShare("A", IPO), StartCompany("CRB", 80), StartCompany("CM", 70)):
        assert code(state, action) == "certificate-limit"
        assert cited(state, action) == "ESP-3.1.2-e"
    below = full(3)
    for action in (BuyShare("A", IPO), StartCompany("CRB", 80), StartCompany("CM", 70)):
        assert code(below, action) == ""
    sold = play(state, SellShares("MZA", 1))
    assert code(sold, BuyShare("A", IPO)) == ""
