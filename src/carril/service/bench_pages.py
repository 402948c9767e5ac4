"""Benchmark of the page: random positions of games between bots, by title and set-up."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import httpx

from carril.bots import Dice, bot_named
from carril.engine.figures import SetupDef
from carril.notation.save import Game, to_text
from carril.service.bench import Serve, figures, open_pages, running_server, server_ms, signed_in

MOST_ACTIONS = 3000
"""A game of bots is broken off after this many actions."""


class Subject(NamedTuple):
    """What is measured by itself: a title in these set-ups."""

    title: str
    setups: tuple[SetupDef, ...]
    setup: str = ""
    """The name of the only set-up, where each is measured by itself."""


def bench_pages(
    serve: Serve, subjects: Iterable[Subject], games: int, samples: int, bot: str
) -> list[dict[str, Any]]:
    """Measure pages of random positions in `games` games of bots for each set-up of a subject."""
    with (
        TemporaryDirectory(prefix="carril-bench-") as folder,
        running_server(serve, f"{folder}/bench.db") as address,
        signed_in(address) as client,
    ):
        return [
            {"title": one.title, "setup": one.setup, **_figures(client, one, games, samples, bot)}
            for one in subjects
        ]


def _figures(
    client: httpx.Client, subject: Subject, games: int, samples: int, bot: str
) -> dict[str, Any]:
    chance = random.Random(18)
    pages, searches = list[httpx.Response](), list[httpx.Response]()
    for record in _played(subject, games, bot):
        file = {"file": ("bots.json", to_text(record).encode())}
        game = client.post("/api/import", files=file).raise_for_status().json()
        seen, followed = open_pages(client, game, chance, samples)
        pages += seen
        searches += followed
    return {
        "positions": len(pages),
        "page": figures([server_ms(page) for page in pages]),
        "page_cpu": figures([server_ms(page, "cpu") for page in pages]),
        "run_after_page": {"count": len(searches)}
        | (figures([server_ms(page) for page in searches]) if searches else {}),
    }


def _played(subject: Subject, games: int, bot: str) -> Iterator[Game]:
    """Yield games of bots in every set-up of a subject."""
    for setup in subject.setups:
        for seed in range(1, games + 1):
            yield _play(subject.title, setup, seed, bot)


def _play(title: str, setup: SetupDef, seed: int, bot: str) -> Game:
    names = [f"Player {number}" for number in range(1, setup.players + 1)]
    game = Game.begin(title, names, seed, variants=setup.variants)
    chooser, dice = bot_named(bot), Dice(seed)
    while not game.last.finished and len(game) < MOST_ACTIONS:
        game.add(chooser.choose(game.last, dice).action)
    return game
