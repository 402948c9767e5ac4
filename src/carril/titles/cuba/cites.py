"""The rule of the 18Cuba ledger that each refusal cites."""

CITES = {
    # the course of the game
    "game-over": "CUBA-IXb.1-b",
    "not-your-turn": "CUBA-V-b",
    "not-now": "CUBA-VII.3.1-a",
    # commissioners, concessions and bonuses
    # stock rounds
    # homes, track and stations
    # running and income
    # trains, machines and emergency money
}
