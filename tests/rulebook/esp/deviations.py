"""The conventions of 18xx.games, one by one."""

from __future__ import annotations

from msgspec.structs import replace

from carril.titles.esp.conventions import ONLINE, RULEBOOK, ESPConventions

BOOK = RULEBOOK


def online(*fields: str) -> ESPConventions:
    """Return the rulebook's conventions with just these fields as 18xx.games has them."""
    for field in fields:
        assert getattr(ONLINE, field) != getattr(RULEBOOK, field), f"{field} is no difference"
    return replace(RULEBOOK, **{field: getattr(ONLINE, field) for field in fields})
