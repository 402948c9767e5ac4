"""The rules ledgers: every rule of every title as one numbered, testable line."""
