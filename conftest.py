"""What pytest leaves alone: a module that is compiled beside its source has no examples to run."""

from pathlib import Path

_SEARCH = Path(__file__).parent / "src" / "carril" / "routes"

collect_ignore = [
    str(source)
    for source in _SEARCH.glob("*.py")
    if any(_SEARCH.glob(f"{source.stem}.*.so")) or any(_SEARCH.glob(f"{source.stem}.*.pyd"))
]
