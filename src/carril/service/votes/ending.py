"""The end of a game by agreement of all people at the table; their present worth decides."""

from __future__ import annotations

import msgspec

from carril.engine.play import adjourn
from carril.service.playing import append_action
from carril.service.store.journal import Draft, Line
from carril.service.store.snapshots import pack
from carril.service.values import Proposal
from carril.service.votes.voting import Case, Kind, check_not_over, register


def _check(case: Case) -> Proposal:
    check_not_over(case)
    return Proposal("end")


def _end(case: Case) -> Line:
    outcome = adjourn(case.reader.position(case.line).state)
    draft = Draft(
        kind="end",
        number=case.line.head + 1,
        state=outcome.state,
        snapshot=pack(outcome.state),
        user=case.user.id,
        events=msgspec.json.encode(outcome.events).decode(),
    )
    return append_action(case.reader.connection, case.line, draft)


END = register(Kind("end", _check, _end))
"""An agreement is about the present standing, so an action makes the request lapse."""
