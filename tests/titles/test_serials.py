"""Serial numbers of trains in records: they follow the position."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.state import POOL, State
from carril.titles.serials import TrainSerials
from tests import table


def owning(state: State, pool: tuple[str, ...] = (), **trains: tuple[str, ...]) -> State:
    """Return a position in which only these companies own trains."""
    for symbol in state.companies:
        state = table.charter(state, symbol, trains=trains.get(symbol, ()))
    return replace(state, depot=replace(state.depot, pool=pool))


def test_a_train_that_is_discarded_without_being_named_is_in_the_pool() -> None:
    serials = TrainSerials([("3-0", "FS", "3"), ("3-1", "NS", "3"), ("4-0", "FS", "4")])
    serials.follow(owning(table.game(), pool=("3", "4"), NS=("3",)))
    owners = [serials.owner(serial) for serial in ("3-0", "3-1", "4-0")]
    assert owners == [POOL, "NS", POOL]


def test_trains_of_a_company_that_merges_go_to_the_other_as_the_last_acquired() -> None:
    serials = TrainSerials([("2-0", "1", "2"), ("2-7", "8", "2"), ("3-0", "FS", "3")])
    serials.follow(owning(table.game(), FS=("3", "2"), **{"8": ("2",)}))
    assert list(serials.owned_by("FS")) == ["3-0", "2-0"]
    assert serials.owner("2-7") == "8"


def test_a_train_that_has_left_the_game_has_no_owner() -> None:
    serials = TrainSerials([("2-0", "1", "2")])
    serials.follow(owning(table.game()))
    assert serials.owner("2-0") == ""


def test_a_train_keeps_its_other_name_and_its_place_when_it_is_combined() -> None:
    serials = TrainSerials([("3-0", "FS", "3"), ("4-0", "FS", "4")])
    serials.rename("3-0", "3|1+2")
    serials.follow(owning(table.game(), FS=("3|1+2", "4")))
    assert list(serials.owned_by("FS")) == ["3-0", "4-0"]
    assert (serials.name("3-0"), serials.name("5-0")) == ("3|1+2", "5")


def test_nothing_moves_while_list_and_position_agree() -> None:
    holdings = [("3-1", "FS", "3"), ("3-0", "FS", "3"), ("P-0", POOL, "P")]
    serials = TrainSerials(holdings)
    serials.follow(owning(table.game(), pool=("P", "P"), FS=("3", "3")))
    assert list(serials.owned_by("FS")) == ["3-1", "3-0"]
    assert serials.owner("P-0") == POOL
