"""Emergency money: what a title can choose, and money that a company raises by itself."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyTrain, IssueShares, Range, SellShares
from carril.engine.market import price
from carril.engine.state import State
from carril.engine.steps.emergency import EmergencyRules
from carril.engine.steps.emergency_issue import EMERGENCY_ISSUE, issue_first
from carril.engine.steps.train_rules import TrainRules
from carril.engine.steps.trains import BuyTrains
from tests.engine.supplies import must_own, own_gauge, position
from tests.table import at, cash, charter, code, offered, phase, play

THREE = BuyTrain("3", "stack", 200)


def short_of(
    monkeypatch: pytest.MonkeyPatch, rules: EmergencyRules, trains: TrainRules | None = None
) -> State:
    """DR of Ana must buy a 3 train for 200 and has 50; Ana has 30 and also holds SNCF."""
    state = phase(position(monkeypatch, emergency=rules, trains=trains), "3")
    return at(cash(state, DR=50, Ana=30), BuyTrains("DR"))


def counts(state: State) -> dict[str, tuple[int, int]]:
    """Return how many shares of each company are offered for sale."""
    ranges = [option for option in offered(state, SellShares) if isinstance(option, Range)]
    return {one.action.company: (one.least, one.most) for one in ranges}  # type: ignore[attr-defined]


def test_the_president_adds_exactly_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    state = cash(short_of(monkeypatch, EmergencyRules()), Ana=400)
    after = play(state, THREE)
    assert (after.companies["DR"].cash, after.players["Ana"].cash) == (0, 250)
    assert code(state, BuyTrain("3+", "stack", 230)) == "only-cheapest"
    assert code(state, BuyTrain("1w", "stack", 40)) == "", "the treasury pays a wagon"
    assert code(cash(state, DR=30), BuyTrain("1w", "stack", 40)) == "treasury-short-train"


def test_nobody_helps_where_the_title_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = EmergencyRules(helps=lambda state, company: False)
    state = cash(short_of(monkeypatch, rules), Ana=400)
    assert code(state, THREE) == "minor-no-help"


def test_shares_are_sold_only_as_far_as_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    state = short_of(monkeypatch, EmergencyRules())
    step = state.step
    assert isinstance(step, BuyTrains)
    assert (step.missing(state), price(state, "SNCF")) == (120, 100)
    assert counts(state) == {"DR": (1, 2), "SNCF": (1, 2)}
    assert code(state, SellShares("SNCF", 3)) == "over-selling"
    assert code(play(state, SellShares("SNCF", 2)), SellShares("DR", 1)) == "enough-money"


@pytest.mark.parametrize(("every", "refused"), [(True, "keeps-director"), (False, "")])
def test_presidencies_of_other_companies(
    monkeypatch: pytest.MonkeyPatch, every: bool, refused: str
) -> None:
    state = short_of(monkeypatch, EmergencyRules(keeps_presidencies=every))
    state = charter(state, "SNCF", owner="Ana", shares={"Ana": 3, "Ben": 2, "treasury": 5})
    assert code(state, SellShares("SNCF", 2)) == refused
    own = charter(state, "DR", shares={"Ana": 3, "Ben": 2, "treasury": 5})
    wanted = "keeps-director" if every else "keeps-presidency"
    assert code(own, SellShares("DR", 2)) == wanted, "its own company is always kept"


@pytest.mark.parametrize(("once", "refused"), [(True, "sold-in-emergency"), (False, "")])
def test_a_second_sale_of_one_company(
    monkeypatch: pytest.MonkeyPatch, once: bool, refused: str
) -> None:
    state = short_of(monkeypatch, EmergencyRules(one_sale_each=lambda state: once))
    sold = play(state, SellShares("SNCF", 1))
    assert code(sold, SellShares("SNCF", 1)) == refused


@pytest.mark.parametrize(("all_needed", "refused"), [(True, "sales-not-enough"), (False, "")])
def test_sales_that_cannot_suffice(
    monkeypatch: pytest.MonkeyPatch, all_needed: bool, refused: str
) -> None:
    rules = EmergencyRules(must_suffice=lambda state: all_needed)
    state = short_of(monkeypatch, rules)
    state = charter(state, "DR", shares={"Ana": 2, "treasury": 8})
    poor = charter(state, "SNCF", shares={"Ben": 4, "Ana": 1, "treasury": 5})
    assert code(poor, SellShares("SNCF", 1)) == refused
    assert bool(counts(poor)) is not all_needed


# --- a company that issues shares of its own before the president sells any ---------------


def test_a_company_raises_money_itself_before_shares_are_sold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trains = TrainRules(barred=own_gauge, duty=must_own, actions=(EMERGENCY_ISSUE,))
    state = short_of(monkeypatch, EmergencyRules(sale_barred=issue_first), trains)
    state = charter(state, "DR", shares={"Ana": 5, "Ben": 4, "treasury": 1})
    assert counts(state) == {}
    assert code(state, SellShares("SNCF", 1)) == "can-still-issue"
    issued = play(state, IssueShares(1))
    assert (issued.companies["DR"].cash, issued.players["Ana"].cash) == (150, 30)
    assert code(issued, IssueShares(1)) == "not-in-treasury"
    assert counts(issued) == {"DR": (1, 1), "SNCF": (1, 1)}
    bought = play(issued, SellShares("SNCF", 1), THREE)
    assert bought.companies["DR"].trains == ("3",)
    assert bought.players["Ana"].cash == 80, "what is left of a sale stays with the president"


def test_a_title_without_a_further_action_refuses_it(monkeypatch: pytest.MonkeyPatch) -> None:
    state = short_of(monkeypatch, EmergencyRules())
    assert code(state, IssueShares(1)) == "not-now"
