"""Comparing on true values is a look at the data: refused until it is recorded, and told by the commands."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from workbench.cli.main import main
from workbench.core.errors import WorkbenchError
from workbench.core.progress import SILENT
from workbench.evaluate.experiment import Basis, Experiment
from workbench.evaluate.experiment_edits import families
from workbench.evaluate.method import MethodChoice
from workbench.evaluate.question import Question, Statistic
from workbench.evaluate.verdict import verdict
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import EncodingChoice, EncodingKind
from workbench.ldp.sweep import SweepCell
from workbench.project.model import GuaranteeSettings, new_project
from workbench.query.ledger import Ledger
from workbench.session import Session
from workbench.session.collection.desk import CollectionDesk
from workbench.session.comparison import PresetChoice
from workbench.session.comparison_words import findings_words

EXPERIMENT = Experiment(
    Question(Statistic.MEAN, "age", EncodingChoice(bounds=(0.0, 100.0))),
    methods=(MethodChoice("global-grid"),),
    places=(1.0,),
    repetitions=5,
)
COMPUTED: dict[str, Callable[[Session], object]] = {
    "a run": lambda session: session.comparison.runner(EXPERIMENT),
    "what is known": lambda session: session.comparison.looker(EXPERIMENT),
    "why a method cannot answer": lambda session: session.comparison.refuser(EXPERIMENT),
    "how long it takes": lambda session: session.comparison.estimator(EXPERIMENT, {}),
    "a published figure of a column": lambda session: session.comparison.preset_runner("ages", PresetChoice("age")),
    "a simulated collection": lambda session: collecting(session).simulator(),
    "a sweep of collections": lambda session: collecting(session).sweeper([SweepCell(1.0, 100)]),
    "who answers what": lambda session: collecting(session).asker(),
}


def collecting(session: Session) -> CollectionDesk:
    session.collection.change(column="town", encoding=EncodingChoice(EncodingKind.CATEGORIES, domain=("a", "b")))
    return session.collection


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age,town\n" + "".join(f"{20 + row % 50},{'ab'[row % 2]}\n" for row in range(400)))
    (tmp_path / "town.csv").write_text("a;*\nb;*\n")
    return path


@pytest.fixture
def session(file: Path, tmp_path: Path) -> Session:
    """A session in which a release may be drawn."""
    made = Session(new_project())
    made.ledger.use_file(tmp_path / "ledger.jsonl")
    made.data.open(file)
    made.data.attach_hierarchy_file("town", tmp_path / "town.csv")
    made.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    return made


@pytest.mark.parametrize("computed", COMPUTED)
def test_nothing_is_computed_before_a_look_is_recorded(session: Session, computed: str) -> None:
    with pytest.raises(WorkbenchError, match="no look at this data is recorded"):
        COMPUTED[computed](session)
    assert not session.comparison.looked and not session.ledger.looks(session.data.fingerprint)
    session.comparison.look()
    assert session.comparison.looked and COMPUTED[computed](session) is not None


def test_a_public_shape_is_no_look(session: Session) -> None:
    shape = replace(EXPERIMENT, basis=Basis.SMOOTH, users=100)
    assert session.comparison.may_run(shape) and not session.comparison.may_run(EXPERIMENT)
    assert session.comparison.runner(shape)(SILENT).rows == 100
    assert session.comparison.looker(shape)(SILENT).complete and not session.comparison.refuser(shape)(SILENT)
    assert not session.comparison.looked and not session.ledger.looks(session.data.fingerprint)


def test_what_a_public_shape_gives_is_the_same_for_two_neighbouring_tables(file: Path, tmp_path: Path) -> None:
    """One person more, with a value nobody else has: no bit of findings, words or verdict differs."""
    shape = replace(EXPERIMENT, basis=Basis.SPIKY, users=60, methods=families())
    other = tmp_path / "other.csv"
    other.write_text(file.read_text() + "99,a\n")
    found = []
    for path in (file, other):
        made = Session(new_project())
        made.data.open(path)
        one = made.comparison.runner(shape)(SILENT)
        found.append((one, verdict(one, 1.0), findings_words(one)))
    assert repr(found[0]) == repr(found[1])


def test_a_collection_is_planned_and_priced_without_a_look(session: Session) -> None:
    planned = collecting(session).planner()(SILENT)
    assert planned.best and session.collection.pricer(ProtocolChoice("grr"), 2)(SILENT).budget.person == 1
    assert not session.collection.looked and not session.ledger.looks(session.data.fingerprint)
    assert "A release that is drawn later promises less" in session.collection.at_stake.words
    session.collection.look()
    assert session.comparison.looked, "one look is enough for every room"
    assert len(session.ledger.looks(session.data.fingerprint)) == 1


def test_published_figures_of_a_sample_are_no_look(session: Session) -> None:
    session.comparison.preset_runner("mechanism-tables")(SILENT)
    assert not session.comparison.looked and not session.ledger.looks(session.data.fingerprint)


def test_a_look_takes_the_claim_of_what_is_drawn_afterwards(session: Session, tmp_path: Path) -> None:
    session.release.anonymise()
    session.release.export(tmp_path / "before.csv")
    assert not session.comparison.at_stake.undecided
    session.comparison.look()
    assert session.release.current_claim().holds, "what left before keeps its claim"
    session.release.draw_again()
    claim = session.release.current_claim()
    assert not claim.holds and [reason.code for reason in claim.reasons] == ["looked-before"]


@pytest.mark.parametrize("publish", [True, False])
def test_a_draw_that_has_not_left_is_settled_with_the_look_or_lost(session: Session, publish: bool) -> None:
    session.release.anonymise()
    stake = session.comparison.at_stake
    assert stake.undecided and "has not left" in stake.words
    session.comparison.look(publish=publish)
    assert session.release.current_claim().holds is publish


def test_one_look_is_enough_for_figures_attacks_and_comparisons(session: Session, file: Path, tmp_path: Path) -> None:
    session.comparison.look()
    session.comparison.look()
    assert len(session.ledger.looks(session.data.fingerprint)) == 1 and session.release.looked
    again = Session()
    again.ledger.use_file(tmp_path / "ledger.jsonl")
    again.data.open(file)
    assert again.comparison.looked, "it stands in the ledger, not in the session"


def command(tmp_path: Path, file: Path, name: str) -> list[str]:
    ledger = ["--ledger", str(tmp_path / "ledger.jsonl")]
    if name == "collect":
        return ["collect", str(file), "--column", "town", "--protocol", "grr", "--epsilon", "1", *ledger]
    if name == "compare":
        (tmp_path / "spec.json").write_text(json.dumps(EXPERIMENT.to_json()))
        return ["compare", str(tmp_path / "spec.json"), "--data", str(file), *ledger]
    bounds = ["--set", "lower=0", "--set", "upper=100", "--repetitions", "2"]
    return ["preset", "salary-histograms", "--data", str(file), "--column", "age", *bounds, *ledger]


@pytest.mark.parametrize("name", ["collect", "compare", "preset"])
def test_the_commands_record_the_look_and_say_so(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    words = command(tmp_path, file, name)
    assert main(words) == 0
    assert "This was a look at the data, which is recorded" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["looked"] is True
    release = [
        "anonymise", str(file), "--hierarchy", f"town={tmp_path / 'town.csv'}", "--epsilon", "1", "--delta", "1e-3",
        "--out", str(tmp_path / "r.csv"), "--ledger", str(tmp_path / "ledger.jsonl"),
    ]  # fmt: skip
    assert main(release) == 2
    assert "This data had been looked at before the draw was made" in capsys.readouterr().err


def test_a_figure_of_a_sample_is_no_look_for_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["preset", "mechanism-tables", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["looked"] is False


def test_where_a_look_cannot_be_recorded_nothing_is_shown(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise WorkbenchError("The ledger cannot be written.")

    monkeypatch.setattr(Ledger, "looked", broken)
    assert main(command(tmp_path, file, "compare")) == 2
    said = capsys.readouterr()
    assert not said.out and "The ledger cannot be written." in said.err
