"""Keeps pytest from collecting compiled modules: they have no examples that it could run."""

import os
from pathlib import Path

from hypothesis import settings

_SOURCE = Path(__file__).parent / "src"
_SOLVER = _SOURCE / "carril" / "routes"
os.environ["PYTHONPATH"] = str(_SOURCE)  # processes that tests start load the same modules

collect_ignore = [
    str(source)
    for source in _SOLVER.rglob("*.py")
    if any(source.parent.glob(f"{source.stem}.*.so"))
    or any(source.parent.glob(f"{source.stem}.*.pyd"))
]

# How long an example takes depends on the machine, so no test fails for it.
settings.register_profile("carril", deadline=None)
settings.load_profile("carril")
