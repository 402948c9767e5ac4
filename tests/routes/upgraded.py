"""A fully upgraded 18EU map: every hex with the highest tile that its kind allows."""

from __future__ import annotations

import random
from typing import Any

Tiles = dict[str, tuple[str, int]]
ORDERS = {
    "P": ["583"],
    "BV": ["584"],
    "Y": ["582"],
    "city": ["513", "611", "14", "15"],
    "town": ["145", "146", "147", "141", "142", "143", "144"],
    "plain": ["544", "545", "546", "80", "81", "82", "83", "7", "8", "9"],
}


def _sort(entry: Any) -> str:
    if entry.get("label"):
        return str(entry["label"])
    printed = entry.get("preprinted") or {}
    return "city" if "cities" in printed else "town" if "towns" in printed else "plain"


def _exits(face: Any, turn: int) -> set[int]:
    ends = [path[end] for path in face.get("paths", []) for end in ("a", "b")]
    return {(int(end[4:]) + turn) % 6 for end in ends if end.startswith("edge")}


def full_tiles(
    known: Any, seed: int, tokens: int, supply: bool = True
) -> tuple[Tiles, dict[str, list[list[str | None]]]]:
    """Tiles (turned to join as much track as can be) and the stations of company X."""
    draw = random.Random(seed)
    hexes = {entry["hex"]: entry for entry in known["map"]["hexes"]}
    faces = {entry["tile"]: entry for entry in known["tiles"]}
    left = {name: face["count"] if supply else 999 for name, face in faces.items()}
    tiles: Tiles = {}
    open_hexes = [h for h, e in hexes.items() if e["colour"] in ("white", "yellow")]
    draw.shuffle(open_hexes)
    for name in open_hexes:
        order = [tile for tile in ORDERS[_sort(hexes[name])] if left[tile] > 0]
        if not order:
            continue
        colour = faces[order[0]]["colour"]
        tile = draw.choice([tile for tile in order if faces[tile]["colour"] == colour])
        left[tile] -= 1
        tiles[name] = (tile, draw.randrange(6))
    _turn(tiles, hexes, faces, draw)
    cities = sorted(name for name in tiles if faces[tiles[name][0]].get("cities"))
    own = set(draw.sample(cities, tokens))
    taken: dict[str, list[list[str | None]]] = {}
    for name in cities:
        circles = [[None] * city["slots"] for city in faces[tiles[name][0]]["cities"]]
        taken[name] = [list(circle) for circle in circles]
        if name in own:
            taken[name][0][0] = "X"
    return tiles, taken


def _turn(tiles: Tiles, hexes: Any, faces: Any, draw: random.Random) -> None:
    """Turn tiles one at a time until no turn joins more track."""

    def joined(name: str, turn: int) -> int:
        score = 0
        for edge in _exits(faces[tiles[name][0]], turn):
            other = hexes[name]["neighbours"].get(str(edge))
            if other is None:
                score -= 5
                continue
            back = (edge + 3) % 6
            if other in tiles:
                score += back in _exits(faces[tiles[other][0]], tiles[other][1])
            else:
                printed = hexes[other].get("preprinted") or {"paths": []}
                score += 2 if back in _exits(printed, 0) else -3
        return score

    for _ in range(8):
        names = sorted(tiles)
        draw.shuffle(names)
        for name in names:
            best = max(range(6), key=lambda turn, name=name: (joined(name, turn), -turn))  # type: ignore[misc]
            tiles[name] = (tiles[name][0], best)
