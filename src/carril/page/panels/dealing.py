"""A company's dealings in its own stock: selling treasury shares, buying them back."""

from __future__ import annotations

from carril.engine.actions import IssueShares, Pass, RedeemShares
from carril.engine.market import price
from carril.engine.state import POOL, TREASURY
from carril.page.panels.base import Choice, Panel, Scene, panel
from carril.page.panels.effects import effect


@panel("stock")
def dealing(scene: Scene) -> Panel:
    """Return a button for each number of shares, and the reason where there is none."""
    company = scene.step.company
    charter = scene.state.companies[company]
    return Panel(
        "dealing",
        scene.words.say("dealing.sentence", company=company),
        {
            "company": company,
            "price": price(scene.state, company),
            "cash": charter.cash,
            "treasury": charter.held(TREASURY),
            "pool": charter.held(POOL),
            "issues": _numbers(scene, IssueShares, "dealing.issue"),
            "redeems": _numbers(scene, RedeemShares, "dealing.redeem"),
        },
        main=(scene.choice(Pass(), "dealing.pass"),),
        stage="market",
    )


def _numbers(scene: Scene, kind: type[IssueShares] | type[RedeemShares], key: str) -> list[Choice]:
    """Return a button for each number that is allowed, and one more with the reason against it."""
    company = scene.step.company
    found = []
    each = price(scene.state, company)
    most = max((r.most for r in scene.ranges(kind)), default=0)
    for count in range(1, most + 2):
        action = kind(count, by=scene.actor)
        change = effect(scene, action, company)
        total = scene.words.money(count * each)
        found.append(scene.choice(action, key, count=count, sum=total, effect=change))
    return found
