"""Published figures made by preset: the same values as in the gallery, and what else can be set."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.schema import ColumnSpec, Kind, Schema
from workbench.core.table import Column, Table
from workbench.evaluate.experiment import Experiment
from workbench.evaluate.findings import Findings
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.preset import LOWER, PRESETS, UPPER, Given, Preset, PresetPart, PresetResult, run_preset
from workbench.evaluate.published.catalogue import figure_named
from workbench.evaluate.published.entry import FigureOutcome
from workbench.evaluate.published.panel import PRINTED, RUN_HERE, PublishedPanel
from workbench.evaluate.question import Distance, Metric, Question, Statistic
from workbench.evaluate.samples import Needs
from workbench.evaluate.subject import ExperimentData
from workbench.ldp.choice import ProtocolChoice
from workbench.plots.published_panel import PanelData
from workbench.session import Session
from workbench.session.comparison import PresetChoice
from workbench.session.comparison_files import write_preset
from workbench.session.published_captions import printed_caption
from workbench.session.published_figures import figure_runner, panels_of


@cache
def made(identifier: str, repetitions: int, *values: tuple[str, Any]) -> PresetResult:
    choice = PresetChoice("", dict(values))
    return Session().comparison.preset_runner(identifier, choice, repetitions=repetitions)(SILENT)


def findings(found: PresetResult, number: str) -> Findings:
    return next(one.findings for one in found.results if one.title.startswith(f"{number},") and one.findings)


def curve(found: Findings, name: str) -> dict[float, float]:
    series = next(one for one in found.series if one.name == name)
    return {point.axis_value: point.mean for point in series.drawn}


def test_every_preset_says_what_to_see_and_where_it_differs() -> None:
    assert {one.identifier for one in PRESETS} == {
        "randomised-response",
        "surgery-mean",
        "salary-histograms",
        "nba-anonymised",
        "ages",
        "occupations",
        "mechanism-tables",
    }
    for preset in PRESETS:
        for text in (preset.title, preset.summary, preset.look, preset.differs, preset.citation):
            assert len(text) > 10
        assert preset.figures
        assert all(figure.sample == preset.sample for figure in preset.figures)
        assert (preset.needs is Needs.NOTHING) is all(figure.needs is Needs.NOTHING for figure in preset.figures)


@pytest.mark.parametrize("identifier", ["salary-histograms", "occupations", "mechanism-tables", "randomised-response"])
def test_a_preset_and_the_gallery_cannot_disagree(identifier: str) -> None:
    found = made(identifier, 2)
    for outcome in found.outcomes:
        alone = figure_runner(Session().comparison, outcome.figure, repetitions=2)(SILENT)
        assert alone.to_json() == outcome.to_json()
    assert len(found.results) == sum(len(one.mended.panels) for one in found.outcomes)


def test_what_is_set_is_said_and_compared_with_nothing_published() -> None:
    usual, wider = made("salary-histograms", 2), made("salary-histograms", 2, ("bins", 10), ("sample", "gross pay"))
    assert all(one.as_published and one.agreements for one in usual.outcomes)
    assert wider.data.startswith("baltimore_salaries.csv, gross pay")
    for outcome in wider.outcomes:
        assert not outcome.agreements
        assert ("Bins (set)", "Here: 10", "the same") in outcome.settings
        assert ("Sample (set)", "Here: gross pay", "the same") in outcome.settings
    assert wider.results[0].bars is not None
    assert len(wider.results[0].bars.labels) == 10
    same = made("salary-histograms", 2, ("bins", "19"), ("lower", "0"))
    assert all(one.as_published for one in same.outcomes)


def test_every_parameter_reaches_the_figures() -> None:
    ages = made("ages", 1, ("bins", 5), ("users", 300), ("epsilon", 2.0), ("sample", "smooth"))
    by_epsilon, by_people = findings(ages, "Figure 4.3"), findings(ages, "Figure 4.5")
    assert by_epsilon.experiment.users == 300
    assert by_people.experiment.epsilon == 2.0
    assert by_people.experiment.question.encoding.bins == 5
    assert ages.data.startswith("ages.csv")
    rows = made("nba-anonymised", 2, ("level", 7), ("intervals", 8), ("upper", "30000000"))
    assert [one.name for one in rows.outcomes[1].published.panels[0].curves] == ["Means of 128 amounts"]
    narrow = made("surgery-mean", 1, ("upper", "125000"), ("sample", "no tail"))
    bounds = findings(narrow, "Figure 3.1").experiment.question.encoding.bounds
    assert bounds == (0.0, 125_000.0)
    asked = made("occupations", 2, ("answer", "Armed-Forces"))
    assert asked.outcomes[1].published.numbers["Estimated in sales"].mean < 1_000
    with pytest.raises(WorkbenchError, match="none of the frequent values"):
        made("occupations", 1, ("answer", "Astronaut"))


def test_the_command_says_published_beside_here(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "salary-histograms", "--repetitions", "2"]) == 0
    text = capsys.readouterr().out
    assert "bars: published 18 from $15,789 to $300,000 (code, p. 28); mended 19 from $0 to $300,000" in text
    assert "Error at ε = 1 (p. 28), rows: published 14.81" in text
    assert main(["preset", "mechanism-tables", "--json"]) == 0
    plain = json.loads(capsys.readouterr().out)["analyst"]
    assert {"preset", "title", "data", "look", "differs", "parts", "figures"} <= set(plain)
    assert [one["number"] for one in plain["figures"]][-1] == "Algorithm 1"


def test_sentences_of_the_sample_say_so_beside_other_settings(capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for more in ([], ["--set", "sample=smooth"]):
        assert main(["preset", "ages", "--repetitions", "1", *more, "--quiet"]) == 0
        told.append(capsys.readouterr().out.splitlines()[1:3])
    look, differs = PRESETS["ages"].look, PRESETS["ages"].differs
    of = "Of the sample, with the usual settings: "
    assert told == [[look, f"Differs: {differs}"], [f"{of}{look}", f"Differs: {of}{differs}"]]
    assert PRESETS["randomised-response"].is_usual({"seed": 7}, own=False)
    assert not PRESETS["ages"].is_usual({}, own=True)


def test_randomised_response_needs_its_estimator() -> None:
    found = findings(made("randomised-response", 100), "Figure 4.1")
    for point in next(one for one in found.series if one.name == "De-biased").points:
        # Var = n·(¾·¼)/(½)² people, and the mean of |N(0, σ)| is σ·√(2/π).
        expected = np.sqrt(2 / np.pi * point.axis_value * 0.75) / point.axis_value
        assert abs(point.mean - expected) < 5 * point.error_of_mean
    right, published = curve(found, "De-biased"), curve(found, "Never de-biased")
    assert published[9_900.0] == pytest.approx(published[1_000.0], rel=0.05)
    assert all(value < right[place] for place, value in curve(found, "Global DP").items())


def test_pairs_of_means_have_no_claim_and_public_intervals_have_one() -> None:
    public = findings(made("nba-anonymised", 20), "Figure 3.9")
    assert not any("No (ε, δ) claim" in note for one in public.series for note in one.notes)
    sampled, trimmed = (curve(public, f"{way} release") for way in ("Sampled", "Trimmed"))
    assert all(trimmed[place] < sampled[place] for place in sampled)


def test_tables_of_mechanisms_are_exact() -> None:
    survey, half, quarter, _ = made("mechanism-tables", 1).results
    rows = (("state", "Y", "N"), ("+", "3/4", "1/4"), ("−", "1/4", "3/4"), ("largest ratio", "3", "3"))
    assert survey.table == rows
    assert half.table is not None
    assert half.table[1] == ("0", "2/3", "1/6", "1/12", "1/24", "1/48", "1/48")
    assert quarter.table is not None
    assert quarter.table[1] == ("0", "4/5", "3/20", "3/80", "3/320", "3/1280", "1/1280")
    numbers = [one.published.numbers["e^ε between neighbours"].mean for one in made("mechanism-tables", 1).outcomes[:3]]
    assert numbers == pytest.approx([3.0, 2.0, 4.0])
    assert math.log(numbers[0]) == pytest.approx(math.log(3))


def test_a_preset_of_a_plugin_has_parts_of_its_own(tmp_path: Path) -> None:
    def parts(given: Given) -> tuple[PresetPart, ...]:
        ages = Question(Statistic.HISTOGRAM, given.column, given.binned(5))
        asked = Experiment(question=ages, metric=Metric(Distance.MANHATTAN), places=(1.0,), repetitions=2)
        asked = replace(asked, methods=(MethodChoice("global-grid"),))
        return (
            PresetPart("Bars", "Few rows.", asked, True),
            PresetPart("Errors", "", asked),
            PresetPart("Rows", table=lambda material, progress: (("of", given.column), ("rows", "4"))),
        )

    preset = Preset(
        "toy", "Toy", "", "", "", "", Needs.NUMBERS, None, (LOWER, UPPER), MappingProxyType({"upper": "1"}), 2, parts
    )
    table = Table((Column.from_texts("age", ["1", "20", "40", "70"]),))
    material = ExperimentData(table, Schema((ColumnSpec("age", Kind.INTEGER),)))
    seen: list[PresetResult] = []
    given = preset.given(material, "age", {"lower": "0", "upper": "100"}, own=True)
    found = run_preset(preset, given, partial=seen.append)
    assert [one["kind"] for one in found.to_json()["parts"]] == ["bars", "errors", "table"]
    assert (found.outcomes, len(seen) >= 3) == ((), True)
    assert found.results[0].bars is not None
    assert found.results[0].bars.truth.tolist() == [1, 1, 1, 1, 0]
    assert {path.suffix for path in write_preset(found, tmp_path, ("svg",))} == {".svg", ".csv", ".json"}


def settings_with(identifier: str, *values: tuple[str, object]) -> dict[str, dict[str, tuple[str, str]]]:
    """The settings of each figure of a preset with something set, which nothing needs to be run for."""
    preset = PRESETS[identifier]
    given = preset.given(ExperimentData(Table(()), Schema()), "", dict(values))
    outcomes = (FigureOutcome(one, changed=given.changed_words) for one in preset.figures)
    return {one.figure.number: {name: (there, here) for name, there, here in one.settings} for one in outcomes}


def test_no_setting_denies_what_is_set() -> None:
    bounds = settings_with("surgery-mean", ("upper", "200000"))
    assert all(one["bounds"][1] == "as set; numbers beyond are moved to them" for one in bounds.values())
    assert bounds["Figure 3.1"]["bounds"] == ("$0 to $1,000,000 (p. 22)", "as set; numbers beyond are moved to them")
    assert bounds["Table 3.2"]["bounds"][0] == "$0 to $1,000,000 (p. 22); none for the mean (p. 23)"
    bars = settings_with("salary-histograms", ("bins", 10), ("epsilon", 0.5), ("sample", "gross pay"))
    for one in bars.values():
        assert one["bars"] == ("18 from $15,789 to $300,000 (code, p. 28)", "as set")
        assert one["column"][1] == "of the sample that is set"
    assert [one["rows"][1] for one in bars.values()] == [f"{of}of the sample that is set" for of in ("all ", "", "")]
    assert bars["Figure 3.4"]["rows"][0].endswith("about 136,000 in the bars. Here: every row once")
    assert not any("Here" in bars[number]["rows"][0] for number in ("Figure 3.5", "Figure 3.6"))
    assert bars["Figure 3.4"]["ε"] == ("none named (p. 28); 1 in the author's code", "as set")
    assert bars["Figure 3.5"]["ε"][1] == "0.2 to 5.1", "the ε of the bars is not that of the errors"
    assert bars["Figure 3.4"]["ε of the histograms (set)"] == ("Here: 0.5", "the same")
    level = settings_with("nba-anonymised", ("level", 7))["Figure 3.9"]["levels"]
    assert level[0].endswith("takes 0.1 from ε for that (its default). Here: as set")
    assert level[1] == "the finest of the public intervals", "which the level does not change"
    ages = settings_with("ages", ("bins", 5), ("users", 300), ("epsilon", 2.0), ("lower", "20"))
    assert ages["Figure 4.2"]["answers"][1] == ages["Figure 4.3"]["answers"][1] == "as set"
    assert ages["Figure 4.3"]["people"] == ("about 20,000 (p. 47). Here: as set", "as set")
    assert ages["Figure 4.3"]["ε"][1].startswith("0.2 to 3.87")
    assert ages["Figure 4.5"]["ε"] == ("1.5", "as set")
    assert ages["Figure 4.5"]["people"][1].startswith("10 to 9,810")


def test_what_one_side_alone_uses_is_said_of_that_side() -> None:
    usual, found = made("nba-anonymised", 2), made("nba-anonymised", 2, ("intervals", 128))
    for before, now in zip(usual.outcomes, found.outcomes, strict=True):
        assert before.published == now.published and before.mended != now.mended
        assert now.agreements == before.agreements and now.as_published, "what is published is made as before"
        assert ("Public intervals (set)", "Here: not used", "128") in now.settings
        assert "Nothing was published of" not in " ".join(now.differs)
        assert "With 128 public intervals a trimmed release" in " ".join(now.differs)
        captions = {side: printed_caption(now, side, data) for side, data in panels_of(now)}
        assert "Public intervals (set): not used" in captions["published"]
        assert "Public intervals (set): 128" in captions["mended"]
    level = made("nba-anonymised", 2, ("level", 7))
    for before, now in zip(usual.outcomes, level.outcomes, strict=True):
        assert before.published != now.published and before.mended == now.mended
        assert ("Level of the pairs (set)", "Here: 7", "not used") in now.settings
        assert not now.agreements
    coins = (
        made("randomised-response", 2).outcomes[0],
        made("randomised-response", 2, ("answer", "LABORER")).outcomes[0],
    )
    assert coins[0].published == coins[1].published and coins[0].agreements == coins[1].agreements
    assert ("Counts as yes (set)", "Here: not used", "LABORER") in coins[1].settings
    bars = (
        made("salary-histograms", 2).outcomes,
        made("salary-histograms", 2, ("bins", 10), ("sample", "gross pay")).outcomes,
    )
    for before, now in zip(*bars, strict=True):
        assert before.published != now.published and before.mended != now.mended, "of both it is said that it is used"
        assert ("Bins (set)", "Here: 10", "the same") in now.settings


def test_what_is_set_as_it_is_anyway_is_not_said_to_be_set_otherwise() -> None:
    usual = (
        ("occupations", {"answer": "Sales"}),
        ("surgery-mean", {"lower": "0.0", "upper": "1e6"}),
        ("salary-histograms", {"epsilon": "1", "upper": " 300000"}),
    )
    for identifier, values in usual:
        assert PRESETS[identifier].is_usual(values, own=False), identifier
    assert not PRESETS["occupations"].is_usual({"answer": "Craft-repair"}, own=False)
    assert not PRESETS["surgery-mean"].is_usual({"upper": "125000"}, own=False)


def test_a_number_that_is_set_is_written_as_numbers_are_and_a_text_as_it_is() -> None:
    def words(identifier: str, **values: str) -> dict[str, str]:
        preset = PRESETS[identifier]
        material = ExperimentData(Table(()), Schema(()))
        return dict(preset.given(material, "", values).changed_words)

    assert words("surgery-mean", lower="-5", upper="100000000") == {"Lower bound": "−5", "Upper bound": "100,000,000"}
    assert words("ages", epsilon="6")["ε against people"] == "6"
    assert words("randomised-response", answer="0123")["Counts as yes"] == "0123", "a code is no number"


def test_below_what_is_printed_nothing_is_said_to_be_set() -> None:
    outcome = FigureOutcome(figure_named("table-3.2"), changed=(("Upper bound", "125000"),))
    captions = [
        printed_caption(outcome, "published", PanelData(PublishedPanel(title, rows=(("query",), ("Sum",)))))
        for title in (PRINTED, RUN_HERE)
    ]
    assert ["Upper bound (set): 125000" in one for one in captions] == [False, True]
    assert ["bounds: as set" in one for one in captions] == [False, True]
    assert "bounds: $0 to $1,000,000 (p. 22); none for the mean (p. 23);" in captions[0]


def test_settings_of_the_sample_stay_where_only_bars_are_set() -> None:
    rows = settings_with("salary-histograms", ("bins", 10))["Figure 3.4"]["rows"]
    assert rows == ("13,000 (text), 154,648 (author's code), about 136,000 in the bars. Here: every row once", "13,811")


def test_of_few_answers_distance_sensitive_encoding_is_said_to_spend_less_than_the_epsilon_of_the_figure() -> None:
    spent = {values: ProtocolChoice.parse("ds").frequency(values, math.log(20)).epsilon for values in (2, 7, 8, 50)}
    assert spent[2] < spent[7] < spent[8] == pytest.approx(spent[50]) == pytest.approx(math.log(20))
    said = "; with fewer than 8 answers distance-sensitive encoding spends less too"
    for number in ("Figure 4.10", "Figure 4.11"):
        usual, found = (settings_with("ages", *values)[number]["ε"] for values in ((), (("bins", 5),)))
        assert (usual[0], f"{usual[1]}{said}") == found
        assert settings_with("ages", ("bins", 5), ("epsilon", 2.0))[number]["ε"] == ("ln 20", "as set")


def test_the_answer_that_is_asked_for_is_the_one_that_is_shown() -> None:
    (panel,) = made("occupations", 2, ("answer", "Armed-Forces")).outcomes[1].published.panels
    assert panel.rows[1][0] == "Estimated with “Armed-Forces”, of whom there are 9"


def test_an_estimate_below_0_has_a_true_minus_sign() -> None:
    """Of 9 true yeses the mean of two estimates is below 0 with one of these seeds: they err by 156 each."""
    found = [
        made("occupations", 2, ("answer", "Armed-Forces"), ("seed", seed)).outcomes[1].published.panels[0].rows[1][1]
        for seed in (1, 2, 3, 4)
    ]
    assert any(one.startswith("−") for one in found) and not any("-" in one for one in found)
