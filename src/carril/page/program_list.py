"""Programs as their owner sees them: the list in words, and what the forms offer."""

from __future__ import annotations

from typing import Any

from carril.engine.state import State
from carril.notation.words import catalogue
from carril.page.view import Look
from carril.page.words import Words
from carril.programs import describe, describe_stop, say_reason, sensible
from carril.programs.sensible import prices
from carril.service.programs.values import ProgramInfo

STOPS = ("sold", "president", "bid", "phase", "round")
"""The stop conditions that are boxes to tick."""


def program_list(look: Look, programs: tuple[ProgramInfo, ...]) -> list[dict[str, Any]]:
    """Return the programs of the viewer in words."""
    several = len(look.info.seats_of(look.user)) > 1
    return [_row(look.words, one, several) for one in programs]


def _row(words: Words, one: ProgramInfo, several: bool) -> dict[str, Any]:
    known = (words.language, words.money)
    stops = [describe_stop(stop, *known) for stop in one.program.stops]
    why = one.reason and say_reason(one.reason, words.language, dict(words.names), words.money)
    return {
        "id": one.id,
        "player": one.player if several else "",
        "text": describe(one.program, *known),
        "stops": stops,
        "active": one.active,
        "why": why or "",
        "done": one.done,
    }


def may_give(look: Look) -> bool:
    """Return whether the viewer can give programs here."""
    playing = bool(look.info.seats_of(look.user)) and not look.info.read_only
    return playing and not look.position.fork and look.live and not look.state.ended


def form_model(look: Look, wanted: str = "") -> dict[str, Any]:
    """Return what the forms offer to one of the viewer's seats, by default the one that acts."""
    seats = look.info.seats_of(look.user)
    acting = look.state.acting or ""
    player = next((one for one in (wanted, acting) if one in seats), seats[0] if seats else "")
    found = sensible(look.state, player)
    return {
        "player": player,
        "seats": seats,
        "found": found,
        "prices": prices(look.state, found.held),
        "limit": _limit(look.state, player),
        "offer_names": {kind: _offer(look.words, kind) for kind in found.offers},
        "stop_names": {stop: look.words.say(f"program.stop-{stop}") for stop in STOPS},
    }


def _limit(state: State, player: str) -> int:
    """Return the cash of a player, the most that a bid can be."""
    seat = state.players.get(player)
    return seat.cash if seat else 0


def _offer(words: Words, kind: str) -> str:
    """Return a kind of offer in words, as the sentence of a program has it."""
    return str(catalogue(words.language)["word"].get(kind, kind))
