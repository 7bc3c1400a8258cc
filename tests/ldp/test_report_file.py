"""Perturbed reports as a file that somebody else can aggregate."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import WorkbenchError
from workbench.core.randomness import SeededSource
from workbench.ldp.choice import ProtocolChoice
from workbench.ldp.encoding import Domain
from workbench.ldp.estimation import AUTOMATIC
from workbench.ldp.participation import NO_PART, Attendance
from workbench.ldp.protocol import PROTOCOLS, Family, FrequencyRandomiser
from workbench.ldp.report_file import Announcement, read_reports, write_reports
from workbench.ldp.reports_together import ONE_FILE, together
from workbench.ldp.simulated_reports import collect
from workbench.session.collection.aggregation import estimated
from workbench.session.collection.reported_words import reported_words

CODES = np.repeat(np.arange(5), [300, 50, 120, 10, 20])
LABELS = ("a", "b, with “comma”", '"quoted"', "=SUM(A1)", "é")
DOMAIN = Domain(LABELS, ordinal=False, declared=True)


def announced(identifier: str, count: int = len(CODES), **params: float) -> Announcement:
    choice = ProtocolChoice(identifier, params)
    if choice.estimates_mean:
        return Announcement(choice.mean(2.0), "age", None, (0.0, 100.0), True, count, 1, True)
    labels = LABELS[:2] if identifier == "rr" else LABELS
    built = choice.frequency(len(labels), 2.0)
    return Announcement(built, "job", Domain(labels, False, True), None, True, count, 1, True)


@pytest.mark.parametrize("identifier", [one.identifier for one in PROTOCOLS])
def test_what_is_read_back_is_what_was_reported(identifier: str, tmp_path: Path) -> None:
    announcement = announced(identifier)
    values = np.linspace(-1, 1, 500) if announcement.domain is None else CODES % announcement.domain.size
    path = tmp_path / "reports.csv"
    write_reports(path, announcement, values, SeededSource(3))
    found = read_reports(path)
    assert found.announcement.to_json() == announcement.to_json()
    assert found.support.reports == 500
    # The same people in the same order with the same randomness, without a file.
    source = SeededSource(3)
    from workbench.core.randomness import permutation

    straight = collect(announcement.randomiser, values[permutation(source, 500)], source)
    np.testing.assert_array_equal(found.support.sums, straight.sums)
    again = found.announcement.randomiser
    if isinstance(again, FrequencyRandomiser):
        np.testing.assert_allclose(again.estimate(found.support), announcement.randomiser.estimate(straight))


def test_the_file_is_a_csv_below_one_comment(tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    write_reports(path, announced("grr"), CODES, SeededSource(1))
    first, rest = path.read_text(encoding="utf-8").split("\n", 1)
    assert json.loads(first.removeprefix("# "))["epsilon_of_one_report"] == pytest.approx(2.0)
    rows = list(csv.reader(rest.splitlines()))
    assert len(rows) == 501


def test_people_stand_in_random_order(tmp_path: Path) -> None:
    """With so large an ε everybody tells the truth, and the order of the file is still not theirs."""
    path = tmp_path / "reports.csv"
    randomiser = ProtocolChoice("grr").frequency(5, 30.0)
    write_reports(path, Announcement(randomiser, "x", DOMAIN, None, True, 500, 1, True), CODES, SeededSource(1))
    values = np.array([int(row[0]) for row in csv.reader(path.read_text(encoding="utf-8").splitlines()[2:])])
    assert np.bincount(values, minlength=5).tolist() == np.bincount(CODES).tolist()
    assert np.abs(np.flatnonzero(values == 0).mean() - 249.5) < 5 * 500 / np.sqrt(12 * 300)


def test_a_collection_in_two_files_counts_as_one(tmp_path: Path) -> None:
    for name, codes in (("a.csv", CODES[:200]), ("b.csv", CODES[200:])):
        write_reports(tmp_path / name, announced("oue", len(codes)), codes, SeededSource(1))
    both = together([read_reports(tmp_path / "a.csv"), read_reports(tmp_path / "b.csv")])
    assert both.support.reports == both.announcement.reports == 500
    assert both.announcement.reports_per_person == 2  # who is in both of them is not known
    parts = [read_reports(tmp_path / "a.csv"), read_reports(tmp_path / "b.csv")]
    apart = together(parts, one_file_per_person=True).announcement
    assert (apart.reports_per_person, apart.cautions) == (1, (ONE_FILE,))
    parts[1] = replace(parts[1], announcement=replace(parts[1].announcement, reports_per_person=3))
    assert together(parts, one_file_per_person=True).announcement.reports_per_person == 3
    assert together(parts[:1], one_file_per_person=True).announcement.cautions == ()


def test_the_same_collection_is_not_counted_twice(tmp_path: Path) -> None:
    announcement = replace(announced("oue"), collection="a1", cautions=("Careful.",))
    write_reports(tmp_path / "a.csv", announcement, CODES, SeededSource(1))
    write_reports(tmp_path / "b.csv", replace(announcement, collection="b2"), CODES, SeededSource(2))
    first, other = (read_reports(tmp_path / name) for name in ("a.csv", "b.csv"))
    assert together([first, other]).announcement.cautions == ("Careful.",)
    with pytest.raises(WorkbenchError, match="count twice"):
        together([first, other, read_reports(tmp_path / "a.csv")])


def test_reports_of_a_very_large_domain_are_read_back(tmp_path: Path) -> None:
    """In a process of its own, where nothing else has raised what the reader of CSVs takes for one cell."""
    size = 150_000
    labels = tuple(map(str, range(size)))
    announcement = Announcement(
        ProtocolChoice("oue").frequency(size, 2.0), "x", Domain(labels, False, True), None, True, 3, 1, True
    )
    write_reports(tmp_path / "wide.csv", announcement, np.array([0, 1, size - 1]), SeededSource(1))
    code = (
        "import sys; from workbench.ldp.report_file import read_reports; "
        "print(read_reports(sys.argv[1]).support.reports)"
    )
    run = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "wide.csv")], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout.strip()) == (0, "3"), run.stderr


def test_shared_hash_functions_are_others_in_every_collection(tmp_path: Path) -> None:
    """With shared functions that never change, values would gain from the same collisions in every collection."""
    plain: Any = ProtocolChoice("olh", {"functions": 16}).frequency(300, 1.0)
    values = np.repeat([0, 1], 2500)
    found = []
    for seed in range(20):
        source = SeededSource(seed)
        own = plain.fresh(source)
        found.append(own.estimate(own.accumulate(own.perturb(values, source))))
    bias = np.mean(found, axis=0)[2:]
    # The means of 20 independent collections spread √20 times less than one does; a fixed bias would not shrink.
    assert bias.std() < 1.5 * np.std(found, axis=0)[2:].mean() / np.sqrt(20)
    announcement = replace(announced("olh", functions=16), collection="x")
    parts = []
    for name, seed in (("a.csv", 1), ("b.csv", 2)):
        source = SeededSource(seed)
        salted = replace(announcement, randomiser=announcement.randomiser.fresh(source), collection=name)
        write_reports(tmp_path / name, salted, CODES, source)
        parts.append(read_reports(tmp_path / name))
    again = parts[0].announcement.randomiser.public()
    assert again["salt"] != parts[1].announcement.randomiser.public()["salt"]
    assert together(parts).support.reports == 1000


def test_reports_of_a_trial_are_not_counted_with_those_of_people(tmp_path: Path) -> None:
    real = replace(announced("grr"), simulated=False)
    for name, one in (("a", real), ("b", real), ("trial", replace(real, trial=True))):
        write_reports(tmp_path / name, replace(one, collection=name), CODES, SeededSource(1))
    parts = [read_reports(tmp_path / name) for name in ("a", "trial", "b")]
    assert [part.announcement.trial for part in parts] == [False, True, False]
    with pytest.raises(WorkbenchError, match="reports are of a trial") as refused:
        together(parts, names=["a", "trial", "b"])
    assert refused.value.hint == "Leave out trial."
    assert not together(parts[::2]).announcement.trial
    assert together([parts[1]]).announcement.trial and together(parts, with_trials=True).announcement.trial
    assert '"trial"' not in (tmp_path / "a").read_text(encoding="utf-8"), "files of people are as they were"


def test_reports_of_another_protocol_parameter_or_matrix_are_refused(tmp_path: Path) -> None:
    made = {
        "grr": announced("grr"),
        "oue": announced("oue"),
        "half": announced("ue", p=0.6, q=0.3),
        "wide": announced("ue", p=0.7, q=0.3),
        "matrix": announced("random-matrix"),
        "other matrix": announced("random-matrix", matrix_seed=7),
    }
    for name, announcement in made.items():
        write_reports(tmp_path / name, announcement, CODES, SeededSource(1))
    for first, second in (("grr", "oue"), ("half", "wide"), ("matrix", "other matrix")):
        with pytest.raises(WorkbenchError, match="different protocols, parameters or matrices"):
            together([read_reports(tmp_path / first), read_reports(tmp_path / second)])
    # The reports of one under the parameters of another.
    header = (tmp_path / "oue").read_text(encoding="utf-8").split("\n", 1)[0]
    body = (tmp_path / "grr").read_text(encoding="utf-8").split("\n", 1)[1]
    (tmp_path / "mixed").write_text(f"{header}\n{body}", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="columns"):
        read_reports(tmp_path / "mixed")


@pytest.mark.parametrize(
    "spoil,what",
    [
        (lambda text: text.split("\n", 1)[1], "does not start with #"),
        (lambda text: "# {not json\n" + text.split("\n", 1)[1], "damaged"),
        (lambda text: "# [1]\n" + text.split("\n", 1)[1], "no list of parameters"),
        (lambda text: text.rsplit("\n", 20)[0] + "\n", "announces 500"),
        (lambda text: text + "1\n", "announces 500"),
        (lambda text: text.replace('"version": 1', '"version": 99'), "newer version"),
        (lambda text: text.replace('"domain_size": 5', '"domain_size": 4'), "contradict"),
        (lambda text: text.replace('"randomiser"', '"randomizer"'), "incomplete"),
        (lambda text: text.replace('"protocol": "grr"', '"protocol": "magic"'), "magic"),
        (lambda text: text[:-3] + "9\n", "report|domain|number|value"),
        (lambda text: text[:-3] + "x\n", "report|number|value"),
        (lambda text: "", "does not start with #"),
    ],
)
def test_damaged_files_are_refused_in_words(spoil: object, what: str, tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    write_reports(path, announced("grr"), CODES, SeededSource(1))
    text = path.read_text(encoding="utf-8")
    assert callable(spoil)
    spoilt = spoil(text)
    assert spoilt != text
    path.write_text(spoilt, encoding="utf-8")
    with pytest.raises(WorkbenchError, match=what):
        read_reports(path)


@pytest.mark.parametrize(
    ("ends", "what"),
    [
        ("[100.0, 100.0]", "contradict"),
        ("[100.0, 0.0]", "contradict"),
        ("null", "contradict"),
        ("[0.0, Infinity]", "damaged"),  # no JSON
        ("[NaN, 100.0]", "damaged"),
        ("[-1e308, 1.7e308]", "contradict"),  # the mean between them was infinite, and so was its band
    ],
)
def test_bounds_between_which_there_is_nothing_are_refused(ends: str, what: str, tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    write_reports(path, announced("pm", 20), np.linspace(-1, 1, 20), SeededSource(1))
    text = path.read_text(encoding="utf-8")
    assert '"bounds": [0.0, 100.0]' in text
    path.write_text(text.replace('"bounds": [0.0, 100.0]', f'"bounds": {ends}'), encoding="utf-8")
    with pytest.raises(WorkbenchError, match=what):
        read_reports(path)


@pytest.mark.parametrize("alike", [('"b"', '"a"'), ('"none": null', '"none": "(takes no part)"')])
def test_two_answers_of_the_same_name_are_refused(alike: tuple[str, str], tmp_path: Path) -> None:
    """In JSON and in a DataFrame the one would have the number and the band of the other."""
    path, domain = tmp_path / "reports.csv", Domain((NO_PART, "a", "b", "c", "d"), False, True)
    said = replace(announced("grr"), domain=domain, attended=Attendance(True))
    write_reports(path, said, CODES, SeededSource(1))
    read_reports(path)
    text = path.read_text(encoding="utf-8")
    assert alike[0] in text
    path.write_text(text.replace(*alike), encoding="utf-8")
    with pytest.raises(WorkbenchError, match="same name"):
        read_reports(path)


@pytest.mark.parametrize("changed", [('"reports": 500', '"reports": -1'), ('_person": 1', '_person": 0')])
def test_numbers_of_people_that_cannot_be_are_refused(changed: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    write_reports(path, announced("grr"), CODES, SeededSource(1))
    text = path.read_text(encoding="utf-8")
    assert changed[0] in text
    path.write_text(text.replace(*changed), encoding="utf-8")
    with pytest.raises(WorkbenchError, match="contradict"):
        read_reports(path)


def test_no_file_and_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(WorkbenchError, match="cannot be read"):
        read_reports(tmp_path / "nothing.csv")
    (tmp_path / "bytes.csv").write_bytes(b"# \xff\xfe\x00")
    with pytest.raises(WorkbenchError, match="UTF-8"):
        read_reports(tmp_path / "bytes.csv")
    with pytest.raises(WorkbenchError, match="no reports"):
        together([])


def test_a_file_that_fails_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "reports.csv"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(WorkbenchError, match="outside the declared domain"):
        write_reports(path, announced("grr"), CODES + 1, SeededSource(1))

    def refuse() -> None:
        raise WorkbenchError("too much")

    with pytest.raises(WorkbenchError, match="too much"):
        write_reports(path, announced("grr"), CODES, SeededSource(1), before=refuse)
    assert path.read_text(encoding="utf-8") == "old"


def test_every_family_of_protocols_is_among_those_tested() -> None:
    assert {one.family for one in PROTOCOLS} == set(Family)


def test_the_one_file_that_does_not_fit_is_named(tmp_path: Path) -> None:
    parts = []
    for number in range(4):
        path = tmp_path / f"{number}.csv"
        said = announced("grr") if number != 2 else replace(announced("grr"), column="another")
        write_reports(path, said, CODES, SeededSource(number))
        parts.append(read_reports(path))
    with pytest.raises(WorkbenchError, match="cannot be counted together") as refused:
        together(parts, names=["0.csv", "1.csv", "2.csv", "3.csv"])
    assert "Not like most: 2.csv." in refused.value.hint


def test_what_a_file_cautions_is_said_as_its_own_words(tmp_path: Path) -> None:
    """Whoever writes a file can write there what the program would never claim."""
    claim = "ε = 0.001 for each person, as the program checked."
    parts = []
    for number in range(2):
        path = tmp_path / f"{number}.csv"
        write_reports(path, replace(announced("grr"), cautions=(claim,)), CODES, SeededSource(number))
        parts.append(read_reports(path))
    received = together(parts, one_file_per_person=True)
    assert received.announcement.told_cautions() == (f"The file says: “{claim}”", ONE_FILE)
    assert received.announcement.told_cautions([claim]) == (ONE_FILE,)
    said = reported_words(estimated(received, AUTOMATIC)).sentences
    assert claim not in said and f"The file says: “{claim}”" in said
