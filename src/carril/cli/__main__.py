"""`python -m carril.cli` is `carril`."""

from carril.cli import main

main()
