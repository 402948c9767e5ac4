"""Charts: curves on scales that hold all their points."""

from __future__ import annotations

from xml.etree import ElementTree as Xml

from carril.draw.chart import Chart, Curve, draw_charts
from carril.draw.map import draw_map
from carril.engine.board import CLOSED, Board
from carril.engine.registry import title_named

SVG = "{http://www.w3.org/2000/svg}"


def places(svg: str) -> list[list[tuple[float, float]]]:
    """The points of every curve, as drawn."""
    found = []
    for line in Xml.fromstring(svg).iter(f"{SVG}polyline"):
        pairs = (pair.split(",") for pair in line.attrib["points"].split())
        found.append([(float(x), float(y)) for x, y in pairs])
    return found


def test_a_logarithmic_scale_puts_tenfold_at_the_same_distance() -> None:
    curve = Curve("time", ((0, 1), (1, 10), (2, 100)))
    (line,) = places(draw_charts([Chart("Growth", "step", "ms", (curve,))]))
    heights = [y for _, y in line]
    assert heights[0] - heights[1] == heights[1] - heights[2] > 0
    assert heights[2] == 0


def test_nothing_and_zero_can_be_drawn() -> None:
    flat = Curve("nodes", ((0, 0), (1, 0)))
    charts = [Chart("Flat", "step", "", (flat, Curve("none", ()))), Chart("Empty", "", "", ())]
    assert all(0 <= y <= 320 for line in places(draw_charts(charts)) for _, y in line)


def test_each_curve_has_a_name_in_the_key() -> None:
    curves = (Curve("recorded", ((1, 2), (2, 3))), Curve("bots < 3", ((1, 4),)))
    svg = draw_charts([Chart("Times", "percent", "ms", curves, log_up=False)])
    assert ">recorded<" in svg
    assert "bots &lt; 3" in svg


def test_a_closed_pass_has_a_cross_and_no_company() -> None:
    tables = title_named("18ESP").tables
    drawn = draw_map(tables, Board({}, {"D12": ((CLOSED, CLOSED),)}))
    assert drawn.count('class="token shut"') == 2
    assert draw_map(tables, Board()).count('class="token shut"') == 0
