"""Every format reads back as it was written, and a file is there whole or not at all."""

from __future__ import annotations

import itertools
import os
import shutil
import stat
from collections import namedtuple
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Cancelled, CancelToken, Progress
from workbench.core.table import Column, Table
from workbench.io.dialect import Dialect
from workbench.io.export_format import FORMATS, ExportFormat
from workbench.io.exporting import Written, write_table
from workbench.io.reading import read_table

TEXTS = ["=1+1", "007", "x<y & “z”", 'say "x"', "two\nlines", "a\tb", " edge ", "", "-5", "_x0041_", "1.50", "é€"]


def sample() -> Table:
    unused = Column("age", np.array([0, 1, 1] * 4, dtype=np.uint8), ("31", "47", "=NEVER USED"))
    return Table(
        (
            Column.from_texts("text; with, signs", TEXTS),
            unused,
            Column.from_texts("mean", ["1.5", "-0.25", "2", ""] * 3),
            Column.from_texts("+formula", ["a"] * 12),
        )
    )


def back(path: Path, style: ExportFormat) -> Table:
    dialect = Dialect(style.delimiter, style.encoding) if style.form == "csv" else None
    return read_table(path, dialect).table


STYLES = [
    ExportFormat("csv", *choice)
    for choice in itertools.product((",", ";", "\t", "|"), ("utf-8", "utf-8-sig", "utf-16", "cp1252"), (False, True))
] + [ExportFormat("parquet"), ExportFormat("xlsx")]


@pytest.mark.parametrize("style", STYLES, ids=lambda s: f"{s.form}-{s.delimiter!r}-{s.encoding}-{s.quote_all}")
def test_round_trip(style: ExportFormat, tmp_path: Path) -> None:
    if style.kind.missing is not None:
        pytest.skip("the package for it is not installed")
    path = tmp_path / f"out{style.kind.suffix}"
    written = write_table(sample(), path, style)
    table = back(path, style)
    assert table.names == ("text; with, signs", "age", "mean", "'+formula")
    assert table["text; with, signs"].texts() == ["'=1+1", *TEXTS[1:]]
    assert table["age"].texts() == ["31", "47", "47"] * 4
    assert table["mean"].texts() == ["1.5", "-0.25", "2", ""] * 3
    assert (written.report.rows, written.report.neutralised) == (12, 2)
    assert written.size == path.stat().st_size
    content = path.read_bytes()
    assert b"NEVER" not in content
    assert "NEVER".encode("utf-16-le") not in content


def test_decimal_comma_only_where_every_value_is_a_number(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    write_table(sample(), path, ExportFormat(delimiter=";", decimal=","))
    table = back(path, ExportFormat(delimiter=";"))
    assert table["mean"].texts() == ["1,5", "-0,25", "2", ""] * 3
    assert table["text; with, signs"].texts()[10] == "1.50"


def test_a_character_the_encoding_has_not_is_named(tmp_path: Path) -> None:
    table = Table((Column.from_texts("a", ["x", "Ω"]),))
    with pytest.raises(WorkbenchError, match="“Ω”"):
        write_table(table, tmp_path / "out.csv", ExportFormat(encoding="cp1252"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "wrong",
    [{"delimiter": ""}, {"delimiter": "ab"}, {"delimiter": '"'}, {"delimiter": "x"}, {"encoding": "base64"},
     {"encoding": "nothing"}, {"decimal": "'"}],
)  # fmt: skip
def test_formats_that_cannot_be(wrong: dict[str, str]) -> None:
    with pytest.raises(WorkbenchError) as refused:
        ExportFormat(**wrong)  # type: ignore[arg-type]
    assert refused.value.field in wrong


def test_formats_follow_names_and_survive_json() -> None:
    assert [ExportFormat.of(name).form for name in ("a.csv", "b.PARQUET", "c.xlsx", "d")] == [
        "csv", "parquet", "xlsx", "csv",
    ]  # fmt: skip
    assert ExportFormat.of("x.tsv").delimiter == "\t"
    assert all(ExportFormat.from_json(style.to_json()) == style for style in STYLES)


def test_private_until_complete_and_nothing_where_the_check_fails(tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    seen: list[int] = []

    def check(file: object, written: Written) -> None:
        part = next(p for p in tmp_path.iterdir() if p.suffix == ".part")
        seen.append(stat.S_IMODE(part.stat().st_mode))
        assert len(file.read()) == written.size  # type: ignore[attr-defined]
        raise WorkbenchError("no")

    with pytest.raises(WorkbenchError, match="no"):
        write_table(sample(), path, ExportFormat(), check=check)
    assert seen == [0o600]
    assert path.read_text("utf-8") == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["out.csv"]
    write_table(sample(), path, ExportFormat())
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_without_room_nothing_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10, 10, 1000))
    with pytest.raises(WorkbenchError, match="free there"):
        write_table(sample(), tmp_path / "out.csv", ExportFormat())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_and_devices_are_told(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="device"):
        write_table(sample(), "/dev/full", ExportFormat())
    import resource

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    import signal

    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    large = Table((Column("a", np.zeros(200_000, dtype=np.uint8), ("x" * 50,)),))
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
        with pytest.raises(WorkbenchError, match="not enough room"):
            write_table(large, tmp_path / "out.csv", ExportFormat())
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may write anywhere")
def test_a_folder_that_is_read_only(tmp_path: Path) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o500)
    try:
        with pytest.raises(WorkbenchError, match="may not write"):
            write_table(sample(), folder / "out.csv", ExportFormat())
    finally:
        folder.chmod(0o700)


def test_the_input_is_never_overwritten_and_cancel_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text("a\n1\n", encoding="utf-8")
    link = tmp_path / "link.csv"
    link.symlink_to(path)
    for name in (path, link):
        with pytest.raises(WorkbenchError, match="must not be overwritten"):
            write_table(sample(), name, ExportFormat(), protected=[path])
    token = CancelToken()
    token.cancel()
    with pytest.raises(Cancelled):
        write_table(sample(), tmp_path / "out.csv", ExportFormat(), progress=Progress(token=token))
    assert path.read_text("utf-8") == "a\n1\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in.csv", "link.csv"]


def test_a_sheet_has_an_end(tmp_path: Path) -> None:
    large = Table((Column("a", np.zeros(1_048_576, dtype=np.uint8), ("x",)),))
    with pytest.raises(WorkbenchError, match="at most"):
        write_table(large, tmp_path / "out.xlsx", ExportFormat("xlsx"))
    assert list(tmp_path.iterdir()) == []


def test_the_same_workbook_twice_is_the_same_file(tmp_path: Path) -> None:
    if FORMATS["xlsx"].missing is not None:
        pytest.skip("the package for it is not installed")
    first = write_table(sample(), tmp_path / "a.xlsx", ExportFormat("xlsx"))
    assert write_table(sample(), tmp_path / "b.xlsx", ExportFormat("xlsx")).fingerprint == first.fingerprint
