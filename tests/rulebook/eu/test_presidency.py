"""Who leads a corporation, and when the president's certificate changes hands."""

from __future__ import annotations

from typing import Any

from carril.engine.actions import (
    Accept,
    BuyShare,
    Decline,
    ExchangeMinor,
    GoBankrupt,
    SellShares,
)
from carril.engine.events import PresidentChanged
from carril.engine.state import Round, State
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.eu.exchange import FinalExchange
from tests.table import (
    at,
    cash,
    code,
    corporation,
    events,
    game,
    own_minors,
    phase,
    play,
    stock_round,
    tokens,
)


def table(shares: dict[str, int], **more: Any) -> State:
    """The FS with these shareholders at 82, its token in Milan; everybody has 500."""
    fields: dict[str, Any] = {"price": 82} | more
    state = corporation(own_minors(game(), {}), "FS", shares, **fields)
    state = tokens(state, E18=(("FS",),))
    return cash(state, Ana=500, Ben=500, Cleo=500, Dan=500)


@rule("EU-4.3.1-a", "EU-4.3.1-b")
def test_a_tie_leaves_the_president_in_office_and_one_share_more_does_not() -> None:
    state = stock_round(table({"Ana": 3, "Ben": 2}), "Ben")
    tied = play(state, BuyShare("FS", "treasury"))
    assert (tied.companies["FS"].held("Ana"), tied.companies["FS"].held("Ben")) == (3, 3)
    assert tied.companies["FS"].owner == "Ana"
    again = stock_round(tied, "Ben")
    assert PresidentChanged("FS", "Ana", "Ben") in events(again, BuyShare("FS", "treasury"))
    assert play(again, BuyShare("FS", "treasury")).companies["FS"].owner == "Ben"


@rule("EU-4.3.1-b")
def test_the_presidents_certificate_is_swapped_for_two_single_shares() -> None:
    state = stock_round(table({"Ana": 3, "Ben": 3}), "Ben")
    # president's certificate and one single, against three singles
    assert [state.title.certificates(state, who) for who in ("Ana", "Ben")] == [2, 3]
    after = play(state, BuyShare("FS", "treasury"))
    assert [after.companies["FS"].held(who) for who in ("Ana", "Ben")] == [3, 4]
    # three singles, against the president's certificate and two singles
    assert [after.title.certificates(after, who) for who in ("Ana", "Ben")] == [3, 3]


@rule("EU-4.3.1-c")
def test_of_several_with_most_shares_the_first_after_the_old_president_takes_over() -> None:
    state = table({"Cleo": 3, "Ana": 2, "Ben": 2, "Dan": 2})
    sold = play(stock_round(state, "Cleo"), SellShares("FS", 2))
    # after Cleo comes Dan, before Ana and Ben
    assert sold.companies["FS"].owner == "Dan"
    other = table({"Cleo": 3, "Ana": 2, "Ben": 2, "Dan": 1})
    assert play(stock_round(other, "Cleo"), SellShares("FS", 2)).companies["FS"].owner == "Ana"


@rule("EU-4.3.1-c")
def test_most_shares_come_before_the_order_of_players() -> None:
    state = table({"Ana": 4, "Ben": 2, "Dan": 3})
    sold = play(stock_round(state), SellShares("FS", 3))
    assert sold.companies["FS"].owner == "Dan"


@rule("EU-4.3.1-d")
def test_a_new_president_finds_cash_trains_and_tokens_as_they_were() -> None:
    state = cash(table({"Ana": 3, "Ben": 3}, trains=("3", "P"), tokens=4), FS=77)
    after = play(stock_round(state, "Ben"), BuyShare("FS", "treasury"))
    company = after.companies["FS"]
    assert company.owner == "Ben"
    assert company.cash == 77 + 82
    assert (company.trains, company.tokens) == (("3", "P"), 4)
    assert after.board.tokens["E18"] == (("FS",),)


@rule("EU-4.3.1-e")
def test_an_exchanged_minor_can_take_the_presidency_in_a_stock_round() -> None:
    state = own_minors(game(), {"7": "Ben"})
    shares = {"Ana": 3, "Ben": 3}
    state = corporation(state, "DR", shares, operated=False, tokens=4)
    state = stock_round(tokens(state, J5=(("DR",), ("7",))), "Ben")
    asked = play(state, ExchangeMinor("7", "DR", "treasury"))
    assert asked.companies["DR"].owner == "Ben"
    # the new president answers for the corporation
    assert asked.acting == "Ben"
    assert play(asked, Accept()).companies["DR"].owner == "Ben"


@rule("EU-4.3.1-e")
def test_an_exchanged_minor_can_take_the_presidency_in_the_final_exchange() -> None:
    state = own_minors(game(), {"7": "Ben", "8": "Ben"})
    state = corporation(state, "DR", {"Ana": 3, "Ben": 3}, tokens=4)
    state = phase(tokens(state, J5=(("DR",), ("7",))), "5")
    state = at(state, FinalExchange("Ben"), round_=Round("FER", 4))
    after = play(state, ExchangeMinor("7", "DR", "treasury"), Decline())
    assert after.companies["DR"].owner == "Ben"


def emergency(**shares: int) -> State:
    """Ana's trainless DR must buy; she has 60 and shares of the FS, led by her."""
    state = table(shares)
    state = corporation(state, "DR", {"Ana": 5}, price=100, tokens=5)
    return at(cash(state, Ana=60, DR=0), BuyTrains("DR"), round_=Round("OR", 2, 1))


@rule("EU-4.3.1-e")
def test_an_emergency_sale_in_an_operating_round_can_change_a_presidency() -> None:
    state = emergency(Ana=3, Ben=2)
    assert play(state, SellShares("FS", 1)).companies["FS"].owner == "Ana"
    assert play(state, SellShares("FS", 2)).companies["FS"].owner == "Ben"


@rule("EU-4.3.1-e")
def test_a_bankruptcy_changes_presidencies() -> None:
    # nothing of Ana's can be sold: the DR keeps its president, the FS has not operated
    state = table({"Ana": 4, "Cleo": 2, "Dan": 3}, operated=False)
    state = corporation(state, "DR", {"Ana": 2, "Ben": 2}, price=100, tokens=5)
    state = at(cash(state, Ana=60, DR=0), BuyTrains("DR"), round_=Round("OR", 2, 1))
    broke = play(state, GoBankrupt())
    assert broke.companies["FS"].owner == "Dan"
    assert broke.companies["FS"].held("pool") == 4
    assert broke.companies["DR"].owner == "Ben"


@rule("EU-4.3.1-f")
def test_shares_in_pool_or_treasury_never_lead() -> None:
    state = table({"Ana": 2, "Ben": 1, "pool": 4})
    company = state.companies["FS"]
    assert (company.held("treasury"), company.held("pool")) == (3, 4)
    bought = play(stock_round(state, "Ben"), BuyShare("FS", "pool"))
    assert bought.companies["FS"].owner == "Ana"
    # nor do they let the president go: nobody else holds two shares
    assert code(stock_round(state), SellShares("FS", 1)) == "no-heir"
    assert code(stock_round(bought), SellShares("FS", 1)) == ""
