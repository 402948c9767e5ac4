"""Programs of players at a table: giving them, and the worker that plays them."""
