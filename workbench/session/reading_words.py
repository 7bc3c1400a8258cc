"""The reading of columns, as words of a command that names the data file and no project."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.core.errors import WorkbenchError
from workbench.core.flags import typed_words
from workbench.core.number_example import example_of, format_shown
from workbench.core.schema import ColumnSpec
from workbench.project.loading import Loaded


def reading_words(specs: Iterable[ColumnSpec], loaded: Loaded | None) -> list[str]:
    """The options for the columns that are read otherwise than a command would guess.

    Parameters
    ----------
    loaded
        The open data with what is guessed; None where none is, so that nobody knows.

    Raises
    ------
    WorkbenchError
        If no option says how a column is read.
    """
    words: list[str] = []
    for spec in specs:
        guess = None if loaded is None else loaded.proposed[spec.name]
        if guess is None or (spec.kind, spec.format, spec.missing) == (guess.kind, guess.format, guess.missing):
            continue
        if spec.kind is not guess.kind:
            words += _option("--kind", spec, spec.kind.value)
        if spec.kind.temporal:
            words += _option("--format", spec, spec.format.pattern)
        elif spec.kind.numeric:
            shown = example_of(spec.format)
            if format_shown(shown) != spec.format:
                raise _unsaid(spec)
            words += _option("--format", spec, shown)
        if spec.missing != guess.missing:
            if "" not in spec.missing or spec.missing == ("",):
                raise _unsaid(spec)
            words += [word for text in spec.missing if text for word in _option("--missing-text", spec, text)]
    return words


def _option(flag: str, spec: ColumnSpec, text: str) -> list[str]:
    return list(typed_words(flag, f"{spec.name}={text}"))


def _unsaid(spec: ColumnSpec) -> WorkbenchError:
    return WorkbenchError(
        f"No command says how “{spec.name}” is read here without a project.",
        hint="Save the project, then copy the command.",
        field=spec.name,
    )
