"""Section VII.3.10: money for a train that a company must buy and cannot pay for."""

from __future__ import annotations

from carril.engine.actions import (
    BuyTrain,
    GoBankrupt,
    IssueShares,
    Pass,
    Range,
    SellShares,
)
from carril.engine.events import GameEnded, PlayerBankrupt
from carril.engine.market import price
from carril.engine.state import State
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from tests.rulebook.cuba.positions import (
    buying,
    extra,
    four_companies,
    major,
    memory,
    pool,
    reach,
    supply,
)
from tests.table import charter, cited, code, events, offered, play

THREE = BuyTrain("3", "stack", 200)
ISSUE = IssueShares(1)


def short(treasury: int = 20, cash: int = 30) -> State:
    """MS of Ana (price 90) must buy a 3 train for 200; by default its treasury has 4 shares.

    Ana also holds two shares of NPP (price 100), which Ben directs.
    """
    state = major(four_companies("3"), "NPP", {"Ben": 5, "Ana": 2}, value=100)
    return buying(state, "MS", MS=treasury, Ana=cash)


def step(state: State) -> BuyTrains:
    """Return the train step that is due."""
    assert isinstance(state.step, BuyTrains)
    return state.step


@rule("CUBA-VII.3.10-a")
def test_it_applies_only_to_a_company_that_must_buy_and_cannot_pay() -> None:
    rich = short(treasury=200)
    assert (code(rich, ISSUE), cited(rich, ISSUE)) == ("enough-money", "CUBA-VII.3.10-l")
    assert code(rich, SellShares("NPP", 1)) == "enough-money"
    owner = buying(charter(four_companies("3"), "MS", trains=("2",)), "MS", MS=150)
    assert (code(owner, ISSUE), cited(owner, ISSUE)) == ("no-emergency", "CUBA-VII.3.10-a")
    assert (code(owner, THREE), cited(owner, THREE)) == ("no-help", "CUBA-VII.3.10-a")
    assert code(owner, SellShares("NPP", 1)) == "no-emergency"


@rule("CUBA-VII.3.10-b", "CUBA-VII.3.10-i")
def test_cash_and_issued_shares_in_any_mixture() -> None:
    """200 are due. All by cash: 20 + 180. One issue: 20 + 90 = 110, cash 90. Two: 195, cash 5."""
    by_cash = play(short(cash=180), THREE)
    assert (by_cash.companies["MS"].cash, by_cash.players["Ana"].cash) == (0, 0)
    one = play(short(cash=180), ISSUE, THREE)
    assert (one.companies["MS"].cash, one.players["Ana"].cash) == (0, 90)
    two = play(short(cash=180), ISSUE, ISSUE, THREE)
    assert (two.companies["MS"].cash, two.players["Ana"].cash) == (0, 175)
    # Three issues bring 90 + 85 + 80 = 255: 275 in the treasury, of which 75 stay there.
    three = play(short(cash=180), ISSUE, ISSUE, ISSUE, THREE)
    assert (three.companies["MS"].cash, three.players["Ana"].cash) == (75, 180)


@rule("CUBA-VII.3.10-c", "CUBA-VI.8-j")
def test_each_issue_pays_the_price_and_lowers_it_by_one_step() -> None:
    """The book's 100: two issues pay 100 and 95. Two of five treasury shares leave three: 30%."""
    state = major(four_companies("3"), "MS", {"Ana": 5}, value=100)
    state = play(buying(state, "MS", MS=0), ISSUE)
    assert (state.companies["MS"].cash, price(state, "MS")) == (100, 95)
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (2, 2)
    state = play(state, ISSUE)
    assert (state.companies["MS"].cash, price(state, "MS")) == (195, 90)
    assert state.companies["MS"].held("pool") == 2
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (3, 1)


@rule("CUBA-VII.3.10-d")
def test_the_pool_holds_five_certificates_at_most() -> None:
    state = charter(short(cash=0), "MS", shares={"Ana": 3, "pool": 4, "treasury": 3})
    state = play(state, ISSUE)
    assert (code(state, ISSUE), cited(state, ISSUE)) == ("pool-full", "CUBA-VI.4-d")
    assert offered(state, IssueShares) == []


@rule("CUBA-VII.3.10-e")
def test_own_shares_are_sold_only_when_cash_and_issues_are_used_up() -> None:
    """One treasury share: 20 + 90 + 30 cash = 140; 60 are missing, one share of NPP is enough."""
    state = charter(short(), "MS", shares={"Ana": 5, "Cleo": 4, "treasury": 1})
    sale = SellShares("NPP", 1)
    assert (code(state, sale), cited(state, sale)) == ("can-still-issue", "CUBA-VII.3.10-e")
    assert offered(state, SellShares) == []
    state = play(state, ISSUE)
    assert step(state).missing(state) == 60
    assert code(state, SellShares("NPP", 2)) == "over-selling"
    assert code(state, sale) == ""
    assert code(play(state, sale), SellShares("NPP", 1)) == "enough-money"


@rule("CUBA-VII.3.10-e", "CUBA-VII.3.10-i", "CUBA-VII.3.10-b")
def test_an_emergency_by_issue_cash_and_sales() -> None:
    """MS (price 90) has 20 and one treasury share; Ana has 30 and two shares of NPP (100).

    The share is issued: 20 + 90 = 110, the price falls to 85 (VII.3.10-c). 200 - 110 = 90 are
    missing, Ana has 30 of them, so she must raise 60 and sells one share of NPP for 100, whose
    price falls to 95 (IXa.3-a). She has 130, adds exactly 90 and keeps 40 (VII.3.10-i). The bank
    has paid 90 + 100 and got 200. The last treasury share is out, so both locked stations of MS
    are usable (VI.8-h, -i).
    """
    state = charter(short(), "MS", shares={"Ana": 5, "Cleo": 4, "treasury": 1})
    bank = state.bank
    state = play(state, ISSUE)
    assert (state.companies["MS"].cash, price(state, "MS")) == (110, 85)
    state = play(state, SellShares("NPP", 1))
    assert (state.players["Ana"].cash, price(state, "NPP")) == (130, 95)
    state = play(state, THREE)
    assert (state.players["Ana"].cash, state.companies["MS"].cash) == (40, 0)
    assert state.companies["MS"].trains == ("3",)
    assert state.bank == bank - 90 - 100 + 200
    assert (state.companies["MS"].tokens, state.companies["MS"].locked) == (4, 0)
    assert state.companies["MS"].owner == "Ana"


@rule("CUBA-VII.3.10-f")
def test_sales_follow_the_rules_and_change_no_director() -> None:
    """MS has nothing to issue; 150 are missing."""
    state = charter(short(), "MS", shares={"Ana": 5, "Cleo": 5})
    assert code(state, SellShares("MS", 1)) == "keeps-director", "Cleo would direct MS"
    assert cited(state, SellShares("MS", 1)) == "CUBA-VII.3.10-f"
    other = charter(state, "HG", shares={"Ana": 3, "Ben": 2})
    assert code(other, SellShares("HG", 1)) == "", "both hold two, which changes nothing"
    assert code(other, SellShares("HG", 2)) == "keeps-director"
    full = charter(state, "NPP", shares={"Ben": 3, "Ana": 2, "pool": 5})
    assert code(full, SellShares("NPP", 1)) == "pool-full"
    new = charter(state, "NPP", operated=False)
    assert code(new, SellShares("NPP", 1)) == "not-operated"


@rule("CUBA-VII.3.10-g")
def test_the_train_comes_from_the_bank_or_the_pool() -> None:
    """NPP would sell a train for 100, which MS has only after an issue."""
    state = charter(short(), "NPP", trains=("3",))
    assert code(state, BuyTrain("3", "NPP", 20)) == "", "its own money is no emergency money"
    assert code(state, BuyTrain("3", "NPP", 21)) == "treasury-short-train", "nobody helps"
    issued = play(state, ISSUE)
    deal = BuyTrain("3", "NPP", 100)
    assert (code(issued, deal), cited(issued, deal)) == (
        "emergency-from-bank",
        "CUBA-VII.3.10-g",
    )
    assert all(option.source == "stack" for option in offered(issued, BuyTrain))  # type: ignore[union-attr]
    old = buying(pool(short(), "2"), "MS", MS=70)
    assert code(old, BuyTrain("2", "pool", 100)) == "", "70 + 30 pay for the old one"


@rule("CUBA-VII.3.10-h")
def test_only_the_cheapest_train_of_the_gauge() -> None:
    state = short(cash=600)
    plus = BuyTrain("3+", "stack", 230)
    assert (code(state, plus), cited(state, plus)) == ("only-cheapest", "CUBA-VII.3.10-h")
    late = buying(reach(four_companies("3"), "7"), "MS", MS=0, Ana=900)
    assert code(late, BuyTrain("4D", "stack", 800)) == "only-cheapest"
    assert code(late, BuyTrain("8", "stack", 700)) == ""
    cheaper = buying(pool(reach(four_companies("3"), "7"), "5"), "MS", MS=0, Ana=900)
    assert code(cheaper, BuyTrain("8", "stack", 700)) == "only-cheapest"
    assert code(cheaper, BuyTrain("5", "pool", 500)) == ""
    minor = buying(four_companies("3"), "HG", HG=0, Ana=500)
    assert code(minor, BuyTrain("3n", "stack", 180)) == "only-cheapest"
    assert code(minor, BuyTrain("2n", "stack", 80)) == ""


@rule("CUBA-VII.3.10-h")
def test_money_from_issued_shares_buys_the_cheapest_train_alone() -> None:
    """MS has 170, the 3 costs 200. One issue at 90 makes 260: no wagon, no 3+ for 230."""
    state = buying(four_companies("3"), "MS", MS=170, Ana=0)
    state = play(state, ISSUE)
    assert state.companies["MS"].cash == 260
    assert code(state, BuyTrain("3+", "stack", 230)) == "only-cheapest"
    assert code(state, BuyTrain("1w", "stack", 40)) == "only-cheapest"
    bought = play(state, THREE)
    assert bought.companies["MS"].cash == 60
    assert code(bought, BuyTrain("1w", "stack", 40)) == "", "the emergency is over"


@rule("CUBA-VII.3.10-j", "CUBA-G30", "CUBA-VII.3.9-b")
def test_without_any_train_of_the_gauge_the_company_goes_without() -> None:
    """2n trains are sold out in phase 2; 3n are still locked."""
    state = supply(four_companies("2"), {"2n": 0})
    state = charter(state, "JU", trains=("2n",))
    minor = buying(state, "HG", HG=500)
    assert not minor.agenda, "nothing to buy, nothing that must be bought"
    assert minor.companies["HG"].trains == ()
    again = buying(pool(state, "2n"), "HG", HG=500)
    assert code(again, Pass()) == "must-buy-train"


@rule("CUBA-VII.3.10-k", "CUBA-G18")
def test_a_director_who_cannot_raise_the_money_ends_the_game() -> None:
    """20 + 30 of 200, nothing to issue, two shares of NPP bring 200 - enough; one does not."""
    solvent = charter(short(), "MS", shares={"Ana": 5, "Cleo": 5})
    assert (code(solvent, GoBankrupt()), cited(solvent, GoBankrupt())) == (
        "can-still-sell",
        "CUBA-VII.3.10-k",
    )
    poor = charter(solvent, "NPP", shares={"Ben": 5, "Ana": 1, "treasury": 4})
    assert code(poor, GoBankrupt()) == "can-still-sell", "everything legal is sold first"
    sold = play(poor, SellShares("NPP", 1), SellShares("HG", 1))
    # 30 + 100 + 80 = 210 would pay; so HG must not be for sale either: Ben holds two of it.
    assert step(sold).missing(sold) == 0
    poor = charter(poor, "HG", shares={"Ana": 2, "Ben": 2, "treasury": 1})
    poor = play(poor, SellShares("NPP", 1))
    assert poor.players["Ana"].cash == 130
    assert poor.options() == (GoBankrupt(by="Ana"),)
    told = events(poor, GoBankrupt())
    assert PlayerBankrupt("Ana") in told
    assert GameEnded("bankruptcy") in told
    over = play(poor, GoBankrupt())
    assert (over.players["Ana"].cash, over.companies["MS"].cash) == (0, 150)
    assert over.finished
    # Ana: 5 x MS at 90 and 2 x HG at 80 = 610. Ben: 680, 5 x NPP at 95, 3 x JU at 75, 2 x HG.
    assert over.result is not None
    assert over.result["Ana"] == 5 * 90 + 2 * 80
    assert over.result["Ben"] == 680 + 5 * 95 + 3 * 75 + 2 * 80


@rule("CUBA-VII.3.10-l", "CUBA-G38")
def test_no_issue_beyond_the_need_and_a_concession_helps_only_if_it_is_used() -> None:
    """HG has 75; with concession M6 the 2n is free, but Ana may rather issue a share."""
    state = extra(four_companies("3"), bonuses={"M6": "Ana"})
    state = buying(state, "HG", HG=75, Ana=0)
    assert code(state, BuyTrain("2n", "stack", 80)) == "president-short"
    assert code(state, GoBankrupt()) == "enough-money", "the concession would pay for it"
    free = play(state, BuyTrain("2n", "stack", 0, private="M6"))
    assert (free.companies["HG"].cash, memory(free).bonuses) == (75, {})
    issued = play(state, ISSUE)
    assert issued.companies["HG"].cash == 155
    assert (code(issued, ISSUE), cited(issued, ISSUE)) == ("enough-money", "CUBA-VII.3.10-l")
    paid = play(issued, BuyTrain("2n", "stack", 80))
    assert (paid.companies["HG"].cash, memory(paid).bonuses) == (75, {"M6": "Ana"})


@rule("CUBA-VII.3.10-c")
def test_one_share_at_a_time() -> None:
    state = short()
    assert code(state, IssueShares(2)) == "deal-too-large"
    assert offered(state, IssueShares) == [IssueShares(1, by="Ana")]
    assert not [o for o in state.options() if isinstance(o, Range) and o.field == "count"]
