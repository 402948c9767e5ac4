"""Rendered pieces of a table, such as the card of a company, cached by what they show.

Most of what a page shows is the same as at other positions of the game: a company that has not
acted, a player who has not bought, an entry of the log.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any

import msgspec
from markupsafe import Markup

from carril.engine.cache import Cache

_pieces: Cache[Markup] = Cache(8192)


class Pieces:
    """The pieces of one table: templates that are rendered once for what they show."""

    def __init__(
        self, render: Callable[[str, Mapping[str, Any]], str], setting: tuple[Hashable, ...]
    ) -> None:
        """Use `render` for templates; `setting` is everything that pieces depend on besides."""
        self._render = render
        self._setting = setting

    def piece(self, template: str, **shown: Any) -> Markup:
        """Return a template rendered with what it shows, which is plain values."""
        key = (template, self._setting, msgspec.msgpack.encode(shown))
        return _pieces.get(key, lambda: Markup(self._render(template, shown)))


def forget_pieces() -> None:
    """Empty the cache."""
    _pieces.clear()
