"""How the package is built: by setuptools, with the search compiled.

mypyc compiles where there is a C compiler; CARRIL_PURE=1 leaves it out, and an editable
install then takes compiled modules of an earlier one away. A compiled module that is older
than its source is never used (carril.compiled).
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
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

_COMPILER = ["mypy", "msgspec>=0.18.6"]
"""What compiling needs: mypyc comes with mypy, and it looks into what the sources import."""


def _pure() -> bool:
    return os.environ.get("CARRIL_PURE") == "1"


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    """Ask for mypyc unless it is declined."""
    return [] if _pure() else _COMPILER


get_requires_for_build_editable = get_requires_for_build_wheel


def build_editable(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """Install links to the sources, with compiled modules beside them."""
    if _pure():
        for compiled in [*Path("src").rglob("*.so"), *Path("src").rglob("*.pyd")]:
            compiled.unlink()
    return str(build_meta.build_editable(directory, settings, metadata))
