"""Published figures by number: runs, lists and files of them, of a shipped sample or of the user's own column."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.number_text import NONE, count, estimate, spelled
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.findings import Findings, crossings
from workbench.evaluate.preset import PRESETS, PresetResult, said_of
from workbench.evaluate.published.agreement import (
    Accord,
    Agreement,
    Said,
    ValueStanding,
    agree_together,
    apart_together,
    said_of_all,
    tallied,
    together,
)
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, PublishedFigure, run_figure
from workbench.evaluate.published.panel import MENDED, NAMED, RUN_HERE, SIDES, PanelCurve, PublishedPanel, PublishedText
from workbench.evaluate.published.thumbnails import Thumbnail, thumbnails
from workbench.evaluate.published.verdicts import counted, verdict_by_standing
from workbench.evaluate.samples import Needs
from workbench.io.atomic import atomic_write
from workbench.plots import published_panel
from workbench.plots.published_panel import PanelData
from workbench.plots.render import chart_csv, save_chart
from workbench.session.comparison import ComparisonDesk
from workbench.session.comparison_files import write_together
from workbench.session.published_captions import printed_caption
from workbench.session.published_meanings import meaning_here


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
        If fewer than one repetition is asked for, the figure needs no data but a column is given, its public bounds
        are not declared, or no look at the open data is recorded.
    """
    times = figure.repetitions if repetitions is None else repetitions
    if times < 1:
        raise WorkbenchError(
            f"{times} repetitions try nothing.", hint="Give a whole number above 0.", field="repetitions"
        )
    if column and figure.needs is Needs.NOTHING:
        raise WorkbenchError(f"{figure.number} is made of no data.", hint="Leave the column out.", field="column")
    if (lacking := desk.lacks(figure, column)) is not None:
        raise lacking
    read = desk.published_reader(figure, column)

    def work(progress: Progress = SILENT) -> FigureOutcome:
        material, name, data = read(progress.part(0.0, 0.1))
        given = FigureInput(material, name, bool(column), times, seed, progress.part(0.1, 1.0))
        return run_figure(figure, given, data=data, partial=tell)

    return work


def agree(*figures: Sequence[Agreement]) -> bool | None:
    """Whether all values that tell anything agree, alone and as one; None where none that is published does."""
    said = {one.accord for found in figures for one in (*found, *filter(None, (together(found),)))}
    alone = {one.accord for found in figures for one in found if one.value.standing is ValueStanding.PRINTED}
    return False if Accord.DIFFERS in said else True if Accord.AGREES in alone else None


def listed(figure: PublishedFigure) -> dict[str, Any]:
    """A figure as JSON of `preset --list`: its values as published and as recorded here, and whether they agree."""
    return _listed((figure,), "")


def listed_of_preset(identifier: str) -> dict[str, Any]:
    """The same of all figures that a preset makes."""
    return _listed(PRESETS[identifier].figures, "{}: ")


def _listed(figures: Sequence[PublishedFigure], before: str) -> dict[str, Any]:
    values = {before.format(figure.number) + one.value.name: one for figure in figures for one in figure.recorded}
    once = [one for one in values.values() if not (before and one.value.again)]
    return {
        "number": ", ".join(figure.number for figure in figures),
        "source": "; ".join(
            dict.fromkeys(figure.source if not before else figure.document.value for figure in figures)
        ),
        "published": {what: one.value.value for what, one in values.items()},
        "ours": {what: one.our_number for what, one in values.items()},
        "labels": {what: one.value.what for what, one in values.items()},
        "allowed": {what: one.allowed for what, one in values.items()},
        "verdicts": {what: one.verdict for what, one in values.items()},
        "counts": counted(once),
        "agree together": sum(agree_together(figure.recorded) for figure in figures),
        "differ together": sum(apart_together(figure.recorded) for figure in figures),
        "follows": {
            what: one.value.follows or one.value.source
            for what, one in values.items()
            if one.value.standing is not ValueStanding.PRINTED
        },
        "agree": agree(*(figure.recorded for figure in figures)),
    }


def agreement_words(figure: PublishedFigure) -> str:
    """Such as “Of 15 published: 14 agree · 1 differs”, from the recorded run."""
    return verdict_by_standing(figure.recorded) if figure.values else "no numbers to compare"


def thumbnail(figure: PublishedFigure) -> Thumbnail:
    """The small picture of a figure."""
    return thumbnails()[figure.identifier]


def expected_names(figure: PublishedFigure) -> int:
    """How many curves, or bars of a group, its first chart has, from the recorded run; 0 of a table or a scheme.

    Of more bars than names can be written below, there is nothing to make room for.
    """
    picture = thumbnail(figure)
    bars = (len(group) for group in picture.get("bars", ()))
    return max(len(picture.get("curves", ())), *(many for many in bars if many <= NAMED), 0)


def expected_rows(figure: PublishedFigure) -> int:
    """How many rows the longer of its first tables has, from the recorded run; 0 where a side begins with a chart."""
    return int(thumbnail(figure).get("rows", 0))


MARKS = {
    Said.AGREES: "✓",
    Said.WITHIN: "○",
    Said.UNCHECKED: "?",
    Said.DIFFERS: "≠",
    Said.MADE: "=",
    Said.COMPUTED: "∴",
    Said.TOGETHER: "≈",
    Said.APART: "≉",
}
"""The sign of what is said of a value, or of a figure, which tells it apart without any colour."""


def said_in(figure: PublishedFigure) -> frozenset[Said]:
    """The outcomes for its published values, and for all of them together, in the recorded run."""
    found = {one for one, n in tallied(figure.recorded, standing=ValueStanding.PRINTED).items() if n}
    return frozenset((*found, *filter(None, (said_of_all(figure.recorded),))))


def agreement_marks(figure: PublishedFigure) -> tuple[tuple[Said, str], ...]:
    """How many of the published values have which mark, such as “✓ 4” and “≠ 1”, from the recorded run.

    Of a figure with none, those that are computed, or that stand in the author's code alone, and which of both.
    """
    for standing, words in _STANDING.items():
        found = [(one, n) for one, n in tallied(figure.recorded, standing=standing).items() if n]
        if found:
            last, marks = found[-1][0], [(one, f"{MARKS[one]} {count(n)}") for one, n in found]
            said = " (counted once, above)" if all(one.value.again for one in figure.recorded) else words
            marks = [(one, f"{mark}{said}" if one is last else mark) for one, mark in marks]
            whole = said_of_all(figure.recorded)
            return (*marks, *(((whole, f"{MARKS[whole]} {whole}"),) if whole is not None else ()))
    return ()


_STANDING = {
    ValueStanding.PRINTED: "",
    ValueStanding.COMPUTED: " computed",
    ValueStanding.CODE: " (unprinted)",
}


def marks_of_all(figures: Sequence[PublishedFigure]) -> tuple[tuple[Said, str], ...]:
    """The meanings of the marks, how many published values have each, and in how many figures they agree or differ."""
    every = [figure.recorded for figure in figures]
    whole = [said_of_all(one) for one in every]
    found = tallied(*every, standing=ValueStanding.PRINTED)
    found |= {one: whole.count(one) for one in (Said.TOGETHER, Said.APART)}
    return tuple(
        (one, f"{MARKS[one]} {count(found[one])} {_SINGLE.get(one, one) if found[one] == 1 else _MEANING[one]}")
        for one in Said
        if found[one]
    )


def agree_by_source(figures: Sequence[PublishedFigure]) -> str:
    """How many published values agree, of how many, by the document in which they stand; "" without any."""
    parts = []
    for document, words in _DOCUMENTS.items():
        found = tallied(*(one.recorded for one in figures if one.document is document), standing=ValueStanding.PRINTED)
        if every := sum(found.values()):
            parts.append(f"{words} {count(found[Said.AGREES])} of {count(every)}")
    return f"Agree: {' · '.join(parts)}" if parts else ""


_DOCUMENTS = {PublishedText.THESIS: "thesis", PublishedText.CHAPTER: "chapter", PublishedText.PAPER: "paper"}

_MEANING = {
    Said.AGREES: "agree",
    Said.WITHIN: "within range",
    Said.UNCHECKED: "cannot be checked",
    Said.DIFFERS: "differ",
    Said.MADE: "fitted",
    Said.COMPUTED: "as computed",
    Said.TOGETHER: "figures agree together",
    Said.APART: "figures differ together",
}

_SINGLE = {Said.TOGETHER: "figure agrees together", Said.APART: "figure differs together"}


def preset_lines(found: PresetResult) -> tuple[str, ...]:
    """A preset in words: what it is made of, where it differs, and of every part its curves or its table."""
    both = (found.preset.look, found.preset.differs)
    look, differs = (said_of(found.preset, text, usual=found.usual) for text in both)
    lines = [f"{found.preset.title}: {found.data}.", look, f"Differs: {differs}"]
    for part in found.results[sum(len(one.mended.panels) for one in found.outcomes) :]:
        lines += ["", f"{part.title}. {part.note}"]
        if part.findings is not None:
            for series in part.findings.series:
                if series.drawn:
                    first, last = series.drawn[0], series.drawn[-1]
                    lines.append(
                        f"  {series.name}: {estimate(first.mean)} at {estimate(first.axis_value, 6)}, "
                        f"{estimate(last.mean)} at {estimate(last.axis_value, 6)}"
                    )
                lines += [f"    {note}" for note in series.notes]
            lines += [f"  {crossing.sentence}" for crossing in crossings(part.findings)]
        elif part.table is not None:
            lines += ["  " + " | ".join(row) for row in part.table]
    for outcome in found.outcomes:
        lines += ["", *outcome_lines(outcome)]
    return tuple(lines)


def _setting(there: str, here: str, *, ours: bool) -> str:
    if not ours:
        return f"published {there}; mended {here}"
    return here if there == NONE else f"in the thesis {there}; here {here}"


_NAMED, _PEAK = 6, 2
"""Of a chart of so few bars each is written out; a peak is so many times as high as both ends."""


def _bar_names(panel: PublishedPanel) -> tuple[str, ...]:
    """The names of bars, those that are mere numbers with what they are numbers of."""
    numbered = all(one.isdigit() for one in panel.labels)
    return tuple(f"{panel.across.lower()} {one}" for one in panel.labels) if numbered else panel.labels


def _why_not(panel: PublishedPanel) -> dict[str, str]:
    """Why a curve has no point, by its name."""
    return {one.method: one.problem for one in panel.made.points} if isinstance(panel.made, Findings) else {}


def _ends_of(curve: PanelCurve) -> str:
    """Both ends of a curve, and its peak if that is between them."""
    points = [*zip(curve.means, curve.places, strict=True)]
    peak = max(points)
    between = (peak,) if peak[0] > max(curve.means[0], curve.means[-1]) * _PEAK else ()
    ends = dict.fromkeys((points[0], *between, points[-1]))  # one's own column may have room for one place
    return ", ".join(f"{spelled(estimate(mean, 4))} at {estimate(place, 5)}" for mean, place in ends)


def outcome_lines(outcome: FigureOutcome) -> tuple[str, ...]:
    """A finished figure in words."""
    figure = outcome.figure
    settings = [
        f"  {name}: {_setting(there, here, ours=figure.document.ours)}" for name, there, here in outcome.settings
    ]
    values = [
        f"  {f'{MARKS[Said(said)]} {said}' if said else 'not there'}: {one.text(basis)}"
        for said, (one, basis) in zip(outcome.said, outcome.compared, strict=True)
    ]
    lines = [
        f"{figure.number}: {figure.title} ({figure.source}).",
        *filter(None, [outcome.caption]),
        "Settings:",
        *settings,
    ]
    if outcome.as_published:
        chance = [meaning_here(outcome)] if any(one.error for one in outcome.agreements) else []
        lines += [
            f"{outcome.verdict}{':' if values else '.'}",
            *values,
            *filter(None, [outcome.taken_together]),
            *chance,
        ]
    for words, side in zip((RUN_HERE, MENDED), (outcome.published, outcome.mended), strict=True):
        for panel in side.panels:
            said = [f"  {' | '.join(row)}" for row in panel.rows]
            for curve in panel.curves:
                if 0 < len(panel.labels) <= _NAMED:
                    bars = zip(_bar_names(panel), curve.means, strict=False)  # of what is not finished some are missing
                    means = (f"{name}: {spelled(estimate(mean, 4))}" for name, mean in bars)
                    said.append(f"  {curve.name}: {', '.join(means)}")
                if curve.places and not panel.labels and not panel.rows:
                    said.append(f"  {curve.name}: {_ends_of(curve)}")
                elif curve.name in (why := _why_not(panel)) and not curve.places and not panel.rows:
                    said.append(f"  {curve.name}: {why[curve.name]}")
            if said:  # of a picture alone there is nothing to write
                named = figure.document.ours or panel.title.startswith((words, *SIDES))
                lines += [f"{panel.title}:" if named else f"{words}: {panel.title}:", *said]
    heading = "What it shows:" if figure.document.ours else "Where it differs, and why:"
    return (*lines, heading, *(f"  {line}" for line in outcome.differs))


def panels_of(outcome: FigureOutcome) -> tuple[tuple[str, PanelData], ...]:
    """Every panel of both sides; the side made as published has the published values, and linear axes as in print."""
    values = [one for one in outcome.figure.values if outcome.as_published and (one.curve or one.drawn)]
    linear = not outcome.figure.document.ours
    differing = frozenset(one.value.name for one in outcome.agreements if one.accord is Accord.DIFFERS)
    published = [
        ("published", PanelData(panel, tuple(one for one in values if one.panel == number), linear, differing))
        for number, panel in enumerate(outcome.published.panels)
    ]
    return (*published, *(("mended", PanelData(panel)) for panel in outcome.mended.panels))


def views_of(outcome: FigureOutcome) -> tuple[tuple[str, PanelData], ...]:
    """The panels as a window shows them: one that is flat on its printed axes is first seen on logarithmic ones."""
    found: list[tuple[str, PanelData]] = []
    for side, data in panels_of(outcome):
        if data.linear and data.panel.flat and side == "published":
            spread = replace(data.panel, title=f"{data.panel.title}: logarithmic", apart=0, top=0.0, logarithmic=True)
            found.append((side, replace(data, panel=spread, linear=False)))
            printed = replace(data.panel, title=f"{data.panel.title}: axes as printed")
            found.append((side, replace(data, panel=printed)))
        else:
            found.append((side, data))
    return tuple(found)


def write_figure(outcome: FigureOutcome, folder: Path, formats: Sequence[str], *, numbered: bool = False) -> list[Path]:
    """Pictures and CSV of every panel with a caption that can be printed, and one JSON of all of it.

    Parameters
    ----------
    numbered
        Whether all get a number where one of their names is taken, so that nothing is replaced.

    Raises
    ------
    WorkbenchError
        If a file cannot be written; then none is.
    """
    files: dict[Path, Callable[[Path], object]] = {}
    for number, (side, data) in enumerate(panels_of(outcome), start=1):
        # Of what nobody published there is no side that is.
        stem = f"{outcome.figure.identifier}-{number}{'' if outcome.figure.document.ours else f'-{side}'}"
        caption = printed_caption(outcome, side, data)
        files[folder / f"{stem}.csv"] = partial(_text, chart_csv(published_panel, data))
        files[folder / f"{stem}.txt"] = partial(_text, f"{caption}\n")
        if not data.panel.rows:
            files |= {folder / f"{stem}.{one}": partial(_drawn, data, caption) for one in formats}
    plain = json.dumps({"analyst only": outcome.own, **outcome.to_json()}, ensure_ascii=False, indent=1)
    files[folder / f"{outcome.figure.identifier}.json"] = partial(_text, plain)
    return write_together(files, numbered=numbered)


def _drawn(data: PanelData, caption: str, path: Path) -> None:
    save_chart(published_panel, data, path, caption=caption)


def _text(text: str, path: Path) -> None:
    with atomic_write(path) as stream:
        stream.write(text.encode())
