"""18EU boards from the fact file and traces beside the project; without them, tests are skipped."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from carril.engine.runs import (
    Bonus,
    Piece,
    Point,
    Room,
    Rules,
    RunCard,
    RunProblem,
    Stop,
    Train,
)

SHARED = Path(__file__).resolve().parents[2].parent / "shared"
FACTS = SHARED / "facts" / "18eu.json"
GAMES = SHARED / "games" / "18EU"
RED = {"2": (0, 0), "3": (10, 1), "4": (10, 1), "5": (20, 4), "6": (20, 4), "8": (30, 5)}
COLOURS = {"2": "yellow", "3": "green", "4": "green", "5": "brown", "6": "brown", "8": "grey"}
KINDS = {"cities": "city", "towns": "town", "harbours": "port", "offboards": "offboard"}
Tiles = dict[str, tuple[str, int]]
Tokens = dict[str, list[list[str | None]]]


def facts() -> Any:
    return json.loads(FACTS.read_text())


def n_train(size: int) -> Train:
    return Train(str(size), (Room(("city", "offboard"), size), Room(("town", "port"), -1)))


class Board:
    """Builds the problem of one company."""

    def __init__(self, tiles: Tiles, tokens: Tokens, company: str, phase: str) -> None:
        known = facts()
        self.hexes = {entry["hex"]: entry for entry in known["map"]["hexes"]}
        self.faces = {entry["tile"]: entry for entry in known["tiles"]}
        self.tokens, self.company, self.phase = tokens, company, phase
        self.stops: list[Stop] = []
        self.points: list[Point] = []
        self.pieces: list[Piece] = []
        self.names: dict[str, int] = {}
        for name, entry in self.hexes.items():
            number, turn = tiles.get(name, ("", 0))
            printed = entry.get("preprinted") or {}
            self.lay(name, self.faces[number] if number else printed, turn)

    def lay(self, name: str, face: Any, turn: int) -> None:
        for path in face.get("paths", []):
            ends = [self.point(name, face, path[end], turn) for end in ("a", "b")]
            self.pieces.append(Piece(ends[0], ends[1], name))

    def point(self, name: str, face: Any, end: str, turn: int) -> int:
        if end.startswith("edge"):
            edge = (int(end[4:]) + turn) % 6
            other = self.hexes[name]["neighbours"].get(str(edge))
            label = "|".join(sorted((name, other))) if other else f"{name}/{edge}"
            return self.named(label, Point("side", name))
        if end == "junction":
            return self.named(f"{name}:junction", Point("junction", name))
        kind = next(word for word in KINDS if word.startswith(end[:3]))
        index = int(end[-1])
        label = f"{name}.{index}"
        if label not in self.names:
            self.stops.append(self.stop(name, face, kind, index))
        return self.named(label, Point("stop", name, len(self.stops) - 1))

    def named(self, label: str, point: Point) -> int:
        if label not in self.names:
            self.names[label] = len(self.points)
            self.points.append(point)
        return self.names[label]

    def stop(self, name: str, face: Any, kind: str, index: int) -> Stop:
        entry = face[kind][index]
        pays = entry["revenue"]
        value = pays if isinstance(pays, int) else pays[COLOURS[self.phase]]
        many = len(face[kind]) > 1
        stop = Stop(f"{name}.{index}", name, KINDS[kind], value, once=name if many else "")
        red = ("red",) if kind == "offboards" else ()
        circles = self.tokens.get(name, [])
        held = circles[index] if kind == "cities" and index < len(circles) else [None]
        token = self.company in held
        through = token or None in held or len(held) < entry.get("slots", 1)
        if kind != "cities":
            through = kind == "towns" or entry.get("run_through", False)
        return Stop(
            stop.key, name, stop.kind, value, token=token, through=through, once=stop.once, tags=red
        )

    def problem(self, trains: list[str]) -> RunProblem:
        per, cap = RED[self.phase]
        bonus = (Bonus("red to red", ends="red", per_token=per, cap=cap),) if per else ()
        cards = tuple(RunCard("pullman", doubles=("city", "offboard")) for t in trains if t == "P")
        real = tuple(n_train(int(t)) for t in trains if t != "P")
        rules = Rules(bonuses=bonus, extras=cards)
        return RunProblem(tuple(self.stops), tuple(self.points), tuple(self.pieces), real, rules)


def trace_runs(game: str) -> Iterator[tuple[int, str, RunProblem, int, Any]]:
    """Every run of a traced game: line, company, problem, claimed total, the line's routes."""
    with gzip.open(GAMES / f"{game}.trace.jsonl.gz", "rt") as lines:
        for text in lines:
            line = json.loads(text)
            if "routes" not in line:
                continue
            state, company = line["state"], line["action"]["entity"]
            owner = state["corps"].get(company) or state["minors"][company]
            tiles = {name: (tile, turn) for name, (tile, turn) in state["tiles"].items()}
            board = Board(tiles, state["tokens"], company, state["phase"])
            problem = board.problem(owner["trains"])
            yield line["i"], company, problem, line["routes"]["total"], line["routes"]


def games() -> list[str]:
    return [path.name.split(".")[0] for path in sorted(GAMES.glob("*.trace.jsonl.gz"))]


def full_map(tokens: int, trains: list[str], seed: int = 0) -> RunProblem:
    """All hexes with their highest tile, as the supply allows, turned to join the most track."""
    from tests.routes.upgraded import full_tiles

    tiles, taken = full_tiles(facts(), seed, tokens)
    return Board(tiles, taken, "X", "8").problem(trains)
