"""Reports of people through the session: how many each gives, what is charged and what limits the promise."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from tests.collecting_helpers import JOBS, file, session
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.randomness import SeededSource
from workbench.core.schema import PrivacyUnit, Role
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Absent, Domain, EncodingChoice, Outside
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.participation import Participation
from workbench.ldp.persons import HIDDEN
from workbench.ldp.report_file import Announcement, Received, read_reports
from workbench.project.model import Preparation
from workbench.report.certificate import certificate_of
from workbench.session import Session
from workbench.session.collection.aggregation import aggregator, estimated
from workbench.session.collection.reported_words import reported_words

__all__ = ["file", "session"]


def test_what_reports_of_a_column_that_is_gone_cost_is_refused_by_the_job(session: Session, tmp_path: Path) -> None:
    """Other data may have been opened since somebody chose the column."""
    (tmp_path / "other.csv").write_text("gone\nx\ny\n", encoding="utf-8")
    (tmp_path / "another.csv").write_text("here\nx\ny\n", encoding="utf-8")
    session.data.open(tmp_path / "other.csv")
    session.collection.change(column="gone")
    session.data.open(tmp_path / "another.csv")
    price = session.collection.pricer(ProtocolChoice("grr"), 2)
    with pytest.raises(WorkbenchError, match="no column “gone”"):
        price(SILENT)


@pytest.mark.parametrize("asked", [EncodingChoice(domain=("cook", "nurse")), EncodingChoice(absent=Absent.STOP)])
def test_a_collection_that_stops_at_a_value_names_it_to_the_analyst_alone_and_is_a_look(
    asked: EncodingChoice, tmp_path: Path
) -> None:
    """It costs nothing: asked with a filter for one person after another it would tell what they answer."""
    path = tmp_path / "people.csv"
    path.write_text("job\ncook\nnurse\npilot\n" + ("\ncook\n" if asked.absent is Absent.STOP else ""), encoding="utf-8")
    made = Session()
    made.data.open(path)
    made.data.set_unit(PrivacyUnit())
    made.collection.change(column="job", encoding=asked)
    with pytest.raises(WorkbenchError) as refused:
        made.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert "pilot" not in str(refused.value) and "recorded as a look" in str(refused.value)
    named = str(refused.value.for_analyst())
    assert ("1 row has no value" if asked.absent is Absent.STOP else "“pilot” lies outside") in named
    assert len(made.ledger.current.history.looks) == 1
    assert not made.ledger.current.entries and not (tmp_path / "out.csv").exists()


def test_an_answer_is_run_by_no_spreadsheet_that_opens_the_reports(tmp_path: Path) -> None:
    path, answers = tmp_path / "people.csv", ("a,=HYPERLINK(1)", "b")
    path.write_text("job\n" + '"a,=HYPERLINK(1)"\nb\n' * 20, encoding="utf-8")
    made = Session()
    made.data.open(path)
    made.data.set_unit(PrivacyUnit())
    made.collection.change(column="job", encoding=EncodingChoice(domain=answers))
    written = made.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT).path
    first = written.read_text(encoding="utf-8").splitlines()[0]
    assert "HYPERLINK" in first and not [cell for cell in first.split(",") if cell.startswith("=")]
    domain = read_reports(written).announcement.domain
    assert domain is not None and tuple(domain.labels) == answers


def test_more_than_one_report_per_person_is_noticed_composed_and_mended(session: Session, tmp_path: Path) -> None:
    desk, grr = session.collection, ProtocolChoice("grr")
    session.data.set_unit(PrivacyUnit(1, "name"))
    (reason,) = desk.asker()(SILENT).beyond
    assert reason.column == "name" and "10 rows" in reason.analyst
    with pytest.raises(WorkbenchError, match="more rows than the one row"):
        desk.exporter(grr, tmp_path / "out.csv")(SILENT)
    assert not (tmp_path / "out.csv").exists()
    assert not session.ledger.current.entries

    session.data.set_unit(PrivacyUnit(10, "name"))
    assert desk.asker()(SILENT).beyond == ()
    made = desk.exporter(grr, tmp_path / "out.csv")(SILENT)
    assert made.epsilon.person == 10 * made.epsilon.report
    assert made.announcement.reports == 2000
    assert session.ledger.current.entries[-1].charge.epsilon == made.epsilon.person

    desk.change(one_report_per_person=True)
    once = desk.exporter(grr, tmp_path / "once.csv")(SILENT)
    assert once.epsilon.person == once.epsilon.report
    assert once.announcement.reports == 200
    aggregated = aggregator([tmp_path / "once.csv"], EstimationMethod())(SILENT)
    assert aggregated.received.announcement.reports_per_person == 1


def test_two_hundred_reports_of_one_person_are_two_hundred_times_epsilon(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("name,job\n" + "ann,cook\n" * 100 + "ann,nurse\n" * 100 + "bob,cook\n", encoding="utf-8")
    session = Session()
    session.data.open(path)
    session.data.set_domain("job", ("cook", "nurse"))
    session.data.set_unit(PrivacyUnit(200, "name"))
    session.collection.change(column="job", epsilon=0.5)
    session.collection.look()
    assert session.collection.asker()(SILENT).beyond == ()
    made = session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert made.epsilon.person == 100
    assert "200" in made.epsilon.text
    session.data.set_unit(PrivacyUnit(199, "name"))
    with pytest.raises(WorkbenchError, match="199 rows"):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)


def test_persons_are_counted_where_a_sample_would_hide_them(session: Session, tmp_path: Path) -> None:
    """Of ten rows each a sample of one in a thousand hardly ever leaves two."""
    session.data.set_unit(PrivacyUnit(1, "name"))
    session.data.set_preparation(Preparation(sample=0.001))
    with pytest.raises(WorkbenchError, match="identifies persons"):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert not session.ledger.current.entries


@pytest.mark.parametrize(
    "text,unit,identifying,what",
    [
        ("name,job\n" + ",cook\n" * 3 + "ann,cook\n", PrivacyUnit(2, "name"), (), "name no person"),
        ("mail,id,job\na@b,1,cook\na@b,2,cook\n", PrivacyUnit(1, "mail"), ("mail", "id"), "“mail” identifies persons"),
    ],
)
def test_rows_that_could_be_one_persons_are_refused(
    text: str, unit: PrivacyUnit, identifying: tuple[str, ...], what: str, tmp_path: Path
) -> None:
    (tmp_path / "in.csv").write_text(text, encoding="utf-8")
    session = Session()
    session.data.open(tmp_path / "in.csv")
    session.data.set_role(identifying, Role.IDENTIFYING)
    session.data.set_domain("job", ("cook", "nurse"))
    session.data.set_unit(unit)
    session.collection.change(column="job")
    with pytest.raises(WorkbenchError, match=what):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert not (tmp_path / "out.csv").exists() and not session.ledger.current.entries


def test_what_is_charged_is_the_number_that_was_typed(session: Session, tmp_path: Path) -> None:
    desk = session.collection
    session.ledger.current.set_budget(Fraction(3))
    desk.change(epsilon=0.6)
    for number in range(5):
        desk.exporter(ProtocolChoice("grr"), tmp_path / f"{number}.csv")(SILENT)
    assert sum(entry.charge.epsilon for entry in session.ledger.current.entries) == 3
    own = desk.exporter(ProtocolChoice("grr"), tmp_path / "more.csv")
    with pytest.raises(WorkbenchError):
        own(SILENT)


def test_a_protocol_with_an_epsilon_of_its_own_is_charged_that(session: Session, tmp_path: Path) -> None:
    made = session.collection.exporter(ProtocolChoice("ue", {"p": 0.9, "q": 0.1}), tmp_path / "a.csv")(SILENT)
    assert made.epsilon.person == Fraction(made.announcement.randomiser.epsilon) >= Fraction(4.394)
    assert session.ledger.current.entries[-1].charge.epsilon == made.epsilon.person


def test_nobody_to_report_is_refused_before_anything_is_charged(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("name,job\nann,\nbob,\n", encoding="utf-8")
    session = Session()
    session.data.open(tmp_path / "in.csv")
    session.data.set_domain("job", JOBS)
    session.collection.change(column="job", participation=Participation.OPEN)
    with pytest.raises(WorkbenchError, match="Nobody reports"):
        session.collection.exporter(ProtocolChoice("grr"), tmp_path / "out.csv")(SILENT)
    assert not session.ledger.current.entries and not (tmp_path / "out.csv").exists()


def test_reports_are_real_and_charged_unless_seeded(session: Session, tmp_path: Path) -> None:
    desk, choice = session.collection, ProtocolChoice("grr")
    first = desk.exporter(choice, tmp_path / "a.csv")(SILENT)
    second = desk.exporter(choice, tmp_path / "b.csv")(SILENT)
    assert first.claim and not first.announcement.simulated
    assert (tmp_path / "a.csv").read_bytes() != (tmp_path / "b.csv").read_bytes()
    assert second.claim and [entry.charge.claimed for entry in session.ledger.current.entries] == [True, True]
    assert all(entry.charge.kind == "collection" for entry in session.ledger.current.entries)
    desk.accept_collected(second)
    assert len(session.project.history(session.data.fingerprint).entries) == 2
    for name in ("c.csv", "d.csv"):
        seeded = desk.exporter(choice, tmp_path / name, seed=5)(SILENT)
        assert not seeded.claim and seeded.reasons and seeded.announcement.simulated
    assert (tmp_path / "c.csv").read_bytes() == (tmp_path / "d.csv").read_bytes()
    assert [entry.charge.claimed for entry in session.ledger.current.entries] == [True, True, False, False]


def test_what_limits_the_promise_is_said(session: Session, tmp_path: Path) -> None:
    session.data.set_preparation(Preparation("age > 40"))
    desk = session.collection
    desk.change(
        encoding=EncodingChoice(domain=JOBS[:2], absent=Absent.LEAVE_OUT, outside=Outside.CLIP),
        participation=Participation.OPEN,
    )
    made = desk.exporter(ProtocolChoice("grr"), tmp_path / "a.csv")(SILENT)
    assert made.claim
    assert any("filter" in caution for caution in made.cautions)
    read = aggregator([tmp_path / "a.csv"], EstimationMethod())(SILENT).received.announcement
    assert read.cautions == made.cautions
    first = (tmp_path / "a.csv").read_text(encoding="utf-8").split("\n", 1)[0]
    assert json.loads(first.removeprefix("# "))["promise"] == HIDDEN
    charge = session.ledger.current.entries[-1].charge
    assert HIDDEN in charge.what and charge.parameters["cautions"] == list(made.cautions)
    said = certificate_of(session.ledger.current.entries[-1]).page()
    assert HIDDEN in said and "pass the filter" in said


@pytest.mark.parametrize("identifier", ["duchi", "pm", "hm", "laplace"])
@pytest.mark.parametrize("epsilon,people,value", [(5.0, 100, 1.0), (4.0, 30, -1.0), (8.0, 1000, 0.999), (1.0, 50, 0.0)])
def test_bands_of_means_cover(identifier: str, epsilon: float, people: int, value: float) -> None:
    """100 collections at 95 %: fewer than 86 covered has a chance below 3e-4."""
    randomiser = ProtocolChoice(identifier).mean(epsilon)
    announcement = Announcement(randomiser, "x", None, (-10.0, 10.0), True, people, 1, True)
    covered = 0
    for seed in range(100):
        support = randomiser.accumulate(randomiser.perturb(np.full(people, value), SeededSource(seed)))
        found = estimated(Received(announcement, support), EstimationMethod())
        assert found.mean is not None and found.low is not None and found.high is not None
        assert found.low <= found.mean <= found.high and found.low < found.high
        assert min(found.mean, -10.0) <= found.low and found.high <= max(found.mean, 10.0)
        covered += found.low <= 10 * value + 1e-9 and found.high >= 10 * value - 1e-9
    assert covered >= 86


@pytest.mark.parametrize(
    ("identifier", "each", "sampled"), [("grr", 1, True), ("olh", 1, True), ("grr", 2, False), ("hadamard", 1, False)]
)
def test_sampling_error_is_in_bands_only_where_reports_tell_it_exactly_and_that_is_said(
    identifier: str, each: int, sampled: bool
) -> None:
    """Not of several reports of one person, which are not drawn each by itself, nor where reports hang together."""
    randomiser = ProtocolChoice(identifier).frequency(3, 4.0)
    announcement = Announcement(randomiser, "x", Domain(("a", "b", "c"), False, True), None, True, 300, each, True)
    support = randomiser.accumulate(randomiser.perturb(np.repeat([0, 1, 2], 100), SeededSource(1)))
    alone, with_it = (
        estimated(Received(announcement, support), EstimationMethod(), top=3, sampling=asked) for asked in (False, True)
    )
    assert not alone.sampled and with_it.sampled == sampled
    assert alone.estimate is not None and with_it.estimate is not None
    widths = [one.estimate.high - one.estimate.low for one in (alone, with_it) if one.estimate is not None]
    assert (widths[1] > widths[0]).all() if sampled else (widths[1] == widths[0]).all()
    assert [one.high for one in with_it.hitters] == sorted(with_it.estimate.high.tolist(), reverse=True)
    said = " ".join(reported_words(with_it).sentences)
    assert ("with sampling error, if these" in said) == sampled == ("of these people" not in said)


def test_a_domain_from_the_data_must_be_allowed_and_takes_the_promise_away(session: Session, tmp_path: Path) -> None:
    session.data.set_domain("job", None)
    desk = session.collection
    with pytest.raises(WorkbenchError, match="not declared"):
        desk.domain()
    with pytest.raises(WorkbenchError, match="not declared"):
        desk.simulator()(SILENT)
    session.data.set_domain("job", JOBS, observed=True)
    with pytest.raises(WorkbenchError, match="not declared"):
        desk.domain()
    desk.change(encoding=EncodingChoice(assume_public=True))
    assert not desk.domain().declared
    made = desk.exporter(ProtocolChoice("grr"), tmp_path / "a.csv")(SILENT)
    assert not made.claim
    assert any("assumed to be public" in reason for reason in made.reasons)
    assert not aggregator([tmp_path / "a.csv"], EstimationMethod())(SILENT).received.announcement.declared


def test_the_data_is_not_overwritten_by_reports(session: Session, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(WorkbenchError):
        session.collection.exporter(ProtocolChoice("grr"), file)(SILENT)
    assert file.read_bytes() == before
    assert not session.ledger.current.entries
