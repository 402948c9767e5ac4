"""The exact route solver. It knows track, stops, trains, cards and bonuses, and no title.

For each type of train it compiles a decision diagram by frontier-based search (`graph`, `state`,
`diagram`), prices track conflicts by Lagrangian relaxation (`bounds`), and combines the diagrams
of several trains (`combine`). `solver` puts the parts together; `docs/routes.md` explains them.
"""

from carril.compiled import STALE
from carril.routes.payments import solve_payments
from carril.routes.solver import solve, solve_both

__all__ = ["STALE", "solve", "solve_both", "solve_payments"]
