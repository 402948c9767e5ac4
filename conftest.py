"""Keeps pytest from collecting compiled modules: they have no examples that it could run."""

from pathlib import Path

from hypothesis import settings

_SOLVER = Path(__file__).parent / "src" / "carril" / "routes"

collect_ignore = [
    str(source)
    for source in _SOLVER.rglob("*.py")
    if any(source.parent.glob(f"{source.stem}.*.so"))
    or any(source.parent.glob(f"{source.stem}.*.pyd"))
]

# How long an example takes depends on the machine, so no test fails for it.
settings.register_profile("carril", deadline=None)
settings.load_profile("carril")
