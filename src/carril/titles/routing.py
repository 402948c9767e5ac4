"""Routes of 18xx.games files: from chains of hexes to paths of our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from carril.engine.board import Board, tile_at
from carril.engine.tables import Tables

# More ways than this to read one route are not tried.
_MOST_READINGS = 64


def oriented(chains: Sequence[Sequence[str]]) -> Iterator[list[list[str]]]:
    """Yield the chains so turned that each begins where the one before ends.

    >>> list(oriented([["K12", "J11"], ["K14", "K12"]]))
    [[['J11', 'K12'], ['K12', 'K14']]]
    """
    first = list(chains[0])
    for start in (first, first[::-1]):
        line = [start]
        for chain in chains[1:]:
            here = line[-1][-1]
            if chain[0] == here:
                line.append(list(chain))
            elif chain[-1] == here:
                line.append(list(chain)[::-1])
            else:
                break
        else:
            yield line


def readings(
    tables: Tables, board: Board, route: Mapping[str, Any]
) -> Iterator[tuple[str, ...]]:
    """Yield the paths a recorded route can mean, the likeliest first.

    The stops' hexes are known; which city of a hex with several, the list of nodes tells, or
    every one is tried.
    """
    chains = [chain for chain in route.get("connections", ()) if chain and chain[0] != "local"]
    if not chains:
        return
    named = {node.rpartition("-")[0]: int(node.rpartition("-")[2]) for node in route.get("nodes", ())}
    for line in oriented(chains):
        hexes = [line[0][0]] + [chain[-1] for chain in line]
        ways = [_stops(tables, board, hex_id, named.get(hex_id)) for hex_id in hexes]
        for count, stops in enumerate(product(*ways)):
            if count == _MOST_READINGS:
                break
            yield _path(line, hexes, stops)


def _stops(tables: Tables, board: Board, hex_id: str, named: int | None) -> list[int]:
    if hex_id not in tables.hexes:
        return []
    every = list(range(len(tile_at(tables, board, hex_id).stops)))
    return sorted(every, key=lambda stop: stop != named)


def _path(line: list[list[str]], hexes: list[str], stops: tuple[int, ...]) -> tuple[str, ...]:
    path = [f"{hexes[0]}.{stops[0]}"]
    for chain, hex_id, stop in zip(line, hexes[1:], stops[1:], strict=True):
        path += chain[1:-1]
        path.append(f"{hex_id}.{stop}")
    return tuple(path)
