"""Protection against bots that raise, hang or answer nonsense: the random bot decides instead."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from msgspec import Struct

from carril.bots.bot import Bot, Decision, Dice
from carril.bots.random_bot import RandomBot
from carril.engine.actions import Action
from carril.engine.state import State


class Guarded(Struct, frozen=True):
    """A legal decision, and what was wrong with the bot's own answer, or ""."""

    decision: Decision
    fault: str = ""


class _TooLong(BaseException):
    """The bot has had all its time; a bot cannot catch this by accident."""


def guarded_choice(bot: Bot, state: State, dice: Dice, seconds: float = 0.0) -> Guarded:
    """Return a bot's decision, or a random one if the bot fails; `seconds` of 0 are no limit.

    A limit needs the main thread of a process; elsewhere there is none.
    """
    fallback = Dice(dice.below(1 << 62))
    try:
        with _limited(seconds):
            decision = bot.choose(state, dice)
        fault = _fault(state, decision)
    except _TooLong:
        fault = f"no answer after {seconds:g} s"
    except Exception as error:
        fault = f"{type(error).__name__}: {' '.join(str(error).split())}"[:200]
    if fault:
        return Guarded(RandomBot().choose(state, fallback), fault)
    return Guarded(decision)


def _fault(state: State, decision: object) -> str:
    """Return what is wrong with an answer, or ""."""
    if not isinstance(decision, Decision) or not isinstance(decision.action, Action):
        return f"answered {type(decision).__name__}, not a decision"
    refusal = state.refusal(decision.action)
    return f"its action is refused: {refusal.code}" if refusal else ""


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise _TooLong in the main thread after some time."""
    if not seconds or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _interrupt)
    left = signal.setitimer(signal.ITIMER_REAL, seconds)[0]  # of a timer that was set before
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, left)


def _interrupt(number: int, frame: FrameType | None) -> None:
    raise _TooLong
