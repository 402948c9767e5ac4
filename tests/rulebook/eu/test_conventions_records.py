"""Where 18xx.games differs: what its records of games showed, each by the rulebook and there."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from carril.engine.actions import (
    Action,
    BuyShare,
    BuyTrain,
    DiscardTrain,
    ExchangeMinor,
    GoBankrupt,
    LayTile,
    Pass,
    RunTrains,
    SellShares,
)
from carril.engine.events import TileLaid
from carril.engine.state import State
from carril.engine.steps.discards import DiscardTrains
from carril.engine.steps.running import RunStep
from carril.engine.steps.trains import BuyTrains
from carril.rules.marker import rule
from carril.titles.eu.common import eu
from carril.titles.eu.conventions import RULEBOOK
from carril.titles.eu.exchange import FinalExchange
from carril.titles.eu.trains import PullmanChoice
from tests.rulebook.eu.endgames import (
    buying,
    empty_game,
    exchanging,
    needy,
    prices,
    turn_at,
)
from tests.rulebook.eu.test_conventions import online
from tests.rulebook.eu.test_final_exchange import _last_turn
from tests.table import (
    cash,
    charter,
    code,
    corporation,
    events,
    offered,
    operate,
    pass_until,
    play,
    stock_round,
    tiles,
    tokens,
)

FOUR = BuyTrain("4", "stack", 300)
BY_CARDS = online(pullman_goes_by_itself=True)


# --- Pullmans --------------------------------------------------------------------------------


@rule("EU-G-6")
@pytest.mark.parametrize(("conventions", "left"), [(RULEBOOK, ("P",)), (BY_CARDS, ("P", "P"))])
def test_two_pullmans_alone(conventions: Any, left: tuple[str, ...]) -> None:
    """SNCB buys a train: two Pullmans of SNCF are two cards, one of FS is the only one."""
    state = needy(trains=("P", "P"), conventions=conventions)
    state = corporation(state, "FS", {"Ben": 5}, price=90, trains=("P",))
    state = corporation(state, "SNCB", {"Cleo": 5}, price=82)
    state = play(buying(cash(state, SNCB=300), "SNCB"), FOUR)
    assert state.companies["SNCF"].trains == left
    assert state.companies["FS"].trains == ()


@rule("EU-G-6")
def test_pullmans_lift_the_duty_to_buy_and_a_run_is_asked_for() -> None:
    def state_of(conventions: Any) -> State:
        state = needy(trains=("P", "P"), conventions=conventions)
        return cash(state, SNCF=900)

    assert code(buying(state_of(RULEBOOK), "SNCF"), Pass()) == "must-buy-train"
    assert code(buying(state_of(BY_CARDS), "SNCF"), Pass()) == ""
    assert not isinstance(turn_at(state_of(RULEBOOK), "SNCF", RunStep).step, RunStep)
    asked = turn_at(state_of(BY_CARDS), "SNCF", RunStep)
    assert isinstance(asked.step, RunStep)
    assert offered(asked, RunTrains) == [RunTrains(by="Ana")]
    assert isinstance(play(asked, RunTrains()).step, BuyTrains)


@rule("EU-G-6")
def test_above_the_limit_one_pullman_goes_and_then_any_train_may() -> None:
    """SNCF has 3, 3, P, its limit is 3; a minor brings 3 and P."""

    def merged(conventions: Any) -> State:
        state = empty_game(3, "4", {"1": "Ana", "8": "Ana"}, conventions=conventions)
        trains = ("3", "3", "P")
        state = corporation(state, "SNCF", {"Ben": 4}, tokens=0, operated=False, trains=trains)
        state = charter(tokens(state, A10=(("1",), ("SNCF",))), "1", trains=("4", "P"))
        return play(stock_round(state), ExchangeMinor("1", "SNCF", "treasury"))

    changed = merged(online(pullman_goes_by_itself=True, merger_discards_wait=False))
    assert isinstance(changed.step, DiscardTrains)
    assert changed.companies["SNCF"].trains == ("3", "3", "4", "P")
    wanted = [DiscardTrain(name, by="Ben") for name in ("3", "4", "P")]
    assert offered(changed, DiscardTrain) == wanted
    by_the_book = merged(online(merger_discards_wait=False))
    assert by_the_book.companies["SNCF"].trains == ("3", "3", "4")  # both have gone by themselves


@rule("EU-G-7")
def test_a_second_pullman_may_be_given_up_after_the_first() -> None:
    both = online(pullman_goes_by_itself=True, free_pullman_discard=True)
    state = turn_at(needy(trains=("4", "P", "P"), conventions=both), "SNCF", PullmanChoice)
    state = play(state, DiscardTrain("P"))
    assert isinstance(state.step, PullmanChoice)
    assert state.companies["SNCF"].trains == ("4", "P")
    assert not isinstance(play(state, DiscardTrain("P")).step, PullmanChoice)
    kept = play(state, Pass())
    assert not isinstance(kept.step, PullmanChoice)
    assert kept.companies["SNCF"].trains == ("4", "P")


# --- the duty to own a train -------------------------------------------------------------------


RING = {"I6": ("7", 3), "I4": ("7", 5)}
"""Track from one circle of green Berlin round to the next; it meets no other stop."""


def _in_berlin(**laid: tuple[str, int]) -> State:
    """SNCF in green Berlin, in phase 5 and without a train."""
    state = empty_game(3, "5", conventions=online(train_only_with_route=True))
    state = corporation(state, "SNCF", {"Ana": 5, "Ben": 1}, tokens=4)
    state = tokens(tiles(state, J5=("581", 0), **laid), J5=(("SNCF",), (), ()))
    return cash(state, SNCF=900)


@rule("EU-G-10")
def test_two_circles_of_one_hex_make_the_duty() -> None:
    assert code(buying(_in_berlin(), "SNCF"), Pass()) == ""
    assert code(buying(_in_berlin(**RING), "SNCF"), Pass()) == "must-buy-train"


@rule("EU-G-10")
def test_a_route_once_found_is_not_forgotten() -> None:
    """Brown Berlin has one city; the track round it then joins nothing."""
    brown = tiles(_in_berlin(**RING), J5=("584", 0))
    brown = tokens(brown, J5=(("SNCF",),))
    assert code(buying(brown, "SNCF"), Pass()) == ""
    state = play(operate(_in_berlin(**RING), "SNCF"), LayTile("J5", "584", 0))
    while not isinstance(state.step, BuyTrains):
        state = play(state, Pass())
    assert eu(state).routed == ("SNCF",)
    assert code(state, Pass()) == "must-buy-train"


@rule("EU-G-10")
def test_a_restarted_corporation_has_had_no_route() -> None:
    state = charter(_in_berlin(**RING), "SNCF", operated=False)
    state = replace(state, extra=replace(eu(state), routed=("FS", "SNCF")))
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")
    after = play(state, GoBankrupt())
    assert not after.companies["SNCF"].started
    assert eu(after).routed == ("FS",)


# --- flotation -----------------------------------------------------------------------------------


@rule("EU-G-27", "EU-4.3-o")
def test_pool_shares_count_towards_flotation() -> None:
    def bought(conventions: Any) -> bool:
        """Players hold 30%, the pool 10%, the treasury 60%: one share more is bought of it."""
        state = empty_game(3, "4", conventions=conventions)
        held = {"Ana": 2, "Ben": 1, "pool": 1}
        state = corporation(state, "SNCF", held, floated=False, operated=False)
        state = play(stock_round(cash(state, Ana=500)), BuyShare("SNCF", "treasury"))
        return state.companies["SNCF"].floated

    assert not bought(RULEBOOK)
    assert bought(online(pool_counts_to_float=True))


# --- emergency sales -----------------------------------------------------------------------------


def _three_at_100(conventions: Any) -> State:
    """Ana must raise 300 and has three shares at 100."""
    state = corporation(needy(conventions=conventions), "KPEV", {"Ben": 4, "Ana": 3}, price=100)
    return buying(cash(state, SNCF=0, Ana=0), "SNCF")


@rule("EU-G-28", "EU-A-14")
def test_a_block_that_is_too_small() -> None:
    assert code(_three_at_100(RULEBOOK), SellShares("KPEV", 1)) == "sells-too-little"
    assert code(_three_at_100(online(solvent_president_pays=False)), SellShares("KPEV", 1)) == ""


@rule("EU-G-28", "EU-A-14")
def test_a_second_block() -> None:
    def second(conventions: Any) -> str:
        state = charter(
            _three_at_100(conventions), "KPEV", shares={"Ben": 4, "Ana": 4, "treasury": 2}
        )
        return code(play(state, SellShares("KPEV", 1)), SellShares("KPEV", 1))

    free = online(solvent_president_pays=False)
    assert second(free) == ""
    once = online(solvent_president_pays=False, several_blocks_for_train=False)
    assert second(once) == "sold-in-emergency"
    # Where only one block of each may be sold, what is left of a corporation counts for nothing.
    assert second_refused(online(several_blocks_for_train=False)) == "sells-too-little"


def second_refused(conventions: Any) -> str:
    """Four shares at 100 for 300, of which one is sold first."""
    state = charter(_three_at_100(conventions), "KPEV", shares={"Ben": 4, "Ana": 4, "treasury": 2})
    return code(state, SellShares("KPEV", 1))


@rule("EU-G-20", "EU-4.5.1-f", "EU-4.5.1-j")
def test_a_corporation_sold_before_is_not_sold_again_in_a_bankruptcy() -> None:
    changed = online(
        bankrupt_chooses_sales=False, several_blocks_for_train=False, solvent_president_pays=False
    )
    state = needy({"Ana": 4, "Ben": 3}, conventions=changed)
    state = corporation(state, "KPEV", {"Ben": 4, "Ana": 3}, price=90)
    state = corporation(state, "FS", {"Cleo": 4, "Ana": 1}, price=82)
    state = buying(cash(state, SNCF=0, Ana=0), "SNCF")  # 300 missing; 100 + 270 + 82 at most
    state = play(state, SellShares("KPEV", 1))
    after = play(state, GoBankrupt())
    assert after.companies["SNCF"].cash == 90 + 100 + 82  # the two left of KPEV bring nothing
    assert after.companies["KPEV"].held("pool") == 3
    assert prices(after, "SNCF", "KPEV", "FS") == [90, 82, 75]
    assert (after.companies["SNCF"].held("pool"), after.companies["SNCF"].owner) == (4, "Ben")


# --- above 60%, the final exchange ---------------------------------------------------------------


@rule("EU-G-29", "EU-A-8")
def test_a_block_of_any_size_above_sixty_percent() -> None:
    def sold(conventions: Any) -> str:
        state = empty_game(3, "4", conventions=conventions)
        state = stock_round(corporation(state, "SNCF", {"Ana": 8, "Ben": 2}))
        return code(state, SellShares("SNCF", 1))

    assert sold(RULEBOOK) == "still-above-limit"
    assert sold(online(excess_sold_at_once=False)) == ""


@rule("EU-G-30", "EU-A-33")
def test_the_buyer_begins_the_final_exchange() -> None:
    owners = {"8": "Ana", "13": "Ana", "14": "Ben", "15": "Ben", "2": "Cleo", "12": "Cleo"}

    def first(conventions: Any) -> str | None:
        state = _last_turn("KKÖ", owners)
        state = replace(state, setup=replace(state.setup, conventions=conventions))
        state = play(state, BuyTrain("5", "stack", 500))
        return pass_until(charter(state, "KKÖ", owner="Ben"), FinalExchange).acting

    assert first(RULEBOOK) == "Ben"
    assert first(online(exchange_starts_with_buyer=True)) == "Cleo"


@rule("EU-G-31")
@pytest.mark.parametrize(("kept", "next_to_act"), [(False, "Ben"), (True, "Ana")])
def test_a_share_from_the_pool_in_the_final_exchange(kept: bool, next_to_act: str) -> None:
    conventions = online(pool_exchange_keeps_turn=True) if kept else RULEBOOK
    owners = {"1": "Ana", "8": "Ana", "13": "Ana", "14": "Ben", "15": "Ben"}
    state = empty_game(3, "5", owners, conventions=conventions)
    state = corporation(state, "SNCF", {"Ben": 5, "pool": 5}, tokens=4, trains=("5",))
    state = exchanging(tokens(state, A10=(("1",), ("SNCF",))))
    assert play(state, ExchangeMinor("1", "SNCF", "pool")).acting == next_to_act


# --- returned mountain tiles ---------------------------------------------------------------------


@rule("EU-G-19")
@pytest.mark.parametrize(("piece", "cost"), [("0", 0), ("1", 60), ("", 0)])
def test_the_copy_that_is_named_is_laid(piece: str, cost: int) -> None:
    """Piece 1 of tile 7 was on the mountain C18; piece 0 was nowhere yet."""
    state = empty_game(3, "4", conventions=online(mountain_cost_stays=True))
    state = corporation(state, "SNCF", {"Ana": 5}, tokens=4, trains=("4",))
    state = tokens(cash(state, SNCF=500), B17=(("SNCF",),))
    state = tiles(state, B17=("202", 3))
    paid = []
    for number, lay in enumerate((("C18", "7", "1"), ("C18", "", ""), ("B15", "7", piece))):
        state, cost_of = _laid(operate(state, "SNCF", turn=2 + number), *lay)
        paid.append(cost_of)
    assert paid == [120, 60, 0]
    assert _laid(operate(state, "SNCF", turn=9), "B15", "", "")[1] == cost
    assert eu(state).pieces["B15"] == f"7-{piece or 0}"


@rule("EU-G-19")
def test_a_piece_laid_on_a_mountain_again_costs_120() -> None:
    state = empty_game(3, "4", conventions=online(mountain_cost_stays=True))
    state = corporation(state, "SNCF", {"Ana": 5}, tokens=4, trains=("4",))
    state = tokens(cash(state, SNCF=500), B17=(("SNCF",),))
    state = tiles(state, B17=("202", 3), C18=("7", 2))
    state = replace(state, extra=replace(eu(state), pieces={"C18": "7-1"}, burdens={"7-1": 60}))
    after, paid = _laid(operate(state, "SNCF"), "C18", "", "")
    assert paid == 120
    assert eu(after).burdens == {"7-1": 120}


def _laid(state: State, hex_id: str, tile: str, piece: str) -> tuple[State, int]:
    """Lay a piece of a tile, or any upgrade; return the position and what it cost."""
    colour = "yellow" if tile else "green"
    lay = next(
        option
        for option in offered(state, LayTile)
        if isinstance(option, LayTile)
        and option.hex == hex_id
        and tile in ("", option.tile)
        and state.tables.tiles[option.tile].colour == colour
    )
    action: Action = replace(lay, piece=piece)
    told = events(state, action)
    return play(state, action), next(e.cost for e in told if isinstance(e, TileLaid))
