"""How records of 18xx.games are read: numbers of certificates, purchases in between, tokens."""

from __future__ import annotations

from typing import Any

import pytest

from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.home import PlaceHome
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.esp.conventions import ONLINE
from carril.titles.esp.online import ESPReader
from carril.titles.esp.privates import TakeTrain
from carril.titles.esp.takeover import StationChoice, Takeovers
from tests.rulebook.esp.bidding import to_private
from tests.rulebook.esp.lines import turn_at
from tests.rulebook.esp.positions import extra, game, major, memory, minor, stock_round
from tests.rulebook.esp.purchases import company, empty
from tests.rulebook.esp.test_conventions_turns import FULL, OO, zaragoza
from tests.table import NAMES, cash, charter, play, tiles, tokens

PLAYERS: dict[object, str] = dict(enumerate(NAMES, start=1))


def reader_at(state: State) -> ESPReader:
    """Return a reader at a position; Ana is player 1, Ben is 2, and so on."""
    return ESPReader(state, PLAYERS)


def by_company(kind: str, symbol: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, "entity": symbol, "entity_type": "corporation", **more}


def by_player(kind: str, number: int, **more: Any) -> dict[str, Any]:
    return {"type": kind, "entity": number, "entity_type": "player", **more}


# --- certificates ------------------------------------------------------------------------


def buys(reader: ESPReader, certificate: str, player: int = 1) -> None:
    reader.take(by_player("buy_shares", player, shares=[certificate], percent=10))


@rule("ESP-G52")
def test_the_share_given_in_a_takeover_is_the_highest_number_of_the_ipo() -> None:
    state = empty("4", conventions=ONLINE)
    state = cash(major(state, "N", {"Ana": 4}, trains=("4",)), N=500)
    state = minor(state, "MS", "Ben")
    reader = reader_at(turn_at(state, "N", BuyTrains("N"), Takeovers("N")))
    reader.ipo["N"] = {"N_3", "N_4", "N_5", "N_6", "N_7", "N_8"}
    reader.take(by_company("merge", "N", corporation="MS"))
    reader.take(by_company("choose", "N", choice="charter"))
    assert reader.state.companies["N"].shares == {"Ana": 4, "ipo": 5, "Ben": 1}
    assert reader.ipo["N"] == {"N_3", "N_4", "N_5", "N_6", "N_7"}


@rule("ESP-G52")
def test_the_share_of_private_6_is_number_1() -> None:
    reader = reader_at(to_private(game(3, conventions=ONLINE), "P6"))
    assert "CRB_1" in reader.ipo["CRB"]
    for number, kind, more in ((3, "bid", {"price": 160}), (1, "pass", {}), (2, "pass", {})):
        reader.take(by_player(kind, number, **more))
    assert memory(reader.state).privates["P6"] == "Cleo"
    assert reader.ipo["CRB"] == {"CRB_0", *(f"CRB_{n}" for n in range(2, 9))}


@rule("ESP-G52")
@pytest.mark.parametrize(
    ("known", "holders", "source"),
    [
        ({"N_5"}, {"Ben": 5, "ipo": 3, "pool": 2}, "ipo"),
        (set(), {"Ben": 5, "ipo": 3, "pool": 2}, "pool"),
        ({"N_5"}, {"Ben": 5, "pool": 5}, "pool"),
        (set(), {"Ben": 5, "ipo": 5}, "ipo"),
    ],
)
def test_a_share_is_bought_where_there_is_one(
    known: set[str], holders: dict[str, int], source: str
) -> None:
    state = major(empty("3", conventions=ONLINE), "N", holders)
    reader = reader_at(stock_round(cash(state, Ana=500)))
    reader.ipo["N"] = set(known)
    buys(reader, "N_5")
    assert reader.state.companies["N"].held("Ana") == 1
    assert reader.state.companies["N"].held(source) == holders[source] - 1
    assert "N_5" not in reader.ipo["N"]


# --- purchases at any moment -------------------------------------------------------------


@rule("ESP-G55")
@pytest.mark.parametrize(
    "due",
    [
        TakeTrain("N"),
        StationChoice("N", "MS"),
        PlaceHome("N", "J20", "N"),
        DiscardTrains(("MZA",)),
    ],
    ids=["side", "map", "city", "discard"],
)
def test_a_purchase_is_read_while_something_else_is_due(due: Any) -> None:
    state = company(empty("3", conventions=ONLINE), "N", trains=("3",), money=500)
    state = minor(company(state, "MZA", "Ben", trains=(*FULL, "2+3")), "MS", "Ben")
    state = extra(state, privates={"P3": "Cleo"}, tenders_pool=1)
    reader = reader_at(turn_at(state, "N", BuyTrains("N"), due))
    reader.take(by_company("buy_company", "N", company="P3", price=70))
    reader.take(by_company("special_buy", "N", description="Tender from bank"))
    assert memory(reader.state).privates["P3"] == "N"
    assert memory(reader.state).tenders == ("N",)
    assert reader.state.step == due
    assert reader.fillers == 0
    assert not reader.answers(by_company("buy_company", "MZA", company="P3", price=70))


# --- tokens on an OO hex -----------------------------------------------------------------


@rule("ESP-G56")
def test_the_city_of_a_second_token_is_read_by_a_company_with_its_home_there() -> None:
    """ZP has laid the first tile of its home, where the token of CA waits too."""
    state = zaragoza(ONLINE, "ZP", "CA")
    asked = play(state, OO)
    assert isinstance(asked.step, PlaceHome)
    reader = reader_at(asked)
    reader.tiles["L131-0"] = "J20"
    laid_by = asked.step.subject
    reader.take(by_company("place_token", laid_by, city="L131-0-1", slot=0))
    reader.take(by_company("place_token", laid_by, city="L131-0-0", slot=0))
    assert reader.state.board.tokens["J20"] == (("CA",), ("ZP",))


@rule("ESP-G56")
def test_a_layer_at_home_places_its_own_token_and_the_other() -> None:
    """ZP lays the tile itself: its second choice is not its own home token once more."""
    state = charter(zaragoza(ONLINE, "ZP", "CA"), "CA", tokens=1)
    state = tokens(tiles(state, J20=("L131", 1)), J20=((), ("ZP",)))
    reader = reader_at(turn_at(state, "ZP", PlaceHome("CA", "J20", "ZP")))
    reader.tiles["L131-0"] = "J20"
    reader.take(by_company("place_token", "ZP", city="L131-0-0", slot=0))
    assert reader.state.board.tokens["J20"] == (("CA",), ("ZP",))
