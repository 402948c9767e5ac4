"""Reading the TOML files of a title; an error names the file."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib import resources
from typing import Any, TypeVar

from msgspec import ValidationError

from carril.engine.refusals import BadSetup

T = TypeVar("T")


def read_table(package: str, name: str, read: Callable[[dict[str, Any]], T]) -> T:
    """Return what `read` makes of a table of a package; raise BadSetup if it cannot."""
    path = resources.files(package) / f"{name}.toml"
    where = f"{package}/{name}.toml"
    try:
        return read(tomllib.loads(path.read_text("utf-8")))
    except FileNotFoundError:
        raise BadSetup(f"{where}: there is no such file") from None
    except KeyError as error:
        raise BadSetup(f"{where}: {error.args[0]!r} is missing or unknown") from None
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise BadSetup(f"{where}: {error}") from None
