"""The titles: each a folder of tables, steps and rules of its own."""
