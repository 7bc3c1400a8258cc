"""The frame that the figures of a chapter share: their publication, their material, and the look of their runs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from workbench.core.number_text import estimate, spelled, with_places
from workbench.evaluate.experiment import Axis, Experiment
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.published.agreement import OurValue, PublishedValue
from workbench.evaluate.published.entry import FigureInput, FigureOutcome, FigureSide, Make, PublishedFigure, Tell
from workbench.evaluate.published.experiment_runs import experiments
from workbench.evaluate.published.panel import PanelWords, PublishedPanel, PublishedText
from workbench.evaluate.question import Metric, Question
from workbench.evaluate.samples import Needs, SampleColumn, TableRows
from workbench.evaluate.subject import subject_of

Line = str | Callable[[FigureOutcome], str]
"""Where a figure differs and why: known beforehand, or from what came out."""


@dataclass(frozen=True)
class LineBelow:
    """A line that stands below some panels of its figure only: those whose titles begin so."""

    line: Line
    titles: tuple[str, ...]

    def __call__(self, outcome: FigureOutcome) -> str:
        """The line."""
        return _told(self.line, outcome)


def of_the_sample(line: str) -> Line:
    """A line that is known beforehand, but of what is run of the sample: of one's own column it is not said."""
    return lambda outcome: line


def _told(line: Line, outcome: FigureOutcome) -> str:
    return line if isinstance(line, str) else line(outcome)


AXES = ("axes", "linear", "error logarithmic")
ALL_AXES = ("axes", "linear", "both logarithmic")
"""The settings of figures whose mended axes are drawn otherwise than they are printed."""
_MORE = re.compile(r" \((θ = 0.67|ε = 1)\)$")
"""Settings in the names of curves that those of values need not have."""
NOTHING_PUBLISHED = "Nothing was published of this column or these settings."
NOT_PUBLISHED = f"{NOTHING_PUBLISHED[:-1]}; what follows is said of the published figure."


@dataclass(frozen=True)
class ChapterFrame:
    """The frame that all figures of a chapter share.

    Parameters
    ----------
    document, chapter
        Where they are published, and under which heading they are shown.
    needs, sample
        What kind of column they are about, and which one they take by default.
    repetitions
        How often everything was tried.
    """

    document: PublishedText
    chapter: str
    needs: Needs = Needs.NOTHING
    sample: SampleColumn | None = None
    repetitions: int = 1

    def of(self, sample: SampleColumn | None, repetitions: int = 1) -> ChapterFrame:
        """The same with a column of numbers and its repetitions."""
        needs = Needs.NOTHING if sample is None else Needs.NUMBERS
        return replace(self, sample=sample, needs=needs, repetitions=repetitions)

    def figure(
        self,
        number: str,
        page: int,
        title: str,
        caption: str,
        *,
        settings: TableRows,
        published: Make,
        mended: Make,
        differs: tuple[Line, ...],
        values: tuple[PublishedValue, ...] = (),
        seconds: float = 0.1,
        name: str = "",
        bounded: bool = True,
        words: Mapping[str, PanelWords] | None = None,
    ) -> PublishedFigure:
        """A figure of this chapter; its name in commands follows from its number unless it is given."""

        def lines(outcome: FigureOutcome) -> tuple[str, ...]:
            if outcome.as_published or self.document.ours:
                return tuple(_told(one, outcome) for one in differs)
            fixed = tuple(one for one in differs if isinstance(one, str))
            return (NOT_PUBLISHED, *fixed) if fixed else (NOTHING_PUBLISHED,)

        def below(outcome: FigureOutcome, title: str) -> tuple[str, ...]:
            here = (one for one in differs if not isinstance(one, LineBelow) or title.startswith(one.titles))
            return tuple(_told(one, outcome) for one in here)

        usual = "picture" if page and number.startswith("Figure") else f"p. {page}" if page else "print"
        return PublishedFigure(
            identifier=name or number.lower().replace(" ", "-"),
            number=number,
            document=self.document,
            page=page,
            chapter=self.chapter,
            title=title,
            caption=caption,
            settings=settings,
            values=tuple(
                replace(one, source=one.source or ("" if one.follows and usual == "print" else usual)) for one in values
            ),
            published=published,
            mended=mended,
            differs=lines,
            needs=self.needs,
            sample=self.sample,
            repetitions=self.repetitions,
            seconds=seconds,
            bounded=bounded and self.needs is Needs.NUMBERS,
            words=words or {},
            below=below,
        )


@dataclass(frozen=True)
class FigureSweep:
    """One experiment as a side of a figure, its repetitions and seed those of the run.

    Parameters
    ----------
    title
        Of its panel.
    question
        What is asked of the column.
    methods, metric, axis, places, epsilon, users
        As of `Experiment`; places and users beyond the rows there are, are left out.
    repetitions
        Where they are not those of the run.
    again
        Whether more people than there are rows are drawn again and again from those, rather than left out.
    """

    title: str
    question: Callable[[FigureInput], Question]
    methods: tuple[MethodChoice, ...]
    places: tuple[float, ...]
    metric: Metric = field(default_factory=Metric)
    axis: Axis = Axis.EPSILON
    epsilon: float = 1.0
    users: int | None = None
    repetitions: int = 0
    again: bool = False

    def experiment(self, given: FigureInput) -> Experiment:
        """Experiment that is run."""
        question, places, users, epsilon = self.question(given), self.places, self.users, self.epsilon
        if self.axis is Axis.USERS:
            epsilon = given.values.get("epsilon", epsilon)
        else:
            users = given.values.get("users", users)
        if (self.axis is Axis.USERS or users is not None) and not self.again:
            rows = len(subject_of(given.material, question))
            if self.axis is Axis.USERS:
                places = tuple(one for one in places if one <= rows) or (float(rows),)
            users = None if users is None else min(users, rows)
        return Experiment(
            question=question,
            metric=self.metric,
            methods=self.methods,
            axis=self.axis,
            places=places,
            epsilon=epsilon,
            users=users,
            repetitions=self.repetitions or given.repetitions,
            seed=given.seed,
        )

    def __call__(self, given: FigureInput, tell: Tell) -> FigureSide:
        """Run it, telling its curves as they come."""
        return experiments(given, [(self.title, self.experiment(given))], tell)


def shown(*panels: PublishedPanel, numbers: Mapping[str, OurValue] | None = None) -> Make:
    """A side that is known without a run."""
    return lambda given, tell: FigureSide(panels, numbers or {})


def table(title: str, rows: TableRows) -> PublishedPanel:
    """A panel that is a table, the heading first."""
    return PublishedPanel(title, rows=rows)


def in_decimals(value: float, places: int, *, own: bool = False) -> str:
    """A number with so many decimals; of one's own column, which may hold small ones, with three digits at least."""
    size = abs(value)
    if own and size:
        places = max(places, 2 - math.floor(math.log10(size)))
    return spelled(estimate(value, 3) if 0 < size < 1e-4 and own else with_places(value, places))


def readings(
    read: Mapping[str, Mapping[float, float]],
    reading: float,
    repetitions: Callable[[str], int],
    at: Callable[[str, float], str],
    fitted: tuple[str, float, str] | None = None,
) -> tuple[PublishedValue, ...]:
    """Numbers read off a picture, by curve and place.

    Parameters
    ----------
    reading
        How far one may be misread.
    repetitions
        How many runs a point of a curve is the mean of.
    at
        What a place of a curve is, in words.
    fitted
        Curve and place of the one number that a setting was chosen by, and what was chosen; None if nothing was.
    """
    by, chosen = (fitted[:2], fitted[2]) if fitted else (None, "")
    return tuple(
        PublishedValue(
            f"{_MORE.sub('', curve)}, {at(curve, place)}",
            value,
            reading,
            times := repetitions(curve),
            0,
            curve,
            place,
            mark=chosen if (curve, place) == by else "",
            made=(curve, place) == by,
            skewed=times == 1,
            key=f"{curve}, at {estimate(place, 5)}",
        )
        for curve, points in read.items()
        for place, value in points.items()
    )


def value_at(side: FigureSide, curve: str, place: float, panel: int = 0) -> OurValue | None:
    """Value of a curve at a place, None where it is not."""
    curves = side.panels[panel].curves if panel < len(side.panels) else ()
    return next((one.at(place) for one in curves if one.name == curve), None)


def value_text(side: FigureSide, curve: str, place: float, panel: int = 0) -> str:
    """The same in three digits."""
    found = value_at(side, curve, place, panel)
    return "nothing" if found is None else estimate(found.mean, 3)
