"""What 18ESP adds to laying track: how many tiles, mines, the private that helps with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from carril.engine.actions import LayTile
from carril.engine.board import lay_tile
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State
from carril.engine.step import refuse
from carril.engine.steps.track import Lay, TrackRules, pay_for_lay, terrain_cost
from carril.engine.tables import HexDef
from carril.engine.track import Fit, joins
from carril.engine.trains import phase_reached
from carril.titles.esp.common import (
    close_private,
    conventions,
    edition,
    esp,
    is_minor,
    owns_private,
    region,
)
from carril.titles.esp.figures import figures
from carril.titles.esp.home import after_lay

if TYPE_CHECKING:
    from carril.titles.esp.build import Build


def most_lays(state: State, company: str) -> int:
    """Return how many tiles a company may lay in a turn, mines aside."""
    lays = figures(state).tile_lays
    if is_minor(state, company):
        return lays.minor
    if conventions(state).south_from_start and region(state, company) == "south":
        return lays.major
    late = phase_reached(state, edition(state).second_tile_from_phase)
    return lays.major if late else lays.early


def second_cost(state: State, step: Build) -> int:
    """Return what the next tile costs beyond its terrain: nothing for the first one."""
    return figures(state).costs.second_tile if step.normal else 0


def _limit(state: State, step: Build, lay: Lay) -> Refusal | None:
    """Check how many tiles may still be laid, and that a minor stays in the south."""
    if refused := _count_refusal(state, step, lay):
        return refused
    if not is_minor(state, step.company) or conventions(state).minors_go_north:
        return None
    north = state.tables.hexes[lay.hex].region == "north"
    return refuse(state, "minor-stays-south", hex=lay.hex) if north else None


def _count_refusal(state: State, step: Build, lay: Lay) -> Refusal | None:
    """Check how many tiles may still be laid (ESP-4.2.1-a to -e, -l; A15, A16)."""
    mine = _is_mine_lay(state, lay)
    if lay.private and not (
        lay.private in _helpers(state, step) and (mine or _dismantles(state, lay))
    ):
        return refuse(state, "private-1-for-mines", private=lay.private)
    if lay.hex in step.hexes:
        return refuse(state, "hex-twice", hex=lay.hex)
    if _is_extra(state, lay.private):
        return None
    if mine:
        return refuse(state, "one-mine", company=step.company) if step.mined else None
    if step.normal >= most_lays(state, step.company):
        minor = is_minor(state, step.company)
        return refuse(state, "no-more-lays" if minor else "no-third-lay", hex=lay.hex)
    if lay.colour != "yellow" and step.upgraded:
        return refuse(state, "one-upgrade", hex=lay.hex)
    return None


def _tile_limit(state: State, company: str, place: HexDef, fit: Fit) -> Refusal | None:
    """Check that the track of Aranjuez reaches the side of Madrid."""
    if place.must_reach and not fit.exits.issuperset(place.must_reach):
        return refuse(state, "aranjuez-madrid", hex=place.id)
    return None


def _is_mine_lay(state: State, lay: Lay) -> bool:
    return lay.colour == "yellow" and state.tables.hexes[lay.hex].terrain == "mine"


def _dismantles(state: State, lay: Lay) -> bool:
    return lay.colour == "green" and state.tables.hexes[lay.hex].terrain == "mine"


def _helpers(state: State, step: Build) -> tuple[str, ...]:
    """Return the private that helps with mines, if the company may use it."""
    private = figures(state).mine_help.private
    if owns_private(state, step.company, private):
        return (private,)
    owner = esp(state).privates.get(private)
    usable = conventions(state).private_1_extra_lay and step.actor(state) == owner
    return (private,) if usable else ()


def _is_extra(state: State, private: str) -> bool:
    """Return whether a lay with a private is beyond the usual ones."""
    return bool(private) and conventions(state).private_1_extra_lay


def _cost(state: State, step: Build, lay: Lay) -> int:
    """Return what a lay costs: terrain, a mine, the second action; less a private's help."""
    cost = terrain_cost(state, step, lay)
    if _dismantles(state, lay):
        cost += figures(state).costs.mine
    if lay.private:
        cost = max(0, cost - figures(state).mine_help.amount)
    return cost if _is_extra(state, lay.private) else cost + _more(state, step, lay)


def _more(state: State, step: Build, lay: Lay) -> int:
    """Return what a second action costs more; a mine laid never costs it."""
    if _is_mine_lay(state, lay):
        return 0
    mine_hex = state.tables.hexes[lay.hex].terrain == "mine"
    if mine_hex and lay.colour != "yellow" and conventions(state).second_mine_upgrade_free:
        return 0
    return second_cost(state, step)


def lay_track(move: Move, step: Build, action: LayTile) -> None:
    """Pay for a tile and put it down; the step, which is due, counts it."""
    state = move.state
    lay = Lay(action.hex, state.tables.tiles[action.tile].colour, action.private)
    mine, extra = _is_mine_lay(state, lay), _is_extra(state, lay.private)
    normal = not mine and not extra
    free = mine and conventions(state).mine_hex_twice
    cost = pay_for_lay(move, step, action)
    move.swap(
        replace(
            step,
            normal=step.normal + normal,
            upgraded=step.upgraded or (normal and lay.colour != "yellow"),
            mined=step.mined or (mine and not extra),
            hexes=step.hexes if free else (*step.hexes, lay.hex),
            helped=bool(action.private),
        )
    )
    if action.private:
        close_private(move, action.private)
    lay_tile(move, step.company, action.hex, action.tile, action.turn, cost)


TRACK = TrackRules(
    connected=joins,
    limit=_limit,
    tile_limit=_tile_limit,
    cost=_cost,
    helpers=_helpers,
    after_lay=after_lay,
)
