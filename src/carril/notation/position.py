"""Positions as bytes, as a digest, and in short words.

A state holds parts that only its title knows: steps, conventions, an extra. They are told apart
by their tags, among all kinds that are registered when a position is read.

>>> from carril import start
>>> state = start("18EU", ["Ana", "Ben"], seed=1)
>>> decode(encode(state)) == state
True
"""

from __future__ import annotations

import hashlib
import types
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_type_hints

import msgspec

from carril.engine.actions import any_of
from carril.engine.market import price
from carril.engine.play import start
from carril.engine.refusals import BadRecord
from carril.engine.state import Conventions, Setup, State, TitleState
from carril.engine.step import Step

Unions = tuple[Any, Any, Any]

_ORDERED = msgspec.json.Encoder(order="deterministic")


def encode(state: State) -> bytes:
    """Return a position as MessagePack."""
    return msgspec.msgpack.encode(state)


def decode(data: bytes) -> State:
    """Read a position from MessagePack."""
    return _read(_decoders(_unions())[0], data)


def first_position(data: bytes) -> State:
    """Return the first position of the game that a position belongs to.

    Only the set-up is read, so this also works if the rest was written by another version.
    """
    unions = _unions()
    wire: Any = msgspec.defstruct("WireGame", [("setup", _wire(Setup, {"conventions": unions[2]}))])
    try:
        found = msgspec.msgpack.decode(data, type=wire).setup
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"not a position: {error}") from None
    return start(
        found.title,
        found.players,
        found.seed,
        edition=found.edition,
        conventions=found.conventions,
        variants=found.variants,
        seated=found.seated,
    )


def to_json(state: State) -> bytes:
    """Return a position as JSON."""
    return msgspec.json.encode(state)


def from_json(data: bytes | str) -> State:
    """Read a position from JSON."""
    return _read(_decoders(_unions())[1], data)


def digest(state: State) -> str:
    """Return a fingerprint: equal positions, in whatever order they were made, have the same.

    It changes when the structures of the engine do; what is kept in files is `essence`.
    """
    found = hashlib.sha256(_ORDERED.encode(list(state.players)))
    found.update(_ORDERED.encode(state))
    return found.hexdigest()


def essence(state: State) -> str:
    """Return a fingerprint of what lies on the table, whatever the engine keeps besides.

    >>> from carril import start
    >>> essence(start("18EU", ["Ana", "Ben"], seed=1))
    '5e8714a5dbd554cf4dec265822974740'
    """
    companies = {
        one.symbol: (one.cash, one.owner, one.shares, sorted(one.trains), one.tokens)
        for one in state.companies.values()
    }
    table = {
        "round": str(state.round),
        "phase": state.phase,
        "bank": state.bank,
        "players": [(one.name, one.cash) for one in state.players.values()],
        "companies": companies,
        "prices": [(one.company, one.row, one.column) for one in state.markers],
        "tiles": state.board.laid,
        "tokens": state.board.tokens,
        "trains": (state.depot.left, sorted(state.depot.pool)),
        "acting": state.acting,
    }
    return hashlib.sha256(_ORDERED.encode(table)).hexdigest()[:32]


def _unions() -> Unions:
    return any_of(Step), any_of(TitleState), any_of(Conventions)


@lru_cache(maxsize=4)
def _decoders(unions: Unions) -> tuple[Any, Any]:
    """Make the decoders for the kinds that are known now."""
    steps, extras, conventions = unions
    setup = _wire(Setup, {"conventions": conventions})
    agenda = types.GenericAlias(tuple, (steps, ...))
    names = {"Step": steps, "agenda": agenda, "extra": extras, "setup": setup}
    wire = _wire(State, names)
    return msgspec.msgpack.Decoder(wire), msgspec.json.Decoder(wire)


def _wire(kind: type[Any], changed: Mapping[str, Any]) -> type[Any]:
    """Return a structure with the fields of another, some of them of other types."""
    hints = get_type_hints(kind, localns={"Step": changed.get("Step", Any)})
    hints |= changed
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    needed = len(names) - len(defaults)
    fields: list[Any] = [(name, hints[name]) for name in names[:needed]]
    fields += [
        (name, hints[name], default) for name, default in zip(names[needed:], defaults, strict=True)
    ]
    return msgspec.defstruct(f"Wire{kind.__name__}", fields)


def _read(decoder: Any, data: bytes | str) -> State:
    try:
        wire = decoder.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadRecord(f"not a position: {error}") from None
    setup = Setup(*(getattr(wire.setup, name) for name in Setup.__struct_fields__))
    rest = (getattr(wire, name) for name in State.__struct_fields__[1:])
    return State(setup, *rest)


def describe(state: State) -> str:
    """Return a position in a few lines: the round, who decides what, cash and prices.

    >>> from carril import start
    >>> print(describe(start("18EU", ["Ana", "Ben"], seed=1, seated=True)))
    18EU, Sale, phase 2, bank 10500
    Ana to decide: auction
    cash: Ana 750, Ben 750
    """
    lines = [f"{state.setup.title}, {state.round}, phase {state.phase}, bank {state.bank}"]
    if state.ended:
        worth = ", ".join(f"{name} {sum_}" for name, sum_ in (state.result or {}).items())
        return "\n".join([*lines, f"over ({state.ended}): {worth}"])
    lines.append(f"{state.acting} to decide: {due(state)}")
    lines.append("cash: " + ", ".join(f"{p.name} {p.cash}" for p in state.players.values()))
    if state.markers:
        prices = ", ".join(f"{m.company} {price(state, m.company)}" for m in state.markers)
        lines.append(f"prices: {prices}")
    return "\n".join(lines)


def due(state: State) -> str:
    """Return the decision that is due by its short name, with its company."""
    step = state.step
    name = str(type(step).__struct_config__.tag)
    return f"{name} of {step.subject}" if step.subject else name
