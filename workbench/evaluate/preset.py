"""Published figures made again: what each needs, and what to see in it. A preset is one file of `presets`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.params import ParamSpec, ParamType, filled
from workbench.core.plugins import Registry
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.experiment_run import Gate, run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method_histograms import MethodHistograms, bars
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import ExperimentData
from workbench.ldp.encoding import EncodingChoice, EncodingKind, Outside

TableRows = tuple[tuple[str, ...], ...]


class Needs(StrEnum):
    """What kind of column a preset is about."""

    NUMBERS = "numbers"
    VALUES = "values"
    """Any column with a list of values."""
    NOTHING = "nothing"


@dataclass(frozen=True)
class SampleColumn:
    """A column that a preset takes by default.

    Parameters
    ----------
    file, column
        A file of the sample data, and its column.
    outside
        A file of the folder named by WORKBENCH_DATA, and its column, that is taken instead where it is there.
    """

    file: str
    column: str
    outside: tuple[str, str] | None = None


@dataclass(frozen=True)
class Given:
    """What the parts of a preset are made of.

    Parameters
    ----------
    material, column
        The data, and what is asked.
    values
        Every parameter.
    own
        Whether it is the person's own column rather than the sample.
    repetitions
        How often everything is tried.
    """

    material: ExperimentData
    column: str
    values: Mapping[str, Any]
    own: bool
    repetitions: int

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def bounds(self) -> tuple[float, float] | None:
        """The public bounds: as typed, else as declared for one's own column; those of the sample for the sample.

        Raises
        ------
        WorkbenchError
            If they are no two numbers.
        """
        low, high = str(self.values["lower"]).strip(), str(self.values["upper"]).strip()
        if not low and not high:
            return None
        try:
            return float(low), float(high)
        except ValueError:
            raise WorkbenchError(
                f"“{low}” and “{high}” are no bounds.", hint="Give two numbers, such as 0 and 120.", field="lower"
            ) from None

    def binned(self, bins: int) -> EncodingChoice:
        """Bins of equal width between the bounds."""
        return EncodingChoice(how=EncodingKind.BINS, bins=bins, bounds=self.bounds(), outside=Outside.CLIP)


@dataclass(frozen=True)
class PresetPart:
    """One figure or table of a preset: an experiment, the bars of one, or rows that are computed.

    Parameters
    ----------
    title, note
        What it shows, and what to see in it.
    experiment
        What is tried; for bars at its first place.
    as_bars
        Whether the histogram itself is shown rather than its errors.
    hierarchies
        Hierarchies made for it, beside those of the data.
    table
        Computes rows of text, the heading first.
    """

    title: str
    note: str = ""
    experiment: Experiment | None = None
    as_bars: bool = False
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: MappingProxyType({}))
    table: Callable[[ExperimentData, Progress], TableRows] | None = None


@dataclass(frozen=True)
class Preset:
    """One published figure, or several that belong together.

    Parameters
    ----------
    identifier, title, summary
        Its name in commands, its heading, and what it does in a sentence.
    look
        What to see, in a sentence or two.
    differs
        Where the result differs from the published one, and why.
    citation
        What it redoes.
    needs, sample
        What kind of column it is about, and which one it takes by default.
    params, sample_values
        What can be set, and what is set for the sample: its public bounds and the like.
    repetitions
        How often everything is tried.
    parts
        What it consists of.
    """

    identifier: str
    title: str
    summary: str
    look: str
    differs: str
    citation: str
    needs: Needs
    sample: SampleColumn | None
    params: tuple[ParamSpec, ...]
    sample_values: Mapping[str, Any]
    repetitions: int
    parts: Callable[[Given], tuple[PresetPart, ...]]

    def given(
        self,
        material: ExperimentData,
        column: str,
        values: Mapping[str, Any],
        *,
        own: bool = False,
        repetitions: int | None = None,
    ) -> Given:
        """The parameters, checked.

        Raises
        ------
        WorkbenchError
            If one is unknown or not allowed.
        """
        if repetitions is not None and repetitions < 1:
            raise WorkbenchError(
                f"{repetitions} repetitions try nothing.", hint="Give a whole number above 0.", field="repetitions"
            )
        start = {} if own else dict(self.sample_values)
        types = {spec.name: spec for spec in self.params}
        typed = {
            name: types[name].parse(value)
            if isinstance(value, str) and name in types and types[name].type is not ParamType.TEXT
            else value
            for name, value in values.items()
        }
        checked = filled(self.params, {**start, **typed})
        return Given(material, column, checked, own, self.repetitions if repetitions is None else repetitions)


PRESETS: Registry[Preset] = Registry("preset", "workbench.evaluate.presets", Preset)

LOWER = ParamSpec("lower", "Lower bound", ParamType.TEXT, "", "Public; empty: as declared for the column.")
UPPER = ParamSpec("upper", "Upper bound", ParamType.TEXT, "", "Public; empty: as declared for the column.")
SEED = ParamSpec("seed", "Seed", ParamType.INTEGER, 1, "Of the simulation.", minimum=0)


@dataclass(frozen=True)
class PartResult:
    """What a part came to: one of findings, bars and table."""

    part: PresetPart
    findings: Findings | None = None
    bars: MethodHistograms | None = None
    table: TableRows | None = None

    @property
    def title(self) -> str:
        return self.part.title

    @property
    def note(self) -> str:
        return self.part.note

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        plain: dict[str, Any] = {"title": self.title, "note": self.note}
        if self.findings is not None:
            plain |= {"kind": "errors", **self.findings.to_json(), "title": self.title}
        elif self.bars is not None:
            plain |= {"kind": "bars", **self.bars.to_json(), "title": self.title}
        elif self.table is not None:
            plain |= {"kind": "table", "rows": [list(row) for row in self.table]}
        return plain


@dataclass(frozen=True)
class PresetResult:
    """What a preset came to. Analyst only."""

    preset: Preset
    results: tuple[PartResult, ...]
    data: str = ""

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "preset": self.preset.identifier,
            "title": self.preset.title,
            "data": self.data,
            "look": self.preset.look,
            "differs": self.preset.differs,
            "parts": [one.to_json() for one in self.results],
        }


def run_preset(
    preset: Preset,
    given: Given,
    *,
    store: ResultStore | None = None,
    partial: Callable[[PresetResult], None] | None = None,
    gate: Gate | None = None,
    workers: int | None = None,
    data: str = "",
    progress: Progress = SILENT,
) -> PresetResult:
    """Make all parts, one after the other; what two parts share is run once.

    Raises
    ------
    WorkbenchError
        If the column does not suit it.
    Cancelled
        If the progress was cancelled.
    """
    parts, results = preset.parts(given), ResultStore() if store is None else store
    done: list[PartResult] = []

    def tell(current: PartResult) -> None:
        if partial is not None:
            partial(PresetResult(preset, (*done, current), data))

    for number, part in enumerate(parts):
        step = progress.part(number / len(parts), (number + 1) / len(parts))
        material = replace(given.material, hierarchies={**given.material.hierarchies, **part.hierarchies})
        if part.experiment is None:
            assert part.table is not None
            found = PartResult(part, table=part.table(material, step))
        elif part.as_bars:
            found = PartResult(part, bars=bars(part.experiment, material, step))
        else:

            def told(findings: Findings, part: PresetPart = part) -> None:
                tell(PartResult(part, findings))

            found = PartResult(
                part,
                run(part.experiment, material, store=results, partial=told, gate=gate, workers=workers, progress=step),
            )
        tell(found)
        done.append(found)
    progress(1.0)
    return PresetResult(preset, tuple(done), data)
