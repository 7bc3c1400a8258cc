"""Files that once ended a command with an unexpected error: what is wrong with each is said, and nothing is written."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.main import main

KEPT = Path(__file__).resolve().parents[1] / "kept"
PEOPLE = KEPT / "material" / "people.csv"
HUGE = 10**400


def refused(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command says that ends with 2."""
    assert main([str(word) for word in words]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert "unexpected" not in printed.err
    return printed.err


def written(path: Path, content: object) -> Path:
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ({"epsilon": HUGE}, "ε is larger than any number"),
        ({"epsilon": True}, "ε must be a number"),
        ({"places": [1, HUGE]}, "“places” is larger than any number"),
        ({"places": "12"}, "“places” must be a list"),
        ({"users": 1.5}, "the number of users must be a whole number"),
        ({"methods": [{"method": "global-grid", "epsilon": HUGE}]}, "ε of a method is larger than any number"),
        ({"methods": [{"method": "global-grid", "values": {"bins": HUGE}}]}, "“bins” is larger than any number"),
        ({"methods": "global-grid"}, "“methods” must be a list"),
        ({"metric": ["manhattan"]}, "The metric of the experiment is no text"),
        ({"question": {"share": HUGE}}, "the share of a quantile is larger than any number"),
        ({"question": []}, "the question must be an object"),
        ({"question": {"encoding": {"bounds": [1]}}}, "the bounds must be two values"),
        ({"question": {"encoding": {"bounds": "12"}}}, "the bounds must be a list"),
        ({"question": {"encoding": {"bounds": [0, HUGE]}}}, "the bounds is larger than any number"),
        ({"question": {"encoding": {"domain": "abc"}}}, "the domain must be a list"),
        ({"figure": {"width": HUGE}}, "“width” is larger than any number"),
        ({"figure": []}, "a figure must be an object"),
        ([], "holds no experiment"),
        ('{"epsilon": NaN}', "NaN is no number"),
        ('{"epsilon": 1e999}', "1e999 is larger than any number"),
        (f'{{"seed": {"9" * 5000}}}', "more than 1,000 digits"),
        ('{"title": "\\ud800"}', "half a sign"),
        ('{"seed": 1, "seed": 2}', "names something twice"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_an_experiment(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: object, said: str) -> None:
    spec = written(tmp_path / "spec.json", content)
    out = tmp_path / "out"
    assert said in refused(capsys, "compare", spec, "--data", PEOPLE, "--out", out)
    assert not out.exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ([], "the whole must be an object"),
        ({"epsilon": "1"}, "“questions” must be a list"),
        ({"epsilon": "1", "questions": "count"}, "“questions” must be a list"),
        ({"epsilon": "1", "questions": [["kind", "count"]]}, "a question must be an object"),
        ({"epsilon": [1], "questions": [{"kind": "count"}]}, "“epsilon” must be a number"),
        ({"epsilon": HUGE, "questions": [{"kind": "count"}]}, "“epsilon” is larger than any number"),
        ({"questions": [{"kind": "count"}]}, "“epsilon” must be a number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"epsilon": "1", "epsilon": "2", "questions": []}', "names something twice"),
    ],
)
def test_a_batch(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: object, said: str) -> None:
    batch, ledger = written(tmp_path / "batch.json", content), tmp_path / "spent.jsonl"
    assert said in refused(capsys, "query", PEOPLE, "--batch", batch, "--ledger", ledger)
    assert not ledger.exists()


def test_a_mark_at_the_beginning_of_a_batch_is_none_of_it(tmp_path: Path) -> None:
    batch = written(tmp_path / "batch.json", "\ufeff" + (KEPT / "batches" / "questions.json").read_text())
    assert main(["query", str(PEOPLE), "--batch", str(batch), "--plan", "--json"]) == 0


@pytest.mark.parametrize(
    ("name", "place", "value"),
    [
        ("pm", ("bounds",), [1]),
        ("pm", ("bounds",), "12"),
        ("pm", ("bounds",), [0, HUGE]),
        ("pm", ("randomiser", "epsilon"), HUGE),
        ("quarters", ("domain", "positions"), [HUGE] * 4),
        ("grr", ("randomiser", "domain_size"), HUGE),
        ("grr", ("randomiser", "domain_size"), "3"),
        ("grr", ("reports",), HUGE),
        ("grr", ("reports_per_person",), True),
        ("grr", ("domain", "labels"), "abc"),
        ("grr", ("declared",), "no"),
        ("grr", ("simulated",), "no"),
    ],
)
def test_reports(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, place: tuple[str, ...], value: object
) -> None:
    head, _, rest = (KEPT / "reports" / f"{name}.csv").read_text(encoding="utf-8").partition("\n")
    plain: dict[str, Any] = json.loads(head.lstrip("# "))
    inside = plain
    for one in place[:-1]:
        inside = inside[one]
    assert place[-1] in inside
    inside[place[-1]] = value
    reports = written(tmp_path / "reports.csv", f"# {json.dumps(plain)}\n{rest}")
    refused(capsys, "aggregate", reports)


@pytest.mark.parametrize(
    "changed",
    [
        {"cells": []},
        {"cells": "ab"},
        {"epsilon": "1e999"},
        {"claimed": 1},
        {"parameters": [["column", "age"]]},
        {"what": "\ud800"},
    ],
    ids=str,
)
def test_a_ledger_that_was_sealed_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changed: dict[str, object]
) -> None:
    digest, lines = "", []
    for line in (KEPT / "ledgers" / "people.jsonl").read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        del record["digest"]
        if record.get("type") == "charge":
            record |= changed
        body = json.dumps(record, separators=(",", ":"))
        digest = sha256((digest + body).encode()).hexdigest()
        lines.append(f'{{"digest":"{digest}",{body[1:]}\n')
    ledger = written(tmp_path / "people.jsonl", "".join(lines))
    said = refused(capsys, "ledger", PEOPLE, "--ledger", ledger)
    assert "does not understand" in said or "damaged" in said
