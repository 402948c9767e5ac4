"""The exact route solver. It knows networks, stops, trains and bonuses, and no title.

How it works, one module a step: `network` compresses track, leaves out what is not
within `distance`, and has its points put in `order`; `tally` packs what a route has
collected; `moves`, `ahead` and `diagram` draw up all routes of one train as a layered
diagram; `combine`, `prices` and `product` choose one route for each train; `settle`
reckons what routes share; `certificate` turns the result back into places and lets
the engine's checker confirm it. `meter` counts what all that costs.
"""

from carril.routes.freshness import STALE
from carril.routes.search import solve

__all__ = ["STALE", "solve"]
