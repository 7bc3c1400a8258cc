"""`workbench preset`: published figures, made again on true values. For the analyst only."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

from workbench.cli import column_options
from workbench.cli.command_output import CommandOutput, progress, with_unread
from workbench.cli.experiment_options import ANALYST, LOOKED, add_out, formats_of, look, opened
from workbench.cli.files import read_file
from workbench.cli.ledgers import add_ledger_file
from workbench.cli.reading import add_reading
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import count, file_text
from workbench.core.params import ParamSpec
from workbench.evaluate.preset import PRESETS, SEED, PresetResult
from workbench.evaluate.published.agreement import Agreement, agree_together, apart_together
from workbench.evaluate.published.catalogue import FIGURES, LEFT_OUT, figure_named
from workbench.evaluate.published.entry import FigureOutcome, PublishedFigure
from workbench.evaluate.published.verdicts import counted, verdict_on
from workbench.evaluate.samples import Needs, SampleColumn
from workbench.session import Session
from workbench.session.comparison import PresetChoice
from workbench.session.comparison_files import write_preset
from workbench.session.published_figures import (
    agreement_words,
    figure_runner,
    listed,
    listed_of_preset,
    outcome_lines,
    preset_lines,
    write_figure,
)


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `preset`."""
    parser.add_argument(
        "name",
        nargs="?",
        default="",
        metavar="NAME",
        help="a preset, or a figure by its number such as 3.1 or table-3.6; see --list",
    )
    parser.add_argument("--list", action="store_true", help="say which there are")
    parser.add_argument(
        "--all",
        action="store_true",
        help="make every figure again, with its published repetitions, and say how long each takes",
    )
    parser.add_argument("--data", dest="file", type=read_file, metavar="FILE", help="instead of the shipped sample")
    parser.add_argument("--column", default="", metavar="C", help="column of the file")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the preset")
    parser.add_argument("--repetitions", type=int, metavar="R", help="how often everything is tried")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one per core)")
    add_out(parser)
    add_ledger_file(parser)
    add_reading(parser)
    column_options.add_read(parser, "--column-bounds", "--domain")


def run(options: argparse.Namespace) -> CommandOutput:
    """Make published figures again."""
    if options.all:
        return _run_all(options)
    if options.list or not options.name:
        return _listed()
    if options.name not in PRESETS and _looks_like_figure(options.name):
        return _run_figure(options, figure_named(options.name))
    chosen = PRESETS[options.name]
    formats = formats_of(options)
    values = dict(_assigned(options.set, tuple(spec.name for spec in chosen.params)))
    if options.file is None:
        if options.column:
            raise WorkbenchError("A column is named, but no file.", hint="Name the file with --data.", field="column")
        session, told, choice = Session(), progress(), PresetChoice("", values)
    else:
        if not options.column:
            raise WorkbenchError(
                "Of the file it is not said which column.", hint="Name it with --column.", field="column"
            )
        options.rows_per_person = 1
        session, told = opened(options, options.column)
        look(session)
        choice = PresetChoice(options.column, values)
    work = session.comparison.preset_runner(
        options.name, choice, repetitions=options.repetitions, workers=options.workers
    )
    found = work(told)
    files = [] if options.out is None else write_preset(found, options.out, formats)
    answer = _made(found, files, looked=options.file is not None)
    return answer if options.file is None else with_unread(answer, session)


def _made(found: PresetResult, files: list[Path], *, looked: bool) -> CommandOutput:
    # Without data there is nothing that only the analyst may see.
    whose = [] if found.preset.sample is None and not looked else [ANALYST]
    lines = [
        *preset_lines(found),
        "",
        *whose,
        *([LOOKED] if looked else []),
        *(f"{path.name} written." for path in files),
    ]
    data = {"analyst": found.to_json(), "files": [str(path) for path in files], "looked": looked}
    return CommandOutput(data, tuple(lines))


def _looks_like_figure(name: str) -> bool:
    """Whether it is meant as a figure, so that a misspelt preset is still told which presets there are."""
    known = {figure.identifier for figure in FIGURES}
    return name in known or any(sign.isdigit() for sign in name)


def _run_figure(options: argparse.Namespace, figure: PublishedFigure) -> CommandOutput:
    """Make one figure again, as published and mended."""
    formats = formats_of(options)
    values = dict(_assigned(options.set, (SEED.name,)))
    seed = int(SEED.parse(values[SEED.name])) if values else int(SEED.default)
    if (options.file is None) != (not options.column):
        raise WorkbenchError(
            "A file and its column are named together.", hint="Give --data and --column, or neither.", field="column"
        )
    if options.file is None:
        session, told = Session(), progress()
    else:
        options.rows_per_person = 1
        session, told = opened(options, options.column)
        _require_bounds(session, figure, options.column)
        look(session)
    work = figure_runner(session.comparison, figure, options.column, repetitions=options.repetitions, seed=seed)
    found: FigureOutcome = work(told)
    files = [] if options.out is None else write_figure(found, options.out, formats)
    closing = [ANALYST, LOOKED] if found.own else []
    lines = (*outcome_lines(found), "", *closing, *(f"{path.name} written." for path in files))
    data = {"figure": found.to_json(), "files": [str(path) for path in files], "looked": found.own}
    answer = CommandOutput(data, lines)
    return answer if options.file is None else with_unread(answer, session)


def _require_bounds(session: Session, figure: PublishedFigure, column: str) -> None:
    """Refuse, before a look is recorded that would serve nothing, a column without the bounds a figure needs."""
    lacking = session.comparison.lacks(figure, column)
    if lacking is not None:
        if lacking.field != "bounds":
            raise lacking
        hint = f"Give them with --column-bounds {column}=L,U, from what everybody may know."
        raise WorkbenchError(lacking.message, hint=hint, field=lacking.field)


def _run_all(options: argparse.Namespace) -> CommandOutput:
    """Make every figure again of its shipped sample, and say what agrees and how long it took."""
    for name in ("name", "file", "column", "set", "repetitions"):
        if getattr(options, name):
            raise WorkbenchError(
                "--all makes every figure as it was published, of the shipped samples.",
                hint="Leave all but --out and --formats out, or name one figure.",
                field="data" if name == "file" else name,
            )
    formats, told = formats_of(options), progress()
    session, found = Session(), list[tuple[Agreement, ...]]()
    files, figures, lines = list[Path](), list[dict[str, Any]](), list[str]()
    for number, figure in enumerate(FIGURES):
        start = time.monotonic()
        step = told.part(number / len(FIGURES), (number + 1) / len(FIGURES))
        outcome = figure_runner(session.comparison, figure)(step)
        seconds = round(time.monotonic() - start, 1)
        if options.out is not None:
            files += write_figure(outcome, options.out, formats)
        found.append(outcome.agreements)
        figures.append({**outcome.to_json(), "seconds": seconds})
        lines.append(f"{figure.identifier}: {outcome.verdict}; {file_text(seconds, 4)} s.")
    every = [one for some in found for one in some if not one.value.again]
    whole = round(sum(one["seconds"] for one in figures), 1)
    lines += [
        f"All {count(sum(one.value.many for one in every))} values: {verdict_on(*found)}; {file_text(whole, 5)} s.",
        *([] if options.out is None else [f"{count(len(files))} files written into {options.out.name}."]),
    ]
    data = {
        "figures": figures,
        "seconds": whole,
        "counts": counted(every),
        "agree together": sum(map(agree_together, found)),
        "differ together": sum(map(apart_together, found)),
        "files": [str(path) for path in files],
    }
    return CommandOutput(data, tuple(lines))


def _listed() -> CommandOutput:
    def plain(
        name: str, title: str, summary: str, needs: Needs, sample: SampleColumn | None, params: tuple[ParamSpec, ...]
    ) -> dict[str, object]:
        return {
            "name": name,
            "title": title,
            "summary": summary,
            "needs": needs.value,
            "sample": None if sample is None else [sample.file, sample.column],
            "parameters": {spec.name: spec.help for spec in params},
        }

    presets = [
        {
            **plain(one.identifier, one.title, one.summary, one.needs, one.sample, one.params),
            "repetitions": one.times,
            **listed_of_preset(one.identifier),
        }
        for one in PRESETS
    ]
    figures = [
        {
            **plain(one.identifier, one.title, one.caption, one.needs, one.sample, (SEED,)),
            "repetitions": one.repetitions,
            **listed(one),
        }
        for one in FIGURES
    ]
    lines = [
        *(f"{one.identifier}: {one.summary}" for one in PRESETS),
        "",
        "By number, as published and mended; values compared with a run that is recorded:",
        *(f"{one.identifier}: {one.number}, {one.title}; {agreement_words(one)}." for one in FIGURES),
        *(f"{number} is left out: {why}." for number, why in LEFT_OUT),
    ]
    return CommandOutput({"presets": presets, "figures": figures}, tuple(lines))


def _assigned(pairs: list[str], names: tuple[str, ...]) -> list[tuple[str, str]]:
    found = []
    for pair in pairs:
        name, sign, value = pair.partition("=")
        if not sign or name not in names:
            raise WorkbenchError(
                f"--set {pair} sets no parameter.",
                hint=f"Write NAME=VALUE; known are {', '.join(names) or 'none'}.",
                field="set",
            )
        found.append((name, value))
    return found
