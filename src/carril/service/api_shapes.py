"""Converts values of the service to JSON shapes of the API."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from fastapi.responses import Response
from msgspec import Struct

from carril.engine.actions import Option, Range
from carril.engine.refusals import Refusal
from carril.engine.registry import title_named
from carril.engine.setups import player_counts
from carril.engine.state import State
from carril.notation.text import write
from carril.notation.words import say
from carril.service.opponents import bot_names
from carril.service.values import Entry, Position


def answer(value: object, status: int = 200) -> Response:
    """Return a value as JSON."""
    body = msgspec.json.encode(value)
    return Response(body, status, media_type="application/json")


def tag_of(value: Struct) -> str:
    """Return the kind of a tagged value."""
    return str(type(value).__struct_config__.tag)


def title_shape(name: str) -> dict[str, Any]:
    """Return a title with its options."""
    title = title_named(name)
    return {
        "name": title.name,
        "version": title.version,
        "players": player_counts(title),
        "setups": [
            {
                "players": setup.players,
                "variants": setup.variants,
                "cash": setup.cash,
                "certificates": setup.certificates,
            }
            for setup in title.tables.setups
        ],
        "editions": title.editions,
        "conventions": list(title.conventions),
        "variants": [{"name": key, "about": row} for key, row in title.tables.variants.items()],
        "bots": bot_names(),
    }


def state_shape(game: str, here: Position) -> dict[str, Any]:
    """Return a position with whose turn it is and the pending decision."""
    state = here.state
    return {
        "game": game,
        "fork": here.fork,
        "at": here.at,
        "head": here.head,
        "version": here.version,
        "heard": here.heard,
        "tag": here.tag,
        "round": str(state.round),
        "acting": state.acting,
        "step": _step_shape(state),
        "finished": state.finished,
        "result": state.result,
        "state": state,
    }


def _step_shape(state: State) -> dict[str, str] | None:
    if not state.agenda:
        return None
    step = state.step
    return {"kind": tag_of(step), "company": step.subject, "sentence": say(step)}


def options_shape(here: Position) -> dict[str, Any]:
    """Return every legal action of a position."""
    return _options(here, here.state.options())


def _options(here: Position, options: Sequence[Option]) -> dict[str, Any]:
    return {
        "at": here.at,
        "head": here.head,
        "version": here.version,
        "acting": here.state.acting,
        "options": [_option_shape(option) for option in options],
        "pending": None,
    }


def pending_shape(here: Position, known: Mapping[str, Any]) -> dict[str, Any]:
    """Return a position whose options are not known yet, with the value and bound known so far."""
    return _options(here, ()) | {"pending": known}


def _option_shape(option: Option) -> dict[str, Any]:
    spread = None
    action = option
    if isinstance(option, Range):
        action = option.at(option.least)
        names = ("field", "least", "most", "step")
        spread = {name: getattr(option, name) for name in names}
    assert not isinstance(action, Range)
    return {"kind": tag_of(action), "text": write(action), "action": action, "range": spread}


def refusal_shape(refusal: Refusal) -> dict[str, Any]:
    """Return a refusal with its sentence."""
    return {
        "code": refusal.code,
        "message": say(refusal),
        "facts": refusal.facts,
        "rule": refusal.rule,
    }


def entry_shape(entry: Entry) -> dict[str, Any]:
    """Return a recorded action with sentences for its events."""
    return {
        "number": entry.number,
        "by": entry.by,
        "action": entry.action,
        "text": write(entry.action) if entry.action else "",
        "events": entry.events,
        "sentences": [say(event) for event in entry.events],
        "when": entry.when,
        "reason": entry.reason,
    }
