"""Actions that can be taken at any moment, in addition to the decision that is due."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from carril.engine.actions import Action, Kinds, Option
from carril.engine.move import Move
from carril.engine.refusals import Refusal
from carril.engine.state import State


@dataclass(frozen=True, slots=True)
class Aside:
    """One kind of action that interrupts the step that is due and then lets it go on.

    The step stays on the agenda, and the player who decides in it need not be the one who takes
    the action.
    """

    action: type[Action]
    actor: Callable[[State], str]
    """The player who can take it in the step that is due now, or ""."""
    options: Callable[[State], Iterable[Option]]
    refusal: Callable[[State, Any], Refusal | None]
    play: Callable[[Move, Any], None]


def open_asides(state: State) -> Iterator[Aside]:
    """Yield the asides that can be taken in the step that is due now."""
    return (aside for aside in state.title.asides if aside.actor(state))


def aside_for(state: State, action: Action) -> Aside | None:
    """Return the aside that handles an action now, or None."""
    for aside in state.title.asides if state.agenda else ():
        if isinstance(action, aside.action) and aside.actor(state):
            return aside
    return None


def own_asides(state: State) -> Iterator[Aside]:
    """Yield the asides that the acting player can take in the step that is due now."""
    return (aside for aside in state.title.asides if aside.actor(state) == state.acting)


def aside_options(state: State, kinds: Kinds = ()) -> Iterator[Option]:
    """Yield what the acting player can do besides the decision that is due, of these kinds if any.

    An aside offers actions of its own kind only.
    """
    for aside in own_asides(state):
        if not kinds or issubclass(aside.action, kinds):
            yield from aside.options(state)


def takes(state: State, kind: type[Action]) -> bool:
    """Return whether actions of a kind can be taken now, in the step that is due or as an aside."""
    if not state.agenda:
        return False
    return kind in state.step.allowed(state) or any(a.action is kind for a in open_asides(state))
