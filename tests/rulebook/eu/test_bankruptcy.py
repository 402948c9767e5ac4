"""A president who cannot pay: his shares, his corporations, his minors."""

from __future__ import annotations

from carril.engine.actions import (
    BuyTrain,
    GoBankrupt,
    Pass,
    PlaceToken,
    SellShares,
    StartCompany,
)
from carril.engine.board import tokens_of
from carril.engine.events import CompanyClosed, PlayerBankrupt, PresidentChanged, TurnBegan
from carril.engine.market import marker
from carril.engine.money import total
from carril.engine.state import State
from carril.engine.steps.stock import StockRound
from carril.rules.marker import rule
from tests.rulebook.eu.endgames import buying, exchanging, needy, prices
from tests.table import (
    cash,
    charter,
    cited,
    code,
    corporation,
    events,
    pass_until,
    plain,
    play,
    stock_round,
    tokens,
)


def ruined(players: int = 4, in_phase: str = "4", **minors: str) -> State:
    """Ana has 20 and nothing to sell, SNCF has 100 and needs 300; Ben is her equal in it.

    Minors and their owners: m8="Ana".
    """
    owners = {name[1:]: owner for name, owner in minors.items()}
    state = needy({"Ana": 4, "Ben": 4, "pool": 1}, players, in_phase, minors=owners)
    return cash(state, SNCF=100, Ana=20)


@rule("EU-4.5.1-i")
def test_a_president_is_bankrupt_only_when_nothing_is_left_to_sell() -> None:
    state = corporation(ruined(), "KPEV", {"Ben": 5, "Ana": 2}, price=90)
    rich = buying(state, "SNCF")
    assert code(rich, GoBankrupt()) == "can-still-sell"
    assert cited(rich, GoBankrupt()) == "EU-4.5.1-i"
    poor = buying(charter(state, "KPEV", operated=False), "SNCF")
    assert code(poor, SellShares("KPEV", 1)) == "not-operated"
    assert code(poor, GoBankrupt()) == ""
    saved = buying(cash(state, SNCF=100, Ana=200), "SNCF")
    assert code(saved, GoBankrupt()) == "enough-money"


@rule("EU-4.5.1-i")
def test_who_sold_all_and_still_cannot_pay_is_out_of_the_game() -> None:
    state = corporation(ruined(), "KPEV", {"Ben": 5, "Ana": 1}, price=90)
    state = play(buying(state, "SNCF"), SellShares("KPEV", 1))
    assert PlayerBankrupt("Ana") in events(state, GoBankrupt())
    after = play(state, GoBankrupt())
    ana = after.players["Ana"]
    assert (ana.bankrupt, ana.cash) == (True, 0)
    assert all(company.held("Ana") == 0 for company in after.companies.values())
    assert total(after) == 12000


@rule("EU-4.5.1-i")
def test_a_bankrupt_player_has_no_further_turn() -> None:
    state = play(buying(ruined(3), "SNCF"), GoBankrupt())
    state = play(cash(state, Ben=500), BuyTrain("4", "stack", 300))
    state = pass_until(state, StockRound)
    assert state.acting == "Ben"  # the priority deal was Ana's
    turns: list[str | None] = [state.acting]
    for _ in range(3):
        state = play(state, Pass())
        turns.append(state.acting if state.round.kind == "SR" else None)
    assert turns == ["Ben", "Cleo", None, None]


@rule("EU-4.5.1-j")
def test_the_shares_of_a_bankrupt_go_to_the_pool_and_prices_stay() -> None:
    state = corporation(
        ruined(), "KPEV", {"Ben": 3, "Ana": 2, "pool": 5}, price=90
    )  # the pool is full
    state = corporation(state, "FS", {"Cleo": 5, "Ana": 3}, price=82, operated=False)
    state = buying(state, "SNCF")
    before = prices(state, "SNCF", "KPEV", "FS")
    after = play(state, GoBankrupt())
    pools = [after.companies[symbol].held("pool") for symbol in ("SNCF", "KPEV", "FS")]
    assert pools == [5, 7, 3]
    assert prices(after, "SNCF", "KPEV", "FS") == before == [100, 90, 82]


@rule("EU-4.5.1-k")
def test_corporations_pass_to_whoever_has_most_and_at_least_two() -> None:
    state = corporation(ruined(), "KPEV", {"Ana": 3, "Ben": 2, "Cleo": 3}, operated=False)
    state = corporation(state, "FS", {"Ana": 2, "Cleo": 2, "Ben": 2}, price=82, operated=False)
    state = buying(state, "SNCF")
    told = events(state, GoBankrupt())
    assert PresidentChanged("SNCF", "Ana", "Ben") in told
    assert PresidentChanged("KPEV", "Ana", "Cleo") in told
    assert PresidentChanged("FS", "Ana", "Ben") in told  # a tie: first in order after Ana
    after = play(state, GoBankrupt())
    owners = {s: after.companies[s].owner for s in ("SNCF", "KPEV", "FS")}
    assert owners == {"SNCF": "Ben", "KPEV": "Cleo", "FS": "Ben"}


def _orphan() -> State:
    """Ana also leads KPEV, in which nobody else has two shares."""
    state = corporation(
        ruined(in_phase="5"),
        "KPEV",
        {"Ana": 4, "Ben": 1, "Cleo": 1, "pool": 4},
        price=90,
        operated=False,
        tokens=3,
        trains=("4", "P"),
    )
    state = tokens(state, J5=(("KPEV",), ()), J11=(("KPEV",),))
    return cash(state, SNCF=100, KPEV=77, Ana=20, Ben=300, Cleo=300, Dan=300)


@rule("EU-4.5.1-l")
def test_a_corporation_nobody_can_lead_closes() -> None:
    state = buying(_orphan(), "SNCF")
    assert CompanyClosed("KPEV") in events(state, GoBankrupt())
    after = play(state, GoBankrupt())
    closed = after.companies["KPEV"]
    assert (closed.trains, closed.cash, closed.owner) == ((), 0, "")
    assert after.depot.pool == ("P",) * 5 + ("4", "P")
    assert list(tokens_of(after.board, "KPEV")) == []
    assert marker(after, "KPEV") is None
    money = [after.players[name].cash for name in ("Ben", "Cleo", "Dan")]
    assert money == [300, 300, 300]  # nobody is paid for his share
    assert total(after) == 12000


@rule("EU-4.5.1-m", "EU-A-20")
def test_a_closed_corporation_can_be_started_again() -> None:
    """Reported as #7266: closed companies can be restarted."""
    state = play(buying(_orphan(), "SNCF"), GoBankrupt())
    assert state.companies["KPEV"].shares == {"treasury": 10}
    assert not state.companies["KPEV"].started
    state = stock_round(cash(state, Cleo=600), "Cleo", turn=3)
    assert code(state, StartCompany("KPEV", 65)) == "no-par"
    again = play(state, StartCompany("KPEV", 100), PlaceToken("J5", 0))
    company = again.companies["KPEV"]
    assert company.shares == {"treasury": 8, "Cleo": 2}
    assert (company.owner, company.par, company.cash) == ("Cleo", 100, 100)  # 200 less tokens
    assert (company.tokens, company.operated, company.floated) == (4, False, False)
    assert list(tokens_of(again.board, "KPEV")) == [("J5", 0)]
    assert prices(again, "KPEV") == [100]


@rule("EU-4.5.1-l")
def test_a_corporation_closed_in_the_round_does_not_operate_any_more() -> None:
    """Reported as #7266: closed companies leave the operating order."""
    state = corporation(_orphan(), "FS", {"Dan": 5}, price=70, trains=("4",))
    state = buying(state, "SNCF")
    assert state.title.order(state) == ["SNCF", "KPEV", "FS"]
    after = play(state, GoBankrupt())
    assert after.title.order(after) == ["SNCF", "FS"]
    after = play(cash(after, Ben=700), BuyTrain("4", "pool", 300))
    assert (after.step.subject, after.acting) == ("FS", "Dan")


@rule("EU-4.5.1-n")
def test_the_new_president_completes_the_purchase_with_the_money_raised() -> None:
    state = corporation(ruined(), "KPEV", {"Ben": 5, "Ana": 1}, price=90)
    state = cash(state, SNCF=100, Ana=20, Ben=200)
    state = play(buying(state, "SNCF"), SellShares("KPEV", 1), GoBankrupt())
    assert state.companies["SNCF"].cash == 100 + 20 + 90
    assert state.acting == "Ben"
    assert code(state, Pass()) == "must-buy-train"
    after = play(state, BuyTrain("4", "stack", 300))
    assert after.companies["SNCF"].trains == ("4",)
    assert (after.companies["SNCF"].cash, after.players["Ben"].cash) == (0, 110)


@rule("EU-4.5.1-n")
def test_the_new_president_sells_by_the_same_rules() -> None:
    state = corporation(ruined(), "KPEV", {"Ben": 5, "Ana": 1}, price=90)
    state = cash(state, SNCF=100, Ana=20, Ben=0)
    state = play(buying(state, "SNCF"), SellShares("KPEV", 1), GoBankrupt())
    assert code(state, SellShares("KPEV", 3)) == "over-selling"  # 90 missing at 82
    assert code(state, SellShares("KPEV", 2)) == ""  # Ana's block is not his


@rule("EU-4.5.1-n")
def test_bankruptcies_may_follow_one_another_in_one_turn() -> None:
    state = needy({"Ana": 3, "Ben": 3, "Cleo": 3}, 4)
    state = buying(cash(state, SNCF=100, Ana=20, Ben=30, Cleo=500), "SNCF")
    state = play(state, GoBankrupt())
    assert (state.acting, state.companies["SNCF"].cash) == ("Ben", 120)
    state = play(state, GoBankrupt())
    assert (state.acting, state.companies["SNCF"].cash) == ("Cleo", 150)
    state = play(state, BuyTrain("4", "stack", 300))
    assert state.companies["SNCF"].trains == ("4",)
    assert state.players["Cleo"].cash == 350
    assert state.companies["SNCF"].held("pool") == 6
    assert not state.finished


@rule("EU-A-20")
def test_when_the_operating_corporation_closes_its_turn_ends() -> None:
    state = needy({"Ana": 2, "Ben": 1, "pool": 5})
    state = corporation(state, "KPEV", {"Ben": 5}, price=90, trains=("4",))
    state = buying(cash(state, SNCF=100, Ana=20), "SNCF")
    bank = state.bank
    assert TurnBegan("KPEV") in events(state, GoBankrupt())
    after = play(state, GoBankrupt())
    assert after.step.subject == "KPEV"
    assert (after.acting, str(after.round)) == ("Ben", "OR 2.1")
    assert after.bank == bank + 120
    sncf = after.companies["SNCF"]
    assert (sncf.cash, sncf.shares, sncf.operated) == (0, {"treasury": 10}, False)
    assert total(after) == 12000


@rule("EU-A-20")
def test_a_corporation_started_again_counts_as_new_before_phase_5_too() -> None:
    state = needy({"Ana": 2, "Ben": 1, "pool": 5})
    state = corporation(state, "KPEV", {"Ben": 5}, price=90, trains=("4",))
    state = play(buying(cash(state, SNCF=100, Ana=20), "SNCF"), GoBankrupt())
    state = stock_round(cash(state, Cleo=500), "Cleo", turn=3)
    assert code(state, StartCompany("SNCF", 100)) == "no-minor"


@rule("EU-A-19")
def test_the_minors_of_a_bankrupt_close() -> None:
    """Reported in #10000: the minors of a bankrupt player close."""
    state = charter(ruined(m8="Ana", m4="Ben"), "8", trains=("3",))
    state = buying(cash(state, SNCF=100, Ana=20, m8=45, m4=30), "SNCF")
    bank = state.bank
    after = play(state, GoBankrupt())
    minor = after.companies["8"]
    assert (minor.closed, minor.cash, minor.trains, minor.owner) == (True, 0, (), "")
    assert after.bank == bank + 45
    assert after.depot.pool[-1] == "3"
    assert list(tokens_of(after.board, "8")) == []
    assert not after.companies["4"].closed
    assert total(after) == 12000


@rule("EU-A-19")
def test_the_final_exchange_goes_on_without_a_bankrupt_player() -> None:
    """Reported as #8399: the exchange round must not turn in a circle over a bankrupt player."""
    state = ruined(in_phase="5", m8="Ana", m9="Ben", m3="Cleo", m13="Cleo")
    state = tokens(corporation(state, "KPEV", {"Cleo": 5}), J5=(("9",), ("KPEV",)))
    state = play(buying(cash(state, SNCF=100, Ana=20), "SNCF"), GoBankrupt())
    assert (state.companies["8"].closed, state.companies["9"].closed) == (True, False)
    state = exchanging(state, "Dan")
    acted = []
    while state.round.kind == "FER":
        acted.append(state.acting)
        state = play(state, plain(state.options()[0]))
    assert acted == ["Cleo", "Cleo", "Ben"]  # a token for KPEV, one of two minors, one for SNCF
    assert str(state.round) == "SR 3"
    assert all(c.closed for c in state.companies.values() if c.kind == "minor")
