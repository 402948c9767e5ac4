"""The command `carril`, also `python -m carril`."""

import sys


def main() -> None:
    """Run the command line, or say in one line what it lacks."""
    try:
        from carril import cli
    except ModuleNotFoundError as missing:
        if (missing.name or "carril").partition(".")[0] == "carril":
            raise
        sys.exit("The command line needs more packages: pip install 'carril[table]'")
    cli.main()


if __name__ == "__main__":
    main()
