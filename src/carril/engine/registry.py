"""The known titles. A title registers itself when its package is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carril.engine.refusals import BadSetup

if TYPE_CHECKING:
    from carril.engine.title import Title

TITLES: dict[str, Title] = {}
"""The titles by name."""


def register(title: Title) -> None:
    """Make a title known by its name."""
    TITLES[title.name] = title


def title_named(name: str) -> Title:
    """Return a title by its name; raise BadSetup, which lists the known ones, if there is none."""
    try:
        return TITLES[name]
    except KeyError:
        known = ", ".join(sorted(TITLES)) or "none"
        raise BadSetup(f"unknown title {name!r}; known titles: {known}") from None


def title_names() -> tuple[str, ...]:
    """Return the names of all titles in alphabetical order."""
    return tuple(sorted(TITLES))


def listed_titles() -> tuple[Title, ...]:
    """Return all titles in the order in which they are offered to players."""
    return tuple(sorted(TITLES.values(), key=lambda title: (title.place, title.name)))
