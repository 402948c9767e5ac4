"""What each person can set on the page: kept in cookies, shown in one dialog.

A setting is an attribute of the page's root element, `data-NAME`, for styles and scripts, and a
list in the dialog. Its words are `settings.NAME` and `settings.NAME-VALUE` in the catalogue.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Setting:
    """A choice between a few values, of which the first is the usual one."""

    name: str
    values: tuple[str, ...]

    @property
    def cookie(self) -> str:
        """The name of the cookie that keeps it."""
        return f"set-{self.name}"


SETTINGS = (
    Setting("text", ("normal", "large", "larger")),
    Setting("pace", ("instant", "half", "two", "step")),
    Setting("confirm", ("few", "passes", "all")),
)


def chosen(cookies: Mapping[str, str]) -> dict[str, str]:
    """Return the value of every setting.

    >>> chosen({"set-text": "large", "set-pace": "never"})
    {'text': 'large', 'pace': 'instant', 'confirm': 'few'}
    """
    found = {}
    for setting in SETTINGS:
        value = cookies.get(setting.cookie, "")
        found[setting.name] = value if value in setting.values else setting.values[0]
    return found
