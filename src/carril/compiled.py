"""Import hook: ignores compiled modules of the solver that are older than their sources.

Python prefers a compiled module to the source next to it. In a working folder that would hide every
change made since it was compiled, so the whole solver is then interpreted until it is compiled
again. Importing this module before the solver is enough.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

_PACKAGE = "carril.routes"
_FOLDER = Path(__file__).parent / "routes"


class _SourceFinder:
    """Finds some modules by their sources only."""

    def __init__(self, sources: dict[str, Path]) -> None:
        self.sources = sources

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        source = self.sources.get(name)
        return spec_from_file_location(name, source) if source else None


def compiled_sources(folder: Path) -> dict[Path, Path]:
    """Return the sources below a folder that have a compiled module next to them, with it."""
    return {
        source: path
        for suffix in EXTENSION_SUFFIXES
        for path in folder.rglob(f"*{suffix}")
        if (source := path.with_name(f"{path.name.partition('.')[0]}.py")).exists()
    }


def is_stale(folder: Path) -> bool:
    """Return whether a source is newer than its compiled module; then all are out of date.

    Only a working folder, with setup.py at its root, is examined: an installed package does not
    change, and its files have the times at which they were unpacked.
    """
    return (folder.parents[2] / "setup.py").exists() and any(
        source.stat().st_mtime > path.stat().st_mtime
        for source, path in compiled_sources(folder).items()
    )


def _module_name(source: Path) -> str:
    parts = source.relative_to(_FOLDER).with_suffix("").parts
    return ".".join([_PACKAGE, *parts])


STALE = is_stale(_FOLDER)
"""Whether there are compiled modules that are ignored."""
if STALE:
    sys.meta_path.insert(
        0, _SourceFinder({_module_name(source): source for source in compiled_sources(_FOLDER)})
    )
