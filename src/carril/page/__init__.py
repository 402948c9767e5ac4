"""The page of the web table: what people see of a game, drawn from the options they are given."""
