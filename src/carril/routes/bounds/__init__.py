"""Upper bounds: completion bounds of one train, and the Lagrangian dual for several."""
