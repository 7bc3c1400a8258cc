"""A secret in every column, and nothing that a notebook shows or keeps by accident holds one."""

from __future__ import annotations

import copy
import importlib.util
import inspect
import json
import pickle
import traceback
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import workbench as wb
from workbench.cli.main import main
from workbench.library import questions as questions_module
from workbench.library.kept_here import KeptHere
from workbench.session.python.notebook import notebook
from workbench.session.python.rooms import room_code

_SPEC = importlib.util.spec_from_file_location("docs_library", Path(__file__).parents[2] / "docs" / "library.py")
assert _SPEC is not None and _SPEC.loader is not None
SCRIPT = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(SCRIPT)

SECRETS = ("SECRET-1a", "987654321", "1999-09-09", "4321.0625", "7654.125", "SECRET-cat", "SECRET-note")
ROWS = 300
JOBS = wb.hierarchy.categories({"health": ["nurse"], "food": ["cook"]})


@pytest.fixture(autouse=True)
def in_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def people() -> pd.DataFrame:
    frame = pd.DataFrame(
        {
            "name": ["somebody"] * ROWS,
            "account": [1] * ROWS,
            "born": pd.to_datetime(["2000-01-01"] * ROWS),
            "pay": [1.5] * ROWS,
            "price": [Decimal("1.5")] * ROWS,
            "kind": pd.Categorical(["plain"] * ROWS, ["plain", "SECRET-cat"]),
            "note": pd.Series([""] * ROWS, dtype="string"),
            "job": ["cook", "nurse"] * (ROWS // 2),
        }
    )
    planted = [
        SECRETS[0],
        987654321,
        pd.Timestamp("1999-09-09"),
        4321.0625,
        Decimal("7654.125"),
        SECRETS[5],
        SECRETS[6],
    ]
    for column, secret in zip(frame.columns, planted, strict=False):
        frame.loc[7, column] = secret
    return frame


def opened() -> wb.Data:
    return wb.open(people()).describe(born=wb.moment(), job=wb.category(["cook", "nurse"]))


RESULTS: dict[str, Callable[[wb.Data], Any]] = {
    "data": lambda data: data,
    "release": lambda data: data.release(hierarchies={"job": JOBS}),
    "everything": lambda data: data.release([*data.columns], levels={"job": 0}),
    "simulation": lambda data: data.release(hierarchies={"job": JOBS}, seed=1),
    "search": lambda data: data.search("k=5", hierarchies={"job": JOBS}),
    "forecast": lambda data: data.forecast(hierarchies={"job": JOBS}),
    "answer": lambda data: data.ask("count", epsilon=1),
    "survey": lambda data: data.collect("job", 1, people=500),
    "simulated survey": lambda data: data.simulate("job", 1, ["oue"], repetitions=3, seed=1, look=True),
    "reports": lambda data: data.collect_reports("reports.csv", "job", 1, "oue"),
    "aggregated": lambda data: wb.aggregate(data.collect_reports("others.csv", "job", 1, "oue").path),
    "plan": lambda data: data.plan("mean", "account", epsilon=1, lower=0, upper=10),
    "spent": lambda data: (data.ask("count", epsilon=1), data.spent, data.ledger),
}
REFUSED: dict[str, Callable[[wb.Data], Any]] = {
    "mean of names": lambda data: data.ask("mean", "name", epsilon=1),
    "mean without bounds": lambda data: data.ask("mean", "pay", epsilon=1),
    "names that are no dates": lambda data: data.describe(name=wb.date()).ask("histogram", "name", epsilon=1),
    "no level": lambda data: data.release(["account"], levels={"account": 3}),
    "no table": lambda data: data.search("k=1000", ["name", "account"]),
    "missed": lambda data: data.search("k=2", hierarchies={"name": wb.hierarchy.categories({"some": ["a"]})}),
    "survey of names": lambda data: data.collect("name", 1, people=500),
    "filter": lambda data: data.ask("count", where="name >", epsilon=1),
    "compare": lambda data: data.compare({"question": {"figure": "mean", "column": "name"}}, look=True),
    "collected": lambda data: data.describe(note=wb.category(["a", "b"])).collect_reports("r.csv", "note", 1, "oue"),
    "numbers collected": lambda data: data.describe(pay=wb.number(0, 9)).collect_reports("r.csv", "pay", 1, "duchi"),
    "simulated": lambda data: data.describe(note=wb.category(["a", "b"])).simulate("note", 1, ["oue"], look=True),
    "published": lambda data: wb.published("3.1", data, "name", look=True),
}


def kept(value: Any) -> Iterator[str]:
    """Whatever a notebook shows of a value, and so keeps."""
    yield repr(value)
    for form in ("_repr_html_", "_repr_png_", "_repr_mimebundle_"):
        if hasattr(value, form):
            yield str(getattr(value, form)())


def without_secrets(texts: Iterator[str]) -> None:
    for text in texts:
        assert not [secret for secret in SECRETS if secret in text]


@pytest.mark.parametrize("name", RESULTS)
def test_what_is_shown_of_a_result_holds_no_secret(name: str) -> None:
    said = StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        value = RESULTS[name](opened())
    without_secrets(kept(value))
    without_secrets(iter([said.getvalue()]))
    if name in ("release", "everything", "search"):
        without_secrets(kept(value.figure()))
        without_secrets(iter([value.frame.to_csv()]))


CLASSES = {
    "data": "Data",
    "release": "Release",
    "search": "SearchedTable",
    "forecast": "ReleaseForecast",
    "answer": "AskedAnswer",
    "plan": "AnswerPlan",
    "survey": "SurveyPlan",
    "simulated survey": "SurveySimulation",
    "reports": "CollectedReports",
    "aggregated": "ReportedEstimate",
    "compared": "MethodComparison",
    "audited": "MechanismAudit",
    "figure": "RedoneFigure",
    "preset": "RedonePreset",
}
"""By what is tried the public class it is of."""


def public_classes() -> set[type]:
    """Every class that has a page of its own."""
    return {one for one in SCRIPT.objects().values() if inspect.isclass(one) and one is not wb.Refused}


def made_of_each() -> dict[str, Callable[[wb.Data], Any]]:
    """By its name an object of every public class, made of the data with the secrets."""
    asked = {"question": {"figure": "mean", "column": "account"}, "methods": ["global-grid"], "places": [1.0]}
    bounded = {**asked, "question": {**asked["question"], "encoding": {"bounds": [0, 10]}}, "repetitions": 2}
    makers = [
        *RESULTS.values(),
        lambda data: data.compare({**bounded, "seed": 1}, look=True),
        lambda _data: wb.audit([["3/4", "1/4"], ["1/4", "3/4"]]),
        lambda data: wb.published("3.1", data.describe(account=wb.integer(0, 10)), "account", look=True, repetitions=2),
        lambda data: wb.published("surgery-mean", data, "account", look=True, repetitions=2, lower=0, upper=10),
    ]
    names = [*RESULTS, "compared", "audited", "figure", "preset"]
    return dict(zip(names, makers, strict=True))


@pytest.mark.parametrize("name", made_of_each())
def test_nothing_of_a_public_object_is_of_the_data_but_what_was_asked_for(name: str) -> None:
    value = made_of_each()[name](opened())
    assert type(value).__name__ == CLASSES.get(name, type(value).__name__)
    without_secrets(kept(value))
    without_secrets(iter([str(value), f"{value}", " ".join(dir(value)), repr(getattr(value, "__dict__", ""))]))
    without_secrets(iter([repr(list(getattr(value, "__dict__", {}).values())), inspect.getdoc(value) or ""]))
    for keep in (pickle.dumps, copy.copy, copy.deepcopy, lambda one: one.__getstate__()):
        try:
            found = keep(value)
        except Exception as refused:
            without_secrets(of_error(refused))
        else:
            assert not isinstance(value, KeptHere)
            without_secrets(iter([found.decode("latin-1") if isinstance(found, bytes) else repr(found)]))


def test_every_public_class_is_looked_at() -> None:
    assert {one.__name__ for one in public_classes()} == set(CLASSES.values())
    assert set(CLASSES) <= set(made_of_each())


def of_error(error: BaseException) -> Iterator[str]:
    """A traceback in every mode of a notebook: short, with the variables of frames, and as the error itself says."""
    yield from traceback.format_exception(error)
    yield "\n".join(getattr(error, "_render_traceback_", list)())
    yield repr(error) + str(error.__dict__)
    seen: BaseException | None = error
    while seen is not None:
        for frame, _ in traceback.walk_tb(seen.__traceback__):
            if "workbench" in Path(frame.f_code.co_filename).parts:
                yield from map(repr, frame.f_locals.values())
        seen = seen.__cause__ or seen.__context__


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_shown_of_a_refusal_holds_no_secret(name: str) -> None:
    data = opened()
    with pytest.raises(wb.Refused) as caught:
        REFUSED[name](data)
    without_secrets(of_error(caught.value))
    rendered = caught.value._render_traceback_()
    assert " (line " in rendered[0] and caught.value.message in "\n".join(rendered)


@pytest.mark.parametrize("error", [KeyError("SECRET-1a"), ValueError("987654321"), KeyboardInterrupt("SECRET-1a")])
def test_what_nobody_foresaw_holds_no_secret(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    data = opened()

    def failing(*_given: object) -> object:
        hidden = people()
        raise error from KeyError(hidden["name"][7])

    monkeypatch.setattr(questions_module, "one_of", failing)
    with pytest.raises((wb.Refused, KeyboardInterrupt)) as caught:
        data.ask("count", epsilon=1)
    without_secrets(of_error(caught.value))


def test_what_is_copied_and_exported_holds_no_secret(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    people().to_csv(file, index=False)
    data = wb.open(file).describe(job=wb.category(["cook", "nurse"]))
    data.release(hierarchies={"job": JOBS})
    data.ask("count", epsilon=1)
    state = data._session.state
    for room in ("data", "anonymise", "release", "query"):
        without_secrets(iter([room_code(state, room)]))
    plain, left_out = notebook(state, tmp_path)
    without_secrets(iter([plain, *left_out]))
    assert len(json.loads(plain)["cells"]) >= 6


ADDRESS = "postgresql://planted_ada:PLANTED-pa55@127.0.0.1:1/clinic"


def test_a_password_that_is_typed_into_an_address_is_kept_nowhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Project, ledger, command, Python, notebook, error, and whatever else is written in this person's folders."""
    file = tmp_path / "people.csv"
    people().to_csv(file, index=False)
    data = wb.open(file).describe(job=wb.category(["cook", "nurse"]))
    data.forecast(hierarchies={"job": JOBS})
    project = data.save_project(tmp_path / "people.wbench")
    seen: list[str] = []
    for attempt in (
        lambda: wb.open(ADDRESS),
        lambda: wb.open(Path(ADDRESS), table="people"),
        lambda: wb.run_project(project, tmp_path / "out.csv", data=ADDRESS),
        lambda: wb.report_project(project, tmp_path / "reports", data=ADDRESS, look=True),
        lambda: data._session.data.open(Path(ADDRESS)),
        lambda: data._session.data.open(ADDRESS),
    ):
        with pytest.raises(wb.Refused) as caught:
            attempt()
        seen += [str(caught.value), repr(caught.value), *getattr(caught.value, "_render_traceback_", list)()]
    for words in (
        ["profile", ADDRESS],
        ["query", ADDRESS, "--query", "count", "--epsilon", "1", "--json"],
        ["anonymise", ADDRESS, "--group", "job", "--out", str(tmp_path / "o.csv")],
        ["collect", ADDRESS, "--column", "job", "--protocol", "oue", "--epsilon", "1"],
        ["ledger", ADDRESS],
        ["project", "new", str(tmp_path / "new.wbench"), "--data", ADDRESS],
        ["run", str(project), "--data", ADDRESS, "--out", str(tmp_path / "run")],
    ):
        assert main(words) == 2
        seen += [*capsys.readouterr()]
    state = data._session.state
    seen += [room_code(state, "data"), notebook(state, tmp_path)[0], repr(data), repr(state.project)]
    data._session.save(project)
    for path in tmp_path.rglob("*"):
        seen += [str(path), *([path.read_bytes().decode("latin-1")] if path.is_file() else [])]
    assert not [text for text in seen if "PLANTED" in text or "planted_ada" in text]
