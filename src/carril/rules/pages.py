"""The rules reference in docs/rules, made from the ledgers and from the marks of the tests.

`python -m carril.rules.pages docs/rules tests` writes the pages; `scripts/build-docs` calls it.
"""

import re
import sys
from collections.abc import Mapping
from pathlib import Path

from carril.rules.coverage import Coverage, cover, excuses, scan
from carril.rules.ledger import TITLES, Ledger, Rule, load

_MADE = "<!-- Made by scripts/build-docs from src/carril/rules; edit there. -->\n\n"
_TOKEN = re.compile(r"(?<![\w.`*-])(?:[A-Z]+-(?:DE-)?[\w.]+-[a-z]+|[AG]-\d+|\[[CG]\d+\])(?![\w-])")

_INDEX = """\
# Rules reference

Every rule of the games, in our own words, as one line with an id that never changes. A
refused move names the id of the rule it breaks; a test names the ids of the rules it holds. A rule
can be linked by its id in small letters with hyphens: [`{example}`]({example}).

| title | rules | refusals | choices | editions | 18xx.games | tested | excused |
|---|--:|--:|--:|--:|--:|--:|--:|
{rows}

- *refusals*: rules that name a move to be rejected
- *choices*: what a rulebook leaves open or says in two ways, and how it is played here
- *editions*: where the editions of a rulebook differ
- *18xx.games*: where games recorded there follow another rule; replayed under its conventions
- *tested*, *excused*: of all these, what a test holds, and what no program can test

`carril rules TITLE [ID]` shows the same in the terminal.
"""


def pages(tests: Path) -> dict[str, str]:
    """File name -> text of every page; titles with tests also have a page that lists them."""
    ledgers = [load(title) for title in TITLES]
    marks, excused = scan(tests), excuses()
    covered = (cover(ledger, marks, excused) for ledger in ledgers)
    coverages = {found.title: found for found in covered if found.tested}
    made = {"README.md": _index(ledgers, coverages)}
    made |= {_page_name(ledger.title): _ledger_page(ledger) for ledger in ledgers}
    for ledger in ledgers:
        if ledger.title in coverages:
            made[_tests_name(ledger.title)] = _tests_page(ledger, coverages[ledger.title])
    return made


def write(folder: Path, tests: Path) -> list[str]:
    """Write the pages that changed, take away those no longer made, and name both."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages(tests)
    changed = []
    for stale in (path for path in folder.glob("*.md") if path.name not in made):
        stale.unlink()
        changed.append(stale.name)
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            changed.append(name)
    return changed


def _page_name(title: str) -> str:
    return f"{title.lower()}.md"


def _tests_name(title: str) -> str:
    return f"{title.lower()}-tests.md"


def _index(ledgers: list[Ledger], coverages: Mapping[str, Coverage]) -> str:
    rows = [_index_row(ledger, coverages.get(ledger.title)) for ledger in ledgers]
    example = f"{_page_name(ledgers[0].title)}#{ledgers[0].rules[0].anchor}"
    return _MADE + _INDEX.format(rows="\n".join(rows), example=example)


def _index_row(ledger: Ledger, coverage: Coverage | None) -> str:
    kinds = [entry.kind for entry in ledger.entries]
    cells = [
        f"[{ledger.title}]({_page_name(ledger.title)})",
        len(ledger.rules),
        sum(rule.refuse for rule in ledger.rules),
        kinds.count("choice"),
        kinds.count("edition"),
        kinds.count("difference"),
        f"[{len(coverage.tested)}]({_tests_name(ledger.title)})" if coverage else "",
        len(coverage.excused) if coverage else "",
    ]
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def _ledger_page(ledger: Ledger) -> str:
    lines = ledger.source.splitlines()
    anchors = {entry.label: entry.anchor for entry in ledger.entries}
    entries = {entry.line - 1: entry for entry in ledger.entries}
    made = [
        _entry_line(line, entries[number], anchors) if number in entries else _linked(line, anchors)
        for number, line in enumerate(lines)
    ]
    return _MADE + "\n".join(made) + "\n"


def _entry_line(line: str, entry: Rule, anchors: Mapping[str, str]) -> str:
    head = len("- ") if line.startswith("- ") else len("| ")
    body = line[head:]
    if entry.kind == "rule":
        opening, rest = body.split(" ", 1)
        body = f"{opening} {_linked(rest, anchors)}"
    else:
        body = _linked(body, anchors)
    return f'{line[:head]}<a id="{entry.anchor}"></a>{body}'


def _linked(line: str, anchors: Mapping[str, str]) -> str:
    """The line with every id it mentions made a link, unless it is a heading or code."""

    def link(found: re.Match[str]) -> str:
        token = found[0]
        anchor = anchors.get(token.strip("[]"))
        return token if anchor is None else f"[{token.strip('[]')}](#{anchor})"

    return line if line.startswith("#") else _TOKEN.sub(link, line)


def _tests_page(ledger: Ledger, coverage: Coverage) -> str:
    page = _page_name(ledger.title)
    lines = [
        f"# {ledger.title}: the tests that hold each rule",
        "",
        "| rule | tests |",
        "|---|---|",
    ]
    for entry in ledger.entries:
        named = "<br>".join(_test_link(test) for test in coverage.tested.get(entry.id, ()))
        excuse = coverage.excused.get(entry.id)
        cell = named or (f"excused: {excuse}" if excuse else "none yet")
        lines.append(f"| [{entry.id}]({page}#{entry.anchor}) | {cell} |")
    return _MADE + "\n".join(lines) + "\n"


def _test_link(test: str) -> str:
    path, name = test.split("::", 1)
    return f"[{name}](../../{path})"


if __name__ == "__main__":
    for changed in write(Path(sys.argv[1]), Path(sys.argv[2])):
        print(changed)
