"""Programs, their stop conditions and why they have stopped, in plain words.

>>> from carril.programs.kinds import BidUpTo
>>> describe(BidUpTo(lot="5", limit=120, then="pass"))
'Bid for lot 5 up to 120, then pass.'
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from carril.notation import messages
from carril.notation.words import catalogue, renamed
from carril.programs.history import Reason
from carril.programs.kinds import AnyProgram, Plan, Stop


def describe(
    program: AnyProgram, language: str = messages.DEFAULT, money: messages.Money = str
) -> str:
    """Return a sentence that says what a program does, without its stop conditions."""
    facts = msgspec.structs.asdict(program) | {"count": getattr(program, "count", 0)}
    if isinstance(program, Plan):
        facts |= {"count": len(program.moves), "mine": program.mine}
    tag = str(type(program).__struct_config__.tag)
    return _say("program", _variant(tag, facts), facts, language, money)


def _variant(tag: str, facts: Mapping[str, Any]) -> str:
    """Return the key of the sentence: a kind of program, and what distinguishes this one."""
    one = "" if facts.get("company") else "-any"
    match tag:
        case "pass":
            return f"pass-{facts['until']}"
        case "buy":
            bounded = "-most" if facts["count"] else ""
            return f"buy-float{bounded}" if facts["until_float"] else "buy-count"
        case "bid":
            return f"bid-{facts['then']}"
        case "answer":
            if facts["accept"] and facts["least"]:
                return f"accept-least{one}"
            return f"accept{one}" if facts["accept"] else f"decline{one}"
        case "operate":
            what = "run" if facts["run"] else "pay"
            return f"operate-{what}-{facts['dividend'] or 'ask'}{one}"
        case "skip":
            both = facts["track"] and facts["station"]
            what = "both" if both else "track" if facts["track"] else "station"
            return f"skip-{what}{one}"
    return tag


def describe_stop(stop: Stop, language: str = messages.DEFAULT, money: messages.Money = str) -> str:
    """Return a stop condition in words."""
    facts = msgspec.structs.asdict(stop)
    tag = str(type(stop).__struct_config__.tag)
    key = f"{tag}-any" if facts.get("company") == "" else tag
    return _say("stop", key, facts, language, money)


def say_reason(
    reason: Reason,
    language: str = messages.DEFAULT,
    names: Mapping[str, str] | None = None,
    money: messages.Money = str,
) -> str:
    """Return a sentence that says why a program has stopped."""
    facts = {key: renamed(value, names or {}) for key, value in reason.facts.items()}
    return _say("halt", reason.code, facts, language, money)


def _say(
    group: str, key: str, facts: Mapping[str, Any], language: str, money: messages.Money
) -> str:
    sentences = catalogue(language)
    return messages.fill(sentences[group][key], facts, sentences["word"], money)
