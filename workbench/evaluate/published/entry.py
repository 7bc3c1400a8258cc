"""One published figure or table: where it is published, what was set, what came out, and how to make it again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from workbench.core.number_text import NONE, count
from workbench.core.progress import SILENT, Progress
from workbench.evaluate.experiment_run import Gate
from workbench.evaluate.published.agreement import (
    Accord,
    Agreement,
    OurValue,
    PublishedValue,
    Said,
    agree_together,
    agreement,
    apart_together,
    pooled,
    said_of,
    said_together,
    together,
)
from workbench.evaluate.published.panel import PanelWords, PublishedPanel, PublishedText
from workbench.evaluate.published.recorded import recorded
from workbench.evaluate.published.setting_rows import changes_published, of_your_column, with_set
from workbench.evaluate.published.verdicts import counted, verdict_by_standing, verdict_on
from workbench.evaluate.samples import Needs, SampleColumn, TableRows
from workbench.evaluate.subject import ExperimentData

Panels = tuple[PublishedPanel, ...]
Tell = Callable[[Panels], None]


@dataclass(frozen=True)
class FigureSide:
    """A figure made in one way.

    Parameters
    ----------
    panels
        Charts and tables.
    numbers
        What came out that stands in no curve, by `PublishedValue.name`.
    """

    panels: Panels = ()
    numbers: Mapping[str, OurValue] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True)
class Running:
    """The circumstances of a run: what lets it pause, and how many threads there are (None: one per core)."""

    gate: Gate | None = None
    workers: int | None = None


@dataclass(frozen=True)
class FigureInput:
    """The material that a figure is made of.

    Parameters
    ----------
    material, column
        The data, and its column; no column where none is needed.
    own
        Whether it is the person's own column rather than the sample.
    repetitions, seed
        How often everything is tried, and what everything random follows from.
    progress
        Cancels the run.
    values
        What is set otherwise than was published, such as “bins” or “bounds”.
    changed
        The same in words: what each is called, and its value.
    running
        How it is run.
    """

    material: ExperimentData
    column: str
    own: bool
    repetitions: int
    seed: int
    progress: Progress = SILENT
    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    changed: tuple[tuple[str, str], ...] = ()
    running: Running = field(default_factory=Running)

    def bounds(self, usual: tuple[float, float]) -> tuple[float, float] | None:
        """Public bounds: those that are set, else as published; None for one's own column, which declares its own."""
        found: tuple[float, float] | None = self.values.get("bounds", None if self.own else usual)
        return found


Make = Callable[[FigureInput, Tell], FigureSide]


@dataclass(frozen=True)
class FigureOutcome:
    """The outcome of a figure. Analyst only, where it is made of the user's own column.

    Parameters
    ----------
    published, mended
        The two sides; empty while they are not made.
    data
        What it is made of, in words.
    complete
        Whether both sides are finished.
    repetitions
        How many were asked for; 0 means as many as were published.
    changed
        What is set otherwise than was published: what it is called, and its value.
    of_record
        Whether nothing is run yet, and its values are those of the recorded run.
    """

    figure: PublishedFigure
    published: FigureSide = field(default_factory=FigureSide)
    mended: FigureSide = field(default_factory=FigureSide)
    data: str = ""
    own: bool = False
    complete: bool = False
    repetitions: int = 0
    changed: tuple[tuple[str, str], ...] = ()
    of_record: bool = False

    @property
    def as_published(self) -> bool:
        """Whether what is published is made of the sample and so again, so that numbers can be compared."""
        return not self.own and not any(changes_published(words, self.figure.number) for words, _ in self.changed)

    @property
    def caption(self) -> str:
        """Caption on what to see in it; nothing of the user's own column or settings, at which nobody has looked."""
        return self.figure.caption if self.as_published or self.figure.document.ours else ""

    @property
    def settings(self) -> TableRows:
        """Name, as published and here, row by row, with what was set otherwise."""
        rows = self.figure.settings
        if self.own:
            rows = of_your_column(rows, of_a_sample=self.figure.shows_data)
        return with_set(self._with_runs(rows), self.changed, self.figure.number)

    def _with_runs(self, rows: TableRows) -> TableRows:
        """The settings with as many repetitions as were run, where others than usual were asked for."""
        if self.repetitions == 0:
            return rows
        usual, asked = count(self.figure.repetitions), count(self.repetitions)

        def run(name: str, there: str, here: str) -> tuple[str, str, str]:
            if name == _BARS_OF_RUNS:
                return name, there.replace(f"the mean of {usual}", f"the mean of {asked}"), here
            if name in _RUNS:
                told = there.replace(f"Here: {usual}", f"Here: {asked}")
                if asked != usual and told == there != NONE:  # as many were published as are run by default
                    told = f"{there}, {asked} here"
                return name, told, here.replace(usual, asked, 1)
            return name, there, here

        return tuple(run(*row) for row in rows)

    @property
    def agreements(self) -> tuple[Agreement, ...]:
        """Every published value beside ours; none of the user's own column or settings, which were not published."""
        if not self.as_published:
            return ()
        if self.of_record:
            return self.figure.recorded
        return self.figure.beside(lambda one: our_value(one, self.published), self.repetitions)

    @property
    def together(self) -> Agreement | None:
        """The noisy values taken together, where there are two or more."""
        return together(self.agreements)

    @property
    def compared(self) -> tuple[tuple[Agreement, str], ...]:
        """Every published value, and that of the pooled ones as the last, each with what its tolerance stands on."""
        found, noisy = self.agreements, self.together
        of_pool = {one.value.name for one in pooled(found)} if noisy is not None else set()
        several = tuple((one, f"{one.basis}; together" if one.value.name in of_pool else one.basis) for one in found)
        return several if noisy is None else (*several, (noisy, noisy.basis))

    @property
    def said(self) -> tuple[str, ...]:
        """Names of what each of these came to, "" while ours is not there."""
        found, noisy = self.agreements, self.together
        whole = () if noisy is None else said_of((noisy,))
        together = (Said.TOGETHER if one is Said.COMPUTED else one for one in whole)
        return tuple(one or "" for one in (*said_of(found), *together))

    @property
    def verdict(self) -> str:
        """How many of the published values agree, cannot tell and differ."""
        found = self.agreements
        if not found:
            if any(panel.boxes for panel in self.published.panels):
                return "A drawing: no numbers to compare"
            alike = self.as_published and not self.figure.document.ours
            return "No numbers to compare: the sample has rows of its own" if alike else verdict_on(found)
        return verdict_by_standing(found)

    @property
    def taken_together(self) -> str:
        """Sentence on what the values that are taken together come to."""
        return said_together(self.agreements)

    @property
    def differs(self) -> tuple[str, ...]:
        """Where it differs and why, at most five lines; those that are computed only when they are known."""
        return self.figure.differs(self)[:MOST_LINES] if self.complete else ()

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "figure": self.figure.identifier,
            "number": self.figure.number,
            "source": self.figure.source,
            "title": self.figure.title,
            "data": self.data,
            "settings": [list(row) for row in self.settings],
            "values": [one.to_json() for one in self.agreements],
            "together": None
            if (noisy := self.together) is None
            else noisy.to_json() | {"agrees": noisy.accord is Accord.AGREES, "verdict": noisy.accord or ""},
            "pooled": [one.value.name for one in pooled(self.agreements)],
            "counts": counted(self.agreements),
            "agree together": agree_together(self.agreements),
            "differ together": apart_together(self.agreements),
            "differs": list(self.differs),
            "published": [one.to_json() for one in self.published.panels],
            "mended": [one.to_json() for one in self.mended.panels],
        }


MOST_LINES = 5
_RUNS = frozenset(("repetitions", "runs", "private answers", "releases"))
"""Settings that say how often everything is tried."""
_BARS_OF_RUNS = "private bars"
"""The setting that says how many runs a bar is the mean of."""
_ALSO_CALLED = MappingProxyType({"surgery_tail.csv.gz": "hospitals charges"})
"""By what else the data of a sample are known that the name of its file does not say."""
SECTIONS = MappingProxyType(
    {
        "Figure 2.1": "2.3",
        "Figure 2.2": "2.4",
        "Table 3.1": "3.2.4.3",
        "Table 3.2": "3.2.4.4",
        "Figure 3.1": "3.2.4.5",
        "Figure 3.2": "3.2.4.6",
        "Figure 3.3": "3.2.5.1",
        "Table 3.3": "3.2.5.3",
        "Figure 3.4": "3.2.5.4",
        "Figure 3.5": "3.2.5.5",
        "Figure 3.6": "3.2.5.5",
        "Table 3.4": "3.3.1",
        "Table 3.5": "3.3.5",
        "Table 3.6": "3.3.6.1",
        "Figure 3.9": "3.3.6.2",
        "Figure 4.1": "4.3",
        "Figure 4.2": "4.5.1",
        **dict.fromkeys(("Figure 4.3", "Figure 4.4"), "4.5.3"),
        **dict.fromkeys(("Figure 4.5", "Figure 4.6"), "4.5.4"),
        **dict.fromkeys(("Figure 4.7", "Figure 4.8"), "4.6.1"),
        **dict.fromkeys(("Figure 4.9", "Figure 4.10", "Figure 4.11"), "4.6.8"),
        "Survey mechanism": "survey mechanisms",
        "Truncated ½-geometric table": "truncated geometric mechanisms",
        **dict.fromkeys(("Truncated ¼-geometric table", "Algorithm 1"), "above threshold mechanisms"),
    }
)
"""The section that speaks of a figure, by its number or, in the paper, its name: it is found by that as well."""


@dataclass(frozen=True)
class PublishedFigure:
    """One figure or table of a document.

    Parameters
    ----------
    identifier, number
        Its name in commands, and the number it has in its document, such as “Figure 3.1”.
    document, page, chapter
        Where it is published; page 0 where there are none.
    title, caption
        What it shows, and what to see in it: what the program does better, and why.
    settings
        Name, as published and mended, row by row.
    values
        What is printed, or can be read off the picture.
    published, mended
        Make one side.
    differs
        Where ours differs and why, from what came out.
    needs, sample
        What kind of column it is about, and which one it takes by default; no sample where it needs none.
    repetitions
        How often everything was tried.
    seconds
        Of a processor that it takes; two cores that are free need less.
    bounded
        Whether one's own column needs public bounds that are declared.
    words
        What is said below a panel alone, by how its title begins.
    below
        Of what nobody published, which lines on what it shows stand below the panel of a title.
    """

    identifier: str
    number: str
    document: PublishedText
    page: int
    chapter: str
    title: str
    caption: str
    settings: TableRows
    values: tuple[PublishedValue, ...]
    published: Make
    mended: Make
    differs: Callable[[FigureOutcome], tuple[str, ...]]
    needs: Needs = Needs.NOTHING
    sample: SampleColumn | None = None
    repetitions: int = 1
    seconds: float = 1.0
    bounded: bool = False
    words: Mapping[str, PanelWords] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    below: Callable[[FigureOutcome, str], tuple[str, ...]] = lambda outcome, title: ()

    def beside(self, ours: Callable[[PublishedValue], OurValue | None], repetitions: int = 0) -> tuple[Agreement, ...]:
        """Every published value beside ours, as far apart as the recorded noise allows."""
        kept = recorded().get(self.identifier, {})
        return tuple(
            agreement(
                value,
                ours(value),
                kept[value.name].deviation if value.name in kept else 0.0,
                repetitions or self.repetitions,
            )
            for value in self.values
        )

    def words_of(self, title: str) -> PanelWords:
        """Words below the panel of a title alone."""
        found = max((one for one in self.words if title.startswith(one)), key=len, default=None)
        return PanelWords() if found is None else self.words[found]

    @property
    def shows_data(self) -> bool:
        """Whether it is made of values of its data, and not of public shapes between the bounds of those."""
        return self.sample is not None and self.document is not PublishedText.BESIDE

    @property
    def recorded(self) -> tuple[Agreement, ...]:
        """Every published value beside the recorded one."""
        return self.beside(lambda value: recorded().get(self.identifier, {}).get(value.name))

    @property
    def sought(self) -> str:
        """The words by which it is found beside its number: of its title, its data, its settings, and its heading."""
        return f"{self.used} {_words_of((self.chapter, *(here for _, _, here in self.settings)))}"

    @property
    def used(self) -> str:
        """Those of them that say what was published: of its title, its data, and its settings there."""
        data: Sequence[str] = ()
        if self.sample:
            called = f"{self.sample.file} {self.sample.column} {_ALSO_CALLED.get(self.sample.file, '')}"
            data = re.findall(r"[a-z]+", called.lower())
        section = f"section {SECTIONS[self.number]}" if self.number in SECTIONS else ""
        return " ".join((self.title, self.pages, section, *data, _words_of(there for _, there, _ in self.settings)))

    @property
    def pages(self) -> str:
        """Where it is published, and its values, such as “p. 29 p. 28”."""
        told = re.findall(r"p\. (\d+)", " ".join(one.source for one in self.values))
        return " ".join(dict.fromkeys(f"p. {one}" for one in (self.page, *map(int, told)) if one))

    @property
    def source(self) -> str:
        """Such as “N. Galanis: …, p. 24”; where no pages are known, the section."""
        section = SECTIONS.get(self.number, "")
        place = f", p. {self.page}" if self.page else f", section on {section}" if section else ""
        return f"{self.document.value}{place}"

    @property
    def source_in_short(self) -> str:
        """The same without the title of the thesis, which one line has no room for."""
        return self.source.replace(": Protection of Sensitive Data,", ",")


def _words_of(texts: Iterable[str]) -> str:
    return " ".join(dict.fromkeys(re.findall(r"[^\W\d_]{4,}|[A-Z]{2,}", " ".join(texts))))


def our_value(value: PublishedValue, side: FigureSide) -> OurValue | None:
    """Result of the side made as published, where a value is published; None while it is not there."""
    if not value.curve:
        return side.numbers.get(value.name)
    curves = side.panels[value.panel].curves if value.panel < len(side.panels) else ()
    return next((one.at(value.place) for one in curves if one.name == value.curve), None)


def run_figure(
    figure: PublishedFigure,
    given: FigureInput,
    *,
    data: str = "",
    partial: Callable[[FigureOutcome], None] | None = None,
) -> FigureOutcome:
    """Make both sides, one after the other.

    Raises
    ------
    WorkbenchError
        If the column does not suit it.
    Cancelled
        If the progress was cancelled.
    """

    def tell(outcome: FigureOutcome) -> None:
        if partial is not None:
            partial(outcome)

    def part(start: float, stop: float) -> FigureInput:
        progress = given.progress.part(start, stop)
        return replace(given, progress=progress)

    empty = FigureOutcome(figure, data=data, own=given.own, repetitions=given.repetitions, changed=given.changed)
    published = figure.published(part(0.0, 0.5), lambda panels: tell(replace(empty, published=FigureSide(panels))))
    half = replace(empty, published=published)
    tell(half)
    mended = figure.mended(part(0.5, 1.0), lambda panels: tell(replace(half, mended=FigureSide(panels))))
    given.progress(1.0)
    return replace(half, mended=mended, complete=True)
