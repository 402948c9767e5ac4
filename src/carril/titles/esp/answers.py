"""What 18ESP answers about a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from carril.engine.answers import Answers, LastSet, Note, phase_event
from carril.engine.refusals import Fact
from carril.engine.state import Company, State
from carril.engine.tables import PhaseDef
from carril.titles.esp.combining import recyclable
from carril.titles.esp.common import (
    edition,
    esp,
    goals_of,
    is_minor,
    private_def,
    region,
)
from carril.titles.esp.figures import figures


def privates(state: State) -> Mapping[str, str]:
    """Return the open private companies with their owners."""
    return esp(state).privates


def private_note(state: State, private: str) -> Note:
    """Return what a private company can do."""
    extra = esp(state)
    facts: dict[str, Fact] = {
        "share": extra.share_6,
        "director": extra.director_7,
        "left": extra.tenders_private,
    }
    return Note(private_def(state, private).note, facts)


def charter_notes(state: State, company: Company) -> tuple[Note, ...]:
    """Return the goals, locked stations, the tender, a resting train, and whether it is frozen."""
    extra, symbol = esp(state), company.symbol
    found = list(_goals(state, company))
    if company.locked:
        found.append(Note("locked-stations", {"count": company.locked}, "locked"))
    if symbol in extra.tenders:
        found.append(Note("has-tender", heading="tender"))
    if train := extra.resting.get(symbol):
        found.append(Note("resting-train", {"train": train}, "resting"))
    if symbol in extra.frozen:
        found.append(Note("frozen", heading="standing"))
    return tuple(found)


def _goals(state: State, company: Company) -> Iterator[Note]:
    reached = esp(state).goals.get(company.symbol, ())
    destination = state.tables.companies[company.symbol].destination
    place = f"{destination} {state.tables.hexes[destination].name}" if destination else ""
    for goal, word in goals_of(state, company.symbol).items():
        yield Note(f"goal-{word}", {"place": place}, "goals", goal in reached)


def supply_notes(state: State) -> tuple[Note, ...]:
    """Return the cards that can be recycled, and the tenders in the open market."""
    found = []
    cards = tuple(f"{count} × {card}" for card, count in recyclable(state).items())  # noqa: RUF001
    if cards:
        found.append(Note("recyclable-cards", {"cards": cards}))
    if count := esp(state).tenders_pool:
        found.append(Note("tenders-for-sale", {"count": count}))
    return tuple(found)


def phase_note(state: State, phase: PhaseDef) -> Note | None:
    """Return what a phase brings; the editions differ on what becomes of the minors (E4)."""
    if phase.event == "privates-close" and edition(state).minors_freeze:
        return Note("minors-freeze")
    return phase_event(state, phase)


def closing_phase(state: State, company: str) -> str:
    """Return the phase that closes the minors, in the editions that do not freeze them (E4)."""
    if not is_minor(state, company) or edition(state).minors_freeze:
        return ""
    return next((one.name for one in state.tables.phases if one.event == "privates-close"), "")


def usual_gauge(state: State, company: str) -> str:
    """Return the gauge of the track in a company's region."""
    return "narrow" if region(state, company) == "north" else "broad"


def last_set(state: State) -> LastSet:
    """Return the last operating rounds, which follow when some of the last trains are gone (7)."""
    end, extra = figures(state).last_set, esp(state)
    left = 0 if extra.last_rounds else end.cards - extra.eights
    return LastSet(end.train, left, end.rounds, begun=extra.last_rounds == "on")


def last_factor(state: State, company: str) -> int:
    """Return the factor of a Northern major's income in the last operating round (E51)."""
    northern = region(state, company) == "north" and not is_minor(state, company)
    return edition(state).last_factor if northern else 1


ANSWERS = Answers(
    exported=lambda state: 1,
    last_set=last_set,
    last_factor=last_factor,
    usual_gauge=usual_gauge,
    closing_phase=closing_phase,
    privates=privates,
    private_note=private_note,
    charter_notes=charter_notes,
    supply_notes=supply_notes,
    phase_note=phase_note,
)
