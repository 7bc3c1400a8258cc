"""Randomised response in Mechanisms: how often the truth is told in all, and what a survey by it estimates."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from tests.gui.helpers import idle
from tests.gui.mechanisms.helpers import ask, enter, epsilon, field
from workbench.core.progress import SILENT
from workbench.evaluate.experiment_edits import USUAL_PEOPLE
from workbench.gui.workspaces.mechanisms import MechanismsWorkspace, matrix_page
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.plan import Shape
from workbench.project.laboratory import LaboratorySettings
from workbench.session.audit import Examination, examiner
from workbench.session.session import Session
from workbench.session.truthful_words import estimator_words, plan_survey, truth_words, two_answers


def found_of(mechanism: str, **values: str) -> Examination:
    return examiner(LaboratorySettings(mechanism=mechanism, parameters={mechanism: values}), with_curve=False)(SILENT)


@pytest.mark.parametrize(
    ("mechanism", "values", "said"),
    [
        ("survey", {}, "3/4 = 0.75."),
        ("survey", {"honest": "3/4"}, "7/8 = 0.875."),
        ("survey", {"variant": "warner", "p": "2/3"}, "2/3 ≈ 0.6667."),
        ("survey", {"yes": "1/4"}, "5/8 if it is yes, 7/8 if it is no."),
        ("grr", {"d": "4", "epsilon": "ln 3"}, "1/2 = 0.5."),
        ("rr", {"epsilon": "ln 3"}, "3/4 = 0.75."),
        ("rr", {"design": "coins", "truth": "0.75"}, "7/8 = 0.875."),
        ("local-grr", {"d": "2", "epsilon": "ln 7"}, "7/8 = 0.875."),
    ],
)
def test_a_first_coin_is_not_the_whole_chance_of_the_truth(mechanism: str, values: dict[str, str], said: str) -> None:
    assert truth_words(found_of(mechanism, **values)) == f"In all, a true answer has probability {said}"


@pytest.mark.parametrize("honest", ["1/2", "0.1"])
def test_the_probability_of_the_truth_can_be_typed_itself(
    qtbot: QtBot, workspace: MechanismsWorkspace, honest: str
) -> None:
    ask(qtbot, workspace, mechanism="survey", parameters={"survey": {"honest": honest}})
    before, panel = epsilon(workspace), workspace.settings
    assert panel.type_truth.isVisible()
    panel.type_truth.click()
    idle(qtbot, workspace)
    typed = field(workspace, "p")
    assert isinstance(typed, QLineEdit) and typed.isVisible() and typed.hasFocus()
    assert Fraction(typed.text()) == (1 + Fraction(honest)) / 2 and epsilon(workspace) == before
    assert panel.type_truth.isHidden() and field(workspace, "honest").isHidden()
    enter(qtbot, workspace, typed, "0.9")
    assert "ln(9)" in epsilon(workspace)
    # Of coins that treat the answers differently there is none to be typed, nor of another mechanism.
    ask(qtbot, workspace, parameters={"survey": {"yes": "1/4"}})
    assert panel.type_truth.isHidden()
    ask(qtbot, workspace, mechanism="grr", parameters={})
    assert panel.type_truth.isHidden()


def test_nothing_is_said_of_other_mechanisms_nor_of_what_is_composed() -> None:
    assert truth_words(found_of("truncated-geometric")) == ""
    twice = examiner(LaboratorySettings(mechanism="survey", repeat=2), with_curve=False)(SILENT)
    assert truth_words(twice) == "" == estimator_words(twice)


def test_the_standard_error_is_that_of_drawn_surveys() -> None:
    """By two coins that are not alike, of people of whom one half have the first answer and are drawn."""
    answers = two_answers(found_of("survey", honest="1/2", yes="1/4"))
    assert answers is not None and (float(answers.p), float(answers.q)) == (5 / 8, 1 / 8)
    rng, people = np.random.default_rng(1), 400
    own = rng.binomial(people, 0.5, 20_000)
    told = rng.binomial(own, float(answers.p)) + rng.binomial(people - own, float(answers.q))
    estimates = (told / people - float(answers.q)) / float(answers.gap)
    assert estimates.mean() == pytest.approx(0.5, abs=0.002)
    assert answers.error(people) == pytest.approx(estimates.std(), rel=0.02)


def test_the_estimator_and_its_design_effect_are_said_and_it_can_be_planned(
    qtbot: QtBot, workspace: MechanismsWorkspace
) -> None:
    ask(qtbot, workspace, mechanism="survey", parameters={})
    assert workspace.settings.truth.text() == "In all, a true answer has probability 3/4 = 0.75."
    said = workspace.utility.estimator.text()
    assert said.startswith("Unbiased estimate of the share of “yes”: (y − 1/4) ÷ 1/2, ")
    assert "its standard error is 1 ÷ √n: 3.163 points with 1,000 people." in said
    assert (
        "Design effect of that share 1 ÷ (2p − 1)² with p = 3/4: 4, as exact as asking 250 of 1,000 directly." in said
    )
    went: list[tuple[str, str]] = []
    workspace.reach_requested.connect(lambda *to: went.append(to))
    workspace.utility.plan.click()
    collect = workspace.document.project.collect
    assert went == [("collect", "plan")] and math.log(3) <= collect.epsilon < math.log(3) + 1e-11
    assert collect.encoding.domain == ("yes", "no")
    # Whoever has asked something there keeps that, and takes the ε alone.
    workspace.document.apply("", lambda session: session.collection.change(encoding=collect.encoding, users=77))
    ask(qtbot, workspace, mechanism="grr", parameters={})
    workspace.utility.plan.click()
    assert workspace.document.project.collect.encoding.domain == ("yes", "no")
    # Of two answers the question is taken over: seven departments would be another survey.
    seven = EncodingChoice(how=EncodingKind.CATEGORIES, domain=tuple("ABCDEFG"))
    shares = {"shape": Shape.OWN, "guess": (1.0,) * 6 + (2.0,)}
    workspace.document.apply("", lambda session: session.collection.change(encoding=seven, **shares))
    ask(qtbot, workspace, mechanism="survey", parameters={})
    workspace.utility.plan.click()
    collect = workspace.document.project.collect
    assert collect.encoding.domain == ("yes", "no") and collect.users == 77
    assert collect.shape is Shape.AUTO and not collect.guess
    ask(qtbot, workspace, mechanism="truncated-geometric", parameters={})
    assert not workspace.utility.survey.isVisibleTo(workspace.utility)
    assert not workspace.settings.truth.isVisibleTo(workspace.settings)


def test_what_is_planned_and_what_it_replaces_is_said_and_undone(qtbot: QtBot, workspace: MechanismsWorkspace) -> None:
    """Coins of 1/3 and 3/4 are no protocol of Collect, whose chances are alike for both answers: 3/4 at this ε."""
    document, page, noted = workspace.document, workspace.utility, list[str]()
    document.noted.connect(lambda _kind, words: noted.append(words))
    seven = EncodingChoice(how=EncodingKind.CATEGORIES, domain=tuple("ABCDEFG"))
    document.apply("nobody", lambda session: session.collection.ask_nobody())
    changes = {"encoding": seven, "users": 2000, "shape": Shape.OWN, "guess": (1.0,) * 7}
    document.apply("plan", lambda session: session.collection.change(**changes))
    ask(qtbot, workspace, mechanism="survey", parameters={"survey": {"honest": "1/3", "yes": "3/4"}})
    coins = "With other coins than these: in Collect both answers are treated alike."
    assert page.plan.text() == "Plan a survey at this ε in Collect" and page.planned.text() == coins
    before = document.project
    page.plan.click()
    assert document.project.collect.encoding.domain == ("yes", "no")
    assert noted == [
        f"Planned at ε = ln(3) ≈ 1.099, in place of the question of 7 answers. Undo takes it back. {coins}"
    ]
    document.undo_stack.undo()
    assert document.project == before, "all of it, at once"
    ask(qtbot, workspace, mechanism="survey", parameters={"survey": {"variant": "warner", "p": "3/4"}})
    assert not page.planned.isVisibleTo(page), "it is that mechanism"
    ask(qtbot, workspace, mechanism="grr", parameters={})
    assert page.planned.text() == "By the protocol that errs least at this ε, perhaps another one."


def test_a_root_is_not_rounded_before_it_is_divided() -> None:
    said = estimator_words(found_of("survey", honest="1/3", yes="3/4"))
    assert "its standard error is √2 ÷ √n: 4.473 points with 1,000 people." in said
    assert " is 1.5 ÷ √n: " in estimator_words(found_of("survey", variant="warner", p="2/3"))


def test_a_plan_beside_an_open_table_begins_as_any_other(tmp_path: Path) -> None:
    """Who is asked is a sample of as many as usual: the table, of which no column is chosen, says nothing of it."""
    path = tmp_path / "table.csv"
    path.write_text("town\nBonn\nUlm\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    plan_survey(session, found_of("survey"))
    settings = session.collection.settings
    assert settings.encoding.domain == ("yes", "no") and session.collection.without_table
    assert settings.sampling and settings.users == USUAL_PEOPLE


def test_what_is_said_of_the_truth_keeps_its_place_while_one_types(
    qtbot: QtBot, workspace: MechanismsWorkspace
) -> None:
    ask(qtbot, workspace, mechanism="survey", parameters={})
    workspace.resize(1200, 800)
    workspace.show()
    truth, below = workspace.settings.truth, workspace.settings.together
    QCoreApplication.processEvents()
    place = below.mapTo(workspace, below.rect().topLeft())
    assert truth.text() and truth.isVisibleTo(workspace.settings)
    ask(qtbot, workspace, repeat=3)
    QCoreApplication.processEvents()
    assert not truth.text() and truth.minimumHeight() > 0
    assert below.mapTo(workspace, below.rect().topLeft()) == place
    ask(qtbot, workspace, mechanism="truncated-geometric", repeat=1)
    assert not truth.isVisibleTo(workspace.settings)


def test_headings_of_beliefs_are_broken_where_one_line_has_no_room(
    qtbot: QtBot, workspace: MechanismsWorkspace
) -> None:
    ask(qtbot, workspace, mechanism="survey", parameters={})
    workspace.tabs.setCurrentWidget(workspace.utility)
    beliefs = workspace.utility.beliefs
    header = beliefs.horizontalHeader()
    low, line = header.height(), header.fontMetrics().lineSpacing()
    ask(qtbot, workspace, repeat=3)
    wide = header.fontMetrics().horizontalAdvance("after yes, yes, yes")
    assert wide > header.sectionSize(2), "one line has no room here"
    assert beliefs.head_height >= 2 * line and header.defaultSectionSize()
    alignment = beliefs.model().headerData(2, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
    assert alignment & Qt.TextFlag.TextWordWrap
    ask(qtbot, workspace, repeat=1)
    assert beliefs.head_height == low


def test_headings_of_several_answers_have_two_lines_where_one_has_no_room(
    qtbot: QtBot, workspace: MechanismsWorkspace
) -> None:
    ask(qtbot, workspace, mechanism="survey", parameters={})
    header = workspace.matrix.table.horizontalHeader()
    line, low = header.fontMetrics().lineSpacing(), header.height()
    ask(qtbot, workspace, repeat=3)
    name, width = "yes, yes, yes", header.sectionSize(0)
    assert header.fontMetrics().horizontalAdvance(name) * 1.1 > width - 10, "one line has no room here"
    assert header.height() >= 2 * line and header.defaultAlignment() & Qt.TextFlag.TextWordWrap
    assert header.fontMetrics().horizontalAdvance("yes, yes,") * 1.1 < width
    ask(qtbot, workspace, repeat=1)
    assert header.height() == low and not header.defaultAlignment() & Qt.TextFlag.TextWordWrap


@pytest.mark.parametrize("share", ["1/2", "1/10"])
def test_the_design_effect_is_that_of_the_share_that_is_believed(share: str) -> None:
    """By hand with p = 3/4: of one half 4; of a tenth λ = 0.3, and 0.3 · 0.7 ÷ (¼ · 0.09) = 9⅓."""
    found = found_of("survey", variant="warner", p="3/4")
    believed = examiner(replace(found.settings, prior=f"{share} {1 - Fraction(share)}"))(SILENT)
    answers = two_answers(believed)
    assert answers is not None
    assert answers.effect == {"1/2": Fraction(4), "1/10": Fraction(28, 3)}[share]
    assert answers.error(100) == pytest.approx(
        math.sqrt(float(answers.effect * answers.share * (1 - answers.share)) / 100)
    )
    assert f"Of a share of {'one half' if share == '1/2' else '10 %'} (as believed before)" in estimator_words(believed)


def test_nobody_believed_the_share_that_stands_for_none_and_nearly_all_is_not_all() -> None:
    found = found_of("rr", epsilon="ln 3")

    def said(prior: str) -> str:
        return estimator_words(examiner(replace(found.settings, prior=prior))(SILENT))

    for nothing in ("1 0", "0 1"):
        assert "Of a share of one half its standard error is" in said(nothing) and "believed" not in said(nothing)
    nearly = said("99999/100000 1/100000")
    assert "Of a share of 99.9… % (as believed before)" in nearly and "asking fewer than 1 of 1,000" in nearly
    assert "Of a share of 99.9… % (as believed before)" in said(f"{10**20 - 1}/{10**20} 1/{10**20}")


def test_nothing_moves_where_a_message_says_what_is_wrong_with_a_sample(
    qtbot: QtBot, workspace: MechanismsWorkspace
) -> None:
    """The message used to say what the field proposed was wrong, and the form went up by the line it took away."""
    ask(qtbot, workspace, mechanism="survey", parameters={})
    settings = workspace.settings
    assert settings.sample.placeholderText() == "none; 1/10=no"
    assert settings.sample_means.text() == "1/10=no: with chance 1/10 the input itself goes in, otherwise “no”."
    settings.together.set_open(True)
    idle(qtbot, workspace)
    before = settings.sample.mapTo(settings.widget(), settings.sample.rect().topLeft())
    enter(qtbot, workspace, settings.sample, "1/10")
    assert "1/10=no" in workspace.verdict.delta.text() and workspace.verdict.epsilon.text() == "ε = –"
    assert settings.sample.mapTo(settings.widget(), settings.sample.rect().topLeft()) == before
    enter(qtbot, workspace, settings.sample, "1/10=no")
    assert workspace.found is not None and "on a sample of 1/10" in workspace.found.made.title
    enter(qtbot, workspace, settings.sample, "1/2=yes")
    assert settings.sample_means.text() == "1/2=yes: with chance 1/2 the input itself goes in, otherwise “yes”."
    ask(qtbot, workspace, mechanism="truncated-geometric", parameters={}, sample="")
    assert settings.sample.placeholderText() == "none; 1/10"
    assert settings.sample_means.text() == "1/10: each row is in the sample with chance 1/10."


def test_the_matrix_is_saved_as_a_picture_or_as_numbers_by_what_the_button_offers(
    qtbot: QtBot, workspace: MechanismsWorkspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(qtbot, workspace, mechanism="survey", parameters={})
    kinds = {action.text(): action for action in workspace.matrix.save.menu().actions()}
    assert list(kinds)[:2] == ["&Picture with caption…", "&Numbers (CSV)…"]
    asked: list[tuple[str, str]] = []

    def ask_file(_asking: object, _title: str, name: str, _kinds: str) -> tuple[str, str]:
        path = tmp_path / name.replace(".png", ".svg")
        asked.append((name, path.name))
        return str(path), ""

    monkeypatch.setattr(matrix_page, "ask_file", ask_file)
    for words in ("&Picture with caption…", "&Numbers (CSV)…"):
        kinds[words].trigger()
        idle(qtbot, workspace)
    assert [name for name, _ in asked] == ["channel.png", "channel.csv"]
    assert all((tmp_path / name).exists() for _, name in asked)
    assert "Chance of each output (columns) for each input (rows)" in (tmp_path / "channel.svg").read_text(
        encoding="utf-8"
    )
