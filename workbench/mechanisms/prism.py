"""A channel as a Markov chain for the model checker PRISM (M. Kwiatkowska, G. Norman, D. Parker, CAV 2011)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from workbench.io.atomic import atomic_write
from workbench.mechanisms.channel import Channel

_ASCII = str.maketrans({
    "ε": "epsilon", "δ": "delta", "α": "alpha", "β": "beta", "≤": "<=", "≥": ">=", "≈": "~", "×": "x", "·": "*",
    "±": "+-", "−": "-", "–": "-", "→": "->", "∞": "infinity", "√": "sqrt", "²": "^2", "′": "'", "“": '"', "”": '"',
    "’": "'", "…": "...", "\N{NO-BREAK SPACE}": " ",
})  # fmt: skip
"""Signs that a parser, or an editor, of such models may not know."""


def to_prism(channel: Channel, about: Sequence[str] = ()) -> str:
    """The channel as a model of PRISM: from the input one step leads to each output.

    `x` is the number of the input, a constant that is given when the model is checked, and `y` that of the output, −1
    before there is one. The probability of an output is `P=? [ F "output_0" ]`; with `-exact` PRISM computes with the
    fractions as they stand.

    Parameters
    ----------
    about
        What it is a model of, in lines that become comments.
    """
    lines = [
        "dtmc",
        *(f"// {_on_one_line(line)}" for line in about),
        "",
        *_listed("x: the input", channel.inputs),
        f"const int x; // 0 to {len(channel.inputs) - 1}",
        "",
        *_listed("y: the output", channel.outputs),
        "module mechanism",
        f"  y : [-1..{len(channel.outputs) - 1}] init -1;",
    ]
    for row in range(len(channel.inputs)):
        steps = []
        for column in range(len(channel.outputs)):
            value = channel.exact[row][column] if channel.exact is not None else float(channel.floats[row, column])
            if value:
                steps.append(f"{value}:(y'={column})" if channel.exact is not None else f"{value!r}:(y'={column})")
        lines.append(f"  [] y=-1 & x={row} -> {' + '.join(steps)};")
    lines += ["  [] y>=0 -> true;", "endmodule", ""]
    lines += [
        f'label "output_{place}" = y={place}; // {_on_one_line(name)}' for place, name in enumerate(channel.outputs)
    ]
    return "\n".join([*lines, ""])


def write_prism(channel: Channel, path: Path, about: Sequence[str] = ()) -> None:
    """Write the model, whole or not at all; `about` as of `to_prism`.

    Raises
    ------
    WorkbenchError
        If the file cannot be written.
    """
    with atomic_write(path, "t") as stream:
        stream.write(to_prism(channel, about))


def is_prism(path: Path) -> bool:
    """Whether a file is such a model."""
    try:
        with path.open(encoding="utf-8") as stream:
            return stream.readline().strip() == "dtmc"
    except (OSError, UnicodeDecodeError):
        return False


def _listed(title: str, names: tuple[str, ...]) -> list[str]:
    """Names as comments, each on one line whatever is in it."""
    return [f"// {title}", *(f"//   {place}: {_on_one_line(name)}" for place, name in enumerate(names))]


def _on_one_line(text: str) -> str:
    return " ".join(text.translate(_ASCII).split())
