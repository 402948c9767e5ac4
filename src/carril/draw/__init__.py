"""Pictures of a game as SVG: pure functions from a position to a string."""
