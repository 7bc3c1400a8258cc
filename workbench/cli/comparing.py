"""`workbench compare` and `workbench preset`: what accuracy costs, on true values. For the analyst only."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from workbench.cli.answers import Answer, assignments, dialect, progress, with_unread
from workbench.cli.files import column_file, read_file, written_folder
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.schema import PrivacyUnit
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import crossings
from workbench.evaluate.preset import PRESETS, PresetResult
from workbench.io.json_file import read_json_file
from workbench.session import Session
from workbench.session.comparing import PresetChoice
from workbench.session.comparison_files import FORMATS, write_findings, write_preset

_ANALYST = "Made from true values with a seed: for the analyst only, not to be published."


EXAMPLE = """{
  "question": {"figure": "mean", "column": "salary", "encoding": {"bounds": [0, 25000000]}},
  "methods": ["global-grid", {"method": "local", "values": {"protocol": "pm"}}],
  "axis": "epsilon",
  "places": [0.5, 1, 2],
  "repetitions": 20,
  "seed": 1
}"""
"""The least that `compare` has to be told; what is left out takes its default."""


def add_compare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `compare`, but for those of reading a file."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = f"A SPEC.json, for a column “salary” with public bounds:\n\n{EXAMPLE}"
    parser.add_argument("spec", type=read_file, metavar="SPEC.json", help="the experiment, and optionally its figure")
    parser.add_argument("--data", dest="file", type=read_file, required=True, metavar="FILE")
    _out(parser)
    parser.add_argument(
        "--hierarchy", type=column_file, action="append", default=[], metavar="COL=FILE.csv", help="for releases"
    )
    parser.add_argument("--data-derived", action="append", default=[], metavar="COL", help="it was made from the data")
    parser.add_argument("--rows-per-person", type=int, default=1, metavar="C", help="most rows one person may have")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one per core)")


def add_preset(parser: argparse.ArgumentParser) -> None:
    """The arguments of `preset`, but for those of reading a file."""
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="which one; see --list")
    parser.add_argument("--list", action="store_true", help="say which there are")
    parser.add_argument("--data", dest="file", type=read_file, metavar="FILE", help="instead of the shipped sample")
    parser.add_argument("--column", default="", metavar="C", help="column of the file")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the preset")
    parser.add_argument("--repetitions", type=int, metavar="R", help="fewer or more than were published")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one per core)")
    _out(parser)


def _out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=written_folder, metavar="DIR", help="folder for figures, CSV and JSON")
    parser.add_argument(
        "--formats", default=",".join(FORMATS), metavar="F,F", help=f"of the figures (default: {','.join(FORMATS)})"
    )


def compare(options: argparse.Namespace) -> Answer:
    """Run an experiment on a file."""
    experiment, figure = read_experiment(options.spec)
    formats = _formats(options)
    session, told = _opened(options)
    _attach(session, options)
    found = session.comparison.runner(experiment, workers=options.workers)(told.part(0.3, 1.0))
    files = [] if options.out is None else write_findings(found, options.out, "comparison", figure, formats)
    lines = [f"{experiment.metric.title.capitalize()}: {experiment.question}, {found.rows:,} rows."]
    for series in found.series:
        for point in series.points:
            if point.problem and not point.repetitions:
                lines.append(f"  {series.name} at {point.axis_value:,.6g}: {point.problem}")
            else:
                band = f"({point.low:.4g} to {point.high:.4g})"
                lines.append(f"  {series.name} at {point.axis_value:,.6g}: {point.mean:.4g} {band}")
    lines += [crossing.sentence for crossing in crossings(found)]
    lines += [*found.notes, _ANALYST, *(f"{path.name} written." for path in files)]
    answer = Answer({"analyst": found.to_json(), "files": [str(path) for path in files]}, tuple(lines))
    return with_unread(answer, session)


def preset(options: argparse.Namespace) -> Answer:
    """Make published figures again."""
    if options.list or not options.name:
        return _listed()
    chosen = PRESETS[options.name]
    formats = _formats(options)
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
        session, told = _opened(options)
        choice = PresetChoice(options.column, values)
    work = session.comparison.preset_runner(
        options.name, choice, repetitions=options.repetitions, workers=options.workers
    )
    found = work(told)
    files = [] if options.out is None else write_preset(found, options.out, formats)
    answer = _made(found, files)
    return answer if options.file is None else with_unread(answer, session)


def _made(found: PresetResult, files: list[Path]) -> Answer:
    lines = [f"{found.preset.title}: {found.data}.", found.preset.look, f"Differs: {found.preset.differs}"]
    for part in found.results:
        lines += ["", f"{part.title}. {part.note}"]
        if part.findings is not None:
            for series in part.findings.series:
                if series.drawn:
                    first, last = series.drawn[0], series.drawn[-1]
                    lines.append(
                        f"  {series.name}: {first.mean:.4g} at {first.axis_value:,.6g}, "
                        f"{last.mean:.4g} at {last.axis_value:,.6g}"
                    )
                lines += [f"    {note}" for note in series.notes]
            lines += [f"  {crossing.sentence}" for crossing in crossings(part.findings)]
        elif part.table is not None:
            lines += ["  " + " | ".join(row) for row in part.table]
    lines += ["", _ANALYST, *(f"{path.name} written." for path in files)]
    return Answer({"analyst": found.to_json(), "files": [str(path) for path in files]}, tuple(lines))


def _listed() -> Answer:
    plain = [
        {
            "name": one.identifier,
            "title": one.title,
            "summary": one.summary,
            "needs": one.needs.value,
            "sample": None if one.sample is None else [one.sample.file, one.sample.column],
            "parameters": {spec.name: spec.help for spec in one.params},
            "repetitions": one.repetitions,
        }
        for one in PRESETS
    ]
    lines = [f"{one.identifier}: {one.summary}" for one in PRESETS]
    return Answer({"presets": plain}, tuple(lines))


def read_experiment(path: Path) -> tuple[Experiment, FigureSettings]:
    """The experiment of a file, and how it is drawn.

    Raises
    ------
    WorkbenchError
        If it cannot be read or is no experiment.
    """
    plain = read_json_file(path, field="spec")
    if not isinstance(plain, dict):
        raise WorkbenchError(f"{path.name} holds no experiment.", hint="It is an object.", field="spec")
    figure: Any = plain.pop("figure", {})
    try:
        settings = FigureSettings.from_json(figure)
    except (TypeError, ValueError, AttributeError) as error:
        raise WorkbenchError(f"The figure in {path.name}: {error}.", hint="Leave it out.", field="figure") from error
    return Experiment.from_json(plain), settings


def _opened(options: argparse.Namespace) -> tuple[Session, Any]:
    session, told = Session(), progress()
    session.open(options.file, dialect(options, session), told.part(0.0, 0.3))
    session.set_unit(PrivacyUnit(options.rows_per_person, ""))
    return session, told


def _attach(session: Session, options: argparse.Namespace) -> None:
    names = session.project.schema.names
    for name, file in assignments(options.hierarchy, names, "--hierarchy"):
        session.attach_hierarchy_file(name, Path(file), Provenance.DERIVED if name in options.data_derived else None)


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


def _formats(options: argparse.Namespace) -> tuple[str, ...]:
    wanted = tuple(part.strip() for part in options.formats.split(",") if part.strip())
    unknown = [one for one in wanted if one not in FORMATS]
    if unknown:
        raise WorkbenchError(
            f"There is no format “{unknown[0]}”.", hint=f"Known are {', '.join(FORMATS)}.", field="formats"
        )
    return wanted
