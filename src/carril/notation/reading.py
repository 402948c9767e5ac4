"""Reading JSON files, plain or gzipped, and as much as possible of those that are cut off."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

from carril.engine.refusals import BadRecord

Cut = str
"""What is wrong with a file of which only the beginning could be read."""

_GZIP = b"\x1f\x8b"
_ACTIONS = '"actions": ['


def read_json(path: Path) -> tuple[Any, Cut | None]:
    """Return the contents of a file, and what is wrong if it ends too early.

    BadRecord in one line if there is no such file or it holds no JSON at all.
    """
    data, whole = _unpacked(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if whole or error.end < len(data):
            raise BadRecord(f"{path}: not JSON (not even text)") from None
        text = data.decode("utf-8-sig", errors="ignore")
    if whole and not text.strip():
        raise BadRecord(f"{path}: the file is empty")
    try:
        return json.loads(text), None if whole else "the file is cut off"
    except (json.JSONDecodeError, RecursionError) as error:
        return _beginning(path, text, error)


def _unpacked(path: Path) -> tuple[bytes, bool]:
    """Return the bytes of a file, and whether they are all there."""
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BadRecord(f"{path}: no such file") from None
    except IsADirectoryError:
        raise BadRecord(f"{path}: a folder, not a file") from None
    except OSError as error:
        raise BadRecord(f"{path}: cannot be read ({error.strerror})") from None
    if not data.startswith(_GZIP):
        return data, True
    unpacker = zlib.decompressobj(wbits=31)
    try:
        return unpacker.decompress(data), unpacker.eof
    except zlib.error:
        raise BadRecord(f"{path}: the gzip file is damaged") from None


def _beginning(path: Path, text: str, error: Exception) -> tuple[Any, Cut]:
    """Read what stands before the damage: the head, then one action on each line."""
    if isinstance(error, RecursionError) or not text.lstrip().startswith(("{", "[")):
        raise BadRecord(f"{path}: not JSON") from None
    assert isinstance(error, json.JSONDecodeError)
    ended = text.rstrip().endswith(("}", "]"))
    cut = f"not JSON: line {error.lineno}: {error.msg}" if ended else "the file is cut off"
    head, found, rest = text.partition(_ACTIONS)
    try:
        values = json.loads(head.rstrip().rstrip(",") + "}") if found else None
    except json.JSONDecodeError:
        values = None
    if not isinstance(values, dict):
        raise BadRecord(f"{path}: {cut}") from None
    values["actions"] = _rows(rest)
    return values, cut


def _rows(rest: str) -> list[Any]:
    rows = []
    for line in rest.split("\n")[1:]:
        try:
            rows.append(json.loads(line.strip().rstrip(",")))
        except json.JSONDecodeError:
            break
    return rows
