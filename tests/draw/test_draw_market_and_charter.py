"""The market and the charters."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from carril import start
from carril.draw import Picture, draw_charter, draw_market
from carril.engine.answers import Answers
from carril.engine.registry import title_named

if TYPE_CHECKING:
    from carril.engine.state import Marker, State

TABLES = title_named("18EU").tables


def attributes(svg: str, name: str) -> Counter[str]:
    return Counter(
        value for e in ElementTree.fromstring(svg).iter() if (value := e.get(name)) is not None
    )


def marker(company: str, row: int, column: int) -> Marker:
    return cast("Marker", SimpleNamespace(company=company, row=row, column=column))


def company(symbol: str, kind: str, **facts: object) -> SimpleNamespace:
    blank = {
        "cash": 0,
        "owner": "",
        "shares": {},
        "par": 0,
        "started": False,
        "floated": False,
        "operated": False,
        "closed": False,
        "trains": (),
        "tokens": 0,
    }
    return SimpleNamespace(symbol=symbol, kind=kind, **(blank | facts))


def position(*companies: SimpleNamespace) -> State:
    players = {"a": SimpleNamespace(name="Ana"), "b": SimpleNamespace(name="Ben <3")}
    return cast(
        "State",
        SimpleNamespace(
            title=SimpleNamespace(tables=TABLES, answers=Answers()),
            tables=TABLES,
            players=players,
            companies={one.symbol: one for one in companies},
            markers=(marker("FS", 2, 4),),
        ),
    )


def texts(svg: str) -> list[str]:
    return [e.text or "" for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text")]


def test_market_shows_every_space_par_and_marker_once() -> None:
    svg = draw_market(TABLES, [marker("FS", 2, 4), marker("DR", 2, 4), marker("NS", 0, 16)])
    spaces = {f"{r}.{c}": 1 for r, row in enumerate(TABLES.rows) for c in range(len(row))}
    assert attributes(svg, "data-space") == spaces
    assert attributes(svg, "data-par") == {str(par.price): 1 for par in TABLES.pars}
    assert attributes(svg, "data-token") == {"2.4": 2, "0.16": 1}
    assert svg.index('data-company="FS"') < svg.index('data-company="DR"')
    assert len(svg.encode()) < 60_000


def test_other_rows_take_the_place_of_the_table() -> None:
    svg = draw_market(TABLES, (), rows=((10, 225),))
    assert "225" in texts(svg)
    assert "82" not in texts(svg)


def test_second_row_of_a_zigzag_is_shifted_by_half_a_space() -> None:
    zigzag = replace(TABLES, market={"shape": "zigzag"})
    svg = draw_market(zigzag, (), rows=((1, 2), (3, 4)))
    where = {e.get("data-space"): e.get("transform") for e in ElementTree.fromstring(svg).iter()}
    assert where["0.0"] == "translate(24 24)"
    assert where["1.0"] == "translate(70 128)"


@pytest.mark.parametrize("place", [(9, 0), (0, 99), (-1, 0), (6, 4)])
def test_a_marker_off_the_grid_is_refused_in_words(place: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="FS stands in row"):
        draw_market(TABLES, [marker("FS", *place)])


def test_charter_of_a_major() -> None:
    fs = company(
        "FS",
        "major",
        cash=1230,
        owner="b",
        shares={"a": 3, "b": 4, "pool": 1, "treasury": 2, "c": 0},
        par=90,
        started=True,
        floated=True,
        operated=True,
        trains=("4", "4", "P"),
        tokens=2,
    )
    svg = draw_charter(position(fs), "FS")
    shown = texts(svg)
    for words in ("Ferrovie dello Stato", "Italian State Railways", "£1230", "£100", "£90"):
        assert shown.count(words) == 1
    assert "floated · operated" in shown
    assert list(attributes(svg, "data-holder")) == ["b", "a", "treasury", "pool"]
    assert shown.count("Ben <3") == 2
    assert {"40%", "30%", "20%", "10%"} <= set(shown)
    assert attributes(svg, "data-train") == {"4": 2, "P": 1}


def test_charter_of_a_minor_has_no_price_and_no_shares() -> None:
    svg = draw_charter(position(company("7", "minor", owner="a", trains=("2",))), "7")
    assert {"price", "par"}.isdisjoint(attributes(svg, "data-fact"))
    assert not attributes(svg, "data-holder")
    assert "Owner" in texts(svg)


def test_charter_of_a_company_that_has_not_begun() -> None:
    svg = draw_charter(position(company("DR", "major")), "DR")
    assert {"nobody", "none", "not started"} <= set(texts(svg))


def test_charter_with_the_prices_of_the_game() -> None:
    rows = [list(row) for row in TABLES.rows]
    rows[2][4] = 101
    state = position(company("FS", "major", started=True))
    assert "£101" in texts(draw_charter(state, "FS", rows=rows))
    assert Picture.of_charter(state, "FS").svg == draw_charter(state, "FS")


def test_charter_in_other_words() -> None:
    minor = position(company("7", "minor", owner="a"))
    shown = texts(draw_charter(minor, "7", words={"owner": "Propietario", "no-trains": "ninguno"}))
    assert {"Propietario", "ninguno", "cash"} <= set(shown)


def test_a_title_adds_its_notes_to_a_charter() -> None:
    state = start("18ESP", ["Ana", "Ben", "Cleo"], seed=1)
    svg = draw_charter(state, "N")
    assert {"goals", "locked"} <= set(attributes(svg, "data-fact"))
    assert any(words.startswith("○ ") and "E21" in words for words in texts(svg))
    assert {"goals", "locked"}.isdisjoint(attributes(draw_charter(state, "MS"), "data-fact"))


def test_unknown_company_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="no company 'XX'"):
        draw_charter(position(), "XX")
