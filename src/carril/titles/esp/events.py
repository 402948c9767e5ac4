"""What happens only in games of 18ESP, as typed values."""

from __future__ import annotations

from carril.engine.events import Event


class PrivateOffered(Event, tag="private-offered", frozen=True):
    """A company offered to buy a private company or one of its rights from its owner."""

    company: str
    owner: str
    private: str
    price: int
    tender: bool = False


class TakeoverAsked(Event, tag="takeover-asked", frozen=True):
    """A corporation wants to take a minor over; `owner` is who must consent ("" = nobody)."""

    company: str
    owner: str
    minor: str
