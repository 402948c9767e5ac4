"""Forced purchases: treasury, director's cash, then shares or a loan."""

from __future__ import annotations

from carril.engine.actions import (
    BuyTender,
    BuyTrain,
    CombineTrains,
    GoBankrupt,
    Pass,
    Range,
    SellShares,
)
from carril.engine.events import LoanTaken, SharesSold
from carril.engine.market import price
from carril.engine.money import total
from carril.engine.state import State
from carril.rules.marker import rule
from tests.rulebook.esp.positions import extra, major, minor
from tests.rulebook.esp.purchases import buying, company, deck, empty, pool
from tests.table import cash, charter, cited, code, events, offered, plain, play

FOUR = BuyTrain("4", "stack", 300)


def needy(treasury: int = 200, purse: int = 99) -> State:
    """N of Ana has no train in phase 4, where the cheapest costs 300."""
    state = company(empty("4"), "N", money=treasury)
    return cash(state, Ana=purse)


def with_shares(missing: int = 100, **held: int) -> State:
    """Ana lacks so much for N's train and holds shares of MCP (at 80), which Ben leads."""
    shares = {"Ben": 3, "Ana": held.get("MCP", 3)}
    return major(needy(200, 100 - missing), "MCP", shares, trains=("4",))


def loan(amount: int) -> BuyTrain:
    """Return the purchase with a loan."""
    return BuyTrain("4", "stack", 300, loan=amount)


# --- when and what -----------------------------------------------------------------------


@rule("ESP-4.7.1-a")
def test_help_only_when_the_company_must_buy_and_cannot_pay() -> None:
    able = buying(needy(300), "N")
    assert code(able, loan(1)) == "loan-not-needed"
    assert code(able, SellShares("N", 1)) == "enough-money"
    other = company(charter(needy(299), "N", trains=("4",)), "A", "Ben", trains=("4",))
    owner = buying(other, "N")
    assert code(owner, FOUR) == "no-help"
    assert cited(owner, FOUR) == "ESP-4.7.1-a"
    assert code(owner, SellShares("N", 1)) == "no-emergency"
    assert code(buying(needy(299, 1), "N"), FOUR) == ""


@rule("ESP-4.7.1-b")
def test_no_help_towards_a_train_of_another_company() -> None:
    state = buying(company(needy(100, 500), "A", "Ana", trains=("4", "4")), "N")
    assert code(state, BuyTrain("4", "A", 101)) == "treasury-short-train"
    assert cited(state, BuyTrain("4", "A", 101)) == "ESP-4.7.1-b"
    assert code(state, BuyTrain("4", "A", 100, loan=1)) == "treasury-short-train"
    assert code(state, BuyTrain("4", "A", 100)) == ""


@rule("ESP-4.7.1-c", "ESP-A38")
def test_the_cheapest_train_of_the_bank_must_be_bought() -> None:
    """A 4 train in the open market is cheaper than the 5 on top of the deck."""
    state = cash(pool(company(empty("5"), "N", money=100), "4"), Ana=600)
    state = buying(state, "N")
    assert code(state, BuyTrain("5", "stack", 500)) == "only-cheapest"
    assert cited(state, BuyTrain("5", "stack", 500)) == "ESP-4.7.1-c"
    assert code(state, BuyTrain("4", "pool", 300)) == ""
    able = cash(state, N=300)  # it can pay the 4, so nobody helps towards the 5
    assert code(able, BuyTrain("5", "stack", 500)) == "only-cheapest"
    assert code(cash(state, N=500), BuyTrain("5", "stack", 500)) == ""


@rule("ESP-4.7.1-c", "ESP-A39")
def test_either_side_of_the_cheapest_card_may_be_bought() -> None:
    state = buying(needy(200, 100), "N")
    for side in ("4", "3+4"):
        after = play(state, BuyTrain(side, "stack", 300))
        assert after.companies["N"].trains == (side,)


@rule("ESP-4.7.1-c")
def test_no_combining_in_a_forced_purchase() -> None:
    """Only the strawberry train is there to be coupled with, and it may not."""
    state = company(empty("5"), "N", trains=("2P",), money=250)
    state = buying(extra(cash(state, Ana=500), scrap={"2": 1}), "N")
    assert code(state, CombineTrains("2P", "1+2")) == "strawberry-not-combined"
    assert code(state, CombineTrains("5", "1+2")) == "no-such-train-owned"
    assert not offered(state, CombineTrains)


@rule("ESP-4.7.1-d")
def test_first_the_whole_treasury_then_the_directors_cash() -> None:
    state = buying(needy(200, 150), "N")
    after = play(state, FOUR)
    assert after.companies["N"].cash == 0
    assert after.players["Ana"].cash == 50
    assert after.players["Ana"].debt == 0
    assert total(after) == total(state)


@rule("ESP-4.7.1-d", "ESP-4-e")
def test_money_that_shares_were_sold_for_is_not_spent_elsewhere() -> None:
    tender = BuyTender("pool", by="Ana")
    state = extra(buying(with_shares(100), "N"), tenders_pool=1)
    assert code(state, tender) == ""  # a loan can still make up for it
    assert tender in [plain(option) for option in state.options()]
    sold = play(play(state, SellShares("MCP", 1)), SellShares("MCP", 1))
    assert code(sold, tender) == "treasury-for-train"
    assert cited(sold, tender) == "ESP-4.7.1-d"
    assert tender not in [plain(option) for option in sold.options()]
    assert code(sold, FOUR) == ""  # what was sold suffices, and it still does
    assert sold.options()


# --- shares or a loan --------------------------------------------------------------------


@rule("ESP-4.7.1-j")
def test_the_loan_is_exactly_what_is_missing() -> None:
    state = buying(needy(200, 99), "N")
    for wrong in (2, 100):
        assert code(state, loan(wrong)) == "loan-exact"
    assert code(state, FOUR) == "president-short"
    assert BuyTrain("4", "stack", 300, loan=1, by="Ana") in offered(state, BuyTrain)
    assert LoanTaken("Ana", 1) in events(state, loan(1))
    after = play(state, loan(1))
    assert (after.players["Ana"].debt, after.players["Ana"].cash) == (1, 0)
    assert after.companies["N"].trains == ("4",)


@rule("ESP-4.7.1-e", "ESP-A41")
def test_the_director_sells_or_borrows_as_he_likes_but_not_both() -> None:
    state = buying(with_shares(100), "N")  # 300 - 200 - 0: 100 are missing
    assert code(state, loan(100)) == ""
    assert code(state, SellShares("MCP", 2)) == ""
    one = play(state, SellShares("MCP", 1))  # 80, so 20 are missing
    assert code(one, loan(20)) == "shares-or-loan"
    assert cited(one, loan(20)) == "ESP-4.7.1-e"
    assert code(one, FOUR) == "president-short"
    two = play(one, SellShares("MCP", 1))  # at 75
    assert two.players["Ana"].cash == 155
    assert play(two, FOUR).players["Ana"].cash == 55


@rule("ESP-4.7.1-f")
def test_no_more_shares_than_needed_and_the_surplus_is_his() -> None:
    state = buying(with_shares(100), "N")
    assert code(state, SellShares("MCP", 3)) == "over-selling"
    assert cited(state, SellShares("MCP", 3)) == "ESP-4.7.1-f"
    sold = play(state, SellShares("MCP", 2))
    assert code(sold, SellShares("MCP", 1)) == "enough-money"
    after = play(sold, FOUR)
    assert after.players["Ana"].cash == 60


@rule("ESP-4.7.1-g")
def test_no_sale_that_changes_a_director() -> None:
    """Ana leads A with four against Ben's three: one share may go, a second would cost her A."""
    state = major(needy(200, 0), "A", {"Ana": 4, "Ben": 3}, par=100, trains=("4",))
    state = major(state, "MCP", {"Ben": 3, "Ana": 3}, trains=("4",))
    state = buying(cash(state, N=100), "N")  # 200 are missing
    assert code(state, SellShares("A", 2)) == "keeps-director"
    assert cited(state, SellShares("A", 2)) == "ESP-4.7.1-g"
    assert code(state, SellShares("A", 1)) == ""
    ranges = {plain(o): o.most for o in offered(state, SellShares) if isinstance(o, Range)}
    assert ranges[SellShares("A", 1, by="Ana")] == 1


@rule("ESP-4.7.1-h")
def test_the_usual_rules_of_selling_hold() -> None:
    full = major(needy(200, 0), "MCP", {"Ben": 2, "Ana": 3, "pool": 4}, trains=("4",))
    full = major(full, "A", {"Ben": 3, "Ana": 3}, trains=("4",))
    assert code(buying(full, "N"), SellShares("MCP", 2)) == "pool-full"
    assert code(buying(full, "N"), SellShares("MCP", 1)) == ""
    new = charter(with_shares(100), "MCP", operated=False)
    assert code(buying(new, "N"), SellShares("MCP", 2)) == "not-operated"
    own = buying(cash(with_shares(100), N=200), "N")
    assert code(own, SellShares("N", 3)) == "no-heir"  # the certificate of 20% stays
    small = minor(with_shares(100), "MS", "Ana", trains=("3",))
    assert code(buying(small, "N"), SellShares("MS", 1)) == "minor-not-sold"
    state = buying(with_shares(100), "N")
    assert SharesSold("Ana", "MCP", 2, 80) in events(state, SellShares("MCP", 2))
    assert price(play(state, SellShares("MCP", 2)), "MCP") == 70


@rule("ESP-4.7.1-h", "ESP-A40")
def test_shares_of_the_company_itself_may_be_sold() -> None:
    state = buying(needy(200, 0), "N")  # four shares at 80, two of them the certificate
    after = play(state, SellShares("N", 2), FOUR)
    assert after.companies["N"].shares == {"Ana": 2, "pool": 2, "ipo": 6}
    assert after.players["Ana"].cash == 60


@rule("ESP-4.7.1-i")
def test_shares_that_cannot_raise_enough_stay_unsold() -> None:
    state = buying(charter(with_shares(241), "N", cash=200), "N")
    state = buying(cash(state, N=59, Ana=0), "N")  # 241 missing: 3 x 80 + 2 x 80 would do
    assert code(state, SellShares("MCP", 3)) == ""
    short = buying(charter(cash(state, N=0, Ana=0), "N", shares={"Ana": 2, "ipo": 8}), "N")
    assert code(short, SellShares("MCP", 3)) == "sales-not-enough"
    assert cited(short, SellShares("MCP", 3)) == "ESP-4.7.1-i"
    assert not offered(short, SellShares)
    assert code(short, loan(300)) == ""


@rule("ESP-4.7.1-i")
def test_no_sale_after_which_the_rest_cannot_be_raised() -> None:
    """Two shares at 80 make 160 at once, but 80 and 75 one by one."""
    state = with_shares(0, MCP=2)
    state = charter(state, "N", shares={"Ana": 2, "ipo": 8})
    state = buying(cash(state, N=140, Ana=0), "N")  # 160 are missing
    assert code(state, SellShares("MCP", 1)) == "sales-not-enough"
    assert code(state, SellShares("MCP", 2)) == ""
    easy = buying(cash(state, N=145), "N")  # 155
    assert code(easy, SellShares("MCP", 1)) == ""
    assert play(easy, SellShares("MCP", 1), SellShares("MCP", 1)).players["Ana"].cash == 155


@rule("ESP-4.7.1-k")
def test_no_loan_for_a_second_train() -> None:
    state = company(needy(200, 99), "A", "Ben", trains=("4",))
    second = play(buying(cash(state, N=299, Ana=0), "N"), loan(1))
    assert second.companies["N"].trains == ("4",)
    again = cash(charter(state, "N", trains=("4",)), N=200)
    again = buying(again, "N")
    assert code(again, loan(1)) == "no-help"
    assert code(again, Pass()) == ""


@rule("ESP-4.7.1-l")
def test_there_is_no_bankruptcy() -> None:
    state = buying(cash(company(empty("8"), "N"), Ana=0), "N")
    assert code(state, GoBankrupt()) == "not-now"
    after = play(state, BuyTrain("8", "stack", 800, loan=800))
    assert after.players["Ana"].debt == 800
    assert after.companies["N"].trains == ("8",)
    assert not after.finished


@rule("ESP-4.7.1-a")
def test_a_minor_is_helped_as_well() -> None:
    state = minor(deck(empty("3"), "3"), "MS", "Ana", cash=0)
    state = buying(cash(state, MS=150, Ana=20), "MS")
    after = play(state, BuyTrain("3", "stack", 200, loan=30))
    assert after.companies["MS"].trains == ("3",)
    assert after.players["Ana"].debt == 30
