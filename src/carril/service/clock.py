"""The time of the service, which tests can move.

`CARRIL_CLOCK_FILE` names a file with a number of seconds that is added to the time, or with a fixed
moment in ISO form. Every process that inherits the variable reads the file again whenever it asks
for the time, so a running server and its workers can be moved together. Without the variable the
time is that of the machine.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

FILE = "CARRIL_CLOCK_FILE"


def now() -> datetime:
    """Return the current time."""
    file = os.environ.get(FILE)
    return _moved(file) if file else datetime.now(UTC)


def _moved(file: str) -> datetime:
    try:
        text = Path(file).read_text("ascii")
    except OSError:  # it does not exist yet
        text = ""
    if "T" in text:
        return datetime.fromisoformat(text)
    return datetime.now(UTC) + timedelta(seconds=float(text or 0))
