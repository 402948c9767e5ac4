"""What a company will earn after its first turns: played out on the map before it is started."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace

from carril.bots.bot import Dice
from carril.bots.greedy import outlook
from carril.bots.greedy.founding import first_token
from carril.bots.greedy.sight import Sight
from carril.bots.greedy.track import build
from carril.engine.actions import LayTile, OpenPass, Pass, PlaceToken
from carril.engine.cache import Cache
from carril.engine.launch import launch_terms
from carril.engine.play import resume
from carril.engine.shares import company_def
from carril.engine.state import Round, State

TURNS = 3
"""How many turns of building are played out."""
ACTIONS = 10
"""The most decisions of one turn."""
BUILDING = (LayTile, PlaceToken, OpenPass)

_earnings: Cache[int] = Cache(256)


def opening(state: State, symbol: str) -> int:
    """Return about what a company that is not in play yet earns with a train after some turns."""
    key = (symbol, state.phase, outlook.next_train(state, symbol))
    return _earnings.get(key, partial(_played, state, symbol), owner=state.board)


def _played(state: State, symbol: str) -> int:
    """Play the first turns of a company alone, as the greedy bot would build."""
    terms, plan = launch_terms(state, symbol), company_def(state, symbol)
    pars = [par.price for par in state.tables.pars] or [0]
    capital = (plan.start_units if plan.sole_owner else terms.capital or terms.shares) * pars[0]
    me = state.acting or next(iter(state.players))
    company = replace(
        state.companies[symbol],
        owner=me,
        started=True,
        floated=True,
        cash=capital,
        tokens=state.companies[symbol].tokens or 1,
    )
    there = replace(
        state,
        companies={**state.companies, symbol: company},
        round=Round("OR", max(2, state.round.turn), 1, 1),
    )
    for _ in range(TURNS):
        there = _turn(there, symbol, me)
    new = outlook.next_train(state, symbol)
    return outlook.income_with(there, symbol, (new,)) if new else 0


def _turn(state: State, symbol: str, me: str) -> State:
    """Return the position after a company has built in one turn; nothing else is played."""
    steps = state.title.turn(state, symbol)
    building = tuple(step for step in steps if not set(BUILDING).isdisjoint(step.allows))
    state = resume(replace(state, agenda=building)).state
    dice = Dice(0)
    for _ in range(ACTIONS):
        if not state.agenda:
            break
        sight = Sight(state, me, state.options(*BUILDING, Pass), dice)
        decision = first_token(sight) if sight.offers(PlaceToken) else None
        decision = decision or build(sight)
        if decision is None:
            break
        state = state.apply(decision.action).state
    return state
