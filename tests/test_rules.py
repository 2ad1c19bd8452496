"""Rules as data: what can be changed and how, and one clear line for whatever cannot."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from simcore import records
from simcore.errors import AssayError, unknown
from simcore.game import GAMES, find_game
from simcore.rules import MAX_FILE_BYTES, PROVENANCES, RuleBook, RuleSet

GAME = find_game("ostia")
BOOK = GAME.rules


def complaint(*assignments: str, file: Path | None = None) -> str:
    """The one line that says what is wrong."""
    with pytest.raises(AssayError) as caught:
        BOOK.parse(assignments, file=file)
    message = str(caught.value)
    assert "\n" not in message
    return message


def changed(*assignments: str, file: Path | None = None) -> dict:
    return BOOK.parse(assignments, file=file).changes()


@pytest.fixture
def toml(tmp_path):
    """Write a file of rules."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "rules.toml"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


# --- what can be set ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assignment", "changes"),
    [
        ("rounds=3", {"rounds": 3}),
        (" rounds = 3 ", {"rounds": 3}),
        ("rounds=+3", {"rounds": 3}),
        ("rounds=5", {}),  # as shipped
        ("first_game=1", {"first_game": 1}),
        ("first_game=true", {"first_game": 1}),
        ("first_game=ON", {"first_game": 1}),
        ("first_game=off", {}),
        ("minimum_price=9,8,7,6,5,3", {"minimum_price": [9, 8, 7, 6, 5, 3]}),
        ("minimum_price=[9, 8, 7, 6, 5, 3]", {"minimum_price": [9, 8, 7, 6, 5, 3]}),
        ("minimum_price[grain]=3", {"minimum_price": [9, 8, 7, 6, 5, 3]}),
        ("minimum_price[6]=3", {"minimum_price": [9, 8, 7, 6, 5, 3]}),
        ("forum_price[9+]=2", {"forum_price": [15, 12, 10, 8, 6, 4, 3, 2, 2]}),
        ("talon[3 seats]=0", {"talon": [0, 2, 0]}),
    ],
)
def test_assignments(assignment, changes):
    assert changed(assignment) == changes


def test_tables_by_cell_row_or_whole():
    shipped = BOOK.defaults()["senate_cards"].tolist()
    cell = [[9, *shipped[0][1:]], *shipped[1:]]
    assert changed("senate_cards[photo,ivory]=9") == {"senate_cards": cell}
    assert changed("senate_cards[1, 1]=9") == {"senate_cards": cell}
    assert changed("senate_cards[v]=0,1,2,3,4,5") == {"senate_cards": [*shipped[:5], [0, 1, 2, 3, 4, 5]]}
    flat = ",".join(str(n) for row in cell for n in row)
    assert changed(f"senate_cards={flat}") == {"senate_cards": cell}


@pytest.mark.parametrize(
    ("given_", "values"),
    [
        ("60", [60] * 5),  # one for all seats
        ("50,55,60", [50, 55, 60, 60, 60]),  # as many as sit; the rest is never looked at
        ("50,55,60,65", [50, 55, 60, 65, 65]),
        ("50,55,60,65,70", [50, 55, 60, 65, 70]),
    ],
)
def test_per_seat_lists(given_, values):
    assert changed(f"start_money={given_}") == {"start_money": values}


def test_later_assignments_win_and_come_after_the_file(toml):
    assert changed("rounds=3", "rounds=4") == {"rounds": 4}
    file = toml("rounds = 2\nmax_types = 2\nstart_money = 50\n")
    assert changed("rounds=4", "start_money[2]=60", file=file) == {
        "rounds": 4,
        "max_types": 2,
        "start_money": [50, 60, 50, 50, 50],
    }


def test_files_take_numbers_lists_tables_and_switches(toml):
    cards = [[n, *[0] * 5] for n in range(6)]
    file = toml(f"first_game = true\nstart_cards = [0, 1, 2]\nsenate_cards = {cards}\nstorehouse_cost = 8\n")
    assert changed(file=file) == {
        "first_game": 1,
        "start_cards": [0, 1, 2, 2, 2],
        "senate_cards": cards,
        "storehouse_cost": 8,
    }
    assert changed(file=toml("")) == {}


def test_changing_rules_leaves_the_shipped_ones_alone():
    before = BOOK.defaults().key()
    BOOK.parse(["senate_cards[photo,ivory]=9", "start_money[1]=0", "rounds=1"])
    assert BOOK.defaults().key() == before


# --- what cannot -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        ("", ["cannot read ''", "write name=value"]),
        ("rounds", ["cannot read 'rounds'", "write name=value"]),
        ("=3", ["cannot read '=3'"]),
        ("5=3", ["cannot read '5=3'"]),
        ("rounds==3", ["'rounds'", "=3", "a whole number from 1 to 5 (rounds)"]),
        ("senate_cards[photo][ivory]=3", ["cannot read", "write name=value"]),
        ("round=3", ["unknown rule of ostia 'round'", "did you mean 'rounds'?"]),
        ("start_mony=3", ["'start_mony'; did you mean 'start_money'?"]),
        ("zzz=3", ["unknown rule of ostia 'zzz' (known: start_money, ", "redraw_senate"]),
        ("rounds=", ["'rounds'", "a whole number from 1 to 5 (rounds)"]),
        ("rounds=0", ["'rounds' cannot be 0", "a whole number from 1 to 5 (rounds)"]),
        ("rounds=6", ["'rounds' cannot be 6", "a whole number from 1 to 5 (rounds)"]),
        ("rounds=-1", ["'rounds' cannot be -1"]),
        ("rounds=2.0", ["'rounds' cannot be", "2.0", "a whole number from 1 to 5"]),
        ("rounds=1e1", ["'rounds' cannot be", "1e1"]),
        ("rounds=true", ["'rounds' cannot be", "true", "a whole number"]),
        ("rounds=3 4", ["'rounds' cannot be", "3 4"]),
        ("rounds=1,2", ["'rounds' has the wrong shape (2,)", "it takes one value"]),
        ("first_game=2", ["'first_game' cannot be 2", "0 or 1 (switch)"]),
        ("first_game=maybe", ["'first_game' cannot be", "maybe", "0 or 1"]),
        ("minimum_price=5", ["'minimum_price' has the wrong shape", "it takes 6 (resource)"]),
        ("minimum_price=9,8,7,6,5", ["'minimum_price' has the wrong shape (5,)", "it takes 6 (resource)"]),
        ("minimum_price=9,8,7,6,5,101", ["'minimum_price' cannot be 101", "0 to 100 (denarii)"]),
        ("minimum_price=9,8,,6,5,4", ["'minimum_price' cannot be", "0 to 100 (denarii)"]),
        ("minimum_price[vine]=9", ["unknown resource of rule 'minimum_price' 'vine'", "did you mean 'wine'?"]),
        ("minimum_price[7]=9", ["unknown resource", "'7'", "ivory, wood, wine, olive_oil, textiles, grain"]),
        ("minimum_price[0]=9", ["unknown resource", "'0'"]),
        ("minimum_price[]=9", ["unknown resource", "''"]),
        ("minimum_price[wine]=1,2", ["'minimum_price[wine]' takes one value, got 2"]),
        ("minimum_price[wine,wood]=1", ["'minimum_price' takes at most 1 labels, got '[wine,wood]'"]),
        ("rounds[1]=3", ["'rounds' is a single number without labels, got '[1]'"]),
        ("start_money=1,2,3,4,5,6", ["'start_money' has the wrong shape (6,)"]),
        ("start_money[6]=1", ["unknown seat of rule 'start_money' '6'", "(known: 1, 2, 3, 4, 5)"]),
        ("senate_cards=1", ["'senate_cards' has the wrong shape", "6 (senate_card) x 6 (resource)"]),
        ("senate_cards[photo]=1,2", ["'senate_cards[photo]' takes 6 values, got 2"]),
        ("senate_cards[photo]=1", ["'senate_cards[photo]' takes 6 values, got 1"]),
        ("senate_cards[foto]=1", ["unknown senate_card of rule 'senate_cards' 'foto'", "did you mean 'photo'?"]),
        ("senate_cards[photo,ivory]=10", ["'senate_cards' cannot be 10", "0 to 9 (worth)"]),
        ("start_money=" + "9" * 5000, ["'start_money' cannot be", "0 to 1000 (denarii)"]),
        ("start_money=1\n2", ["'start_money' cannot be", "0 to 1000 (denarii)"]),
        ("start\nmoney=1", ["cannot read"]),
        (f"start_money[{'9' * 5000}]=1", ["unknown seat"]),
    ],
)
def test_errors_name_the_rule_and_what_it_allows(assignment, words):
    message = complaint(assignment)
    for part in words:
        assert part in message


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("rounds = 6", ["'rounds' in ", "rules.toml cannot be 6", "a whole number from 1 to 5 (rounds)"]),
        ("rounds = 4.0", ["'rounds'", "cannot be 4.0", "a whole number"]),
        ("rounds = inf", ["'rounds'", "cannot be inf"]),
        ("rounds = nan", ["'rounds'", "cannot be nan"]),
        ("rounds = true", ["'rounds'", "cannot be True", "a whole number"]),
        ("rounds = '3'", ["'rounds'", "3", "a whole number"]),
        ("rounds = 2020-01-01", ["'rounds'", "cannot be 2020-01-01"]),
        ("rounds = {a = 1}", ["'rounds'", "a whole number"]),
        ("[rounds]\na = 1", ["'rounds'", "a whole number"]),
        ("rounds = '''a\nb'''", ["'rounds'", "a whole number"]),
        ("rounds = " + "9" * 400, ["'rounds'", "a whole number from 1 to 5"]),
        ("rounds = " + "9" * 5000, ["rules.toml"]),  # more digits than Python reads
        ("rounds = [" + "[" * 80 + "]" * 80 + "]", ["'rounds'", "it takes one value"]),
        ("first_game = 1.0", ["'first_game'", "cannot be 1.0", "0 or 1"]),
        ("minimum_price = [true, 8, 7, 6, 5, 4]", ["'minimum_price'", "cannot be True"]),
        ("minimum_price = [9, 8, 7, 6, 5, [4]]", ["'minimum_price'", "it takes 6 (resource)"]),
        ("senate_cards = [[1, 2, 3], [1, 2]]", ["'senate_cards'", "6 (senate_card) x 6 (resource)"]),
        ("senate_cards = [[1, 2, 3], 1]", ["'senate_cards'", "6 (senate_card) x 6 (resource)"]),
        ("senate_cards = [[], [], [], [], [], []]", ["'senate_cards'", "6 (senate_card) x 6 (resource)"]),
        ("start_money = []", ["'start_money'", "it takes 5 (seat)"]),
        ("start_mony = 3", ["'start_mony'; did you mean 'start_money'?"]),
        ("'a\\nb' = 3", ["unknown rule"]),
        ('"a\\nb" = 3', ["unknown rule"]),
        ("rounds = ", ["rules.toml' is not valid TOML"]),
        ("rounds = 3\nrounds = 4", ["rules.toml' is not valid TOML"]),
        ("rounds 3", ["rules.toml' is not valid TOML"]),
        ("rounds = " + "[" * 100_000, ["rules.toml' is not valid TOML"]),
        (b"\xff\xfe", ["rules.toml' is not valid TOML"]),
        ("#" * (MAX_FILE_BYTES + 1), ["rules.toml' is larger than 1000000 bytes"]),
    ],
)
def test_errors_in_files(toml, content, words):
    message = complaint(file=toml(content))
    for part in words:
        assert part in message


def test_files_that_cannot_be_read(tmp_path):
    assert "No such file" in complaint(file=tmp_path / "missing.toml")
    assert "Is a directory" in complaint(file=tmp_path)


def test_hints_only_for_names_that_are_near():
    assert "did you mean" not in str(unknown("rule", "zzz", ["rounds", "talon"]))
    assert "did you mean 'talon'?" in str(unknown("rule", "tallon", ["rounds", "talon"]))
    with pytest.raises(AssayError, match="did you mean 'rounds'"):
        BOOK.rule("round")
    with pytest.raises(AssayError, match="did you mean 'rounds'"):
        BOOK.defaults()["round"]
    with pytest.raises(AssayError, match="did you mean 'rounds'"):
        BOOK.defaults().replaced("round", 3)


def assert_read_or_refused(read: Callable[[], RuleSet]) -> None:
    """Rules within their bounds, or an error of one line."""
    try:
        rules, lines = read(), []
    except AssayError as fault:
        rules, lines = None, str(fault).splitlines()
    assert len(lines) == (rules is None)
    if rules is None:
        return
    for name, rule in BOOK.rules.items():
        value = np.asarray(rules[name])
        assert value.shape == rule.default.shape
        assert rule.low <= value.min()
        assert value.max() <= rule.high


names = st.sampled_from([*BOOK.rules, "rounds", "start_mony", "x"])
labels = st.sampled_from(["photo", "ivory", "1", "9+", "3 seats", "", "7", "٣", "photo,ivory", "1,2,3"])
values = st.one_of(st.integers().map(str), st.text(), st.lists(st.integers(-2, 20)).map(str), st.floats().map(str))
written = st.builds(
    lambda name, label, value: f"{name}{label}={value}", names, labels.map("[{}]".format) | st.just(""), values
)


@settings(max_examples=300, deadline=None, derandomize=True, database=None)
@given(st.lists(st.text() | written, min_size=1, max_size=3))
@example(["rounds=\r3"])
@example(["rounds=\u2028"])
@example(["start_money[\n]=3"])
def test_any_text_is_either_read_or_refused_in_one_line(assignments):
    assert_read_or_refused(lambda: BOOK.parse(assignments))


trees = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=40,
)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(names, trees)
def test_any_value_is_either_taken_or_refused_in_one_line(name, value):
    assert_read_or_refused(lambda: BOOK.defaults().replaced(name, value))


@settings(max_examples=100, deadline=None, derandomize=True, database=None)
@given(
    st.binary(max_size=60)
    | st.text(max_size=60).map(str.encode)
    | st.builds("{} = {}".format, names, values).map(str.encode)
)
def test_any_file_is_either_read_or_refused_in_one_line(tmp_path_factory, content):
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(content)
    assert_read_or_refused(lambda: BOOK.parse(file=path))


# --- component files ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_number_says_where_it_comes_from(name):
    for rule in find_game(name).rules.rules.values():
        assert set(rule.provenance.ravel().tolist()) <= set(PROVENANCES)
        assert rule.provenance.shape == rule.default.shape
        assert rule.provenances
        assert rule.about
        assert rule.unit
        assert rule.is_switch == (rule.unit == "switch")
        assert not rule.is_switch or (rule.low, rule.high) == (0, 1)


def test_provenance_of_ostias_numbers():
    rules = BOOK.rules
    assert {name for name, rule in rules.items() if rule.provenances != "printed"} == {
        "senate_cards",
        "redraw_senate",
        "start_card",
        "barred",
    }
    assert rules["senate_cards"].provenances == "photographed, inferred, reconstructed"
    photo, example_ = rules["senate_cards"].provenance[:2].tolist()
    assert photo == ["photographed"] * 3 + ["inferred"] + ["photographed"] * 2
    assert example_ == ["inferred"] * 3 + ["reconstructed"] * 2 + ["inferred"]
    assert set(rules["senate_cards"].provenance[2:].ravel()) == {"reconstructed"}


def component_file(**changes: str) -> str:
    entry = {
        "about": '"a"',
        "default": "[1, 2, 3]",
        "per": '["seat"]',
        "unit": '"coins"',
        "low": "0",
        "high": "5",
        "provenance": '"printed"',
    }
    lines = [f"{key} = {value}" for key, value in (entry | changes).items()]
    return "\n".join(['title = "T"', "[labels]", 'seat = ["1", "2", "3"]', "[rules.coins]", *lines])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"provenance": '"guessed"'}, "provenance must be one of"),
        ({"provenance": '["printed", "printed", ""]'}, "provenance must be one of"),
        ({"default": "[1, 2, 6]"}, "outside its bounds"),
        ({"default": "[1, -1, 3]"}, "outside its bounds"),
        ({"default": "[1, 2]"}, "shape"),
    ],
)
def test_component_files_with_mistakes_are_refused(toml, changes, words):
    with pytest.raises(ValueError, match=words):
        RuleBook.load("toy", toml(component_file(**changes)))


def test_component_files_are_read_as_they_stand(toml):
    book = RuleBook.load(
        "toy", toml(component_file(provenance='["printed", "inferred", "printed"]')), [("extra", "i8", (2,))]
    )
    rule = book.rules["coins"]
    assert rule.default.tolist() == [1, 2, 3]
    assert rule.provenances == "printed, inferred"
    assert rule.allowed == "a whole number from 0 to 5"
    assert book.cells(rule) == [("1",), ("2",), ("3",)]
    assert book.dtype["extra"].shape == (2,)
    assert book.defaults().fill()["extra"].tolist() == [[0, 0]]


# --- the record --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_record_holds_the_component_files_numbers(name):
    game = find_game(name)
    filled = game.rules.defaults().fill()[0]
    entries = tomllib.loads((game.folder / "components.toml").read_text(encoding="utf-8"))["rules"]
    assert list(entries) == list(game.rules.rules)
    for rule, entry in entries.items():
        value = np.asarray(filled[rule])
        assert value.dtype == np.int32
        assert (value == np.array(entry["default"])).all(), rule


def test_a_rule_by_seat_takes_the_seats_of_a_table():
    assert BOOK.parse(["start_money=50,52"])["start_money"].tolist() == [50, 52, 52, 52, 52]
    assert BOOK.parse(["start_money=50"])["start_money"].tolist() == [50] * 5


def test_record_holds_the_values_in_force():
    rules = BOOK.parse(["senate_cards[v,grain]=9", "start_money=1,2,3", "rounds=2", "forum_price[1]=20"])
    filled = rules.fill()
    assert filled.shape == (1,)
    for name, value in rules.as_dict().items():
        assert filled[name][0].tolist() == value
    assert filled["senate_cards"][0, 5, 5] == 9
    assert filled["rounds"][0] == 2
    assert filled[0].forum_price[0] == 20


def test_keys_differ_when_rules_do():
    keys = {
        BOOK.parse(changes).key() for changes in ([], ["rounds=4"], ["start_money[5]=1"], ["senate_cards[u,wine]=0"])
    }
    assert len(keys) == 4
    assert BOOK.parse(["rounds=5"]).key() == BOOK.defaults().key()


@pytest.mark.parametrize("name", ["round", "take", "size", "copy", "min", "sort", "T"])
def test_field_names_of_numpy_are_refused(name):
    with pytest.raises(ValueError, match=re.escape(f"['{name}'] belong to np.record")):
        records.record([("fine", "i4"), (name, "i4")])


def test_records_nest_and_read_as_attributes():
    inner = records.record([("small", "i1"), ("large", "i8")])
    outer = records.record([("flag", "i1"), ("inner", inner), ("list", inner, (3,))])
    item = np.zeros(1, outer)[0]
    item.inner.large = 5
    item.list[1].small = 7
    assert item["inner"]["large"] == 5
    assert item["list"]["small"].tolist() == [0, 7, 0]
    assert outer.fields["inner"][1] == 8  # aligned
    assert inner.itemsize == 16
