"""A game told round by round, in few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from carril.engine.events import (
    BankBroken,
    CompanyClosed,
    CompanyFloated,
    CompanyStarted,
    Event,
    GameEnded,
    LotSold,
    MinorMerged,
    PhaseBegan,
    PlayerBankrupt,
    PresidentChanged,
    RoundBegan,
    ShareBought,
    SharesSold,
    TrainBought,
    TrainsRun,
    TrainsRusted,
)
from carril.engine.market import price
from carril.engine.state import State
from carril.notation.words import say

_LOUD = (PhaseBegan, TrainsRusted, PlayerBankrupt, BankBroken, CompanyClosed)
_CHANGES = (CompanyStarted, CompanyFloated, PresidentChanged)


class Chronicle:
    """Gathers what happens in a round and tells it when the round is over."""

    def __init__(self, first: State) -> None:
        """Begin before the first action."""
        self.round = str(first.round)
        self.events: list[Event] = []

    def after(self, events: Iterable[Event], state: State) -> Iterator[RenderableType]:
        """Take what an action made happen; yield the report of each round that ended with it."""
        for event in events:
            if isinstance(event, RoundBegan | GameEnded):
                yield self._report(state)
                self.events = []
                self.round = event.round if isinstance(event, RoundBegan) else ""
            else:
                self.events.append(event)

    def _report(self, state: State) -> RenderableType:
        heading = f"[bold]{self.round}[/]  phase {state.phase}  bank {state.bank}"
        parts: list[RenderableType] = [Rule(heading, align="left", style="dim")]
        lines = Table.grid(padding=(0, 1))
        lines.add_column(width=8, style="dim", justify="right")
        lines.add_column()
        for line in self._lines():
            lines.add_row(*line)
        lines.add_row("cash", _cash(state))
        parts.append(lines)
        if state.markers:
            parts.append(_companies(state, self._earned()))
        return Group(*parts)

    def _lines(self) -> Iterator[tuple[str, str]]:
        """Yield what happened, by subject; nothing for a subject where nothing did."""
        merged = {one.minor: one.company for one in self.events if isinstance(one, MinorMerged)}
        subjects = (
            ("sold", self._sold()),
            ("stock", (say(event) for event in self.events if isinstance(event, _CHANGES))),
            ("shares", self._dealt()),
            ("merged", (f"{minor} into {company}" for minor, company in merged.items())),
            ("trains", self._trains()),
        )
        for subject, things in subjects:
            if told := "; ".join(things):
                yield subject, told
        for event in self.events:
            loud = isinstance(event, _LOUD)
            if loud and not (isinstance(event, CompanyClosed) and event.company in merged):
                yield "!", say(event)

    def _sold(self) -> Iterator[str]:
        for event in self.events:
            if isinstance(event, LotSold):
                yield f"{event.lot} to {event.player} for {event.price}"

    def _dealt(self) -> Iterator[str]:
        """Yield what each party bought and sold in all: "Ana +2 AB -1 CD"."""
        dealt: dict[str, Counter[str]] = {}
        for event in self.events:
            if isinstance(event, ShareBought):
                dealt.setdefault(event.buyer, Counter())[event.company] += event.count
            elif isinstance(event, SharesSold):
                dealt.setdefault(event.seller, Counter())[event.company] -= event.count
        for party, counts in dealt.items():
            told = " ".join(f"{count:+d} {company}" for company, count in counts.items() if count)
            if told:
                yield f"{party} {told}"

    def _trains(self) -> Iterator[str]:
        bought: dict[str, list[str]] = {}
        for event in self.events:
            if isinstance(event, TrainBought):
                origin = "" if event.source == "stack" else f" from {event.source}"
                bought.setdefault(event.company, []).append(f"{event.train}{origin}")
        return (f"{company}: {', '.join(trains)}" for company, trains in bought.items())

    def _earned(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for event in self.events:
            if isinstance(event, TrainsRun):
                found[event.company] = event.revenue + event.treasury
        return found


def _cash(state: State) -> Text:
    line = Text()
    for name, player in state.players.items():
        line.append(f"{name} ", style="dim" if player.bankrupt else "cyan")
        line.append(f"{player.cash}  ")
    return line


def _companies(state: State, earned: dict[str, int]) -> Table:
    """Return a line for each corporation: price, what it earned, cash and trains."""
    made = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    made.add_column(width=8)
    made.add_column(width=6, style="bold")
    for _ in range(3):
        made.add_column(justify="right")
    made.add_column()
    ordered = sorted(state.markers, key=lambda marker: -price(state, marker.company))
    for marker in ordered:
        one = state.companies[marker.company]
        ran = f"ran {earned[one.symbol]}" if one.symbol in earned else ""
        value = str(price(state, one.symbol))
        made.add_row("", one.symbol, value, ran, f"cash {one.cash}", " ".join(one.trains))
    return made
