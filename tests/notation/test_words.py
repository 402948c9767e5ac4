"""Sentences: there is one for everything the engine can say, and it uses only known facts."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import carril
from carril.engine.actions import any_of
from carril.engine.events import Event, GameEnded, OrderDealt, Passed, ShareBought, TileLaid
from carril.engine.refusals import Refusal
from carril.engine.registry import title_named, title_names
from carril.engine.step import Step
from carril.engine.steps.auction import Auction as Sale
from carril.notation.words import catalogue, languages, say
from tests.contract.walk import Plan, walk

SOURCE = Path(carril.__file__).parent


def sentences(entry: str | dict[str, str]) -> list[str]:
    if isinstance(entry, str):
        return [entry]
    return [text for key, text in entry.items() if key != "by"]


def placeholders(entry: str | dict[str, str]) -> set[str]:
    found = {"" if isinstance(entry, str) else entry["by"]}
    for sentence in sentences(entry):
        found |= {name or "" for _, name, _, _ in string.Formatter().parse(sentence)}
    return found - {""}


def refused_in_call(call: ast.Call) -> Iterator[tuple[str, set[str]]]:
    """Yield each code that a call of `refuse` can give, with its facts."""
    facts = {keyword.arg for keyword in call.keywords}
    for part in ast.walk(call.args[1]):
        if isinstance(part, ast.Constant) and None not in facts:
            yield str(part.value), {fact for fact in facts if fact}


def refused_in_source() -> Iterator[tuple[str, set[str]]]:
    """Yield each code of a refusal that stands in the source, with the facts it is given."""
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "refuse":
                yield from refused_in_call(node)


def faults_in_source() -> set[str]:
    source = (SOURCE / "engine" / "runs" / "legality.py").read_text("utf-8")
    return {
        f"run-{node.args[0].value!s}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Fault"
        and isinstance(node.args[0], ast.Constant)
    }


def kinds(base: type[Any]) -> dict[str, type[Any]]:
    return {str(kind.__struct_config__.tag): kind for kind in any_of(base).__args__}


@pytest.mark.parametrize("language", languages())
class TestCatalogue:
    def test_every_code_of_a_refusal_has_a_sentence(self, language: str) -> None:
        cited = {code for title in title_names() for code in title_named(title).cites}
        told = {code for code, _ in refused_in_source()}
        assert (cited | told | faults_in_source()) - set(catalogue(language)["refusal"]) == set()

    def test_sentences_about_refusals_use_only_their_facts(self, language: str) -> None:
        for code, facts in refused_in_source():
            assert placeholders(catalogue(language)["refusal"][code]) <= facts, code

    def test_every_event_has_a_sentence_of_its_fields(self, language: str) -> None:
        said = catalogue(language)["event"]
        for tag, kind in kinds(Event).items():
            assert placeholders(said[tag]) <= set(kind.__struct_fields__), tag
        assert set(said) == set(kinds(Event))

    def test_every_decision_has_a_sentence_of_its_fields(self, language: str) -> None:
        said = catalogue(language)["step"]
        for tag, kind in kinds(Step).items():
            assert placeholders(said[tag]) <= {*kind.__struct_fields__, "subject"}, tag
        assert set(said) == set(kinds(Step))

    def test_whole_games_can_be_told(self, language: str) -> None:
        game = walk(Plan("18EU", 4, seed=14))
        state = game.position(0)
        words = catalogue(language)["word"]
        for action in game.actions:
            assert "{" not in say(state.step, language)
            outcome = state.apply(action)
            for event in outcome.events:
                assert "{" not in say(event, language)
                assert getattr(event, "reason", "sale") in {*words, "bank"}
                if isinstance(event, Passed):
                    assert event.step in words, event
            state = outcome.state


def test_facts_are_told_as_a_person_would() -> None:
    bought = ShareBought("Ana", "FS", "pool", 1, 90)
    assert say(bought) == "Ana buys 1 share of FS from the pool at 90"
    assert (
        say(ShareBought("FS", "FS", "pool", 2, 90)) == "FS buys 2 shares of FS from the pool at 90"
    )
    assert say(TileLaid("FS", "E6", "8", 2, 0)) == "FS lays tile 8 on E6"
    assert say(TileLaid("FS", "E6", "8", 2, 60)) == "FS lays tile 8 on E6 for 60"
    assert say(OrderDealt(("Ana", "Ben"))) == "The order of play is Ana, Ben"
    assert say(bought, money="£{}".format) == "Ana buys 1 share of FS from the pool at £90"
    assert say(GameEnded("bank")) == "The game ends: the bank is broken"
    assert say(GameEnded("rain")) == "The game ends (rain)"
    assert say(Sale("Ana", "Ben", "open", "8")) == "Ben may open the bidding for minor 8"


def test_a_code_without_a_sentence_is_still_told() -> None:
    assert say(Refusal("brand-new", {"cost": 5})) == "brand-new (cost 5)"
    assert say(Refusal("brand-new")) == "brand-new"


def test_an_unknown_language_is_said_so() -> None:
    with pytest.raises(LookupError, match="no catalogue for the language 'xx'; there are: en"):
        say(GameEnded("bank"), "xx")
