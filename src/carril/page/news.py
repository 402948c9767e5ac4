"""What has happened since the viewer last acted: turns, ends of rounds, and what is new."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from carril.engine.events import (
    Event,
    MoneyPaid,
    Passed,
    PriceMoved,
    RoundBegan,
    TileLaid,
    TokenPlaced,
    TurnBegan,
)
from carril.engine.market import price
from carril.engine.state import State
from carril.page.chronicle import company_of, is_shown, round_name
from carril.page.words import Words
from carril.service.values import Entry, RoundEnd, Since

_TURNS = 12
"""Turns that are listed; the earlier ones are left to the log."""


def news(
    state: State,
    words: Words,
    mine: tuple[str, ...],
    log: Sequence[Entry],
    since: Since | None,
) -> dict[str, Any]:
    """Return the card "Since your last move", and what to highlight on the map and the market.

    Without `since`, only what the last action has changed is highlighted.
    """
    entries = since.entries if since else log[-1:]
    others = [entry for entry in entries if not since or entry.number > since.own]
    rows = _rows(words, mine, others, since.rounds) if since else []
    return {
        "own": since.own if since else 0,
        "rows": rows[-_TURNS:],
        "earlier": len(rows) > _TURNS,
        "fresh": _fresh(others),
        "step": _step(state, log),
        "mine": mine,
    }


def _step(state: State, log: Sequence[Entry]) -> str:
    """Return a name for the decision that is due, which changes whenever a new one begins."""
    if not state.agenda:
        return ""
    step = state.step
    other = next((entry.number for entry in reversed(log) if entry.by != state.acting), 0)
    return f"{other}/{type(step).__struct_config__.tag}/{step.subject}"


def _fresh(entries: Iterable[Entry]) -> dict[str, Any]:
    """Return the tiles, tokens and prices that some actions have changed."""
    events = [event for entry in entries for event in entry.events]
    prices: dict[str, list[int]] = {}
    for moved in (event for event in events if isinstance(event, PriceMoved)):
        prices[moved.company] = [prices.get(moved.company, [moved.old])[0], moved.new]
    return {
        "tiles": [event.hex for event in events if isinstance(event, TileLaid)],
        "tokens": [[e.hex, e.company] for e in events if isinstance(e, TokenPlaced)],
        "prices": {symbol: change for symbol, change in prices.items() if change[0] != change[1]},
    }


# --- turns ---------------------------------------------------------------------------------


@dataclass(slots=True)
class _Turn:
    """Consecutive actions of one player for one company."""

    by: str
    company: str
    lines: list[tuple[int, str]] = field(default_factory=list)
    passes: list[tuple[int, str]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)

    def row(self, words: Words, mine: Collection[str]) -> dict[str, Any]:
        """Return the turn as the card shows it."""
        parties = dict.fromkeys([self.company, self.by, *mine])
        sums = ((who, _received(self.events, who)) for who in parties if who)
        moves = [event for event in self.events if isinstance(event, PriceMoved)]
        return {
            "by": self.by,
            "company": self.company,
            "lines": self.lines or self.passes[-1:],
            "money": [(who, _signed(words, total), total > 0) for who, total in sums if total],
            "prices": [_change(words, move.company, move.old, move.new) for move in moves],
        }


def _rows(
    words: Words, mine: Collection[str], entries: Iterable[Entry], rounds: Sequence[RoundEnd]
) -> list[dict[str, Any]]:
    """Return the turns and the ends of rounds in the order in which they happened."""
    ends = {end.number: end for end in rounds}
    rows: list[dict[str, Any]] = []
    turn: _Turn | None = None
    for number, end in ends.items():
        if not any(entry.number == number for entry in entries):
            rows.append(_round_row(words, end))  # the viewer's own action ended the round
    for entry in entries:
        if turn is None or not _continues(turn, entry):
            rows += [turn.row(words, mine)] if turn else []
            turn = _Turn(entry.by, "")
        _add(words, turn, entry)
        if entry.number in ends:
            rows += [turn.row(words, mine), _round_row(words, ends[entry.number])]
            turn = None
    return rows + ([turn.row(words, mine)] if turn else [])


def _continues(turn: _Turn, entry: Entry) -> bool:
    """Return whether an action belongs to the turn of the one before it."""
    company = _company(entry)
    return entry.by == turn.by and (not company or company == turn.company or not turn.company)


def _company(entry: Entry) -> str:
    """Return the company that an action was taken for; what follows from a pass is not its own."""
    shown = [event for event in _own_events(entry) if is_shown(event)]
    if not shown or isinstance(shown[0], Passed):
        return ""
    own = (event for event in shown if not isinstance(event, PriceMoved))
    return next(filter(None, map(company_of, own)), "")


def _own_events(entry: Entry) -> list[Event]:
    """Return the events of an action up to the beginning of another turn or round."""
    ends = [n for n, e in enumerate(entry.events) if isinstance(e, TurnBegan | RoundBegan)]
    return list(entry.events[: ends[0] if ends else None])


def _add(words: Words, turn: _Turn, entry: Entry) -> None:
    turn.company = turn.company or _company(entry)
    turn.events += entry.events
    shown = [event for event in _own_events(entry) if is_shown(event)]
    for event in shown:
        if isinstance(event, Passed) and len(shown) == 1:
            turn.passes.append((entry.number, words.describe(event)))
        elif not isinstance(event, PriceMoved):
            turn.lines.append((entry.number, words.describe(event)))


def _received(events: Iterable[Event], party: str) -> int:
    """Return what a party received, less what it paid."""
    paid = [event for event in events if isinstance(event, MoneyPaid)]
    gained = sum(event.amount for event in paid if event.target == party)
    return gained - sum(event.amount for event in paid if event.source == party)


def _signed(words: Words, amount: int) -> str:
    return f"+{words.money(amount)}" if amount > 0 else words.money(amount)


def _change(words: Words, company: str, old: int, new: int) -> dict[str, Any]:
    return {
        "company": company,
        "old": words.money(old) if old else "",
        "new": words.money(new),
        "up": new > old,
    }


# --- ends of rounds ------------------------------------------------------------------------


def _round_row(words: Words, end: RoundEnd) -> dict[str, Any]:
    """Return the end of a round: what it changed, and what begins."""
    before, after = end.before, end.after
    begun = _phases_begun(before, after)
    trains = after.tables.trains.values()
    companies = str(after.round).split(" ")[0] == "OR"
    return {
        "number": end.number,
        "ended": round_name(words, str(before.round)),
        "begins": "" if after.ended else round_name(words, str(after.round)),
        "floated": [c for c in after.companies if _floated(before, after, c)],
        "prices": _prices(words, before, after),
        "phases": begun,
        "rusted": [train.name for train in trains if train.rusted_by in begun],
        "companies": list(after.title.order(after))[:12] if companies else [],
        "players": [] if companies else _order(after),
    }


def _floated(before: State, after: State, symbol: str) -> bool:
    return after.companies[symbol].floated and not before.companies[symbol].floated


def _phases_begun(before: State, after: State) -> list[str]:
    names = [phase.name for phase in after.tables.phases]
    return names[names.index(before.phase) + 1 : names.index(after.phase) + 1]


def _prices(words: Words, before: State, after: State) -> list[dict[str, Any]]:
    both = ((symbol, price(before, symbol), price(after, symbol)) for symbol in after.companies)
    return [_change(words, symbol, old, new) for symbol, old, new in both if new and old != new]


def _order(state: State) -> list[str]:
    """Return the players in the order in which they act, from the one whose turn it is."""
    names = [name for name, player in state.players.items() if not player.bankrupt]
    at = names.index(state.acting) if state.acting in names else 0
    return names[at:] + names[:at]
