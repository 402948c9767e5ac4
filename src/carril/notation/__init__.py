"""Games as text: actions, positions, save files, messages.

>>> from carril.notation import parse, write
>>> write(parse("Ana: lay 8/2 on E6"))
'Ana: lay 8/2 on E6'
"""

from carril.notation.position import decode, describe, digest, encode, essence
from carril.notation.save import DamagedRecord, Game, load, save
from carril.notation.text import parse, write
from carril.notation.words import say

__all__ = [
    "DamagedRecord",
    "Game",
    "decode",
    "describe",
    "digest",
    "encode",
    "essence",
    "load",
    "parse",
    "save",
    "say",
    "write",
]
