"""Compiled modules that are older than their sources are passed over.

Python prefers a compiled module to the source beside it. In a working folder that would hide
every change made since it was compiled, so the search is then interpreted until it is compiled
anew. Importing this module, before any other of the search, is enough.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

_FOLDER = Path(__file__).parent


class _Sources:
    """Finds modules of this package by their sources only."""

    def __init__(self, names: Iterable[str]) -> None:
        self.names = {f"{__package__}.{name}": _FOLDER / f"{name}.py" for name in names}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        source = self.names.get(name)
        return spec_from_file_location(name, source) if source else None


def compiled(folder: Path) -> dict[str, Path]:
    """Return the compiled modules of a folder that have their source beside them, by name."""
    return {
        path.name.partition(".")[0]: path
        for suffix in EXTENSION_SUFFIXES
        for path in folder.glob(f"*{suffix}")
        if (folder / f"{path.name.partition('.')[0]}.py").exists()
    }


def stale(folder: Path) -> bool:
    """Return whether a source is newer than its compiled module: then all count as stale.

    Only a working folder, with setup.py at its root, is looked at: an installed package does not
    change, and its files have the times at which they were unpacked.
    """
    return (folder.parents[2] / "setup.py").exists() and any(
        (folder / f"{name}.py").stat().st_mtime > path.stat().st_mtime
        for name, path in compiled(folder).items()
    )


STALE = stale(_FOLDER)
"""Whether compiled modules are there and passed over."""
if STALE:
    sys.meta_path.insert(0, _Sources(compiled(_FOLDER)))
