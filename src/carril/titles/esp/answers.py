"""What 18ESP answers about a position."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from carril.engine.answers import Answers, Auction, Note, market_price, phase_event
from carril.engine.refusals import Fact
from carril.engine.shares import company_def
from carril.engine.state import IPO, Company, State
from carril.engine.tables import PhaseDef
from carril.engine.trains import phase_reached
from carril.titles.esp.auction import PrivateAuction
from carril.titles.esp.combining import recyclable
from carril.titles.esp.common import (
    LATE,
    edition,
    esp,
    goals_of,
    is_minor,
    private_number,
    unsold,
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
    return Note(figures(state).private[private_number(private) - 1].note, facts)


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
    if phase.name == LATE and edition(state).minors_freeze:
        return Note("minors-freeze")
    return phase_event(state, phase)


def share_cost(state: State, company: Company, source: str) -> int:
    """Return par for a share of the IPO, the market price for any other (ESP-3.2-e, -f)."""
    return company.par if source == IPO else market_price(state, company, source)


def start_cost(state: State, company: Company, par: int) -> int:
    """Return twice the par value, for minors and majors alike."""
    return 2 * par


def shares_to_float(state: State, company: Company) -> int:
    """Return how many more shares must be sold before a company is launched (ESP-3.2.2-d)."""
    if is_minor(state, company.symbol):
        return 0
    needed = 6 if phase_reached(state, LATE) else 4
    return max(0, needed - (company_def(state, company.symbol).units - unsold(company)))


def auction(state: State) -> Auction | None:
    """Return the auction of a private company that is under way."""
    step = state.step
    if not isinstance(step, PrivateAuction):
        return None
    return Auction(
        stage="bidding" if step.bidder else "open",
        asked=step.turn,
        opener=step.opener,
        lot=step.private,
        price=step.bid or step.least,
        least=step.least,
        bidder=step.bidder,
        out=step.out,
    )


ANSWERS = Answers(
    privates=privates,
    private_note=private_note,
    charter_notes=charter_notes,
    supply_notes=supply_notes,
    phase_note=phase_note,
    share_cost=share_cost,
    start_cost=start_cost,
    shares_to_float=shares_to_float,
    auction=auction,
)
