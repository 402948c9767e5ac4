"""Parts that several processes on one machine share: one renders, the others read a file.

The folder is in memory where the system has such a place. It can be lost at any time: then each
process renders by itself.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from carril.page.render import Part
from carril.page.watching import Key, Watched

_MEMORY = Path("/dev/shm")
_PATIENCE = 2.0
"""Seconds to wait for what another process renders."""
_LOOK = 0.02
_MOST = 256
"""Tables in the folder; the oldest are deleted."""
_TIDY = 64
"""Tables written between two looks at how many there are."""

_Stored = tuple[int, bool, list[tuple[str, str, str]]]


@contextmanager
def shared_folder() -> Iterator[str]:
    """Make a folder for the parts that processes share; only this user can enter it."""
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with TemporaryDirectory(prefix="carril-parts-", dir=place, ignore_cleanup_errors=True) as made:
        yield made


class SharedParts:
    """The latest parts of watched tables in a folder."""

    def __init__(self, folder: str) -> None:
        """Use a folder that other processes use as well."""
        self._folder = Path(folder)
        self._written = 0

    async def wait(self, key: Key, heard: int) -> Watched | None:
        """Return parts that include a message; None if this process has to render them."""
        end = time.monotonic() + _PATIENCE
        with suppress(OSError, msgspec.MsgspecError):
            while True:
                if found := self._find(key, heard):
                    return found
                if self._claim(key, heard) or time.monotonic() > end:
                    return None
                await asyncio.sleep(_LOOK)
        return None

    def _find(self, key: Key, heard: int) -> Watched | None:
        path = self._path(key)
        try:
            with path.open("rb") as file:
                age = time.time() - os.fstat(file.fileno()).st_mtime
                number, later, parts = msgspec.msgpack.decode(file.read(), type=_Stored)
        except FileNotFoundError:
            return None
        if number < heard:
            return None
        moment = time.monotonic() - max(0.0, age)
        return Watched(number, {one[0]: Part(*one) for one in parts}, True, later, moment)

    def _claim(self, key: Key, heard: int) -> bool:
        """Return whether no other process is rendering this already."""
        path = self._path(key).with_suffix(f".{heard}")
        with suppress(FileExistsError):
            path.open("xb").close()
            return True
        return False

    def put(self, key: Key, heard: int, made: Watched) -> None:
        """Let other processes have what was rendered for a message, if it is complete."""
        path = self._path(key)
        parts = [(part.name, part.revision, part.inside) for part in made.parts.values()]
        with suppress(OSError):
            if made.lasting:
                written = path.with_suffix(f".{os.getpid()}-part")
                written.write_bytes(msgspec.msgpack.encode((made.heard, made.later, parts)))
                written.replace(path)
            path.with_suffix(f".{heard}").unlink(missing_ok=True)
            self._tidy()

    def _tidy(self) -> None:
        self._written += 1
        if self._written % _TIDY == 0:
            files = sorted(self._folder.iterdir(), key=lambda file: file.stat().st_mtime)
            for file in files[:-_MOST]:
                file.unlink(missing_ok=True)

    def _path(self, key: Key) -> Path:
        return self._folder / hashlib.sha256("\0".join(key).encode()).hexdigest()[:32]
