"""The rule of 18Toy that each refusal cites, by the code of the refusal (`rules.md`)."""

_CODES = {
    "TOY-1-a": "game-over",
    "TOY-1-b": "not-your-turn not-now",
    "TOY-2-a": "not-held not-operated no-heir pool-full",
    "TOY-2-b": "must-sell must-sell-certificates",
    "TOY-3-a": "no-such-stock no-share-there president-first",
    "TOY-3-b": "sold-this-round",
    "TOY-3-c": "certificate-limit share-limit",
    "TOY-3-d": "cannot-pay start-too-dear",
    "TOY-3-e": "no-par already-started",
    "TOY-4-a": "no-such-hex no-such-tile not-buildable no-tile-left colour-not-yet",
    "TOY-4-b": "wrong-tile wrong-colour drops-track prohibited-side",
    "TOY-4-c": "home-first not-connected no-passes",
    "TOY-4-d": "too-dear no-more-yellow no-more-upgrades no-private-power",
    "TOY-5-a": "no-token-left no-city token-there city-full home-city",
    "TOY-5-b": "city-not-reached station-too-dear",
    "TOY-6-a": "run-no-such-train run-train-runs-twice run-no-such-extra",
    "TOY-6-b": "run-no-such-place run-no-stop-at-end run-not-connected",
    "TOY-6-c": "run-too-few-stops run-too-many-stops run-stop-twice run-route-no-station",
    "TOY-6-d": "run-passes-through run-passes-offboard run-track-shared run-track-used-twice",
    "TOY-6-e": "better-run wrong-claim",
    "TOY-7-a": "no-such-dividend",
    "TOY-8-a": "not-on-top not-in-train-pool no-such-seller face-price no-rebate price-too-low",
    "TOY-8-b": "treasury-short-train no-help no-loans no-emergency",
    "TOY-8-c": "train-limit no-such-train-owned discard-not-needed no-voluntary-discard",
}
CITES = {code: rule for rule, codes in _CODES.items() for code in codes.split()}
