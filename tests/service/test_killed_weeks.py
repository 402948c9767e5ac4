"""A server that is killed loses no message and no penalty, and sends none twice."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec import Struct

from tests.service.killed_weeks import Report, Siege, run


def test_kills_lose_and_repeat_nothing(tmp_path: Path) -> None:
    found = run(3, 2, tmp_path, f"sqlite:///{tmp_path}/games.db")
    assert found.wrong == []
    assert found.penalties == 2
    assert found.mails >= 4
    assert found.hooks >= 4


class Row(Struct):
    """A message of the outbox."""

    key: str
    channel: str = "mail"
    status: str = "sent"
    attempts: int = 1
    error: str = ""


def noticed(row: Row, arrived: int) -> list[str]:
    """What is said about a message that arrived a number of times."""
    siege = Siege.__new__(Siege)
    siege.report = Report(wrong=[])
    key = "2c70e12b7a0646f92279f427c7b38e7334d8e538"  # the SHA-256 of "key", in short
    siege.arrived("mail", [row], Counter({key: arrived} if arrived else {}), 40)  # type: ignore[list-item]
    return siege.report.wrong


def test_lost_and_repeated_messages_are_noticed() -> None:
    assert noticed(Row("key"), 1) == []
    assert noticed(Row("key", attempts=2), 2) == []
    assert noticed(Row("key"), 0) == ["key counts as sent and never arrived"]
    assert noticed(Row("key"), 2) == ["key arrived 2 times"]
    assert noticed(Row("key", status="failed", error="no"), 0) == ["key was given up: no"]
    assert noticed(Row("other", status="dropped"), 1) == ["an unknown mail arrived"]
