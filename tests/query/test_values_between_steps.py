"""Values that lie between the steps of their kind are rounded, and every interval of them says so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import workbench as wb
from workbench.cli.main import main
from workbench.core.near_releases import NearReleases
from workbench.report.certificate import certificate_from, certificate_of
from workbench.report.certificate_words import answers_in_words
from workbench.report.certified_entry import CertifiedEntry
from workbench.report.page_check import PageOnly, refuse_page
from workbench.session import Session
from workbench.session.query_words import interval_words

CASES = {
    "percent": ("12.345%", "0", "100", "0.01"),
    "money": ("€10.0051", "0", "100", "0.01"),
    "date-time": ("2020-01-01 10:00:00.500", "2020-01-01 10:00:00", "2020-01-01 10:00:10", "1 second"),
}


@pytest.mark.parametrize("kind", CASES)
def test_an_interval_of_values_finer_than_their_usual_step_says_to_which_they_were_rounded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    """All count as a step beside them: between the ends is the mean of these steps, and never that of the values."""
    text, lower, upper, step = CASES[kind]
    path = tmp_path / "t.csv"
    path.write_text("x\n" + f"{text}\n" * 20_000, encoding="utf-8")
    asks = ["query", str(path), "--query", "mean", "--column", "x", "--kind", f"x={kind}"]
    asks += ["--lower", lower, "--upper", upper, "--epsilon", "10"]
    assert main(asks) == 0
    said, rounded = capsys.readouterr().out, f" and rounded to steps of {step}"
    assert f"{rounded}; the interval is for these." in said
    assert main([*asks, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["limited"].endswith(rounded)

    answer = wb.open(path).ask("mean", "x", epsilon=10, lower=lower, upper=upper)
    session = Session()
    session.data.open(path)
    (paid,) = session.queries.answers()
    assert answer.stored and answer.limited == found["limited"]
    assert f"{rounded}, the table's value lies between" in interval_words(paid.told, paid.limited, paid.whose_value)
    assert answers_in_words(paid.entry)[0].endswith(rounded)
    assert f"{rounded}<" in certificate_of(paid.entry).body()

    # A page that was made before this was said is verified as it stands.
    known = CertifiedEntry.of(paid.entry, [paid.entry], NearReleases.NONE)
    before = replace(known, answers=tuple(one.replace(rounded, "") for one in known.answers))
    page = certificate_from(before).page()
    assert rounded not in page.partition("<script")[0].replace("\n", " ")
    with pytest.raises(PageOnly):
        refuse_page("page.html", page)


@pytest.mark.parametrize(
    ("kind", "text", "lower", "upper"),
    [("integer", "17", "0", "100"), ("date", "2020-01-05", "2020-01-01", "2020-02-01")],
)
def test_whole_numbers_and_dates_are_never_between_their_steps(
    tmp_path: Path, kind: str, text: str, lower: str, upper: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x\n" + f"{text}\n" * 200, encoding="utf-8")
    answer = wb.open(path).ask("mean", "x", epsilon=1, lower=lower, upper=upper)
    assert answer.limited == f"values limited to {lower}…{upper}"
