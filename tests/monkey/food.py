"""Files a monkey finds to open: good ones first, then odd, hostile and broken ones."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

from workbench.core.paths import sample_data
from workbench.session import Session

_GOOD = ("nba_salaries.csv", "ages.csv", "baltimore_salaries.csv")


def lay_out(folder: Path) -> list[Path]:
    """Fill a folder; the first four are what a person would begin with."""
    folder.mkdir()
    samples = sample_data()
    for name in _GOOD:
        shutil.copy(samples / name, folder / name)
    _project(folder)
    for path in sorted(samples.glob("*_hierarchy_*")):
        shutil.copy(path, folder / path.name)
    _odd(folder)
    first = [folder / name for name in (*_GOOD, "small.wbench")]
    return [*first, *sorted(path for path in folder.iterdir() if path.is_file() and path not in first)]


def _project(folder: Path) -> None:
    lines = [f"{20 + i % 50},{'abc'[i % 3]},{1000 + 37 * i % 900}" for i in range(600)]
    (folder / "small.csv").write_text("\n".join(["age,place,pay", *lines]) + "\n", encoding="utf-8")
    session = Session()
    session.data.open(folder / "small.csv")
    session.save(folder / "small.wbench")


def _odd(folder: Path) -> None:
    (folder / "channel.csv").write_text(",yes,no\nyes,3/4,1/4\nno,1/4,3/4\n", encoding="utf-8")
    (folder / "broken.wbench").write_bytes(b"PK\x03\x04junk")
    with zipfile.ZipFile(folder / "empty.wbench", "w") as archive:
        archive.writestr("project.json", "{}")
    rows = "\n".join(f"{i % 7},{i % 3},<script>{i % 2}" for i in range(200))
    (folder / "markup.csv").write_text(f"<b>x</b>,<img src=file:///nowhere>,a\n{rows}\n", encoding="utf-8")
    (folder / "escapes.csv").write_text("a\x1b[2J,\x07b\n1,2\n3,4\n", encoding="utf-8")
    (folder / "ragged.csv").write_text("a,b\n1\n1,2,3\n4,5\n", encoding="utf-8")
    (folder / "heading_only.csv").write_text("a,b,c\n", encoding="utf-8")
    (folder / "nothing.csv").write_bytes(b"")
    (folder / "zeros.csv").write_bytes(b"\0" * 300)
    (folder / "latin.csv").write_bytes("née,größe\n1,2\n3,4\n".encode("latin-1"))
    (folder / "one.csv").write_text("only\nx\n", encoding="utf-8")
    (folder / "wide.csv").write_text(",".join(f"c{i}" for i in range(120)) + "\n" + ",".join("1" * 120) + "\n")
    (folder / "no_workbook.xlsx").write_bytes(b"PK\x05\x06" + b"\0" * 18)
    (folder / "no_table.parquet").write_bytes(b"PAR1junkPAR1")
