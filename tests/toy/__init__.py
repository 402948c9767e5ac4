"""18Toy: a title for two players with one company and two trains, written from docs/titles.md."""
