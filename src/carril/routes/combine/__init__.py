"""Sets of trains that run together: coupling terms, heuristics, filtering and the product."""
