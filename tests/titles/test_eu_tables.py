"""The tables of 18EU against the figures of the rules ledger.

Only rules that are nothing but figures are marked here; what a figure does is tested elsewhere.
"""

import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

from carril.rules.marker import rule

FOLDER = Path(__file__).parents[2] / "src" / "carril" / "titles" / "eu"
Row = dict[str, Any]


def table(name: str) -> Row:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


MARKET = table("market")
SETUP = table("setup")
COMPANIES = table("companies")
HEXES: dict[str, Row] = {row["at"]: row for row in table("map")["hex"]}
TILES: dict[str, Row] = {row["number"]: row for row in table("tiles")["tile"]}
TRAINS: dict[str, Row] = {row["name"]: row for row in table("trains")["train"]}
PHASES: dict[str, Row] = {row["name"]: row for row in table("phases")["phase"]}
MINORS: dict[str, Row] = {row["symbol"]: row for row in COMPANIES["minor"]}
MAJORS: dict[str, Row] = {row["symbol"]: row for row in COMPANIES["major"]}

COLOURS = ["yellow", "green", "brown", "grey"]
PLAIN_CITIES = ["57", "14", "15", "611", "513"]
Y_CITIES = ["201", "202", "576", "577", "578", "579", "582"]
Y_HEXES = "B17 C8 D3 D13 E18 G12 H19 J7 M16".split()
PLAIN_CITY_HEXES = "B19 D7 D19 E6 E20 F9 I18 J11".split()
TOWNS = "B7 B13 C4 C6 C16 D5 D15 E12 F3 F11 F21 G6 G10 G20 H7 I8 K4 K12 L5".split()
ROUGH_TOWNS = "C20 E14 H15 I14 L15 M10".split()
ROUGH = "A14 A16 C10 D9 D11 F15 G16 I10 I12 J9 J13 K8 L9".split()
MOUNTAIN = "C18 D17 E16 F17 G18 H17 I16 J15".split()
CLEAR = (
    "A8 A12 A18 A20 B9 B11 B15 C12 C14 D21 E4 E8 E10 F5 F7 F13 F19 G4 G8 G14 H3 H5 H9 H11 H13 H21 "
    "I4 I6 J3 J17 J19 K6 K10 K18 L7 L11 L13 L17 M6 M8 M12 M14"
).split()
OFF_MAP = "A6 G2 N5 N17 G22".split()
PORTS = "D1 B21 E22 I20".split()
PREPRINTED = "A10 J5 K14 K16".split()


def ends(row: Row) -> list[set[int]]:
    """The edges of each connected piece of track of a tile or hex."""
    joined: dict[str, set[int]] = {}
    for path in row["paths"]:
        a, b = path.split("-")
        key = path if b.isdigit() else b
        joined.setdefault(key, set()).update(int(end) for end in (a, b) if end.isdigit())
    return list(joined.values())


def city_figures(key: str, *numbers: str) -> dict[str, list[int]]:
    """By tile colour, the figures of the cities of these tiles; all tiles of a colour agree."""
    found: dict[str, list[int]] = {}
    for number in numbers:
        tile = TILES[number]
        figures = [city[key] for city in tile["cities"]]
        assert found.setdefault(tile["colour"], figures) == figures
    return found


@rule("EU-D-a")
def test_market_grid_and_starting_spaces() -> None:
    assert MARKET["rows"] == [
        [82, 90, 100, 110, 122, 135, 150, 165, 180, 200, 220, 245, 270, 300, 330, 360, 400],
        [75, 82, 90, 100, 110, 122, 135, 150, 165, 180, 200, 220, 245, 270],
        [70, 75, 82, 90, 100, 110, 122, 135, 150, 165, 180],
        [65, 70, 75, 82, 90, 100, 110, 122],
        [60, 65, 70, 75, 82, 90],
        [50, 60, 65, 70, 75],
        [40, 50, 60, 65],
    ]
    spaces = {(par["row"], par["column"]): par["price"] for par in MARKET["par"]}
    assert spaces == {(2, 4): 100, (3, 4): 90, (3, 3): 82, (4, 3): 75, (4, 2): 70}
    assert all(MARKET["rows"][row][column] == price for (row, column), price in spaces.items())


@rule("EU-3-c")
def test_no_market_row_is_longer_than_the_one_above() -> None:
    lengths = [len(row) for row in MARKET["rows"]]
    assert lengths == sorted(lengths, reverse=True)


def test_recorded_games_have_225_where_the_rulebook_market_has_220() -> None:
    cells = MARKET["conventions"]["18xx.games"]["cells"]
    assert {(c["row"], c["column"]): c["price"] for c in cells} == {(0, 10): 225, (1, 11): 225}
    assert {MARKET["rows"][c["row"]][c["column"]] for c in cells} == {220}


@rule("EU-D-b")
def test_tile_quantities() -> None:
    expected = (
        "3x8 4x10 7x4 8x15 9x15 57x8 58x14 201x7 202x9 "
        "14x4 15x4 80x4 81x4 82x4 83x4 141x5 142x4 143x2 144x2 "
        "576x4 577x4 578x3 579x3 580x1 581x2 "
        "145x4 146x5 147x4 544x3 545x3 546x3 582x9 583x1 584x2 611x8 513x5"
    ).split()
    assert [f"{number}x{tile['count']}" for number, tile in TILES.items()] == expected
    totals = {c: sum(t["count"] for t in TILES.values() if t["colour"] == c) for c in COLOURS}
    assert totals == {"yellow": 90, "green": 54, "brown": 42, "grey": 5}


@rule("EU-D-c")
def test_tile_values() -> None:
    towns = {
        tile["colour"]: town["revenue"] for tile in TILES.values() for town in tile.get("towns", [])
    }
    assert towns == {"yellow": 10, "green": 10, "brown": 20}
    plain = {"yellow": [20], "green": [30], "brown": [40], "grey": [60]}
    assert city_figures("revenue", *PLAIN_CITIES) == plain
    assert city_figures("revenue", *Y_CITIES) == {"yellow": [30], "green": [40], "brown": [50]}
    assert [city["revenue"] for city in HEXES["A10"]["cities"]] == [40, 40]
    assert city_figures("revenue", "580", "583") == {"green": [60, 60], "brown": [80, 80]}
    for name in ("J5", "K14"):
        assert [city["revenue"] for city in HEXES[name]["cities"]] == [30, 30]
    assert city_figures("revenue", "581", "584") == {"green": [50, 50, 50], "brown": [60]}


@rule("EU-D-d")
def test_city_circles() -> None:
    plain = {"yellow": [1], "green": [2], "brown": [2], "grey": [3]}
    assert city_figures("slots", *PLAIN_CITIES) == plain
    assert city_figures("slots", *Y_CITIES) == {"yellow": [1], "green": [1], "brown": [2]}
    assert city_figures("slots", "580", "583") == {"green": [1, 1], "brown": [2, 2]}
    assert city_figures("slots", "581", "584") == {"green": [1, 1, 1], "brown": [3]}
    for name in ("A10", "J5", "K14"):
        assert [city["slots"] for city in HEXES[name]["cities"]] == [1, 1]


@rule("EU-D-e")
def test_tile_exits() -> None:
    expected = (
        "3:01 4:03 58:02 7:01 8:02 9:03 57:03 201:01 202:02 14:0134 15:0123 80:012 81:024 82:013 "
        "83:035 141:013 142:035 143:012 144:024 145:0134 146:0123 147:0234 576:013 577:035 578:012 "
        "579:024 580:01+23 581:01+23+45 582:0234 583:01+23 584:012345 544:0134 545:0123 546:0234 "
        "611:01234 513:012345"
    )
    found = {
        f"{number}:" + "+".join("".join(map(str, sorted(piece))) for piece in ends(tile))
        for number, tile in TILES.items()
    }
    assert found == set(expected.split())


@rule("EU-D-e")
def test_plain_green_and_brown_tiles_are_single_junctions() -> None:
    for number in ("80", "81", "82", "83", "544", "545", "546"):
        assert all(path.endswith("-j") for path in TILES[number]["paths"])


@rule("EU-D-f")
def test_off_map_places() -> None:
    expected = {
        "A6": ("London", 40, 70, {0, 5}),
        "G2": ("Hamburg", 30, 50, {0, 1, 5}),
        "N5": ("Warsaw", 20, 30, {1}),
        "N17": ("Bucharest", 30, 50, {2}),
        "G22": ("Rome", 30, 50, {2, 3, 4}),
    }
    assert {name for name, row in HEXES.items() if row.get("offboards")} == set(expected)
    for name, (place, early, late, edges) in expected.items():
        row = HEXES[name]
        assert row["colour"] == "red"
        assert row["name"] == place
        assert [row["offboards"][0]["revenue"][c] for c in COLOURS] == [early, early, late, late]
        assert ends(row) == [edges]


def test_only_hamburg_may_be_run_through() -> None:
    through = [n for n in OFF_MAP if HEXES[n]["offboards"][0].get("run_through")]
    assert through == ["G2"]


@rule("EU-D-g")
def test_ports() -> None:
    expected = {"D1": {0}, "B21": {3}, "E22": {3}, "I20": {3}}
    ports = {name: row for name, row in HEXES.items() if row.get("harbours")}
    assert {name: ends(row)[0] for name, row in ports.items()} == expected
    assert all(row["harbours"] == [{"revenue": 10}] for row in ports.values())


@rule("EU-D-h")
def test_preprinted_yellow_hexes() -> None:
    assert sorted(n for n, row in HEXES.items() if row.get("colour") == "yellow") == PREPRINTED
    assert HEXES["A10"]["paths"] == ["4-c0", "5-c1"]
    assert set(HEXES["J5"]["paths"]) == {"4-c0", "1-c1"}
    assert HEXES["K14"]["paths"] == ["0-c0", "3-c1"]
    assert HEXES["K16"]["paths"] == ["1-3"]
    assert HEXES["K16"]["upgrade_cost"] == {"green": 60}
    assert "cost" not in HEXES["K16"]
    assert [HEXES[name].get("label") for name in PREPRINTED] == ["P", "BV", "BV", None]


@rule("EU-D-i")
def test_cities() -> None:
    open_cities = {n: r for n, r in HEXES.items() if r.get("cities") and "colour" not in r}
    assert {n for n, r in open_cities.items() if r.get("label") == "Y"} == set(Y_HEXES)
    assert {n for n, r in open_cities.items() if "label" not in r} == set(PLAIN_CITY_HEXES)
    names = [HEXES[name]["name"] for name in Y_HEXES + PLAIN_CITY_HEXES]
    assert (
        names
        == (
            "Lyon Brussels Amsterdam Strasbourg Milan Munich Venice Dresden Budapest "
            "Marseille Cologne Turin Dortmund Genoa Frankfurt Trieste Prague"
        ).split()
    )
    for row in open_cities.values():
        assert row["cities"] == [{"revenue": 0, "slots": 1}]
        assert "terrain" not in row


@rule("EU-D-j")
def test_towns() -> None:
    towns = {name: row for name, row in HEXES.items() if row.get("towns")}
    assert {n for n, r in towns.items() if "terrain" not in r} == set(TOWNS)
    assert {n for n, r in towns.items() if r.get("terrain") == "rough"} == set(ROUGH_TOWNS)
    assert all(row["towns"] == [{"revenue": 0}] and row["name"] for row in towns.values())


@rule("EU-D-k")
def test_rough_and_mountain_hexes() -> None:
    rough = {n for n, r in HEXES.items() if r.get("terrain") == "rough"}
    assert rough == {*ROUGH, *ROUGH_TOWNS}
    assert {n for n, r in HEXES.items() if r.get("cost") == 60} == rough
    assert {n for n, r in HEXES.items() if r.get("cost") == 120} == set(MOUNTAIN)
    mountain = {n for n, r in HEXES.items() if r.get("terrain") == "mountain"}
    assert mountain == {*MOUNTAIN, "K16"}
    assert {n for n, r in HEXES.items() if r.get("upgrade_cost") == {"green": 60}} == mountain


@rule("EU-D-l")
def test_clear_hexes_and_nothing_else() -> None:
    assert {n for n, r in HEXES.items() if not set(r) - {"at", "consent_of"}} == set(CLEAR)
    listed = [*OFF_MAP, *PORTS, *PREPRINTED, *Y_HEXES, *PLAIN_CITY_HEXES, *TOWNS, *ROUGH_TOWNS]
    listed += [*ROUGH, *MOUNTAIN, *CLEAR]
    assert sorted(HEXES) == sorted(listed)
    assert len(HEXES) == 118


@rule("EU-D-m")
def test_homes_of_the_minors() -> None:
    homes = {symbol: (m["home"]["hex"], m["home"]["city"]) for symbol, m in MINORS.items()}
    assert homes == {
        "1": ("A10", 0),
        "2": ("C8", 0),
        "3": ("A10", 1),
        "4": ("J7", 0),
        "5": ("H19", 0),
        "6": ("K14", 1),
        "7": ("J5", 1),
        "8": ("M16", 0),
        "9": ("J5", 0),
        "10": ("E18", 0),
        "11": ("K14", 0),
        "12": ("D3", 0),
        "13": ("G12", 0),
        "14": ("D13", 0),
        "15": ("B17", 0),
    }


@rule("EU-1.1-b", "EU-1.1-c")
def test_companies_and_certificates() -> None:
    assert len(MAJORS) == 8
    assert list(MINORS) == [str(number) for number in range(1, 16)]
    assert COMPANIES["every_major"]["shares"] == [20] + 8 * [10]
    assert [row["shares"] for row in COMPANIES["every_major"]["launch"]] == [5, 5]


def test_symbols_of_recorded_games() -> None:
    symbols = {symbol: major["import_symbol"] for symbol, major in MAJORS.items()}
    assert symbols == {
        "SNCB": "BNR",
        "NS": "DR",
        "KBS": "RBSR",
        "KPEV": "RPR",
        "KKÖ": "AIRS",
        "FS": "FS",
        "SNCF": "SNCF",
        "DR": "GSR",
    }
    assert [
        symbols[s] for s in SETUP["discard_order"]
    ] == "BNR DR FS RBSR RPR AIRS SNCF GSR".split()


def test_the_map_names_the_consent_hexes() -> None:
    of_map = {n: r["consent_of"] for n, r in HEXES.items() if "consent_of" in r}
    assert of_map == {"C8": "2", "B11": "3", "I6": "7", "F19": "10", "F21": "10"}


def test_opening_cash_and_certificate_limit() -> None:
    figures = {str(row["players"]): (row["cash"], row["certificates"]) for row in SETUP["setup"]}
    assert figures == {
        "2": (750, 28),
        "3": (450, 20),
        "4": (350, 16),
        "5": (300, 13),
        "6": (250, 11),
    }
    assert SETUP["bank"] == 12000


def test_phases() -> None:
    limits = {
        n: (p["train_limit"]["major"], p["train_limit"]["minor"], len(p["tiles"]))
        for n, p in PHASES.items()
    }
    assert limits == {
        "2": (4, 2, 1),
        "3": (4, 2, 2),
        "4": (3, 1, 2),
        "5": (2, 1, 3),
        "6": (2, 1, 3),
        "8": (2, 1, 4),
    }
    for phase in PHASES.values():
        assert phase["tiles"] == COLOURS[: len(phase["tiles"])]
        assert phase["colour"] == phase["tiles"][-1]
        assert phase["operating_rounds"] == 2


@rule("EU-4.4.6-d")
def test_numbers_of_trains() -> None:
    added: Counter[str] = Counter()
    for variant in SETUP["variants"].values():
        added.update(variant["trains"])
    numbers = {n: (t.get("count"), added[n]) for n, t in TRAINS.items()}
    assert numbers == {
        "2": (15, 0),
        "3": (5, 2),
        "4": (4, 1),
        "5": (3, 0),
        "6": (2, 0),
        "8": (None, 0),
        "P": (5, 0),
    }
    prices = [train["price"] for train in TRAINS.values()]
    assert prices == [100, 200, 300, 500, 600, 800, 100]


def test_which_train_rusts_which() -> None:
    rusting = {n: t["rusted_by"] for n, t in TRAINS.items() if "rusted_by" in t}
    assert rusting == {"2": "4", "3": "6", "4": "8"}


def test_each_variant_adds_one_train() -> None:
    added = {name: variant["trains"] for name, variant in SETUP["variants"].items()}
    assert added == {"extra-3": {"3": 1}, "extra-3b": {"3": 1}, "extra-4": {"4": 1}}
