"""Clean copies of the project, what is built from them, and fresh environments to install it in."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
UNTRACKED = (
    ".*",
    "__pycache__",
    "*.egg-info",
    "*.so",
    "*.pyd",
    "build",
    "built",
    "dist",
    "node_modules",
    "out",
    "pictures",
)
PURE = os.environ | {"CARRIL_PURE": "1"}


def clean_copy(folder: Path) -> Path:
    """Copy the project as it is in a fresh clone, without anything that was built."""
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*UNTRACKED))
    return folder


def call_backend(project: Path, hook: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Call a hook of the project's build backend, as a build tool does, and print its result."""
    listed = ", ".join(map(repr, arguments))
    code = f"import carril_build; print(carril_build.{hook}({listed}))"
    environment = PURE | {"PYTHONPATH": str(project / "scripts")}
    return run([sys.executable, "-c", code], cwd=project, env=environment)


def build(project: Path, hook: str) -> Path:
    """Build a distribution of the project and return its file."""
    folder = project / "dist"
    folder.mkdir(exist_ok=True)
    done = call_backend(project, hook, str(folder))
    assert done.returncode == 0, done.stderr
    return folder / done.stdout.splitlines()[-1]


class Environment:
    """A fresh virtual environment."""

    def __init__(self, folder: Path, requirement: str) -> None:
        """Make it and install one requirement, with what that needs."""
        self.programs = folder / "bin"
        self._python = str(self.programs / "python")
        run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
        self.pip("install", "-q", "-c", str(ROOT / "constraints.txt"), requirement)

    def pip(self, *arguments: str) -> str:
        """Let the pip that runs these tests act on the environment; return what it prints."""
        command = [sys.executable, "-m", "pip", "--python", self._python, *arguments]
        done = run([*command, "--disable-pip-version-check"])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, code: str) -> str:
        """Run a piece of Python that sees the environment alone; return what it prints."""
        done = run([self._python, "-I", "-c", code])
        assert done.returncode == 0, done.stderr
        return done.stdout

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the command `carril` of the environment."""
        return run([str(self.programs / "carril"), *arguments])


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    """Run a command and catch what it prints."""
    given = {"capture_output": True, "text": True, "check": False} | options
    return subprocess.run(command, **given)  # type: ignore[call-overload, no-any-return]
