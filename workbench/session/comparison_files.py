"""Figures, CSV and JSON of what was compared. For the analyst only."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.evaluate.findings import Findings
from workbench.evaluate.preset import PartResult, PresetResult
from workbench.io.atomic import atomic_write
from workbench.plots import comparison, comparison_bars
from workbench.plots.comparison import Comparison
from workbench.plots.figure_settings import FigureSettings
from workbench.plots.render import chart_csv, save_chart

FORMATS = ("png", "svg", "pdf")


def write_findings(
    findings: Findings,
    folder: Path,
    stem: str,
    settings: FigureSettings | None = None,
    formats: Sequence[str] = FORMATS,
) -> list[Path]:
    """Figures, CSV and JSON of an experiment. For the analyst only.

    Raises
    ------
    WorkbenchError
        If a file cannot be written.
    """
    chosen = settings or FigureSettings()
    data = Comparison(findings, chosen)
    _make(folder)
    written = []
    for ending in formats:
        path = folder / f"{stem}.{ending}"
        save_chart(comparison, data, path, (chosen.width, chosen.height), chosen.print_style())
        written.append(path)
    written.append(_write(folder / f"{stem}.csv", chart_csv(comparison, data)))
    written.append(_write(folder / f"{stem}.json", _json(findings.to_json())))
    return written


def write_preset(result: PresetResult, folder: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
    """Figures and CSV of every part of a preset, and one JSON of all of it. For the analyst only.

    Raises
    ------
    WorkbenchError
        If a file cannot be written.
    """
    _make(folder)
    written = []
    for number, part in enumerate(result.results, start=1):
        stem = f"{result.preset.identifier}-{number}-{_stem(part.title)}"
        written += _write_part(part, folder, stem, formats)
    written.append(_write(folder / f"{result.preset.identifier}.json", _json(result.to_json())))
    return written


def _write_part(part: PartResult, folder: Path, stem: str, formats: Sequence[str]) -> list[Path]:
    if part.findings is not None:
        settings = FigureSettings(title=part.title)
        return write_findings(part.findings, folder, stem, settings, formats)
    if part.bars is not None:
        paths = [folder / f"{stem}.{ending}" for ending in formats]
        for path in paths:
            save_chart(comparison_bars, part.bars, path)
        return [*paths, _write(folder / f"{stem}.csv", chart_csv(comparison_bars, part.bars))]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(part.table or ())
    return [_write(folder / f"{stem}.csv", text.getvalue())]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WorkbenchError(
            f"The folder {folder.name} cannot be made: {error.strerror or error}.",
            hint="Choose a folder you may write to.",
            field="path",
        ) from error


def _write(path: Path, text: str) -> Path:
    with atomic_write(path) as stream:
        stream.write(text.encode())
    return path


def _json(plain: dict[str, Any]) -> str:
    return json.dumps({"analyst only": True, **plain}, ensure_ascii=False, indent=1, allow_nan=False)


def _stem(title: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "-", title.lower().replace("ε", "epsilon").replace("δ", "delta"))
    return words.strip("-")[:48].strip("-")
