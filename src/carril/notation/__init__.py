"""Notation: the text of actions and positions, save files, records of other programs."""
