"""The rules of 18Cuba."""
