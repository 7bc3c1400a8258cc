"""Published figures made again: what each needs, and what to see in it. A preset is one file of `presets`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Hierarchy
from workbench.core.number_text import exact, spelled
from workbench.core.params import ParamSpec, ParamType, filled
from workbench.core.plugins import Registry
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.experiment_run import Gate, run
from workbench.evaluate.findings import Findings
from workbench.evaluate.method_histograms import MethodHistograms, bars
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, PublishedFigure, Running, run_figure
from workbench.evaluate.published.panel import PublishedPanel
from workbench.evaluate.published.setting_rows import reaches
from workbench.evaluate.samples import Needs, SampleColumn, TableRows
from workbench.evaluate.store import ResultStore
from workbench.evaluate.subject import ExperimentData
from workbench.ldp.encoding import EncodingChoice, EncodingKind, Outside


@dataclass(frozen=True)
class Given:
    """The material that the parts of a preset are made of.

    Parameters
    ----------
    material, column
        The data, and what is asked.
    values
        Every parameter.
    own
        Whether it is the person's own column rather than the sample.
    repetitions
        How often everything is tried; of published figures 0 means as often as was published.
    changed
        The parameters that are not as they are by default, and what they are called.
    """

    material: ExperimentData
    column: str
    values: Mapping[str, Any]
    own: bool
    repetitions: int
    changed: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def changed_words(self) -> tuple[tuple[str, str], ...]:
        """The parameters that are set otherwise than by default: what each is called, and its value."""
        return tuple((words, _written(name, self.values[name])) for name, words in self.changed.items())

    def of_figure(self, number: str) -> Given:
        """The same with only those of the changed parameters that change a figure."""
        changed = {name: words for name, words in self.changed.items() if reaches(words, number)}
        return replace(self, changed=MappingProxyType(changed))

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

    @property
    def usual(self) -> bool:
        """Whether it is the sample with the usual settings, which the sentences of a preset are about."""
        return not self.own and not self.changed

    @property
    def figure_values(self) -> dict[str, Any]:
        """Values of published figures that are not the defaults; bounds as one pair."""
        found = {name: self.values[name] for name in self.changed if name not in _NOT_OF_FIGURES}
        if _BOUNDS & set(self.changed):
            found["bounds"] = self.bounds()
        return found

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
    panel
        What was made for a published figure and is neither errors nor bars of an experiment nor a table.
    """

    title: str
    note: str = ""
    experiment: Experiment | None = None
    as_bars: bool = False
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=lambda: MappingProxyType({}))
    table: Callable[[ExperimentData, Progress], TableRows] | None = None
    panel: PublishedPanel | None = None


def _no_parts(_given: Given) -> tuple[PresetPart, ...]:
    return ()


@dataclass(frozen=True)
class Preset:
    """One published figure, or several that belong together.

    What it makes of published figures is what their own entries make, and the same as in the gallery.

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
        How often everything is tried; of published figures 0 means as often as was published.
    parts
        What it consists of, beside published figures.
    figures
        The published figures that it makes.
    samples
        Other columns that can be taken instead of `sample`, by the value of the parameter “sample”.
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
    parts: Callable[[Given], tuple[PresetPart, ...]] = _no_parts
    figures: tuple[PublishedFigure, ...] = ()
    samples: Mapping[str, SampleColumn] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def times(self) -> int:
        """How often everything is tried, at most."""
        return self.repetitions or max((figure.repetitions for figure in self.figures), default=1)

    def sample_for(self, values: Mapping[str, Any]) -> SampleColumn | None:
        """The column that is taken where the user names none."""
        return self.samples.get(str(values.get(SAMPLE, "")), self.sample)

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
        checked, changed = self._checked(values, own=own)
        times = self.repetitions if repetitions is None else repetitions
        return Given(material, column, checked, own, times, MappingProxyType(changed))

    def is_usual(self, values: Mapping[str, Any], *, own: bool) -> bool:
        """Whether it is the sample with the settings that its own sentences are about.

        Raises
        ------
        WorkbenchError
            If a parameter is unknown or not allowed.
        """
        return not own and not self._checked(values, own=own)[1]

    def _checked(self, values: Mapping[str, Any], *, own: bool) -> tuple[dict[str, Any], dict[str, str]]:
        """Every parameter, and what those are called that are not as they are by default."""
        start = {} if own else dict(self.sample_values)
        types = {spec.name: spec for spec in self.params}
        typed = {
            name: types[name].parse(value)
            if isinstance(value, str) and name in types and types[name].type is not ParamType.TEXT
            else value
            for name, value in values.items()
        }
        checked = filled(self.params, {**start, **typed})
        usual = {**{spec.name: spec.default for spec in self.params}, **start}
        return checked, {
            name: types[name].label or types[name].title
            for name, value in checked.items()
            if not _same(name, value, usual[name]) and name != SEED.name
        }


def _number(name: str, value: Any) -> float | None:
    """A parameter as a number; None of one that is a text, though a value that is asked for may look like one."""
    if isinstance(value, str) and name not in _BOUNDS:
        return None
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _same(name: str, value: Any, usual: Any) -> bool:
    """Whether a parameter is as usual, however it is written."""
    one, other = _number(name, value), _number(name, usual)
    return value == usual if one is None or other is None else one == other


def _written(name: str, value: Any) -> str:
    number = _number(name, value)
    return str(value) if number is None else spelled(exact(number))


def said_of(preset: Preset, sentences: str, *, usual: bool) -> str:
    """Sentences of a preset as they are true beside a run: of other data or settings it is said what they are of."""
    of = "what is printed" if preset.sample is None else "the sample"
    return sentences if usual else f"Of {of}, with the usual settings: {sentences}"


PRESETS: Registry[Preset] = Registry("preset", "workbench.evaluate.presets", Preset)

SAMPLE = "sample"
_BOUNDS = frozenset(("lower", "upper"))
_NOT_OF_FIGURES = _BOUNDS | {SAMPLE}


def sample_spec(samples: Mapping[str, SampleColumn], help_text: str) -> ParamSpec:
    """The parameter that chooses among samples, the first of which is the published one."""
    return ParamSpec(
        SAMPLE,
        "Sample",
        ParamType.CHOICE,
        next(iter(samples)),
        help_text,
        choices=tuple((name, name) for name in samples),
    )


LOWER = ParamSpec("lower", "Lower bound", ParamType.TEXT, "", "Public; empty: as declared for the column.")
UPPER = ParamSpec("upper", "Upper bound", ParamType.TEXT, "", "Public; empty: as declared for the column.")
SEED = ParamSpec("seed", "Seed", ParamType.INTEGER, 1, "Of the simulation.", minimum=0)


@dataclass(frozen=True)
class PartResult:
    """The result of a part: findings, bars or a table and, of a published figure, its panel."""

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
        elif self.part.panel is not None:
            plain |= {"kind": "curves", **self.part.panel.to_json(), "title": self.title}
        return plain


@dataclass(frozen=True)
class PresetResult:
    """The results of a preset. Analyst only."""

    preset: Preset
    results: tuple[PartResult, ...]
    data: str = ""
    outcomes: tuple[FigureOutcome, ...] = ()
    """Its published figures, as published and mended; the mended panels are its first parts."""
    usual: bool = True
    """Whether it was made of the sample with the usual settings."""

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "preset": self.preset.identifier,
            "title": self.preset.title,
            "data": self.data,
            "look": said_of(self.preset, self.preset.look, usual=self.usual),
            "differs": said_of(self.preset, self.preset.differs, usual=self.usual),
            "parts": [one.to_json() for one in self.results],
            "figures": [one.to_json() for one in self.outcomes],
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
    outcomes: list[FigureOutcome] = []
    whole = len(preset.figures) + len(parts)

    def tell(*current: PartResult) -> None:
        if partial is not None:
            partial(PresetResult(preset, (*done, *current), data, tuple(outcomes), given.usual))

    for number, figure in enumerate(preset.figures):
        step, of_figure = progress.part(number / whole, (number + 1) / whole), given.of_figure(figure.number)
        made = run_figure(
            figure,
            FigureInput(
                given.material,
                given.column,
                given.own,
                given.repetitions or figure.repetitions,
                int(given.values.get(SEED.name, SEED.default)),
                step,
                of_figure.figure_values,
                of_figure.changed_words,
                Running(gate, workers),
            ),
            data=data,
            partial=lambda outcome: tell(*_parts_of(outcome)),
        )
        outcomes.append(made)
        done += _parts_of(made)
    for number, part in enumerate(parts, start=len(preset.figures)):
        step = progress.part(number / whole, (number + 1) / whole)
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
    return PresetResult(preset, tuple(done), data, tuple(outcomes), given.usual)


def _parts_of(outcome: FigureOutcome) -> list[PartResult]:
    """The mended panels of a published figure as parts, so far."""
    found = []
    for panel in outcome.mended.panels:
        said = panel.title.removeprefix("Mended: ")
        own_title = "" if said == "Mended" or outcome.figure.title in said else f": {said}"
        made, note = panel.made, outcome.caption
        title = f"{outcome.figure.number}, {outcome.figure.title}{own_title}"
        if isinstance(made, Findings):
            found.append(PartResult(PresetPart(title, note, made.experiment), findings=made))
        elif isinstance(made, MethodHistograms):
            found.append(PartResult(PresetPart(title, note, as_bars=True), bars=made))
        else:
            found.append(PartResult(PresetPart(title, note, panel=panel), table=panel.rows or None))
    return found
