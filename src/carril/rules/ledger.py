"""Reading the ledgers, which are Markdown pages with one rule on a line."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

Kind = Literal["rule", "choice", "edition", "difference"]

_ADDED: dict[str, str] = {}
"""The ledgers of titles of other packages."""

# A rule: "- **AB-4.1.1-b** text", "- `AB-1.3-a` text"; of one edition, "- `AB-DE-1.5-a` text".
_RULE = re.compile(r"^- (?:\*\*|`)(?P<id>[A-Z]+-(?:DE-)?[\w.]+-[a-z]+)(?:\*\*|`) (?P<text>.+)$")
# A note: "- **A-1 Name.** text", "- **G1 Name.** text", or a table row "| A1 | text | ... |".
_NOTE = re.compile(r"^- \*\*(?P<label>[ACG]-?\d+) (?P<text>.+)$")
_ROW = re.compile(r"^\| (?P<label>[ACEG]\d+) \| (?P<text>.+) \|$")
_HEADING = re.compile(r"^##+ (?P<name>.+)$")
_NAME = re.compile(r"18\w+")


def _sources() -> dict[str, str]:
    """Return the text of every ledger by its heading."""
    pages = (path for path in files("carril.rules").iterdir() if path.name.endswith(".md"))
    found = (path.read_text(encoding="utf-8") for path in sorted(pages, key=lambda one: one.name))
    return {source.partition("\n")[0]: source for source in found}


def _prefix(source: str) -> str:
    """Return how the ids of the rules in a ledger begin."""
    first = next(found for line in source.splitlines() if (found := _RULE.match(line)))
    return first["id"].partition("-")[0]


_NAMES: dict[str, str] = {
    name: _NAME.findall(head)[0] for head in _sources() for name in _NAME.findall(head)
}
"""The titles by each of the names in the headings of their ledgers; the first is the usual one."""
_SOURCES: dict[str, str] = {_NAME.findall(head)[0]: source for head, source in _sources().items()}

TITLES = {title: _prefix(source) for title, source in _SOURCES.items()}
"""The titles that have a ledger, and how the ids of their rules begin."""


class UnknownTitle(LookupError):
    """No ledger for a title of this name."""


class UnknownRule(LookupError):
    """No rule of this id in the ledger."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a ledger.

    A *rule* restates the rulebook. A *choice* settles what the rulebook leaves open or says in
    two ways. An *edition* entry tells where the editions of a rulebook differ, a *difference* where
    18xx.games knowingly does something else.
    """

    id: str
    kind: Kind
    section: str
    text: str
    refuse: bool
    line: int

    @property
    def anchor(self) -> str:
        """The name of the rule in a link: `AB-4.1.1-b` is `ab-4-1-1-b`."""
        return re.sub(r"[^a-z0-9]+", "-", self.id.lower())

    @property
    def label(self) -> str:
        """The id as the ledger prints it: choices and differences without their title."""
        return self.id if self.kind == "rule" else self.id.split("-", 1)[1]


@dataclass(frozen=True, slots=True)
class Ledger:
    """All rules of one title, in the order of the page."""

    title: str
    entries: tuple[Rule, ...]
    source: str

    @property
    def prefix(self) -> str:
        """How the ids of its rules begin."""
        return self.rules[0].id.partition("-")[0]

    @property
    def rules(self) -> tuple[Rule, ...]:
        """The entries that a test must hold."""
        return tuple(entry for entry in self.entries if entry.kind == "rule")

    @property
    def notes(self) -> tuple[Rule, ...]:
        """The entries that are not rules: choices and differences."""
        return tuple(entry for entry in self.entries if entry.kind != "rule")

    @property
    def sections(self) -> tuple[str, ...]:
        """The headings that have entries, in order."""
        return tuple(dict.fromkeys(entry.section for entry in self.entries))

    def find(self, name: str) -> Rule:
        """The entry of this id, in any case; choices and differences also by their label.

        >>> load("18EU").find("a-1").id
        'EU-A-1'
        """
        wanted = name.strip().lower()
        for entry in self.entries:
            if wanted in (entry.id.lower(), entry.label.lower()):
                return entry
        ids = [entry.id for entry in self.entries]
        near = get_close_matches(name.strip().upper(), [one.upper() for one in ids], n=3)
        hint = f"; near it: {', '.join(one for one in ids if one.upper() in near)}" if near else ""
        raise UnknownRule(f"{self.title} has no rule {name!r}{hint}")

    def in_section(self, name: str) -> tuple[Rule, ...]:
        """The entries of the sections whose heading contains these words, or whose ids begin so.

        >>> [entry.id for entry in load("18EU").in_section("EU-1.3")]
        ['EU-1.3-a', 'EU-1.3-b']
        """
        wanted = name.strip().lower()
        by_id = tuple(
            entry
            for entry in self.entries
            if re.match(re.escape(wanted) + r"([.-]|$)", entry.id.lower())
        )
        return by_id or tuple(entry for entry in self.entries if wanted in entry.section.lower())

    def search(self, words: str) -> tuple[Rule, ...]:
        """The entries that contain all these words, in any case and order."""
        wanted = words.lower().split()
        return tuple(
            entry
            for entry in self.entries
            if wanted and all(word in f"{entry.id} {entry.text}".lower() for word in wanted)
        )


def title_of(name: str) -> str:
    """The title as it is written, from any case or an alias.

    >>> title_of("18eu"), title_of("18España")
    ('18EU', '18ESP')
    """
    known = {_folded(other): title for other, title in _NAMES.items()}
    known |= {_folded(title): title for title in _ADDED}
    if (folded := _folded(name.strip())) not in known:
        raise UnknownTitle(f"unknown title {name!r}; there are {', '.join(TITLES)}")
    return known[folded]


def _folded(name: str) -> str:
    """Return a name in small letters without accents."""
    letters = unicodedata.normalize("NFD", name.lower())
    return "".join(one for one in letters if not unicodedata.combining(one))


def add_ledger(title: str, source: Traversable) -> None:
    """Add the ledger of a title from another package, a Markdown file."""
    _ADDED[title] = source.read_text(encoding="utf-8")
    _load.cache_clear()


@cache
def _load(title: str) -> Ledger:
    source = _ADDED.get(title) or _SOURCES[title]
    return Ledger(title, tuple(_entries(source)), source)


def load(title: str) -> Ledger:
    """The ledger of a title."""
    return _load(title_of(title))


def _entries(source: str) -> Iterator[Rule]:
    section = prefix = ""
    lines = source.splitlines()
    for number, line in enumerate(lines):
        if heading := _HEADING.match(line):
            section = heading["name"]
        elif found := _RULE.match(line):
            prefix = found["id"].partition("-")[0]
            text = "\n".join([found["text"], *_continued(lines, number)])
            yield Rule(found["id"], "rule", section, text, "REFUSE" in text, number + 1)
        elif found := _NOTE.match(line) or _ROW.match(line):
            text = "\n".join([_opened(found["text"], line), *_continued(lines, number)])
            name = f"{prefix}-{found['label']}"
            kind = _kind_of_note(found["label"], section)
            yield Rule(name, kind, section, text, "REFUSE" in text, number + 1)


def _kind_of_note(label: str, section: str) -> Kind:
    if "18xx.games" in section:
        return "difference"
    return "edition" if label.startswith("E") else "choice"


def _opened(text: str, line: str) -> str:
    """The text of a note: its bold heading made whole again, table cells as sentences."""
    if line.startswith("- **"):
        return f"**{text}"
    return " — ".join(cell.strip() for cell in text.split(" | "))


def _continued(lines: list[str], number: int) -> list[str]:
    """What belongs to the entry on this line: indented lines, or a table announced by a colon."""
    more: list[str] = []
    rest = lines[number + 1 :]
    if lines[number].endswith(":") and len(rest) > 1 and not rest[0] and rest[1].startswith("|"):
        more.append("")
        rest = rest[1:]
    for line in rest:
        if not line.startswith("  ") and not (more and line.startswith("|")):
            break
        more.append(line)
    return more
