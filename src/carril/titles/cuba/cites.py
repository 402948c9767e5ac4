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
    "better-run": "CUBA-VII.3.8-c",
    "wrong-claim": "CUBA-VII.3.8-a",
    "no-such-dividend": "CUBA-VII.3.8-d",
    "run-no-such-train": "CUBA-VII.3.7-a",
    "run-train-runs-twice": "CUBA-VII.3.7-a",
    "run-no-such-place": "CUBA-VII.2-b",
    "run-not-connected": "CUBA-VII.2-b",
    "run-no-stop-at-end": "CUBA-VII.2-b",
    "run-route-no-station": "CUBA-VII.2-b",
    "run-too-few-stops": "CUBA-VII.2-b",
    "run-too-many-stops": "CUBA-VII.3.7-b",
    "run-stop-twice": "CUBA-VII.3.7-c",
    "run-stop-excluded": "CUBA-VII.3.7-l",
    "run-stop-barred": "CUBA-VII.3.7-f",
    "run-passes-through": "CUBA-VII.2-g",
    "run-passes-offboard": "CUBA-VII.2-f",
    "run-passes-harbour": "CUBA-VII.2-f",
    "run-track-used-twice": "CUBA-VII.2-c",
    "run-track-shared": "CUBA-VII.3.7-d",
    "run-no-such-extra": "CUBA-VII.3.7-s",
    "run-two-extras": "CUBA-VII.3.7-t",
    "run-must-visit": "CUBA-VII.3.7-v",
    "run-source-not-on-route": "CUBA-VII.3.7-v",
    "run-card-empty": "CUBA-VII.3.7-v",
    "run-card-overloaded": "CUBA-VII.3.7-v",
    "run-no-cubes-left": "CUBA-VII.3.7-z",
    "run-toll-unpaid": "CUBA-VII.3.7-r",
    "run-toll-unused": "CUBA-IV.5-j",
    "run-toll-too-dear": "CUBA-IV.5-k",
    # trains, machines and emergency money
}
