"""Files for attackers: a game with a hard run, records that repeat for ever, damaged ones."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

from carril.bots import Dice, bot_named
from carril.engine.actions import RunTrains
from carril.engine.asides import takes
from carril.notation.save import Game, to_text

HARD_TITLE = "18ESP"
PLAYERS = ("Ana", "Ben", "Cleo", "Dan")


@cache
def hard_game(games: int = 3) -> tuple[str, int]:
    """Return a save with the hardest run of some random games, and the number of its position."""
    best, where, text = -1, 0, ""
    for seed in range(games):
        game, effort, at = _played(seed)
        if effort > best:
            best, where, text = effort, at, to_text(game)
    return text, where


def _played(seed: int) -> tuple[Game, int, int]:
    """Return a random game, and its position with the most track and trains to search."""
    game = Game.begin(HARD_TITLE, PLAYERS, seed)
    bot, dice = bot_named("random"), Dice(seed)
    best, where = 0, 0
    while not game.last.finished and len(game) < 3000:
        state = game.last
        if takes(state, RunTrains):
            problem = state.title.run_problem(state, state.step.subject)
            effort = len(problem.pieces) * 4 ** len(problem.trains)
            if effort > best:
                best, where = effort, len(game)
        game.add(bot.choose(state, dice).action)
    return game, best, where


def endless_record(passes: int) -> bytes:
    """Return a record marked as finished that stops where everybody may pass for ever."""
    players = [{"id": number, "name": f"Player {number}"} for number in (1, 2, 3)]
    actions = [
        {"type": "pass", "entity": 1 + n % 3, "entity_type": "player", "id": n + 1}
        for n in range(passes)
    ]
    record: dict[str, Any] = {"title": HARD_TITLE, "id": 5, "players": players}
    return json.dumps(record | {"actions": actions, "status": "finished"}).encode()


def long_names() -> bytes:
    """Return a record with names and a seed that are too long to be stored."""
    players = [{"id": number, "name": f"{number}" * 200} for number in (1, 2, 3)]
    record = {"title": HARD_TITLE, "id": 5, "players": players, "seed": 10**20, "actions": []}
    return json.dumps(record).encode()


def bomb(size: int = 100 << 20) -> bytes:
    """Return a small file that becomes a large one when it is unpacked."""
    return gzip.compress(b"[" + b" " * size)


def damaged(files: list[bytes], chance: random.Random) -> Iterator[bytes]:
    """Yield files with something changed: bits, cuts, values, packed or not."""
    while True:
        data = chance.choice(files)
        change = chance.choice((_flipped, _cut, _other_value, _other_value, _other_status))
        changed = change(data, chance)
        yield gzip.compress(changed, 1) if chance.random() < 0.2 else changed


def _flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _cut(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.5:
        return data[: chance.randrange(len(data))]
    content = json.loads(data)
    actions = content.get("actions", [])
    content["actions"] = actions[: chance.randrange(len(actions) + 1)]
    return json.dumps(content).encode()


def _other_value(data: bytes, chance: random.Random) -> bytes:
    content = json.loads(data)
    actions = content.get("actions") or [{}]
    chosen: Any = chance.choice(actions)
    if not isinstance(chosen, dict) or not chosen:
        chosen = content
    odd: tuple[Any, ...] = (None, -1, 0, 1 << 64, "", "\ud800", "x" * 5000, [], {}, True, 1.5)
    chosen[chance.choice(sorted(chosen))] = chance.choice(odd)
    return json.dumps(content).encode()


def _other_status(data: bytes, chance: random.Random) -> bytes:
    content = json.loads(data)
    content["status"] = chance.choice(("active", "finished", "archived"))
    actions = content.get("actions", [])
    content["actions"] = actions[: chance.randrange(len(actions) + 1)]
    return json.dumps(content).encode()
