"""Cards for what 18Cuba has: minors with shares, a company without a president, three supplies."""

from __future__ import annotations

from typing import Any

from carril.engine.state import IPO, POOL, State
from carril.page.cards import companies, players
from carril.page.shelf import shelf
from carril.page.spreadsheet import sheet
from carril.page.words import words_for
from tests.rulebook.cuba.positions import extra, game, major, minor, stock_round
from tests.table import charter, phase


def position() -> State:
    """Return a stock round with a minor, a founded and an unfounded major, and FC shares sold."""
    state = minor(game(4), "HG", {"Ana": 3}, trains=("2n",), cash=120)
    state = major(state, "MS", {"Ben": 3, "Ana": 2, POOL: 1}, trains=("2", "1w"))
    state = major(state, "Oe", {"Cleo": 2}, floated=False, operated=False)
    state = charter(state, "FC", shares={"Ana": 2, IPO: 8})
    return stock_round(extra(state, commissioners={"K1": "Ana"}, bonuses={"M5": "Ben"}))


def card(state: State, symbol: str) -> dict[str, Any]:
    groups = companies(state, words_for(state, "en"))["shared"]
    return next(c for group in groups for c in group["cards"] if c["symbol"] == symbol)


def test_companies_with_shares_are_grouped_by_kind() -> None:
    found = companies(position(), words_for(position(), "en"))
    assert [group["kind"] for group in found["shared"]] == ["minor", "major", "central"]
    assert found["owned"] == []


def test_a_company_that_nobody_leads_has_no_president() -> None:
    state = position()
    assert not card(state, "FC")["led"]
    assert all(not holder["president"] for holder in card(state, "FC")["holders"])
    assert card(state, "HG")["led"]


def test_trains_and_wagons_have_limits_of_their_own() -> None:
    # Phase 1: majors may have four trains and four wagons, minors two trains; the FC has no limit.
    state = position()
    assert card(state, "MS")["cards"] == [
        {"class": "train", "names": ("2",), "limit": 4},
        {"class": "wagon", "names": ("1w",), "limit": 4},
    ]
    assert [(c["class"], c["limit"]) for c in card(state, "HG")["cards"]] == [("train", 2)]
    assert [(c["class"], c["limit"]) for c in card(state, "FC")["cards"]] == [("train", None)]


def test_the_sheet_shows_offering_and_treasury_apart() -> None:
    found = sheet(position())
    assert found["places"] == ["ipo", "treasury"]
    rows = {row["symbol"]: row for row in found["rows"]}
    assert rows["MS"]["unsold"] == [0, 40]
    assert rows["Oe"]["unsold"] == [80, 0]
    assert rows["HG"]["unsold"] == [0, 40]
    assert rows["FC"]["unsold"] == [80, 0]


def test_players_hold_minors_as_shares_and_show_their_cards() -> None:
    state = position()
    found = {p["name"]: p for p in players(state, words_for(state, "en"), ("Ana",), frozenset())}
    assert [(s["symbol"], s["percent"]) for s in found["Ana"]["shares"]] == [
        ("HG", 60),
        ("MS", 20),
        ("FC", 20),
    ]
    assert [p["symbol"] for p in found["Ana"]["privates"]] == ["K1"]
    assert "receives $30" in found["Ana"]["privates"][0]["power"]
    assert "it pays $10 a turn now" in found["Ben"]["privates"][0]["power"]


def test_there_are_three_shelves() -> None:
    state = position()
    found = shelf(state, words_for(state, "en"))
    names = [supply["heading"] for supply in found["supplies"]]
    assert names == ["Standard trains", "Narrow trains", "Wagons"]
    narrow = {train["name"]: train for train in found["supplies"][1]["trains"]}
    assert narrow["3n"]["ages"] == "3-1n from phase 5"
    assert narrow["3n"]["from"] == "3"
    assert narrow["2n"]["from"] == ""
    wagons = {train["name"]: train for train in found["supplies"][2]["trains"]}
    assert wagons["2w"]["reach"] == "carries 2 cubes"
    later = shelf(phase(state, "3"), words_for(state, "en"))
    assert {t["name"]: t for t in later["supplies"][1]["trains"]}["3n"]["from"] == ""


def test_limits_of_a_phase_name_classes() -> None:
    state = position()
    rows = {row["name"]: row for row in shelf(state, words_for(state, "en"))["phases"]}
    assert rows["5"]["limits"] == ["minor 2 trains", "major 2 trains + 2 wagons"]
    assert "machines of the third generation" in rows["5"]["event"]


def test_the_supply_names_machines_with_their_next_price() -> None:
    # Twelve first machines, the first for 25; eight and four of the others.
    notes = shelf(game(4), words_for(game(4), "en"))["notes"]
    assert any("generation 1: 12 left, the next for 25" in note for note in notes)
    assert "18 sugar cubes in the supply" in notes
