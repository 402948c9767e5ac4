"""Research: tournaments of bots, ratings."""
