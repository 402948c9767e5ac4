"""The service of the web table: games kept in a store, accounts, seats, live updates, JSON API."""
