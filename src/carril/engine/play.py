"""Playing: start a game, list its options, explain refusals, apply an action."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from carril.engine.actions import Action, Kinds, Option, Range
from carril.engine.asides import Aside, aside_for, aside_options, own_asides
from carril.engine.events import Event, GameEnded, RoundBegan
from carril.engine.move import Move
from carril.engine.refusals import BadSetup, IllegalAction, Refusal
from carril.engine.registry import title_named
from carril.engine.rule_changes import AdoptRules, RulesAdopted, versions
from carril.engine.setups import tables_for
from carril.engine.state import Conventions, Round, Setup, State
from carril.engine.step import Step, refuse
from carril.engine.tables import Tables

HOLDERS = ("bank", "pool", "treasury", "ipo", "reserved")
"""Holders of money and shares that are neither players nor companies."""


class Outcome(Struct, frozen=True):
    """What an action leads to: the next state, and what happened on the way."""

    state: State
    events: tuple[Event, ...]


def start(
    title: str,
    players: Sequence[str],
    seed: int = 0,
    *,
    edition: str = "",
    conventions: str | Conventions = "rulebook",
    variants: Iterable[str] = (),
    seated: bool = False,
    version: str = "",
) -> State:
    """Set up a game and return its first position.

    The order of play is drawn from the seed, unless `seated` says that it is given. The game is
    played by the newest version of the rules, or by an older one.
    """
    found = title_named(title)
    if isinstance(conventions, str):
        _check_known(title, "conventions", conventions, found.conventions)
        conventions = found.conventions[conventions]
    _check_known(title, "edition", edition, ("", *found.editions))
    _check_known(title, "rules version", version, ("", *versions(found)))
    chosen = tuple(sorted(set(variants)))
    tables = tables_for(found, len(players), chosen)
    _check_names(tables, players)
    setup = Setup(
        title=title,
        version=version or found.version,
        players=tuple(players),
        seed=seed,
        conventions=conventions,
        edition=edition,
        variants=chosen,
        seated=seated,
    )
    move = Move(found.begin(setup, tables))
    _settle(move)
    return move.state


def _check_known(title: str, what: str, chosen: str, known: Iterable[str]) -> None:
    if chosen not in known:
        listed = ", ".join(filter(None, known))
        raise BadSetup(
            f"{title} has no {what} {chosen!r}" + (f"; it has {listed}" if listed else "")
        )


def _check_names(tables: Tables, players: Sequence[str]) -> None:
    if len(set(players)) < len(players):
        raise BadSetup("two players have the same name")
    for name in players:
        if not name or name.lower() in HOLDERS or name in tables.companies:
            raise BadSetup(f"a player cannot be called {name!r}")


def options(state: State, kinds: Kinds = ()) -> tuple[Option, ...]:
    """Return every legal action of the acting player; those with an amount as ranges.

    With `kinds` only actions of these kinds, in the same order.
    """
    if not state.agenda:
        return ()
    step = state.step
    if not kinds:
        return (*aside_options(state), *step.options(state))
    wanted = tuple(kind for kind in step.allowed(state) if issubclass(kind, kinds))
    found = step.options_of(state, wanted) if wanted else ()
    return (*aside_options(state, kinds), *found)


def kinds(state: State) -> Kinds:
    """Return the kinds of actions that the acting player can be offered now."""
    if not state.agenda:
        return ()
    return (*(aside.action for aside in own_asides(state)), *state.step.allowed(state))


def refusal(state: State, action: Action) -> Refusal | None:
    """Return why an action is refused, or None if it is legal."""
    return _refusal(state, action, aside_for(state, action))


def _refusal(state: State, action: Action, aside: Aside | None) -> Refusal | None:
    if not state.agenda:
        return refuse(state, "game-over")
    step = state.step
    acting = aside.actor(state) if aside else state.acting
    if action.by and action.by != acting:
        return refuse(state, "not-your-turn", player=action.by, acting=acting or "")
    if aside:
        return aside.refusal(state, action)
    if not isinstance(action, step.allowed(state)):
        return refuse(state, "not-now", action=_tag(action), step=_tag(step))
    return step.refusal(state, action)


def _tag(value: Struct) -> str:
    return str(type(value).__struct_config__.tag)


def apply(state: State, action: Action) -> Outcome:
    """Return the next state and what happened; raise IllegalAction if it is refused."""
    aside = aside_for(state, action)
    why = _refusal(state, action, aside)
    if why is not None:
        raise IllegalAction(
            why,
            f"{state.round}, {state.acting} to {_tag(state.step)}"
            if state.agenda
            else "a game that is over",
        )
    move = Move(state)
    (aside or state.step).play(move, action)
    _settle(move)
    return Outcome(move.state, tuple(move.events))


def resume(state: State) -> Outcome:
    """Do what needs no decision in a position that was made by hand."""
    move = Move(state)
    _settle(move)
    return Outcome(move.state, tuple(move.events))


def adjourn(state: State) -> Outcome:
    """End a game by agreement of the players; their present worth decides."""
    move = Move(state)
    end_game(move, "agreement")
    return Outcome(move.state, tuple(move.events))


def adopt(state: State, action: AdoptRules) -> Outcome:
    """Play by a newer version of the rules from now on; all players have agreed to it."""
    known = versions(state.title)
    if state.ended or action.version not in known[known.index(state.setup.version) + 1 :]:
        raise BadSetup(f"rules version {action.version!r} cannot be adopted here")
    move = Move(state)
    move.set(setup=replace(state.setup, version=action.version))
    move.tell(RulesAdopted(action.version))
    _settle(move)
    return Outcome(move.state, tuple(move.events))


def apply_recorded(state: State, action: Action) -> Outcome:
    """Return what a recorded action, or an agreement of all players, leads to."""
    return adopt(state, action) if isinstance(action, AdoptRules) else apply(state, action)


def begin_round(move: Move, round_: Round, step: Step) -> None:
    """Begin a round with its first step."""
    move.set(round=round_)
    move.tell(RoundBegan(str(round_)))
    move.push(step)


def end_game(move: Move, reason: str) -> None:
    """End the game now."""
    move.set(agenda=(), ended=reason)
    move.tell(GameEnded(reason))


def _settle(move: Move) -> None:
    """Do all that needs no decision, until somebody has to choose or the game is over."""
    while move.state.agenda:
        if reason := move.state.title.may_stop(move.state):
            end_game(move, reason)
            return
        if not move.state.step.settle(move):
            return


def listed(offered: Iterable[Option], action: Action) -> bool:
    """Return whether the options hold an action, in a range or by itself."""
    for option in offered:
        if isinstance(option, Range):
            same = type(option.action) is type(action)
            amount = getattr(action, option.field, None) if same else None
            if amount is not None and option.holds(amount) and option.at(amount) == action:
                return True
        elif option == action:
            return True
    return False
