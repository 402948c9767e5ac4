"""The rule of the 18Cuba ledger that each refusal cites."""

CITES = {
    # the course of the game
    "game-over": "CUBA-IXb.1-b",
    "not-your-turn": "CUBA-V-b",
    "not-now": "CUBA-VII.3.1-a",
    # commissioners, concessions and bonuses
    # stock rounds
    # homes, track and stations
    "home-city": "CUBA-VII.3.2-d",
    "no-mill-there": "CUBA-VII.3.2-b",
    "mill-taken": "CUBA-VII.3.2-c",
    "no-private-power": "CUBA-IV.1-c",
    "not-your-commissioner": "CUBA-IV.1-c",
    "other-commissioner": "CUBA-IV.1-g",
    "no-commissioner-there": "CUBA-IV.1-h",
    "no-such-hex": "CUBA-X-h",
    "no-such-tile": "CUBA-VII.3.4-j",
    "not-buildable": "CUBA-VII.3.4-d",
    "wrong-colour": "CUBA-VII.3.5-a",
    "wrong-tile": "CUBA-VII.3.4-i",
    "drops-track": "CUBA-VII.3.5-d",
    "prohibited-side": "CUBA-VII.3.4-e",
    "colour-not-yet": "CUBA-VII.3.5-b",
    "one-tile": "CUBA-VII.3.4-a",
    "tile-due": "CUBA-VII.3.4-r",
    "no-tile-left": "CUBA-VII.3.4-j",
    "home-first": "CUBA-VII.3.4-t",
    "not-connected": "CUBA-VII.3.4-t",
    "too-dear": "CUBA-VII.3.4-v",
    "minor-narrow-only": "CUBA-VII.3.4-n",
    "minor-other-city": "CUBA-VII.3.4-o",
    "home-two-gauges": "CUBA-VII.3.4-l",
    "major-standard-only": "CUBA-VII.3.4-u",
    "minor-upgrades-home": "CUBA-VII.3.5-p",
    "minor-no-havana": "CUBA-VII.3.5-m",
    "major-no-fields": "CUBA-VII.3.5-q",
    "no-more-narrow": "CUBA-VII.3.5-r",
    "no-more-standard": "CUBA-VII.3.5-s",
    "no-passes": "CUBA-IV.5-l",
    "pass-not-needed": "CUBA-IV.5-j",
    "passes-too-dear": "CUBA-IV.5-k",
    "no-token-left": "CUBA-VII.3.6-c",
    "minor-one-station": "CUBA-VII.3.6-a",
    "no-city": "CUBA-VII.3.6-d",
    "token-there": "CUBA-VII.3.6-e",
    "city-full": "CUBA-VII.3.6-d",
    "home-reserved": "CUBA-VII.3.6-f",
    "city-not-reached": "CUBA-VII.3.6-d",
    "station-too-dear": "CUBA-VII.3.6-c",
    # running and income
    # trains, machines and emergency money
}
