"""Reading tables: every row is in the table or in the list of problems."""

from __future__ import annotations

import gzip
import hashlib
import tracemalloc
import zipfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.properties import examples
from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.io.dialect import Dialect
from workbench.io.reading import MAX_PROBLEMS, Reading, preview, read_table


def made(folder: Path, content: bytes | str, name: str = "file.csv") -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def rows(reading: Reading) -> list[tuple[str, ...]]:
    return [reading.table.row(i) for i in range(reading.rows)]


def lines(reading: Reading) -> list[int]:
    return [problem.line for problem in reading.problems]


def test_reads_an_ordinary_file(tmp_path: Path) -> None:
    path = made(tmp_path, 'name,age\nAnna,"3"\n"Bo, b",4\n')
    reading = read_table(path)
    assert reading.table.names == ("name", "age")
    assert rows(reading) == [("Anna", "3"), ("Bo, b", "4")]
    assert (reading.problem_count, reading.skipped, reading.path) == (0, 0, path)
    assert reading.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()


def test_texts_stay_as_they_are(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "id;x\n00123; NA\n1e5;\n"), Dialect(";"))
    assert rows(reading) == [("00123", " NA"), ("1e5", "")]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_breaks_inside_cells_do_not_disturb_line_numbers(tmp_path: Path, end: str) -> None:
    text = end.join(["a,b", '1,"x', "", 'y"', "", "2", "3,z,z", '4,"w""w"', ""])
    reading = read_table(made(tmp_path, text), Dialect())
    assert rows(reading) == [("1", f"x{end}{end}y"), ("4", 'w"w')]
    assert lines(reading) == [6, 7]
    assert [problem.text for problem in reading.problems] == ["2", "3,z,z"]
    assert reading.skipped == 2


def test_line_numbers_are_right_far_down(tmp_path: Path) -> None:
    text = "a,b\n" + '1,"x\ny"\n' * 30_000 + "\n\nbad\n" + "1,2\n" * 30_000 + "1,2,3\n"
    reading = read_table(made(tmp_path, text))
    assert reading.rows == 60_000
    assert lines(reading) == [60_004, 90_005]


def test_blank_lines_are_ignored_between_columns(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "\n  \na,b\n\n1,2\n   \n,\n\n"), Dialect())
    assert rows(reading) == [("1", "2"), ("", "")]
    assert reading.problem_count == 0


def test_blank_lines_in_one_column_are_rows_without_a_value_except_at_the_end(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, '\nage\n1\n\n\n2\n""\n\n\n'), Dialect())
    assert reading.table["age"].texts() == ["1", "", "", "2", ""]


def test_blank_lines_in_one_column_across_batches(tmp_path: Path) -> None:
    text = "age\n" + "1\n" + "\n" * 200_000 + "2\n" + "\n" * 200_000
    assert read_table(made(tmp_path, text), Dialect()).rows == 200_002


def test_a_value_below_blank_lines_has_the_right_line(tmp_path: Path) -> None:
    text = "age\n1\n" + "\n" * 100_000 + "1,2\n" + "\n" * 100_000 + "2\n\n3,4\n\n5\n"
    reading = read_table(made(tmp_path, text), Dialect())
    assert reading.rows == 200_005
    assert reading.table["age"].texts()[-5:] == ["", "2", "", "", "5"]
    assert lines(reading) == [100_003, 200_006]
    starts = {0: 2, 100_000: 100_002, 100_001: 100_004, 200_001: 200_004, 200_004: 200_008}
    assert {row: reading.lines.line_of(row) for row in starts} == starts
    assert read_table(made(tmp_path, text), Dialect(), limit=150_000).rows == 150_000


def test_blank_lines_in_one_column_take_no_room_until_a_value_comes(tmp_path: Path) -> None:
    """Ten packed megabytes hold ten thousand million of them."""
    path = made(tmp_path, "age\n1\n" + "\n" * 1_000_000)
    tracemalloc.start()
    try:
        assert read_table(path, Dialect()).rows == 1
        assert tracemalloc.get_traced_memory()[1] < 30 << 20
    finally:
        tracemalloc.stop()


def test_names_are_made_up_and_made_different(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "a,,a,a (2),a\n1,2,3,4,5\n"), Dialect())
    assert reading.table.names == ("a", "column 2", "a (3)", "a (2)", "a (4)")
    assert [problem.kept for problem in reading.problems] == [True] * 3
    assert "column 3" in reading.problems[1].reason
    assert reading.skipped == 0


def test_without_a_heading(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "1,2\n3,4\n"), Dialect(header=False))
    assert reading.table.names == ("column 1", "column 2")
    assert reading.rows == 2


def test_delimiter_at_the_end_of_every_line_makes_no_column(tmp_path: Path) -> None:
    for number, text in enumerate(["a,b,\n1,2,\n3,4,\n", "a,b\n1,2,\n3,4,\n", "a,b,\n1,2\n3,4\n"]):
        reading = read_table(made(tmp_path, text, f"{number}.csv"), Dialect())
        assert reading.table.names == ("a", "b"), text
        assert rows(reading) == [("1", "2"), ("3", "4")]
        assert reading.problem_count == 0


def test_an_unnamed_last_column_with_a_value_is_kept(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "a,b,\n1,2,\n3,4,x\n"), Dialect())
    assert reading.table.names == ("a", "b", "column 3")


def test_an_empty_cell_too_many_in_one_row_is_a_problem(tmp_path: Path) -> None:
    # It might be "Smith, John" without quotes and an empty last cell: cutting it off would shift values.
    reading = read_table(made(tmp_path, "name,age,note\nAnna,3,x\nSmith, John,4,\n"), Dialect())
    assert rows(reading) == [("Anna", "3", "x")]
    assert lines(reading) == [3]


def test_row_names_without_a_heading_get_one(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "age,city\n1,3,Ulm\n2,4,Bonn\n"), Dialect())
    assert reading.table.names == ("row name", "age", "city")
    assert lines(reading) == [1]


def test_repeating_first_cells_are_no_row_names(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "age,city\n1,3,Ulm\n1,4,Bonn\n"), Dialect())
    assert (reading.rows, reading.skipped) == (0, 2)


def test_bytes_that_are_no_text_are_marked_and_reported_each_time(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, b"a,b\nx\xff,1\nok,2\nx\xff,3\nx\x00y,4\n"), Dialect())
    assert reading.table["a"].texts() == ["x�", "ok", "x�", "x�y"]
    assert lines(reading) == [2, 4, 5]
    assert all(problem.kept for problem in reading.problems)
    assert reading.skipped == 0
    assert "utf-8" in reading.problems[0].reason
    assert "NUL" in reading.problems[2].reason


def test_half_a_letter_at_the_end_of_utf16_is_reported(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "a;b\n1;2\n3;ä\n".encode("utf-16") + b"\x01"))
    assert reading.problem_count == 1


def test_a_quotation_mark_left_open_costs_one_line(tmp_path: Path) -> None:
    text = 'a,b\n1,2\n3,"x\n' + "5,6\n" * 10
    reading = read_table(made(tmp_path, text), Dialect())
    assert reading.rows == 11
    assert lines(reading) == [3]
    assert "never closed" in reading.problems[0].reason


def test_a_lonely_quotation_mark_at_the_very_end_is_reported(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, '"a"\n1\n"'), Dialect())
    assert (reading.rows, lines(reading)) == (1, [3])


def test_a_quotation_mark_left_open_in_a_long_file(tmp_path: Path) -> None:
    text = "a,b\n" + '1,"x\n' + "some text,2\n" * 600_000
    reading = read_table(made(tmp_path, text), Dialect())
    assert reading.rows == 600_000
    assert lines(reading) == [2]


def test_a_large_cell_is_read_whole(tmp_path: Path) -> None:
    cell = "word, \n" * 200_000
    reading = read_table(made(tmp_path, f'a,b\n1,"{cell}"\n2,3\n'), Dialect())
    assert rows(reading) == [("1", cell), ("2", "3")]


def test_a_line_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match=r"Line 2 .* has over"):
        read_table(made(tmp_path, "a,b\n" + "1," * 3_000_000), Dialect())


def test_quotation_marks_that_are_letters(tmp_path: Path) -> None:
    text = "a,b\n" + '"x,1\n' * 400
    reading = read_table(made(tmp_path, text), Dialect(quote=""))
    assert reading.rows == 400
    assert reading.table.row(0) == ('"x', "1")


def test_stop_at_the_first_bad_line(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match=r"Line 3 of “file.csv”.*3 cells instead of 2"):
        read_table(made(tmp_path, "a,b\n1,2\n1,2,3\n"), Dialect(), on_bad="stop")


def test_the_list_of_problems_is_capped_but_all_are_counted(tmp_path: Path) -> None:
    reading = read_table(made(tmp_path, "a,b\n1,2\n" + "x\n" * 5000), Dialect())
    assert len(reading.problems) == MAX_PROBLEMS
    assert (reading.problem_count, reading.skipped) == (5000, 5000)
    assert all(len(problem.text) <= 80 for problem in reading.problems)


def test_skipped_lines_and_spaces(tmp_path: Path) -> None:
    text = 'title\n"half\n\na, b\n1, "x, y"\n2\n'
    reading = read_table(made(tmp_path, text), Dialect(skip_lines=3, skip_spaces=True))
    assert reading.table.names == ("a", "b")
    assert rows(reading) == [("1", "x, y")]
    assert lines(reading) == [6]


def test_limit_reads_no_further_but_knows_the_whole_file(tmp_path: Path) -> None:
    path = made(tmp_path, "a,b\n" + "1,2\n" * 100_000 + "bad\n")
    reading = read_table(path, limit=10)
    assert (reading.rows, reading.problem_count) == (10, 0)
    assert reading.fingerprint == hashlib.sha256(path.read_bytes()).hexdigest()


def test_packed_files(tmp_path: Path) -> None:
    content = "a;b\n1;ä\n".encode("utf-16")
    packed = made(tmp_path, gzip.compress(content) + gzip.compress("2;ö\n".encode("utf-16-le")), "x.csv.gz")
    assert rows(read_table(packed)) == [("1", "ä"), ("2", "ö")]
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("data/x.csv", "a,b\n1,2\n")
        file.writestr("__MACOSX/data/._x.csv", "junk")
    reading = read_table(archive)
    assert rows(reading) == [("1", "2")]
    assert reading.fingerprint == hashlib.sha256(archive.read_bytes()).hexdigest()


MAGIC = {
    "book.xlsx": (b"", "Excel"),
    "two.zip": (b"", "2 files"),
    "table.parquet": (b"PAR1\x15\x04", "Parquet"),
    "paper.pdf": (b"%PDF-1.7\n", "PDF"),
    "photo.png": (b"\x89PNG\r\n\x1a\n", "image"),
    "old.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Office"),
    "data.sqlite": (b"SQLite format 3\x00", "SQLite"),
    "page.csv": (b"\n <!DOCTYPE html><html>", "web page"),
    "data.json": (b'[{"a": 1}]', "JSON"),
    "inner.gz": (gzip.compress(b"PAR1\x15"), "Parquet"),
    "broken.gz": (gzip.compress(b"a,b\n1,2\n" * 100)[:-20], "damaged"),
    "broken.zip": (b"PK\x03\x04 and nothing", "damaged"),
    "empty.csv": (b"", "empty"),
    "empty.gz": (gzip.compress(b""), "empty"),
    "blank.csv": (b" \n\n  \n", "no table"),
    "mark.csv": (b"\xef\xbb\xbf", "no table"),
    "noise.bin": (bytes(range(32)) * 20, "not a text file"),
}


@pytest.mark.parametrize("name", MAGIC)
def test_what_is_no_csv_is_named(tmp_path: Path, name: str) -> None:
    content, named = MAGIC[name]
    path = made(tmp_path, content, name)
    if name == "book.xlsx":
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("[Content_Types].xml", "<x/>")
            file.writestr("xl/workbook.xml", "<x/>")
    if name == "two.zip":
        with zipfile.ZipFile(path, "w") as file:
            file.writestr("a.csv", "a\n1\n")
            file.writestr("b.csv", "a\n1\n")
    for read in (read_table, preview):
        with pytest.raises(WorkbenchError, match=named) as caught:
            read(path)
        assert caught.value.hint
        assert caught.value.field == "path"
        assert name in caught.value.message


def test_missing_files_and_folders(tmp_path: Path) -> None:
    for path, named in ((tmp_path / "none.csv", "no file"), (tmp_path, "folder"), (Path("a\0b"), "cannot be read")):
        with pytest.raises(WorkbenchError, match=named):
            read_table(path)


def test_devices_are_refused() -> None:
    with pytest.raises(WorkbenchError, match="device"):
        read_table("/dev/zero")


def test_cancel_in_the_middle(tmp_path: Path) -> None:
    path = made(tmp_path, "a,b\n" + "1,2\n" * 400_000)
    token = CancelToken()
    seen: list[float] = []

    def listener(fraction: float, text: str) -> None:
        seen.append(fraction)
        token.cancel()

    with pytest.raises(Cancelled):
        read_table(path, Dialect(), Progress(listener, token))
    assert seen == [0.0]


def test_progress_only_grows_and_ends_at_one(tmp_path: Path) -> None:
    seen: list[float] = []
    read_table(made(tmp_path, "a,b\n" + "1,2\n" * 400_000), None, Progress(lambda f, _: seen.append(f)))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


def test_codes_take_the_smallest_type(tmp_path: Path) -> None:
    text = "a,b,c\n" + "".join(f"{i % 256},{i % 257},{i}\n" for i in range(66_000))
    table = read_table(made(tmp_path, text)).table
    assert [column.codes.dtype.itemsize for column in table.columns] == [1, 2, 4]
    assert table.row(65_999) == (str(65_999 % 256), str(65_999 % 257), "65999")


def test_preview_shows_raw_lines_and_the_first_problems(tmp_path: Path) -> None:
    path = made(tmp_path, "My title\n\nname;age;x\nAnna;3;1\nbad\n" + "Bob;4;2\n" * 200_000)
    shown = preview(path, rows=5)
    assert shown.dialect == Dialect(";", skip_lines=2)
    assert shown.names == ("name", "age", "x")
    assert shown.rows == (("Anna", "3", "1"), *[("Bob", "4", "2")] * 4)
    assert [problem.line for problem in shown.problems] == [5]
    assert shown.lines[:3] == ("My title", "", "name;age;x")
    assert len(shown.lines) == 20


@settings(max_examples=examples(300), deadline=None)
@given(
    content=st.one_of(
        st.binary(max_size=400),
        st.lists(st.sampled_from([b'"', b",", b";", b"\n", b"\r", b"\0", b"a", b"1", b"\xff", b"\t", b"''"])).map(
            b"".join
        ),
        st.text(max_size=200).map(lambda text: text.encode("utf-16")),
    ),
    dialect=st.one_of(
        st.none(),
        st.builds(
            Dialect,
            st.sampled_from(",;\t| x"),
            st.sampled_from(["utf-8", "utf-16", "cp1252", "utf-16-le", "ascii", "shift_jis", "utf-7", "gb18030"]),
            st.sampled_from(["", '"', "'"]),
            st.booleans(),
            st.integers(0, 4),
        ),
    ),
)
def test_any_bytes_give_a_table_or_an_explanation(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, dialect: Dialect | None
) -> None:
    path = made(tmp_path_factory.getbasetemp(), content, "noise.csv")
    try:
        reading = read_table(path, dialect)
    except WorkbenchError as error:
        assert error.message
        assert error.hint
        return
    assert reading.table.columns
    assert all("\0" not in value for column in reading.table.columns for value in column.values)
    # What was read can be written and sent anywhere.
    assert all(value.encode() is not None for column in reading.table.columns for value in column.values)
    assert preview(path, reading.dialect).names
