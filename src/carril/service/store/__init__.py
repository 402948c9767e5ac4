"""The store: append-only records with a snapshot each and a hash chain over all of them."""
