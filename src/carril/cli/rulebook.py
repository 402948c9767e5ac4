"""`carril rules`: the ledgers of rules, and which rules the tests hold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from carril.cli.common import DIFFERENT, screen
from carril.engine.refusals import BadSetup
from carril.rules import Ledger, UnknownRule, load
from carril.rules.coverage import BadMark, Coverage, cover, excuses, scan
from carril.rules.report import contents, coverage_table, one_rule, search, section


def rules(
    title: Annotated[str, typer.Argument(help="A title.")],
    name: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="A rule, or words of a section's heading.")
    ] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Which rules the tests hold; exits 1 if one is open.")
    ] = False,
    words: Annotated[
        str | None, typer.Option("--search", help="Rules that contain all these words.")
    ] = None,
) -> None:
    """Show the rules of a title, one rule, or how far the tests hold them."""
    ledger = load(title)
    console = screen()
    found = _covered(ledger) if coverage else None
    if words:
        console.print(search(ledger, words))
    elif name:
        try:
            console.print(one_rule(ledger, name, found))
        except UnknownRule:
            if not ledger.in_section(name):
                raise
            console.print(section(ledger, name))
    elif found:
        console.print(coverage_table(ledger, found))
    else:
        console.print(contents(ledger))
    if found and not name and not words and not found.complete:
        raise typer.Exit(DIFFERENT)


def _covered(ledger: Ledger) -> Coverage:
    try:
        return cover(ledger, scan(_tests()), excuses())
    except (BadMark, SyntaxError) as error:
        raise BadSetup(f"a test cannot be read: {error}") from None


def _tests() -> Path:
    """Return the folder of tests: below the current folder or one above it that is the project."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / "tests").is_dir() and (folder / "pyproject.toml").is_file():
            return folder / "tests"
    raise BadSetup(f"no tests to look at: there is no project with a folder tests at {here}")
