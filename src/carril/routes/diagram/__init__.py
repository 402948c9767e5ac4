"""Decision diagrams of the routes of one train: relaxed, restricted, exact, and bounded."""
