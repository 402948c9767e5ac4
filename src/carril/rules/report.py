"""The rules and their coverage for the terminal, as rich renderables."""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from carril.rules.coverage import Coverage
from carril.rules.ledger import Ledger, Rule, UnknownRule


def contents(ledger: Ledger) -> RenderableType:
    """The sections of a ledger and how many entries each has."""
    table = Table(title=f"{ledger.title}: {len(ledger.rules)} rules", title_justify="left")
    table.add_column("section")
    table.add_column("first")
    table.add_column("entries", justify="right")
    table.add_column("refusals", justify="right")
    for name in ledger.sections:
        entries = [entry for entry in ledger.entries if entry.section == name]
        refusals = sum(entry.refuse for entry in entries)
        table.add_row(name, entries[0].id, str(len(entries)), str(refusals))
    return table


def one_rule(ledger: Ledger, name: str, coverage: Coverage | None = None) -> RenderableType:
    """One entry in full; with coverage, also the tests that hold it."""
    entry = ledger.find(name)
    head = Text.assemble((entry.id, "bold"), ("  " + entry.section, "dim"))
    parts: list[RenderableType] = [head, Padding(Markdown(entry.text), (0, 0, 0, 2))]
    if coverage is not None:
        parts.append(Padding(_state(entry, coverage), (0, 0, 0, 2)))
    return Group(*parts)


def section(ledger: Ledger, name: str) -> RenderableType:
    """The entries of a section, named by words of its heading or by the beginning of its ids."""
    entries = ledger.in_section(name)
    if not entries:
        known = "; ".join(ledger.sections)
        raise UnknownRule(f"{ledger.title} has no section {name!r}; there are: {known}")
    return _listing(entries)


def search(ledger: Ledger, words: str) -> RenderableType:
    """The entries that contain all the words."""
    entries = ledger.search(words)
    if not entries:
        return Text(f"{ledger.title}: nothing contains {words!r}")
    return _listing(entries)


def coverage_table(ledger: Ledger, coverage: Coverage) -> RenderableType:
    """How far the tests go, section by section, and every id that is open or wrong."""
    table = Table(title=f"{ledger.title}: what tests hold", title_justify="left")
    table.add_column("section")
    for heading in ("entries", "tested", "excused", "missing"):
        table.add_column(heading, justify="right")
    for name in ledger.sections:
        ids = [entry.id for entry in ledger.entries if entry.section == name]
        table.add_row(name, *_counts(ids, coverage))
    table.add_section()
    for name, entries in (
        ("rules", ledger.rules),
        ("choices and differences", ledger.notes),
        ("all", ledger.entries),
    ):
        table.add_row(name, *_counts([entry.id for entry in entries], coverage), style="bold")
    return Group(table, *_findings(coverage))


def _counts(ids: Iterable[str], coverage: Coverage) -> list[str]:
    wanted = set(ids)
    groups = (coverage.tested, coverage.excused, coverage.missing)
    return [str(len(wanted)), *(str(len(wanted & set(group))) for group in groups)]


def _findings(coverage: Coverage) -> list[Text]:
    lines = [Text(f"excused: {one}: {reason}") for one, reason in coverage.excused.items()]
    if coverage.missing:
        lines.append(Text(f"missing: {', '.join(coverage.missing)}", style="red"))
    for one, tests in coverage.unknown.items():
        lines.append(Text(f"unknown id {one} in {', '.join(tests)}", style="red"))
    for one in coverage.needless:
        lines.append(Text(f"excuse without need: {one}", style="red"))
    return lines


def _listing(entries: Iterable[Rule]) -> RenderableType:
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    shown = ""
    for entry in entries:
        if entry.section != shown:
            shown = entry.section
            table.add_row("", Text(shown, style="dim underline"))
        table.add_row(entry.id, Markdown(entry.text))
    return table


def _state(entry: Rule, coverage: Coverage) -> Text:
    tests = coverage.tested.get(entry.id, ())
    if tests:
        return Text("held by " + "\n        ".join(tests), style="green")
    if entry.id in coverage.excused:
        return Text(f"excused: {coverage.excused[entry.id]}", style="yellow")
    return Text("no test names it", style="red")
