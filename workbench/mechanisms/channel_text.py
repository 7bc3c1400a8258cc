"""Channels as text: read from a table of fractions, written as CSV, as LaTeX and for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from workbench.core.amount_text import read_chance
from workbench.core.errors import WorkbenchError
from workbench.core.exact import SMALLEST, nearest_float, refuse_smaller
from workbench.core.number_text import file_text
from workbench.io.atomic import atomic_write
from workbench.io.writing import neutral
from workbench.mechanisms.channel import ROUNDING, Channel

_SEPARATORS = ("\t", ";", ",")
_FORMULA = re.compile(r"=\d+/\d+")
_EXACT_CELLS = 250_000
"""Larger tables of decimal numbers are read as floating point at once; a million fractions take several seconds."""

_SMALLEST = float(SMALLEST)
_LATEX_SIGNS = {
    "ε": r"\varepsilon", "δ": r"\delta", "β": r"\beta", "≤": r"\le", "≥": r"\ge", "±": r"\pm", "×": r"\times",
    "−": "-", "∞": r"\infty", "√": r"\surd", "≈": r"\approx", "α": r"\alpha", "²": "^2", "′": "'", "·": r"\cdot",
    "…": r"\dots", "→": r"\to",
}  # fmt: skip
"""Signs that not every LaTeX sets as they are."""
_LATEX_TEXT = {"“": "``", "”": "''", "’": "'", "–": "--", "\N{NO-BREAK SPACE}": "~"}
"""The same of signs that need no formula."""
_RELATIONS = "[=<>]|" + "|".join(re.escape(_LATEX_SIGNS[sign]) for sign in "≤≥≈")
_NUMBER = r"\d+(?:\.\d+)?(?:/\d+)?(?![\d,.]*\d)"
_LATEX = str.maketrans({sign: f"\\{sign}" for sign in "&%$#_{}"})


def parse_channel(text: str, source: str = "the table") -> Channel:
    """Read a channel from a table: the outputs in the first line, then one line per input that begins with its name.

    A table of probabilities alone, each of whose lines sums to 1, has no names: its inputs and outputs are numbered.
    Cells are parted by commas, semicolons, tabs or, without any of these, by spaces. Probabilities may be fractions.
    If every row sums to 1 exactly the channel is exact, otherwise it is taken as rounded and known in floating point.

    Raises
    ------
    WorkbenchError
        If the table is ragged, a cell is no number, a row is no probability distribution, or it could be read both
        with names and without.
    """
    rows = [row for row in _cells(text) if any(row)]
    if not _is_bare(rows):
        return _named(rows, source)
    try:
        _named(rows, source)
    except WorkbenchError:
        numbers = [str(number + 1) for number in range(len(rows[0]))]
        return _named([["", *numbers], *([str(place), *row] for place, row in enumerate(rows, 1))], source)
    raise WorkbenchError(
        f"The first line of {source} may hold names of outputs or probabilities.",
        hint="Write a line of outputs before it if it holds probabilities, or give an output a name that is no number.",
        field="channel",
    )


def _is_bare(rows: list[list[str]]) -> bool:
    """Whether that is nothing but probabilities: lines of the same length, each of which sums to 1."""
    if len(rows) < 2 or len({len(row) for row in rows}) > 1:
        return False
    try:
        return all(abs(sum(map(_float, row)) - 1) <= ROUNDING for row in rows)
    except WorkbenchError:
        return False


def _named(rows: list[list[str]], source: str) -> Channel:
    if len(rows) < 2:
        raise WorkbenchError(
            f"There is no channel in {source}.",
            hint="Write the outputs in the first line, then one line per input: its name and its probabilities.",
            field="channel",
        )
    width = len(rows[1])
    # The corner above the names of the inputs may be left out.
    outputs = rows[0][1:] if len(rows[0]) == width else rows[0]
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(outputs) + 1:
            raise WorkbenchError(
                f"Line {number} of {source} has {len(row)} cells, and {len(outputs) + 1} are needed.",
                hint="Every line holds the name of an input and one probability per output.",
                field="channel",
            )
    inputs = [row[0] for row in rows[1:]]
    if len(inputs) * len(outputs) > _EXACT_CELLS and not any("/" in cell for row in rows[1:] for cell in row[1:]):
        return Channel.of_floats(inputs, outputs, [[_float(cell) for cell in row[1:]] for row in rows[1:]])
    table = [[read_chance(cell, field="channel") for cell in row[1:]] for row in rows[1:]]
    if any(_is_rounded(row) for row in table):
        return Channel.of_floats(inputs, outputs, [[_nearest(value) for value in row] for row in table])
    return Channel.of_fractions(inputs, outputs, table)


def _is_rounded(row: list[Fraction]) -> bool:
    off = abs(sum(row, Fraction(0)) - 1)
    return 0 < off <= Fraction(ROUNDING)


def _float(cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        return _nearest(read_chance(cell, field="channel"))
    # Nothing that is possible may become impossible, nor be rounded much, by being a float.
    plain = value >= _SMALLEST or not cell.strip("0.")
    return value if plain else _nearest(read_chance(cell, field="channel"))


def _nearest(value: Fraction) -> float:
    return nearest_float(refuse_smaller(value, field="channel"))


def read_channel(path: Path) -> Channel:
    """Read a channel from a CSV file.

    Raises
    ------
    WorkbenchError
        If the file cannot be read or holds no channel.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise WorkbenchError(
            f"There is no file “{path}”.", hint="It may have been moved or renamed.", field="channel"
        ) from error
    except (OSError, UnicodeDecodeError) as error:
        raise WorkbenchError(
            f"The channel {path.name} cannot be read: {error}.", hint="Choose a CSV in UTF-8.", field="channel"
        ) from error
    return parse_channel(text, path.name)


def _cells(text: str) -> list[list[str]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    separator = next((sign for sign in _SEPARATORS if sign in first), None)
    if separator is None:
        return [[_plain(cell) for cell in line.split()] for line in text.splitlines()]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        return [[_plain(cell) for cell in row] for row in reader]
    except csv.Error as error:
        raise WorkbenchError(
            f"Line {reader.line_num} cannot be read as cells: {error}.", hint="Correct it there.", field="channel"
        ) from error


def _plain(cell: str) -> str:
    """A cell without the sign that makes a formula of a fraction, or that keeps a name from being one."""
    cell = cell.strip()
    return cell[1:] if _FORMULA.fullmatch(cell) or neutral(cell[1:]) == cell else cell


def is_channel(path: Path) -> bool:
    """Whether a file is a channel."""
    try:
        read_channel(path)
    except WorkbenchError:
        return False
    return True


def to_csv(channel: Channel) -> str:
    """The channel as `parse_channel` reads it, without a rounding."""
    return _table(channel, ",", str)


def for_spreadsheet(channel: Channel) -> str:
    """The channel as cells parted by tabs, fractions as formulas such as `=2/3`.

    A spreadsheet takes 2/3 for a day in March, and 0.6667 for a word where numbers have a decimal comma.
    `parse_channel` reads it, too.
    """
    return _table(channel, "\t", lambda value: str(value) if value.denominator == 1 else f"={value}")


def _table(channel: Channel, delimiter: str, written: Callable[[Fraction], str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    # Names may come from somebody else; numbers stay as they are.
    writer.writerow(["", *map(neutral, channel.outputs)])
    for place, name in enumerate(map(neutral, channel.inputs)):
        if channel.exact is not None:
            writer.writerow([name, *map(written, channel.exact[place])])
        else:
            writer.writerow([name, *(repr(value) for value in channel.floats[place].tolist())])
    return text.getvalue()


def write_channel(channel: Channel, path: Path) -> None:
    """Write the channel as CSV, whole or not at all.

    Raises
    ------
    WorkbenchError
        If the file cannot be written.
    """
    with atomic_write(path, "t") as stream:
        stream.write(to_csv(channel))


def to_latex(channel: Channel) -> str:
    """The channel as a LaTeX array with fractions."""
    lines = [
        r"\begin{array}{r|" + "c" * len(channel.outputs) + "}",
        " & ".join(["", *(_latex_name(name) for name in channel.outputs)]) + r" \\ \hline",
    ]
    for place, name in enumerate(channel.inputs):
        cells = [_latex_name(name)]
        for column in range(len(channel.outputs)):
            if channel.exact is not None:
                value = channel.exact[place][column]
                whole = value.denominator == 1
                cells.append(str(value) if whole else rf"\frac{{{value.numerator}}}{{{value.denominator}}}")
            else:
                cells.append(file_text(channel.floats[place, column], 6))
        lines.append(" & ".join(cells) + r" \\")
    return "\n".join([*lines, r"\end{array}", ""])


def latex_table(channel: Channel, caption: str, name: str) -> str:
    """The array as a table of its own, with a caption, and a label such as `tab:channel` after the name of its file."""
    label = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "channel"
    lines = (
        r"\begin{table}",
        r"% \text is of the package amsmath",
        r"\centering",
        f"\\[\n{to_latex(channel)}\\]",
        rf"\caption{{{_latex_words(caption)}}}",
        rf"\label{{tab:{label}}}",
        r"\end{table}",
        "",
    )
    return "\n".join(lines)


def _latex_words(text: str) -> str:
    """Sentences as LaTeX sets them in a paragraph."""
    signs: dict[str, str | int | None] = {sign: f"\\{sign}" for sign in "&%$#_{}"}
    signs |= {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\n": " "}
    signs |= {sign: f"${command}$" for sign, command in _LATEX_SIGNS.items()}
    set_so = re.sub(r"\bln\((\d+(?:/\d+)?)\)", r"$\\ln(\1)$", text.translate(str.maketrans(signs | _LATEX_TEXT)))
    set_so = re.sub(r"\bln (\d+(?:/\d+)?)", r"$\\ln \1$", set_so)
    # What is one formula is one: “ε = ln(3) ≈ 1.099” and not its signs alone.
    set_so = re.sub(rf"(?<=\$) ([=<>]) (?=\$|{_NUMBER})", r" $\1$ ", set_so)
    set_so = re.sub(rf"(\$(?:{_RELATIONS})\$) ({_NUMBER})", r"\1 $\2$", set_so)
    return re.sub(r"(?<!\\)\$ \$", " ", set_so)


def _latex_name(name: str) -> str:
    if name.lstrip("-").isdigit():
        return name
    name = " ".join(name.splitlines())  # an end of a line is a space there
    escaped = name.replace("\\", r"\backslash ").translate(_LATEX).replace("≤", r"$\le$").replace("≥", r"$\ge$")
    return rf"\text{{{escaped}}}"
