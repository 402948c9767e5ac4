"""The rules of a title, with search."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from carril.page import render
from carril.page.rule_text import glossary, rule_texts
from carril.page.words import Words
from carril.rules import UnknownTitle, load
from carril.service.errors import NotFound
from carril.service.visitors import AnyVisitor

router = APIRouter(prefix="/rules", include_in_schema=False)


def rules_context(title: str, language: str, q: str = "", rule: str = "") -> dict[str, Any]:
    """Return the template variables for the rules that match a search, or for all rules."""
    try:
        ledger = load(title)
    except UnknownTitle:
        raise NotFound(f"There are no rules for {title}.") from None
    sections, count = render.rule_sections(ledger, q.strip())
    return {
        "title": ledger.title,
        "q": q,
        "sections": sections,
        "texts": rule_texts(ledger.title, language),
        "glossary": glossary(ledger.title, language),
        "count": count,
        "marked": rule,
        "example": ledger.rules[0].id,
        "search_url": f"/rules/{ledger.title}",
        "rules_url": f"/rules/{ledger.title}",
    }


@router.get("/{title}")
def rules(
    request: Request, visitor: AnyVisitor, title: str, q: str = "", rule: str = ""
) -> HTMLResponse:
    """Return the page of the rules of a title."""
    words = Words(render.language_of(request))
    context = render.page_context(request, visitor, words) | rules_context(
        title, words.language, q, rule
    )
    return render.Html(render.environment().get_template("rules.html").render(context))
