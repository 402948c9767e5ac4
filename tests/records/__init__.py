"""Recorded games in the form of 18xx.games, and their traces.

The records of this folder were written by hand from the rulebooks; their traces were checked by
the figures in `test_hand_made.py`.
"""

from pathlib import Path

FOLDER = Path(__file__).parent


def trace_of(record: Path) -> Path:
    """Return the file of a record's trace."""
    return record.with_name(
        record.name.replace(".json", ".trace.jsonl").removesuffix(".gz") + ".gz"
    )
