"""What happens when a phase begins."""

from __future__ import annotations

from carril.engine.board import unlock_tokens
from carril.engine.events import TrainExported
from carril.engine.market import price
from carril.engine.money import pay
from carril.engine.move import Move
from carril.engine.state import BANK
from carril.engine.steps.operating import end_turn_of
from carril.engine.trains import (
    begin_phase,
    phase_begun_by,
    phase_def,
    receive,
    remove_card,
    stack_top,
)
from carril.titles.esp.common import (
    STRAWBERRY,
    close_private,
    conventions,
    edition,
    esp,
    is_minor,
    set_extra,
)
from carril.titles.esp.discards import push_discards, to_scrap
from carril.titles.esp.figures import figures
from carril.titles.esp.takeover import close_minor, free_reserved


def card_left(move: Move, card: str, buyer: str = "") -> None:
    """Begin the phase of a card that has left the deck, and the end of the game if it is due."""
    end = figures(move.state).last_set
    if card == end.train:
        set_extra(move, eights=esp(move.state).eights + 1)
        if esp(move.state).eights == end.cards:
            set_extra(move, last_rounds="due")
    if phase := phase_begun_by(move.state, card):
        _begin(move, phase)
    push_discards(move, buyer)


def export(move: Move) -> None:
    """Remove the top card from the game at the end of a set, as if bought (ESP-4.9-a, -b)."""
    launched = any(company.floated for company in move.state.companies.values())
    if conventions(move.state).no_export_before_launch and not launched:
        return
    card = stack_top(move.state)
    remove_card(move, card)
    to_scrap(move, card, "exported")
    move.tell(TrainExported(card))
    card_left(move, card)


def _begin(move: Move, phase: str) -> None:
    for train in begin_phase(move, phase):
        to_scrap(move, train)
    _export_rusts(move)
    if phase_def(move.state).event == "privates-close":
        _phase_5(move)


def _export_rusts(move: Move) -> None:
    """Count cards that have left the game as rusted when their kind rusts."""
    exported, lost = dict(esp(move.state).exported), dict(esp(move.state).lost)
    scrap = dict(esp(move.state).scrap)
    for pile in (exported, lost):
        for card in list(pile):
            if move.state.tables.trains[card].rusted_by == move.state.phase:
                scrap[card] = scrap.get(card, 0) + pile.pop(card)
    set_extra(move, exported=exported, lost=lost, scrap=scrap)


def _phase_5(move: Move) -> None:
    """Close privates, close or freeze minors, free reserved shares of unlaunched majors."""
    _close_privates(move)
    _free_stations(move)
    minors = [s for s in esp(move.state).in_play if is_minor(move.state, s)]
    if edition(move.state).minors_freeze:
        live = [s for s in minors if not move.state.companies[s].closed]
        set_extra(move, frozen=tuple(live))
        for symbol in live:
            end_turn_of(move, symbol)
        free_reserved(move)
        return
    for symbol in minors:
        company = move.state.companies[symbol]
        if company.closed:
            continue
        if company.operated and conventions(move.state).closed_minors_pay:
            pay(move, BANK, company.owner, price(move.state, symbol), "minor closes")
        close_minor(move, symbol)
        end_turn_of(move, symbol)


def _free_stations(move: Move) -> None:
    """Free the locked stations of majors not launched, or of all (ESP-3.2.2-k, ESP-DE-5.3.4-c)."""
    stay = conventions(move.state).stations_stay_locked or not edition(move.state).stations_freed
    for company in list(move.state.companies.values()):
        if company.locked and not (stay and company.floated):
            unlock_tokens(move, company.symbol, company.locked)


def _close_privates(move: Move) -> None:
    """Turn a company's private 3 into the strawberry train (ESP-2.2-l, -x, -y)."""
    owner = esp(move.state).privates.get(figures(move.state).powers.strawberry, "")
    for private in list(esp(move.state).privates):
        close_private(move, private)
    set_extra(move, tenders_private=0)
    if owner not in move.state.companies:
        return
    lost = is_minor(move.state, owner) and not edition(move.state).minors_freeze
    if lost and not conventions(move.state).strawberry_with_minor:
        return
    receive(move, owner, STRAWBERRY)
    rests = edition(move.state).strawberry_rests_after_phase  # E8
    if rests and not conventions(move.state).strawberry_runs_at_once:
        set_extra(move, resting={**esp(move.state).resting, owner: STRAWBERRY})
