"""Readable names for tables, and for guests who give none."""

from __future__ import annotations

import secrets
import tomllib
from importlib import resources

_WORDS = tomllib.loads(
    resources.files("carril.service").joinpath("pleasant_names.toml").read_text("utf-8")
)


def new_name() -> str:
    """Return a name of two words, such as "Quiet Junction"."""
    return f"{secrets.choice(_WORDS['first'])} {secrets.choice(_WORDS['second'])}"
