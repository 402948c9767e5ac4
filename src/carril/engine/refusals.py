"""Why an action is refused: a code, the facts, and the rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct

Fact: TypeAlias = int | str | bool | tuple[str, ...]


class Refusal(Struct, frozen=True):
    """A refused action: a code, the facts, and the rule of the ledger."""

    code: str
    facts: Mapping[str, Fact] = {}
    rule: str = ""


class CarrilError(ValueError):
    """The caller's input is wrong; the message says what."""


class IllegalAction(CarrilError):
    """An action that the rules refuse. Nothing has changed."""

    def __init__(self, refusal: Refusal, position: str = "") -> None:
        """Keep the refusal; the position in short text goes into the message."""
        facts = ", ".join(f"{key} {value}" for key, value in refusal.facts.items())
        detail = f" ({facts})" if facts else ""
        where = f" in {position}" if position else ""
        super().__init__(f"{refusal.code}{detail}{where} [{refusal.rule or 'no rule'}]")
        self.refusal = refusal


class BadRecord(CarrilError):
    """A save file or a record that cannot be read."""


class BadSetup(CarrilError):
    """A game that cannot be set up: the title, the players or a variant is wrong."""
