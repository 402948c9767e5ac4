"""Telling people that it is their turn, by mail, web push and web-hooks."""
