"""Compiles the route solver with mypyc where there is a C compiler; otherwise it is interpreted.

The modules are ordinary Python: without the compiled form they give the same
answers, more slowly. CARRIL_PURE=1 skips the compilation.
"""

from __future__ import annotations

import os
import shutil
import sysconfig

from setuptools import setup
from setuptools.command.build_ext import build_ext

COMPILED = (
    "budget",
    "constants",
    "bounds/lagrangian",
    "combine/coupling",
    "combine/dominance",
    "combine/product",
    "combine/relaxed_set",
    "combine/train_set",
    "diagram/arcs",
    "diagram/compilation",
    "diagram/completion",
    "diagram/exact",
    "diagram/frontier_graph",
    "diagram/relaxed",
    "graph/contraction",
    "graph/layers",
    "graph/ordering",
    "graph/reachability",
    "state/capacity",
    "state/frontier",
    "state/lookahead",
    "state/resources",
)
"""The modules of carril.routes that take most of the time."""


class BestEffortBuild(build_ext):
    """A compilation that may fail: the interpreted modules are always there."""

    def run(self) -> None:
        """Compile, or print why that is not possible."""
        try:
            super().run()
        except Exception as reason:
            print(f"carril: solver not compiled ({reason}); using the interpreted modules")


def extensions() -> list[object]:
    """Return the compiled modules, or none."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if os.environ.get("CARRIL_PURE") == "1" or not shutil.which(compiler):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    options = ["--ignore-missing-imports", "--python-version", "3.11"]
    files = [f"src/carril/routes/{name}.py" for name in COMPILED]
    try:
        return list(mypycify([*options, *files], opt_level="3"))
    except (SystemExit, Exception) as reason:
        print(f"carril: solver not compiled ({reason}); using the interpreted modules")
        return []


setup(ext_modules=extensions(), cmdclass={"build_ext": BestEffortBuild})
