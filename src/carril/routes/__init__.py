"""The exact route solver: network, tally, diagram, combination, certificate. Knows no title."""
