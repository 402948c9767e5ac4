"""Templates into text: the environment, and the parts of a table."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup, escape

from carril.draw import definitions
from carril.engine.tables import Tables
from carril.page.urls import TableUrls
from carril.page.view import Look, Table
from carril.page.words import Words, chosen_language
from carril.rules import Ledger
from carril.service.values import User
from carril.service.visitors import Visitor

STATIC = Path(__file__).parent / "static"
PARTS = ("rail", "bar", "panel", "map", "market", "companies", "players", "trains", "log", "chat")
THEMES = ("light", "dark")
_POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'"
)


def kind_of(action: str) -> str:
    """Return the kind of an action that a form carries.

    >>> kind_of('{"type": "bid", "amount": 100}')
    'bid'
    """
    return str(json.loads(action)["type"])


def rule_text(text: str) -> Markup:
    """Return the text of a rule with its emphasis: **strong**, `code`."""
    parts = str(escape(text)).split("**")
    strong = "".join(f"<b>{p}</b>" if i % 2 else p for i, p in enumerate(parts))
    codes = strong.split("`")
    return Markup("".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(codes)))


@cache
def environment() -> Environment:
    """Return the templates, compiled once."""
    env = Environment(
        loader=PackageLoader("carril.page"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # else every part of every page asks the disk whether it has changed
    )
    env.filters["kind"] = kind_of
    env.filters["rule_text"] = rule_text
    env.globals["static"] = static_url
    for name in env.list_templates(["html"]):
        env.get_template(name)
    return env


def static_url(name: str) -> str:
    """Return the address of a file of ours; it changes with the file, so it may be kept long."""
    path = STATIC / name
    stamp = int(path.stat().st_mtime) if path.exists() else 0
    return f"/static/{name}?v={stamp:x}"


def page_context(request: Request, visitor: Visitor, words: Words) -> dict[str, Any]:
    """Return what every page needs."""
    theme = request.cookies.get("theme", "")
    return {
        "t": words.say,
        "word": words.name,
        "money": words.money,
        "language": words.language,
        "user": visitor.user,
        "csrf": visitor.csrf,
        "theme": theme if theme in THEMES else "",
        "uid": lambda: "",
    }


def language_of(request: Request) -> str:
    """Return the language of whoever asks."""
    return chosen_language(request.headers.get("Accept-Language", ""))


class Html(HTMLResponse):
    """A page or a part of one. It has no inline script or style, and the browser is told so."""

    def __init__(self, content: str, status_code: int = 200) -> None:
        """Answer with text and the content policy."""
        super().__init__(content, status_code)
        self.headers["Content-Security-Policy"] = _POLICY
        self.headers["Cache-Control"] = "no-cache"


class Tokens:
    """Small pictures of companies, which refer to the definitions of the page."""

    def __init__(self, tables: Tables) -> None:
        """Know the companies of a title."""
        self._index = {symbol: number for number, symbol in enumerate(tables.companies)}
        self._tables = tables

    def token(self, symbol: str, size: str = "") -> Markup:
        """Return a company's token; its symbol is read aloud."""
        number = self._index[symbol]
        return Markup(
            '<svg class="tok {}" viewBox="-26 -26 52 52" role="img" aria-label="{}">'
            '<use href="#carril-token-{}"/></svg>'
        ).format(size, symbol, number)

    def band(self, symbol: str) -> Markup:
        """Return a band in a company's colour and pattern."""
        number = self._index[symbol]
        fill = f"url(#carril-pattern-{number})"
        return Markup(
            '<svg width="100%" height="6" aria-hidden="true">'
            '<rect width="100%" height="6" fill="{}"/></svg>'
        ).format(fill)


def _counter(prefix: str) -> Any:
    numbers = count(1)
    return lambda: f"{prefix}-{next(numbers)}"


def table_context(look: Look, urls: TableUrls) -> dict[str, Any]:
    """Return what the templates of a table need besides the page's own."""
    tokens = Tokens(look.state.tables)
    return {
        "look": look,
        "urls": urls,
        "mine": look.acts,
        "token": tokens.token,
        "band": tokens.band,
    }


def render_parts(
    table: Table, context: Mapping[str, Any], only: tuple[str, ...] = PARTS, oob: bool = False
) -> dict[str, str]:
    """Return the parts of a table, each in a box that says which version it is."""
    found = {}
    fields = {
        "rail": table.rail,
        "panel": table.panel,
        "map": table.map,
        "market": table.market,
        "companies": table.companies,
        "players": table.players,
        "shelf": table.shelf,
        "log": table.log,
        "earlier": table.earlier,
        "then": table.then,
        "later": table.later,
    }
    for name in only:
        own: dict[str, Any] = {**context, **fields, "uid": _counter(f"u-{name}")}
        if name == "panel":
            own |= dict(table.panel.model)
            own["this"] = table.panel.model
        inside = environment().get_template(f"parts/{name}.html").render(own)
        revision = f"{crc32(inside.encode()):x}"
        swap = ' hx-swap-oob="outerHTML"' if oob else ""
        found[name] = (
            f'<div id="part-{name}" class="part part-{name}" data-rev="{revision}"{swap}>'
            f"{inside}</div>"
        )
    return found


@cache
def _definitions(title: str) -> str:
    from carril.engine.registry import title_named

    return definitions(title_named(title).tables)


def title_definitions(title: str) -> str:
    """Return all that the pictures of a title refer to."""
    return _definitions(title)


def notice(message: str, look: str = "", rule: str = "", title: str = "") -> str:
    """Return a short message for the corner of the page, with a link to the rule it is about."""
    from carril.page.urls import rule_url

    link = ""
    if rule and title:
        link = Markup(' <a class="rule-link" data-rule="{}" href="{}">{}</a>').format(
            rule, rule_url(title, rule), rule
        )
    return str(
        Markup(
            '<div id="notice" class="notice {}" role="status" aria-live="polite" '
            'hx-swap-oob="outerHTML"><p>{}{}</p></div>'
        ).format(look, message, link)
    )


def rule_sections(ledger: Ledger, q: str) -> tuple[list[tuple[str, list[Any]]], int]:
    """Return the rules that hold some words, by section, and how many they are."""
    found = list(ledger.search(q)) if q else list(ledger.entries)
    sections: dict[str, list[Any]] = {}
    for rule in found:
        sections.setdefault(rule.section, []).append(rule)
    return list(sections.items()), len(found)


def user_name(user: User | None) -> str:
    """Return a user's name, or nothing."""
    return user.name if user else ""
