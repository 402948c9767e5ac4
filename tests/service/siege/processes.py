"""Processes of `carril serve` on one database, to be killed and started again."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

SRC = Path(__file__).parents[3] / "src"
START_SECONDS = 60
OPTIONS = (
    *("--proxies", "127.0.0.1"),  # people and attackers get addresses of their own
    *("--sign-ins", "1000/1000"),
)


class Process:
    """One process of the service, at a port that it keeps when it is started again."""

    def __init__(self, database: str, *options: str) -> None:
        """Start it at any free port."""
        self._command = [sys.executable, "-m", "carril", "serve", "--database", database]
        self._options = (*OPTIONS, *options)
        self.port = 0
        self.address = ""
        self._running: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> float:
        """Start the process; return the seconds until its first answer."""
        begun = time.monotonic()
        self._running = subprocess.Popen(
            [*self._command, *self._options, "--port", str(self.port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"PYTHONPATH": str(SRC), "COLUMNS": "200"},
        )
        assert self._running.stdout
        line = self._running.stdout.readline()
        found = re.search(r"http://[\d.]+:(\d+)", line)
        if not found:
            raise RuntimeError(f"the service did not start: {line!r}")
        self.port, self.address = int(found[1]), found[0]
        httpx.get(f"{self.address}/api/ready", timeout=START_SECONDS).raise_for_status()
        return time.monotonic() - begun

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._running
        return self._running.pid

    def kill(self) -> None:
        """Kill it at once, as the system does when memory runs out."""
        assert self._running
        self._running.kill()
        self._running.wait()

    def stop(self) -> None:
        """Ask it to end."""
        assert self._running
        self._running.terminate()
        try:
            self._running.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.kill()


@contextmanager
def processes(count: int, database: str, *options: str) -> Iterator[list[Process]]:
    """Run some processes on a database, and end them."""
    running = [Process(database, *options) for _ in range(count)]
    try:
        yield running
    finally:
        for one in running:
            one.stop()


def memory(pid: int) -> int:
    """Return the bytes in memory of a process and its children."""
    parents: dict[int, int] = {}
    resident: dict[int, int] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            status = (folder / "status").read_text()
        except OSError:
            continue
        fields = dict(re.findall(r"^(PPid|RssAnon):\s+(\d+)", status, re.MULTILINE))
        parents[int(folder.name)] = int(fields.get("PPid", 0))
        resident[int(folder.name)] = int(fields.get("RssAnon", 0)) * 1024
    family = {pid}
    while more := {child for child, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(resident.get(one, 0) for one in family)
