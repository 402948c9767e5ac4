"""Writes constraints.txt: one version of every dependency, for every supported Python.

pip chooses the newest versions that fit together. A version that differs between Pythons gets an
environment marker. No index and no hash is written, so the file works with any package index.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTHONS = ("3.11", "3.12", "3.13")
HEAD = """\
# Versions that scripts/setup and scripts/build-site install, for Python {pythons}.
# Written by scripts/lock; do not edit.
"""


def main() -> None:
    """Resolve for every Python and write the file."""
    wanted = _requirements()
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for python in PYTHONS:
        print(f"lock: resolving for Python {python}", file=sys.stderr)
        for name, version in _resolve(python, wanted):
            found[name][version].append(python)
    lines = [line for name in sorted(found) for line in _lines(name, found[name])]
    text = HEAD.format(pythons=", ".join(PYTHONS)) + "\n".join(lines) + "\n"
    (ROOT / "constraints.txt").write_text(text, "utf-8")


def _requirements() -> list[str]:
    """Return every requirement in pyproject.toml, except those on Carril itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lists = [
        project["build-system"]["requires"],
        project["project"]["dependencies"],
        *project["project"]["optional-dependencies"].values(),
        *project["dependency-groups"].values(),
    ]
    return sorted({one for wanted in lists for one in wanted if not one.startswith("carril")})


def _resolve(python: str, wanted: list[str]) -> list[tuple[str, str]]:
    """Return name and version of everything pip would install for one Python."""
    options = ["--dry-run", "--ignore-installed", "--quiet", "--only-binary=:all:"]
    options += ["--python-version", python, "--target", "unused", "--report", "-"]
    command = [sys.executable, "-m", "pip", "install", *options, *wanted]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"lock: pip found no versions for Python {python}")
    chosen = [one["metadata"] for one in json.loads(done.stdout)["install"]]
    return [(one["name"].lower().replace("_", "-"), one["version"]) for one in chosen]


def _lines(name: str, versions: dict[str, list[str]]) -> list[str]:
    """Return the lines of one package: one line, or one for every version with its Pythons."""
    if len(versions) == 1:
        return [f"{name}=={version}" for version in versions]
    return [
        f"{name}=={version} ; " + " or ".join(f'python_version == "{one}"' for one in pythons)
        for version, pythons in versions.items()
    ]


if __name__ == "__main__":
    main()
