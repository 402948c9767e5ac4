"""Actions as text: what a player would type, and what is read back from it.

>>> from carril.engine.actions import Bid
>>> write(Bid(105, by="Ana"))
'Ana: bid 105'
>>> parse("sell 3 FS")
SellShares(company='FS', count=3, by='')

The first word is the kind of the action. A kind without a form of its own, or an action that its
form cannot hold, is written field by field: `takeover company="A B" price=70`.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import replace

from carril.engine.actions import Action, RunTrains, any_of, convert_action
from carril.engine.refusals import BadRecord
from carril.engine.runs import Route, Run, in_words

FORMS: dict[str, tuple[str, ...]] = {
    "pass": ("pass",),
    "accept": ("accept",),
    "decline": ("decline",),
    "adopt": ("adopt rules {version}",),
    "choose": ("choose {lot}",),
    "bid": ("bid {amount}",),
    "sell": ("sell {count} {company}",),
    "buy": ("buy {company} from {source}",),
    "start": ("start {company} at {price}",),
    "merge": ("merge {minor}",),
    "exchange": ("exchange {minor} for {company} from {source}",),
    "close": ("close {minor}",),
    "lay": (
        "lay {tile}/{turn} on {hex} with {private} passing {passes}",
        "lay {tile}/{turn} on {hex} passing {passes}",
        "lay {tile}/{turn} on {hex} with {private}",
        "lay {tile}/{turn} on {hex} as piece {piece}",
        "lay {tile}/{turn} on {hex}",
    ),
    "token": ("token {hex}.{city} passing {passes}", "token {hex}.{city}"),
    "dividend": ("dividend {kind}",),
    "train": (
        "train {train} from {source} for {price} borrowing {loan}",
        "train {train} from {source} for {price} dropping {discard}",
        "train {train} from {source} for {price} trading {trade} with {private}",
        "train {train} from {source} for {price} trading {trade}",
        "train {train} from {source} for {price} with {private}",
        "train {train} from {source} for {price}",
    ),
    "discard": ("discard {train}",),
    "issue": ("issue {count}",),
    "redeem": ("redeem {count}",),
    "bankrupt": ("bankrupt",),
    "open": ("open {hex} with {private}", "open {hex}"),
    "destination": ("destination",),
    "private": ("private {private} for {price}",),
    "side": ("side {train}",),
    "tender": ("tender from {source}",),
    "takeover": ("takeover {minor}",),
    "combine": ("combine {train} with {recycled}",),
    "repay": ("repay {amount}",),
    "convert": ("convert {concession} into {company} at {price}",),
    "bonus": ("bonus {concession} to {company} as {choice}", "bonus {concession} to {company}"),
    "machine": ("machine {generation}",),
}
"""The forms of each kind of action, the fullest first. A field stands in braces."""

_RUN_FORM = "run TRAIN: PLACE PLACE ...; TRAIN: ... + EXTRA STOP = CLAIM, or run nothing"
_NOTHING = "nothing"
_CLAIM = re.compile(r"(?:^|\s)=\s*(-?\d+)(?:\s+and\s+(-?\d+))?$")
_FIELD = re.compile(r"\s*(\w+)=")
_BARE_NAME = re.compile(r"[^\W\d_][\w.'-]*(?: [\w.'-]+)*")
_BARE_WORD = re.compile(r"[^\W\d][\w.+-]*")
_NOT_WORDS = ("true", "false", "null", "NaN", "Infinity")
_JSON = json.JSONDecoder()


def write(action: Action) -> str:
    """Return an action as text, with the player before it if it names one."""
    plain = replace(action, by="")
    text = _write_plain(plain)
    return f"{_write_name(action.by)}: {text}" if action.by else text


def parse(text: str) -> Action:
    """Read an action; a bad one gives one line with the text and what was expected."""
    by, rest = _split_name(text.strip())
    action = _parse_plain(rest)
    return replace(action, by=by) if by else action


def forms(kind: str) -> str:
    """Return how a kind of action is written, for a message.

    >>> forms("bid")
    'bid AMOUNT'
    """
    if kind == "run":
        return _RUN_FORM
    if kind in FORMS:
        return " or ".join(re.sub(r"{(\w+)}", lambda m: m[1].upper(), form) for form in FORMS[kind])
    kinds = _kinds()
    fields = kinds[kind].__struct_fields__ if kind in kinds else ()
    return " ".join([kind, *(f"{name}=..." for name in fields if name != "by")])


def _kinds() -> dict[str, type[Action]]:
    return _by_tag(any_of(Action))


@lru_cache(maxsize=4)
def _by_tag(union: Any) -> dict[str, type[Action]]:
    found = getattr(union, "__args__", (union,))
    return {str(kind.__struct_config__.tag): kind for kind in found}


# --- the player's name ---------------------------------------------------------------------


def _write_name(name: str) -> str:
    """Write a name bare if it cannot be taken for an action, else in quotes."""
    if _BARE_NAME.fullmatch(name) and name.split()[0].lower() not in _kinds():
        return name
    return json.dumps(name, ensure_ascii=False)


def _split_name(text: str) -> tuple[str, str]:
    if text.startswith('"'):
        try:
            name, end = _JSON.raw_decode(text)
        except json.JSONDecodeError:
            raise BadRecord(f"cannot read {text!r}: the quoted name does not end") from None
        if not text[end:].startswith(":"):
            raise BadRecord(f"cannot read {text!r}: expected a colon after the name")
        return str(name), text[end + 1 :].strip()
    name, colon, rest = text.partition(":")
    words = name.split()
    if not colon or not words or words[0].lower() in _kinds():
        return "", text
    return name.strip(), rest.strip()


# --- one action ----------------------------------------------------------------------------


def _write_plain(action: Action) -> str:
    kind = str(type(action).__struct_config__.tag)
    text = _write_form(kind, action)
    if text:
        try:
            if _parse_plain(text) == action:
                return text
        except BadRecord:
            pass
    return _write_fields(kind, action)


def _write_form(kind: str, action: Action) -> str:
    if isinstance(action, RunTrains):
        return _write_run(action)
    values = msgspec.structs.asdict(action)
    given = {field for field, value in values.items() if value not in ("", 0, ())} - {"by"}
    for form in reversed(FORMS.get(kind, ())):
        if given <= set(re.findall(r"{(\w+)}", form)):
            return form.format_map({field: _word(value) for field, value in values.items()})
    return ""


def _word(value: object) -> str:
    """Return a value as one word of a form; the parts of a tuple are joined by commas."""
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _parse_plain(text: str) -> Action:
    kind, _, rest = text.partition(" ")
    kind = kind.lower()
    if kind not in _kinds():
        known = ", ".join(sorted(_kinds()))
        raise BadRecord(f"cannot read {text!r}: expected one of {known}")
    if _FIELD.match(rest):
        return _parse_fields(text, kind, rest)
    if kind == "run":
        return _parse_run(text, rest.strip())
    for form in FORMS.get(kind, ()):
        if found := _pattern(form, _kinds()[kind]).fullmatch(text):
            return convert_action({"type": kind} | _typed(found, _kinds()[kind]))
    if kind not in FORMS and not rest:
        return _parse_fields(text, kind, "")
    raise BadRecord(f"cannot read {text!r}: expected {forms(kind)}")


_patterns: dict[str, re.Pattern[str]] = {}


def _type_of(kind: type[Action], field: str) -> str:
    return str(kind.__annotations__.get(field, ""))


def _pattern(form: str, kind: type[Action]) -> re.Pattern[str]:
    """Return what a form looks like: numbers where the field is one, else words."""
    if form not in _patterns:
        parts = re.split(r"({\w+}|\s+)", form)
        made = ""
        for part in parts:
            if part.startswith("{"):
                field = part[1:-1]
                wanted = "-?[0-9]+" if _type_of(kind, field) == "int" else r"\S+"
                made += f"(?P<{field}>{wanted})"
            else:
                made += r"\s+" if part.isspace() else re.escape(part)
        _patterns[form] = re.compile(made, re.IGNORECASE)
    return _patterns[form]


def _typed(found: re.Match[str], kind: type[Action]) -> dict[str, Any]:
    words = found.groupdict().items()
    return {field: _read_word(_type_of(kind, field), word) for field, word in words}


def _read_word(wanted: str, word: str) -> int | str | list[str]:
    """Read one word of a form as a field of this type."""
    if wanted == "int":
        return int(word)
    return word.split(",") if wanted.startswith("tuple") else word


# --- runs ----------------------------------------------------------------------------------


def _write_run(action: RunTrains) -> str:
    claim = "" if action.claim is None else f" = {action.claim}"
    if action.claim is not None and action.subsidy:
        claim += f" and {action.subsidy}"
    return f"run {in_words(Run(action.routes, action.extras))}{claim}"


def _parse_run(text: str, rest: str) -> Action:
    claim, subsidy = None, 0
    if found := _CLAIM.search(rest):
        claim, subsidy = int(found[1]), int(found[2] or 0)
        rest = rest[: found.start()]
    first, *more = re.split(r"\s\+\s", rest)
    routes = [] if first.strip() == _NOTHING else [_route(text, one) for one in first.split(";")]
    extras = []
    for one in more:
        name, _, value = one.strip().partition(" ")
        extras.append((name, value.strip()))
    return RunTrains(tuple(routes), tuple(extras), claim, subsidy)


def _route(text: str, one: str) -> Route:
    train, colon, path = one.strip().partition(":")
    if not colon or not train or train.split() != [train] or not path.split():
        raise BadRecord(f"cannot read {text!r}: expected {_RUN_FORM}")
    return Route(train, tuple(path.split()))


# --- field by field ------------------------------------------------------------------------


def _write_fields(kind: str, action: Action) -> str:
    values = msgspec.to_builtins(action)
    del values["type"]
    return " ".join([kind, *(f"{field}={_value(value)}" for field, value in values.items())])


def _value(value: object) -> str:
    if isinstance(value, str) and _BARE_WORD.fullmatch(value) and value not in _NOT_WORDS:
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _parse_fields(text: str, kind: str, rest: str) -> Action:
    values: dict[str, Any] = {"type": kind}
    place = 0
    while place < len(rest.rstrip()):
        found = _FIELD.match(rest, place)
        if not found:
            raise BadRecord(f"cannot read {text!r}: expected {forms(kind)}")
        values[found[1]], place = _read_value(text, rest, found.end())
    try:
        return convert_action(values)
    except BadRecord as error:
        raise BadRecord(f"cannot read {text!r}: {error}") from None


def _read_value(text: str, rest: str, start: int) -> tuple[Any, int]:
    word = _BARE_WORD.match(rest, start)
    if word and word[0] not in _NOT_WORDS:
        return word[0], word.end()
    try:
        return _JSON.raw_decode(rest, start)
    except json.JSONDecodeError:
        raise BadRecord(f"cannot read {text!r}: no value at {rest[start:]!r}") from None
