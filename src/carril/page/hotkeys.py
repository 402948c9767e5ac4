"""The keys of the table, as the dialog under `?` lists them; `scripts/keys.ts` acts on them."""

from __future__ import annotations

from functools import lru_cache

from carril.page.words import Words

VIEWS = ("map", "market", "sheet", "trains", "tiles", "chart", "study", "rules")
"""The views in the order of their tabs: key 1 opens the first."""

_OTHERS = (
    (("L",), "log"),
    (("C",), "chat"),
    (("W",), "news"),
    ((",", "."), "history"),
    (("N",), "now"),
    (("U",), "undo"),
    (("Shift+U",), "undo-turn"),
    (("Shift+P",), "pass"),
    (("+", "-", "0"), "zoom"),
    (("R",), "rotate"),
    (("S",), "settings"),
    (("?",), "help"),
)


@lru_cache(maxsize=32)
def key_list(words: Words) -> list[tuple[tuple[str, ...], str]]:
    """Return the keys, each with what it does."""
    views = [((str(n),), words.say(f"table.{view}")) for n, view in enumerate(VIEWS, start=1)]
    return views + [(keys, words.say(f"keys.{what}")) for keys, what in _OTHERS]
