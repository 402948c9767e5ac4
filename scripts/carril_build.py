"""The build backend: setuptools, with the script of the web table built and the search compiled.

A wheel or source distribution without the script of the web table is never built: the build
fails in one line instead. mypyc compiles the search where there is a C compiler; CARRIL_PURE=1
leaves it out, and an editable install then removes the compiled modules of an earlier one. A
compiled module that is older than its source is never used (carril.compiled).
"""

from __future__ import annotations

import os
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import carril_page
from setuptools import build_meta
from setuptools.build_meta import (  # noqa: F401  these serve as they are
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)


def get_requires_for_build_sdist(settings: Any = None) -> list[str]:
    """Ask for Node unless the script of the web table is current."""
    return [] if carril_page.is_current() else _group("page")


def get_requires_for_build_wheel(settings: Any = None) -> list[str]:
    """Ask for what the script of the web table needs, and for mypyc unless it is declined."""
    return get_requires_for_build_sdist(settings) + ([] if _pure() else _group("compile"))


get_requires_for_build_editable = get_requires_for_build_wheel


def build_sdist(directory: str, settings: Any = None) -> str:
    """Build a source distribution that contains the script of the web table."""
    _build_page()
    return str(build_meta.build_sdist(directory, settings))


def build_wheel(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """Build a wheel that contains the script of the web table."""
    _build_page()
    return str(build_meta.build_wheel(directory, settings, metadata))


def build_editable(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """Install links to the sources, with compiled modules next to them."""
    _build_page()
    if _pure():
        for compiled in [*Path("src").rglob("*.so"), *Path("src").rglob("*.pyd")]:
            compiled.unlink()
    return str(build_meta.build_editable(directory, settings, metadata))


def _build_page() -> None:
    try:
        carril_page.build()
    except carril_page.PageNotBuilt as reason:
        line = textwrap.shorten(str(reason), 300, placeholder=" …")
        raise SystemExit(f"carril: the script of the web table is not built: {line}") from None


def _pure() -> bool:
    return os.environ.get("CARRIL_PURE") == "1"


def _group(name: str) -> list[str]:
    project = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))
    return list(project["dependency-groups"][name])
