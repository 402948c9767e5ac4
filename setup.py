"""Compiles the search where mypyc and a C compiler are at hand; else it stays as it is.

The modules are ordinary Python: without the compiled form they give the same
answers, more slowly. CARRIL_PURE=1 leaves the compilation out.
"""

from __future__ import annotations

import os
import shutil
import sysconfig

from setuptools import setup
from setuptools.command.build_ext import build_ext

HOT = (
    "order",
    "distance",
    "network",
    "tally",
    "meter",
    "moves",
    "ends",
    "ahead",
    "load",
    "plan",
    "drafting",
    "hopes",
    "diagram",
    "prices",
    "combine",
    "outline",
    "product",
    "settle",
)


class Optional(build_ext):
    """A compilation that may fail: the interpreted modules are there in any case."""

    def run(self) -> None:
        """Compile, or say why not and go on."""
        try:
            super().run()
        except Exception as reason:
            print(f"carril: search not compiled ({reason}); using the interpreted modules")


def extensions() -> list[object]:
    """The compiled modules, or none."""
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if os.environ.get("CARRIL_PURE") == "1" or not shutil.which(compiler):
        return []
    try:
        from mypyc.build import mypycify
    except ImportError:
        return []
    options = ["--ignore-missing-imports", "--python-version", "3.11"]
    files = [f"src/carril/routes/{name}.py" for name in HOT]
    try:
        return list(mypycify([*options, *files], opt_level="3"))
    except (SystemExit, Exception) as reason:
        print(f"carril: search not compiled ({reason}); using the interpreted modules")
        return []


setup(ext_modules=extensions(), cmdclass={"build_ext": Optional})
