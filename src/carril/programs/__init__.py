"""Programs: what the server does in a player's name while certain conditions hold.

A program is a value: what to do, and when to stop. `decide` is a pure function of a position, a
program and what has happened; it knows mechanisms and options, but no title. The service stores
programs and carries their decisions out as ordinary actions.
"""

from carril.programs.deciding import decide, objection
from carril.programs.history import Act, Decision, Halt, Happened, History, Reason, Wait
from carril.programs.kinds import (
    AnswerOffers,
    AnyProgram,
    BidUpTo,
    BuyShares,
    LayNothing,
    NewPhase,
    Operate,
    OtherBid,
    PassOn,
    Plan,
    PresidentChanges,
    PriceBelow,
    Program,
    RoundEnds,
    ShareSold,
    Stop,
    convert_program,
    decode_program,
    subject_of,
)
from carril.programs.planning import still_to_play
from carril.programs.sensible import Sensible, sensible
from carril.programs.words import describe, describe_stop, say_reason

__all__ = [
    "Act",
    "AnswerOffers",
    "AnyProgram",
    "BidUpTo",
    "BuyShares",
    "Decision",
    "Halt",
    "Happened",
    "History",
    "LayNothing",
    "NewPhase",
    "Operate",
    "OtherBid",
    "PassOn",
    "Plan",
    "PresidentChanges",
    "PriceBelow",
    "Program",
    "Reason",
    "RoundEnds",
    "Sensible",
    "ShareSold",
    "Stop",
    "Wait",
    "convert_program",
    "decide",
    "decode_program",
    "describe",
    "describe_stop",
    "objection",
    "say_reason",
    "sensible",
    "still_to_play",
    "subject_of",
]
