"""The settings of a person, kept by their browser.

A setting is one line in `SETTINGS`. The dialog offers its choices, with the sentences
`settings.NAME` and `settings.NAME-CHOICE`; the chosen one is the attribute `data-NAME` of the page,
for styles and scripts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting and its choices; the first is the default."""

    name: str
    choices: tuple[str, ...]


SETTINGS = (
    Setting("palette", ("standard", "textured")),
    Setting("track", ("black", "blue", "brown")),
    Setting("coordinates", ("on", "off")),
)


def cookie_name(setting: str) -> str:
    """Return the name of the cookie that holds a setting."""
    return f"carril-{setting}"


def chosen(cookies: Mapping[str, str]) -> dict[str, str]:
    """Return the choice of each setting; the default where a cookie is missing or unknown.

    >>> chosen({"carril-palette": "textured", "carril-track": "pink"})["palette"]
    'textured'
    >>> chosen({"carril-track": "pink"})["track"]
    'black'
    """
    found = {}
    for setting in SETTINGS:
        value = cookies.get(cookie_name(setting.name), "")
        found[setting.name] = value if value in setting.choices else setting.choices[0]
    return found
