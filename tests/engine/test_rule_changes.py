"""Versions of the rules: a game keeps the version that it began with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from carril import start
from carril.bots import Dice, bot_named
from carril.engine.actions import SellShares
from carril.engine.answers import Note
from carril.engine.play import adjourn, adopt, apply_recorded
from carril.engine.refusals import BadSetup
from carril.engine.registry import title_named, title_names
from carril.engine.rule_changes import AdoptRules, RulesAdopted, follows, later_changes, versions
from carril.engine.state import State
from carril.notation.save import DamagedRecord, Game, from_values, load, save, to_text
from carril.notation.text import parse, write
from carril.notation.words import catalogue, say
from carril.rules.ledger import load as load_ledger
from carril.rules.marker import rule
from tests.table import cash, cited, code, corporation, game, own_minors, stock_round


def above_sixty(version: str) -> State:
    """Ana has 80% of SNCF, which has operated."""
    state = own_minors(game(3), {})
    state = replace(state, setup=replace(state.setup, version=version))
    return stock_round(cash(corporation(state, "SNCF", {"Ana": 8}), Ana=500))


@rule("EU-A-8")
def test_a_game_keeps_the_reading_it_began_with() -> None:
    assert code(above_sixty("1"), SellShares("SNCF", 1)) == ""
    assert code(above_sixty("2"), SellShares("SNCF", 1)) == "still-above-limit"
    smaller = above_sixty("1").apply(SellShares("SNCF", 1)).state
    assert smaller.setup.version == "1"


def test_all_players_can_adopt_a_newer_version() -> None:
    outcome = adopt(above_sixty("1"), AdoptRules("2"))
    assert outcome.events == (RulesAdopted("2"),)
    assert outcome.state.setup.version == "2"
    assert cited(outcome.state, SellShares("SNCF", 1)) == "EU-3.1-g"


def test_nobody_can_adopt_a_version_alone() -> None:
    state = above_sixty("1")
    assert code(state, AdoptRules("2")) == "not-now"
    assert code(state, AdoptRules("2", by="Ana")) == "not-now"
    assert not any(isinstance(option, AdoptRules) for option in state.options())


@pytest.mark.parametrize(
    ("at", "version"), [("2", "2"), ("2", "1"), ("1", "1"), ("1", "3"), ("1", "")]
)
def test_only_newer_versions_can_be_adopted(at: str, version: str) -> None:
    with pytest.raises(BadSetup, match="cannot be adopted here"):
        adopt(above_sixty(at), AdoptRules(version))


def test_a_game_that_is_over_stays_as_it_is() -> None:
    with pytest.raises(BadSetup, match="cannot be adopted here"):
        adopt(adjourn(above_sixty("1")).state, AdoptRules("2"))


def test_new_games_are_played_by_the_newest_version() -> None:
    assert start("18EU", ["Ana", "Ben"]).setup.version == title_named("18EU").version
    assert start("18EU", ["Ana", "Ben"], version="1").setup.version == "1"
    with pytest.raises(BadSetup, match="no rules version '9'; it has 1, 2"):
        start("18EU", ["Ana", "Ben"], version="9")


def test_later_changes_are_those_that_a_game_does_not_follow() -> None:
    changes = title_named("18EU").changes
    assert later_changes(above_sixty("1")) == changes
    assert later_changes(above_sixty("2")) == ()
    assert not follows(above_sixty("1"), changes[0])


@pytest.mark.parametrize("name", title_names())
def test_each_change_has_a_rule_and_a_sentence(name: str) -> None:
    title = title_named(name)
    numbers = [int(version) for version in versions(title)]
    assert numbers == sorted(numbers)
    assert numbers[0] == 1
    for change in title.changes:
        assert change.rule in {entry.id for entry in load_ledger(name).entries}, change
        assert change.note in catalogue("en")["note"]
        assert say(Note(change.note)).endswith(".")


def test_a_save_file_keeps_the_version_and_what_was_adopted(tmp_path: Path) -> None:
    record = Game.begin("18EU", ["Ana", "Ben"], seed=1, version="1")
    for action in ("choose 8", "adopt rules 2", "bid 100"):
        record.add(parse(action))
    save(record, tmp_path / "game.json")
    again = load(tmp_path / "game.json")
    assert again.actions == record.actions
    assert [again.position(n).setup.version for n in range(4)] == ["1", "1", "2", "2"]


def test_a_version_that_cannot_be_adopted_is_damage() -> None:
    record = Game.begin("18EU", ["Ana", "Ben"], seed=1, version="1")
    record.add(AdoptRules("2"))
    text = to_text(record).replace('"rules": "1"', '"rules": "2"')
    with pytest.raises(DamagedRecord, match="hash chain"):
        from_values(json.loads(text), name="game")


def test_an_agreement_is_written_as_text() -> None:
    assert write(AdoptRules("2")) == "adopt rules 2"
    assert parse("adopt rules 2") == AdoptRules("2")
    assert apply_recorded(above_sixty("1"), parse("adopt rules 2")).state.setup.version == "2"


OLD_GAME = Path(__file__).parent / "saves" / "18eu-version-1.json.gz"
"""Written before A-8 was corrected; its action 645 sells a block that is too small by now."""


@rule("EU-A-8")
def test_a_game_that_began_before_a_correction_is_finished_after_it() -> None:
    record = load(OLD_GAME)
    state, dice = record.last, Dice(5)
    assert (record.setup.version, len(record), state.finished) == ("1", 700, False)
    while not state.finished:
        state = state.apply(bot_named("random").choose(state, dice).action).state
    assert (state.ended, state.setup.version) == ("bank", "1")


@rule("EU-A-8")
def test_the_correction_would_have_refused_an_action_of_that_game() -> None:
    record = load(OLD_GAME)
    adopted = adopt(record.position(644), AdoptRules("2")).state
    assert cited(adopted, record.actions[644]) == "EU-3.1-g"
    assert adopt(record.last, AdoptRules("2")).state.options()
