"""Laying and upgrading track.

All tiles that fit a hex have one colour. So what depends on hex, colour and help is asked once for
a hex (`_lay_refusal`, `_cost_refusal`), and only the rest for each tile (`_tile_check`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from msgspec.structs import replace

from carril.engine.actions import Action, Kinds, LayTile, Pass
from carril.engine.board import Board, lay_tile, tile_at, tokens_of
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import reach, supply
from carril.engine.passes import (
    opened_by,
    pass_cost,
    pass_refusal,
    pass_sets,
    pay_passes,
)
from carril.engine.refusals import Refusal
from carril.engine.shares import company_def
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.tables import HexDef, Tables
from carril.engine.tile import turned
from carril.engine.track import Fit, fault, fits, lay_cost, lengthens
from carril.engine.trains import phase_def


class Lay(NamedTuple):
    """A lay without its tile: the hex, the colour, and the private that helps ("" for none)."""

    hex: str
    colour: str
    private: str = ""


class Due(NamedTuple):
    """A tile that must be laid: its hex, and the code of the refusal of anything else."""

    hex: str
    code: str = "tile-due"


def terrain_cost(state: State, step: Any, lay: Lay) -> int:
    """Return what the terrain costs."""
    tables = state.tables
    return lay_cost(tables.hexes[lay.hex], tile_at(tables, state.board, lay.hex), lay.colour)


def lays_left(state: State, step: Any, lay: Lay) -> Refusal | None:
    """Check how many yellow tiles and upgrades the step still allows."""
    if lay.colour == "yellow":
        return None if step.yellow else refuse(state, "no-more-yellow", hex=lay.hex)
    if step.upgrades:
        return None
    never = company_def(state, step.company).sole_owner
    return refuse(state, "no-upgrades" if never else "no-more-upgrades", hex=lay.hex)


@dataclass(frozen=True, slots=True)
class TrackRules:
    """What a title says about laying track. `step` is `LayTrack`, or a step of the title's own."""

    connected: Callable[[Tables, Board, str, str, Fit, int], bool] = lengthens
    """Whether a company's network meets a tile on a hex as the rules demand: company, hex, tile,
    and the edges at which its track arrives."""
    limit: Callable[[State, Any, Lay], Refusal | None] = lays_left
    """Why a company may lay no such tile on this hex now: its number of lays, its territory."""
    tile_limit: Callable[[State, str, HexDef, Fit], Refusal | None] = (
        lambda state, company, place, fit: None
    )
    """Why a company may not lay a tile that fits a hex there in this rotation."""
    due: Callable[[State, str], Due | None] = lambda state, company: None
    """The tile that a company must lay before anything else; None if there is none."""
    cost: Callable[[State, Any, Lay], int] = terrain_cost
    helpers: Callable[[State, Any], tuple[str, ...]] | None = None
    """The privates that can help to lay track in this step; None where no private ever does."""
    helped: Callable[[Move, str, str], None] = lambda move, company, private: None
    """What else happens when a private has helped to lay a tile."""
    ask_first: Callable[[Move, Any, LayTile], bool] = lambda move, step, action: False
    """Ask whoever must agree before a tile is laid; return whether somebody is asked."""
    before_lay: Callable[[Move, LayTile], None] = lambda move, action: None
    """What else happens before a tile that is paid for is laid."""
    after_lay: Callable[[Move, str, str], None] = lambda move, hex_id, replaced: None
    """What else happens when a tile is laid: the hex, and the number of the tile it replaced."""


def lay_options(state: State, step: CompanyStep) -> Iterator[LayTile]:
    """Yield every tile that may be laid in a step, with each set of passes that it may need.

    Tiles that need no pass come first, all in the order of the map.
    """
    for passes in pass_sets(state, step.company, paid_passes(step)):
        yield from _options_with(state, step, passes)


def _options_with(state: State, step: CompanyStep, passes: tuple[str, ...]) -> Iterator[LayTile]:
    """Yield every tile that may be laid if a company pays for exactly these passes."""
    by, tables, board = step.actor(state), state.tables, state.board
    rules = state.title.track
    helpers = ("", *rules.helpers(state, step)) if rules.helpers else ("",)
    tile_fault = _tile_check(state, step, passes)
    near, colours = _near(state, step, passes), phase_def(state).tiles
    for hex_id in (at for at in tables.hexes if at in near):
        found = fits(tables, board, hex_id)
        if not found or found[0].colour not in colours:
            continue
        lays = [Lay(hex_id, found[0].colour, helper) for helper in helpers]
        allowed = [lay for lay in lays if _may_lay(state, step, lay, passes)]
        if not allowed:
            continue
        yield from (
            LayTile(hex_id, fit.tile, fit.turn, lay.private, passes=passes, by=by)
            for fit in found
            if not tile_fault(hex_id, fit)
            for lay in allowed
        )


def paid_passes(step: CompanyStep) -> tuple[str, ...]:
    """Return the passes that are already paid for in a step."""
    return step.paid if isinstance(step, LayTrack) else ()


def _near(state: State, step: CompanyStep, passes: tuple[str, ...]) -> set[str]:
    """Return the hexes that track or a token reaches, and none that some pass is not needed for."""
    tables, board, company = state.tables, state.board, step.company
    opened = opened_by((*passes, *paid_passes(step)))
    entries = reach(tables, board, company, passes=opened).entries
    if not passes:
        return set(entries) | {at for at, _ in tokens_of(board, company)}
    near = set(entries)
    for city in opened_by(passes):
        fewer = reach(tables, board, company, passes=opened - {city}).entries
        near = {at for at in near if fewer.get(at) != entries[at]}
    return near


def _may_lay(state: State, step: CompanyStep, lay: Lay, passes: tuple[str, ...]) -> bool:
    return not (_lay_refusal(state, step, lay) or _cost_refusal(state, step, lay, passes))


def lay_refusal(state: State, step: CompanyStep, action: LayTile) -> Refusal | None:
    """Check a lay: the tile and its rotation, the number of lays, the connection, the cost."""
    tables = state.tables
    if action.private and state.title.track.helpers is None:
        return refuse(state, "no-private-power", private=action.private)
    if action.hex not in tables.hexes:
        return refuse(state, "no-such-hex", hex=action.hex)
    if refused := pass_refusal(state, step.company, action.passes, paid_passes(step)):
        return refused
    if action.tile not in tables.tiles or action.turn not in range(6):
        return refuse(state, "no-such-tile", tile=action.tile, turn=action.turn)
    for fit in fits(tables, state.board, action.hex):
        if fit.tile == action.tile and fit.turn == action.turn:
            lay = Lay(action.hex, fit.colour, action.private)
            return (
                _lay_refusal(state, step, lay)
                or _tile_refusal(state, step, action, fit)
                or _cost_refusal(state, step, lay, action.passes)
            )
    current = tile_at(tables, state.board, action.hex)
    new = turned(tables.tiles[action.tile], action.turn)
    code = fault(tables, tables.hexes[action.hex], current, new)
    return refuse(state, code, hex=action.hex, tile=action.tile, turn=action.turn)


def _lay_refusal(state: State, step: CompanyStep, lay: Lay) -> Refusal | None:
    """Check what does not differ from tile to tile: the phase, and what the title limits."""
    if lay.colour not in phase_def(state).tiles:
        return refuse(state, "colour-not-yet", colour=lay.colour, phase=state.phase)
    due = state.title.track.due(state, step.company)
    if due and lay.hex != due.hex:
        return refuse(state, due.code, hex=due.hex, company=step.company)
    return state.title.track.limit(state, step, lay)


def _tile_refusal(state: State, step: CompanyStep, action: LayTile, fit: Fit) -> Refusal | None:
    """Check what differs from tile to tile, and what the title says of the tile."""
    hex_id, company = action.hex, step.company
    match _tile_check(state, step, action.passes)(hex_id, fit):
        case "":
            return None
        case "no-tile-left":
            return refuse(state, "no-tile-left", tile=fit.tile)
        case "tile-limit":
            place = state.tables.hexes[hex_id]
            return state.title.track.tile_limit(state, company, place, fit)
        case "not-connected":
            homeless = not reach(state.tables, state.board, company).pieces
            code = "home-first" if homeless else "not-connected"
            return refuse(state, code, hex=hex_id, company=company)
        case city:
            return refuse(state, "pass-not-needed", city=city)


def _tile_check(
    state: State, step: CompanyStep, passes: tuple[str, ...]
) -> Callable[[str, Fit], str]:
    """Return the check of what differs from tile to tile: the supply and the connection.

    It is asked for hundreds of tiles, so it answers with a word: "" if the tile may be laid, and
    for a pass that is not needed the name of its city.
    """
    tables, board, rules, company = state.tables, state.board, state.title.track, step.company
    left, opened = supply(tables, board), opened_by((*passes, *paid_passes(step)))
    arriving = reach(tables, board, company, passes=opened).entries
    without = {
        name: reach(tables, board, company, passes=opened - opened_by((name,))).entries
        for name in passes
    }

    def check(hex_id: str, fit: Fit) -> str:
        if not left[fit.tile]:
            return "no-tile-left"
        if rules.tile_limit(state, company, tables.hexes[hex_id], fit):
            return "tile-limit"
        if not rules.connected(tables, board, company, hex_id, fit, arriving.get(hex_id, 0)):
            return "not-connected"
        for name, entries in without.items():
            if rules.connected(tables, board, company, hex_id, fit, entries.get(hex_id, 0)):
                return name
        return ""

    return check


def _cost_refusal(
    state: State, step: CompanyStep, lay: Lay, passes: tuple[str, ...]
) -> Refusal | None:
    """Check the money, and that nobody has refused the lay in this turn."""
    cost, cash = state.title.track.cost(state, step, lay), state.companies[step.company].cash
    if cost > cash:
        return refuse(state, "too-dear", hex=lay.hex, cost=cost, cash=cash)
    if (cost := cost + pass_cost(state, passes)) > cash:
        return refuse(state, "passes-too-dear", cost=cost, cash=cash)
    if isinstance(step, LayTrack) and lay.hex in step.declined:
        return refuse(state, "consent-declined", hex=lay.hex)
    return None


def pay_for_lay(move: Move, step: CompanyStep, action: LayTile) -> int:
    """Pay for a tile that is laid in a step, and return what it costs."""
    lay = Lay(action.hex, move.state.tables.tiles[action.tile].colour, action.private)
    cost = move.state.title.track.cost(move.state, step, lay)
    pay(move, step.company, BANK, cost, "terrain")
    return cost


class LayTrack(CompanyStep, tag="track", frozen=True):
    """Lay yellow tiles and upgrades, as many of each and together as are left."""

    yellow: int = 1
    upgrades: int = 1
    together: int = 1
    declined: tuple[str, ...] = ()
    """Hexes where somebody who had to be asked has refused a lay."""
    paid: tuple[str, ...] = ()
    """Cities that the company has paid to pass; this is valid until the step ends."""

    allows = (LayTile, Pass)

    def settle(self, move: Move) -> bool:
        """End the step when nothing more may be laid, also not with the help of a private."""
        if self.together and (self.yellow or self.upgrades):
            return False
        helpers = move.state.title.track.helpers
        if helpers and helpers(move.state, self) and any(lay_options(move.state, self)):
            return False
        move.pop()
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield every tile that may be laid, and the pass unless one must be laid."""
        return self.options_of(state, self.allowed(state))

    def options_of(self, state: State, kinds: Kinds) -> Iterable[Action]:
        """Yield the tiles, the pass, or both."""
        if LayTile in kinds:
            yield from lay_options(state, self)
        if Pass in kinds and not state.title.track.due(state, self.company):
            yield Pass(by=self.actor(state))

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check a lay; passing is legal unless a tile must be laid."""
        if isinstance(action, LayTile):
            return lay_refusal(state, self, action)
        due = state.title.track.due(state, self.company)
        return refuse(state, due.code, hex=due.hex, company=self.company) if due else None

    def play(self, move: Move, action: Action) -> None:
        """Lay the tile, or first ask the owner who must agree."""
        if not isinstance(action, LayTile):
            self.passed(move)
        elif not move.state.title.track.ask_first(move, self, action):
            self.lay(move, action)

    def lay(self, move: Move, action: LayTile) -> None:
        """Pay for the terrain and put the tile down; this step is due.

        A lay with the help of a private is not counted.
        """
        rules = move.state.title.track
        pay_passes(move, self.company, action.passes)
        cost = pay_for_lay(move, self, action)
        move.swap(replace(self._counted(move.state, action), paid=(*self.paid, *action.passes)))
        rules.before_lay(move, action)
        lay_tile(move, self.company, action.hex, action.tile, action.turn, cost)
        if action.private:
            rules.helped(move, self.company, action.private)

    def _counted(self, state: State, action: LayTile) -> LayTrack:
        """Return the step with one lay less."""
        if action.private:
            return self
        yellow = state.tables.tiles[action.tile].colour == "yellow"
        return replace(
            self,
            yellow=self.yellow - yellow,
            upgrades=self.upgrades - (not yellow),
            together=self.together - 1,
        )
