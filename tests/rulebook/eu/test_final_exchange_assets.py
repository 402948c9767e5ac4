"""The final exchange round: what player, corporation, bank and pool get for a minor."""

from __future__ import annotations

from carril.engine.actions import (
    Accept,
    CloseMinor,
    Decline,
    ExchangeMinor,
)
from carril.engine.board import tokens_of
from carril.engine.events import (
    Answered,
    CompanyFloated,
    MoneyPaid,
    PresidentChanged,
    TrainDiscarded,
)
from carril.engine.money import total
from carril.engine.state import Round
from carril.rules.marker import rule
from carril.titles.eu.exchange import FinalExchange
from carril.titles.eu.merging import TokenChoice
from tests.rulebook.eu.endgames import berlin, exchanging, prices
from tests.table import (
    at,
    charter,
    cited,
    code,
    corporation,
    events,
    play,
    tiles,
    tokens,
)

MERGE = ExchangeMinor("9", "KPEV", "treasury")
FROM_POOL = ExchangeMinor("9", "KPEV", "pool")
FOR_NOTHING = ExchangeMinor("9", "KPEV", "none")


# --- a treasury share --------------------------------------------------------------------


@rule("EU-4.2.2-e")
def test_for_a_treasury_share_cash_and_trains_go_to_the_corporation() -> None:
    state = exchanging(berlin({"Ben": 5}))
    after = play(state, MERGE, Decline())
    kpev = after.companies["KPEV"]
    assert kpev.shares == {"Ben": 5, "Ana": 1, "treasury": 4}
    assert (kpev.cash, kpev.trains) == (144, ("5", "3"))
    assert after.players["Ana"].cash == state.players["Ana"].cash
    assert after.companies["9"].closed
    assert prices(after, "KPEV") == [90]
    assert total(after) == 12000


@rule("EU-4.2.2-f")
def test_the_president_accepts_the_token() -> None:
    """Reported as #7235, #9265 and #8624: the president is asked, also for a treasury share."""
    asked = play(exchanging(berlin({"Ben": 5})), MERGE)
    assert isinstance(asked.step, TokenChoice)
    assert asked.acting == "Ben"
    assert {type(option) for option in asked.options()} == {Accept, Decline}
    assert Answered("Ben", True, "J5") in events(asked, Accept())
    after = play(asked, Accept())
    assert after.board.tokens["J5"] == (("KPEV",), ("KPEV",))
    assert (after.companies["KPEV"].tokens, after.companies["KPEV"].cash) == (3, 144)


@rule("EU-4.2.2-f")
def test_the_president_declines_the_token() -> None:
    after = play(exchanging(berlin({"Ben": 5})), MERGE, Decline())
    assert after.board.tokens["J5"] == ((), ("KPEV",))
    assert after.companies["KPEV"].tokens == 4


@rule("EU-4.2.2-f")
def test_without_a_spare_token_the_minors_token_just_goes() -> None:
    """Reported as #9265: no question, and no dead end, when no token is left."""
    state = berlin({"Ben": 5}, tokens=0)
    after = play(exchanging(state), MERGE)
    assert not isinstance(after.step, TokenChoice)
    assert after.board.tokens["J5"] == ((), ("KPEV",))
    assert after.companies["KPEV"].held("Ana") == 1


@rule("EU-4.2.2-f")
def test_in_its_own_city_a_corporation_takes_no_second_token() -> None:
    state = tiles(berlin({"Ben": 5}), J5=("584", 0))
    state = tokens(state, J5=(("9", "KPEV"),))
    after = play(exchanging(state), MERGE)
    assert not isinstance(after.step, TokenChoice)
    assert after.board.tokens["J5"] == (("KPEV",),)
    assert after.companies["KPEV"].tokens == 4


@rule("EU-4.2.2-f", "EU-4.2.2-e")
def test_who_becomes_president_by_the_exchange_decides_on_the_token() -> None:
    state = exchanging(berlin({"Ben": 3, "Ana": 3}))
    assert PresidentChanged("KPEV", "Ben", "Ana") in events(state, MERGE)
    asked = play(state, MERGE)
    assert isinstance(asked.step, TokenChoice)
    assert asked.acting == "Ana"


# --- a pool share, or none ---------------------------------------------------------------


@rule("EU-4.2.2-g")
def test_for_a_pool_share_cash_goes_to_the_bank_and_trains_to_the_pool() -> None:
    """Reported as #9805: the assets do not go to the corporation."""
    state = exchanging(berlin({"Ben": 5, "pool": 5}))
    after = play(state, FROM_POOL)
    kpev = after.companies["KPEV"]
    assert kpev.shares == {"Ben": 5, "Ana": 1, "pool": 4}
    assert (kpev.cash, kpev.trains) == (10, ("5",))
    assert after.bank >= state.bank + 134
    assert "3" in after.depot.pool
    assert total(after) == 12000


@rule("EU-4.2.2-g")
def test_for_a_pool_share_the_token_is_not_replaced() -> None:
    after = play(exchanging(berlin({"Ben": 5, "pool": 5})), FROM_POOL)
    assert not isinstance(after.step, TokenChoice)
    assert after.board.tokens["J5"] == ((), ("KPEV",))
    assert after.companies["KPEV"].tokens == 4


@rule("EU-4.2.2-h", "EU-A-18")
def test_without_any_stock_left_the_player_gets_nothing() -> None:
    state = exchanging(berlin({"Ben": 5, "Cleo": 5}))
    assert code(state, CloseMinor("9")) == "minor-connected"
    told = events(state, FOR_NOTHING)
    assert MoneyPaid("9", "bank", 134, "merger") in told
    assert TrainDiscarded("9", "3") in told
    after = play(state, FOR_NOTHING)
    kpev = after.companies["KPEV"]
    assert kpev.shares == {"Ben": 5, "Cleo": 5}
    assert (kpev.cash, kpev.trains) == (10, ("5",))
    assert after.depot.pool == ("P",) * 5 + ("3",)
    assert after.players["Ana"].cash == state.players["Ana"].cash
    assert after.companies["9"].closed
    assert after.board.tokens["J5"] == ((), ("KPEV",))


@rule("EU-A-32")
def test_a_corporation_without_stock_may_be_chosen_though_another_has_some() -> None:
    state = berlin({"Ben": 5, "Cleo": 5})
    state = corporation(state, "DR", {"Cleo": 5}, price=82, tokens=4)
    state = tokens(tiles(state, J5=("584", 0)), J5=(("9", "KPEV", "DR"),))
    state = exchanging(state)
    assert code(state, FOR_NOTHING) == ""
    assert code(state, ExchangeMinor("9", "DR", "treasury")) == ""
    assert code(state, ExchangeMinor("9", "DR", "none")) == "treasury-first"
    assert play(state, FOR_NOTHING).companies["DR"].held("Ana") == 0


@rule("EU-4.2.2-i")
def test_an_unconnected_minor_is_closed_for_nothing() -> None:
    state = charter(berlin({"Ben": 5}), "8", trains=("4",))
    state = exchanging(state)
    assert code(state, ExchangeMinor("8", "KPEV", "treasury")) == "not-connected-final"
    told = events(state, CloseMinor("8"))
    assert MoneyPaid("8", "bank", 55, "merger") in told
    assert TrainDiscarded("8", "4") in told
    after = at(state, FinalExchange("Ana"), round_=Round("FER", 2))
    after = play(after, CloseMinor("8"))
    assert (after.companies["8"].closed, after.companies["8"].cash) == (True, 0)
    assert list(tokens_of(after.board, "8")) == []
    assert after.players["Ana"].cash == state.players["Ana"].cash


@rule("EU-4.2.2-j")
def test_no_pool_share_while_the_treasury_has_one() -> None:
    state = exchanging(berlin({"Ben": 5, "pool": 4}))
    assert code(state, FROM_POOL) == "treasury-first"
    assert cited(state, FROM_POOL) == "EU-4.2.2-j"
    assert code(state, FOR_NOTHING) == "treasury-first"
    assert code(state, MERGE) == ""
    empty = exchanging(berlin({"Ben": 5, "pool": 5}))
    assert code(empty, MERGE) == "treasury-first"
    assert code(empty, FROM_POOL) == ""


@rule("EU-4.2.2-j")
def test_two_minors_of_one_turn_order_take_the_treasury_share_and_then_the_pools() -> None:
    owners = {"9": "Ana", "8": "Ana", "7": "Ben", "13": "Ben"}
    state = tiles(berlin({"Ben": 5, "pool": 4}, owners), J5=("584", 0))
    state = tokens(state, J5=(("9", "KPEV", "7"),))
    state = play(exchanging(state), MERGE)
    assert state.acting == "Ben"
    assert code(state, ExchangeMinor("7", "KPEV", "treasury")) == "treasury-first"
    after = play(state, ExchangeMinor("7", "KPEV", "pool"))
    assert after.companies["KPEV"].shares == {"Ben": 6, "Ana": 1, "pool": 3}


# --- flotation ---------------------------------------------------------------------------


@rule("EU-4.2.2-l", "EU-4.2.2-d")
def test_a_corporation_floated_by_an_exchange_is_monetised() -> None:
    state = exchanging(berlin({"Ben": 4}, floated=False, operated=False, trains=()))
    assert CompanyFloated("KPEV") in events(state, MERGE)
    after = play(state, MERGE, Decline())
    kpev = after.companies["KPEV"]
    assert kpev.shares == {"Ben": 4, "Ana": 1, "pool": 5}
    assert kpev.cash == 10 + 134 + 5 * 90
    assert prices(after, "KPEV") == [90]
    assert total(after) == 12000


@rule("EU-4.2.2-l")
def test_the_fourth_share_floats_nothing() -> None:
    state = exchanging(berlin({"Ben": 3}, floated=False, operated=False, trains=()))
    after = play(state, MERGE, Decline())
    kpev = after.companies["KPEV"]
    assert (kpev.floated, kpev.cash, kpev.held("treasury")) == (False, 144, 6)
