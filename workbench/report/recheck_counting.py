"""A released file as counts: its classes, and the sensitive values in each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import itemgetter
from typing import Any, ClassVar

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import ANY
from workbench.core.progress import Progress
from workbench.report.recheck_models import Labels

_ROWS = 1 << 14
_MARKED = re.compile(r"'(?=[=+\-@\t\r\n＝＋－＠])")
_WITH_COMMA = re.compile(r"[+-]?[0-9]*,?[0-9]+(?:[eE][+-]?[0-9]+)?")


@dataclass(frozen=True)
class Counted:
    """The file as counts."""

    rows: int
    grouped: tuple[str, ...]
    sizes: Mapping[Labels, int]
    values: Mapping[str, Mapping[Labels, Counter[str]]]
    order: tuple[Labels, ...]
    """The labels row by row, of a file that is not too long for that."""

    MOST_IN_ORDER: ClassVar[int] = 200_000

    @classmethod
    def of(
        cls,
        lines: Iterator[Sequence[str]],
        names: tuple[str, ...],
        grouped: tuple[str, ...],
        sensitive: tuple[str, ...],
        decimal: str,
        progress: Progress,
    ) -> Counted:
        wanted = tuple(dict.fromkeys((*grouped, *sensitive)))
        pick = _picker([names.index(name) for name in wanted])
        raw: Counter[Labels] = Counter()
        order: list[Labels] = []
        rows, width = 0, {len(names)}
        while block := list(islice(lines, _ROWS)):
            progress(0.5, f"{rows:,} rows read back")
            if set(map(len, block)) != width:
                number, cells = next((n, row) for n, row in enumerate(block, rows + 1) if len(row) != len(names))
                raise WorkbenchError(
                    f"Row {number:,} of the file has {len(cells)} cells, and there are {len(names)} columns.",
                    hint="Check the delimiter.",
                    field="path",
                )
            chosen = list(map(pick, block))
            raw.update(chosen)
            rows += len(block)
            order = [*order, *chosen] if rows <= cls.MOST_IN_ORDER else []
        clean = [_cleaner({row[place] for row in raw}, decimal) for place in range(len(wanted))]
        place = {name: wanted.index(name) for name in wanted}
        sizes: Counter[Labels] = Counter()
        values: dict[str, dict[Labels, Counter[str]]] = {name: {} for name in sensitive}
        labels_of: dict[Labels, Labels] = {}
        among = _picker([place[name] for name in grouped])
        for row, count in raw.items():
            texts = [known[text] for known, text in zip(clean, row, strict=True)]
            labels = among(texts)
            if order:
                labels_of[row] = labels
            sizes[labels] += count
            for name in sensitive:
                here = values[name].get(labels)
                if here is None:
                    here = values[name][labels] = Counter()
                here[texts[place[name]]] += count
        in_order = tuple(labels_of[row] for row in order)
        return cls(rows, grouped, sizes, values, in_order)

    def labels(self, name: str) -> set[str]:
        """The distinct labels of a grouped column."""
        place = self.grouped.index(name)
        return {labels[place] for labels in self.sizes}


def _picker(places: list[int]) -> Any:
    if len(places) == 1:
        only = places[0]
        return lambda row: (row[only],)
    return itemgetter(*places) if places else lambda row: ()


def plain(text: str) -> str:
    """The text without the apostrophe that keeps spreadsheets from running it."""
    return text[1:] if _MARKED.match(text) else text


def _cleaner(texts: set[str], decimal: str) -> dict[str, str]:
    """For each text of a column what it was before it was made safe and got its decimal mark."""
    known = {text: plain(text) for text in texts}
    if decimal == "," and all(_WITH_COMMA.fullmatch(text) or text in ("", ANY) for text in known.values()):
        return {text: clean.replace(",", ".") for text, clean in known.items()}
    return known
