"""What needs the agreement of the people at a table."""
