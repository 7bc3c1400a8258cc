"""Write the synthetic samples, their hierarchies and the notes beside them.

Run `python sample_data/generate.py` to rewrite the files of this directory, identical to the last byte, or
`python sample_data/generate.py --out DIR` to write them elsewhere.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from recipes import ages, baltimore, nba, spiky_ages, surgery, surgery_tail
from recipes.common import Sample

RECIPES = {
    "nba": nba.make,
    "nba since 1990": nba.make_since_1990,
    "baltimore": baltimore.make,
    "surgery": surgery.make,
    "surgery with its tail": surgery_tail.make,
    "ages": ages.make,
    "spiky ages": spiky_ages.make,
}


def write(sample: Sample, out: Path) -> None:
    """Write the data file of one sample and, for each hierarchy, its CSV and its note."""
    data = _csv_bytes([sample.header, *sample.rows], ",")
    if sample.file.endswith(".gz"):
        packed = io.BytesIO()
        # No name and no time in the header: the same rows give the same bytes.
        with gzip.GzipFile(filename="", mode="wb", fileobj=packed, compresslevel=9, mtime=0) as stream:
            stream.write(data)
        data = packed.getvalue()
    (out / sample.file).write_bytes(data)
    for hierarchy in sample.hierarchies:
        parts = [sample.short_name, "hierarchy", hierarchy.column, hierarchy.variant]
        stem = "_".join(part for part in parts if part).replace(" ", "_")
        (out / f"{stem}.csv").write_bytes(_csv_bytes(hierarchy.rows, ";"))
        note = {
            "format": "workbench-hierarchy-note",
            "version": 1,
            "provenance": hierarchy.provenance,
            "origin": hierarchy.origin,
        }
        text = json.dumps(note, indent=2, ensure_ascii=False) + "\n"
        (out / f"{stem}.json").write_bytes(text.encode("utf-8"))


def _csv_bytes(rows: Iterable[Sequence[str]], delimiter: str) -> bytes:
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return stream.getvalue().encode("utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write the synthetic samples of the workbench.")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(__file__).resolve().parent,
        metavar="DIR",
        help="directory to write to (default: the one of this program)",
    )
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    for make in RECIPES.values():
        write(make(), out)


if __name__ == "__main__":
    main()
