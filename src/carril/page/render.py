"""Rendering templates: the Jinja environment and the parts of a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import count
from pathlib import Path
from typing import Any
from zlib import crc32

from fastapi import Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from jinja2 import (
    Environment,
    PackageLoader,
    StrictUndefined,
    pass_context,
    select_autoescape,
)
from jinja2.runtime import Context
from markupsafe import Markup

from carril.draw import area_boxes, definitions
from carril.engine.registry import title_named
from carril.engine.rule_changes import later_changes
from carril.engine.setups import tables_for
from carril.engine.tables import Tables
from carril.page.hotkeys import VIEWS, key_list
from carril.page.pieces import Pieces
from carril.page.seat_names import open_seats, person_behind
from carril.page.settings import SETTINGS, chosen
from carril.page.shared import shared
from carril.page.shelf import train_colour
from carril.page.urls import TableUrls, rule_url
from carril.page.view import Look, Table
from carril.page.words import Words, chosen_language
from carril.rules import Ledger
from carril.service.opponents import bot_names, default_bot
from carril.service.visitors import Visitor

STATIC = Path(__file__).parent / "static"
PARTS = (
    *("rail", "bar", "panel", "programs", "automatic", "map", "market"),
    *("companies", "players", "trains", "log", "chat", "news"),
)
_ALIKE = ("market", "companies", "trains")
"""Parts that show the position alone."""
THEMES = ("light", "dark")
_REPLACES = ' hx-swap-oob="outerHTML"'


def kind_of(action: str) -> str:
    """Return the kind of an action in a form.

    >>> kind_of('{"type": "bid", "amount": 100}')
    'bid'
    """
    return str(json.loads(action)["type"])


@pass_context
def _with_shown_name(context: Context, value: object) -> object:
    """Return what is written in a page; for some players, another name than in the game."""
    names = context.get("names")
    return names.get(value, value) if names and isinstance(value, str) else value


def environment(renames: bool = False) -> Environment:
    """Return the environment of all templates; only one that renames looks up names."""
    return _environment(renames)


@cache
def _environment(renames: bool) -> Environment:
    env = Environment(
        loader=PackageLoader("carril.page"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,  # otherwise every part of every page checks the file for changes
        finalize=_with_shown_name if renames else None,
    )
    env.filters["kind"] = kind_of
    env.globals["static"] = static_url
    env.globals["bot_choices"] = bot_names
    env.globals["default_bot"] = default_bot()
    return env


def compile_templates() -> None:
    """Compile all templates now, not when they are first used."""
    for env in (environment(), environment(renames=True)):
        for name in env.list_templates(["html"]):
            env.get_template(name)


def renderer(context: Mapping[str, Any]) -> Environment:
    """Return the environment for a context: one that renames players only where it is needed."""
    return environment(renames=bool(context.get("names")))


def static_url(name: str) -> str:
    """Return the address of a static file; it changes with the file, so browsers may cache it."""
    path = STATIC / name
    stamp = int(path.stat().st_mtime) if path.exists() else 0
    return f"/static/{name}?v={stamp:x}"


def page_context(request: Request, visitor: Visitor, words: Words) -> dict[str, Any]:
    """Return the template variables of every page."""
    theme = request.cookies.get("theme", "")
    return {
        "t": words.say,
        "word": words.name,
        "knows": words.has,
        "money": words.money,
        "language": words.language,
        "user": visitor.user,
        "csrf": visitor.csrf,
        "base": str(request.base_url).rstrip("/"),
        "theme": theme if theme in THEMES else "",
        "uid": lambda: "",
        "settings": SETTINGS,
        "preferences": chosen(request.cookies),
    }


def language_of(request: Request) -> str:
    """Return the language that the browser asks for."""
    return chosen_language(request.headers.get("Accept-Language", ""))


def go_to(request: Request, url: str) -> Response:
    """Return a response that leads the browser to another page, also from a script."""
    if request.headers.get("HX-Request"):
        return Response(headers={"HX-Redirect": url})
    return RedirectResponse(url, 303)


def form_error(message: str, status: int) -> HTMLResponse:
    """Return an error for the form that was sent, which keeps what was typed."""
    return Html(str(Markup('<p class="wrong" role="alert">{}</p>').format(message)), status)


class Html(HTMLResponse):
    """A page or a part of one, which browsers must not cache without asking."""

    def __init__(self, content: str | bytes, status_code: int = 200) -> None:
        """Return HTML that is revalidated every time."""
        super().__init__(content, status_code)
        self.headers["Cache-Control"] = "no-cache"


@lru_cache(maxsize=1024)
def _token(number: int, symbol: str, size: str) -> Markup:
    """Return the picture of a token; a page has about a hundred."""
    return Markup(
        '<svg class="tok {}" viewBox="-26 -26 52 52" role="img" aria-label="{}">'
        '<use href="#carril-token-{}"/></svg>'
    ).format(size, symbol, number)


class Tokens:
    """Small pictures of companies, which refer to the SVG definitions of the page."""

    def __init__(self, tables: Tables) -> None:
        """Number the companies of a title."""
        self._index = {symbol: number for number, symbol in enumerate(tables.companies)}

    def token(self, symbol: str, size: str = "") -> Markup:
        """Return a company's token, labelled with its symbol for screen readers."""
        return _token(self._index[symbol], symbol, size)

    def band(self, symbol: str) -> Markup:
        """Return a band in a company's colour and pattern."""
        return _band(self._index[symbol])


@lru_cache(maxsize=128)
def _band(number: int) -> Markup:
    return Markup(
        '<svg width="100%" height="6" aria-hidden="true">'
        '<rect width="100%" height="6" fill="url(#carril-pattern-{})"/></svg>'
    ).format(number)


def id_counter(prefix: str) -> Callable[[], str]:
    """Return a function that makes up element ids, for one part of a page."""
    numbers = count(1)
    return lambda: f"{prefix}-{next(numbers)}"


def table_context(look: Look, urls: TableUrls) -> dict[str, Any]:
    """Return the additional template variables of a table."""
    tokens = Tokens(look.state.tables)
    return {
        "names": dict(look.words.names),
        "behind": lambda player: person_behind(look.info, player),
        "older": bool(later_changes(look.state)),
        "open_seats": open_seats(look.info),
        "open_players": [seat.player for seat in open_seats(look.info)],
        "look": look,
        "urls": urls,
        "mine": look.acts,
        "token": tokens.token,
        "train_colour": partial(train_colour, look.state.tables),
        "band": tokens.band,
        "areas": area_boxes(look.state.tables),
        "views": VIEWS,
        "key_list": key_list(look.words),
    }


def with_pieces(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the template variables of a table with the function for its cached pieces."""
    look, state = context["look"], context["look"].state
    game = state.setup.title, len(state.players), state.setup.variants

    def rendered(template: str, shown: Mapping[str, Any]) -> str:
        return renderer(context).get_template(template).render({**context, **shown})

    pieces = Pieces(rendered, (*game, look.words, context["urls"]))
    return {**context, "piece": pieces.piece}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a table, in an element with a revision hash."""

    name: str
    revision: str
    inside: str

    def __str__(self) -> str:
        """Return the part of a new page."""
        return self._element(f' class="part part-{self.name}"', "", self.inside)

    def replacing(self) -> str:
        """Return the part as it replaces that on a page."""
        return self._element(f' class="part part-{self.name}"', _REPLACES, self.inside)

    def unchanged(self) -> str:
        """Return that the part on a page stays as it is."""
        return self._element("", f" data-same{_REPLACES}", "")

    def _element(self, kind: str, more: str, inside: str) -> str:
        return f'<div id="part-{self.name}"{kind} data-rev="{self.revision}"{more}>{inside}</div>'


def render_parts(
    table: Table, context: Mapping[str, Any], only: tuple[str, ...] = PARTS
) -> dict[str, Part]:
    """Return the parts of a table, each with a revision hash."""
    found, context = {}, with_pieces(context)
    fields = {
        "rail": table.rail,
        "panel": table.panel,
        "map": table.map,
        "market": table.market,
        "companies": table.companies,
        "players": table.players,
        "shelf": table.shelf,
        "log": table.log,
        "news": table.news,
        "earlier": table.earlier,
        "then": table.then,
        "later": table.later,
        "automatic": table.automatic,
        "compared": table.compared,
    }

    def rendered(name: str) -> Part:
        own: dict[str, Any] = {**context, **fields, "uid": id_counter(f"u-{name}")}
        if name == "panel":
            own |= dict(table.panel.model)
            own["this"] = table.panel.model
        return part(name, renderer(context).get_template(f"parts/{name}.html").render(own))

    same = _alike(table, context)
    for name in only:
        if name in same:
            found[name] = shared(table.look.state, same[name], partial(rendered, name))
        else:
            found[name] = rendered(name)
    return found


def _alike(table: Table, context: Mapping[str, Any]) -> dict[str, Hashable]:
    """Return the parts that all viewers see alike, with what they depend on besides the position.

    Of the log this is true while nothing was taken back: notes have buttons for some.
    """
    look, setting = table.look, (table.look.words, context["urls"])
    found: dict[str, Hashable] = {name: (name, *setting) for name in _ALIKE}
    if not context.get("noted", True):
        entries = sum(len(group["entries"]) for group in table.log)
        found["log"] = ("log", *setting, look.info.read_only, table.earlier, entries)
    return found


def part(name: str, inside: str) -> Part:
    """Return a part with the revision of its content."""
    return Part(name, f"{crc32(inside.encode()):x}", inside)


@cache
def setup_definitions(title: str, players: int, variants: tuple[str, ...]) -> str:
    """Return the SVG definitions that the pictures of a set-up refer to."""
    return definitions(tables_for(title_named(title), players, variants))


def notice(message: str, look: str = "", rule: str = "", title: str = "") -> str:
    """Return a short message for the corner of the page, with a link to its rule."""
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
    """Return the rules that match a search, by section, and their number."""
    found = list(ledger.search(q)) if q else list(ledger.entries)
    sections: dict[str, list[Any]] = {}
    for rule in found:
        sections.setdefault(rule.section, []).append(rule)
    return list(sections.items()), len(found)
