"""Directors and how the office passes on (ledger ESP-3.1.1, ESP-DE-4.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyShare, Pass, SellShares
from carril.engine.events import PresidentChanged
from carril.engine.state import IPO, POOL, State
from carril.rules.marker import rule
from carril.titles.esp.common import certificates
from tests.rulebook.esp.positions import game, major, minor, privates, stock_round
from tests.table import cash, cited, code, events, offered, phase, plain, play


def held(shares: Mapping[str, int], player: str = "Ana", **more: Any) -> State:
    """A major A with these shares, everybody rich, in phase 3; the first holder is director."""
    state = major(phase(privates(game(**more)), "3"), "A", shares, par=100)
    return stock_round(cash(state, Ana=900, Ben=900, Cleo=900, Dan=900), player)


@rule("ESP-3.1.1-a", "ESP-3.1.1-b", "ESP-3.1.1-c")
def test_the_office_passes_only_to_strictly_more() -> None:
    state = held({"Ana": 5, "Ben": 3})
    assert play(state, SellShares("A", 1)).companies["A"].owner == "Ana"
    tied = play(state, SellShares("A", 2))
    assert tied.companies["A"].owner == "Ana"
    beaten = play(state, SellShares("A", 3))
    assert beaten.companies["A"].owner == "Ben"
    assert PresidentChanged("A", "Ana", "Ben") in events(state, SellShares("A", 3))


@rule("ESP-3.1.1-a", "ESP-3.1.1-c")
def test_the_successor_has_at_least_a_fifth() -> None:
    state = held({"Ana": 3, "Ben": 1, "Cleo": 1})
    assert code(state, SellShares("A", 2)) == "no-heir"
    assert code(state, SellShares("A", 1)) == ""
    assert code(held({"Ana": 3, "Ben": 2}), SellShares("A", 2)) == ""


@rule("ESP-3.1.1-d")
def test_a_buyer_with_strictly_more_becomes_director() -> None:
    state = held({"Ana": 3, "Ben": 2}, "Ben")
    level = play(state, BuyShare("A", IPO))
    assert level.companies["A"].owner == "Ana"
    level = play(level, Pass(), Pass(), Pass())
    ahead = play(level, BuyShare("A", IPO))
    assert ahead.companies["A"].owner == "Ben"


@rule("ESP-3.1.1-e")
def test_a_tie_for_the_majority_goes_to_the_lowest_order_card() -> None:
    state = held({"Ben": 3, "Ana": 2, "Cleo": 2}, "Ben")
    assert play(state, SellShares("A", 2)).companies["A"].owner == "Ana"
    last = held({"Ana": 3, "Dan": 2, "Cleo": 2})
    assert play(last, SellShares("A", 2)).companies["A"].owner == "Cleo"
    # the cards count, whatever the seats were
    order = ["Dan", "Ana", "Cleo", "Ben"]
    cards = replace(last, players={name: last.players[name] for name in order})
    assert play(cards, SellShares("A", 2)).companies["A"].owner == "Dan"


@rule("ESP-3.1.1-e")
def test_on_18xx_games_the_tie_goes_to_the_next_after_the_old_director() -> None:
    state = held({"Ben": 3, "Ana": 2, "Cleo": 2}, "Ben", conventions="18xx.games")
    assert play(state, SellShares("A", 2)).companies["A"].owner == "Cleo"


@rule("ESP-3.1.1-f")
def test_the_certificate_is_exchanged_for_two_before_the_sale() -> None:
    state = held({"Ana": 3, "Ben": 3})
    assert (certificates(state, "Ana"), certificates(state, "Ben")) == (2, 3)
    sold = play(state, SellShares("A", 1))
    assert sold.companies["A"].owner == "Ben"
    assert dict(sold.companies["A"].shares) == {"Ana": 2, "Ben": 3, IPO: 4, POOL: 1}
    assert (certificates(sold, "Ana"), certificates(sold, "Ben")) == (2, 2)


@rule("ESP-3.1.1-g")
def test_the_example_of_the_andaluces() -> None:
    state = held({"Ana": 4, "Ben": 3, "Cleo": 2, POOL: 1})
    sold = play(state, SellShares("A", 4))
    company = sold.companies["A"]
    assert (company.owner, company.held(POOL)) == ("Ben", 5)
    ben = play(sold, Pass())
    assert ben.acting == "Ben"
    assert code(ben, SellShares("A", 1)) == "pool-full"
    cleo = play(ben, Pass(), BuyShare("A", POOL))
    assert cleo.companies["A"].owner == "Ben"  # 30% each
    again = play(cleo, Pass(), Pass(), Pass(), BuyShare("A", POOL))
    assert again.companies["A"].held("Cleo") == 4
    assert again.companies["A"].owner == "Cleo"


@rule("ESP-3.1.1-h")
def test_the_office_is_not_given_away() -> None:
    state = held({"Ana": 4, "Ben": 4})
    kinds = {type(getattr(option, "action", option)).__name__ for option in state.options()}
    assert kinds == {"SellShares", "BuyShare", "StartCompany", "Pass"}
    for option in offered(state, BuyShare):
        assert play(state, plain(option)).companies["A"].owner == "Ana"


@rule("ESP-3.1.1-i")
def test_a_minor_never_changes_its_director() -> None:
    state = minor(held({"Ana": 3, "Ben": 3}, "Ben"), "CM", "Ana")
    assert code(state, BuyShare("CM", IPO)) == "no-such-stock"
    assert code(state, BuyShare("CM", POOL)) == "no-such-stock"
    after = play(state, SellShares("A", 1))
    assert after.companies["CM"].owner == "Ana"


@rule("ESP-3.1.1-j")
def test_an_exchange_may_put_the_old_director_over_the_limit() -> None:
    state = held({"Ana": 3, "Ben": 3}, "Ben")
    mza = {"Ana": 5, "Cleo": 2}
    for symbol in ("MZA", "N", "MCP", "ZPB"):
        state = major(state, symbol, mza)
    state = minor(state, "CM", "Ana")
    state = minor(state, "SC", "Ana")
    assert certificates(state, "Ana") == 20
    state = stock_round(state, "Ben")
    taken = play(state, BuyShare("A", IPO))
    assert taken.companies["A"].owner == "Ben"
    assert certificates(taken, "Ana") == 21
    turn = play(taken, Pass(), Pass())
    assert turn.acting == "Ana"
    assert code(turn, Pass()) == "must-sell"
    assert cited(turn, Pass()) == "ESP-3.1.2-d"
    assert code(turn, BuyShare("N", IPO)) == "must-sell"
    sold = play(turn, SellShares("MZA", 1))
    assert code(sold, Pass()) == ""


@rule("ESP-3.1.1-k")
def test_the_open_market_is_never_director() -> None:
    state = held({"Ana": 3, "Ben": 2, POOL: 5})
    assert code(state, SellShares("A", 1)) == "pool-full"
    state = held({"Ana": 4, "Ben": 2, POOL: 3})
    sold = play(state, SellShares("A", 2))
    assert sold.companies["A"].held(POOL) == 5
    assert sold.companies["A"].owner == "Ana"


@rule("ESP-DE-4.4-a", "ESP-E19")
@pytest.mark.parametrize("edition", ["de", "en"])
def test_an_outgoing_director_may_keep_a_tenth(edition: str) -> None:
    state = held({"Ana": 2, "Ben": 2}, edition=edition)
    sold = play(state, SellShares("A", 1))
    assert sold.companies["A"].owner == "Ben"
    assert (sold.companies["A"].held("Ana"), sold.companies["A"].held("Ben")) == (1, 2)
