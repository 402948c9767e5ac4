"""The names that only titles may use, collected from their tables, and where else they are used."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "carril"
TITLES = PACKAGE / "titles"
ABOUT_TITLES = ("titles/", "rules/excused.toml")
"""What may name them: the titles themselves, and data about rules in the ledgers."""
SUFFIXES = {".py", ".toml", ".html", ".ts", ".css"}
NAMED_BY = ("title", "symbol", "import_symbol", "name", "english", "at", "area")
"""The keys of tables whose values are names of titles, companies, places, trains and privates."""


GENERAL = {"train", "wagon"}
"""Kinds of trains that are not peculiar to a title."""


class Use(NamedTuple):
    """A name of a title where none belongs."""

    path: str
    line: int
    word: str

    def __str__(self) -> str:
        """Return it as `file:line: word`."""
        return f"src/carril/{self.path}:{self.line}: {self.word}"


def names() -> set[str]:
    """Return every name in the tables of the titles, and the titles in the heads of ledgers."""
    tables = [tomllib.loads(path.read_text("utf-8")) for path in TITLES.glob("*/*.toml")]
    heads = [path.read_text("utf-8").partition("\n")[0] for path in PACKAGE.glob("rules/*.md")]
    found = {name for table in tables for name in _names(table)}
    return found | {name for head in heads for name in re.findall(r"18\w+", head)}


def _names(value: Any) -> Iterator[str]:
    """Yield the names in a table and the tables in it; of trains, also their special kinds."""
    if isinstance(value, dict):
        yield from (value[key] for key in NAMED_BY if isinstance(value.get(key), str))
        kind = value.get("kind")
        if "price" in value and isinstance(kind, str) and kind not in GENERAL:
            yield kind
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _names(part)


def pattern(names: set[str], folders: set[str]) -> re.Pattern[str]:
    """Return what finds the names as whole words.

    Single letters and numbers are words of every text, so they are left out. A name of at most
    four characters with a figure in it, such as that of a hex, counts only as a whole quoted
    string. The folders of the titles and names in small letters are found in either case, and
    in the plural.
    """
    words = {name for name in names if re.search(r"[^\W\d]{2}", name)}
    codes = {name for name in names - words if re.fullmatch(r"[A-Z]+\d+", name)}
    either = folders | {word for word in words if word.islower()}
    return re.compile(
        rf"(?<![^\W_])(?:{_any(words - either)}|(?i:(?:{_any(either)})s?))(?![^\W_])"
        rf"|([\"'`])(?:{_any(codes)})\1"
    )


def _any(words: set[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True)) or r"(?!)"


def uses(text: str, found: re.Pattern[str], path: str = "") -> Iterator[Use]:
    """Yield where a text names what only titles may name; examples of doctest do not count."""
    example = False
    for number, line in enumerate(text.splitlines(), 1):
        example = line.lstrip().startswith(">>>") or (example and bool(line.strip(' "')))
        if not example:
            yield from (Use(path, number, match[0]) for match in found.finditer(line))


def all_uses() -> list[Use]:
    """Return every use of a title's name where none belongs."""
    folders = {path.parent.name for path in TITLES.glob("*/__init__.py")}
    found = pattern(names(), folders)
    files = (path for path in sorted(PACKAGE.rglob("*")) if path.suffix in SUFFIXES)
    named = ((path, path.relative_to(PACKAGE).as_posix()) for path in files)
    return [
        use
        for path, name in named
        if not name.startswith(ABOUT_TITLES)
        for use in uses(path.read_text("utf-8"), found, name)
    ]
