"""Money moves only here: between the bank, the players and the companies."""

from __future__ import annotations

from msgspec.structs import replace

from carril.engine.events import BankBroken, MoneyPaid
from carril.engine.move import Move
from carril.engine.state import BANK, State


def cash(state: State, party: str) -> int:
    """Return the money of a player, a company or the bank."""
    if party == BANK:
        return state.bank
    if party in state.players:
        return state.players[party].cash
    return state.companies[party].cash


def pay(move: Move, source: str, target: str, amount: int, reason: str) -> None:
    """Move money. Only the bank may pay more than it has; once broken, it stays so."""
    assert amount >= 0, f"a payment of {amount}"
    if amount == 0 or source == target:
        return
    _add(move, source, -amount)
    _add(move, target, amount)
    move.tell(MoneyPaid(source, target, amount, reason))
    if source == BANK and not move.state.broken and _runs_out(move.state):
        move.set(broken=True)
        move.tell(BankBroken())


def _runs_out(state: State) -> bool:
    figures = state.tables.figures
    at_zero = state.setup.conventions.broken_at_zero
    return figures.bank is not None and state.bank <= (0 if at_zero else figures.bank_broken_at)


def _add(move: Move, party: str, amount: int) -> None:
    state = move.state
    if party == BANK:
        move.set(bank=state.bank + amount)
        return
    if party in state.players:
        player = state.players[party]
        assert player.cash + amount >= 0, f"{party} cannot pay {-amount}"
        move.set_player(replace(player, cash=player.cash + amount))
        return
    company = state.companies[party]
    assert company.cash + amount >= 0, f"{party} cannot pay {-amount}"
    move.set_company(replace(company, cash=company.cash + amount))


def total(state: State) -> int:
    """Return the sum of all money in the game, which never changes."""
    players = sum(player.cash for player in state.players.values())
    return state.bank + players + sum(company.cash for company in state.companies.values())
