"""The end of a game, or where it stands, as a table."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from carril.cli.tables import table
from carril.engine.market import price
from carril.engine.state import State
from carril.engine.worth import standing

REASONS = {
    "bank": "the bank is broken",
    "bankruptcy": "a bankruptcy",
    "agreement": "by agreement",
}


def result_table(state: State, actions: int) -> RenderableType:
    """Return the players by worth, and why the game is over."""
    over = f"over: {REASONS.get(state.ended, state.ended)}" if state.ended else "not over yet"
    made = table("", "#", "player", "worth#", "cash#", "shares")
    for place, (name, worth) in enumerate(standing(state).items(), start=1):
        shares = ", ".join(
            f"{one.held(name)} {one.symbol} at {price(state, one.symbol)}"
            for one in state.companies.values()
            if one.held(name)
        )
        cash = str(state.players[name].cash)
        note = " (bankrupt)" if state.players[name].bankrupt else ""
        style = "bold green" if place == 1 and state.ended else ""
        made.add_row(str(place), name + note, str(worth), cash, shares, style=style)
    head = f"{state.setup.title} is {over} ({state.round}, phase {state.phase}, {actions} actions)"
    return Group(Text(head, style="bold"), made)
