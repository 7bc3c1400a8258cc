"""Published figures by number: runs, lists and files of them, of a shipped sample or of one's own column."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.core.paths import resources
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.preset import Needs
from workbench.evaluate.published.catalogue import BY_PRESET, covered
from workbench.evaluate.published.entry import (
    Agreement,
    FigureInput,
    FigureOutcome,
    OurValue,
    PublishedFigure,
    agreement,
    run_figure,
    verdict_on,
)
from workbench.io.atomic import atomic_write, check_writable, folder_for
from workbench.plots import published_panel
from workbench.plots.published_panel import PanelData
from workbench.plots.render import chart_csv, save_chart
from workbench.session.comparison import ComparisonDesk, sample_of

RECORDED = "published_values.json"
"""What a run with seed 1 came to; a test makes all of it again."""


def figure_runner(
    desk: ComparisonDesk,
    figure: PublishedFigure,
    column: str = "",
    tell: Callable[[FigureOutcome], None] | None = None,
    *,
    repetitions: int | None = None,
    seed: int = 1,
) -> Callable[[Progress], FigureOutcome]:
    """Make a published figure again, bound together now; call it on any thread.

    Parameters
    ----------
    column
        A column of the open data; "" takes the shipped sample.
    tell
        Is told what there is so far, on the thread that runs this.

    Raises
    ------
    WorkbenchError
        If fewer than one repetition is asked for, the figure needs no data but a column is given, or no look at the
        open data is recorded.
    """
    times = figure.repetitions if repetitions is None else repetitions
    if times < 1:
        raise WorkbenchError(
            f"{times} repetitions try nothing.", hint="Give a whole number above 0.", field="repetitions"
        )
    if column and figure.sample is None:
        raise WorkbenchError(f"{figure.number} is made of no data.", hint="Leave the column out.", field="column")
    read = desk.column_reader(column) if column else None

    def work(progress: Progress = SILENT) -> FigureOutcome:
        reading = progress.part(0.0, 0.1)
        if read is not None:
            material, data, name = *read(reading), column
        else:
            material, name, data = sample_of(figure.sample, reading)
        if name and figure.needs is Needs.NUMBERS and not material.schema[name].kind.numeric:
            raise WorkbenchError(
                f"“{name}” holds no numbers, and “{figure.title}” is about numbers.",
                hint="Choose a column of numbers.",
                field="column",
            )
        given = FigureInput(material, name, bool(column), times, seed, progress.part(0.1, 1.0))
        return run_figure(figure, given, data=data, partial=tell)

    return work


@cache
def recorded() -> dict[str, dict[str, list[float]]]:
    """By figure and value: mean, deviation of one repetition and repetitions of a run with seed 1."""
    with (resources() / RECORDED).open(encoding="utf-8") as stream:
        plain: dict[str, dict[str, list[float]]] = json.load(stream)
    return plain


def recorded_agreements(figure: PublishedFigure) -> tuple[Agreement, ...]:
    """Every published value beside the recorded one."""
    kept = recorded().get(figure.identifier, {})

    def ours(what: str) -> OurValue | None:
        return OurValue(kept[what][0], kept[what][1], int(kept[what][2])) if what in kept else None

    return tuple(agreement(value, ours(value.what)) for value in figure.values)


def listed(figure: PublishedFigure) -> dict[str, Any]:
    """A figure as JSON of `preset --list`: its values as published and as recorded here, and whether they agree."""
    values = recorded_agreements(figure)
    return {
        "number": figure.number,
        "source": figure.source,
        "published": {one.value.what: one.value.value for one in values},
        "ours": {one.value.what: None if one.ours is None else one.ours.mean for one in values},
        "agree": all(one.agrees for one in values) if values else None,
    }


def listed_of_preset(identifier: str) -> dict[str, Any]:
    """The same of all figures that a preset redoes with settings of its own; nothing of a preset of a plug-in."""
    figures = [covered(number) for number in BY_PRESET.get(identifier, ())]
    parts = [listed(figure) for figure in figures]
    agreeing = [part["agree"] for part in parts if part["agree"] is not None]
    return {
        "number": ", ".join(figure.number for figure in figures),
        "source": "; ".join(dict.fromkeys(figure.document.value for figure in figures)),
        "published": {f"{part['number']}: {what}": one for part in parts for what, one in part["published"].items()},
        "ours": {f"{part['number']}: {what}": one for part in parts for what, one in part["ours"].items()},
        "agree": all(agreeing) if agreeing else None,
    }


def agreement_words(figure: PublishedFigure) -> str:
    """Such as “14 of 15 values agree”, from the recorded run."""
    values = recorded_agreements(figure)
    return verdict_on(values).replace("published ", "", 1) if values else "no published value"


_LINE = {"": "not there", "yes": "agrees", "within wide chance": "agrees, within wide chance", "no": "differs"}


def outcome_lines(outcome: FigureOutcome) -> tuple[str, ...]:
    """A finished figure in words."""
    figure = outcome.figure
    settings = [f"  {name}: published {there}; mended {here}" for name, there, here in figure.settings]
    values = [f"  {_LINE[one.word]}: {one.text}" for one in outcome.agreements]
    lines = [f"{figure.number}: {figure.title} ({figure.source}).", figure.caption, "Settings:", *settings]
    if not outcome.own:
        lines += [f"{outcome.verdict}:", *values]
    for words, side in (("As published", outcome.published), ("Mended", outcome.mended)):
        for panel in side.panels:
            lines.append(f"{words}, {panel.title}:" if panel.title != words else f"{words}:")
            lines += [f"  {' | '.join(row)}" for row in panel.rows]
            for curve in panel.curves:
                if curve.places and not panel.labels:
                    first, last = estimate(curve.places[0], 5), estimate(curve.places[-1], 5)
                    ends = f"{estimate(curve.means[0], 4)} at {first}, {estimate(curve.means[-1], 4)} at {last}"
                    lines.append(f"  {curve.name}: {ends}")
    return (*lines, "Where it differs and why:", *(f"  {line}" for line in outcome.differs))


def panels_of(outcome: FigureOutcome) -> tuple[tuple[str, PanelData], ...]:
    """Every panel of both sides, with the published values on the side made as published."""
    values = () if outcome.own else outcome.figure.values
    published = [
        ("published", PanelData(panel, tuple(one for one in values if one.curve and one.panel == number)))
        for number, panel in enumerate(outcome.published.panels)
    ]
    return (*published, *(("mended", PanelData(panel)) for panel in outcome.mended.panels))


def write_figure(outcome: FigureOutcome, folder: Path, formats: Sequence[str]) -> list[Path]:
    """Pictures and CSV of every panel, and one JSON of all of it.

    Raises
    ------
    WorkbenchError
        If a file cannot be written; then none is.
    """
    files: dict[Path, Callable[[Path], object]] = {}
    for number, (side, data) in enumerate(panels_of(outcome), start=1):
        stem = f"{outcome.figure.identifier}-{number}-{side}"
        files[folder / f"{stem}.csv"] = partial(_text, chart_csv(published_panel, data))
        if not data.panel.rows:
            files |= {folder / f"{stem}.{one}": partial(_drawn, data) for one in formats}
    plain = json.dumps({"analyst only": outcome.own, **outcome.to_json()}, ensure_ascii=False, indent=1)
    files[folder / f"{outcome.figure.identifier}.json"] = partial(_text, plain)
    with folder_for(folder, "path"):
        for path in files:
            check_writable(path)
        for path, write in files.items():
            write(path)
    return list(files)


def _drawn(data: PanelData, path: Path) -> None:
    save_chart(published_panel, data, path)


def _text(text: str, path: Path) -> None:
    with atomic_write(path) as stream:
        stream.write(text.encode())
