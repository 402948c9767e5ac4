"""Serial numbers for writing records: certificates, train cards, tile pieces."""

from __future__ import annotations

from carril.engine.events import (
    PresidentChanged,
    SharesMoved,
    SharesReturned,
    SharesSold,
    TrainBought,
    TrainDiscarded,
    TrainMoved,
    TrainsRusted,
)
from carril.engine.play import start
from carril.engine.state import TREASURY
from carril.titles.pieces import ShareRegister, TilePieces, TrainCards

STATE = start("18EU", ("Ana", "Ben", "Cleo"), 1)


def register() -> ShareRegister:
    """Ana leads with the president's certificate and one more, Ben holds three."""
    shares = ShareRegister(STATE, TREASURY)
    shares.follow((SharesMoved("FS", TREASURY, "Ana", 2), SharesMoved("FS", TREASURY, "Ana", 1)))
    shares.follow((SharesMoved("FS", TREASURY, "Ben", 3),))
    return shares


def test_a_start_moves_the_presidents_certificate() -> None:
    assert register()["FS"].held("Ana") == [1, 0]
    assert register()["FS"].held("Ben") == [2, 3, 4]


def test_part_of_the_presidents_certificate_is_sold_through_the_successor() -> None:
    shares = register()
    assert shares.names("FS", "Ana", 2) == ["FS_1", "FS_0"]
    shares.follow((SharesSold("Ana", "FS", 2, 100), PresidentChanged("FS", "Ana", "Ben")))
    certificates = shares["FS"]
    assert certificates.holders[0] == "Ben"
    assert len(certificates.held("Ana")) == 1
    assert len(certificates.held("pool")) == 2
    assert sum(map(certificates.units, certificates.held("Ben"))) == 3


def test_a_closed_company_has_all_certificates_again() -> None:
    shares = register()
    shares.follow((SharesReturned("FS", TREASURY),))
    assert shares.names("FS", TREASURY, 9)[-1] == "FS_0"
    assert len(shares["FS"].held(TREASURY)) == 9


def test_names_are_those_of_the_file() -> None:
    assert ShareRegister(STATE, TREASURY).names("SNCB", TREASURY, 1) == ["BNR_1"]


def test_cards_follow_purchases_discards_mergers_and_rust() -> None:
    cards = TrainCards(STATE)
    assert cards.owned("3") == [("2-2", "2")]
    assert cards.top(STATE, "3") == "3-0"
    events = (
        TrainBought("FS", "3", "stack", 225),
        TrainBought("NS", "3", "stack", 225),
        TrainMoved("2", "3", "FS"),
        TrainDiscarded("FS", "3"),
        TrainBought("NS", "3", "pool", 225),
    )
    cards.follow(STATE, events, {})
    assert cards.owned("FS") == [("2-2", "2")]
    assert cards.owned("NS") == [("3-1", "3"), ("3-0", "3")]
    cards.follow(STATE, (TrainsRusted("2", ("FS",)),), {})
    assert cards.owned("FS") == []
    assert cards.owned("4") == [("2-3", "2")], "only the owners named lose their trains"


def test_a_coupled_train_keeps_its_card_and_its_place() -> None:
    state = start("18ESP", ("Ana", "Ben", "Cleo"), 1)
    cards = TrainCards(state)
    bought = [TrainBought("N", name, "stack", 0) for name in ("3", "4")]
    coupled = (TrainMoved("3", "N", ""), TrainMoved("3|2", "", "N"))
    cards.follow(state, (*bought, *coupled), {})
    assert cards.owned("N") == [("3-0", "3|2"), ("4-0", "4")]


def test_a_piece_that_was_on_a_mountain_is_laid_last() -> None:
    tables = STATE.tables
    mountain = next(name for name, one in tables.hexes.items() if one.upgrade_cost)
    plain = next(name for name, one in tables.hexes.items() if not one.upgrade_cost)
    tiles = TilePieces(tables)
    assert tiles.next_piece(mountain, "57") == "57-0"
    tiles.lay(mountain, "57-0")
    assert tiles.on(mountain) == "57-0"
    assert tiles.next_piece(plain, "57") == "57-1"
    tiles.lay(mountain, "14-0")
    assert tiles.next_piece(plain, "57") == "57-1"
    assert tiles.on(plain) == f"{plain}-0"


def test_both_faces_of_a_piece_are_one() -> None:
    tables = start("18ESP", ("Ana", "Ben", "Cleo"), 1).tables
    number = next(n for n, tile in tables.tiles.items() if tile.back and tile.count > 1)
    tiles = TilePieces(tables)
    hexes = list(tables.hexes)
    tiles.lay(hexes[0], f"{number}-0")
    assert tiles.next_piece(hexes[1], tables.tiles[number].back).endswith("-1")
