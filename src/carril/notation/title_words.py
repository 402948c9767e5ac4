"""The sentences that only one title needs: `words/LANGUAGE.toml` in the title's package.

Such a file has the sections of the general catalogues under the name of the catalogue that they
extend: `[notation.refusal]`, `[notation.note]`, `[page.step]`. A sentence that two titles need
belongs in the general catalogue.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import Any

from carril.engine.registry import title_named
from carril.notation.messages import DEFAULT, languages, read_catalogue


def read_title_words(title: str, language: str) -> Mapping[str, Any]:
    """Return the sentences of a title by catalogue; in English where there are no others."""
    folder = files(title_named(title).tables.package) / "words"
    if not folder.is_dir():
        return {}
    return read_catalogue(folder, language if language in languages(folder) else DEFAULT)


def add_title_words(
    general: Mapping[str, Any], language: str, catalogue: str, titles: Iterable[str]
) -> dict[str, Any]:
    """Return a general catalogue together with what these titles add to it."""
    found = dict(general)
    for title in titles:
        for section, sentences in read_title_words(title, language).get(catalogue, {}).items():
            found[section] = {**found.get(section, {}), **sentences}
    return found
