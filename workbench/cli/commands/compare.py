"""`workbench compare`: what accuracy costs, on a public shape or on true values, which is for the analyst only."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from workbench.cli import column_options
from workbench.cli.command_output import CommandOutput, assignments, derived_with_hierarchy, with_unread
from workbench.cli.experiment_options import ANALYST, LOOKED, add_out, formats_of, look, opened
from workbench.cli.files import column_file, read_file
from workbench.cli.keys_in_words import keys_in_words
from workbench.cli.ledgers import add_ledger_file
from workbench.cli.reading import add_reading
from workbench.cli.typed_answers import open_shape
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.number_text import estimate
from workbench.core.schema import PrivacyUnit
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.figure_settings import FigureSettings
from workbench.evaluate.findings import crossings
from workbench.evaluate.question import Question
from workbench.evaluate.verdict import place_words, verdict
from workbench.io.json_file import read_json_file
from workbench.ldp.encoding import EncodingChoice
from workbench.session import Session
from workbench.session.comparison_files import write_findings

EXAMPLE = """{
  "question": {"figure": "mean", "column": "salary", "encoding": {"bounds": [0, 25000000]}},
  "methods": ["global-grid", {"method": "local", "values": {"protocol": "pm"}}],
  "axis": "epsilon",
  "places": [0.5, 1, 2],
  "repetitions": 20,
  "seed": 1
}"""
"""The least that `compare` has to be told; what is left out takes its default."""


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `compare`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = "\n\n".join(
        (
            f"A SPEC.json, for a column “salary” with public bounds:\n\n{EXAMPLE}",
            keys_in_words("Its keys, of which all but “question” may be left out:", Experiment),
            keys_in_words("Those of “question”:", Question),
            keys_in_words("Those of its “encoding”:", EncodingChoice),
            "A method is its name, or an object with “method” and “values”; a wrong name is\n"
            "answered by those there are.",
        )
    )
    parser.add_argument("spec", type=read_file, metavar="SPEC.json", help="the experiment, and optionally its figure")
    parser.add_argument(
        "--data",
        dest="file",
        type=read_file,
        metavar="FILE",
        help="the table; on a public shape it may be left out where “encoding” has bounds or a domain",
    )
    add_out(parser)
    parser.add_argument(
        "--hierarchy", type=column_file, action="append", default=[], metavar="COL=FILE.csv", help="for releases"
    )
    parser.add_argument("--data-derived", action="append", default=[], metavar="COL", help="it was made from the data")
    flags.declare(parser, PrivacyUnit, ("rows_per_person",))
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one per core)")
    add_ledger_file(parser)
    add_reading(parser)
    column_options.add_read(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Run an experiment on a file."""
    experiment, figure = read_experiment(options.spec)
    formats = formats_of(options)
    session, told = opened(options, experiment.question.column, lambda opening: open_shape(opening, experiment))
    _attach(session, options)
    public = experiment.basis.public
    if not public:
        look(session)
    try:
        found = session.comparison.runner(experiment, workers=options.workers)(told.part(0.3, 1.0))
    except WorkbenchError as error:
        raise error.for_analyst() from error  # a look was recorded before
    files = [] if options.out is None else write_findings(found, options.out, "comparison", figure, formats)
    most = experiment.most_words and f", {experiment.most_words}"
    lines = [f"{experiment.metric.shown_heading}: {experiment.question}, {found.rows:,} rows{most}."]
    for series in found.shown.series:
        for point in series.points:
            if point.problem and not point.repetitions:
                lines.append(f"  {series.name} at {estimate(point.axis_value, 6)}: {point.problem}")
            else:
                band = f"({estimate(point.low)} to {estimate(point.high)})"
                lines.append(f"  {series.name} at {estimate(point.axis_value, 6)}: {estimate(point.mean)} {band}")
    lines += [crossing.sentence for crossing in crossings(found)]
    verdicts = [verdict(found, place) for place in experiment.places]
    lines += [f"At {place_words(found, one.place)}: {one.sentence}" for one in verdicts if one.sentence]
    lines += [*found.notes, *(() if public else (ANALYST, LOOKED)), *(f"{path.name} written." for path in files)]
    answer = CommandOutput(
        {
            # The key is from when there was nothing but true values to compare on.
            "analyst": found.to_json(),
            "verdicts": [one.to_json() for one in verdicts],
            "files": [str(path) for path in files],
            "looked": not public,
        },
        tuple(lines),
    )
    return with_unread(answer, session)


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


def _attach(session: Session, options: argparse.Namespace) -> None:
    names = session.project.schema.names
    given = list(assignments(options.hierarchy, names, "--hierarchy"))
    derived_with_hierarchy(options.data_derived, {name for name, _file in given})
    for name, file in given:
        session.data.attach_hierarchy_file(
            name, Path(file), Provenance.DERIVED if name in options.data_derived else None
        )
