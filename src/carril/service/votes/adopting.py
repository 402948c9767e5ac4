"""Corrections of the rules at a table: which are newer than its game, and adopting them by vote.

A game keeps the version of the rules that it began with, so a correction never breaks it. All
people together can adopt a newer version from now on. That is an action of the game, recorded in
its chain like any other, and can be undone.
"""

from __future__ import annotations

from msgspec import Struct

from carril.engine.answers import Note
from carril.engine.play import adopt
from carril.engine.refusals import BadSetup
from carril.engine.rule_changes import AdoptRules, later_changes, versions
from carril.engine.state import State
from carril.notation.words import say
from carril.service.errors import BadRequest
from carril.service.playing import action_draft, append_action, bot_of
from carril.service.store.journal import Line
from carril.service.values import Proposal
from carril.service.votes.voting import Case, Kind, check_not_over, register


class Correction(Struct, frozen=True):
    """A correction of the rules that a game does not follow."""

    version: str
    """The version of the rules that brings it."""
    rule: str
    text: str


class Reading(Struct, frozen=True):
    """The version of the rules that a game is played by, and the corrections made since."""

    version: str
    newest: str
    corrections: tuple[Correction, ...]


def reading_of(state: State) -> Reading:
    """Return the version of the rules of a game, and the corrections that it does not follow."""
    later = later_changes(state)
    made = (Correction(one.version, one.rule, say(Note(one.note))) for one in later)
    return Reading(state.setup.version, versions(state.title)[-1], tuple(made))


def _check(case: Case) -> Proposal:
    check_not_over(case)
    state = case.reader.position(case.line).state
    version = str(case.proposal.about.get("version", "")) or versions(state.title)[-1]
    try:
        adopt(state, AdoptRules(version))
    except BadSetup as error:
        raise BadRequest(f"{error}.".capitalize(), {"version": version[:40]}) from None
    return Proposal("adopt", about={"version": version})


def _adopt(case: Case) -> Line:
    action = AdoptRules(case.proposal.about["version"])
    outcome = adopt(case.reader.position(case.line).state, action)
    bot = bot_of(case.info, outcome.state)
    draft = action_draft(case.line, "", action, outcome, bot, user=case.user.id)
    return append_action(case.reader.connection, case.line, draft)


ADOPT = register(Kind("adopt", _check, _adopt, lapses=False))
"""It applies from now on, whenever that is, so actions in between do not matter."""
