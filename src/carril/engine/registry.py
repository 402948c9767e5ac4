"""Which titles there are. A title registers itself when its package is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carril.engine.refusals import BadSetup

if TYPE_CHECKING:
    from carril.engine.title import Title

_TITLES: dict[str, Title] = {}


def register(title: Title) -> None:
    """Make a title known by its name."""
    _TITLES[title.name] = title


def title_named(name: str) -> Title:
    """Return a title by its name, or say which there are."""
    try:
        return _TITLES[name]
    except KeyError:
        known = ", ".join(sorted(_TITLES)) or "none"
        raise BadSetup(f"unknown title {name!r}; known titles: {known}") from None


def title_names() -> tuple[str, ...]:
    """Return the names of all titles."""
    return tuple(sorted(_TITLES))
