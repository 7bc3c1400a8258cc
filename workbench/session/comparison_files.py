"""Figures, CSV and JSON of what was compared; of true values for the analyst only."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import Findings
from workbench.evaluate.preset import PartResult, PresetResult
from workbench.io.atomic import atomic_write, check_writable, folder_for
from workbench.plots import comparison, comparison_bars, published_panel
from workbench.plots.comparison import ComparisonData
from workbench.plots.comparison_look import print_style
from workbench.plots.published_panel import PanelData
from workbench.plots.render import chart_csv, save_chart
from workbench.session.free_names import free_together

FORMATS = ("png", "svg", "pdf")


def write_findings(
    findings: Findings,
    folder: Path,
    stem: str,
    settings: FigureSettings | None = None,
    formats: Sequence[str] = FORMATS,
    place: float | None = None,
    enough: float | None = None,
    source: str = "",
    *,
    numbered: bool = False,
    pictures: str = "",
) -> list[Path]:
    """Figures, CSV and JSON of an experiment; for the analyst only, unless it is about a public shape.

    Parameters
    ----------
    place
        Where on the axis the caption compares the ways; at first where one looks.
    enough
        The error that is good enough, which the caption says; what sampling adds where nobody typed one.
    source
        What was asked, such as the name of a file, for the caption.
    numbered
        Whether all get a number where one of their names is taken, so that nothing is replaced.
    pictures
        The name of the figures and their caption, which are of one place, where it is not `stem`.

    Raises
    ------
    WorkbenchError
        If a file cannot be written; then none is.
    """
    data = ComparisonData(findings, settings or FigureSettings(), place, enough, source, leaves=True)
    files = _of_findings(data, folder / stem, formats, folder / (pictures or stem))
    return write_together(files, numbered=numbered)


def write_preset(
    result: PresetResult, folder: Path, formats: Sequence[str] = FORMATS, *, numbered: bool = False
) -> list[Path]:
    """Figures and CSV of every part of a preset, and one JSON of all of it. For the analyst only.

    Parameters
    ----------
    numbered
        As of `write_findings`.

    Raises
    ------
    WorkbenchError
        If a file cannot be written; then none is.
    """
    files: FileWriters = {}
    for number, part in enumerate(result.results, start=1):
        files |= _of_part(part, folder / f"{result.preset.identifier}-{number}-{_stem(part.title)}", formats)
    files[folder / f"{result.preset.identifier}.json"] = _text(_json(result.to_json()))
    return write_together(files, numbered=numbered)


FileWriters: TypeAlias = dict[Path, Callable[[Path], object]]
"""The function that writes each file."""


def _of_findings(data: ComparisonData, base: Path, formats: Sequence[str], pictures: Path | None = None) -> FileWriters:
    pictures = pictures or base
    findings, chosen = data.findings, data.settings
    size, style = (chosen.width, chosen.height), print_style(chosen)
    said = comparison.caption(data) if chosen.caption else None
    below, words = ("", "") if said is None else (said.printed(details=chosen.details), str(said))

    def draw(path: Path) -> None:
        save_chart(comparison, data, path, size, style, below, words)

    return {
        **dict.fromkeys((_named(pictures, one) for one in formats), draw),
        **({_named(pictures, "txt"): _text(f"{words}\n")} if words else {}),
        _named(base, "csv"): _text(chart_csv(comparison, data)),
        _named(base, "json"): _text(_json(findings.to_json(), analyst=not findings.experiment.basis.public)),
    }


def _of_part(part: PartResult, base: Path, formats: Sequence[str]) -> FileWriters:
    if part.findings is not None:
        return _of_findings(ComparisonData(part.findings, FigureSettings(title=part.title)), base, formats)
    if (bars := part.bars) is not None:
        drawn: FileWriters = {
            _named(base, one): lambda path: save_chart(comparison_bars, bars, path) for one in formats
        }
        return {**drawn, _named(base, "csv"): _text(chart_csv(comparison_bars, bars))}
    if part.table is None and part.part.panel is not None:
        panel = PanelData(part.part.panel)
        pictures: FileWriters = {
            _named(base, one): lambda path: save_chart(published_panel, panel, path) for one in formats
        }
        return {**pictures, _named(base, "csv"): _text(chart_csv(published_panel, panel))}
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(part.table or ())
    return {_named(base, "csv"): _text(text.getvalue())}


def _named(base: Path, ending: str) -> Path:
    return base.with_name(f"{base.name}.{ending}")


def _text(text: str) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        with atomic_write(path) as stream:
            stream.write(text.encode())

    return write


def write_together(files: FileWriters, *, numbered: bool) -> list[Path]:
    """Write all files of one folder, if every one of them may be written.

    Parameters
    ----------
    numbered
        As of `write_findings`.

    Raises
    ------
    WorkbenchError
        If a file cannot be written; then none is.
    """
    with folder_for(next(iter(files)).parent, "path"):
        if numbered:
            names = free_together(files)
            files = {names[path]: write for path, write in files.items()}
        for path in files:
            check_writable(path)
        for path, write in files.items():
            write(path)
    return list(files)


def _json(plain: dict[str, Any], *, analyst: bool = True) -> str:
    return json.dumps({"analyst only": analyst, **plain}, ensure_ascii=False, indent=1, allow_nan=False)


def _stem(title: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", title.lower().replace("ε", "epsilon").replace("δ", "delta"))
    return words.strip("-")[:48].strip("-")
