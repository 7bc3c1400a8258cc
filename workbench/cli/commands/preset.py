"""`workbench preset`: published figures, made again on true values. For the analyst only."""

from __future__ import annotations

import argparse
from pathlib import Path

from workbench.cli.command_output import CommandOutput, progress, with_unread
from workbench.cli.experiment_options import ANALYST, LOOKED, add_out, formats_of, look, opened
from workbench.cli.files import read_file
from workbench.cli.ledgers import add_ledger_file
from workbench.cli.reading import add_reading
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.evaluate.findings import crossings
from workbench.evaluate.preset import PRESETS, PresetResult
from workbench.session import Session
from workbench.session.comparison import PresetChoice
from workbench.session.comparison_files import write_preset


def declare(parser: argparse.ArgumentParser) -> None:
    """The arguments of `preset`."""
    parser.add_argument("name", nargs="?", default="", metavar="NAME", help="which one; see --list")
    parser.add_argument("--list", action="store_true", help="say which there are")
    parser.add_argument("--data", dest="file", type=read_file, metavar="FILE", help="instead of the shipped sample")
    parser.add_argument("--column", default="", metavar="C", help="column of the file")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter of the preset")
    parser.add_argument("--repetitions", type=int, metavar="R", help="how often everything is tried")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (default: one per core)")
    add_out(parser)
    add_ledger_file(parser)
    add_reading(parser)


def run(options: argparse.Namespace) -> CommandOutput:
    """Make published figures again."""
    if options.list or not options.name:
        return _listed()
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
        session, told = opened(options)
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
    lines = [f"{found.preset.title}: {found.data}.", found.preset.look, f"Differs: {found.preset.differs}"]
    for part in found.results:
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
    # Without data there is nothing that only the analyst may see.
    whose = [] if found.preset.sample is None else [ANALYST]
    lines += ["", *whose, *([LOOKED] if looked else []), *(f"{path.name} written." for path in files)]
    data = {"analyst": found.to_json(), "files": [str(path) for path in files], "looked": looked}
    return CommandOutput(data, tuple(lines))


def _listed() -> CommandOutput:
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
    return CommandOutput({"presets": plain}, tuple(lines))


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
