"""How the package is built: setuptools, with the search compiled where a wheel is made.

A wheel asks for mypyc and compiles; CARRIL_PURE=1 leaves it out. An editable install
leaves it out by itself, since compiled modules would hide later changes of their sources;
CARRIL_PURE=0 compiles there too.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (  # noqa: F401  these serve as they are
    build_sdist,
    build_wheel,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_wheel,
)

_COMPILER = ["mypy", "msgspec>=0.18.6"]
"""What compiling needs: mypyc comes with mypy, and it looks into what the sources import."""


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    """Ask for mypyc unless it is declined."""
    return [] if os.environ.get("CARRIL_PURE") == "1" else _COMPILER


def get_requires_for_build_editable(settings: Any = None) -> list[str]:
    """Ask for mypyc only if it is wanted."""
    return _COMPILER if os.environ.get("CARRIL_PURE") == "0" else []


def prepare_metadata_for_build_editable(directory: str, settings: Any = None) -> str:
    """Tell what will be installed."""
    os.environ.setdefault("CARRIL_PURE", "1")
    return build_meta.prepare_metadata_for_build_editable(directory, settings)


def build_editable(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """Install links to the sources; compiled modules left beside them would be stale."""
    os.environ.setdefault("CARRIL_PURE", "1")
    if os.environ["CARRIL_PURE"] == "1":
        for compiled in [*Path("src").rglob("*.so"), *Path("src").rglob("*.pyd")]:
            compiled.unlink()
    return build_meta.build_editable(directory, settings, metadata)
