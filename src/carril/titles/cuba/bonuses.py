"""Bonuses of converted concessions: placed in a company at any moment of its owner's turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from carril.engine.actions import PlaceBonus
from carril.engine.asides import Aside
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import BANK, Company, State
from carril.engine.step import Step, refuse
from carril.engine.steps.operating import EndTurn
from carril.engine.steps.stock import StockRound
from carril.engine.trains import has_room, phase_def, receive
from carril.titles.cuba.common import MAJOR, MINOR, concession_def, cuba, set_extra, without
from carril.titles.cuba.events import BonusPlaced
from carril.titles.cuba.figures import figures
from carril.titles.cuba.founding import is_founded
from carril.titles.cuba.machines import machine_refusal, take_machine

WAGON, MACHINE, MAIL = "wagon", "machine", "mail"
DISCOUNT = "discount"
"""The bonus that is used with the purchase of a train (CUBA-IV.2-o)."""

FOR_KIND: Mapping[str, str] = {WAGON: MAJOR, MAIL: MAJOR, MACHINE: MINOR}
"""The kind of company that each bonus is placed in."""

_WRONG_KIND = {WAGON: "wagon-for-majors", MAIL: "mail-for-majors", MACHINE: "machine-for-minors"}
_ELSEWHERE = {WAGON: "wagon-elsewhere", MAIL: "mail-elsewhere", MACHINE: "machine-elsewhere"}


def player_on_turn(state: State) -> str:
    """Return the player whose turn it is, or whose company's; "" between turns (G10)."""
    for step in reversed(state.agenda):
        if isinstance(step, StockRound):
            return step.player
        if isinstance(step, EndTurn):
            return state.companies[step.company].owner
    return ""


def _open(state: State) -> bool:
    return bool(cuba(state).bonuses) and player_on_turn(state) != ""


def placements(state: State) -> Iterator[PlaceBonus]:
    """Yield the bonuses that the player on turn can place, and where."""
    player = player_on_turn(state)
    for concession, owner in cuba(state).bonuses.items():
        bonus = concession_def(state, concession).bonus
        if owner != player or bonus not in FOR_KIND:
            continue
        choices = figures(state).machinery.generations if bonus == MACHINE else ("",)
        own = [one.symbol for one in state.companies.values() if one.owner == player]
        for symbol, choice in product(own, choices):
            action = PlaceBonus(concession, symbol, choice, by=player)
            if placement_refusal(state, action) is None:
                yield action


def placement_refusal(state: State, action: PlaceBonus) -> Refusal | None:
    """Return why the player on turn may not give a company this bonus."""
    concession, symbol = action.concession, action.company
    if cuba(state).bonuses.get(concession) != player_on_turn(state):
        return refuse(state, "not-your-bonus", concession=concession)
    bonus = concession_def(state, concession).bonus
    if bonus not in FOR_KIND:
        return refuse(state, "bonus-with-train", concession=concession)
    company = state.companies.get(symbol)
    if company is None or company.kind != FOR_KIND[bonus]:
        return refuse(state, _WRONG_KIND[bonus], company=symbol)
    if company.owner != player_on_turn(state):
        return refuse(state, _ELSEWHERE[bonus], company=symbol)
    if not is_founded(state, symbol):
        return refuse(state, "not-founded", company=symbol)
    return _room_refusal(state, company, bonus, action.choice)


def _room_refusal(state: State, company: Company, bonus: str, choice: str) -> Refusal | None:
    """Check that the company has room for a bonus, and that there is one."""
    if bonus == MACHINE:
        return machine_refusal(state, company.symbol, choice)
    if choice:
        return refuse(state, "no-choice", choice=choice)
    if bonus == WAGON and not has_room(state, company, figures(state).bonus.wagon):
        return refuse(state, "wagon-limit", company=company.symbol)
    return None


def place(move: Move, action: PlaceBonus) -> None:
    """Give a company the bonus of a concession, which is used up."""
    concession, symbol = action.concession, action.company
    now = cuba(move.state)
    player = now.bonuses[concession]
    set_extra(move, bonuses=without(now.bonuses, concession))
    match concession_def(move.state, concession).bonus:
        case "wagon":
            receive(move, symbol, figures(move.state).bonus.wagon)
        case "mail":
            set_extra(move, mail=symbol)
        case _:
            take_machine(move, symbol, action.choice, dearest=True)  # CUBA-IV.2-i
    move.tell(BonusPlaced(player, concession, symbol, action.choice))


ASIDES = (Aside(PlaceBonus, _open, placements, placement_refusal, place, player_on_turn),)


class CollectMail(Step, tag="mail", frozen=True):
    """The first step of a company's turn: the bank pays for the mail contract (CUBA-IV.2-m)."""

    company: str

    def settle(self, move: Move) -> bool:
        """Pay by the colour of the phase."""
        move.pop()
        if cuba(move.state).mail == self.company:
            amount = figures(move.state).bonus.mail[phase_def(move.state).colour]
            pay(move, BANK, self.company, amount, "mail")
        return True
