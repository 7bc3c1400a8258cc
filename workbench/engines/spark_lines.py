"""Lines of CSV files taken apart in Spark's SQL, by the rules of the program's own reader (`workbench.io.rows`)."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.errors import WorkbenchError
from workbench.core.progress import Progress
from workbench.engines.dialect import SPARK
from workbench.engines.files import TableFiles
from workbench.engines.spark_frames import SparkFrames
from workbench.io.column_codes import MAX_PROBLEMS, ReadingProblem
from workbench.io.rows import LONGEST, excerpt

FILE = 50
"""The bits of a row number below the place of its file: 2**17 cuts of a file, of 2**33 lines each."""
_PART = 33
_MOST_UNCLOSED = 50
_GOOD, _OTHER_WIDTH, _BLANK, _OPEN = 0, 1, 2, 3
_ENDS = r"(?:\r\n|\n|\r)\z"


@dataclass(frozen=True)
class _Grammar:
    """Regular expressions of Java for one row. All loops are possessive, so that none goes deep or back."""

    delimiter: str
    quote: str
    spaces: bool

    @property
    def _skipped(self) -> str:
        return " *+" if self.spaces else ""

    @property
    def _quoted(self) -> str:
        q = _character(self.quote)
        return f"{self._skipped}{q}([^{q}]*+(?:{q}{q}[^{q}]*+)*+)"

    @property
    def cell(self) -> str:
        """A cell and the delimiter after it, from where the last one ended."""
        d, q = _character(self.delimiter), _character(self.quote)
        rest = f"{self._quoted}{q}[^{d}]*+|{self._skipped}(?!{q})[^{d}]*+"
        return rf"\G(?:{rest}){d}"

    @property
    def opened(self) -> str:
        """A line at whose end a quotation mark is open."""
        return rf"\A(?:{self.cell[2:]})*+{self._quoted}\z"

    @property
    def quoted_cell(self) -> str:
        """Group 1 is what is within the marks, group 2 what follows them."""
        return rf"(?s)\A{self._quoted}{_character(self.quote)}(.*)\z"

    @property
    def between(self) -> str:
        """Pattern of the text between two cells of a line without quotation marks."""
        if self.spaces:
            return f"{_character(self.delimiter)}{self._skipped}"
        # Written in this way, Java looks for the character itself, which takes half as long as a pattern.
        return self.delimiter if self.delimiter.isalnum() else f"\\{self.delimiter}"


def located(path: Path) -> str:
    """A path as Spark takes it literally: its own patterns have no meaning in it."""
    text = str(path.absolute())
    for mark in "\\{}[]*?":
        text = text.replace(mark, f"\\{mark}")
    return f"file:{text}"


def _character(text: str) -> str:
    return rf"\x{{{ord(text):x}}}"


class Lines:
    """The lines of the files of a table, as relations.

    Parameters
    ----------
    above
        Lines of each file above its first row of values.
    width
        Cells of a row.
    """

    def __init__(self, store: SparkFrames, files: TableFiles, above: Sequence[int], width: int) -> None:
        self.store, self.files, self.above, self.width = store, files, above, width
        dialect = files.dialect
        self._grammar = _Grammar(dialect.delimiter, dialect.quote, dialect.skip_spaces)
        self.wanted = f"fate = {_GOOD}"
        self.rows = self.other_width = self.hurt = 0
        self.unclosed: list[tuple[int, str]] = []
        self._whole_ends = False

    def scan(self, progress: Progress) -> str:
        """Keep the rows with their cells t0, t1, …, their fate, and the line of those that have a problem."""
        text = "Reading the file"
        relation = self._keep(self._lines(), progress.part(0.0, 0.5), text)
        if self._counted(relation):
            self.store.drop(relation)
            self._whole_ends = True
            joined = self._joined(self._lines(), progress.part(0.5, 0.8))
            relation = self._keep(joined, progress.part(0.8, 1.0), text)
            self._counted(relation)
        if self.width == 1:
            self._keep_blank_lines_between(relation)
        return relation

    def _counted(self, relation: str) -> int:
        """Count the rows; gives the number of lines at whose end a quotation mark is open."""
        conditions = (f"fate = {_GOOD}", f"fate = {_OTHER_WIDTH}", f"hurt > 0 AND fate = {_GOOD}", f"fate = {_OPEN}")
        counted = ", ".join(f"count_if({condition})" for condition in conditions)
        self.rows, self.other_width, self.hurt, opened = self.store.rows(f"SELECT {counted} FROM {relation}")[0]
        return int(opened)

    def _lines(self) -> str:
        """A view of the lines below the headings: r, line, hurt. With their ends if they are to be joined."""
        session, views = self.store.session, []
        options = {"lineSep": "\n"} if self._whole_ends else {}
        for path in self.files.paths:
            frame = self.store.work(lambda path=path: session.read.text(located(path), **options))  # type: ignore[misc]
            views.append(self.store.name(frame))
        line, hurt = self._decoded("value")
        # A CR alone ends a line too; Spark knows that only where it takes the ends away.
        ends = SPARK.literal(r"(?<=\r)(?!\n)")
        source = "(SELECT explode(split(concat(value, '\\n'), {ends}, -1)) AS value FROM {view})"
        selects = []
        for place, (view, above) in enumerate(zip(views, self.above, strict=True)):
            start = place << FILE
            read = source.format(ends=ends, view=view) if self._whole_ends else view
            first = f"CASE WHEN r = {start} THEN trim(LEADING '\ufeff' FROM line) ELSE line END"
            numbered = (
                f"SELECT {start} + monotonically_increasing_id() AS r, {line} AS line, {hurt} AS hurt FROM {read}"
            )
            selects.append(f"SELECT r, {first} AS line, hurt FROM ({numbered}) AS x WHERE r >= {start + above}")
        name = self.store.name(self.store.work(lambda: session.sql(" UNION ALL ".join(selects))))
        for view in views:
            self.store.drop(view)
        return name

    def _decoded(self, value: str) -> tuple[str, str]:
        """Expressions of the text of a line, and of whether it had bytes that are none (1) or a NUL (2)."""
        encoding = codecs.lookup(self.files.dialect.encoding).name
        nul = f"instr({value}, '\\0') > 0"
        if encoding in ("utf-8", "utf-8-sig", "ascii"):
            sound = f"is_valid_utf8({value})"
            text = f"CASE WHEN {sound} THEN {value} ELSE make_valid_utf8({value}) END"
            hurt = f"NOT {sound}"
        else:
            text = f"decode(CAST({value} AS BINARY), {SPARK.literal(_java_name(encoding))})"
            hurt = f"instr({text}, '\ufffd') > 0"
        return (
            # Hardly any line has one, and `translate` looks each character up.
            f"CASE WHEN {nul} THEN translate({text}, '\\0', '\ufffd') ELSE {text} END",
            f"CASE WHEN {nul} THEN 2 WHEN {hurt} THEN 1 ELSE 0 END",
        )

    def _keep(self, lines: str, progress: Progress, text: str) -> str:
        """Take lines apart. Their view is dropped."""
        try:
            return self.store.keep(self._taken_apart(lines), progress, text)
        finally:
            self.store.drop(lines)

    def _taken_apart(self, lines: str) -> str:
        literal, grammar = SPARK.literal, self._grammar
        delimiter, quote = literal(grammar.delimiter), literal(grammar.quote)
        start = "ltrim(line)" if grammar.spaces else "line"
        cells = f"split({start}, {literal(grammar.between)}, -1)"
        if grammar.quote:
            found = f"regexp_extract_all(concat(line, {delimiter}), {literal(grammar.cell)}, 0)"
            plain = "ltrim(x)" if grammar.spaces else "x"
            inside = (
                f"replace(regexp_extract(x, {literal(grammar.quoted_cell)}, 1), {literal(grammar.quote * 2)}, {quote})"
            )
            after = f"regexp_extract(x, {literal(grammar.quoted_cell)}, 2)"
            one = f"CASE WHEN startswith({plain}, {quote}) THEN concat({inside}, {after}) ELSE {plain} END"
            parsed = f"transform(transform({found}, x -> left(x, length(x) - 1)), x -> {one})"
            opened = f"line RLIKE {literal(grammar.opened)}"
            # NULL stands for a row that is not closed.
            cells = f"CASE WHEN instr(line, {quote}) = 0 THEN {cells} WHEN {opened} THEN NULL ELSE {parsed} END"
        width = self.width
        blank = "line = ''" if width == 1 else r"size(cells) = 1 AND get(cells, 0) RLIKE '(?U)\\A[\\s\\x1c-\\x1f]*+\\z'"
        fate = (
            f"CASE WHEN cells IS NULL THEN {_OPEN} WHEN {blank} THEN {_BLANK} "
            f"WHEN size(cells) <> {width} THEN {_OTHER_WIDTH} ELSE {_GOOD} END"
        )
        named = ", ".join(f"get(cells, {place}) AS t{place}" for place in range(width))
        inner = f"SELECT r, line, hurt, {cells} AS cells FROM {lines}"
        judged = f"SELECT r, line, hurt, cells, {fate} AS fate FROM ({inner}) AS x"
        trouble = f"CASE WHEN fate = {_OTHER_WIDTH} OR hurt > 0 THEN line END"
        return (
            f"SELECT r, {named}, fate, hurt, {trouble} AS line, CASE WHEN fate = {_OTHER_WIDTH} THEN size(cells) END "
            f"AS width FROM ({judged}) AS y"
        )

    def _joined(self, lines: str, progress: Progress) -> str:
        """Join lines to rows where a quotation mark is open at the end of a line; gives a view of rows.

        Each line changes the state, open or not, by one of four functions: it stays, it turns, or it is set whatever it
        was. So the state after each line is what the last line that set it has set, turned as often as since then.
        """
        store, literal = self.store, SPARK.literal
        opened = literal(self._grammar.opened)
        body = f"regexp_replace(line, {literal(_ENDS)}, '')"
        quote = literal(self._grammar.quote)
        has = f"instr(line, {quote}) > 0"
        marked = store.keep(
            f"SELECT r, line, hurt, CAST({has} AND {body} RLIKE {opened} AS INT) AS o0, "
            f"CAST(NOT {has} OR concat({quote}, {body}) RLIKE {opened} AS INT) AS o1 FROM {lines}",
            progress,
            "Joining lines to rows",
        )
        store.drop(lines)
        try:
            while True:
                states = self._states(marked)
                rows = f"SELECT rec, max(after_last) AS open, sum(length(line)) AS size FROM {states} GROUP BY rec"
                bad = store.rows(
                    f"SELECT rec FROM ({rows}) AS x WHERE open = 1 OR size > {LONGEST} ORDER BY rec LIMIT 1", progress
                )
                if not bad:
                    break
                self._give_up(marked, states, int(bad[0][0]))
                store.drop(states)
        except BaseException:
            store.drop(marked)
            raise
        array = "transform(array_sort(collect_list(struct(r, line))), x -> x.line)"
        end = literal(_ENDS)
        return store.behind(
            states,
            f"SELECT r, regexp_replace(line, {end}, '') AS line, hurt FROM {states} WHERE before = 0 AND after = 0 "
            f"UNION ALL SELECT rec AS r, regexp_replace(array_join({array}, ''), {end}, '') AS line, max(hurt) AS hurt "
            f"FROM {states} WHERE before = 1 OR after = 1 GROUP BY rec",
        )

    def _states(self, marked: str) -> str:
        """Keep the lines of `marked` that were not given up, with the state before and after each, and their row."""
        window = f"(PARTITION BY shiftright(r, {FILE}) ORDER BY r)"
        left_out = ", ".join(str(row) for row, _ in self.unclosed)
        condition = f" WHERE r NOT IN ({left_out})" if left_out else ""
        turned = f"SELECT *, sum(CAST(o0 = 1 AND o1 = 0 AS INT)) OVER {window} AS turns FROM {marked}{condition}"
        since = f"SELECT *, last(CASE WHEN o0 = o1 THEN o0 + turns END, true) OVER {window} AS fixed FROM ({turned})"
        after = f"SELECT *, CAST((coalesce(fixed, 0) + turns) % 2 AS INT) AS after FROM ({since})"
        before = f"SELECT *, lag(after, 1, 0) OVER {window} AS before FROM ({after})"
        record = f"SELECT *, last(CASE WHEN before = 0 THEN r END, true) OVER {window} AS rec FROM ({before})"
        last = f"lead(r) OVER {window} IS NULL AND after = 1"
        return self.store.keep(
            f"SELECT r, line, hurt, before, after, rec, CAST({last} AS INT) AS after_last FROM ({record})"
        )

    def _give_up(self, marked: str, states: str, record: int) -> None:
        """Leave out the line where a quotation mark is opened and never closed."""
        if len(self.unclosed) == _MOST_UNCLOSED:
            raise WorkbenchError(
                f"In “{self.files.given.name}”, quotation marks {self.files.dialect.quote} are opened and never closed "
                f"in more than {_MOST_UNCLOSED} lines.",
                hint="Choose another quotation mark, or none, when opening the file.",
                field="quote",
            )
        # The line of the row that opens the mark which stays open is the first one of the row.
        line = self.store.rows(f"SELECT line FROM {states} WHERE r = {record}")[0][0]
        self.unclosed.append((record, str(line)))

    def _keep_blank_lines_between(self, relation: str) -> None:
        """In a table of one column a blank line between values is a row without a value."""
        last = self.store.rows(f"SELECT shiftright(r, {FILE}), max(r) FROM {relation} WHERE fate = {_GOOD} GROUP BY 1")
        between = " OR ".join(f"(r >= {int(file) << FILE} AND r < {int(row)})" for file, row in last)
        if between:
            self.wanted = f"(fate = {_GOOD} OR (fate = {_BLANK} AND ({between})))"
            self.rows = self.store.count(relation, self.wanted)

    def line_numbers(self, relation: str, rows: Sequence[int]) -> list[int]:
        """The lines, from 1, at which rows start in their files."""
        if not rows:
            return []
        lines = self._lines()
        try:
            found = self.store.fetch(
                f"SELECT shiftright(r, {_PART}) AS p, max(r & {(1 << _PART) - 1}) AS n FROM {lines} GROUP BY 1"
            )
        finally:
            self.store.drop(lines)
        order = np.argsort(found[0])
        parts, counts = found[0][order], found[1][order] + 1
        files = parts >> (FILE - _PART)
        before = np.cumsum(counts) - counts
        numbers = []
        for row in rows:
            place = int(np.searchsorted(parts, row >> _PART))
            start = int(before[np.searchsorted(files, row >> FILE)])
            inside = int(before[place]) - start if place < len(parts) and parts[place] == row >> _PART else 0
            numbers.append(inside + (row & ((1 << _PART) - 1)) + 1)
        return numbers


def problem_lines(
    lines: Lines, relation: str, names: Sequence[str], progress: Progress
) -> tuple[int, list[ReadingProblem], int]:
    """How many rows were skipped, the first problems, and how many there are."""
    store, skipped, hurt = lines.store, lines.other_width, lines.hurt
    unclosed = len(lines.unclosed)
    found: list[tuple[Any, ...]] = []
    if skipped or hurt:
        cells = ", ".join(f"t{place}" for place in range(len(names)))
        found = store.rows(
            f"SELECT r, line, fate, hurt, width, {cells} FROM {relation} WHERE fate = {_OTHER_WIDTH} OR "
            f"(hurt > 0 AND fate = {_GOOD}) ORDER BY r LIMIT {MAX_PROBLEMS}",
            progress,
        )
    places = [int(row[0]) for row in found] + [row for row, _ in lines.unclosed]
    numbers = lines.line_numbers(relation, places)
    problems: list[tuple[int, ReadingProblem]] = []
    dialect, paths = lines.files.dialect, lines.files.paths
    for row, number in zip(found, numbers, strict=False):
        place, line, fate, damage, width, *texts = row
        if fate == _OTHER_WIDTH:
            last = number + line.count("\n") + line.count("\r") - line.count("\r\n")
            over = f" (the row runs to line {last:,})" if last > number else ""
            shown = "1 cell" if width == 1 else f"{width:,} cells"
            problem = ReadingProblem(number, f"{shown} instead of {len(names):,}{over}", excerpt(line.splitlines()[0]))
        else:
            where = next((i for i, text in enumerate(texts) if text and "\ufffd" in text), 0)
            what = "a NUL character" if damage == 2 else f"bytes that are not {dialect.encoding}"
            problem = ReadingProblem(
                number, f"“{names[where]}” holds {what}, now \ufffd", excerpt(texts[where]), kept=True
            )
        problems.append((place, problem))
    reason = f"a quotation mark {dialect.quote} is opened and never closed"
    for (place, line), number in zip(lines.unclosed, numbers[len(found) :], strict=True):
        problems.append((place, ReadingProblem(number, reason, excerpt(line))))
    problems.sort(key=lambda one: one[0])
    if len(paths) > 1:
        problems = [(place, replace(problem, part=paths[place >> FILE].name)) for place, problem in problems]
    return skipped + unclosed, [problem for _, problem in problems][:MAX_PROBLEMS], skipped + hurt + unclosed


def _java_name(encoding: str) -> str:
    """Java's name for an encoding of Python's."""
    if encoding.startswith("cp125"):
        return f"windows-{encoding[2:]}"
    if encoding.startswith("iso8859-"):
        return f"ISO-8859-{encoding[8:]}"
    if encoding.startswith("cp") and encoding[2:].isdigit():
        return f"IBM{encoding[2:]}"
    return {"mac-roman": "x-MacRoman", "euc_jp": "EUC-JP", "euc_kr": "EUC-KR", "shift_jis": "Shift_JIS"}.get(
        encoding, encoding.replace("_", "-")
    )
