"""Figures 4.2 to 4.6 and 4.9 to 4.11 of the thesis: local protocols on 50 answers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from workbench.core.number_text import count, estimate
from workbench.evaluate.experiment import Axis
from workbench.evaluate.method import Approach, MethodChoice
from workbench.evaluate.published.agreement import PublishedValue
from workbench.evaluate.published.chapter4_lines import (
    BEST,
    BEST_BY_MANHATTAN,
    MATRIX_BY_PEOPLE,
    MATRIX_LINES,
    NAMES,
    OVERSPENT,
    RAPPOR_LINE,
    USERS,
    best_between,
    best_of_pure,
    moved_line,
    sensitive_line,
    turning_point,
    two_answers,
    with_few,
    with_many,
    worst_with_few,
)
from workbench.evaluate.published.chapter4_settings import (
    ALL_PROTOCOLS,
    BY_EM,
    CONSISTENT,
    IN_UNIT,
    MATRIX_ROW,
    ONE_DRAW,
    PROTOCOLS,
    SENSITIVE_ROW,
    SENSITIVE_ROW_AT_LN20,
    spent,
)
from workbench.evaluate.published.entry import FigureInput, FigureSide, Make, PublishedFigure, Tell
from workbench.evaluate.published.fewest import with_more_runs
from workbench.evaluate.published.frame import (
    ALL_AXES,
    AXES,
    ChapterFrame,
    FigureSweep,
    Line,
    readings,
)
from workbench.evaluate.published.local_runs import (
    DIRECT,
    HISTOGRAM,
    KANTOROVICH,
    LN20,
    MATRIX,
    SENSITIVE,
    UNARY,
    WITH_MATRIX,
    WITH_SENSITIVE,
    LocalRun,
    ages,
    in_parts,
    l1,
    of_more_people,
    one_reach,
    totals_line,
)
from workbench.evaluate.published.originals import (
    distance_sensitive,
    reports_as_one,
)
from workbench.evaluate.published.panel import (
    MENDED,
    NEARLY,
    RUN_HERE,
    PanelCurve,
    PanelWords,
    PublishedPanel,
    PublishedText,
)
from workbench.evaluate.published.winners import of_people, over_all
from workbench.evaluate.question import Distance, Metric
from workbench.evaluate.samples import SampleColumn
from workbench.evaluate.subject import subject_of

LOCAL, SPIKY = ChapterFrame(PublishedText.THESIS, "Thesis, 4: local DP"), SampleColumn("spiky_ages.csv", "age")
_AGES = LOCAL.of(SPIKY, 10)
_EPSILONS = tuple(round(0.2 + step / 3, 2) for step in range(12))
_LATER_EPSILONS = tuple(round(0.8 + step / 3, 2) for step in range(12))
_EVERYONE, _FEWER = (20_000,) * 12, (2_000,) * 12
_FEW_USERS = tuple(range(10, 4_000, 50))
_FEWER_PLACES = (10.0, 20.0, 35.0, 60.0, 110.0, 210.0, 410.0, 1_010.0, 2_010.0, 4_010.0)
_SUM, _PER_100 = "Σ |estimated − true|, people", "Σ |estimated − true|, per 100 people"
_MOVED, _MOVED_PER_100 = "Kantorovich distance, unequal totals", "Kantorovich, unequal totals, per 100 people"
_OTHER_CHART, _NO_MATRIX = "Mended, other protocols", frozenset(("random matrix",))
_CHOSEN, _ALL_REPORTS = (DIRECT, 0.8, "people chosen to fit this"), 200_000
_MATRIX, _SENSITIVE = ("random-matrix", "Random matrix"), ("ds", "Distance-sensitive")
_PURE = tuple(zip(("grr", "the", "oue"), NAMES, strict=True))
_MORE = (
    ("ds-corrected", "Distance-sensitive, corrected"),
    ("square-wave", "Square Wave"),
    ("rappor", "Basic RAPPOR (ε = 1.02)"),
)


def local(protocol: str, name: str, **values: str) -> MethodChoice:
    """A protocol as a method of an experiment."""
    return MethodChoice("local", MappingProxyType({"protocol": protocol, **values}), label=name)


def _every_protocol(run: LocalRun, distance: Distance) -> Make:
    """The same sweep with every protocol, its usual estimator and distances of distributions."""
    sweep, matrix = _sweep_of_all(run, distance), run.methods is WITH_MATRIX
    published = (*NAMES, (_MATRIX if matrix else _SENSITIVE)[1])

    def make(given: FigureInput, tell: Tell) -> FigureSide:
        return FigureSide(in_parts(sweep(given, lambda panels: tell(in_parts(panels, published))).panels, published))

    spoken_of = (NAMES if distance is Distance.MANHATTAN else ()) if matrix else (NAMES[0], NAMES[2], _SENSITIVE[1])
    if run.by_people:
        return with_more_runs(make, sweep, spoken_of)
    between = tuple(one for one in sweep.places if BEST[0] < one < BEST[1])
    return make if matrix else with_more_runs(make, sweep, (*NAMES, _SENSITIVE[1]), between)


def _sweep_of_all(run: LocalRun, distance: Distance) -> FigureSweep:
    end = run.places[-1]
    two = (_MATRIX, _SENSITIVE) if run.methods is WITH_MATRIX else (_SENSITIVE, _MATRIX)
    return FigureSweep(
        MENDED,
        ages,
        (
            *(local(one, name) for one, name in (*_PURE, *two, *_MORE)),
            MethodChoice("global-grid", MappingProxyType({"post": "consistent"}), label="Global DP"),
            MethodChoice("uniform"),
        ),
        (*(few for few in _FEWER_PLACES if few < end), end) if run.by_people else run.epsilons,
        Metric(distance, normalised=True),
        Axis.USERS if run.by_people else Axis.EPSILON,
        run.epsilons[0],
        None if run.by_people or run.people[0] >= _EVERYONE[0] else run.people[0],
    )


_TIMES_LINE = reports_as_one.of_taken(_EVERYONE[0])
_ABOUT = "about 20,000 (p. 47). Here: 20,000"


def _repetitions(curve: str) -> int:
    """Each published point of the random matrix has one matrix, whose luck ten runs do not average out."""
    return 1 if curve == MATRIX else 10


def _figure(
    number: str,
    page: int,
    title: str,
    caption: str,
    run: LocalRun,
    people: str,
    epsilon: str,
    seconds: float,
    reading: float,
    read: dict[str, dict[float, float]],
    *differs: Line,
    words: Mapping[str, PanelWords] | None = None,
) -> PublishedFigure:
    """A sweep of local protocols; what is said of it follows from what is run."""
    moved = run.measure is KANTOROVICH
    share = "; divided by the number of people, times 100 (author's code)" if run.by_people else ""
    kept = "unary encoding" + (" and random matrix" if run.methods is WITH_MATRIX else "")
    sensitive = SENSITIVE_ROW_AT_LN20 if run.by_people else SENSITIVE_ROW
    error = "Σ |x − y| of people"
    if moved:
        error = "between unequal totals (each person too many or too few moved from the first answer to the last)"
    return _AGES.figure(
        f"Figure {number}",
        page,
        title,
        caption,
        settings=(
            ("people", people, f"{people if run.by_people else count(run.people[0])}, one report each"),
            ("ε", epsilon, f"{epsilon}{spent(run.epsilons)}"),
            ("repetitions", *(ONE_DRAW if run.by_people or run.fewer else ("10", "10"))),
            ("answers", "50", "50"),
            ("protocols", PROTOCOLS[run.methods is WITH_MATRIX], ALL_PROTOCOLS),
            (
                "estimates below 0",
                f"set to 0; kept for {kept}; all cut to whole numbers",
                CONSISTENT,
            ),
            ("error", f"{error}{share}", f"between two distributions{IN_UNIT if moved else ''}"),
            MATRIX_ROW if run.methods is WITH_MATRIX else sensitive,
            ALL_AXES if run.by_people else AXES,
        ),
        values=readings(read, reading, _repetitions, run.place_text, _CHOSEN if run.fewer else None),
        published=run.make,
        mended=_every_protocol(run, Distance.KANTOROVICH if moved else Distance.MANHATTAN),
        differs=(*differs, moved_line if number == "4.6" else totals_line) if moved else differs,
        seconds=seconds,
        words=words,
    )


def _truth(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, ages(given))
    counts = subject.everyone.counts
    scaled = counts * (_ALL_REPORTS / counts.sum())
    places = tuple(map(float, range(len(counts))))
    curve = PanelCurve("Reports", Approach.BASELINE, places, tuple(scaled.tolist()))
    labels = tuple(map(str, range(len(counts))))
    people = int(counts.sum())
    # Every person of the sample stands for as many reports as that takes.
    title = f"{RUN_HERE}: {of_people(people)} × {estimate(_ALL_REPORTS / people, 3)}"
    panel = PublishedPanel(title, "Answer", "Reports", (curve,), labels=labels)
    return FigureSide((panel,))


def _people(given: FigureInput, tell: Tell) -> FigureSide:
    subject = subject_of(given.material, ages(given))
    places = tuple(map(float, range(subject.domain.size)))
    curve = PanelCurve("People", Approach.BASELINE, places, tuple(map(float, subject.everyone.counts.tolist())))
    panel = PublishedPanel(
        "One report per person",
        given.column if given.own else given.column.capitalize(),
        "People",
        (curve,),
        # One bar per year of age; of the user's own column they are as wide as its bounds ask for.
        labels=tuple(subject.domain.labels)
        if given.own or given.values
        else tuple(str(18 + bar) for bar in range(len(curve.places))),
    )
    return FigureSide((panel,))


FIGURE_4_2 = LOCAL.of(SPIKY).figure(
    "Figure 4.2",
    47,
    "True answers",
    "The answers that the protocols of figures 4.3 to 4.6 and 4.9 to 4.11 estimate: a few frequent ones among many "
    "rare ones.",
    settings=(
        ("reports", "200,000 of 1,000 people (author's data); about 20,000 people (p. 47)", "20,000 of 20,000 people"),
        ("answers", "0 to 49", "ages 18 to 67"),
    ),
    values=tuple(
        PublishedValue(f"Reports of answer {answer}", value, 500.0, curve="Reports", place=float(answer), made=True)
        for answer, value in ((11, 38_200), (42, 38_500), (22, 16_000), (26, 15_700), (41, 9_000), (27, 8_800))
    ),
    published=_truth,
    mended=_people,
    differs=(
        two_answers,
        "The text speaks of about 20,000 people (p. 47); the bars of the picture add up to 200,000 reports.",
        reports_as_one.FLAW.sentence,
    ),
    seconds=0.3,
)
_AT_ONE = "The random matrix has ε = 1 at every point."
FIGURE_4_3 = _figure(
    "4.3",
    48,
    "Manhattan error, by ε",
    "As published, the random matrix has ε = 1 at every point. Mended curves stand beside a guess that all answers are "
    "equally frequent.",
    LocalRun(WITH_MATRIX, l1, _SUM, _EPSILONS, _EVERYONE, by_people=False),
    _ABOUT,
    "0.2 to 3.87",
    3.5,
    500.0,
    {
        DIRECT: {0.2: 106_500, 0.53: 34_500, 1.53: 7_400, 3.87: 1_300},
        HISTOGRAM: {0.2: 38_000, 0.53: 16_900, 1.53: 6_600, 3.87: 2_900},
        UNARY: {0.2: 57_500, 0.53: 19_800, 1.53: 6_500, 3.87: 1_900},
        MATRIX: {0.2: 32_700, 1.53: 37_500, 3.87: 28_200},
    },
    *MATRIX_LINES,
    BEST_BY_MANHATTAN,
    RAPPOR_LINE,
    _TIMES_LINE,
    words={RUN_HERE: PanelWords(_AT_ONE), MENDED: PanelWords(""), _OTHER_CHART: PanelWords("", _NO_MATRIX)},
)
_FAR_MOVED = "Between distributions the Kantorovich distance says how far a person is moved on average"
FIGURE_4_4 = _figure(
    "4.4",
    49,
    "Kantorovich error, by ε",
    f"{_FAR_MOVED}; as published it also says how wrong the total is.",
    LocalRun(WITH_MATRIX, KANTOROVICH, _MOVED, _EPSILONS, _EVERYONE, by_people=False),
    _ABOUT,
    "0.2 to 3.87",
    3.5,
    15_000.0,
    {
        DIRECT: {0.2: 4_020_000, 0.53: 1_180_000, 1.53: 145_000},
        HISTOGRAM: {0.2: 1_140_000, 0.53: 345_000, 1.53: 105_000},
        UNARY: {0.2: 505_000, 0.53: 220_000, 1.53: 60_000},
        MATRIX: {0.2: 800_000, 1.53: 880_000, 3.87: 265_000},
    },
    *MATRIX_LINES,
    "The text expects (p. 48), and finds (p. 49), higher errors than by Manhattan distance. That one counts people, "
    "this one people times places: the two cannot be compared.",
    _TIMES_LINE,
    words={
        RUN_HERE: PanelWords(f"As published, the distance also says how wrong the total is. {_AT_ONE}"),
        MENDED: PanelWords(f"{_FAR_MOVED}."),
        _OTHER_CHART: PanelWords(f"{_FAR_MOVED}.", _NO_MATRIX),
    },
)
_AT_MOST_2 = "Between two distributions no error exceeds 2."
_TWELVE = "In the picture, direct and unary encoding err by more than 12 times the number of people where there are 10"
FIGURE_4_5 = _figure(
    "4.5",
    50,
    "Manhattan error, by number of people",
    f"{_TWELVE}; between two distributions no error exceeds 2.",
    LocalRun(WITH_MATRIX, l1, _PER_100, (1.5,) * len(USERS), USERS, by_people=True),
    "10 to 9,810",
    "1.5",
    3.0,
    8.0,
    {
        DIRECT: {10: 1_265, 210: 322, 9_810: 63},
        HISTOGRAM: {10: 900, 210: 230, 9_810: 45},
        UNARY: {10: 1_303, 210: 322, 9_810: 50},
        MATRIX: {10: 587, 210: 250, 9_810: 172},
    },
    worst_with_few,
    turning_point,
    *MATRIX_BY_PEOPLE,
    reports_as_one.of_taken(USERS[-1], 1.5),
    words={
        RUN_HERE: PanelWords(f"{_TWELVE}."),
        MENDED: PanelWords(_AT_MOST_2),
        _OTHER_CHART: PanelWords(_AT_MOST_2, _NO_MATRIX),
    },
)
_COSTS = "As published, each person too many or too few costs as much as moving one by 49 places."
FIGURE_4_6 = _figure(
    "4.6",
    51,
    "Kantorovich error, by number of people",
    f"{_COSTS} The mended charts compare distributions, which have the same total.",
    LocalRun(WITH_MATRIX, KANTOROVICH, _MOVED_PER_100, (1.5,) * len(USERS), USERS, by_people=True),
    "10 to 9,810",
    "1.5",
    3.5,
    250.0,
    {
        DIRECT: {10: 55_800, 210: 12_300, 9_810: 1_150},
        HISTOGRAM: {10: 37_200, 210: 8_600, 9_810: 750},
        UNARY: {10: 11_500, 210: 3_400, 9_810: 450},
        MATRIX: {10: 7_400, 210: 2_500, 9_810: 5_450},
    },
    best_of_pure,
    *MATRIX_BY_PEOPLE,
    reports_as_one.of_taken(USERS[-1], 1.5),
    words={
        RUN_HERE: PanelWords(_COSTS),
        MENDED: PanelWords(f"{_FAR_MOVED}."),
        _OTHER_CHART: PanelWords(f"{_FAR_MOVED}.", _NO_MATRIX),
    },
)
_FITTED = "Run with 2,000 people, fitted to the error of direct encoding at ε = 0.8; all other values are compared."
_STEPS = (
    "The curve of distance-sensitive encoding has steps because θ is a whole number: it is 1 from ε = ln 2 to "
    "ln 6 = 1.79."
)
_ONE_STEP = (
    "As it is a whole number, θ is 1 from ε = ln 2 to ln 6 = 1.79: there the errors of distance-sensitive encoding "
    "differ by chance alone."
)
FIGURE_4_9 = _figure(
    "4.9",
    58,
    "Distance-sensitive: Kantorovich, by ε",
    f"{_FITTED} {_STEPS} The corrected form (chart “Mended, other protocols”) uses the whole of each ε.",
    LocalRun(WITH_SENSITIVE, KANTOROVICH, _MOVED, _LATER_EPSILONS, _FEWER, by_people=False, fewer=True),
    "about 20,000 as before (p. 58). Here: 2,000, which fit direct encoding at ε = 0.8",
    "0.8 to 4.47",
    5.0,
    1_500.0,
    {
        DIRECT: {0.8: 217_000, 1.8: 41_000, 4.47: 1_000},
        HISTOGRAM: {0.8: 87_000, 1.8: 28_000, 4.47: 12_700},
        UNARY: {0.8: 46_000, 1.8: 14_000, 4.47: 4_000},
        SENSITIVE: {0.8: 282_000, 1.13: 246_500, 1.47: 284_500, 1.8: 6_300, 4.47: 9_000},
    },
    of_more_people,
    OVERSPENT,
    sensitive_line,
    lambda outcome: f"{one_reach(outcome)} {best_between(outcome)}",
    words={NEARLY: PanelWords(f"{_FITTED} {_STEPS}"), MENDED: PanelWords(_ONE_STEP), _OTHER_CHART: PanelWords("")},
)


_KEEPS = "In text and code, distance-sensitive estimates keep reports of people whose answer is near"
_BY_EM = f"All probabilities of distance-sensitive encoding are inverted by {BY_EM}."
_OF_FEW = MappingProxyType(
    {RUN_HERE: PanelWords(f"{_KEEPS}."), MENDED: PanelWords(_BY_EM), _OTHER_CHART: PanelWords("")}
)
_TIMES_FEWER = reports_as_one.of_taken(_FEW_USERS[-1])
FIGURE_4_10 = _figure(
    "4.10",
    59,
    "Distance-sensitive: Kantorovich, by people",
    f"{_KEEPS}; mended, all probabilities are inverted by {BY_EM}.",
    LocalRun(WITH_SENSITIVE, KANTOROVICH, _MOVED_PER_100, (LN20,) * len(_FEW_USERS), _FEW_USERS, by_people=True),
    "10 to 3,960",
    "ln 20",
    4.0,
    60.0,
    {
        DIRECT: {10: 10_050, 60: 3_100, 3_960: 280},
        HISTOGRAM: {10: 14_700, 60: 6_600, 3_960: 500},
        UNARY: {10: 4_550, 60: 1_780, 3_960: 280},
        SENSITIVE: {10: 980, 60: 840, 3_960: 640},
    },
    sensitive_line,
    lambda outcome: f"{over_all(outcome, _SENSITIVE[1], NAMES, 'Square Wave')} {with_few(outcome)}",
    distance_sensitive.flaw(50, LN20).audit,
    _TIMES_FEWER,
    words=_OF_FEW,
)
FIGURE_4_11 = _figure(
    "4.11",
    60,
    "Distance-sensitive: Manhattan, by people",
    f"{_KEEPS}; mended, all probabilities are inverted by {BY_EM}.",
    LocalRun(WITH_SENSITIVE, l1, _PER_100, (LN20,) * len(_FEW_USERS), _FEW_USERS, by_people=True),
    "10 to 3,960",
    "ln 20",
    3.0,
    3.0,
    {
        DIRECT: {10: 283, 60: 152, 3_960: 26},
        HISTOGRAM: {10: 428, 60: 205, 3_960: 38},
        UNARY: {10: 604, 60: 212, 3_960: 31},
        SENSITIVE: {10: 146, 60: 103, 3_960: 63},
    },
    sensitive_line,
    with_many,
    with_few,
    distance_sensitive.flaw(50, LN20).audit,
    _TIMES_FEWER,
    words=_OF_FEW,
)
