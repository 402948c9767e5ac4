"""Upper bounds on runs: the Lagrangian dual for several trains, and trivial ones."""
