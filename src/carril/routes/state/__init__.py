"""The state of a partial route: frontier, resources and load, and look-ahead pruning."""
