"""Records written by hand: every figure of their traces that the rules give is worked out here."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from carril.cli import app
from carril.notation.files import open_record
from carril.notation.online import OnlineRecord
from carril.notation.trace import Line, check_trace, read_trace, trace_lines, write_trace
from tests.records import FOLDER, trace_of

NAMES = ("18eu", "18esp")


def file(name: str) -> Path:
    return FOLDER / f"{name}.json"


def record_of(name: str) -> OnlineRecord:
    record = open_record(file(name))
    assert isinstance(record, OnlineRecord)
    return record


def lines_of(name: str) -> list[Line]:
    return list(read_trace(trace_of(file(name))))


def line_after(name: str, action: int) -> Line:
    """Return the state after the action with an id."""
    found = [line for line in lines_of(name) if line.get("action", {}).get("id") == action]
    state: Line = found[0]["state"]
    return state


def cash(state: Line) -> list[int]:
    return [player["cash"] for player in state["players"].values()]


def run(*words: str | Path) -> Any:
    return CliRunner().invoke(app, [str(word) for word in words])


# --- the replay and its trace --------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_the_record_replays_as_its_trace_says(name: str) -> None:
    record = record_of(name)
    assert check_trace(record, read_trace(trace_of(file(name)))) is None
    assert len(lines_of(name)) == len(record) + 1
    assert record.refused is None
    assert record.replay.findings == []
    assert record.replay.reader.fillers == 0
    names = dict(zip(record.names, record.ids, strict=True))
    found = {str(names[name]): worth for name, worth in (record.last.result or {}).items()}
    assert found == record.claimed


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("end", ["trace.jsonl", "trace.jsonl.gz"])
def test_the_trace_is_written_as_it_is_kept(name: str, end: str, tmp_path: Path) -> None:
    written = tmp_path / end
    count = write_trace(record_of(name), written)
    kept = lines_of(name)
    assert count == len(kept)
    assert list(read_trace(written)) == kept == list(trace_lines(record_of(name)))


@pytest.mark.parametrize("name", NAMES)
def test_the_command_checks_and_writes(name: str, tmp_path: Path) -> None:
    written = tmp_path / "new.jsonl"
    result = run("replay", file(name), "--check", trace_of(file(name)), "--trace", written)
    assert (result.exit_code, result.stderr) == (0, "")
    assert list(read_trace(written)) == lines_of(name)


# --- 18EU by hand --------------------------------------------------------------------------


def test_18eu_the_sale() -> None:
    """Two players with 750 each; the bank holds 12000 - 1500 = 10500."""
    first = lines_of("18eu")[0]["state"]
    assert (first["bank"], cash(first)) == (10500, [750, 750])
    # Minor 1: a bid of 105 is taken back and made 110; Ana pays 115. Message and undo have no line.
    assert cash(line_after("18eu", 7)) == [635, 750]
    # Minor 3: nobody opens; at 90 Ben, the auctioneer, declines and Ana accepts.
    assert cash(line_after("18eu", 11)) == [545, 750]
    # Minor 2 for 450, Ben passes. Minor 15 for 650: Ana has 95 and is passed over.
    assert cash(line_after("18eu", 13)) == [95, 750]
    assert cash(line_after("18eu", 14)) == [95, 100]
    # Minor 4: Ana chooses, Ben opens with his last 100. Minor 5: Ana pays 90.
    assert cash(line_after("18eu", 16)) == [95, 0]
    assert cash(line_after("18eu", 18)) == [5, 0]
    # Nobody can pay 10: the other nine go free of charge to their auctioneers.
    sold = line_after("18eu", 27)
    assert (sold["bank"], cash(sold)) == (10500 + 115 + 90 + 450 + 650 + 100 + 90, [5, 0])
    assert [sold["minors"][str(n)]["owner"] for n in (1, 2, 3, 4, 5, 6, 7, 14, 15)] == [
        *(101, 101, 101, 102, 101, 101, 102, 101, 102)
    ]


def test_18eu_the_first_operating_rounds() -> None:
    """A minor splits its earnings: half to its owner, half to its treasury."""
    # Minor 1: London 40 - Lille 10 - Paris 40 = 90.
    after_1 = line_after("18eu", 30)
    assert after_1["tiles"] == {"B9": ["8", 1], "B7": ["58", 0]}
    assert (after_1["minors"]["1"]["cash"], cash(after_1)) == (45, [5 + 45, 0])
    # Minor 3: Paris 40 - Dijon 10 = 50.
    after_3 = line_after("18eu", 35)
    assert (after_3["minors"]["3"]["cash"], cash(after_3)) == (25, [50 + 25, 0])
    # Minor 15: Lyon 30 - Dijon 10 - Paris 40 = 80.
    after_15 = line_after("18eu", 50)
    assert (after_15["minors"]["15"]["cash"], cash(after_15)) == (40, [75, 40])
    # The second round: 90 again, and 80 for minors 3 and 15.
    end = line_after("18eu", 72)
    assert cash(end) == [75 + 45 + 40, 40 + 40]
    assert [end["minors"][n]["cash"] for n in ("1", "3", "15")] == [90, 65, 80]
    assert end["bank"] == 11995 - (90 + 50 + 80) - (90 + 80 + 80)


def test_18eu_a_corporation_is_started_and_floats() -> None:
    # Ana pays 2 x 70; minor 3 brings 65; four more tokens cost 100.
    started = line_after("18eu", 75)
    assert started["corps"]["SNCF"]["cash"] == 140 + 65 - 100
    assert (cash(started), started["players"]["101"]["shares"]) == ([20, 80], {"SNCF": 30})
    assert started["corps"]["SNCF"]["price"] == [70, 4, 2]
    # Minor 15 brings 80 and loses its token; minor 1 brings 90, and its token is replaced: 50%.
    declined = line_after("18eu", 77)["corps"]["SNCF"]
    assert (declined["cash"], declined["tokens"], declined["floated"]) == (185, ["A10.1"], False)
    floated = line_after("18eu", 79)["corps"]["SNCF"]
    assert (floated["cash"], floated["floated"], floated["trains"]) == (275, True, ["2"] * 3)
    assert (sorted(floated["tokens"]), floated["tokens_free"]) == (["A10.0", "A10.1"], 3)
    # Ben buys one from the treasury. The pass that is undone and redone is one line.
    bought = line_after("18eu", 80)
    assert (bought["corps"]["SNCF"]["cash"], cash(bought)) == (345, [20, 10])
    assert bought["corps"]["SNCF"]["treasury"] == 100 - 40 - 20


def test_18eu_the_corporation_operates() -> None:
    # London - Lille - Paris 90, Paris - Dijon - Lyon 80, Lyon 30 - Geneva 10: 210, 21 per share.
    paid = line_after("18eu", 100)
    assert cash(paid) == [20 + 4 * 21, 10 + 2 * 21]
    assert paid["corps"]["SNCF"]["cash"] == 345 + 4 * 21  # its treasury holds four shares
    assert paid["corps"]["SNCF"]["price"] == [75, 4, 3]  # 210 is more than 70: one to the right
    assert "B17.0" in paid["corps"]["SNCF"]["tokens"]
    # A 3 train for 200 begins phase 3.
    bought = line_after("18eu", 101)
    assert (bought["corps"]["SNCF"]["cash"], bought["phase"]) == (229, "3")
    # 104 + 4 x 75, 52 + 2 x 75; all money is there.
    last = lines_of("18eu")[-1]
    assert last["result"] == {"101": 404, "102": 202}
    assert last["state"]["bank"] + 104 + 52 + 229 == 12000


# --- 18ESP by hand -------------------------------------------------------------------------


def test_18esp_the_auction_of_privates() -> None:
    """Three players with 860; the winners pay 25, 60, 70, 105, 130, 160 and 170."""
    assert cash(lines_of("18esp")[0]["state"]) == [860, 860, 860]
    sold = line_after("18esp", 25)["players"]
    assert sold["201"]["cash"] == 860 - 70 - 105  # privates 3 and 4; the bid of 100 is undone
    assert sold["202"]["cash"] == 860 - 25 - 130 - 170  # privates 1, 5 and 7
    assert sold["203"]["cash"] == 860 - 60 - 160  # privates 2 and 6
    assert sold["203"]["shares"] == {"CRB": 10}  # the certificate that comes with private 6
    # With this seed private 7 brings the director's certificate of FdSB; Ben chooses the par.
    par = line_after("18esp", 26)
    assert par["players"]["202"]["shares"] == {"FdSB": 20}
    assert par["corps"]["FdSB"]["price"] == [80, 0, 6]
    assert list(par["players"]) == ["202", "203", "201"]  # the poorest first


def test_18esp_the_stock_round() -> None:
    # Two shares of FdSB at 80: 40% are sold, and the treasury gets 4 x 80.
    floated = line_after("18esp", 28)
    assert (floated["corps"]["FdSB"]["cash"], floated["corps"]["FdSB"]["floated"]) == (320, True)
    # Minors cost twice their price, and have it in their treasury: MS 2 x 100, CM 2 x 70.
    started = line_after("18esp", 31)
    assert [started["corps"][name]["cash"] for name in ("MS", "CM")] == [200, 140]
    assert cash(started) == [535 - 80, 640 - 80 - 140, 685 - 200]
    # The round ends: the richest first; privates pay 15 + 20, 5 + 10 + 30, 10 + 20.
    ended = line_after("18esp", 34)
    assert list(ended["players"]) == ["201", "202", "203"]
    assert cash(ended) == [485 + 35, 455 + 45, 420 + 30]


def test_18esp_the_first_operating_round() -> None:
    # MS: a tile on a river 20, a train 100, private 1 for 20; no earnings: 100 falls to 90.
    ms = line_after("18esp", 39)
    assert ms["corps"]["MS"]["cash"] == 200 - 20 - 100 - 20
    assert ms["corps"]["MS"]["price"] == [90, 0, 8]
    assert ms["players"]["202"]["cash"] == 500 + 20
    # FdSB: Laredo joins Santander to its destination Bilbao: 1 x par and a token more.
    reached = line_after("18esp", 40)["corps"]["FdSB"]
    assert (reached["cash"], reached["tokens_free"]) == (320 + 80, 2)
    # A station in Bilbao 50, a train 100, private 4 for 100, a tender 80, 20 of them for Ben.
    fdsb = line_after("18esp", 47)
    assert fdsb["corps"]["FdSB"]["cash"] == 400 - 50 - 100 - 100 - 80
    assert sorted(fdsb["corps"]["FdSB"]["tokens"]) == ["I5.0", "K5.0"]
    assert cash(fdsb) == [520 + 100, 520 + 20, 450]
    # CM: a tile 10, a train 100, private 2 for 30, which brings another 2 train.
    cm = line_after("18esp", 52)
    assert (cm["corps"]["CM"]["cash"], cm["corps"]["CM"]["trains"]) == (0, ["2", "2"])
    assert [cm["corps"][name]["price"][0] for name in ("MS", "FdSB", "CM")] == [90, 70, 60]
    # Cash, shares (a minor twice) and the face values of open privates (3; 5; 6).
    assert lines_of("18esp")[-1]["result"] == {
        "201": 620 + 2 * 90 + 70,
        "202": 540 + 3 * 70 + 130,
        "203": 480 + 70 + 2 * 60 + 160,
    }


# --- a trace that differs ------------------------------------------------------------------


def damage(line: Line, path: str, value: object) -> None:
    *way, last = path.split(".")
    for key in way:
        line = line[key]
    line[last] = value


@pytest.mark.parametrize(
    ("number", "path", "value", "said"),
    [
        (95, "state.players.101.cash", 105, "players.101.cash is 104, but 105 in the trace"),
        (95, "state.corps.SNCF.price", [70, 4, 2], "corps.SNCF.price is [75, 4, 3], but [70,"),
        (40, "state.minors.3.owner", 102, "minors.3.owner is 101, but 102 in the trace"),
        (96, "state.phase", "2", "phase is '3', but '2' in the trace"),
        (40, "state.tiles.Z9", ["8", 1], "tiles: Z9 only in the trace"),
        (97, "pos.finished", False, "finished is True, but False in the trace"),
        (97, "result.101", 1, "result is {'101': 404, '102': 202}, but {'101': 1,"),
        (12, "i", 13, "the trace has line 13 here"),
    ],
)
def test_a_damaged_line_is_one_line_and_exit_1(
    number: int, path: str, value: object, said: str, tmp_path: Path
) -> None:
    lines = lines_of("18eu")
    damage(lines[number], path, value)
    trace = tmp_path / "damaged.jsonl"
    trace.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    result = run("replay", file("18eu"), "--check", trace)
    assert result.exit_code == 1
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"carril: {trace}: line {number}: {said}")


def test_the_order_of_trains_and_tokens_and_what_is_empty_do_not_matter() -> None:
    lines = lines_of("18eu")
    sncf = lines[96]["state"]["corps"]["SNCF"]
    sncf["trains"].reverse()
    sncf["tokens"].reverse()
    del lines[96]["state"]["corps"]["FS"]["trains"]
    assert check_trace(record_of("18eu"), lines) is None
    del sncf["trains"]
    found = check_trace(record_of("18eu"), lines)
    assert found == "line 96: corps.SNCF.trains is ['2', '2', '2', '3'], but not in the trace"


def test_a_trace_that_is_too_short_or_too_long() -> None:
    lines = lines_of("18esp")
    assert check_trace(record_of("18esp"), lines[:9]) == "line 9: the trace ends here"
    more = [*lines, {**lines[-1], "i": len(lines)}]
    assert check_trace(record_of("18esp"), more) == f"line {len(lines)}: only in the trace"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{not JSON\n", "line 0 is not JSON"),
        (b"3\n", "line 0 has no state"),
        (b'{"i": 0}\n', "line 0 has no state"),
        (b"\xff\xfe\n", "can't decode"),
    ],
)
def test_what_is_no_trace_is_one_line_and_exit_2(data: bytes, said: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl"
    trace.write_bytes(data)
    result = run("replay", file("18eu"), "--check", trace)
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    assert said in line


def test_a_gzipped_trace_that_is_cut_off(tmp_path: Path) -> None:
    trace = tmp_path / "trace.jsonl.gz"
    whole = gzip.compress(b'{"i": 0, "state": {}}\n' * 50)
    trace.write_bytes(whole[:-12])
    result = run("replay", file("18eu"), "--check", trace)
    assert result.exit_code in (1, 2)
    assert len(result.stderr.splitlines()) == 1


def test_traces_are_for_files_of_the_other_program(tmp_path: Path) -> None:
    saved = tmp_path / "game.json"
    assert run("play", "18EU", "--players", "2", "--save", saved, "--json").exit_code == 0
    result = run("replay", saved, "--check", trace_of(file("18eu")))
    assert result.exit_code == 2
    assert "traces are made from files of 18xx.games" in result.stderr
