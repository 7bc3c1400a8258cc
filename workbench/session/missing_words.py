"""Texts that stand for no value, in words: those of a list of the program, which nobody chose, and the others."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.core.missing_codes import NO_VALUE
from workbench.core.schema import ColumnSpec


def missing_words(columns: Iterable[ColumnSpec]) -> str:
    """What stands for no value. Among numbers and dates usual words do by a list of the program, and nobody chose those
    that occur.
    """
    specs = list(columns)
    usual = _by_list(specs)
    typed = {"an empty cell": None} | {
        f"“{text}”": None for spec in specs for text in filter(None, spec.missing) if not _is_by_list(spec, text)
    }
    said = ", ".join(typed)
    return f"{said}; from the program’s own list {', '.join(usual)}" if usual else said


def chosen_missing(columns: Iterable[ColumnSpec]) -> str:
    """The same where somebody chose one of these texts; "" where all are those of the program."""
    specs = list(columns)
    typed = any(text and not _is_by_list(spec, text) for spec in specs for text in spec.missing)
    return missing_words(specs) if typed else ""


def usual_missing(columns: Iterable[ColumnSpec]) -> str:
    """What stands for no value by the list of the program alone, as it is said where a file is opened; "" for none."""
    specs = [spec for spec in columns if _by_list([spec])]
    if not specs:
        return ""
    kinds = ("numbers", any(spec.kind.numeric for spec in specs)), ("dates", any(spec.kind.temporal for spec in specs))
    among = " and ".join(kind for kind, there in kinds if there)
    return f"{', '.join(_by_list(specs))} among {among}: no value"


def _by_list(columns: Iterable[ColumnSpec]) -> list[str]:
    found = (text for spec in columns for text in filter(None, spec.missing) if _is_by_list(spec, text))
    return [f"“{text}”" for text in dict.fromkeys(found)]


def _is_by_list(spec: ColumnSpec, text: str) -> bool:
    return (spec.kind.numeric or spec.kind.temporal) and text.strip().casefold() in NO_VALUE
