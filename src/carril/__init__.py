"""Carril: play, learn and study 18EU, 18ESP and 18Cuba."""
