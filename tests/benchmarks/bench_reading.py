"""Reading and writing a CSV: 200,000 and a million rows with nine columns; time and peak memory."""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from pathlib import Path

from workbench.io.reading import preview, read_table
from workbench.io.writing import write_csv

SIZES = (200_000, 1_000_000)
_DISTINCT = (2, 73, 5, 7, 16, 41, 8, 14, 2)
_BLOCK = 10_000


def made(path: Path, rows: int) -> None:
    """A file like Adult: nine columns of few values, about 80 bytes a row."""
    rng = random.Random(1)
    values = [[f"value {number} of {count}" for number in range(count)] for count in _DISTINCT]
    block = "".join(";".join(map(rng.choice, values)) + "\n" for _ in range(_BLOCK))
    with path.open("w", encoding="utf-8") as file:
        file.write(";".join(f"column {number}" for number in range(len(_DISTINCT))) + "\n")
        for _ in range(rows // _BLOCK):
            file.write(block)


def peak() -> float:
    """The most memory this process has used, in MB."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / (1 << 20 if sys.platform == "darwin" else 1 << 10)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "data.csv")
        for rows in SIZES:
            made(path, rows)
            start = time.perf_counter()
            preview(path)
            seen = time.perf_counter()
            table = read_table(path).table
            read = time.perf_counter()
            memory = peak()
            write_csv(table, Path(folder, "out.csv"))
            written = time.perf_counter()
            print(
                f"{rows:>9,} rows × {len(table.columns)}: preview {seen - start:.2f} s, read {read - seen:.2f} s, "
                f"write {written - read:.2f} s, peak {memory:.0f} MB"
            )


if __name__ == "__main__":
    main()
