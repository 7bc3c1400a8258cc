"""The Collect workspace: what every protocol is likely to err by, and which is to be taken."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from tests.gui.collect.helpers import JOBS, ask_age, ask_job, read_card, simulate
from tests.gui.helpers import OnScreen, choose, idle
from workbench.core.number_text import exact, rounded_up
from workbench.gui.document import Document
from workbench.gui.workspaces.collect import CollectWorkspace
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.prediction import Shape
from workbench.ldp.share_margin import MARGIN
from workbench.session.collection.advice import needing_least
from workbench.session.collection.decision import smoother_of
from workbench.session.collection.two_answers import named
from workbench.session.collection.words import CURATOR, upwards


class TestPredicting:
    def test_the_table_ranks_all_protocols_and_the_two_baselines(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        planned = room.prediction.planned
        assert planned is not None
        rows = room.prediction.table.texts()
        baselines = {CURATOR, "A uniform guess"}
        errors = [float(row[1].split(" ")[0]) for row in rows if row[1] != "–" and row[0] not in baselines]
        assert errors == sorted(errors) and len(errors) > 6
        assert baselines <= {row[0] for row in rows}
        assert planned.predictions[0].title == room.prediction.headline.figure.text()
        assert "1,200 people, 4 values" in room.prediction.sentence.text()
        drawn = room.prediction.chart.data
        assert [curve.role for curve in drawn.curves] == [
            *["local"] * (3 + (planned.best[0].choice not in room.document.project.collect.protocols)),
            "curator",
            "uniform",
        ]
        assert planned.best[0].title in [curve.name for curve in drawn.curves], "the recommended one is drawn"

    def test_the_headline_decides_and_smoothing_needs_a_smooth_shape(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        room.question.bins.setValue(40)
        room.privacy.users.edit.setText("5000")
        room.privacy.epsilon.field.edit.setText("2")
        idle(qtbot, room)
        page = room.prediction
        best = page.planned.best[0] if page.planned is not None else None
        assert best is not None and not best.smooths and page.planned is not None
        name = named(best.choice, page.planned.plan)
        assert page.headline.figure.text() == name == "Subset selection (5 of 41)"
        said = read_card(page.headline)
        assert page.headline.measure.text().partition(",")[0].endswith(" misplaced")
        assert "people), for equal shares, the worst shape tried" in said and "counted at a wrong answer" in said
        assert "Of those asked" in said and "of all people, with sampling" in said
        assert "If neighbouring answers are alike: Square Wave, " in said
        share = float(said.split()[0])
        assert best.l1 / 2 <= share / 100 <= 1.1 * best.l1 / 2, "rounded up, and by little"
        both = float(said.partition("about ")[2].split()[0])
        # Independent errors add up like the sides of a right triangle.
        together = math.hypot(share, 50 * page.planned.drawn)
        assert together <= 1.02 * both and both <= 1.1 * together
        assert page.guessing.figure.text() == "If shares differ enough"
        assert page.protocol.chosen is None and page.protocol.currentText() == "whichever needs least"
        assert " instead of " in page.guessing.measure.text()
        when, _, beside = page.guessing.accessibleDescription().partition(" shares. ")
        assert when.startswith("Yes where a uniform guess is off by over ")
        assert beside.startswith(f"{name}, "), "each card names its protocol"
        # At the ε that suffices sets of one value are best, which are direct encoding.
        by = (
            f"{name}: that many at ε 2.",
            "Or Direct encoding: ε\u00a04.03 with 5,000 people, for the worst of three shapes.",
        )
        assert read_card(page.needed).startswith(" ".join(by))
        row = next(row for row in page.table.texts() if row[0] == name)
        # One number wherever it stands on the page, and the people are counted from it before it is rounded.
        assert said.startswith(f"{row[1]}\u00a0% misplaced, ")
        # How much is gained is told on the shape on which that is least, by what both come to on it.
        shape, _, gained = beside.removeprefix(f"{name}, ").partition(": ")
        shapes = ("many smooth humps", "many spiky shapes")
        assert shape in shapes and "Asking nobody, a uniform guess: " in gained
        assert float(gained.split(" ")[0]) == pytest.approx(float(row[shapes.index(shape) + 2]), abs=0.05)
        people = int(said.partition("(")[2].split()[0].replace(",", ""))
        assert 0 <= people - 5000 * best.l1 / 2 <= 10
        assert float(row[1]) == max(map(float, row[2:5])), "the worst of smooth, spiky and equal shares"
        assert "it is recommended only where a smooth shape is declared" in page.sentence.text()
        assert page.headline.offer.text() == "Assume so"
        page.headline.offer.click()
        idle(qtbot, room)
        assert page.headline.figure.text() == "Square Wave" and "for many smooth humps" in read_card(page.headline)
        # What is to be taken can be ticked where it is named.
        taken = page.headline.offer
        assert taken.accessibleName() == "Add to protocols" and "(" in page.table.texts()[0][1]
        taken.click()
        idle(qtbot, room)
        assert "square-wave" in [one.identifier for one in room.document.project.collect.protocols] and taken.isHidden()
        room.privacy.users.edit.setText("30")
        room.privacy.epsilon.field.edit.setText("0.2")
        choose(page.shape, Shape.AUTO)
        idle(qtbot, room)
        assert page.guessing.figure.text().startswith("No") and "Too few people" in read_card(page.guessing)

    def test_with_other_shares_declared_what_smooths_is_added_and_they_stay(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_age(qtbot, room)
        page = room.prediction
        choose(page.shape, Shape.FALLING)
        idle(qtbot, room)
        said = read_card(page.headline)
        assert "for falling shares" in said and "several times as much if real shares have more spikes" in said
        assert page.planned is not None
        better = smoother_of(page.planned, "l1")
        assert better is not None and better.smooths and page.headline.offer.accessibleName() == "Add to protocols"
        page.headline.offer.click()
        idle(qtbot, room)
        settings = room.document.project.collect
        assert settings.shape is Shape.FALLING and better.choice in settings.protocols

    def test_epsilon_moves_the_prediction_and_undo_brings_it_back(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        before = room.prediction.table.texts()
        room.privacy.epsilon.field.edit.setText("3")
        idle(qtbot, room)
        after = room.prediction.table.texts()
        assert float(after[0][1].split(" ")[0]) < float(before[0][1].split(" ")[0])
        assert room.prediction.chart.data.now == 3.0
        room.document.undo_stack.undo()
        idle(qtbot, room)
        assert room.prediction.table.texts() == before
        assert room.privacy.epsilon.value == 1.0

    def test_a_number_that_is_none_stops_everything_but_what_is_shown(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        room.privacy.epsilon.field.edit.setText("-1")
        room.run()
        idle(qtbot, room)
        assert room.simulation.found is None
        assert room.document.project.collect.epsilon == 1.0

    def test_people_and_curves_against_them(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.privacy.users.edit.setText("50000")
        choose(room.prediction.against, "users")
        idle(qtbot, room)
        assert room.prediction.chart.data.now == 50_000.0
        assert "50,000 people" in room.prediction.sentence.text()
        room.privacy.users.edit.setText("")
        idle(qtbot, room)
        assert room.document.project.collect.users is None

    def test_values_typed_in_one_line_have_a_line_each_also_beside_a_table(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        room.question.values.setFocus()
        room.question.values.setPlainText(", ".join(JOBS))
        room.question.column.setFocus()
        idle(qtbot, room)
        assert room.question.values.toPlainText().splitlines() == list(JOBS)
        assert room.prediction.planned is not None

    def test_what_it_takes(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.prediction.target.edit.setText("5")  # per cent: half of the L1 error
        idle(qtbot, room)
        desk, page = room.document.session.collection, room.prediction
        assert page.planned is not None
        allowed = needing_least(page.planned)
        people, least = desk.people_needed(allowed, "l1", 0.1)()
        told = page.needed.figure.text()
        number = int(told.split(" people")[0].replace(",", ""))
        assert people <= number <= 1.1 * people and " or ε\u00a0" in told
        average = "“(takes no part)” is an answer, too. That is an error on average, not a margin of each share."
        both = "that many at ε 1, or that ε with 1,200 people"
        assert (
            read_card(page.needed)
            == f"{named(least, page.planned.plan)}: {both}, for the worst of three shapes. {average}"
        )
        # Another one that somebody wants is named too, and needs no less.
        other = next(one for one in allowed if one != least)
        choose(page.protocol, other)
        idle(qtbot, room)
        assert (
            read_card(page.needed)
            == f"{named(other, page.planned.plan)}: {both}, for the worst of three shapes. {average}"
        )
        assert int(page.needed.figure.text().split(" people")[0].replace(",", "")) >= number

    def test_the_margin_of_each_share_is_reached_and_what_is_found_is_used(
        self, qtbot: QtBot, room: CollectWorkspace
    ) -> None:
        ask_job(qtbot, room)
        page, desk = room.prediction, room.document.session.collection
        page.target.edit.setText("5")
        choose(page.aim, MARGIN)
        room.privacy.form["sampling"].click()
        idle(qtbot, room)
        assert page.planned is not None
        choices = [one.choice for one in page.planned.predictions if not one.problem]
        epsilon, least = desk.epsilon_needed(choices, MARGIN, 0.05, tuned=True)()
        # Another protocol needs that ε than needs the fewest people, so that it stands beside its name.
        assert f"{least.protocol.title}: ε\u00a0{exact(upwards(epsilon, 3))} with" in read_card(page.needed)
        assert page.needed.figure.text().endswith(" people")
        detail = read_card(page.needed)
        assert least.protocol.title in detail and detail.endswith("Unbiased: all 4 at once ± 6.38.")
        assert page.headline.measure.text().endswith(" points for any share")
        assert page.headline.detail.text().startswith("Of all people, with 95")
        assert "Sampling error is in it." in read_card(page.headline)
        assert "on average" not in detail and page.predicted is not None and page.predicted.need == "margin=0.05"
        offered = [one for one in page.needed.choices if one.isVisibleTo(page)]
        # What it costs those who answer stands on it.
        there, now = (
            100 / (1 + math.exp(-one)) for one in (upwards(epsilon, 3), room.document.project.collect.epsilon)
        )
        words = f"Use ε {exact(upwards(epsilon, 3))}"
        assert offered[-1].text() == words, "beside a low chart in its tip alone"
        room.resize(1500, 900)
        idle(qtbot, room)
        assert offered[-1].text() == f"{words}: guess ≤ {math.ceil(10 * there) / 10:.1f} %"
        assert offered[-1].toolTip().endswith(f" may rise to {rounded_up(there)} %, not {rounded_up(now)} %")
        offered[-1].click()
        idle(qtbot, room)
        assert room.document.project.collect.epsilon == upwards(epsilon, 3) and page.aim.chosen == MARGIN
        room.document.undo_stack.undo()
        idle(qtbot, room)
        offered = [one for one in page.needed.choices if one.isVisibleTo(page)]
        number = int(offered[0].toolTip().split()[1].replace(",", ""))
        offered[0].click()
        idle(qtbot, room)
        assert room.document.project.collect.users == number
        # Twice the same is not offered, and who has taken it is told that the goal is reached.
        assert not page.needed.choices[0].toolTip().startswith(f"Use {number:,} ") or page.needed.choices[0].isHidden()
        assert page.needed.figure.text() == f"Reached with {number:,} people"
        assert not any(one.isVisibleTo(page) for one in page.needed.choices), page.needed.choices[0].text()

    def test_whom_one_asks_is_counted_where_that_is_wanted(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        page = room.prediction
        page.target.edit.setText("0.5")
        idle(qtbot, room)
        assert "Of those asked: sampling alone misplaces" in read_card(page.needed)
        before = page.planned.reference.curator["l1"] if page.planned is not None else 0.0
        room.privacy.form["sampling"].click()
        idle(qtbot, room)
        assert room.document.project.collect.sampling and page.planned is not None
        assert page.planned.reference.curator["l1"] > 2 * before
        assert "Of all people" in read_card(page.headline) and "hose asked" not in read_card(page.headline)
        assert "No ε suffices with 1,200 people." in read_card(page.needed)
        assert "Sampling error is in it." in read_card(page.needed), "what became another number says why"
        assert page.chart.data.metric == "People misplaced, % of all, with sampling error"

    def test_a_card_of_a_table_has_two_sentences_at_most(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        """Where it is hidden who takes part more is to be said, most of it where the card is pointed at."""
        ask_job(qtbot, room)
        page = room.prediction
        for aim in (MARGIN, ""):
            room.document.apply("goal", lambda session, aim=aim: session.collection.change(aim=aim))
            idle(qtbot, room)
            for card in (page.headline, page.guessing, page.needed):
                words = card.detail.text()
                assert words.count(". ") <= 1 and len(words.split()) <= 26, words
            assert "“(takes no part)” is an answer, too" in page.headline.detail.text()
            assert "Who has no answer reports “(takes no part)” among 4 answers" in page.headline.detail.toolTip()
        assert "with 95\u00a0%" in page.headline.measure.text(), "a margin says how sure it is"

    def test_enter_on_a_row_ticks_its_protocol(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        chosen = {choice.identifier for choice in room.document.project.collect.protocols}
        row = next(i for i, one in enumerate(room.prediction.numbers._listed) if one and one.identifier not in chosen)
        identifier = room.prediction.numbers._listed[row].identifier
        room.prediction.table.selectRow(row)
        qtbot.keyClick(room.prediction.table, Qt.Key.Key_Return)
        idle(qtbot, room)
        assert room.protocols.rows[identifier].tick.isChecked()

    def test_parameters_belong_to_the_choice(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.protocols.rows["ue"].tick.click()
        idle(qtbot, room)
        fields = room.protocols.rows["ue"].fields
        assert fields is not None and fields.isVisible()
        fields.fields["p"].edit.setText("0.9")
        idle(qtbot, room)
        chosen = next(one for one in room.document.project.collect.protocols if one.identifier == "ue")
        assert dict(chosen.values) == {"p": 0.9}
        assert any("p = 0.9" in row[0] for row in room.prediction.table.texts())
        room.protocols.rows["ue"].tick.click()
        idle(qtbot, room)
        assert not fields.isVisible()

    def test_a_tick_moves_no_other_row_and_automatic_numbers_say_so(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        rows = room.protocols.rows
        rows["olh"].tick.click()  # which is ticked at first
        idle(qtbot, room)
        before = {name: row.mapTo(room.protocols, row.rect().topLeft()) for name, row in rows.items()}
        rows["olh"].tick.click()
        idle(qtbot, room)
        fields = rows["olh"].fields
        assert fields is not None and fields.isVisible() and rows["olh"].follows.isHidden()
        assert {name: row.mapTo(room.protocols, row.rect().topLeft()) for name, row in rows.items()} == before
        buckets = fields.fields["g"].edit
        assert (buckets.text(), buckets.placeholderText()) == ("", "automatic") and room.protocols.valid

        def chosen() -> dict[str, object]:
            every = room.document.project.collect.protocols
            return dict(next(one for one in every if one.identifier == "olh").values)

        buckets.setText("4")
        idle(qtbot, room)
        assert chosen() == {"g": 4}
        buckets.setText("")
        idle(qtbot, room)
        assert chosen() == {} and room.protocols.valid

    def test_a_protocol_that_promises_less_is_not_the_one_to_pick(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        room.privacy.epsilon.field.edit.setText("0.2")
        room.protocols.rows["ue"].tick.click()
        idle(qtbot, room)
        assert room.prediction.table.texts()[0][0].startswith("Unary encoding with given")
        assert (
            "Unary encoding with given" not in room.prediction.headline.figure.text() + room.prediction.sentence.text()
        )
        assert "Unary encoding with given p and q, ε = 2.198" in [
            curve.name for curve in room.prediction.chart.data.curves
        ]
        simulate(qtbot, room)
        assert any("ε = 2.198" in one.name for one in room.simulation.errors.data.entries)

    def test_own_shares_must_be_one_per_answer(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_job(qtbot, room)
        choose(room.prediction.shape, Shape.OWN)
        room.prediction.shares.setText("50 25 15")
        room.prediction.shares.editingFinished.emit()
        assert room.prediction.shares.property("invalid") == "true"
        room.prediction.shares.setText("50 25 15 10")
        room.prediction.shares.editingFinished.emit()
        idle(qtbot, room)
        assert room.document.project.collect.guess == (50.0, 25.0, 15.0, 10.0)
        # Another domain has other shares.
        room.question.values.setPlainText("\n".join((*JOBS, "other")))
        room.question.values.tell()
        idle(qtbot, room)
        assert room.document.project.collect.shape is Shape.AUTO

    def test_means_have_an_exact_prediction_of_their_own(self, qtbot: QtBot, room: CollectWorkspace) -> None:
        ask_age(qtbot, room)
        for identifier in ("grr", "oue", "olh", "duchi"):
            room.protocols.rows[identifier].tick.click()
        idle(qtbot, room)
        rows = {row[0]: row for row in room.prediction.table.texts()}
        page, form = room.prediction, room.estimate.form
        assert len(rows) == 5 and "standard deviation" in read_card(page.headline)
        # √(2/π) of it, as the errors in Compare are.
        worst = min(float(row[1]) for row in rows.values() if row[1] != "–")
        average = float(read_card(page.headline).partition("off by ")[2].split()[0])
        assert average == pytest.approx(worst * math.sqrt(2 / math.pi), rel=1e-3)
        # Nothing of it is about a histogram: no shape, no bins, no post-processing.
        histograms = page.shape, page.error_choice
        histograms += form["postprocess"], form["estimator"], room.question.how, room.question.bins
        assert not any(one.isVisibleTo(room) for one in histograms)
        assert all(one.isVisibleTo(page) for one in (page.guessing, page.needed, page.against, page.chart))
        simulate(qtbot, room)
        found = room.simulation.found
        assert found is not None and found.baselines is None and len(found.means) == 1
        # Duchi's worst case is a bound for what the simulation can expect.
        assert found.means[0].deviation <= float(rows["Duchi's mechanism"][1]) * (1 + 1e-3)
        assert [one.name for one in room.simulation.errors.data.entries] == [
            CURATOR,
            "Duchi's mechanism",
            "The middle as a guess",
        ]
        room.protocols.rows["grr"].tick.click()
        idle(qtbot, room)
        assert all(one.isVisibleTo(room.parts) for one in (room.question.how, form["postprocess"]))
        assert not page.guessing.isHidden() and not page.chart.isHidden()

    def test_a_date_has_no_mean_and_its_bounds_are_typed_here(
        self, qtbot: QtBot, document: Document, on_screen: OnScreen, tmp_path: Path
    ) -> None:
        path = tmp_path / "visits.csv"
        path.write_text("day\n" + "".join(f"2024-01-{1 + i % 28:02}\n" for i in range(300)), encoding="utf-8")
        room = on_screen(CollectWorkspace(document), 800)
        document.open_data(path)
        idle(qtbot, room)
        document.session.collection.look()
        choose(room.question.column, "day")
        idle(qtbot, room)
        assert (
            room.question.said.text().startswith("Type the first and the last date")
            and not room.question.declare.isVisible()
        )
        choose(room.question.source, "typed")
        for field, text in zip(room.question.bounds.dates, ("2024-01-01", "2024-01-31"), strict=True):
            field.setText(text)
            field.editingFinished.emit()
        idle(qtbot, room)
        assert room.question.bounds.dates[0].y() < room.question.bounds.dates[1].y(), "a date needs the whole line"
        chosen = (*document.project.collect.protocols, ProtocolChoice("duchi"))
        document.apply("tick", lambda session: session.collection.change(protocols=chosen))
        idle(qtbot, room)
        assert not room.button.isEnabled() and "no mean" in room.foot.why_not.text()
