"""Clocks of tables: counting time, pauses, penalties and holidays."""
