"""Bonuses of converted concessions (ledger CUBA-IV.2)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyShare, IssueShares, Pass, PlaceBonus, SellShares
from carril.engine.events import DividendPaid, MoneyPaid, PriceMoved
from carril.engine.play import resume
from carril.engine.state import BANK, Round, State
from carril.engine.steps.dealing import DealStock
from carril.engine.steps.operating import EndTurn, OperatingRound
from carril.rules.marker import rule
from carril.titles.cuba.bonuses import CollectMail
from carril.titles.cuba.common import cuba
from tests.rulebook.cuba.positions import extra, game, major, minor, stock_round
from tests.table import at, cash, charter, cited, code, offered, phase, play

OR = Round("OR", 2, 1, 1)


def companies(**bonuses: str) -> State:
    """Ana directs MS and HG, Ben directs CVC and JU; bonuses by concession and owner."""
    state = major(game(4), "MS", {"Ana": 5})
    state = major(state, "CVC", {"Ben": 5})
    state = minor(state, "HG", {"Ana": 3})
    state = minor(state, "JU", {"Ben": 3})
    return extra(state, bonuses=bonuses)


def turn_of(state: State, company: str) -> State:
    """Return the first decision of a company's turn: issue or redeem."""
    step = DealStock(company, one_deal=True, most=1)
    return at(state, OperatingRound((company,)), EndTurn(company), step, round_=OR)


@rule("CUBA-IV.2-f", "CUBA-C27")
def test_the_wagon_is_a_ninth_one_for_a_major_of_its_owner() -> None:
    state = stock_round(companies(M2="Ana"))
    after = play(state, PlaceBonus("M2", "MS"))
    assert after.companies["MS"].trains == ("1w",)
    assert after.depot.left["1w"] == 8  # not from the supply
    assert cuba(after).bonuses == {}
    assert after.acting == "Ana"  # her turn goes on
    assert code(after, PlaceBonus("M2", "MS")) == "not-now"


@rule("CUBA-IV.2-f")
def test_the_wagon_goes_neither_to_a_minor_nor_to_a_rival() -> None:
    state = stock_round(companies(M2="Ana"))
    assert code(state, PlaceBonus("M2", "HG")) == "wagon-for-majors"
    assert code(state, PlaceBonus("M2", "CVC")) == "wagon-elsewhere"
    assert cited(state, PlaceBonus("M2", "HG")) == "CUBA-IV.2-f"
    assert cited(state, PlaceBonus("M2", "CVC")) == "CUBA-IV.2-f"
    assert code(state, PlaceBonus("M2", "FC")) == "wagon-for-majors"
    assert code(state, PlaceBonus("M2", "MS", "1")) == "no-choice"
    assert offered(state, PlaceBonus) == [PlaceBonus("M2", "MS", by="Ana")]


@rule("CUBA-IV.2-g", "CUBA-C27")
@pytest.mark.parametrize(("name", "limit"), [("3", 4), ("4", 3), ("5", 2)])
def test_the_wagon_counts_against_the_wagon_limit(name: str, limit: int) -> None:
    wagons = ("1w",) * (limit - 1)
    state = phase(charter(companies(M2="Ana"), "MS", trains=("4", *wagons)), name)
    assert code(stock_round(state), PlaceBonus("M2", "MS")) == ""
    full = stock_round(charter(state, "MS", trains=("4", *wagons, "1w")))
    assert code(full, PlaceBonus("M2", "MS")) == "wagon-limit"
    assert cited(full, PlaceBonus("M2", "MS")) == "CUBA-IV.2-g"


@rule("CUBA-IV.2-h", "CUBA-IV.2-i")
def test_the_third_concession_is_a_free_machine_from_the_dearest_space() -> None:
    state = stock_round(companies(M3="Ana"))
    money = state.companies["HG"].cash, state.players["Ana"].cash
    after = play(state, PlaceBonus("M3", "HG", "1"))
    assert cuba(after).machines == {"HG": ("1",)}
    # twelve machines at 25, 30, 35 and nine times 40: one of the last is gone
    assert cuba(after).machine_prices["1"] == (25, 30, 35, *(40,) * 8)
    assert (after.companies["HG"].cash, after.players["Ana"].cash) == money
    assert code(state, PlaceBonus("M3", "MS", "1")) == "machine-for-minors"
    assert code(state, PlaceBonus("M3", "JU", "1")) == "machine-elsewhere"
    assert cited(state, PlaceBonus("M3", "JU", "1")) == "CUBA-IV.2-h"


@rule("CUBA-IV.2-h", "CUBA-IV.2-j")
def test_the_machine_is_of_a_generation_that_is_on_sale() -> None:
    state = stock_round(companies(M3="Ana"))  # phase 1
    assert code(state, PlaceBonus("M3", "HG", "2")) == "machine-not-yet"
    assert cited(state, PlaceBonus("M3", "HG", "2")) == "CUBA-VII.3.11-c"
    assert code(state, PlaceBonus("M3", "HG", "4")) == "no-such-machine"
    assert code(state, PlaceBonus("M3", "HG")) == "no-such-machine"
    third = stock_round(phase(companies(M3="Ana"), "3"))
    assert offered(third, PlaceBonus) == [
        PlaceBonus("M3", "HG", "1", by="Ana"),
        PlaceBonus("M3", "HG", "2", by="Ana"),
    ]


@rule("CUBA-IV.2-j")
def test_no_machine_for_a_full_minor_or_from_an_empty_space() -> None:
    full = stock_round(extra(companies(M3="Ana"), machines={"HG": ("1", "1", "1")}))
    assert code(full, PlaceBonus("M3", "HG", "1")) == "machine-limit"
    assert cited(full, PlaceBonus("M3", "HG", "1")) == "CUBA-VII.3.11-e"
    prices = {"1": (), "2": (45,), "3": (65,)}
    gone = stock_round(extra(companies(M3="Ana"), machine_prices=prices))
    assert code(gone, PlaceBonus("M3", "HG", "1")) == "no-machine-left"


@rule("CUBA-IV.2-l")
def test_the_mail_contract_goes_to_a_major_of_its_owner() -> None:
    state = stock_round(companies(M5="Ana"))
    assert code(state, PlaceBonus("M5", "HG")) == "mail-for-majors"
    assert code(state, PlaceBonus("M5", "CVC")) == "mail-elsewhere"
    assert cited(state, PlaceBonus("M5", "HG")) == "CUBA-IV.2-l"
    assert cuba(play(state, PlaceBonus("M5", "MS"))).mail == "MS"


@rule("CUBA-IV.2-m", "CUBA-IV.2-n", "CUBA-G9")
@pytest.mark.parametrize(
    ("name", "income"),
    [("1", 10), ("2", 10), ("3", 20), ("4", 20), ("5", 30), ("6", 30), ("7", 40)],
)
def test_the_mail_pays_the_treasury_at_the_start_of_a_turn(name: str, income: int) -> None:
    state = phase(extra(cash(companies(), MS=100), mail="MS"), name)
    before = turn_of(state, "MS")
    steps = before.agenda[:-1]
    mail = resume(_with_agenda(state, *steps, before.step, CollectMail("MS")))
    assert mail.state.companies["MS"].cash == 100 + income
    assert isinstance(mail.state.step, DealStock)  # the issue step comes after it
    assert mail.events == (MoneyPaid(BANK, "MS", income, "mail"),)
    kinds = {type(event) for event in mail.events}
    assert not kinds & {PriceMoved, DividendPaid}
    other = resume(_with_agenda(state, *steps, CollectMail("CVC")))
    assert not any(isinstance(event, MoneyPaid) for event in other.events)


def _with_agenda(state: State, *steps: object) -> State:
    return replace(state, agenda=steps, round=OR)


@rule("CUBA-IV.2-m")
def test_the_mail_is_the_first_step_of_a_turn() -> None:
    state = companies()
    steps = state.title.turn(state, "MS")
    assert steps[-1] == CollectMail("MS")


@rule("CUBA-IV.2-d", "CUBA-IV.2-o")
def test_the_discount_is_not_placed_but_used_with_a_train() -> None:
    state = stock_round(companies(M6="Ana"))
    assert code(state, PlaceBonus("M6", "HG")) == "bonus-with-train"
    assert cited(state, PlaceBonus("M6", "HG")) == "CUBA-IV.2-o"
    assert not offered(state, PlaceBonus)


@rule("CUBA-G10", "CUBA-IV.2-f", "CUBA-IV.2-l")
def test_bonuses_are_placed_in_any_step_of_an_own_turn() -> None:
    state = companies(M2="Ana", M5="Ana", M3="Ben")
    # in the turn of a company of hers, also for another company of hers
    operating = turn_of(state, "HG")
    after = play(operating, PlaceBonus("M2", "MS"), PlaceBonus("M5", "MS"))
    assert after.companies["MS"].trains == ("1w",)
    assert cuba(after).mail == "MS"
    assert after.step == operating.step
    # not in the turn of another player or of their company
    other = turn_of(state, "JU")
    assert cited(other, PlaceBonus("M2", "MS", by="Ana")) == "CUBA-V-b"
    assert code(other, PlaceBonus("M2", "MS")) == "not-your-bonus"
    assert cited(stock_round(state, "Ben"), PlaceBonus("M2", "MS", by="Ana")) == "CUBA-V-b"


@rule("CUBA-G10")
def test_a_bonus_is_placed_between_selling_and_buying() -> None:
    state = charter(companies(M2="Ana"), "FC", shares={"Ana": 2, "ipo": 8}, operated=True)
    state = play(stock_round(state), SellShares("FC", 1), PlaceBonus("M2", "MS"))
    assert state.acting == "Ana"
    assert code(state, BuyShare("CVC", "treasury")) == ""


@rule("CUBA-VI.8-d")
def test_a_major_without_a_charter_takes_no_bonus() -> None:
    state = major(game(4), "MS", {"Ana": 4}, floated=False, operated=False)
    state = stock_round(extra(state, bonuses={"M2": "Ana"}))
    assert code(state, PlaceBonus("M2", "MS")) == "not-founded"
    assert cited(state, PlaceBonus("M2", "MS")) == "CUBA-VI.8-d"


@rule("CUBA-IV.2-q", "CUBA-G10", "CUBA-VI.9-e")
def test_a_placed_bonus_stays_when_the_director_changes() -> None:
    state = major(game(4), "MS", {"Ana": 3, "Ben": 2, "treasury": 5})
    state = minor(state, "HG", {"Ana": 2, "Ben": 2, "treasury": 1})
    state = extra(state, mail="MS", machines={"HG": ("1",)}, commissioners={"K1": "Ana"})
    state = stock_round(charter(state, "MS", trains=("1w",)), "Ana")
    state = play(state, SellShares("MS", 2), SellShares("HG", 1))
    assert state.companies["MS"].owner == state.companies["HG"].owner == "Ben"
    assert state.companies["MS"].trains == ("1w",)
    assert cuba(state).mail == "MS"
    assert cuba(state).machines == {"HG": ("1",)}
    assert cuba(state).commissioners == {"K1": "Ana"}


@rule("CUBA-G10")
def test_a_bonus_in_hand_stays_with_its_player() -> None:
    state = stock_round(companies(M2="Ana"), "Ana")
    state = play(state, Pass(), Pass(), Pass(), Pass())
    assert cuba(state).bonuses == {"M2": "Ana"}
    issue = turn_of(companies(M2="Ana"), "MS")
    assert cuba(play(issue, IssueShares(1))).bonuses == {"M2": "Ana"}
