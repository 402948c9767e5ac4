"""18EU: tables, rounds and rules."""
