"""Reading settings: from a file, from variables `CARRIL_*`, and from options; later ones win."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from carril.engine.refusals import BadSetup
from carril.service.settings import Rate, Setting, Settings

PREFIX = "CARRIL_"
FILE = "config"
"""The option, and with the prefix the variable, that names a file with settings."""
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off")


@cache
def described() -> Mapping[str, tuple[Any, Setting]]:
    """Return the type and the description of every setting, by name."""
    hints = get_type_hints(Settings, include_extras=True)
    return {name: get_args(hints[name]) for name in Settings.__struct_fields__}


def variable(name: str) -> str:
    """Return the environment variable of a setting.

    >>> variable("bot_pause")
    'CARRIL_BOT_PAUSE'
    """
    return PREFIX + name.upper()


def option(name: str) -> str:
    """Return the command-line option of a setting.

    >>> option("bot_pause")
    '--bot-pause'
    """
    return "--" + name.replace("_", "-")


def load_settings(options: Mapping[str, object | None], environment: Mapping[str, str]) -> Settings:
    """Return the settings; raise BadSetup in one line if a value is wrong.

    >>> load_settings({"port": "9000"}, {"CARRIL_PORT": "1", "CARRIL_POLL": "2"}).poll
    2.0
    """
    file = options.get(FILE) or environment.get(variable(FILE))
    chosen = _from_file(str(file)) if file else {}
    chosen |= {
        name: environment[variable(name)] for name in described() if variable(name) in environment
    }
    chosen |= {name: value for name, value in options.items() if name != FILE and value is not None}
    return Settings(**{name: _parse(name, value) for name, value in chosen.items()})


def _from_file(file: str) -> dict[str, object]:
    try:
        values = tomllib.loads(Path(file).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadSetup(f"cannot read the settings in {file}: {error}") from None
    named = {key.replace("-", "_"): value for key, value in values.items()}
    unknown = sorted(set(named) - set(described()))
    if unknown:
        raise BadSetup(f"{file}: there is no setting {unknown[0]!r}")
    return named


def _parse(name: str, value: object) -> Any:
    """Return a value of the type of a setting; raise BadSetup if it is not one."""
    kind, setting = described()[name]
    try:
        parsed = _convert(kind, value)
        if isinstance(parsed, int | float) and not setting.least <= parsed <= setting.most:
            raise ValueError(f"{parsed} is out of range")
    except (ValueError, TypeError) as error:
        raise BadSetup(f"{option(name)} ({variable(name)}): {error}") from None
    return parsed


def _convert(kind: Any, value: object) -> object:
    if get_origin(kind) is Literal:
        if value not in get_args(kind):
            raise ValueError(f"{value!r} is not one of {', '.join(get_args(kind))}")
        return value
    if kind is bool:
        return _switch(value)
    if kind is Rate:
        return _rate(str(value))
    if kind is not str and isinstance(value, bool):
        raise ValueError(f"{value} is not a number")
    return kind(value)


def _switch(value: object) -> bool:
    text = str(value).strip().lower()
    if text not in _YES + _NO:
        raise ValueError(f"{value!r} is neither on nor off")
    return text in _YES


def _rate(text: str) -> Rate:
    try:
        return Rate.parse(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a rate such as 60/300") from None
