"""Laying track in 18ESP: how many tiles, mines, what they cost, and what private 1 is good for.

All tiles that fit a hex have one colour. So what depends on hex, colour and private is asked once
for a hex (`_moment_refusal`, `_cost_refusal`), and only the rest for each tile (`_tile_refusal`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from carril.engine.actions import LayTile
from carril.engine.board import has_token_in, lay_tile, tile_at, tokens_of
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import reach, supply
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.tile import turned
from carril.engine.track import Fit, fault, fits, lay_cost
from carril.engine.trains import phase_def, phase_reached
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

if TYPE_CHECKING:
    from carril.titles.esp.build import Build

ARANJUEZ = "F26"
TO_MADRID = 3
"""The side of Aranjuez that its track must reach."""
PRIVATE_1_HELP = 30
NOWHERE: frozenset[int] = frozenset()


def most_lays(state: State, company: str) -> int:
    """Return how many tiles a company may lay in a turn, mines aside."""
    if is_minor(state, company):
        return 1
    if conventions(state).south_from_start and region(state, company) == "south":
        return 2
    return 2 if phase_reached(state, edition(state).second_tile_from_phase) else 1


def second_cost(state: State, step: Build) -> int:
    """Return what the next tile costs beyond its terrain: the second one 20."""
    return figures(state).costs.second_tile if step.normal else 0


def options(state: State, step: Build) -> Iterator[LayTile]:
    """Yield every tile that may be laid, in the order of the map."""
    by = step.actor(state)
    tables, board = state.tables, state.board
    network = reach(tables, board, step.company)
    near = set(network.entries) | {at for at, _ in tokens_of(board, step.company)}
    powers = ("", "P1") if _private_1_usable(state, step) else ("",)
    for hex_id in (h for h in tables.hexes if h in near):
        found = fits(tables, board, hex_id)
        allowed = _allowed(state, step, hex_id, found[0].colour, powers) if found else []
        if not allowed:
            continue
        for fit in found:
            if _tile_refusal(state, step, hex_id, fit) is None:
                for private in allowed:
                    yield LayTile(hex_id, fit.tile, fit.turn, private, by=by)


def _allowed(
    state: State, step: Build, hex_id: str, colour: str, powers: tuple[str, ...]
) -> list[str]:
    """Return with which of these privates, "" for none, a tile of a colour may be laid on a hex."""
    return [
        private
        for private in powers
        if _moment_refusal(state, step, hex_id, colour, private) is None
        and _cost_refusal(state, step, hex_id, colour, private) is None
    ]


def refusal(state: State, step: Build, action: LayTile) -> Refusal | None:
    """Check a lay: whether the tile fits the hex, then the moment, the connection, the cost."""
    tables = state.tables
    if action.hex not in tables.hexes:
        return refuse(state, "no-such-hex", hex=action.hex)
    if action.tile not in tables.tiles or action.turn not in range(6):
        return refuse(state, "no-such-tile", tile=action.tile, turn=action.turn)
    for fit in fits(tables, state.board, action.hex):
        if fit.tile == action.tile and fit.turn == action.turn:
            return (
                _moment_refusal(state, step, action.hex, fit.colour, action.private)
                or _tile_refusal(state, step, action.hex, fit)
                or _cost_refusal(state, step, action.hex, fit.colour, action.private)
            )
    current = tile_at(tables, state.board, action.hex)
    new = turned(tables.tiles[action.tile], action.turn)
    code = fault(tables, tables.hexes[action.hex], current, new)
    return refuse(state, code, hex=action.hex, tile=action.tile, turn=action.turn)


def _moment_refusal(
    state: State, step: Build, hex_id: str, colour: str, private: str
) -> Refusal | None:
    """Check whether the company may lay a tile of this colour here now."""
    if colour not in phase_def(state).tiles:
        return refuse(state, "colour-not-yet", colour=colour, phase=state.phase)
    if refused := _count_refusal(state, step, hex_id, colour, private):
        return refused
    north = state.tables.hexes[hex_id].region == "north"
    if north and is_minor(state, step.company) and not conventions(state).minors_go_north:
        return refuse(state, "minor-stays-south", hex=hex_id)
    return None


def _count_refusal(
    state: State, step: Build, hex_id: str, colour: str, private: str
) -> Refusal | None:
    """Check how many tiles may still be laid (ESP-4.2.1-a to -e, -l; A15, A16)."""
    mine = _is_mine_lay(state, hex_id, colour)
    helps = mine or _dismantles(state, hex_id, colour)
    if private and (private != "P1" or not _private_1_usable(state, step) or not helps):
        return refuse(state, "private-1-for-mines", private=private)
    if hex_id in step.hexes:
        return refuse(state, "hex-twice", hex=hex_id)
    if _is_extra(state, private):
        return None
    if mine:
        return refuse(state, "one-mine", company=step.company) if step.mined else None
    if step.normal >= most_lays(state, step.company):
        minor = is_minor(state, step.company)
        return refuse(state, "no-more-lays" if minor else "no-third-lay", hex=hex_id)
    if colour != "yellow" and step.upgraded:
        return refuse(state, "one-upgrade", hex=hex_id)
    return None


def _tile_refusal(state: State, step: Build, hex_id: str, fit: Fit) -> Refusal | None:
    """Check what differs from tile to tile: the supply, Aranjuez, the connection."""
    tables, board = state.tables, state.board
    if not supply(tables, board)[fit.tile]:
        return refuse(state, "no-tile-left", tile=fit.tile)
    if hex_id == ARANJUEZ and TO_MADRID not in fit.exits:
        return refuse(state, "aranjuez-madrid", hex=hex_id)
    network = reach(tables, board, step.company)
    arriving = network.entries.get(hex_id, NOWHERE)
    # A yellow tile continues the network; an upgraded one is part of it afterwards.
    if arriving.isdisjoint(fit.exits) and not has_token_in(board, step.company, hex_id):
        code = "not-connected" if network.pieces else "home-first"
        return refuse(state, code, hex=hex_id, company=step.company)
    return None


def _cost_refusal(
    state: State, step: Build, hex_id: str, colour: str, private: str
) -> Refusal | None:
    cost = lay_price(state, step, hex_id, colour, private)
    cash = state.companies[step.company].cash
    return refuse(state, "too-dear", hex=hex_id, cost=cost, cash=cash) if cost > cash else None


def _is_mine_lay(state: State, hex_id: str, colour: str) -> bool:
    return colour == "yellow" and state.tables.hexes[hex_id].terrain == "mine"


def _dismantles(state: State, hex_id: str, colour: str) -> bool:
    return colour == "green" and state.tables.hexes[hex_id].terrain == "mine"


def _private_1_usable(state: State, step: Build) -> bool:
    if owns_private(state, step.company, "P1"):
        return True
    owner = esp(state).privates.get("P1")
    return conventions(state).private_1_extra_lay and step.actor(state) == owner


def _is_extra(state: State, private: str) -> bool:
    """Return whether a lay with private 1 is beyond the usual ones."""
    return bool(private) and conventions(state).private_1_extra_lay


def lay_price(state: State, step: Build, hex_id: str, colour: str, private: str) -> int:
    """Return what a lay costs: terrain, a mine, the second action; less private 1's help."""
    tables = state.tables
    cost = lay_cost(tables.hexes[hex_id], tile_at(tables, state.board, hex_id), colour)
    if _dismantles(state, hex_id, colour):
        cost += figures(state).costs.mine
    if private:
        cost = max(0, cost - PRIVATE_1_HELP)
    return cost if _is_extra(state, private) else cost + _more(state, step, hex_id, colour)


def _more(state: State, step: Build, hex_id: str, colour: str) -> int:
    """Return the 20 for a second action; a mine laid never costs it."""
    if _is_mine_lay(state, hex_id, colour):
        return 0
    mine_hex = state.tables.hexes[hex_id].terrain == "mine"
    if mine_hex and colour != "yellow" and conventions(state).second_mine_upgrade_free:
        return 0
    return second_cost(state, step)


def lay(move: Move, step: Build, action: LayTile) -> None:
    """Pay for a tile and put it down; the step, which is due, counts it."""
    state = move.state
    colour = state.tables.tiles[action.tile].colour
    cost = lay_price(state, step, action.hex, colour, action.private)
    mine = _is_mine_lay(state, action.hex, colour)
    extra = _is_extra(state, action.private)
    normal = not mine and not extra
    free = mine and conventions(state).mine_hex_twice
    move.swap(
        replace(
            step,
            normal=step.normal + normal,
            upgraded=step.upgraded or (normal and colour != "yellow"),
            mined=step.mined or (mine and not extra),
            hexes=step.hexes if free else (*step.hexes, action.hex),
        )
    )
    pay(move, step.company, BANK, cost, "terrain")
    if action.private:
        close_private(move, action.private)
    lay_tile(move, step.company, action.hex, action.tile, action.turn, cost)
