"""The compiled search gives the same answers as the interpreted one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASK = """
import sys
sys.path[:0] = [{src!r}, {root!r}]
import carril.routes.diagram.exact as exact
from carril.routes import solve
from carril.cli.bench_boards import ladder
from tests.routes.kinds import TITLES, board
print("compiled" if not exact.__file__.endswith(".py") else "interpreted")
problems = [board(title, seed) for title in TITLES for seed in range(40)]
problems += [ladder(step) for step in range(9)]
for problem in problems:
    best = solve(problem)
    print(best)
    print(solve(problem, payable=True, known=best.runs[0]))
    print(solve(problem, count=2))
    print(solve(problem, budget=60))
"""


def answers(src: Path) -> tuple[str, str]:
    """What the package under `src` says: its form, and its answers."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    code = ASK.format(src=str(src), root=str(ROOT))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    form, _, text = done.stdout.partition("\n")
    return form, text


def form_of(src: Path) -> str:
    """Whether the package under `src` is compiled or interpreted."""
    code = ASK.partition("problems =")[0].format(src=str(src), root=str(ROOT))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def copied(where: Path) -> Path:
    """A copy of the project's source without compiled modules.

    The metadata of the package stays behind: old versions of setuptools cannot read it.
    """
    shutil.copytree(ROOT / "src", where / "src", ignore=shutil.ignore_patterns("*.so", "*.pyd"))
    shutil.copy(ROOT / "setup.py", where)
    (where / "setup.cfg").write_text("[options]\npackage_dir =\n    = src\n", "utf-8")
    return where


def test_compiled_and_interpreted_agree(tmp_path: Path) -> None:
    for tool in ("mypyc", "setuptools"):
        pytest.importorskip(tool, reason=f"{tool} is not installed: nothing to compare")
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(compiler):
        pytest.skip("no C compiler: nothing to compare")
    plain = copied(tmp_path / "plain")
    fast = copied(tmp_path / "fast")
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    subprocess.run(build, cwd=fast, capture_output=True, check=True)
    form, text = answers(fast / "src")
    assert form == "compiled"
    assert answers(plain / "src") == ("interpreted", text)
    os.utime(fast / "src" / "carril" / "routes" / "state" / "resources.py")
    assert form_of(fast / "src") == "interpreted", "a changed source is not hidden"


def test_carril_pure_leaves_the_compilation_out(tmp_path: Path) -> None:
    pytest.importorskip("setuptools", reason="setuptools is not installed: nothing is built")
    where = copied(tmp_path / "pure")
    build = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    environment = dict(os.environ, CARRIL_PURE="1")
    subprocess.run(build, cwd=where, capture_output=True, check=True, env=environment)
    assert not list((where / "src").rglob("*.so"))
