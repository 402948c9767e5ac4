"""A long siege in pieces: a file with what is done, and a limit on the time of one run."""

from __future__ import annotations

import json
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.service.siege.people import percentile


@dataclass(frozen=True)
class Chunk:
    """What one run has to do: how much, with which seed, and until when."""

    count: int
    seed: int = 0
    end: float = float("inf")
    """The moment of the monotonic clock at which to stop."""

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.end


@dataclass
class Done:
    """What runs of one part have shown."""

    count: int = 0
    wrong: list[str] = field(default_factory=list)
    figures: dict[str, Any] = field(default_factory=dict)
    """Sums of numbers, of counters, and lists of all values."""

    def add(self, figures: dict[str, Any]) -> None:
        """Add the figures of another run."""
        for name, value in figures.items():
            before = self.figures.get(name)
            if before is None:
                self.figures[name] = value
            elif isinstance(value, dict):
                self.figures[name] = dict(Counter(before) + Counter(value))
            else:
                self.figures[name] = before + value

    def __str__(self) -> str:
        """Say it in a line."""
        shown = [f"{self.count} done, {len(self.wrong)} wrong"]
        for name, value in self.figures.items():
            if isinstance(value, list):
                middle, most = percentile(value, 0.5), percentile(value, 1)
                shown.append(f"{name} {middle:.0f} ms, at most {most:.0f}")
            elif isinstance(value, dict):
                shown.append(", ".join(f"{key} x{n}" for key, n in sorted(value.items())))
            else:
                shown.append(f"{name} {value}")
        return "; ".join(shown)


class Record:
    """A file with a line for each run of a part, from which the next run goes on."""

    def __init__(self, path: Path | None) -> None:
        """Read what was noted before."""
        self._path = path
        self.parts: dict[str, Done] = {}
        self._runs: Counter[str] = Counter()
        if path and path.exists():
            for line in path.read_text("utf-8").splitlines():
                noted = json.loads(line)
                self._add(noted["part"], noted["count"], noted["wrong"], noted["figures"])

    def chunk(self, part: str, count: int, seed: int, end: float) -> Chunk:
        """Return what is left to do of a part; every run has another seed."""
        done = self.parts[part].count if part in self.parts else 0
        return Chunk(max(0, count - done), seed + self._runs[part], end)

    def note(self, part: str, count: int, wrong: list[str], figures: dict[str, Any]) -> None:
        """Note what a run has done, and what went wrong."""
        self._add(part, count, wrong, figures)
        noted = {"part": part, "count": count, "wrong": wrong, "figures": figures}
        if self._path:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(noted) + "\n")

    def _add(self, part: str, count: int, wrong: list[str], figures: dict[str, Any]) -> None:
        self._runs[part] += 1
        done = self.parts.setdefault(part, Done())
        done.count += count
        done.wrong += wrong
        done.add(figures)
