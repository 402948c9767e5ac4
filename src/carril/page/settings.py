"""What each person can set on the page: kept in cookies, shown in one dialog.

A setting is one line in `SETTINGS`. It is an attribute of the page's root element, `data-NAME`, for
styles and scripts, and a list in the dialog with the words `settings.NAME` and
`settings.NAME-VALUE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice between a few values, of which the first is the default."""

    name: str
    values: tuple[str, ...]

    @property
    def cookie(self) -> str:
        """The name of the cookie that keeps it."""
        return f"carril-{self.name}"


SETTINGS = (
    Setting("text", ("normal", "large", "larger")),
    Setting("pace", ("instant", "half", "two", "step")),
    Setting("confirm", ("few", "passes", "all")),
    Setting("palette", ("standard", "textured")),
    Setting("track", ("black", "blue", "brown")),
    Setting("coordinates", ("on", "off")),
)


def chosen(cookies: Mapping[str, str]) -> dict[str, str]:
    """Return the value of each setting; the default where a cookie is missing or unknown.

    >>> found = chosen({"carril-palette": "textured", "carril-track": "pink"})
    >>> found["palette"], found["track"]
    ('textured', 'black')
    """
    found = {}
    for setting in SETTINGS:
        value = cookies.get(setting.cookie, "")
        found[setting.name] = value if value in setting.values else setting.values[0]
    return found
