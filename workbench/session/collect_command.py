"""The command that collects as the settings of a session say."""

from __future__ import annotations

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, PrivacyUnit
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, How, Outside, chosen_how
from workbench.project.collecting import CollectSettings
from workbench.project.model import DataSource, Preparation


def command(
    data: DataSource, settings: CollectSettings, spec: ColumnSpec, unit: PrivacyUnit, preparation: Preparation
) -> list[str]:
    """The words of the command that simulates the same.

    Parameters
    ----------
    data
        The data file, and the engine it is in.
    spec, unit
        The column that is asked for, and who is protected; what they declare is written out.
    preparation
        Which rows take part.

    Raises
    ------
    WorkbenchError
        If a value cannot be written in a command.
    """
    usual = CollectSettings()
    words = ["workbench", "collect", data.path, "--column", settings.column, *_encoding(settings, spec)]
    words += ["--protocol", ",".join(map(_protocol, settings.protocols)), f"--epsilon={settings.epsilon!r}"]
    words += ["--repetitions", str(settings.repetitions)]
    if settings.users is not None:
        words += ["--users", str(settings.users)]
    for flag, value, default in (
        ("--engine", data.engine, ""),
        ("--estimator", settings.method.estimator, usual.method.estimator),
        ("--postprocess", settings.method.postprocess, usual.method.postprocess),
        ("--person", unit.person_column, ""),
        ("--rows-per-person", str(unit.rows_per_person), "1"),
        ("--participation", settings.participation.value, usual.participation.value),
        ("--seed", "" if settings.seed is None else str(settings.seed), ""),
    ):
        if value != default:
            words += [flag, value]
    if preparation.where.strip():
        words.append(f"--where={preparation.where.strip()}")
    if preparation.sample < 1:
        words.append(f"--sample={preparation.sample!r}")
    if preparation.limit_rows:
        words.append("--limit-rows")
    if settings.one_report_per_person:
        words.append("--one-report-per-person")
    return [*words, "--json"]


def _encoding(settings: CollectSettings, spec: ColumnSpec) -> list[str]:
    choice = settings.encoding
    how = chosen_how(choice, spec)
    words = {
        How.CATEGORIES: ["--categories"],
        How.BINS: ["--bins", str(choice.bins)],
        How.EDGES: ["--edges=" + ",".join(map(repr, choice.edges))],
        How.WHOLE: ["--whole"],
        How.DATES: ["--dates", choice.unit.value],
        How.QUESTION: ["--is", choice.answer],
    }[how]
    public = spec.declared()
    bounds = choice.bounds if choice.bounds is not None else public.bounds
    domain = choice.domain if choice.domain is not None else public.domain
    if how is How.CATEGORIES and domain is not None:
        if any("," in value or value != value.strip() for value in domain):
            raise WorkbenchError(
                "A command cannot list values that hold a comma or begin or end with a space.",
                hint="Save the project, which keeps them.",
                field="domain",
            )
        words = ["--domain=" + ",".join(domain)]
    if how is not How.QUESTION and bounds is not None:
        words.append(f"--bounds={bounds[0]!r},{bounds[1]!r}")
    if choice.outside is Outside.CLIP:
        words.append("--clip")
    if choice.absent is not Absent.LEAVE_OUT:
        words += ["--missing", choice.absent.value]
    return words


def _protocol(choice: ProtocolChoice) -> str:
    values = ":".join(f"{name}:{value}" for name, value in choice.values.items())
    return f"{choice.identifier}={values}" if values else choice.identifier
