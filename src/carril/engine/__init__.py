"""The engine: the language of 18xx, as frozen values and pure functions."""
