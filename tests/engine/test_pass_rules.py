"""Paying to pass tokens, homes that are chosen, and tiles that must be laid, with any title."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest

from carril import start
from carril.engine.actions import LayTile, Pass, PlaceToken
from carril.engine.board import place_token, tokens_in
from carril.engine.move import Move
from carril.engine.network import passable
from carril.engine.passes import PassRules, named, opened_by, pass_sets
from carril.engine.registry import TITLES, register
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.home import HomeRules, PlaceHome
from carril.engine.steps.station import PlaceStation
from carril.engine.steps.track import Due, LayTrack, TrackRules
from tests import table
from tests.rulebook.eu.lines import sncf
from tests.table import NAMES, at, cash, code, play, tokens

Variant = Callable[..., State]

_numbers = count()


@pytest.fixture
def variant() -> Iterator[Variant]:
    """Return a function that starts a game of 18EU with other rules."""

    def begin(**rules: Any) -> State:
        names.append(f"rules of passes {next(_numbers)}")
        register(dataclasses.replace(TITLES["18EU"], name=names[-1], **rules))
        return start(names[-1], NAMES[:4], seed=1, seated=True)

    names: list[str] = []
    yield begin
    for name in names:
        del TITLES[name]


def _tolled(state: State, company: str, hex_id: str, city: int) -> bool:
    present = tokens_in(state.board, hex_id, city)
    return "FS" in present and not passable(state.tables, state.board, company, hex_id, city)


PASSES = PassRules(
    may=lambda state, company: company != "DR",
    tolled=_tolled,
    fee=lambda state: 30,
    payee=lambda state: "FS",
)


def line(state: State) -> State:
    """SNCF in J11, then J13, whose only circle FS has taken; track leads on to J15."""
    state = table.tiles(state, J9=("9", 0), J11=("57", 0), J13=("57", 0))
    state = cash(sncf(state, "J11", trains=("2",), tokens=3), SNCF=500)
    return tokens(state, J13=(("FS",),))


def test_a_city_is_passed_for_a_fee(variant: Variant) -> None:
    state = at(line(variant(passes=PASSES)), LayTrack("SNCF"))
    lay = next(o for o in state.options() if isinstance(o, LayTile) and o.passes)
    assert lay.passes == ("J13.0",)
    after = play(state, lay)
    assert after.companies["FS"].cash == state.companies["FS"].cash + 30
    assert code(state, LayTile(lay.hex, lay.tile, lay.turn)) == "not-connected"
    free = LayTile(lay.hex, lay.tile, lay.turn, passes=("J13.0",))
    assert lay.hex == "J15"  # a mountain: 120 for the terrain, 30 for the pass
    assert code(cash(state, SNCF=149), free) == "passes-too-dear"
    assert code(cash(state, SNCF=150), free) == ""


def test_without_rules_for_passes_none_is_sold(variant: Variant) -> None:
    state = at(line(variant()), LayTrack("SNCF"))
    lays = [option for option in state.options() if isinstance(option, LayTile)]
    assert all(lay.passes == () for lay in lays)
    lay = lays[0]
    assert code(state, LayTile(lay.hex, lay.tile, lay.turn, passes=("J13.0",))) == "no-passes"
    assert list(pass_sets(state, "SNCF")) == [()]


def test_a_company_that_may_not_pay_has_no_passes(variant: Variant) -> None:
    state = line(variant(passes=PASSES))
    assert list(pass_sets(state, "SNCF")) == [(), ("J13.0",)]
    assert list(pass_sets(state, "SNCF", ("J13.0",))) == [()]
    assert list(pass_sets(state, "DR")) == [()]
    assert list(pass_sets(cash(state, SNCF=29), "SNCF")) == [()]


def test_cities_are_named_in_a_fixed_order() -> None:
    cities = {("J13", 0), ("B7", 1)}
    assert named(cities) == ("B7.1", "J13.0")
    assert opened_by(named(cities)) == cities
    assert opened_by(("J13", "J13.x", "")) == frozenset()


def test_a_home_needs_no_pass(variant: Variant) -> None:
    state = line(variant(passes=PASSES))
    state = at(state, PlaceStation("SNCF"), PlaceHome("FS", "J7"))
    option = next(o for o in state.options() if isinstance(o, PlaceToken))
    assert code(state, option) == ""
    assert code(state, PlaceToken(option.hex, option.city, ("J13.0",))) == "pass-not-needed"


def test_a_company_without_a_printed_home_chooses(variant: Variant) -> None:
    def choice(state: State, company: str, hex_id: str, city: int) -> Any:
        return None if hex_id in ("J11", "J13") else refuse(state, "city-full", city=hex_id)

    state = line(variant(home=HomeRules(choice=choice)))
    assert state.tables.companies["DR"].home is None
    state = table.charter(state, "DR", owner="Ana", tokens=1)
    asked = at(state, LayTrack("SNCF"), PlaceHome("DR"))
    places = [option for option in asked.options() if isinstance(option, PlaceToken)]
    assert {place.hex for place in places} == {"J11", "J13"}
    assert code(asked, PlaceToken("J7", 0)) == "city-full"
    assert code(asked, PlaceToken("Z99", 0)) == "home-city"
    after = play(asked, PlaceToken("J13", 0))
    assert tokens_in(after.board, "J13", 0) == ("FS", "DR")
    assert isinstance(at(after, LayTrack("SNCF"), PlaceHome("DR")).step, LayTrack)


def test_a_tile_that_is_due_comes_before_anything_else(variant: Variant) -> None:
    rules = TrackRules(due=lambda state, company: None if "J7" in state.board.laid else Due("J7"))
    state = at(line(variant(track=rules)), LayTrack("SNCF", 2, 0, 2))
    assert code(state, Pass()) == "tile-due"
    lays = [option for option in state.options() if isinstance(option, LayTile)]
    assert {lay.hex for lay in lays} == {"J7"}
    after = play(state, lays[0])
    assert code(after, Pass()) == ""


def test_lays_with_a_private_are_not_counted(variant: Variant) -> None:
    used: list[str] = []
    rules = TrackRules(
        limit=lambda state, step, lay: (
            None if lay.private or step.together else refuse(state, "no-more-yellow", hex=lay.hex)
        ),
        helpers=lambda state, step: () if used else ("help",),
        helped=lambda move, company, private: used.append(private),
    )
    state = at(line(variant(track=rules)), LayTrack("SNCF"))
    own = next(o for o in state.options() if isinstance(o, LayTile) and not o.private)
    after = play(state, own)
    assert isinstance(after.step, LayTrack)  # the private can still help
    helped = next(o for o in after.options() if isinstance(o, LayTile))
    assert helped.private == "help"
    play(after, helped)
    assert used == ["help"]


def test_a_token_can_take_a_certain_circle(variant: Variant) -> None:
    move = Move(table.charter(line(variant()), "DR", tokens=2))
    place_token(move, "DR", "J13", 0, beside=True, circle=0)
    assert tokens_in(move.state.board, "J13", 0) == ("DR", "FS")
