"""The text of rules for players: Markdown rendered, cases folded away, abbreviations explained."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from markupsafe import Markup, escape

from carril.engine.registry import title_named, title_names
from carril.page.words import Words, catalogue
from carril.rules import Ledger, Rule, UnknownRule, load

_CASE = re.compile(r"\s*[*_](?:Test|Example)[^*_:]*:[*_]\s*")
_EDITIONS = re.compile(r"\[((?:[A-Z]{2})(?: [A-Z]{2})*)\]\s*")
_REFUSE = re.compile(r"(?:\*\*)?REFUSE(?:\*\*)?:?")
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^]]+)\]\(#[^)]*\)")
_SECTION = "abbreviation."


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule as HTML, and the cases that illustrate it."""

    text: Markup
    cases: tuple[Markup, ...]
    editions: tuple[str, ...]
    """The editions in which alone it holds; none if it holds in all."""


@cache
def rule_texts(title: str, language: str) -> Mapping[str, RuleText]:
    """Return the texts of all rules of a title by id."""
    ledger, words = load(title), Words(language)
    explained = {**_companies(ledger.title), **_abbreviations(language)}
    return {rule.id: _rule_text(rule, ledger, words, explained) for rule in ledger.entries}


def glossary(title: str, language: str) -> list[tuple[str, str]]:
    """Return the abbreviations that the rules of a title use, with their meaning."""
    every = " ".join(rule.text for rule in load(title).entries)
    return [
        (s, text) for s, text in _abbreviations(language).items() if _pattern([s]).search(every)
    ]


def _abbreviations(language: str) -> dict[str, str]:
    words = catalogue(language).items()
    return {key.removeprefix(_SECTION): text for key, text in words if key.startswith(_SECTION)}


def _companies(title: str) -> dict[str, str]:
    """Return the names of the companies by symbol, where a symbol cannot be taken for a word."""
    if title not in title_names():
        return {}
    companies = title_named(title).tables.companies.values()
    return {c.symbol: c.name for c in companies if len(c.symbol) > 1 and c.symbol.isalpha()}


def _rule_text(rule: Rule, ledger: Ledger, words: Words, explained: Mapping[str, str]) -> RuleText:
    editions: list[str] = []
    for found in _EDITIONS.finditer(rule.text):
        editions += [words.name("edition", code.lower()) for code in found[1].split(" ")]
    text, *cases = _CASE.split(_EDITIONS.sub("", rule.text))
    parts = [_html(part, ledger, words, explained) for part in (text, *cases) if part.strip()]
    return RuleText(parts[0], tuple(parts[1:]), tuple(dict.fromkeys(editions)))


def _html(text: str, ledger: Ledger, words: Words, explained: Mapping[str, str]) -> Markup:
    """Return a text with its Markdown, references to other rules, and abbreviations as HTML."""
    found = _LINK.sub(r"\1", _REFUSE.sub(f"**{words.say('rulesbook.refuse')}**", text.strip()))
    found = str(escape(found))
    found = _STRONG.sub(r"<b>\1</b>", found)
    found = _CODE.sub(r"<code>\1</code>", found)
    found = _EMPHASIS.sub(r"<em>\2</em>", found)
    found = _reference(ledger.prefix).sub(lambda one: _linked(one[0], ledger), found)
    return Markup("".join(_explained(found, explained)))


@cache
def _reference(prefix: str) -> re.Pattern[str]:
    """Return the pattern of ids of rules, and of labels of notes in brackets."""
    return re.compile(rf"\b{prefix}-[\w.]+(?:-[a-z]+)?\b|\[[ACEG]-?\d+\]")


def _linked(name: str, ledger: Ledger) -> str:
    try:
        rule = ledger.find(name.strip("[]"))
    except UnknownRule:
        return name
    return f'<a class="rule-link" data-rule="{rule.id}" href="#rule-{rule.anchor}">{rule.label}</a>'


def _explained(html: str, explained: Mapping[str, str]) -> Iterator[str]:
    """Yield HTML with its abbreviations marked; tags and links stay as they are."""
    pattern = _pattern(explained)
    for part in re.split(r"(<a .*?</a>|<[^>]+>)", html):
        if part.startswith("<") or not explained:
            yield part
        else:
            yield pattern.sub(lambda one: _abbreviation(one, explained), part)


def _abbreviation(found: re.Match[str], explained: Mapping[str, str]) -> str:
    meaning = explained[found[1]] + found[2]
    return f'<abbr title="{escape(meaning)}">{found[0]}</abbr>'


def _pattern(symbols: Mapping[str, str] | list[str]) -> re.Pattern[str]:
    listed = "|".join(sorted(map(re.escape, symbols), key=len, reverse=True))
    return re.compile(rf"\b({listed})(s?)\b")
