"""Starting minors and launching majors (ledger ESP-3.2.1, ESP-3.2.2, ESP-DE-4.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import BuyPrivate, BuyShare, BuyTrain, Pass, StartCompany
from carril.engine.events import CompanyFloated, MoneyPaid
from carril.engine.market import price
from carril.engine.state import IPO, State
from carril.engine.steps.trains import BuyTrains as TrainStep
from carril.rules.marker import rule
from carril.titles.esp.common import esp, has_goals
from tests.rulebook.esp.positions import extra, game, major, minor, operate, privates, stock_round
from tests.table import at, cash, charter, cited, code, events, offered, phase, play

PARS = [70, 75, 80, 85, 90, 95, 100]


def table(name: str = "3", **more: Any) -> State:
    """Ana to act in the stock round of a phase; nothing is started and everybody is rich."""
    state = extra(phase(privates(game(**more)), name), director_7="")
    return stock_round(cash(state, Ana=900, Ben=900, Cleo=900, Dan=900))


def values(state: State, symbol: str) -> list[int]:
    """Return the starting values that are offered for a company."""
    found = list(offered(state, StartCompany))
    return [o.price for o in found if isinstance(o, StartCompany) and o.company == symbol]


# --- minors -----------------------------------------------------------------------------------


@rule("ESP-3.2.1-a")
@pytest.mark.parametrize("name", ["2", "3", "4"])
def test_a_minor_starts_at_any_value_from_70_to_100(name: str) -> None:
    state = table(name)
    assert values(state, "CM") == PARS
    for wrong in (65, 72, 105):
        assert code(state, StartCompany("CM", wrong)) == "no-par"
        assert cited(state, StartCompany("CM", wrong)) == "ESP-3.2.1-a"


@rule("ESP-3.2.1-b", "ESP-3.2.1-d", "ESP-A1")
def test_a_minor_costs_twice_its_value_which_is_its_capital() -> None:
    state = play(table(), StartCompany("CM", 85))
    company = state.companies["CM"]
    assert state.players["Ana"].cash == 900 - 170
    assert company.cash == 170
    assert (price(state, "CM"), company.par) == (85, 0)
    assert dict(company.shares) == {"Ana": 1}
    assert code(state, BuyShare("CM", IPO)) == "no-such-stock"


@rule("ESP-3.2.1-c")
def test_a_minor_operates_in_the_next_operating_round() -> None:
    state = play(table(), StartCompany("CM", 85))
    assert state.companies["CM"].owner == "Ana"
    state = play(state, Pass(), Pass(), Pass(), Pass())
    assert (state.round.kind, state.step.subject, state.acting) == ("OR", "CM", "Ana")


@rule("ESP-3.2.1-e", "ESP-E39")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_no_minor_starts_from_phase_5_on(edition: str) -> None:
    state = table("5", edition=edition)
    assert code(state, StartCompany("CM", 80)) == "no-new-minors"
    assert cited(state, StartCompany("CM", 80)) == "ESP-3.2.1-e"
    assert code(table("4", edition=edition), StartCompany("CM", 80)) == ""


@rule("ESP-3.2.1-f", "ESP-3.2.1-g", "ESP-DE-4.3.1-a", "ESP-E16", "ESP-A61")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_the_homes_of_the_minors(edition: str) -> None:
    """Calatayud I21 has no circle, so CA begins in Zaragoza in every edition (A61)."""
    tables = game(edition=edition).title.tables
    homes = {c.symbol: c.home.hex for c in tables.of_kind("minor") if c.home}
    assert homes == {
        "SC": "C31",
        "CM": "E29",
        "AC": "H28",
        "MZ": "F24",
        "ZP": "J20",
        "MS": "C27",
        "MH": "E21",
        "CSE": "H32",
        "CA": "J20",
    }
    names = {"C31": "Sevilla", "E29": "Córdoba", "H28": "Albacete", "F24": "Madrid"}
    names |= {"J20": "Zaragoza", "C27": "Mérida", "E21": "Valladolid", "H32": "Almería"}
    assert {h: tables.hexes[h].name for h in names} == names
    assert tables.hexes["I21"].name == "Calatayud"
    assert [stop.kind for stop in tables.hexes["I21"].print.stops if stop.slots] == []


@rule("ESP-3.2.1-h", "ESP-3.2.2-l", "ESP-E59", "ESP-A7")
@pytest.mark.parametrize("edition", ["de", "en", "es"])
def test_minors_and_majors_buy_privates_even_in_phase_2(edition: str) -> None:
    state = privates(game(edition=edition), P3="Ana")
    small = operate(minor(state, "CM", "Ana", cash=100), "CM")
    large = operate(major(state, "FdSB", {"Ana": 4}, cash=100), "FdSB")
    for position, symbol in ((small, "CM"), (large, "FdSB")):
        bought = play(position, BuyPrivate("P3", 50))
        assert esp(bought).privates["P3"] == symbol
        assert bought.companies[symbol].cash == 50


# --- majors -----------------------------------------------------------------------------------


@rule("ESP-3.2.2-a", "ESP-DE-4.3.2-a", "ESP-E13")
def test_95_and_100_wait_for_phase_3_in_the_german_edition() -> None:
    early = table("2")
    assert values(early, "FdSB") == [70, 75, 80, 85, 90]
    for high in (95, 100):
        assert code(early, StartCompany("FdSB", high)) == "par-not-yet"
        assert cited(early, StartCompany("FdSB", high)) == "ESP-DE-4.3.2-a"
    assert code(early, StartCompany("FdSB", 90)) == ""
    assert values(table("3"), "FdSB") == values(table("3"), "N") == PARS
    for edition in ("en", "es"):
        assert values(table("2", edition=edition), "FdSB") == PARS


@rule("ESP-3.2.2-b", "ESP-3.2.2-c")
def test_the_director_certificate_costs_twice_par_and_the_price_begins_there() -> None:
    state = table()
    assert MoneyPaid("Ana", "bank", 160, "start") in events(state, StartCompany("N", 80))
    started = play(state, StartCompany("N", 80))
    assert (started.companies["N"].par, price(started, "N")) == (80, 80)
    assert started.companies["N"].cash == 0
    moved = major(table(), "MZA", {"Ben": 6}, par=80, column=10)
    sold = play(stock_round(moved), BuyShare("MZA", IPO))
    assert sold.players["Ana"].cash == 900 - 80  # par, though the price is 100
    assert (sold.companies["MZA"].par, price(sold, "MZA")) == (80, 100)


@rule("ESP-3.2.2-d", "ESP-3.2.2-e")
def test_a_major_is_launched_with_four_tenths_and_four_times_par() -> None:
    state = play(table(), StartCompany("N", 75), BuyShare("N", IPO))
    assert not state.companies["N"].floated
    assert CompanyFloated("N") in events(state, BuyShare("N", IPO))
    launched = play(state, BuyShare("N", IPO))
    assert launched.companies["N"].floated
    assert launched.companies["N"].cash == 300
    assert play(launched, BuyShare("N", IPO)).companies["N"].cash == 300  # only once


@rule("ESP-3.2.2-d", "ESP-A2")
def test_the_share_of_private_6_counts_and_a_reserved_one_does_not() -> None:
    for edition in ("de", "en"):
        state = table(edition=edition)
        shares = dict(state.companies["CRB"].shares)
        shares = {**shares, IPO: shares[IPO] - 1, "Dan": 1}
        state = charter(state, "CRB", shares=shares)
        state = play(state, StartCompany("CRB", 80))
        assert not state.companies["CRB"].floated  # 30% sold
        assert play(state, BuyShare("CRB", IPO)).companies["CRB"].cash == 320
    plain = play(table(edition="en"), StartCompany("N", 80), BuyShare("N", IPO))
    assert not plain.companies["N"].floated  # 30% sold and 10% reserved


@rule("ESP-3.2.2-f", "ESP-3.2.2-g")
@pytest.mark.parametrize(("edition", "locked"), [("de", 3), ("en", 4), ("es", 4)])
def test_two_stations_are_free_at_launch_and_the_others_locked(edition: str, locked: int) -> None:
    for symbol, expected in (("N", locked), ("FdSB", 3)):
        state = play(table(edition=edition), StartCompany(symbol, 75))
        state = play(state, BuyShare(symbol, IPO), BuyShare(symbol, IPO))
        company = state.companies[symbol]
        assert (company.floated, company.tokens, company.locked) == (True, 2, expected)
        assert has_goals(state, symbol)


@rule("ESP-3.2.2-h")
def test_a_launched_major_operates_in_the_next_operating_round() -> None:
    state = play(table(), StartCompany("N", 75), BuyShare("N", IPO))
    waiting = play(state, Pass(), Pass(), Pass(), Pass())
    assert waiting.round.kind == "SR"  # a set of rounds went by without a company
    assert not waiting.companies["N"].operated
    launched = play(state, BuyShare("N", IPO), Pass(), Pass(), Pass(), Pass())
    assert (launched.round.kind, launched.step.subject) == ("OR", "N")


@rule("ESP-3.2.2-i", "ESP-3.2.2-j", "ESP-3.2.2-k")
@pytest.mark.parametrize(("edition", "southern"), [("de", 5), ("en", 6), ("es", 6)])
def test_from_phase_5_a_launch_needs_six_tenths_and_brings_ten_times_par(
    edition: str, southern: int
) -> None:
    for symbol, stations in (("N", southern), ("FdSB", 5)):
        state = play(table("5", edition=edition), StartCompany(symbol, 100))
        for _ in range(3):
            state = play(state, BuyShare(symbol, IPO))
            assert not state.companies[symbol].floated
        state = play(state, BuyShare(symbol, IPO))
        company = state.companies[symbol]
        assert (company.floated, company.cash) == (True, 1000)
        assert (company.tokens, company.locked) == (stations, 0)
        assert not has_goals(state, symbol)


@rule("ESP-3.2.2-i", "ESP-3.2.2-k", "ESP-A58")
def test_a_major_begun_before_phase_5_but_not_launched_needs_six_tenths() -> None:
    state = major(phase(privates(game()), "4"), "N", {"Ana": 2, "Ben": 1}, floated=False)
    state = major(state, "MZA", {"Ana": 5}, cash=600)
    state = replace(state, depot=replace(state.depot, left={**state.depot.left, "4": 0}))
    state = play(at(state, TrainStep("MZA")), BuyTrain("5", "stack", 500))
    assert state.phase == "5"
    state = stock_round(cash(state, Ana=900, Ben=900, Cleo=900, Dan=900))
    for _ in range(2):
        state = play(state, BuyShare("N", IPO))
        assert not state.companies["N"].floated
    state = play(state, BuyShare("N", IPO))
    assert (state.companies["N"].cash, state.companies["N"].locked) == (800, 0)


@rule("ESP-3.2.2-n")
def test_northern_homes_and_destinations() -> None:
    assert ends("north") == {
        "CFLG": ("Gijón E3", "Langreo E7"),
        "CFEA": ("Oviedo D6", "Llanes G5"),
        "FdLR": ("Reinosa H8", "Bilbao K5"),
        "FdSB": ("Santander I5", "Bilbao K5"),
        "SFVA": ("Oviedo D6", "San Esteban de Pravia harbor C1"),
        "FdC": ("Santander I5", "Llanes G5"),
    }


@rule("ESP-3.2.2-o")
def test_southern_homes_and_destinations() -> None:
    assert ends("south") == {
        "MZA": ("Madrid F24", "Alicante J28"),
        "N": ("Madrid F24", "Valladolid E21"),
        "A": ("Málaga E33", "Sevilla C31"),
        "MCP": ("Madrid F24", "Cáceres C25"),
        "CRB": ("Badajoz B26", "Ciudad Real F28"),
        "ZPB": ("Barcelona M21", "Zaragoza J20"),
        "GSSR": ("Murcia I29", "Granada F32"),
        "AVT": ("Valencia K25", "Tarragona L22"),
        "TBF": ("Tarragona L22", "Perpignan N18"),
    }


def ends(region: str) -> dict[str, tuple[str, str]]:
    """Return home and destination of the majors of a map, with the names of the hexes."""
    tables = game().title.tables

    def named(hex_id: str) -> str:
        return f"{tables.hexes[hex_id].name} {hex_id}"

    return {
        c.symbol: (named(c.home.hex), named(c.destination))
        for c in tables.of_kind("major")
        if c.region == region and c.home
    }


@rule("ESP-3.2.2-p")
def test_ten_majors_are_in_a_game_and_the_others_cannot_be_bought() -> None:
    state = table()
    majors = [s for s in esp(state).in_play if state.companies[s].kind == "major"]
    assert len(majors) == 10
    for symbol in ("SFVA", "FdC", "GSSR", "AVT", "TBF"):
        assert code(state, StartCompany(symbol, 80)) == "no-such-stock"
