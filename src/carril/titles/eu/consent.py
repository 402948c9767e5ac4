"""Consent to a lay: a minor's owner decides on the first tile of some hexes (EU-4.6-h)."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.actions import Accept, Action, LayTile
from carril.engine.board import tile_at
from carril.engine.events import Answered, ConsentAsked
from carril.engine.move import Move
from carril.engine.state import State
from carril.engine.steps.question import Question
from carril.engine.steps.track import LayTrack
from carril.titles.eu.common import conventions


class Consent(Question, tag="consent", frozen=True):
    """A minor's owner answers a company that needs their consent to a lay."""

    company: str
    owner: str
    hex: str
    tile: str
    turn: int

    def actor(self, state: State) -> str:
        """Return the owner who is asked."""
        return self.owner

    def play(self, move: Move, action: Action) -> None:
        """Lay the tile, or remember that it may not be laid in this turn."""
        accepted = isinstance(action, Accept)
        move.pop()
        move.tell(Answered(self.owner, accepted, self.hex))
        track = move.state.step
        assert isinstance(track, LayTrack)
        if accepted:
            track.lay(move, LayTile(self.hex, self.tile, self.turn))
        else:
            move.swap(replace(track, declined=(*track.declined, self.hex)))


def ask_consent(move: Move, step: LayTrack, action: LayTile) -> bool:
    """Ask for the consent that a lay needs; return whether somebody is asked."""
    owner = _owner_to_ask(move.state, step.actor(move.state), action.hex)
    if not owner:
        return False
    move.push(Consent(step.company, owner, action.hex, action.tile, action.turn))
    move.tell(ConsentAsked(step.company, owner, action.hex))
    return True


def _owner_to_ask(state: State, player: str, hex_id: str) -> str:
    """Return whose consent a player needs for the first tile on a hex, or ""."""
    minor = state.companies.get(state.tables.hexes[hex_id].consent_of)
    if minor is None or minor.closed or not conventions(state).consent_asked:
        return ""
    first = tile_at(state.tables, state.board, hex_id).colour == "white"
    return minor.owner if first and minor.owner != player else ""
