"""The store: append-only records, each with a snapshot, linked by a hash chain."""
