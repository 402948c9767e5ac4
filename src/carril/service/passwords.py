"""Which passwords are accepted."""

from __future__ import annotations

import tomllib
from importlib import resources

from carril.service.errors import BadRequest

SHORTEST = 8
LONGEST = 200
_LEET = str.maketrans("013457@$!|", "oleastasil")
_RUNS = ("abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm", "01234567890")
_WORDS = resources.files("carril.service").joinpath("common_passwords.toml")
_COMMON = frozenset(tomllib.loads(_WORDS.read_text("utf-8"))["words"].split())


def check_password(password: str, name: str) -> None:
    """Raise BadRequest if a password is too short, too long, very common, or the user's name."""
    if not SHORTEST <= len(password) <= LONGEST:
        facts = {"least": SHORTEST, "most": LONGEST}
        raise BadRequest(f"A password must have {SHORTEST} to {LONGEST} characters.", facts)
    if is_common(password) or _core(name) == _core(password):
        raise BadRequest("This password is easy to guess. Please choose another.")


def is_common(password: str) -> bool:
    """Return whether a password is among the first that an attacker tries.

    >>> [is_common(one) for one in ("12345678", "Passw0rd!", "qwertyui", "aaaaaaaab", "87654321")]
    [True, True, True, True, True]
    >>> is_common("correct horse")
    False
    """
    folded = password.casefold()
    if len(set(folded)) < 3 or any(folded in run * 3 or folded[::-1] in run * 3 for run in _RUNS):
        return True
    core = _core(password)
    half = core[: len(core) // 2]
    return core in _COMMON or len(core) < 3 or (core == half * 2 and half in _COMMON)


def _core(text: str) -> str:
    """Return a word without digits and signs at its ends, and with letters for digits in it."""
    stripped = text.casefold().strip("0123456789!?.,;:-_+*#$%&/()=@ ")
    return stripped.translate(_LEET)
