"""Undo and redo on the page: what a click takes back, and what the log says of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from carril.page import chronicle
from carril.page.view import Look
from carril.page.words import Words
from carril.service.values import Change, Entry, ForkInfo, TableView

Noted = dict[int, list[dict[str, Any]]]
"""Notes for the log, newest first, by the number of the entry that they follow."""


def undo_buttons(look: Look, shown: TableView) -> list[dict[str, Any]]:
    """Return the buttons that take actions back, each with a question if it needs one."""
    points, here = shown.undo, shown.position
    if points is None:
        return []
    wanted = {"step": points.step, "turn": points.turn} if look.live else {"here": here.at}
    if points.turn == points.step:
        wanted.pop("turn", None)
    return [
        {"name": name, "to": to, "sure": _undo_question(look, shown, to)}
        for name, to in wanted.items()
        if to is not None and to < here.head
    ]


def _undo_question(look: Look, shown: TableView, to: int) -> str:
    """Return what to ask before an undo; "" if it takes back only the viewer's last action."""
    entries = (*shown.log, *((shown.next,) if shown.next else ()))
    first = next((entry for entry in entries if entry.number == to + 1), None)
    count = shown.position.head - to
    if count == 1 and first and first.by in look.mine:
        return ""
    words = look.words
    others = bool(look.user and not shown.fork and look.info.others(look.user))
    question = words.say("undo.sure-ask" if others else "undo.sure", count=count, to=to)
    what = chronicle.in_short(words, first.events) if first else ""
    return f"{question} {words.say('undo.sure-first', what=what)}" if what else question


def redo_button(words: Words, shown: TableView) -> dict[str, Any] | None:
    """Return the button that puts back what was taken back last."""
    change = shown.redo
    if change is None or shown.position.at != shown.position.head:
        return None
    return {
        "series": change.version,
        "count": change.old_head - change.base,
        "sure": _redo_question(words, change, shown.position.head),
    }


def _redo_question(words: Words, change: Change, head: int) -> str:
    """Return what to ask before a redo; "" if it takes nothing back."""
    if head == change.base:
        return ""
    return words.say("undo.redo-sure", count=_taken(change), since=head - change.base)


def _taken(change: Change) -> int:
    return change.old_head - change.base


def keep_question(words: Words, fork: ForkInfo | None, head: int) -> str:
    """Return what to ask before a what-if line becomes the game."""
    if fork is None:
        return ""
    taken, added = max(0, head - fork.base), fork.head - fork.base
    return words.say("undo.keep-sure", taken=taken, added=added, base=fork.base)


def noted(
    words: Words, changes: Sequence[Change], log: Sequence[Entry], then: Entry | None, head: int
) -> Noted:
    """Return what was taken back and put back while these entries were the latest.

    `log` has the entries that are shown, oldest first, and `then` the one after them. `head` is the
    latest position, or -1 where nothing can be put back.
    """
    found: Noted = {}
    for change in changes:
        after = [entry.number for entry in log if entry.when <= change.when]
        begins = not log or log[0].number == 1
        if (then and then.when <= change.when) or not (after or begins):
            continue
        found.setdefault(after[-1] if after else 0, []).append(_note(words, change, head))
    return found


def _note(words: Words, change: Change, head: int) -> dict[str, Any]:
    taken = _taken(change)
    text = words.say(
        f"undo.noted-{change.kind}",
        name=change.by_name,
        taken=taken,
        added=change.head - change.base,
        first=change.base + 1,
        last=max(change.old_head, change.head),
        base=change.base,
    )
    back = change.fits and head >= 0
    return {
        "version": change.version,
        "text": text,
        "clock": change.when.strftime("%H:%M"),
        "when": change.when.isoformat(timespec="seconds"),
        "back": back,
        "taken": taken,
        "sure": _redo_question(words, change, head) if back else "",
    }
