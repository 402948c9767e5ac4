"""Laying and upgrading track, and asking for consent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from carril.engine.actions import Accept, Action, LayTile, Pass
from carril.engine.board import lay_tile, tile_at, tokens_of
from carril.engine.events import Answered, ConsentAsked
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.network import reach, supply
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, State
from carril.engine.step import refuse
from carril.engine.steps.operating import CompanyStep
from carril.engine.steps.question import Question
from carril.engine.tile import turned
from carril.engine.track import Fit, connected, fault, fits, lay_cost
from carril.engine.trains import phase_def


class LayTrack(CompanyStep, tag="track", frozen=True):
    """Lay yellow tiles and upgrades, as many of each and together as are left."""

    yellow: int = 1
    upgrades: int = 1
    together: int = 1
    declined: tuple[str, ...] = ()

    allows = (LayTile, Pass)

    def settle(self, move: Move) -> bool:
        """End the step when nothing more may be laid."""
        if self.together and (self.yellow or self.upgrades):
            return False
        move.pop()
        return True

    def options(self, state: State) -> Iterable[Action]:
        """Yield every tile that may be laid, and the pass."""
        by = self.actor(state)
        for hex_id in self._within_reach(state):
            found = fits(state.tables, state.board, hex_id)
            if not found or not self._may_lay(state, hex_id, found[0].colour):
                continue
            for fit in found:
                if self._tile_refusal(state, hex_id, fit) is None:
                    yield LayTile(hex_id, fit.tile, fit.turn, by=by)
        yield Pass(by=by)

    def _may_lay(self, state: State, hex_id: str, colour: str) -> bool:
        """Check what does not differ from tile to tile: all that fit a hex have one colour."""
        return (
            self._colour_refusal(state, hex_id, colour) is None
            and self._hex_refusal(state, hex_id, colour) is None
        )

    def _within_reach(self, state: State) -> Iterator[str]:
        """Yield the hexes where track arrives or a token lies, in the order of the map."""
        network = reach(state.tables, state.board, self.company)
        near = set(network.entries) | {at for at, _ in tokens_of(state.board, self.company)}
        return (hex_id for hex_id in state.tables.hexes if hex_id in near)

    def refusal(self, state: State, action: Action) -> Refusal | None:
        """Check a lay: the hex, the tile, its turn, the connection, the cost, the consent."""
        if isinstance(action, Pass):
            return None
        assert isinstance(action, LayTile)
        tables = state.tables
        if action.private:
            return refuse(state, "no-private-power", private=action.private)
        if action.hex not in tables.hexes:
            return refuse(state, "no-such-hex", hex=action.hex)
        if action.tile not in tables.tiles or action.turn not in range(6):
            return refuse(state, "no-such-tile", tile=action.tile, turn=action.turn)
        for fit in fits(tables, state.board, action.hex):
            if fit.tile == action.tile and fit.turn == action.turn:
                return (
                    self._colour_refusal(state, action.hex, fit.colour)
                    or self._tile_refusal(state, action.hex, fit)
                    or self._hex_refusal(state, action.hex, fit.colour)
                )
        current = tile_at(tables, state.board, action.hex)
        new = turned(tables.tiles[action.tile], action.turn)
        code = fault(tables, tables.hexes[action.hex], current, new)
        return refuse(state, code, hex=action.hex, tile=action.tile, turn=action.turn)

    def _tile_refusal(self, state: State, hex_id: str, fit: Fit) -> Refusal | None:
        """Check what differs from tile to tile: the supply and the connection."""
        tables, board = state.tables, state.board
        if not supply(tables, board)[fit.tile]:
            return refuse(state, "no-tile-left", tile=fit.tile)
        if not connected(tables, board, self.company, hex_id, fit):
            homeless = not reach(tables, board, self.company).pieces
            code = "home-first" if homeless else "not-connected"
            return refuse(state, code, hex=hex_id, company=self.company)
        return None

    def _hex_refusal(self, state: State, hex_id: str, colour: str) -> Refusal | None:
        """Check what the hex asks for: money, and the consent of an owner."""
        cost, cash = self.cost(state, hex_id, colour), state.companies[self.company].cash
        if cost > cash:
            return refuse(state, "too-dear", hex=hex_id, cost=cost, cash=cash)
        if hex_id in self.declined:
            return refuse(state, "consent-declined", hex=hex_id)
        return None

    def _colour_refusal(self, state: State, hex_id: str, colour: str) -> Refusal | None:
        if colour not in phase_def(state).tiles:
            return refuse(state, "colour-not-yet", colour=colour, phase=state.phase)
        if colour == "yellow":
            if not self.yellow:
                return refuse(state, "no-more-yellow", hex=hex_id)
            return None
        if not self.upgrades:
            minor = state.companies[self.company].kind == "minor"
            return refuse(state, "no-upgrades" if minor else "no-more-upgrades", hex=hex_id)
        return None

    def cost(self, state: State, hex_id: str, colour: str) -> int:
        """Return what the terrain costs."""
        current = tile_at(state.tables, state.board, hex_id)
        return lay_cost(state.tables.hexes[hex_id], current, colour) + state.title.surcharge(
            state, hex_id, colour
        )

    def play(self, move: Move, action: Action) -> None:
        """Lay the tile, or ask whoever must agree."""
        if isinstance(action, Pass):
            self.passed(move)
            return
        assert isinstance(action, LayTile)
        owner = self.owner_to_ask(move.state, action.hex)
        if owner:
            move.push(Consent(self.company, owner, action.hex, action.tile, action.turn))
            move.tell(ConsentAsked(self.company, owner, action.hex))
        else:
            self.lay(move, action.hex, action.tile, action.turn)

    def owner_to_ask(self, state: State, hex_id: str) -> str:
        """Return the player whose consent the first tile on this hex needs, or ""."""
        minor = state.companies.get(state.tables.hexes[hex_id].consent_of)
        if minor is None or minor.closed or not state.setup.conventions.consent_asked:
            return ""
        if tile_at(state.tables, state.board, hex_id).colour != "white":
            return ""
        return minor.owner if minor.owner != self.actor(state) else ""

    def lay(self, move: Move, hex_id: str, tile: str, turn: int) -> None:
        """Pay for the terrain and put the tile down; this step is due."""
        colour = move.state.tables.tiles[tile].colour
        cost = self.cost(move.state, hex_id, colour)
        pay(move, self.company, BANK, cost, "terrain")
        lay_tile(move, self.company, hex_id, tile, turn, cost)
        yellow = colour == "yellow"
        move.swap(
            replace(
                self,
                yellow=self.yellow - yellow,
                upgrades=self.upgrades - (not yellow),
                together=self.together - 1,
            )
        )


class Consent(Question, tag="consent", frozen=True):
    """An owner's answer to a company that wants to lay on a hex he has a say in."""

    company: str
    owner: str
    hex: str
    tile: str
    turn: int

    def actor(self, state: State) -> str:
        """Return the owner who is asked."""
        return self.owner

    def play(self, move: Move, action: Action) -> None:
        """Lay the tile, or remember that it may not be laid this turn."""
        accepted = isinstance(action, Accept)
        move.pop()
        move.tell(Answered(self.owner, accepted, self.hex))
        track = move.state.step
        assert isinstance(track, LayTrack)
        if accepted:
            track.lay(move, self.hex, self.tile, self.turn)
        else:
            move.swap(replace(track, declined=(*track.declined, self.hex)))
