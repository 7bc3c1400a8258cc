"""`workbench audit`: the exact ε of a mechanism, and the witness that shows it."""

from __future__ import annotations

import argparse
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

from workbench.cli.command_output import CommandOutput, progress
from workbench.cli.files import perhaps_file, read_file, written_file
from workbench.cli.refusals import flags_named
from workbench.core import flags
from workbench.core.errors import WorkbenchError
from workbench.core.number_text import estimate
from workbench.io.atomic import check_writable
from workbench.mechanisms.audit import AuditVerdict, Excess
from workbench.mechanisms.channel import Channel
from workbench.mechanisms.channel_text import is_channel, read_channel, to_csv, to_latex, write_channel
from workbench.mechanisms.neighbours import read_graph
from workbench.mechanisms.prism import is_prism, write_prism
from workbench.project.auditable import catalogue, find
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import TYPED, Examination, examiner, number_text
from workbench.session.audit_property import ForAll, PropertyAnswer, property_checker
from workbench.session.audit_words import claim_lines, model_words
from workbench.session.existing_files import refuse_foreign

_SHOWN = 12
_LONGEST = 40
"""Signs of a fraction that is shown to people."""
_WORDS = ("own", "all", "adjacent")


def declare(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "name",
        nargs="?",
        metavar="NAME",
        help="such as survey, truncated-geometric, above-threshold, grr or oue; --params alone lists all",
    )
    parser.add_argument(
        "--param", action="append", default=[], metavar="K=V", help="a parameter, such as alpha=1/2; help lists them"
    )
    parser.add_argument("--params", action="store_true", help="only list the parameters of NAME, or all names")
    parser.add_argument("--channel", type=read_file, metavar="FILE.csv", help="audit a table of probabilities instead")
    flags.declare(
        parser, LaboratorySettings, changes={"neighbours": {"type": perhaps_file}, "then": {"type": perhaps_file}}
    )
    parser.add_argument("--curve", action="store_true", help="the whole curve of ε and δ as well")
    parser.add_argument(
        "--for",
        dest="for_all",
        metavar="K=A..B",
        help="whether the claim holds for every whole value of a parameter, such as n=1..50, or where it fails first",
    )
    parser.add_argument("--prism", type=written_file, metavar="FILE.pm", help="write the chain for PRISM")
    parser.add_argument("--out", type=written_file, metavar="FILE.csv", help="write the table, as --channel reads it")
    parser.add_argument("--force", action="store_true", help="overwrite a file that is there and is no such table")
    parser.add_argument("--latex", action="store_true", help="print the table in LaTeX instead")


def run(options: argparse.Namespace) -> CommandOutput:
    """Audit a mechanism or a table."""
    if options.params:
        return _parameters(options.name) if options.name else _names()
    if (options.name is None) == (options.channel is None):
        raise WorkbenchError(
            "Give the name of a mechanism, or a table with --channel.",
            hint=f"Names are: {', '.join(m.identifier for m in catalogue())}.",
            field="name",
        )
    if options.out is not None:
        with flags_named():
            if not options.force:
                refuse_foreign(options.out, is_channel, "a table of probabilities")
            check_writable(options.out)
    if options.prism is not None:
        with flags_named():
            if not options.force:
                refuse_foreign(options.prism, is_prism, "a model for PRISM")
            check_writable(options.prism)
    name, typed = (options.name, _typed(options.param)) if options.name else (TYPED, _table(options))
    asked = flags.given(LaboratorySettings, options)
    asked |= {"neighbours": _neighbours(asked["neighbours"]), "then": _then(asked["then"])}
    settings = LaboratorySettings(mechanism=name, parameters={name: typed}, **asked)
    if options.for_all is not None:
        with flags_named():
            answer = property_checker(settings, ForAll.parse(options.for_all))(progress())
        return CommandOutput(_answered(answer), (answer.sentence,))
    found = examiner(settings, with_curve=options.curve)(progress())
    if options.out is not None:
        write_channel(found.channel, options.out)
    if options.prism is not None:
        write_prism(found.channel, options.prism, (*model_words(found), *claim_lines(found)))
    if options.latex:
        return CommandOutput(_data(found), tuple(to_latex(found.channel).rstrip().split("\n")))
    return CommandOutput(_data(found), tuple(_lines(found, options.out)))


def _typed(pairs: list[str]) -> dict[str, str]:
    typed = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign or not name.strip():
            raise WorkbenchError(f"--param {pair} names no parameter.", hint="Write --param NAME=VALUE.", field="param")
        typed[name.strip()] = text
    return typed


def _table(options: argparse.Namespace) -> dict[str, str]:
    if options.param:
        raise WorkbenchError("A table has no parameters.", hint="Leave --param out.", field="param")
    return {"table": to_csv(read_channel(options.channel))}


def _then(text: str) -> str:
    """The channel that follows: from a file, or the table itself, which has several lines."""
    return text if not text or "\n" in text else to_csv(read_channel(Path(text)))


def _neighbours(text: str) -> str:
    """The relation as it is typed, a file read into its pairs."""
    typed = text.lower() in _WORDS or any(sign in text for sign in ("\n", " - ")) or text.replace(".", "", 1).isdigit()
    path = Path(text)
    if typed or not (path.suffix or path.is_file()):
        return text
    return "".join(f"{one}\t{other}\n" for one, other in read_graph(path).edges)


def _names() -> CommandOutput:
    known = catalogue()
    width = max(len(mechanism.identifier) for mechanism in known)
    return CommandOutput(
        {"mechanisms": [{"name": one.identifier, "title": one.title, "summary": one.summary} for one in known]},
        tuple(f"{one.identifier:<{width}}  {one.summary}" for one in known),
    )


def _parameters(name: str) -> CommandOutput:
    found = find(name)
    data = {
        "name": found.identifier,
        "title": found.title,
        "summary": found.summary,
        "citation": found.citation,
        "parameters": [
            {
                "name": spec.name,
                "title": spec.title,
                "default": spec.default if isinstance(spec.default, int | float | str | None) else str(spec.default),
                "choices": [value for value, _ in spec.choices],
                "help": spec.help,
            }
            for spec in found.params
        ],
    }
    lines = [f"{found.title}: {found.summary}"]
    for spec in found.params:
        choices = f" ({' | '.join(value for value, _ in spec.choices)})" if spec.choices else ""
        lines.append(f"  {spec.name}={_default(spec.default)}{choices}  {spec.help}")
    return CommandOutput(data, tuple(lines))


def _default(value: Any) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _data(found: Examination) -> dict[str, Any]:
    seen, excess, value = found.audit.witness, found.audit.excess, found.utility
    channel = found.channel
    data: dict[str, Any] = {
        "mechanism": found.settings.mechanism,
        "title": found.made.title,
        "neighbours": found.neighbours.text,
        "neighbours_compared": found.neighbours.text_for(channel),
        "epsilon": _finite(found.epsilon),
        "epsilon_exact": found.exact.text if found.exact is not None else None,
        "infinite": math.isinf(found.epsilon),
        "delta": excess.delta,
        "delta_exact": None if excess.exact is None else number_text(excess.exact),
        "delta_at": excess.at.text,
        "witness": {
            "input": seen.input,
            "neighbour": seen.neighbour,
            "output": seen.output,
            "probability": number_text(seen.probability),
            "neighbour_probability": number_text(seen.neighbour_probability),
            "ratio": number_text(seen.ratio),
        },
        "claim": None
        if not found.settings.claim.strip()
        else {
            "epsilon": excess.at.text,
            "delta": found.settings.claimed_delta or "0",
            "verdict": "undecided" if found.undecided or found.verdict is None else found.verdict.value,
            "outputs": list(excess.outputs),
        },
        "exact": channel.exact is not None,
        "rows_sum_to_one": True,
        "inputs": list(channel.inputs),
        "outputs": list(channel.outputs),
        "matrix": _matrix(channel),
        "utility": {
            "loss": value.loss.value,
            "expected_error": None if value.expected_error is None else float(value.expected_error),
            "expected_error_exact": _fraction(value.expected_error),
            "guess_before": float(value.guess_before),
            "guess_after": float(value.guess_after),
            "guess_after_exact": _fraction(value.guess_after),
        },
        "note": found.made.note,
    }
    if found.curve is not None:
        data["curve"] = [list(point) for point in zip(found.curve.epsilons, found.curve.deltas, strict=True)]
    return data


def _answered(answer: PropertyAnswer) -> dict[str, Any]:
    return {
        "mechanism_property": {
            "parameter": answer.asked.parameter,
            "from": answer.asked.first,
            "to": answer.asked.last,
            "claim": answer.claim,
            "holds": answer.holds,
            "rounded": answer.rounded,
            "checked": answer.checked,
            "counterexample": answer.at if answer.holds is False else None,
        },
        "found": None if answer.found is None else _data(answer.found),
    }


def _finite(value: float) -> float | None:
    return None if math.isinf(value) else value


def _fraction(value: Fraction | float | None) -> str | None:
    return number_text(value) if isinstance(value, Fraction) else None


def _matrix(channel: Channel) -> list[list[Any]]:
    if channel.exact is not None:
        return [[number_text(value) for value in row] for row in channel.exact]
    table: list[list[Any]] = channel.floats.tolist()
    return table


def _delta(excess: Excess) -> str:
    near = estimate(excess.delta)
    exact = number_text(excess.exact, _LONGEST) if excess.exact else near
    return exact if exact == near or exact.startswith("≈") else f"{exact} ≈ {near}"


def _lines(found: Examination, out: Path | None) -> list[str]:
    excess, value = found.audit.excess, found.utility
    exact = "" if found.exact is None or len(found.exact.text) > 2 * _LONGEST else f" = {found.exact.text}"
    size = "∞" if math.isinf(found.epsilon) else estimate(found.epsilon)
    kind = "exact fractions" if found.channel.exact is not None else "floating point"
    lines = [
        f"{found.made.title} ({len(found.channel.inputs):,} inputs, {len(found.channel.outputs):,} outputs, {kind})",
        f"ε{exact if size != '∞' else ''} {'=' if size in ('∞', '0') else '≈'} {size} over "
        f"{found.neighbours.text_for(found.channel)}",
        _witness_line(found),
    ]
    if found.settings.claim.strip():
        verdict = "undecided" if found.verdict is None else found.verdict.value
        if found.made.listed and found.verdict in (AuditVerdict.CONFIRMED, AuditVerdict.ROUNDED):
            verdict = f"{verdict}, on the {found.made.listed} listed"
        lines.append(f"Claim ε = {excess.at.text}, δ = {found.settings.claimed_delta or '0'}: {verdict}")
        outputs = f", by the outputs {', '.join(excess.outputs[:_SHOWN])}" if excess.outputs else ""
        lines.append(
            f"δ at ε = {excess.at.text}: {_delta(excess)} ({excess.input} against {excess.neighbour}{outputs})"
        )
    error = "not defined" if value.expected_error is None else number_text(value.expected_error, _LONGEST)
    lines.append(
        f"Expected error ({value.loss.value}): {error}. Best guess right: "
        f"{number_text(value.guess_before, _LONGEST)} before, {number_text(value.guess_after, _LONGEST)} after."
    )
    if found.made.note:
        lines.append(found.made.note)
    if len(found.channel.outputs) <= _SHOWN and len(found.channel.inputs) <= 3 * _SHOWN:
        lines += ["", *_table_lines(found.channel)]
    if out is not None:
        lines.append(f"Written to {out}.")
    return lines


def _witness_line(found: Examination) -> str:
    seen = found.audit.witness
    return (
        f"Witness: output {seen.output} has probability {number_text(seen.probability, _LONGEST)} for {seen.input} and "
        f"{number_text(seen.neighbour_probability, _LONGEST)} for {seen.neighbour}"
    )


def _table_lines(channel: Channel) -> list[str]:
    rows = [["", *channel.outputs]]
    rows += [
        [name, *(channel.text(row, column) for column in range(len(channel.outputs)))]
        for row, name in enumerate(channel.inputs)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return ["  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]
