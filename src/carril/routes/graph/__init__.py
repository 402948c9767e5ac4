"""The track of a problem as a contracted graph with an ordered frontier."""
