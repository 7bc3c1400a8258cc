"""Predictions along a line, of means, and the exact figures of single protocols."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.schema import ColumnSpec, Format, Kind, PrivacyUnit
from workbench.core.settings import declared
from workbench.io.dialect import Dialect
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice, EncodingKind, Outside
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.mean_prediction import MeanPlan, planned_means
from workbench.ldp.needed import fewest_users, least_epsilon
from workbench.ldp.predicted_curves import Against, predicted_curves, usual_places
from workbench.ldp.prediction import MOST_USERS, CollectionPlan, every_protocol, predict_one
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser
from workbench.ldp.protocol_facts import protocol_facts
from workbench.ldp.share_margin import MARGIN
from workbench.project.collect_settings import CollectSettings
from workbench.project.model import DataSource, Preparation
from workbench.session import Session
from workbench.session.collection.command import command

PLAN = CollectionPlan(10_000, 8, 1.0)


class TestCurves:
    def test_a_place_is_the_prediction_there(self) -> None:
        choices = [ProtocolChoice("grr"), ProtocolChoice("oue")]
        found = predicted_curves(PLAN, choices, "epsilon", np.array([0.5, 2.0]))
        alone = predict_one(CollectionPlan(10_000, 8, 2.0), choices[1])
        assert found.errors(1, "l1")[1] == alone.l1
        assert len(found.references) == 2 and found.references[0].uniform == found.references[1].uniform

    def test_more_people_and_more_epsilon_help(self) -> None:
        for against in ("epsilon", "users"):
            errors = predicted_curves(PLAN, [ProtocolChoice("oue")], against).errors(0, "l2")  # type: ignore[arg-type]
            assert (np.diff(errors) < 0).all()

    def test_the_places_hold_what_is_planned(self) -> None:
        assert usual_places(CollectionPlan(10_000, 8, 25.0), "epsilon")[-1] == pytest.approx(25.0)
        few = usual_places(CollectionPlan(1, 8, 1.0), "users")
        assert (few >= 1).all() and (np.diff(few) > 0).all() and len(few) > 1
        around = usual_places(PLAN, "users")
        assert around[0] < 10_000 < around[-1]

    @pytest.mark.parametrize(
        ("users", "epsilon", "against", "ends"),
        [
            (10_000, 1.0, "epsilon", (0.1, 10.0)),
            (10_000, 0.01, "epsilon", (0.01, 10.0)),
            (10_000, 25.0, "epsilon", (0.1, 25.0)),
            (10_000, 1.0, "users", (316, 316_228)),
            (100, 1.0, "users", (10, 3_162)),
            (1, 1.0, "users", (10, 32)),
            (MOST_USERS, 1.0, "users", (31_622_777, MOST_USERS)),
        ],
    )
    def test_the_places_lie_around_what_is_planned(
        self, users: int, epsilon: float, against: Against, ends: tuple[float, float]
    ) -> None:
        """ε from .1 to 10, people 30 times fewer to more, within what is possible; by equal factors."""
        found = usual_places(CollectionPlan(users, 8, epsilon), against, 5)
        assert (found[0], found[-1]) == pytest.approx(ends)
        assert len(found) == 5
        np.testing.assert_allclose(np.diff(np.log(found)), np.log(found[-1] / found[0]) / 4, atol=0.05)

    def test_one_person_is_the_fewest(self) -> None:
        found = predicted_curves(PLAN, [ProtocolChoice("oue")], "users", np.array([0.2, 1.0, 2.4]))
        alone = [predict_one(CollectionPlan(users, 8, 1.0), ProtocolChoice("oue")).l1 for users in (1, 1, 2)]
        assert found.errors(0, "l1").tolist() == alone

    def test_a_protocol_that_does_not_exist_everywhere_has_gaps(self) -> None:
        ordinal = CollectionPlan(1_000, 8, 1.0, ordinal=True)
        errors = predicted_curves(ordinal, [ProtocolChoice("ds")], "epsilon", np.array([0.5, 2.0])).errors(0, "l1")
        assert math.isnan(errors[0]) and errors[1] > 0


class TestMeans:
    def test_duchi_in_closed_form(self) -> None:
        # Var of a report of 0 is ((e^ε + 1)/(e^ε − 1))², which is also its worst.
        (found,) = planned_means(MeanPlan(10_000, 1.0, (0.0, 100.0)), [ProtocolChoice("duchi")])
        reach = (math.e + 1) / (math.e - 1)
        assert found.middle == found.worst == pytest.approx(50 * reach / 100, rel=1e-6)

    def test_laplace_in_closed_form_and_last(self) -> None:
        found = planned_means(MeanPlan(10_000, 1.0, (-1.0, 1.0)))
        assert [one.worst for one in found] == sorted(one.worst for one in found)
        laplace = next(one for one in found if one.choice.identifier == "laplace")
        assert laplace.worst == pytest.approx(math.sqrt(8.0) / 100, rel=1e-4)

    def test_nobody_is_refused(self) -> None:
        with pytest.raises(WorkbenchError):
            planned_means(MeanPlan(0, 1.0, (0.0, 1.0)))


class TestFacts:
    def test_unary_encoding(self) -> None:
        found = protocol_facts(ProtocolChoice("ue", {"p": 0.75, "q": 0.25}), 6, 1.0, 400, AUTOMATIC)
        assert (found.p, found.q) == (pytest.approx(0.75), pytest.approx(0.25))
        assert found.epsilon == pytest.approx(math.log(9)) and found.asked is None
        assert found.rare == found.frequent == pytest.approx(math.sqrt(400 * 0.1875) / 0.5)
        assert found.channel is None and found.bits == 6

    def test_values_nobody_and_everybody_has_are_off_by_as_much_as_their_own_reports(self) -> None:
        found = protocol_facts(ProtocolChoice("grr"), 5, 1.0, 100, AUTOMATIC)
        p, q = math.e / (math.e + 4), 1 / (math.e + 4)
        assert found.rare == pytest.approx(math.sqrt(100 * q * (1 - q)) / (p - q))
        assert found.frequent == pytest.approx(math.sqrt(100 * p * (1 - p)) / (p - q))

    def test_direct_encoding_has_its_matrix(self) -> None:
        found = protocol_facts(ProtocolChoice("grr"), 5, 1.0, 100, AUTOMATIC)
        assert found.channel is not None and found.channel.shape == (5, 5)
        np.testing.assert_allclose(found.channel[0, 0] / found.channel[0, 1], math.e, rtol=1e-9)
        assert protocol_facts(ProtocolChoice("grr"), 500, 1.0, 100, AUTOMATIC).channel is None

    def test_a_mean(self) -> None:
        found = protocol_facts(ProtocolChoice("pm"), 0, 1.0, 100, AUTOMATIC)
        assert found.worst is not None and found.middle is not None and found.worst > found.middle
        assert found.p is None and found.rare is None


class TestCommand:
    def test_everything_that_was_set_is_in_it(self) -> None:
        settings = CollectSettings(
            column="age",
            encoding=EncodingChoice(EncodingKind.BINS, bins=8, bounds=(-5.0, 60.0), outside=Outside.CLIP),
            protocols=(ProtocolChoice("grr"), ProtocolChoice("olh", {"g": 4})),
            epsilon=0.5,
            users=100,
            seed=None,
            one_report_per_person=True,
        )
        words = command(
            DataSource("people.csv", "", 9, Dialect(), engine="duckdb"),
            settings,
            ColumnSpec("age", Kind.INTEGER),
            PrivacyUnit(3, "person"),
            Preparation("age > 3", 0.5, True),
        )
        joined = " ".join(words)
        assert "--bins 8 --bounds=-5.0,60.0 --clip" in joined
        assert "--protocol grr,olh=g:4 --epsilon=0.5" in joined
        assert "--users 100" in joined and "--rows-per-person 3 --person person" in joined
        assert "--where=age > 3 --sample=0.5 --limit-rows" in joined
        assert "--engine duckdb" in joined
        assert "--one-report-per-person" in joined and "--seed" not in joined

    def test_how_the_column_is_read_is_in_it_where_it_is_not_the_guess(self, tmp_path: Path) -> None:
        (tmp_path / "pay.csv").write_text("pay\n" + "".join(f"{n}.250\n{n}150\n" for n in range(30, 60)))
        session = Session()
        loaded = session.data.open(tmp_path / "pay.csv")
        data, rest = DataSource("pay.csv", "", 9, Dialect()), (PrivacyUnit(), Preparation(), loaded)
        settings = CollectSettings(column="pay")
        assert "--format" not in command(data, settings, session.project.schema["pay"], *rest)
        session.data.set_format("pay", Format(",", "."))
        words = command(data, settings, session.project.schema["pay"], *rest)
        assert words[words.index("--format") + 1] == "pay=1.234,50"

    def test_a_value_with_a_comma_is_read_again_as_one(self) -> None:
        values = ("clerk", "nurse, senior")
        settings = CollectSettings(column="job", encoding=EncodingChoice(domain=values))
        data = DataSource("people.csv", "", 9, Dialect())
        words = command(data, settings, ColumnSpec("job", Kind.CATEGORY), PrivacyUnit(), Preparation())
        (typed,) = (word.removeprefix("--domain=") for word in words if word.startswith("--domain="))
        read = declared(EncodingChoice)["domain"].flags[0].read
        assert read is not None and read(typed) == values


def test_every_protocol_takes_as_many_values_as_it_says() -> None:
    for one in PROTOCOLS:
        if one.family is Family.FREQUENCY and not one.ordinal and not ProtocolChoice(one.identifier).own_epsilon:
            for size in (one.minimum_domain, one.maximum_domain):
                assert ProtocolChoice(one.identifier) in every_protocol(size, ordinal=False)
            beyond = every_protocol(one.maximum_domain + 1, ordinal=False)
            assert ProtocolChoice(one.identifier) not in beyond


def test_sets_of_one_value_are_direct_encoding_and_are_called_so() -> None:
    few, many = (CollectionPlan(2000, 8, epsilon, ordinal=False) for epsilon in (3.13, 0.5))
    sets, direct = ProtocolChoice("subset-selection"), ProtocolChoice("grr")
    one, other = sets.frequency(8, 3.13), direct.frequency(8, 3.13)
    assert isinstance(one, FrequencyRandomiser) and one.pure == pytest.approx(other.pure, rel=1e-12)
    assert one.simpler == "grr" and one.came_to == "A set has 1 of 8 values: this is direct encoding."
    assert sets.frequency(8, 0.5).simpler == "" and sets.frequency(8, 0.5).came_to == "A set has 3 of 8 values."
    assert predict_one(few, sets).simpler == "grr" and not predict_one(many, sets).simpler
    # What needs least is called by its simpler name too, whichever came first.
    for choices in ((sets, direct), (direct, sets)):
        assert least_epsilon(few, choices, MARGIN, 0.03)[1] == direct
        assert fewest_users(few, choices, MARGIN, 0.03)[1] == direct
    assert fewest_users(many, (direct, sets), MARGIN, 0.03)[1] == sets
    assert fewest_users(few, (sets,), MARGIN, 0.03)[1] == sets, "nobody asked about another one"
