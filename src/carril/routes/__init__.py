"""The exact route solver. It knows networks, stops, trains and bonuses, and no title.

How it works, one module a step: `network` compresses track, leaves out what is not
within `distance`, and has its points put in `order`. `moves` and `ends` say how open
ends of a route may go on, `tally` packs what it has collected, `ahead` what it is bound
to meet; with these `drafting` draws up a `plan`: all routes of a kind of train, were it
long enough. `load` has the room of one train, `hopes` what its routes can earn at most,
`diagram` those routes that are worth a look. `crews` gives cards to trains; `outline`,
`combine`, `prices` and `product` choose one route for each; `settle` reckons what routes
share; `certificate` turns the result back into places and lets the engine's checker
confirm it. `drawing` keeps what serves several questions, `meter` counts what all that
costs, and `search` is where it comes together.
"""

from carril.routes.freshness import STALE
from carril.routes.search import solve

__all__ = ["STALE", "solve"]
