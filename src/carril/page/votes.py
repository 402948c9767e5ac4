"""Votes on the page: a card for each request to the people at a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carril.page.view import Look
from carril.service.values import Request


def cards(look: Look, found: Sequence[Request]) -> list[dict[str, Any]]:
    """Return a card for each open request: what is asked, and who has not answered."""
    names = {seat.user: seat.user_name or seat.player for seat in look.info.seats if seat.user}
    user = look.user.id if look.user else ""
    return [
        {
            "id": one.id,
            "kind": one.kind,
            "sentence": _sentence(look, one, own=one.by == user),
            "own": one.by == user,
            "asked": user in one.waiting,
            "waiting": ", ".join(names.get(each, "?") for each in one.waiting if each != user),
        }
        for one in found
    ]


def _sentence(look: Look, one: Request, own: bool) -> str:
    """Return what a request asks for, in one or two sentences."""
    facts: dict[str, Any] = {"name": one.by_name, "at": one.to}
    facts |= {"count": look.position.head - one.to}
    facts |= {key: value for key, value in one.about.items() if isinstance(value, str | int)}
    kind = one.kind
    if kind == "replace":
        facts["player"] = look.words.player(one.about["player"])
        kind = "replace-bot" if one.about["bot"] else "replace-person"
    return look.words.say(f"vote.{kind}-{'own' if own else 'asked'}", **facts)
