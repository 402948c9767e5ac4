"""Rules as players read them."""

from __future__ import annotations

import re

import pytest

from carril.page.rule_text import glossary, rule_texts
from carril.rules import TITLES


@pytest.mark.parametrize("title", TITLES)
def test_no_mark_of_the_ledger_is_left(title: str) -> None:
    for name, rule in rule_texts(title, "en").items():
        for text in (rule.text, *rule.cases):
            plain = re.sub(r"<[^>]+>", "", text)
            assert plain.strip(), name
            for mark in ("Test:", "REFUSE", "**", "`", "](#"):
                assert mark not in plain, (name, plain)
            assert text.count("<b>") == text.count("</b>")


def test_a_refusal_a_case_and_abbreviations_are_written_for_players() -> None:
    rule = rule_texts("18EU", "en")["EU-3-b"]
    assert "<b>Not allowed:</b> any other starting value." in rule.text
    assert '<abbr title="corporation">corp</abbr>' in rule.text
    assert rule.cases == ("start at 65 or 110 is refused although such spaces exist.",)
    assert ("FER", "final exchange round, in which minors go into corporations") in glossary(
        "18EU", "en"
    )
    assert not any(short == "FER" for short, _ in glossary("18ESP", "en"))


def test_references_lead_to_their_rules_and_editions_are_named() -> None:
    rules = rule_texts("18ESP", "en")
    assert 'href="#rule-esp-7-1-a"' in rules["ESP-1.3-d"].text
    assert len(rules["ESP-1.4-e"].editions) == 2
    assert "[EN" not in rules["ESP-1.4-e"].text
