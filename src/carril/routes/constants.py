"""Sentinel values, and the scale of Lagrange multipliers."""

from __future__ import annotations

INFEASIBLE = -(1 << 40)
"""Less than any value: no complete legal route, or routes that may not run together."""
UNREACHABLE = 1 << 40
"""More stops than any route has: a partial route cannot be completed."""
SCALE = 64
"""Multipliers are integers in units of 1/64, so that every machine computes the same."""
