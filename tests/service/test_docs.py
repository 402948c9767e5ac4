"""The example of the manual works."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import httpx

from tests.service.table import BOT, until

DOCS = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_example_takes_a_seat_and_plays(served: tuple[str, str], tmp_path: Path) -> None:
    address, token = served
    found = re.search(r"```python\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    assert found
    program = tmp_path / "seat.py"
    program.write_text(found[1], "utf-8")

    owner = httpx.Client(base_url=address, timeout=20)
    made = owner.post("/api/accounts", json={"name": "Owner", "password": "long enough"})
    owner.headers["X-CSRF-Token"] = made.json()["csrf"]
    seats = [{"kind": "person", "name": "Program"}, {"kind": "bot", "name": "Bot", "bot": BOT}]
    game = owner.post("/api/games", json={"title": "18EU", "seats": seats, "seed": 4}).json()
    command = [sys.executable, str(program), address, token, game["seats"][0]["invitation"]]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        until(lambda: owner.get(f"/api/games/{game['id']}").json()["head"] > 20, 30)
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()
    log = owner.get(f"/api/games/{game['id']}/log").json()
    assert {entry["by"] for entry in log} == {"Program", "Bot"}


def test_every_path_of_the_manual_is_there(served: tuple[str, str]) -> None:
    described = httpx.get(f"{served[0]}/api/openapi.json").json()["paths"]
    shapes = {re.sub(r"{\w+}", "*", path) for path in described}
    for path in re.findall(r"`(?:(?:GET|POST|DELETE) )*(/api/[^`?]*)", DOCS.read_text("utf-8")):
        if path == "/api/openapi.json":
            continue
        shape = re.sub(r"{\w+}", "*", path).replace("18EU", "*")
        assert shape in shapes, path
