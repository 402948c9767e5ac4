"""Converting concessions: minors are opened (ledger CUBA-IV.2, IV.3, VI.6-o, VI.7)."""

from __future__ import annotations

import pytest

from carril.engine.actions import BuyShare, ConvertConcession, Pass, StartCompany
from carril.engine.market import price
from carril.engine.state import IPO, TREASURY, State
from carril.rules.marker import rule
from carril.titles.cuba.common import cuba
from tests.rulebook.cuba.opening import PARS, drafted
from tests.rulebook.cuba.positions import extra, game, major, minor, stock_round
from tests.table import cash, charter, cited, code, offered, play


def dealing(*concessions: str) -> State:
    """Return the share dealing of the first stock round; Ana, Ben ... have these concessions."""
    taken = concessions or ("M1", "M2", "M3", "M5")
    return drafted(game(4), *taken, *("" for _ in range(4 - len(taken))))


@rule("CUBA-VI.7-a", "CUBA-VI.7-f", "CUBA-IV.3-c")
def test_a_concession_becomes_the_director_and_one_more_certificate() -> None:
    state = play(dealing(), ConvertConcession("M1", "DQ", 70))
    opened = state.companies["DQ"]
    # three of five shares: the 40% certificate and one of 20%; the other two in the treasury
    assert opened.shares == {"Ana": 3, TREASURY: 2}
    assert opened.owner == "Ana"
    assert state.title.certificates(state, "Ana") == 2


@rule("CUBA-VI.7-b")
@pytest.mark.parametrize("wrong", [0, 65, 72, 105, 110])
def test_a_starting_price_outside_the_chart_is_refused(wrong: int) -> None:
    state = dealing()
    assert code(state, ConvertConcession("M1", "HG", wrong)) == "no-opening-price"
    assert cited(state, ConvertConcession("M1", "HG", wrong)) == "CUBA-VI.7-b"


@rule("CUBA-VI.7-b", "CUBA-VI.7-c", "CUBA-IV.2-b", "CUBA-VI.7-e", "CUBA-C5", "CUBA-IV.3-d")
@pytest.mark.parametrize("par", PARS)
def test_three_prices_less_210_are_paid_and_the_minor_gets_three_prices(par: int) -> None:
    state = dealing()
    after = play(state, ConvertConcession("M1", "HG", par))
    # VI.7: 70 costs 0, 75 15, 80 30, 85 45, 90 60, 95 75, 100 90
    due = {70: 0, 75: 15, 80: 30, 85: 45, 90: 60, 95: 75, 100: 90}[par]
    assert state.players["Ana"].cash - after.players["Ana"].cash == due
    assert after.companies["HG"].cash == 3 * par
    assert after.bank == state.bank + due - 3 * par
    assert price(after, "HG") == par


@rule("CUBA-VI.7-d")
def test_a_remainder_that_cannot_be_paid_is_refused() -> None:
    state = stock_round(cash(dealing(), Ana=59), turn=1)
    assert code(state, ConvertConcession("M1", "HG", 85)) == ""  # 3 x 85 - 210 = 45
    assert code(state, ConvertConcession("M1", "HG", 90)) == "opening-too-dear"  # 60
    assert cited(state, ConvertConcession("M1", "HG", 90)) == "CUBA-VI.7-d"


@rule("CUBA-VI.7-g", "CUBA-IXa.1-b")
def test_the_marker_goes_under_those_already_there() -> None:
    state = play(
        dealing(),
        ConvertConcession("M1", "SB", 80),
        ConvertConcession("M2", "HG", 80),
        ConvertConcession("M3", "JU", 75),
    )
    assert [marker.company for marker in state.markers] == ["FC", "SB", "HG", "JU"]
    assert state.title.order(state)[:3] == ["JU", "SB", "HG"]


@rule("CUBA-VI.7-h", "CUBA-V-b")
def test_an_opened_minor_operates_from_the_first_round_on() -> None:
    state = play(dealing(), ConvertConcession("M1", "CO", 70), *(Pass() for _ in range(4)))
    assert str(state.round) == "OR 1.1"
    assert state.step.subject == "CO"
    assert state.acting == "Ana"


@rule("CUBA-IV.2-c")
def test_any_concession_opens_any_minor_that_is_not_open() -> None:
    state = dealing()
    companies = {option.company for option in offered_conversions(state)}
    assert companies == {"HG", "JU", "HY", "DQ", "CO", "SB"}
    state = play(state, ConvertConcession("M1", "HY", 70))
    assert code(state, ConvertConcession("M2", "HY", 70)) == "minor-opened"
    assert cited(state, ConvertConcession("M2", "HY", 70)) == "CUBA-IV.2-c"
    assert code(state, ConvertConcession("M2", "MS", 70)) == "not-a-minor"
    assert code(state, ConvertConcession("M2", "XX", 70)) == "not-a-minor"
    assert "HY" not in {option.company for option in offered_conversions(state)}


def offered_conversions(state: State) -> list[ConvertConcession]:
    """Return the conversions that are offered."""
    found = offered(state, ConvertConcession)
    assert all(isinstance(option, ConvertConcession) for option in found)
    return [option for option in found if isinstance(option, ConvertConcession)]


@rule("CUBA-VI.6-o")
def test_nobody_converts_the_concession_of_another_player() -> None:
    state = dealing()
    assert code(state, ConvertConcession("M2", "HG", 70)) == "not-your-concession"  # Ben's
    assert cited(state, ConvertConcession("M2", "HG", 70)) == "CUBA-VI.6-o"
    assert code(state, ConvertConcession("M6", "HG", 70)) == "not-your-concession"  # gone
    assert {option.concession for option in offered_conversions(state)} == {"M1"}


@rule("CUBA-VI.6-o", "CUBA-C30")
def test_a_conversion_is_the_purchase_of_the_turn() -> None:
    state = drafted(game(2, variants=("hard",)), "M1", "M2", "M3", "M5")
    state = play(state, ConvertConcession("M1", "HG", 70))
    assert state.acting == "Ben"
    assert cited(state, BuyShare("FC", IPO, by="Ana")) == "CUBA-V-b"
    assert cited(state, ConvertConcession("M3", "JU", 70, by="Ana")) == "CUBA-V-b"
    # the second concession is converted in a later turn
    state = play(state, Pass(), ConvertConcession("M3", "JU", 75))
    assert state.companies["HG"].owner == state.companies["JU"].owner == "Ana"


@rule("CUBA-VI.6-p")
def test_majors_and_the_state_railway_are_for_sale_in_the_first_round() -> None:
    state = dealing()
    started = {option.company for option in state.options() if isinstance(option, StartCompany)}
    assert started == {"Oe", "MS", "CVC", "NPP", "SdC", "TSS", "StSp"}
    assert code(state, BuyShare("FC", IPO)) == ""


@rule("CUBA-VI.7-i", "CUBA-IV.2-d", "CUBA-C31")
def test_the_card_is_gone_or_becomes_its_bonus() -> None:
    state = dealing()
    assert cuba(state).bonuses == {}  # nothing comes with an unconverted concession
    plain = play(state, ConvertConcession("M1", "HG", 70))
    assert "M1" not in cuba(plain).concessions
    assert cuba(plain).bonuses == {}
    wagon = play(plain, ConvertConcession("M2", "JU", 70))
    assert "M2" not in cuba(wagon).concessions
    assert cuba(wagon).bonuses == {"M2": "Ben"}


@rule("CUBA-IV.2-r", "CUBA-IV.3-f")
def test_what_was_not_converted_leaves_after_the_first_round() -> None:
    state = play(dealing(), Pass(), ConvertConcession("M2", "JU", 70))
    before = {name: player.cash for name, player in state.players.items()}
    state = play(state, *(Pass() for _ in range(4)))
    assert str(state.round) == "OR 1.1"
    assert cuba(state).concessions == {}
    closed = {symbol for symbol, company in state.companies.items() if company.closed}
    assert closed == {"HG", "HY", "DQ", "CO", "SB"}
    after = {name: player.cash for name, player in state.players.items()}
    assert after == before  # no refund


@rule("CUBA-IV.3-c", "CUBA-VI.6-m")
def test_minors_are_opened_neither_for_cash_nor_later() -> None:
    state = dealing()
    assert code(state, StartCompany("HG", 70)) == "opened-by-concession"
    assert code(state, BuyShare("HG", IPO)) == "opened-by-concession"
    assert cited(state, StartCompany("HG", 70)) == "CUBA-IV.3-c"
    later = stock_round(extra(game(4), concessions={}), turn=2)
    assert code(later, ConvertConcession("M1", "HG", 70)) == "not-your-concession"
    assert not offered(later, ConvertConcession)


@rule("CUBA-VI.3-d")
def test_a_conversion_needs_room_for_two_certificates() -> None:
    # four players: 20 certificates. Three majors with 6 shares are 3 x 5; FC shares one each.
    state = dealing()
    for symbol in ("Oe", "MS", "CVC"):
        state = major(state, symbol, {"Ana": 6})
    at_19 = stock_round(charter(state, "FC", shares={"Ana": 4, IPO: 6}), turn=1)
    assert at_19.title.certificates(at_19, "Ana") == 19
    assert code(at_19, ConvertConcession("M1", "HG", 70)) == "no-room-to-open"
    assert cited(at_19, ConvertConcession("M1", "HG", 70)) == "CUBA-VI.3-d"
    at_18 = stock_round(charter(state, "FC", shares={"Ana": 3, IPO: 7}), turn=1)
    assert code(at_18, ConvertConcession("M1", "HG", 70)) == ""


@rule("CUBA-IV.2-k", "CUBA-IV.2-t", "CUBA-G34")
def test_the_fourth_concession_brings_a_share_of_the_state_railway() -> None:
    state = dealing("M4", "M1")
    cash_before = state.players["Ana"].cash
    after = play(state, ConvertConcession("M4", "HG", 70))
    assert after.companies["FC"].shares == {IPO: 9, "Ana": 1}
    assert after.players["Ana"].cash == cash_before  # par 70: nothing is due, the share is free
    assert cuba(after).bonuses == {}
    assert price(after, "FC") == 50


@rule("CUBA-IV.2-t", "CUBA-G34")
def test_the_last_share_is_kept_while_the_concession_is_not_converted() -> None:
    state = charter(dealing("M1", "M4"), "FC", shares={"Cleo": 5, "Dan": 4, IPO: 1})
    assert code(state, BuyShare("FC", IPO)) == "kept-for-concession"
    assert cited(state, BuyShare("FC", IPO)) == "CUBA-IV.2-t"
    # Ben gets it on conversion
    state = play(state, Pass(), ConvertConcession("M4", "HG", 70))
    assert state.companies["FC"].shares == {"Cleo": 5, "Dan": 4, "Ben": 1}
    # without the concession in the game the last share is for sale
    free = charter(dealing("M1", "M2"), "FC", shares={"Cleo": 5, "Dan": 4, IPO: 1})
    assert code(free, BuyShare("FC", IPO)) == ""


@rule("CUBA-IV.2-t", "CUBA-VI.3-e")
def test_the_share_of_the_concession_may_exceed_a_limit() -> None:
    state = charter(dealing("M4", "M1"), "FC", shares={"Ana": 6, IPO: 4})
    after = play(state, ConvertConcession("M4", "HG", 70))
    assert after.companies["FC"].held("Ana") == 7  # 70%, above 60%
    # in the second stock round she must sell down first
    later = stock_round(charter(after, "FC", operated=True), "Ana", turn=2)
    assert code(later, Pass()) == "must-sell"
    assert cited(later, Pass()) == "CUBA-VI.3-e"


@rule("CUBA-VI.5-c", "CUBA-C18", "CUBA-VI.5-h")
def test_a_minor_is_bought_from_the_pool_alone() -> None:
    state = minor(game(4), "HG", {"Ana": 3, "pool": 1})
    state = stock_round(state, "Ben")
    assert code(state, BuyShare("HG", TREASURY)) == "minor-treasury"
    assert cited(state, BuyShare("HG", TREASURY)) == "CUBA-VI.5-c"
    assert code(state, BuyShare("HG", IPO)) == "no-share-there"
    assert code(state, BuyShare("HG", "pool")) == ""
    # the founder has 60% already
    own = stock_round(state, "Ana")
    assert code(own, BuyShare("HG", "pool")) == "share-limit"
    assert cited(own, BuyShare("HG", "pool")) == "CUBA-VI.5-h"
