"""Whether it is hidden who takes part in a collection: exactly, over neighbouring tables, and on every path out."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.cli.main import main
from workbench.core.composition import OPEN_PARTICIPATION, REPLACE_ONE
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.core.schema import Kind, Misfits, PrivacyUnit
from workbench.core.settings_json import from_json, to_json
from workbench.engines.duckdb_store import DuckStore
from workbench.engines.store import Store
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.crowd import Crowd, Headcount, Persons
from workbench.ldp.encoding import Absent, Domain, EncodingChoice, EncodingKind
from workbench.ldp.estimation import EstimationMethod
from workbench.ldp.participation import Attendance, Participation, can_report_none
from workbench.ldp.persons import HIDDEN
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import Announcement, Received, read_reports
from workbench.ldp.simulated_reports import aggregate
from workbench.project.collect_settings import CollectSettings
from workbench.project.model import Preparation
from workbench.query.ledger import Charge
from workbench.report.certificate import certificate_of
from workbench.session import Session
from workbench.session.collection.aggregation import aggregator, estimated
from workbench.session.collection.command import command
from workbench.session.collection.results import Collected

GRR = ProtocolChoice("grr")
EXACTLY = EstimationMethod("unbiased", "none")
OF_CATEGORIES = [one.identifier for one in PROTOCOLS if can_report_none(one)]
OTHERS = [one.identifier for one in PROTOCOLS if not can_report_none(one)]

Rows = Sequence[tuple[str, str, str, str]]


def opened(folder: Path, rows: Rows, store: Store | None = None, **changes: Any) -> Session:
    """Names, illnesses, answers and ages; asked is the answer, x or y."""
    folder.mkdir(exist_ok=True)
    path = folder / "in.csv"
    path.write_text("name,ill,v,age\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8")
    session = Session()
    session.data.open(path, store=store)
    session.ledger.use_file(folder / "ledger.jsonl")
    session.data.set_domain("v", ("x", "y"))
    session.data.set_kind(["age"], Kind.INTEGER)
    session.data.set_bounds("age", (0.0, 100.0))
    session.data.set_unit(PrivacyUnit(1, ""))
    session.collection.change(**{"column": "v", "epsilon": 1.0, **changes})
    return session


class Written:
    """What a file of reports is made of: its announcement, and the input of each report."""

    def __init__(self, session: Session, choice: ProtocolChoice, monkeypatch: pytest.MonkeyPatch) -> None:
        inputs: list[int] = []

        def taken(_path: object, _announcement: object, values: Crowd, *_: Any, before: Any, **__: Any) -> None:
            for block in values.blocks(100):
                inputs.extend(block.tolist())
            before()

        monkeypatch.setattr("workbench.session.collection.desk.write_reports", taken)
        ledger = session.ledger.current
        self.collected: Collected = session.collection.exporter(choice, ledger.path.with_name("out.csv"))(SILENT)
        self.inputs = Counter(inputs)
        self.public = {**self.collected.announcement.to_json(), "collection": ""}
        self.charge = ledger.entries[-1].charge


PERSON = [("ann", "flu", "x", "30"), ("bob", "HIV", "y", "40"), ("cid", "HIV", "x", "50")]
NEIGHBOURS = {
    "another illness": [PERSON[0], ("bob", "flu", "y", "40"), PERSON[2]],
    "another answer": [PERSON[0], ("bob", "HIV", "x", "40"), PERSON[2]],
    "no answer": [PERSON[0], ("bob", "HIV", "", "40"), PERSON[2]],
    "an age that is none": [PERSON[0], ("bob", "HIV", "y", "old"), PERSON[2]],
    "no name": [PERSON[0], ("", "HIV", "y", "40"), PERSON[2]],
    "all of it": [PERSON[0], ("dee", "flu", "", "1"), PERSON[2]],
}
SETTINGS: dict[str, tuple[Preparation, dict[str, Any]]] = {
    "plain": (Preparation(), {}),
    "filter": (Preparation("ill = 'HIV'"), {}),
    "one each": (Preparation("ill = 'HIV'"), {"one_report_per_person": True}),
    "limit": (Preparation("ill = 'HIV'", limit_rows=True), {}),
    "bins": (Preparation(), {"column": "age", "encoding": EncodingChoice(bins=2)}),
    "question": (Preparation("ill = 'HIV'"), {"encoding": EncodingChoice(EncodingKind.QUESTION, answer="x")}),
}


def prepared(folder: Path, rows: Rows, settings: str, store: Store | None = None) -> Session:
    preparation, changes = SETTINGS[settings]
    session = opened(folder, rows, store, **changes)
    session.data.set_unit(PrivacyUnit(1, "name"))
    session.data.set_misfits("age", Misfits.MISSING)
    session.data.set_preparation(preparation)
    return session


class TestNeighbouringTables:
    @pytest.mark.parametrize("settings", SETTINGS)
    @pytest.mark.parametrize("other", NEIGHBOURS)
    @pytest.mark.parametrize("engine", ["", "duckdb"])
    def test_only_one_input_of_one_report_differs(
        self,
        engine: str,
        other: str,
        settings: str,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        request: pytest.FixtureRequest,
    ) -> None:
        """Hence any list of reports is at most e^ε times as likely, as one report by any input is."""
        store: DuckStore | None = request.getfixturevalue("duckdb_store") if engine else None
        here, there = (
            Written(prepared(tmp_path / name, rows, settings, store), GRR, monkeypatch)
            for name, rows in (("a", PERSON), ("b", NEIGHBOURS[other]))
        )
        assert here.public == there.public and here.public["reports"] == 3
        assert (here.charge.what, here.charge.parameters) == (there.charge.what, there.charge.parameters)
        assert here.collected.cautions == there.collected.cautions == ()
        assert here.collected.claim and here.charge.epsilon == 1
        assert (here.inputs - there.inputs).total() <= 1 and here.inputs.total() == there.inputs.total() == 3

    def test_every_list_of_reports_is_about_as_likely(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """Enumerated: all multisets of three reports, whose order is random, on both tables."""

        def chances(written: Written) -> dict[tuple[int, ...], float]:
            channel: Any = written.collected.announcement.randomiser.channel()
            found: Counter[tuple[int, ...]] = Counter()
            inputs = list(written.inputs.elements())
            for outputs in itertools.product(range(3), repeat=len(inputs)):
                found[tuple(sorted(outputs))] += math.prod(
                    channel[code, output] for code, output in zip(inputs, outputs, strict=True)
                )
            return dict(found)

        tables = [PERSON, *NEIGHBOURS.values()]
        first, *others = (
            chances(Written(prepared(tmp_path / str(number), rows, "filter"), GRR, monkeypatch))
            for number, rows in enumerate(tables)
        )
        assert sum(first.values()) == pytest.approx(1) and len(first) == 10
        worst = max(abs(math.log(found[one] / first[one])) for found in others for one in first)
        assert 0.5 < worst <= 1 + 1e-9

    @pytest.mark.parametrize("identifier", OF_CATEGORIES)
    @pytest.mark.parametrize("size", [2, 5])
    def test_no_report_tells_the_further_input_from_an_answer_beyond_epsilon(self, identifier: str, size: int) -> None:
        randomiser = ProtocolChoice(identifier).frequency(size + 1, 1.0)
        assert math.log(randomiser.worst_ratio) <= randomiser.epsilon * (1 + 1e-12)
        channel = randomiser.channel()
        if channel is not None:
            seen = channel[:, channel.max(axis=0) > 0]
            assert (seen.max(axis=0) / seen.min(axis=0)).max() <= math.exp(randomiser.epsilon) * (1 + 1e-9)

    @pytest.mark.parametrize("most", [1, 2])
    def test_how_many_reports_a_person_sends_depends_on_no_value(
        self, most: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A person with three rows, of which none, some or all take part, sends as many as the limit."""
        for number, ill in enumerate(itertools.product(("HIV", "flu"), repeat=3)):
            rows = [("ann", one, "x", "1") for one in ill] + [("", "HIV", "y", "2"), ("bob", "flu", "y", "3")]
            session = opened(tmp_path / str(number), rows, one_report_per_person=False)
            session.data.set_unit(PrivacyUnit(most, "name"))
            session.data.set_preparation(Preparation("ill = 'HIV'", limit_rows=True))
            written = Written(session, GRR, monkeypatch)
            assert written.public["reports"] == written.inputs.total() == most + 2
            assert written.inputs[0] == min(most, ill.count("HIV")) and not written.inputs[1]
            assert written.collected.epsilon.person == most

    @pytest.mark.parametrize("engine", ["", "duckdb"])
    def test_a_sample_is_as_large_whatever_the_filter_leaves_out(
        self, engine: str, tmp_path: Path, request: pytest.FixtureRequest
    ) -> None:
        """Of 4,000 rows half are drawn; 6 standard deviations, so a false alarm has a chance of 4e-9 (20 draws)."""
        store: DuckStore | None = request.getfixturevalue("duckdb_store") if engine else None
        for ill in ("HIV", "flu"):
            rows = [(f"p{row}", ill, "x", "1") for row in range(3000)] + [("q", "HIV", "y", "1")] * 1000
            session = opened(tmp_path / ill, rows, store)
            session.data.set_preparation(Preparation("ill = 'HIV'", sample=0.5))
            found = [
                session.collection.exporter(GRR, tmp_path / "out.csv")(SILENT).announcement.reports for _ in range(5)
            ]
            assert len(set(found)) == 1, "the same sample, the same number"
            assert abs(found[0] - 2000) < 6 * math.sqrt(1000)

    def test_with_a_seed_an_engine_lets_every_row_report(self, duckdb_store: DuckStore, tmp_path: Path) -> None:
        """The coins of the rows that are left out would tell, by the seed, which these are."""
        rows = [(f"p{row}", "HIV" if row % 2 else "flu", "x", "1") for row in range(50)]
        session = opened(tmp_path / "a", rows, duckdb_store)
        session.release.set_seed(3)
        session.data.set_preparation(Preparation("ill = 'HIV'", sample=0.5))
        assert session.collection.exporter(GRR, tmp_path / "out.csv")(SILENT).announcement.reports == 50


class TestWhatCannotBeHidden:
    @pytest.mark.parametrize("identifier", OTHERS)
    def test_it_is_said_and_no_sum_is_claimed(self, identifier: str, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON, column="age", encoding=EncodingChoice(bins=2))
        session.collection.change(epsilon=4.0)
        choice = ProtocolChoice(identifier)
        made = session.collection.exporter(choice, tmp_path / "out.csv")(SILENT)
        assert made.claim and made.announcement.hidden is False and not made.announcement.none
        assert made.announcement.promise == HIDDEN and PROTOCOLS[identifier].title in made.announcement.attended.why
        spent = session.ledger.current.spent()
        assert not spent.bounded and spent.open_participation == 1 and spent.epsilon == made.epsilon.person
        session.collection.change(participation=Participation.HIDDEN)
        with pytest.raises(WorkbenchError, match="cannot be hidden"):
            session.collection.exporter(choice, tmp_path / "more.csv")(SILENT)
        assert not (tmp_path / "more.csv").exists() and len(session.ledger.current.entries) == 1

    @pytest.mark.parametrize("identifier", ["square-wave", "duchi", "pm"])
    def test_unless_nobody_can_be_without_a_value(self, identifier: str, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON, column="age", encoding=EncodingChoice(bins=4, absent=Absent.STOP))
        session.collection.change(participation=Participation.HIDDEN)
        made = session.collection.exporter(ProtocolChoice(identifier), tmp_path / "out.csv")(SILENT)
        assert made.announcement.hidden and not made.announcement.none and made.announcement.reports == 3
        assert session.ledger.current.spent().bounded
        lacking = opened(tmp_path / "b", [*PERSON, ("dee", "flu", "x", "")])
        lacking.collection.change(column="age", encoding=EncodingChoice(bins=4, absent=Absent.STOP))
        with pytest.raises(WorkbenchError, match="a row has no value") as refused:
            lacking.collection.exporter(ProtocolChoice(identifier), tmp_path / "more.csv")(SILENT)
        assert not lacking.ledger.current.entries and "1 row has no value" in str(refused.value.for_analyst())

    def test_rows_that_name_nobody_stop_it_where_they_cannot_report_that(self, tmp_path: Path) -> None:
        nameless = [*PERSON, ("", "flu", "x", "1")]
        settled = {"column": "age", "encoding": EncodingChoice(absent=Absent.STOP), "one_report_per_person": True}
        session = opened(tmp_path / "a", nameless, **settled)
        session.data.set_unit(PrivacyUnit(1, "name"))
        with pytest.raises(WorkbenchError, match="name no person"):
            session.collection.exporter(ProtocolChoice("duchi"), tmp_path / "out.csv")(SILENT)
        session.collection.change(participation=Participation.OPEN)
        made = session.collection.exporter(ProtocolChoice("duchi"), tmp_path / "out.csv")(SILENT)
        assert made.announcement.reports == 3 and made.announcement.hidden is False

    def test_that_a_missing_value_is_an_answer_hides_as_much(self, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON, encoding=EncodingChoice(absent=Absent.VALUE))
        made = session.collection.exporter(GRR, tmp_path / "out.csv")(SILENT)
        assert made.announcement.hidden and not made.announcement.none
        assert made.announcement.randomiser.domain_size == 3 == made.announcement.domain.size

    @pytest.mark.parametrize(
        "column,identifier,where,absent,limit,expected",
        [
            # Whatever lets values decide, a protocol for categories lets the others report that.
            ("v", "grr", "", Absent.LEAVE_OUT, False, (True, True)),
            ("v", "grr", "ill = 'HIV'", Absent.VALUE, False, (True, True)),
            ("v", "grr", "ill = 'HIV'", Absent.STOP, False, (True, True)),
            ("v", "grr", "", Absent.VALUE, True, (True, True)),
            ("v", "grr", "", Absent.STOP, False, (True, False)),
            ("v", "grr", "", Absent.VALUE, False, (True, False)),
            # The others show it, unless nothing lets values decide; a mean has no value for those who have none.
            ("age", "square-wave", "", Absent.LEAVE_OUT, False, (False, False)),
            ("age", "square-wave", "ill = 'HIV'", Absent.VALUE, False, (False, False)),
            ("age", "square-wave", "", Absent.VALUE, False, (True, False)),
            ("age", "square-wave", "", Absent.VALUE, True, (True, False)),
            ("age", "duchi", "", Absent.VALUE, False, (False, False)),
            ("age", "duchi", "ill = 'HIV'", Absent.STOP, False, (False, False)),
            ("age", "duchi", "", Absent.STOP, False, (True, False)),
        ],
    )
    def test_who_reports_follows_from_the_settings(
        self,
        column: str,
        identifier: str,
        where: str,
        absent: Absent,
        limit: bool,
        expected: tuple[bool, bool],
        tmp_path: Path,
    ) -> None:
        encoding = EncodingChoice(bins=4, absent=absent) if column == "age" else EncodingChoice(absent=absent)
        session = opened(tmp_path / "a", PERSON, column=column, encoding=encoding)
        session.data.set_unit(PrivacyUnit(1, "name"))
        session.data.set_preparation(Preparation(where, limit_rows=limit))
        made = session.collection.exporter(ProtocolChoice(identifier), tmp_path / "out.csv")(SILENT)
        announced = made.announcement
        assert (announced.hidden, announced.none) == expected
        assert announced.reports == (3 if announced.hidden or not where else 2)
        assert session.ledger.current.spent().bounded is announced.hidden


class TestTotals:
    def release(self, session: Session) -> None:
        session.ledger.current.charge(Charge("query", "How many rows?", Fraction(1), made_by="grid"))

    def test_hidden_participation_is_added_up_and_open_is_not(self, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON)
        session.data.set_preparation(Preparation("ill = 'HIV'"))
        self.release(session)
        session.collection.exporter(GRR, tmp_path / "w.csv")(SILENT)
        spent = session.ledger.current.spent()
        assert (spent.bounded, spent.epsilon, spent.neighbours) == (True, 3, REPLACE_ONE)
        first = certificate_of(session.ledger.current.entries[-1], session.ledger.current.entries)
        assert "With the 1 other" in first.page() and "Who takes part" in first.page()
        session.collection.change(participation=Participation.OPEN)
        session.collection.exporter(GRR, tmp_path / "o.csv")(SILENT)
        spent = session.ledger.current.spent()
        assert (spent.bounded, spent.epsilon, spent.unclaimed, spent.open_participation) == (False, 4, 0, 1)
        for entry in session.ledger.current.entries:
            said = certificate_of(entry, session.ledger.current.entries).page()
            assert OPEN_PARTICIPATION.replace("'", "&#x27;") in said and "by adding up" not in said

    @pytest.mark.parametrize(
        "parameters",
        [
            {},
            {"column": "v", "protocol": "grr", "reports": 3, "cautions": []},
            {"column": "v", "protocol": "grr", "reports": 2, "cautions": ["Only rows that pass the filter report."]},
            {"participation": "open"},
            {"participation": True},
        ],
    )
    def test_collections_of_earlier_programs_are_not_added_up(self, parameters: dict[str, Any], tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON)
        charge = Charge("collection", "Reports", Fraction(1), neighbours=REPLACE_ONE, parameters=parameters)
        session.ledger.current.charge(charge)
        said = certificate_of(session.ledger.current.entries[-1], session.ledger.current.entries)
        assert said.holds and "not bounded by any sum" in said.page()
        assert ("not recorded" in said.page()) is ("participation" not in parameters)
        self.release(session)
        assert not session.ledger.current.spent().bounded and session.ledger.current.spent().epsilon == 3

    @pytest.mark.parametrize("participation,together", [("hidden", True), ("open", False)])
    def test_a_statement_claims_a_sum_only_where_there_is_one(
        self, participation: str, together: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        rows = [(f"p{row}", "HIV" if row % 3 else "flu", "xy"[row % 2], "1") for row in range(400)]
        data = opened(tmp_path / "a", rows).data.reading.path
        ledger = ("--ledger", str(tmp_path / "ledger.jsonl"))
        words = ["collect", str(data), "--column", "v", "--domain", "x,y", "--where", "ill = 'HIV'", *ledger]
        out = tmp_path / "w.csv"
        words += ["--protocol", "grr", "--epsilon", "1", "--reports", str(out), "--participation", participation]
        assert main([*words, "--json"]) == 0
        said = json.loads(capsys.readouterr().out)
        lines = len(out.read_text(encoding="utf-8").splitlines()) - 2
        assert (said["participation"], said["count"]) == (participation, lines)
        assert lines == (400 if together else 266)
        released = ["anonymise", str(data), "--out", str(tmp_path / "out.csv"), "--group", "v", "--suppress", "name"]
        released += ["--suppress", "ill", "--suppress", "age", "--epsilon", "1", "--delta", "1e-5", *ledger]
        statement = tmp_path / "statement.html"
        assert main([*released, "--statement", str(statement)]) == 0
        page = statement.read_text(encoding="utf-8")
        assert ("Together they are (3" in page) is together
        assert (OPEN_PARTICIPATION.replace("'", "&#x27;") in page) is not together
        capsys.readouterr()
        assert main(["ledger", str(data), *ledger, "--json"]) == 0
        account = json.loads(capsys.readouterr().out)
        assert account["spent"]["bounded"] is together
        assert account["spent"]["open_participation"] == (0 if together else 1)
        # The two were not planned together, so no composed price is quoted; why not is said where there is a sum.
        assert account["numerical"] is None
        assert (account["views"]["not_quoted"] is not None) is together


class TestEstimates:
    @pytest.mark.parametrize("identifier", OF_CATEGORIES)
    @pytest.mark.parametrize("counts", [(50, 30, 20, 0), (0, 0, 1, 999)])
    def test_of_expected_reports_they_are_the_truth(self, identifier: str, counts: tuple[int, ...]) -> None:
        """Three values, and last those who take no part."""
        randomiser = ProtocolChoice(identifier).frequency(len(counts), 2.0)
        domain = Domain(("a", "b", "c"), False, True)
        announcement = Announcement(
            randomiser, "v", domain, None, True, sum(counts), 1, False, attended=Attendance(True, none=True)
        )
        assert randomiser.unbiased
        support = randomiser.expected(np.array(counts))
        found = estimated(Received(announcement, support), EXACTLY, top=9)
        assert found.estimate is not None and found.participants is not None
        assert found.estimate.counts == pytest.approx(counts[:3], abs=1e-6)
        assert found.participants.estimate == pytest.approx(sum(counts[:3]), abs=1e-6)
        assert found.participants.low <= found.participants.estimate <= found.participants.high
        assert len(found.hitters) == 3

    def test_how_much_to_smooth_is_asked_of_the_answers_alone(self) -> None:
        """Three of four take no part; that peak beside the line would make it look ragged. Eight draws of a fixed seed:
        0.54 ± 0.03 on average, and 0.77 if the peak were smoothed over."""
        places = np.arange(32)
        shape = np.exp(-(((places - 10.7) / 4) ** 2))
        counts = np.append(np.rint(20_000 * shape / shape.sum()).astype(np.int64), 60_000)
        randomiser = GRR.frequency(33, 1.0)
        domain = Domain(tuple(map(str, places)), True, True)
        attended = Attendance(True, none=True)
        announcement = Announcement(randomiser, "v", domain, None, True, 1, 1, False, attended=attended)
        generator, wrong = np.random.default_rng(1), []
        for _ in range(8):
            support = aggregate(randomiser, counts, generator)
            assert support is not None
            found = estimated(Received(announcement, support), EstimationMethod("em-smoothed")).estimate
            assert found is not None
            wrong.append(np.abs(found.counts - counts[:-1]).sum() / 20_000)
        assert np.mean(wrong) < 0.66

    def test_smoothing_leaves_those_who_take_no_part_alone(self) -> None:
        """Nobody is at the end of the line; half of all take no part, and do not run over into it."""
        counts = np.array([4000, 3000, 2000, 1000, 0, 0, 10_000])
        randomiser = GRR.frequency(len(counts), 4.0)
        domain = Domain(tuple("abcdef"), True, True)
        attended = Attendance(True, none=True)
        announcement = Announcement(randomiser, "v", domain, None, True, 20_000, 1, False, attended=attended)
        support = randomiser.expected(counts)
        found = estimated(Received(announcement, support), EstimationMethod("ems")).estimate
        assert found is not None and found.counts[-1] < 200 and found.counts.sum() == pytest.approx(10_000, rel=0.02)

    def test_from_a_file_and_several(self, tmp_path: Path) -> None:
        rows = [(f"p{row}", "HIV" if row % 4 == 0 else "flu", "x" if row % 8 else "y", "1") for row in range(4000)]
        session = opened(tmp_path / "a", rows, epsilon=20.0)
        session.data.set_preparation(Preparation("ill = 'HIV'"))
        paths = [tmp_path / "1.csv", tmp_path / "2.csv"]
        for path in paths:
            session.collection.exporter(ProtocolChoice("oue"), path)(SILENT)
        found = aggregator(paths, EXACTLY)(SILENT)
        assert found.estimate is not None and found.participants is not None
        # OUE at a large ε still asks a fair coin: √(n_v) ≈ 32 per value and file; 6 standard deviations.
        assert found.estimate.counts == pytest.approx((1000, 1000), abs=6 * 45)
        assert abs(found.participants.estimate - 2000) < 6 * math.sqrt(6000)
        assert found.received.announcement.hidden and found.received.announcement.reports == 8000

    def test_reports_of_everybody_and_of_some_are_not_mixed(self, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON)
        for name, wanted in (("1.csv", Participation.AUTO), ("2.csv", Participation.OPEN)):
            session.collection.change(participation=wanted)
            session.collection.exporter(GRR, tmp_path / name)(SILENT)
        with pytest.raises(WorkbenchError, match="cannot be counted together"):
            aggregator([tmp_path / "1.csv", tmp_path / "2.csv"], EXACTLY)(SILENT)


EARLIER = (
    '# {"format": "anonymisation-workbench-reports", "version": 1, "column": "v", "reports": 4, '
    '"reports_per_person": 1, "epsilon_of_one_report": 1.0, "promise": "Which answer a person who reports gave is '
    'hidden; that they report is not.", "cautions": [], "collection": "ab", "simulated": false, "declared": true, '
    '"domain": {"labels": ["x", "y"], "ordinal": false, "positions": null}, "bounds": null, "randomiser": '
    '{"protocol": "grr", "domain_size": 2, "epsilon": 1.0, "parameters": {}}}\nvalue\n0\n0\n1\n0\n'
)


class TestFiles:
    def test_earlier_files_are_read_as_before(self, tmp_path: Path) -> None:
        (tmp_path / "old.csv").write_text(EARLIER, encoding="utf-8")
        found = aggregator([tmp_path / "old.csv"], EXACTLY)(SILENT)
        announced = found.received.announcement
        assert announced.hidden is None and announced.promise == HIDDEN and found.participants is None
        p, q = math.e / (1 + math.e), 1 / (1 + math.e)
        assert found.estimate is not None
        assert found.estimate.counts == pytest.approx([(3 - 4 * q) / (p - q), (1 - 4 * q) / (p - q)], rel=1e-6)

    def test_what_is_announced_is_read_again(self, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON)
        versions = {}
        for wanted in (Participation.HIDDEN, Participation.OPEN):
            session.collection.change(participation=wanted)
            made = session.collection.exporter(GRR, tmp_path / f"{wanted}.csv")(SILENT)
            read = read_reports(tmp_path / f"{wanted}.csv").announcement
            assert read.attended == made.announcement.attended and read.to_json() == made.announcement.to_json()
            versions[wanted] = read.to_json()["version"]
        assert versions == {Participation.HIDDEN: 2, Participation.OPEN: 1}

    @pytest.mark.parametrize("damage", [{"hidden": 1}, {"none": "x"}, {"why": None, "hidden": None}, {"none": None}])
    def test_damaged_participation_is_refused(self, damage: dict[str, Any], tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON)
        session.collection.exporter(GRR, tmp_path / "out.csv")(SILENT)
        first, rest = (tmp_path / "out.csv").read_text(encoding="utf-8").split("\n", 1)
        plain = json.loads(first[1:])
        plain["participation"] = {**plain["participation"], **damage}
        (tmp_path / "out.csv").write_text(f"# {json.dumps(plain)}\n{rest}", encoding="utf-8")
        with pytest.raises(WorkbenchError, match="no reports that can be aggregated"):
            read_reports(tmp_path / "out.csv")


class TestSettings:
    def test_earlier_settings_hide(self) -> None:
        plain = to_json(CollectSettings())
        del plain["participation"]
        assert from_json(CollectSettings, plain).participation is Participation.AUTO
        for wanted in Participation:
            assert from_json(CollectSettings, to_json(CollectSettings(participation=wanted))).participation is wanted
        with pytest.raises(ValueError, match="one of auto"):
            from_json(CollectSettings, {"participation": "seen"})

    def test_the_command_says_it(self, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON)
        project = session.project
        assert project.data is not None
        for wanted, said in ((Participation.AUTO, False), (Participation.OPEN, True)):
            settings = session.collection.change(participation=wanted)
            words = command(project.data, settings, project.schema["v"], project.schema.unit, project.preparation)
            assert ("--participation" in words) is said

    def test_what_reports_cost_is_that_with_the_further_answer(self, tmp_path: Path) -> None:
        session = opened(tmp_path / "a", PERSON)
        choice = ProtocolChoice("the")
        price = session.collection.pricer(choice, 2)(SILENT)
        made = session.collection.exporter(choice, tmp_path / "out.csv")(SILENT)
        assert price.budget == made.epsilon and price.attended.none

    def test_a_simulation_simulates_those_who_take_no_part(self, tmp_path: Path) -> None:
        """Nine of ten take no part: their reports make the estimate about √10 times as wrong, or more."""
        rows = [(f"p{row}", "flu" if row % 10 else "HIV", "xy"[row % 4 == 0], "1") for row in range(20_000)]
        session = opened(tmp_path / "a", rows, protocols=(ProtocolChoice("oue"),), repetitions=60, seed=4)
        session.data.set_preparation(Preparation("ill = 'HIV'"))
        session.collection.look()
        wrong = {}
        for wanted in (Participation.AUTO, Participation.OPEN):
            session.collection.change(participation=wanted)
            (result,) = session.collection.simulator()(SILENT).results
            assert len(result.estimate) == 2 and abs(result.estimate.sum() - 2000) < 300
            wrong[wanted] = result.errors["l1"].mean
        assert wrong[Participation.AUTO] > 2 * wrong[Participation.OPEN]


def test_people_who_are_only_counted_are_joined_as_others_are() -> None:
    one_by_one = Persons(np.array([0, 1, 1], dtype=np.int32)).joined_by(2, 2)
    counted = Headcount(np.arange(2, dtype=np.int32), np.array([1, 2])).joined_by(2, 2)
    for people in (one_by_one, counted):
        assert Counter(code for block in people.blocks(2) for code in block.tolist()) == {0: 1, 1: 2, 2: 2}
        assert len(people) == 5
