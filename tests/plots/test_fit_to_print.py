"""A figure that leaves for print: letters stay letters, a caption goes with it, and its curves differ in grey."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, PrivacyUnit, Schema
from workbench.core.working_table import Preparation
from workbench.evaluate.enough_advice import enough_way
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.experiment_run import run
from workbench.evaluate.figure_settings import COLUMN, FIT_TO_PRINT, PAGE, PRINT_WIDTHS, FigureSettings, print_width
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.public_shape import shaped
from workbench.evaluate.question import Question, Statistic, metrics_for
from workbench.ldp.encoding import EncodingChoice
from workbench.plots import comparison
from workbench.plots.caption import Caption
from workbench.plots.caption_fit import fitted
from workbench.plots.comparison import ComparisonData
from workbench.plots.comparison_look import curve_looks, print_style
from workbench.plots.placement import on_screen
from workbench.plots.render import write_below
from workbench.plots.style import ChartStyle
from workbench.session import Session
from workbench.session.comparison_files import write_findings

TOWN = Schema((ColumnSpec("town", Kind.CATEGORY, domain=("Bern", "Basel", "Chur")),))


_LINES = 6
_WORDS, _LONG = 75, 82
"""As many as a printed figure has below it, what it says and in a paragraph of its own how to read it; and where more
has to be said: that the number of people is public."""


@pytest.fixture(scope="module")
def found() -> Findings:
    experiment = Experiment(
        Question(Statistic.HISTOGRAM, "town"),
        metrics_for(Statistic.HISTOGRAM)[0],
        families(),
        places=(1.0, 3.0),
        users=400,
        repetitions=10,
        basis=Basis.SPIKY,
    )
    return run(experiment, shaped(experiment, TOWN, {}))


def test_letters_stay_letters_and_the_caption_leaves_with_the_figure(found: Findings, tmp_path: Path) -> None:
    write_findings(found, tmp_path, "figure", FIT_TO_PRINT)
    pdf, svg = (tmp_path / "figure.pdf").read_bytes(), (tmp_path / "figure.svg").read_text()
    assert b"/Type3" not in pdf and b"FontFile2" in pdf
    assert "<text" in svg and "n = 400" in svg
    words = (tmp_path / "figure.txt").read_text()
    assert (
        "(a spiky shape, n = 400, 10 repetitions)" in words
        and "stretch at random between tries" in words
        and "2.5 % of errors lie above bands" in words
    )
    alike = "How they compare at equal privacy is not known (ε = 0.5 was not run)"
    assert "A curator hides one row at ε, Local one answer. Anonymised (this column alone) " in words
    assert f" {alike}. " in words.partition("Notes: ")[0]
    assert "alone) adds δ = 1e-5." in words
    assert all(
        name in words for name in ("better of 2.", "found in tries of their own", "Global:", "Local:", "Anonymised:")
    )
    assert "analyst only" not in words


def test_a_figure_of_before_has_no_caption_and_its_own_colours(found: Findings, tmp_path: Path) -> None:
    write_findings(found, tmp_path, "figure", FigureSettings(), ("png",))
    assert not (tmp_path / "figure.txt").exists()
    assert print_style(FigureSettings()).global_dp == ChartStyle().global_dp
    plain = {key: value for key, value in FigureSettings().to_json().items() if key not in ("caption", "rest")}
    assert FigureSettings.from_json(plain) == FigureSettings()


def _words(text: str) -> int:
    """How many words and numbers there are."""
    return sum(any(letter.isalnum() for letter in one) for one in text.split())


def test_of_true_values_the_caption_says_for_whom_it_is(found: Findings) -> None:
    own = replace(found, experiment=replace(found.experiment, basis=Basis.ROWS))
    assert str(comparison.caption(ComparisonData(own, FIT_TO_PRINT))).endswith("not to be published.")


def test_the_ways_differ_in_grey_and_stand_out_from_paper() -> None:
    style = print_style(FIT_TO_PRINT)
    greys = sorted(_luminance(colour) for colour in (style.global_dp, style.local_dp, style.anonymised))
    assert all((two + 0.05) / (one + 0.05) >= 1.7 for one, two in pairwise(greys))
    assert 1.05 / (greys[-1] + 0.05) >= 3


def test_every_way_has_a_marker_of_its_own(found: Findings) -> None:
    looks = curve_looks(found.series, ChartStyle())
    assert len({place for _, place in looks}) == len(looks)


def test_where_the_way_to_take_is_enough_a_figure_that_leaves_has_a_mark(found: Findings) -> None:
    limit = 0.3
    mine = enough_way(found, None, limit)
    assert mine is not None and 1.0 <= mine.said <= 3.0
    for leaves in (True, False):
        data = ComparisonData(found, FIT_TO_PRINT, enough=limit, leaves=leaves)
        chart = comparison.build(Figure(figsize=(6.69, 4.2)), data, print_style(FIT_TO_PRINT))
        assert chart.reached.get_visible() is chart.reached_name.get_visible() is leaves
        if leaves:
            # On the curve of that way, at the ε that is said.
            (curve,) = (one for one in chart.curves if one.label.get_text() == "Global")
            drawn = np.interp(np.log(mine.said), *(np.log(one) for one in curve.line.get_data()))
            assert list(chart.reached.get_xdata()) == [mine.said]
            assert (
                list(chart.reached.get_ydata()) == pytest.approx([np.exp(drawn)], rel=2e-3) and np.exp(drawn) <= limit
            )
            assert chart.reached_name.get_text() == f"Global from {mine.told}"
    assert enough_way(found, None, 1e-9) is None


@pytest.mark.parametrize("limit", [0.3, 1.0, 3.0])
def test_no_curve_runs_through_the_name_of_the_mark_in_a_figure_that_leaves(found: Findings, limit: float) -> None:
    data = ComparisonData(found, FIT_TO_PRINT, enough=limit, leaves=True)
    chart = comparison.build(Figure(figsize=(6.69, 4.2)), data, print_style(FIT_TO_PRINT))
    chart.arrange()
    assert chart.reached_name.get_visible()
    box, name = chart.reached_name.get_window_extent(), chart.reached_name.get_text()
    for curve in chart.curves:
        x, y = (np.asarray(one, float) for one in curve.line.get_data())
        on = [point for point in on_screen(chart.axes, x, y) if box.contains(*point)]
        assert not on, f"{curve.label.get_text()} runs through {name}"


def test_settings_that_did_not_come_out_best_are_drawn_where_they_are_wanted(found: Findings) -> None:
    few, all_of_them = (ComparisonData(found, replace(FIT_TO_PRINT, rest=rest)) for rest in (False, True))
    assert len(comparison._drawn(few)) == 4 < len(comparison._drawn(all_of_them))


def test_a_caption_of_the_worst_of_all_shapes_is_no_longer_than_one_of_a_single_shape() -> None:
    amounts = Schema((ColumnSpec("amount_eur", Kind.DECIMAL, bounds=(0.0, 50_000.0)),))
    question = Question(Statistic.MEAN, "amount_eur")
    experiment = Experiment(
        question, metrics_for(Statistic.MEAN)[0], families(), places=(0.1, 0.5, 1.0, 2.0, 5.0), users=300,
        repetitions=10, basis=Basis.EITHER,
    )  # fmt: skip
    found = run(experiment, shaped(experiment, amounts, {}))
    caption = comparison.caption(ComparisonData(found, FIT_TO_PRINT))
    figure = Figure(figsize=(6.69, 4.2))
    write_below(figure, caption.below, print_style(FIT_TO_PRINT))
    (below,) = figure.texts
    assert len(below.get_text().splitlines()) <= _LINES, below.get_text()
    assert _words(caption.below) <= _WORDS, caption.below
    for known in (
        "Error of the mean of amount_eur, limited to 0–50,000", " At ε = 1: Global ",
        " Take Global if trusted; enough on average from about ε = 2.5 (sampling error: 65.3–664 by shape).",
        " Open marks: setting changes.",
    ):  # fmt: skip
        assert known in caption.below, known
    settings = product((None, 0.1, 0.7, 5.0), (None, 3.0), ("", "patients_2024.csv"))
    for place, enough, source in settings:
        data = ComparisonData(found, FIT_TO_PRINT, place, enough, source)
        below = comparison.caption(data).below
        assert _words(below) <= _WORDS, below
    words = str(caption)
    for known in (
        "(worst of smooth, spiky, long-tailed and even, n = 300, 10 repetitions",
        "Each way’s worst of smooth, spiky, long-tailed and evenly spread.",
        "0 to 50,000", "2.5 %", "stretch at random between tries", "tries of their own", "nearest bound",
        "this column alone", "δ = 1e-5", "A curator hides one row at ε, Local one answer",
        "By formula: ", "Global: ", "Anonymised: ", "Local: ", "At ε = 1: Global ", "At ε = 1 Global errs by ",
        " times), ", "of the ε tried, “about” between two of them: ",
        "Open marks mean another setting from there on",
        "Take Global if a curator is trusted: the smallest error. If nobody is, Local is not enough here. Global is ",
        " Global hides an answer at ε with twice the noise (its error is then ",
        " Uniform guess: equal shares, worst on a long tail.", " (Hybrid mechanism, ",
        " times at equal privacy, ",
    ):  # fmt: skip
        assert known in words, known


@pytest.mark.parametrize("public", [False, True])
def test_open_marks_are_explained_below_every_figure_that_has_them(public: bool) -> None:
    ways = Schema((ColumnSpec("transport", Kind.CATEGORY, domain=("Bus", "Car", "Bike", "On foot")),))
    experiment = Experiment(
        Question(Statistic.HISTOGRAM, "transport"), metrics_for(Statistic.HISTOGRAM)[0], families(),
        places=(0.1, 1.0, 2.0), users=900, repetitions=10, basis=Basis.EITHER, public_total=public,
    )  # fmt: skip
    found = run(experiment, shaped(experiment, ways, {}))
    (best, *others) = found.series
    another = MethodChoice("global-grid", {"post": "none"})
    points = tuple(replace(one, by=another) if one.axis_value == 2.0 else one for one in best.points)
    found = replace(found, series=(replace(best, points=points), *others))
    assert found.series[0].changes
    for place, enough, source in product((None, 0.1, 2.0), (None, 3.0), ("", "own.csv")):
        below = comparison.caption(ComparisonData(found, FIT_TO_PRINT, place, enough, source)).below
        assert "Open marks: setting changes." in below or "Open marks mean another setting" in below
        assert "worst of smooth" in below
        assert _words(below) <= (_LONG if public else _WORDS + bool(source)), below


def test_what_a_caption_has_no_room_for_is_among_its_details_as_it_was() -> None:
    drawn = "Anonymised is not drawn at 0.1: None of the answers had any rows."
    hides = "A curator hides those rows at ε (at 2 ε their answers), Local the answers of a person with up to 3 rows."
    told = "At ε = 1: Global 3 (Discrete Laplace). Take Local: not told apart from Global; enough from ε = 5 "
    told += "(less than 1,160, what sampling adds to a smooth shape). It depends: if so, global errs less."
    of = "each way’s worst of smooth, spiky and equal shares"
    whole = Caption("Error " * 40, of, definitions=(hides,), notes=(told, drawn))
    short = fitted(whole)
    assert short.below.count("Error") == 40 and short.details == [
        "Each way’s worst of smooth, spiky and equal shares.", hides, drawn,
    ]  # fmt: skip
    assert "Anonymised is not drawn at 0.1. " not in short.below and "Anonymised is not drawn at 0.1." in short.below
    assert "Take Local (not told apart); enough from ε = 5 (sampling error: 1,160)." in short.below
    assert "It depends on the shape." in short.below, "no advice loses its condition"
    assert str(fitted(whole, 1000)) == str(whole)
    paid = replace(whole, notes=(told.replace("3 (Discrete", "0.3 k (EUR) (Discrete"), drawn))
    said = fitted(paid, unit="k (EUR)").below
    assert "Global 0.3 k (EUR). " in said, "a unit may have brackets, as methods have"


def test_a_caption_is_as_long_as_a_printed_figure_bears(found: Findings) -> None:
    words = comparison.caption(ComparisonData(found, FIT_TO_PRINT)).below
    figure = Figure(figsize=(6.69, 4.2))
    write_below(figure, words, print_style(FIT_TO_PRINT))
    (below,) = figure.texts
    assert len(below.get_text().splitlines()) <= _LINES, words
    assert _words(words) <= _WORDS, words
    for known in (
        "n = 400",
        "10 repetitions",
        "2.5 %",
        "a spiky shape",
        "At ε = 1: Global ",
        "Local one answer",
    ):
        assert known in words
    assert "Take Global if trusted" in words, "nobody sees in the curves which way is the one to take"


@pytest.mark.parametrize("basis", [Basis.EITHER, Basis.ROWS])
def test_one_row_of_each_person_is_said_below_the_figure_and_n_counts_rows(basis: Basis, tmp_path: Path) -> None:
    visits = tmp_path / "visits.csv"
    visits.write_text("patient,amount_eur\n" + "".join(f"p{i % 300},{10_000 + 90 * (i % 50)}\n" for i in range(700)))
    session = Session()
    session.data.open(visits)
    session.data.set_bounds("amount_eur", (0.0, 50_000.0))
    session.data.set_unit(PrivacyUnit(1, person_column="patient"))
    session.data.set_preparation(Preparation(limit_rows=True))
    session.comparison.look()
    experiment = Experiment(
        Question(Statistic.MEAN, "amount_eur"), metrics_for(Statistic.MEAN)[0], families(),
        places=(0.1, 0.5, 1.0, 2.0, 5.0), users=None if basis is Basis.ROWS else 300, repetitions=10, basis=basis,
    )  # fmt: skip
    found = session.comparison.runner(experiment)(SILENT)
    caption = comparison.caption(ComparisonData(found, FIT_TO_PRINT))
    assert "n = 300 rows, one per person, 10 repetitions" in caption.below
    assert "No error has in it the draw of these rows, at most 1,160 on average." in caption.below
    assert "two rows" not in caption.below
    assert "people" not in caption.below and session.comparison.whom in str(caption)
    unsaid = replace(found, notes=tuple(one for one in found.notes if one != session.comparison.whom))
    # That of the draw takes a line of its own.
    assert _lines(found) <= max(_LINES + 1, _lines(unsaid)), caption.below


def _lines(found: Findings) -> int:
    """How many lines the caption has below a figure."""
    figure = Figure(figsize=(6.69, 4.2))
    write_below(figure, comparison.caption(ComparisonData(found, FIT_TO_PRINT)).below, print_style(FIT_TO_PRINT))
    return len(figure.texts[0].get_text().splitlines())


def test_the_file_knows_more_than_stands_below_the_picture(found: Findings, tmp_path: Path) -> None:
    write_findings(found, tmp_path, "figure", FIT_TO_PRINT, ("svg",), enough=3.0)
    drawn, words = (tmp_path / "figure.svg").read_text(), (tmp_path / "figure.txt").read_text()
    described, below = drawn.split("</metadata>")
    assert "found in tries of their own" in words and "found in tries of their own" in described
    assert "own." not in re.sub("<[^>]*>", " ", below), "settings are details"
    enough = "enough on average from ε = 1 (less than 3 %, the limit set)"
    assert enough in words and enough in described
    assert "Enough: 3<" in below, "and its line has a name in the picture"


def test_how_to_read_a_figure_is_a_paragraph_of_its_own(found: Findings, tmp_path: Path) -> None:
    """Who reads a report reads first what came out; what the marks are is looked up."""
    caption = comparison.caption(ComparisonData(found, FIT_TO_PRINT))
    read, _, notes = caption.below.partition("\nNotes: ")
    assert "Take Global" in read and "Lines" not in read and " ε " in read
    assert notes.startswith("Lines: means; ") and notes.endswith(".") and ";" not in notes[25:], notes
    figure = Figure(figsize=(6.69, 4.2))
    write_below(figure, caption.below, print_style(FIT_TO_PRINT))
    lines = figure.texts[0].get_text().splitlines()
    assert sum(line.startswith("Notes: Lines: means") for line in lines) == 1, "it begins a line"
    assert not any("Notes:" in line[1:] for line in lines)
    write_findings(found, tmp_path, "figure", FIT_TO_PRINT, ("svg",))
    assert "Notes: Lines: means" in re.sub("<[^>]*>", "", (tmp_path / "figure.svg").read_text())


def test_two_widths_are_named() -> None:
    assert print_width(FIT_TO_PRINT) == PAGE and not print_width(FigureSettings())
    assert print_width(replace(FIT_TO_PRINT, **PRINT_WIDTHS[COLUMN])) == COLUMN
    assert [round(size["width"] * 2.54, 1) for size in PRINT_WIDTHS.values()] == [8.5, 17.0]


def test_a_caption_of_any_figure() -> None:
    said = str(Caption("Error against ε", people=5, curves=(("A", ""), ("B", "a guess"))))
    assert said == "Error against ε (n = 5). A. B: a guess."


def _luminance(colour: str) -> float:
    channels = [int(one, 16) / 255 for one in re.findall("[0-9A-F]{2}", colour)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_what_the_line_of_the_picture_is_stays_in_a_caption_that_is_shortened() -> None:
    told = "Take Local; enough from ε = 5 (less than {})."
    some, each = "1,160, the most sampling adds", "what sampling adds to the same shape, 27.1 to 281 EUR"
    for line, said in ((some, "(sampling error: 1,160)"), (each, "(sampling error by shape)")):
        short = fitted(Caption("Error " * 100, "a smooth shape", notes=(told.format(line),)))
        assert said in short.below
    roomy = fitted(Caption("Error " * 70, "a few shapes", notes=(told.format(each),)), 88)
    assert "(below sampling error, 27.1 to 281 EUR by shape)" in roomy.below, "its numbers stay as long as they can"
    typed = "Take Local; enough from ε = 5 (less than 3 %, the limit set)."
    said = fitted(Caption("Error " * 100, "a smooth shape", notes=(typed,))).below
    assert "Take Local; enough from ε = 5 (the limit set: 3 %)." in said
    classes = "At ε = 1: Anonymised 14 (classes of 50 below 1,000, wider above)."
    for times, kept in ((80, True), (100, False)):
        below = fitted(Caption("Error " * times, "a long tail", notes=(classes,))).below
        assert ("(classes of 50 below 1,000, wider above)" in below) is kept, "no other line says how wide they are"


def test_names_in_the_title_of_a_caption_stay_as_they_are() -> None:
    """What is shortened in sentences may be part of a column's name, or of a file's."""
    title = "Absolute error of the mean of pay (EUR) if a curator is trusted (Staff.csv), limited to 0 to 9, against ε"
    said = fitted(Caption(title, "a long tail", notes=("Error " * 90,))).below
    assert said.startswith("Error of the mean of pay (EUR) if a curator is trusted (Staff.csv), limited to 0–9 (a long")


@pytest.mark.parametrize("most", [None, 1000.0])
@pytest.mark.parametrize("typed", [False, True])
def test_a_caption_of_a_mean_has_few_words_with_all_that_reads_it(most: float | None, typed: bool) -> None:
    bounds = (0.0, 50_000.0)
    spec = ColumnSpec("pay", Kind.DECIMAL, bounds=None if typed else bounds)
    experiment = Experiment(
        Question(Statistic.MEAN, "pay", EncodingChoice(bounds=bounds if typed else None)),
        metrics_for(Statistic.MEAN)[0], families(), places=(0.5, 1.0, 2.0), users=2000, repetitions=10,
        basis=Basis.EITHER, most_below=most,
    )  # fmt: skip
    caption = comparison.caption(ComparisonData(run(experiment, shaped(experiment, Schema((spec,)), {})), FIT_TO_PRINT))
    below = caption.below
    untold = " (not told apart)" if "(not told apart)" in below else ""
    assert _words(below.replace(untold, "")) <= _WORDS, below
    shape = "worst of smooth, spiky, long-tailed and even" if most is None else " below 1,000"
    for known in (
        "Error of the mean of pay, limited to 0–50,000", shape, ", n = 2,000, 10 repetitions", "At ε = 1: Global ",
        ", Anonymised ", ", Local ", f"Take Global if trusted{untold}; enough on average from ", "(sampling error: ",
        "Notes: Lines: means; 2.5 % above bands. ±", "95 %.", "ε hides one row, with Local one answer.",
        *([" below 1,000, wider above)"] if most is not None else []),
        *(["Errors leave out limiting"] if typed else []),
        *([", except Global’s."] if typed and most is not None else []),
    ):  # fmt: skip
        assert known in below, known
    assert ("Errors leave out" in below) is typed
    if typed:
        assert "Not in these errors: what limiting values to 0–50,000 shifts" in str(caption), "the file has it whole"


def test_the_name_of_a_line_of_what_is_enough_lies_on_no_mark(found: Findings) -> None:
    for limit in (0.5, 1.0, 3.0, 6.0):
        data = ComparisonData(found, FIT_TO_PRINT, 1.0, limit, leaves=True)
        figure = Figure(figsize=(6.69, 3.2))
        chart = comparison.build(figure, data, print_style(FIT_TO_PRINT))
        chart.arrange()
        for name in (one for one in chart.enough_names if one.get_visible()):
            box = name.get_window_extent()
            for curve in chart.curves:
                for point in chart.axes.transData.transform(np.column_stack(curve.line.get_data())):
                    assert not box.contains(*point), limit
