"""Bots of installed packages."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

import carril.bots
from carril.bots import RandomBot, bot_named, bot_names, load_installed


class Stranger(RandomBot):
    """A bot of another package."""

    name = "stranger"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pretend that a package with a good and a bad bot is installed."""
    found = [
        EntryPoint("stranger", f"{__name__}:Stranger", "carril.bots"),
        EntryPoint("broken", "no_such_module:Bot", "carril.bots"),
    ]
    monkeypatch.setattr(carril.bots, "entry_points", lambda group: found)
    monkeypatch.setattr(carril.bots, "_BOTS", dict(carril.bots._BOTS))
    load_installed.cache_clear()
    yield
    load_installed.cache_clear()


def test_bots_of_other_packages_are_found(installed: None) -> None:
    assert isinstance(bot_named("stranger"), Stranger)
    assert "stranger" in bot_names()
    assert "broken" not in bot_names()
