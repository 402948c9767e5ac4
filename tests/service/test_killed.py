"""A service killed in the middle of writing stands at the last action it acknowledged."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import httpx

from carril.service.games import Games
from carril.service.settings import Settings

SRC = Path(__file__).parents[2] / "src"
SERVE = """
import sys
from carril.service.app import make_api
from carril.service.server import run_server
from carril.service.settings import Rate, Settings
say = lambda address: print(address, flush=True)
app = make_api(Settings(database=sys.argv[1], actions=Rate(9999, 9999)))
run_server(app, "127.0.0.1", 0, say)
"""


def _start(database: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, database],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | {"PYTHONPATH": str(SRC)},
    )
    assert process.stdout
    return process, process.stdout.readline().strip()


def _play(address: str, name: str, killer: threading.Timer) -> tuple[str, list[dict[str, Any]]]:
    """Play until the service is gone; return the game and what was acknowledged.

    The killer starts with the first acknowledged action, however slow the machine is.
    """
    told: list[dict[str, Any]] = []
    with httpx.Client(base_url=address, timeout=20) as client:
        account = {"name": name, "password": "long enough"}
        made = client.post("/api/accounts", json=account).json()
        client.headers["X-CSRF-Token"] = made["csrf"]
        seats = [{"kind": "me"}, {"kind": "me", "name": "Zoe"}]
        new = {"title": "18EU", "seats": seats, "seed": 3}
        game: str = client.post("/api/games", json=new).json()["id"]
        try:
            while True:
                offered = client.get(f"/api/games/{game}/options").json()
                body = {"action": offered["options"][0]["action"], "head": offered["head"]}
                acted = client.post(f"/api/games/{game}/actions", json=body)
                assert acted.status_code == 200
                told.append(acted.json())
                if len(told) == 1:
                    killer.start()
        except httpx.HTTPError:
            return game, told


def test_killed_in_the_middle_of_a_write(database: str) -> None:
    for number in range(2):
        process, address = _start(database)
        killer = threading.Timer(0.5 + random.random(), process.kill)
        game, told = _play(address, f"Player {number}", killer)
        process.wait()
        assert told
        games = Games.open(database, Settings(bots=False))
        info = games.info(game)
        # The action that was under way may have been written, but not told.
        assert info.version - told[-1]["version"] in (0, 1)
        assert info.head - told[-1]["head"] in (0, 1)
        verified = games.verify(game)
        assert verified.problems == ()
        assert verified.records == info.version + 1
        assert [one.number for one in games.log(game)] == list(range(1, info.head + 1))
        games.close()
