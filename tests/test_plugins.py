"""Plug-ins of third parties: none takes the program down, none takes a name, and none lies in the program's name."""

from __future__ import annotations

import argparse
import importlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests import plugin_toys as toys
from workbench.cli.commands import whole_parser
from workbench.cli.main import main
from workbench.core.building import BUILDERS, assess, build_hierarchy, specification
from workbench.core.errors import WorkbenchError
from workbench.core.hierarchy import Provenance
from workbench.core.params import ParamType
from workbench.core.randomness import SeededSource
from workbench.core.schema import ColumnSpec, Kind
from workbench.core.trust import TRUST, Origin, doubt_of
from workbench.io.hierarchy_csv import write_hierarchy
from workbench.io.trusted_plugins import keep_trust, kept_trust, trust_file
from workbench.ldp.encoding import Domain
from workbench.ldp.estimator import LocalEstimator
from workbench.ldp.protocol import PROTOCOLS
from workbench.ldp.report_file import Announcement, write_reports
from workbench.project.model import GuaranteeSettings
from workbench.query.catalogue import FLAGS, QUERIES, QueryDraft
from workbench.session import Session
from workbench.session.plugin_trust import origins
from workbench.session.plugins import installed, left_out

Plug = Callable[..., None]
DOUBT = "Made by plug-in toy-plug 0.1, which this program's tests do not vouch for."


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("age,town\n" + "".join(f"{20 + n % 30},{'AB'[n % 2]}\n" for n in range(300)))
    return path


def told(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> tuple[Any, str]:
    """What a command says as JSON, and on standard error."""
    assert main([*map(str, words), "--json"]) == code
    out, err = capsys.readouterr()
    assert "Traceback" not in err
    return (json.loads(out) if out else None), err


def opened(data: Path) -> Session:
    session = Session()
    session.data.open(data)
    return session


# Left out, and everything else works


@pytest.mark.parametrize(
    ("point", "made", "why"),
    [
        ("query.boom", RuntimeError("boom\nand more"), "RuntimeError: boom and more"),
        ("query.boom", SystemExit(3), "SystemExit: 3"),
        ("query.boom", ImportError(), "ImportError"),
        ("query.boom", toys.MODEL, "it is a PrivacyModel and not a QueryKind."),
        ("local-protocol.boom", None, "it is a NoneType and not a LocalProtocol."),
        ("query.boom", toys.query("count"), "the query “count” is there already, from this program."),
        ("query.boom", toys.query("No Name"), "its identifier “No Name” is not made of small letters"),
        ("query.boom", toys.query("x", None, toys.named("plan")), "“plan” is named like the flag --plan of “query”"),
        ("query.boom", toys.query("x", None, toys.named("where")), "“where” is named like the flag --where of “query”"),
        ("query.boom", toys.query("x", None, toys.named("epsilon")), "named like the flag --epsilon of “query”"),
        ("query.boom", toys.query("x", None, toys.named("json")), "named like the flag --json of “query”"),
        ("query.boom", toys.query("x", None, toys.named("keys")), "(integer) is named like the parameter --keys of"),
        ("query.boom", toys.query("x", None, toys.named("a"), toys.named("a")), "it has two parameters “a”"),
        ("query.boom", toys.query("x", None, "plan"), "its parameters are no tuple of ParamSpec"),
        ("local-estimator.auto", toys.replace(toys.ESTIMATOR, identifier="auto"), "stands for the usual one"),
        ("privacy-model.k", toys.replace(toys.MODEL, identifier="k"), "is a short name of “k-anonymity”"),
        ("privacy-modl.x", toys.MODEL, "there is no such kind of plug-in"),
    ],
)
def test_what_cannot_be_used_is_named_and_left_out(
    plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path, point: str, made: object, why: str
) -> None:
    plugged({point: made, "query.half-count": toys.HALF})
    (problem,) = left_out()
    assert problem.sentence.startswith(f"The plug-in {point} of toy-plug 0.1 is left out: ") and why in problem.why
    assert "\n" not in problem.sentence
    assert [one.identifier for one in installed()] == ["half-count"]
    found, err = told(capsys, "query", data, "--query", "count", "--epsilon", "1")
    assert found["claim"] and found["plugin"] is None
    assert err.count(problem.sentence) == 1
    assert told(capsys, "guarantee", "--epsilon", "1", "--delta", "1e-5")[1] == ""
    listed, _ = told(capsys, "plugins", "list")
    assert [one["why"] for one in listed["left_out"]] == [problem.why]
    assert told(capsys, "plugins", "check", code=1)[0]["holds"] is False


def test_every_command_has_its_help_with_a_broken_plugin(plugged: Plug, capsys: pytest.CaptureFixture[str]) -> None:
    broken = RuntimeError("boom")
    kinds = ("query", "local-protocol", "local-estimator", "mechanism", "privacy-model", "loss-metric", "preset")
    plugged({f"{kind}.bad": broken for kind in (*kinds, "hierarchy-builder", "method")})
    from workbench.cli.commands import COMMANDS

    for command in sorted(COMMANDS):
        with pytest.raises(SystemExit) as ended:
            main([command, "--help"])
        assert ended.value.code == 0
    assert "boom" not in capsys.readouterr().err
    assert len(left_out()) == 9


def test_the_second_of_two_plugins_of_one_name_is_refused_by_name(plugged: Plug) -> None:
    plugged({"query.half-count": toys.HALF}, "b-plug", "2")
    plugged({"query.half-count": toys.HALF}, "a-plug", "1")
    (problem,) = left_out()
    assert (problem.origin.name, problem.why) == ("b-plug 2", "the query “half-count” is there already, from a-plug 1.")


def test_the_names_that_are_kept_from_plugins_are_those_of_the_command() -> None:
    subparsers = next(one for one in whole_parser()._actions if isinstance(one, argparse._SubParsersAction))
    flags = {
        option.lstrip("-").replace("-", "_")
        for action in subparsers.choices["query"]._actions
        if not action.dest.startswith("parameter_")
        for option in action.option_strings or [action.dest]
    }
    assert flags - {"h"} == FLAGS


def test_plugins_add_no_flag_and_change_no_help(
    plugged: Plug, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "10000")  # no word is cut

    def help_of_query() -> str:
        with pytest.raises(SystemExit):
            main(["query", "--help"])
        return " ".join(capsys.readouterr().out.split())

    before = help_of_query()
    plugged(
        {
            "query.half-count": toys.query(
                "half-count", None, toys.named("toughness"), toys.named("scale", ParamType.TEXT, "1")
            )
        }
    )
    after = help_of_query()
    assert "toughness" not in after
    assert "half-count (toy-plug 0.1)" in after and "A parameter of the toy" not in after
    assert after.replace(", half-count (toy-plug 0.1)", "") == before


# Trust


def test_without_trust_an_answer_counts_and_claims_nothing(
    plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    plugged({"query.twin-count": toys.TWIN})
    found, _ = told(capsys, "query", data, "--query", "twin-count", "--epsilon", "0.01")
    assert (found["claim"], found["unclaimed"]) == (False, DOUBT)
    assert found["plugin"] == {"distribution": "toy-plug", "version": "0.1", "trusted": False}
    kept, _ = told(capsys, "ledger", data, "--statements", tmp_path / "pages")
    assert kept["spent"]["epsilon"] == 0.01 and kept["spent"]["unclaimed"] == 1
    (page,) = (tmp_path / "pages").glob("*.html")
    text = page.read_text()
    assert "No (ε, δ) claim is made" in text and "toy-plug 0.1" in text and "differentially private" not in text
    assert "--trust-plugin" in text and "grid engine" not in text
    plan, _ = told(capsys, "query", data, "--query", "twin-count", "--epsilon", "0.01", "--plan")
    assert (plan["claim"], plan["unclaimed"]) == (False, DOUBT)


def test_with_trust_the_claim_says_on_whose_word_it_rests(
    plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    plugged({"query.half-count": toys.HALF})
    words = ("query", data, "--query", "half-count", "--epsilon", "0.5", "--param", "toughness=4")
    found, _ = told(capsys, *words, "--trust-plugin", "Toy_Plug")
    said = "comes from toy-plug 0.1, which the publisher trusts."
    assert found["claim"] and found["plugin"]["trusted"] and any(said in one for one in found["asserted"])
    assert found["parameters"]["values"] == {"toughness": 4}
    told(capsys, "ledger", data, "--statements", tmp_path / "pages")
    (page,) = (tmp_path / "pages").glob("*.html")
    assert said in page.read_text() and "The noise came from the operating system" not in page.read_text()
    assert "The budget was charged before" in page.read_text()
    assert told(capsys, *words)[0]["claim"] is False, "it was trusted for that command alone"
    assert TRUST.keys == frozenset()


def test_trust_is_kept_for_one_version(plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path) -> None:
    plugged({"query.half-count": toys.HALF})
    words = ("query", data, "--query", "half-count", "--epsilon", "0.5")
    assert "0.1" in told(capsys, "plugins", "trust", "toy-plug")[0]["version"]
    assert told(capsys, *words)[0]["claim"]
    assert [one.key for one in kept_trust()] == [("toy-plug", "0.1")]
    keep_trust(Origin("toy.plug", "0.0"), trusted=True)
    told(capsys, "plugins", "distrust", "toy_plug")
    assert kept_trust() == () and not told(capsys, *words)[0]["claim"]
    keep_trust(Origin("toy-plug", "0.2"), trusted=True)
    assert not told(capsys, *words)[0]["claim"], "another version was trusted"
    trust_file().write_text('{"trusted": [{"distribution": "toy-plug"}]}')
    assert kept_trust() == ()
    trust_file().write_text("no JSON")
    assert kept_trust() == ()


def test_nobody_is_trusted_who_is_not_there(plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path) -> None:
    plugged({"query.half-count": toys.HALF})
    for words in (["query", str(data), "--query", "count", "--epsilon", "1", "--trust-plugin", "x"],
                  ["plugins", "trust", "x"], ["plugins", "distrust", "x"], ["plugins", "check", "x"]):  # fmt: skip
        assert main(words) == 2
        assert "“x”" in capsys.readouterr().err


def test_a_batch_does_not_mix_claims(plugged: Plug, data: Path) -> None:
    plugged({"query.half-count": toys.HALF})
    session = opened(data)
    drafts = [QueryDraft("count"), QueryDraft("half-count")]
    with pytest.raises(WorkbenchError, match="do not promise the same"):
        session.queries.plan_batch(drafts, "1")
    with TRUST.within(origins()):
        assert [one.unclaimed for one in session.queries.plan_batch(drafts, "1")] == ["", ""]


def test_an_answer_made_without_trust_is_not_shown_for_one_with_it(plugged: Plug, data: Path) -> None:
    plugged({"query.half-count": toys.HALF})
    session = opened(data)
    draft = QueryDraft("half-count", "0.5")
    answered = session.queries.ask(draft)
    assert answered.unclaimed == DOUBT == session.queries.answers()[0].unclaimed
    with TRUST.within(origins()):
        assert session.queries.stored(draft) is None
        assert session.queries.answers()[0].unclaimed == DOUBT, "trust does not change what was released"
    assert session.queries.stored(draft) is not None


def test_reports_by_a_plugin(plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path) -> None:
    plugged({"local-protocol.lazy-rr": toys.protocol(), "local-estimator.toy-estimator": toys.ESTIMATOR})
    out = tmp_path / "reports.csv"
    words = ("collect", data, "--column", "town", "--domain", "A,B", "--protocol", "lazy-rr", "--epsilon", "1")
    made, _ = told(capsys, *words, "--reports", out)
    assert made["claim"] is False and DOUBT in made["reasons"] and made["plugin"]["version"] == "0.1"
    assert '"plugin": {"distribution": "toy-plug"' in out.read_text().splitlines()[0]
    assert main(["aggregate", str(out), "--estimator", "toy-estimator"]) == 0
    text = capsys.readouterr().out
    assert "Lazy response (toy-plug 0.1)" in text and DOUBT in text and "Toy estimator (toy-plug 0.1)" in text
    trusted = tmp_path / "trusted.csv"
    made, _ = told(capsys, *words, "--reports", trusted, "--trust-plugin", "toy-plug")
    assert made["claim"] and any("which the publisher trusts" in one for one in made["cautions"])
    assert main(["aggregate", str(trusted)]) == 0
    assert DOUBT in capsys.readouterr().out, "who reads them has not trusted the code that states ε here"
    assert main(["aggregate", str(trusted), "--trust-plugin", "toy-plug"]) == 0
    text = capsys.readouterr().out
    assert DOUBT not in text and "which the publisher trusts" in text
    told(capsys, "ledger", data, "--statements", tmp_path / "pages")
    pages = [page.read_text() for page in (tmp_path / "pages").glob("*.html")]
    assert sorted("No claim is made" in page for page in pages) == [False, True]
    assert all("toy-plug 0.1" in page for page in pages)
    assert not any("Each answer was randomised with fresh numbers" in page for page in pages)


def test_a_hierarchy_of_a_plugin_is_in_doubt(plugged: Plug, data: Path) -> None:
    plugged({"hierarchy-builder.toy-mask": toys.BUILDER})
    plain = specification("toy-mask", column=ColumnSpec("", Kind.TEXT))
    judged = assess(plain)
    assert judged.provenance is Provenance.DERIVED and "toy-plug 0.1" in judged.origin
    with TRUST.within(origins()):
        made = build_hierarchy(plain, ["A", "B"])
        assert made.provenance is Provenance.PUBLIC and "which the publisher trusts" in made.origin
    session = opened(data)
    session.data.attach_hierarchy("town", made)
    session.release.columns.set_level("town", 1)
    assert {reason.code for reason in session.release.anonymise().claim.reasons} >= {"plugin-hierarchy"}
    with TRUST.within(origins()):
        claim = session.release.claim()
        assert "plugin-hierarchy" not in {reason.code for reason in claim.reasons}
    assert BUILDERS.origin("toy-mask").name == "toy-plug 0.1"


def test_a_hierarchy_file_of_a_plugin_names_it(
    plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    """That it was trusted where the file was written is nothing to whoever imports it, here or elsewhere."""
    plugged({"hierarchy-builder.toy-mask": toys.BUILDER})
    file, project = tmp_path / "town.csv", tmp_path / "p.wbench"
    with TRUST.within(origins()):
        write_hierarchy(build_hierarchy(specification("toy-mask", column=ColumnSpec("", Kind.TEXT)), ["A"]), file)
    session = opened(data)
    session.data.attach_hierarchy_file("town", file)
    session.data.cover("town")
    session.release.columns.suppress("age")
    session.release.set_guarantee(GuaranteeSettings(epsilon=1.0, delta=1e-3))
    session.save(project)
    words = ("anonymise", data, "--suppress", "age", "--hierarchy", f"town={file}", "--cover", "--epsilon", "1",
             "--delta", "1e-3", "--mechanism", "sample", "--out", tmp_path / "out.csv")  # fmt: skip
    for command in (words, ("run", project, "--data", data, "--out", tmp_path / "out")):
        assert DOUBT in told(capsys, *command, code=2)[1]
        found, _ = told(capsys, *command, "--trust-plugin", "toy-plug")
        assert found["claim"] and any("comes from toy-plug 0.1, which" in one for one in found["asserted"])


def test_a_model_of_a_plugin_is_named(
    plugged: Plug, capsys: pytest.CaptureFixture[str], data: Path, tmp_path: Path
) -> None:
    plugged({"privacy-model.toy-anonymity": toys.MODEL})
    out, page = tmp_path / "out.csv", tmp_path / "page.html"
    found, _ = told(
        capsys, "anonymise", data, "--group", "town", "--model", "toy-anonymity=2", "--out", out, "--statement", page
    )
    assert found["plugins"] == [
        {
            "kind": "privacy model",
            "name": "toy-anonymity",
            "distribution": "toy-plug",
            "version": "0.1",
            "trusted": False,
        }
    ]
    assert "Toy anonymity (toy-plug 0.1)" in page.read_text()
    assert '"plugin": {"distribution": "toy-plug"' in " ".join(page.read_text().split())


def test_parameters_by_name_work_for_the_programs_own_questions_too(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    words = ["query", str(data), "--query", "mean", "--epsilon", "1", "--plan"]
    found, _ = told(capsys, *words, "--param", "column=age", "--param", "lower=0", "--param", "upper=100")
    by_flags, _ = told(capsys, *words, "--column", "age", "--bounds", "0,100")
    assert found["parameters"] == by_flags["parameters"]
    lines = ("--param", "questions=age > 30", "--param", "questions=age > 40")
    found, _ = told(capsys, "query", data, "--query", "above-threshold", "--epsilon", "1", "--plan", *lines)
    assert found["parameters"]["values"]["questions"] == "age > 30\nage > 40"
    for wrong in (["--param", "column"], ["--param", "column=age", "--column", "age"],
                  ["--param", "x=1", "--param", "x=2"], ["--param", "colour=red"]):  # fmt: skip
        assert main([*words, *wrong]) == 2
        assert "Traceback" not in capsys.readouterr().err


# A distribution that is really installed

MODULE = """
from workbench.query.catalogue import QueryKind
from workbench.query.counts import DisjointCounts

PLUGIN = QueryKind(
    "real-count",
    "Real count",
    "How many.",
    "",
    (),
    lambda asked: DisjointCounts((), asked.budget, asked.rows_per_person),
)
"""


@pytest.fixture
def real(tmp_path: Path, plugged: Plug, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.undo()
    folder = tmp_path / "site"
    points = {
        "query.real-count": "real_toy:PLUGIN",
        "query.gone": "real_toy:GONE",
        "query.away": "no_such_module:PLUGIN",
    }
    toys.distribution(folder, "Real-Toy", "1.2", points, MODULE)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("WORKBENCH_LEDGERS", str(tmp_path / "ledgers"))
    importlib.invalidate_caches()
    for registry in (QUERIES, PROTOCOLS):
        vars(registry).pop("_read", None)
    yield folder
    sys.modules.pop("real_toy", None)
    for registry in (QUERIES, PROTOCOLS):
        vars(registry).pop("_read", None)


def test_an_installed_distribution_is_found(real: Path, capsys: pytest.CaptureFixture[str], data: Path) -> None:
    found, err = told(capsys, "query", data, "--query", "real-count", "--epsilon", "1")
    assert found["plugin"] == {"distribution": "Real-Toy", "version": "1.2", "trusted": False}
    assert "AttributeError" in err and "ModuleNotFoundError: No module named 'no_such_module'" in err
    assert doubt_of(found["plugin"]).startswith("Made by plug-in Real-Toy 1.2,")
    checked, _ = told(capsys, "plugins", "check", "real-count")
    assert checked["holds"] and {one["verdict"] for one in checked["plugins"][0]["contracts"]} == {"kept"}


@pytest.mark.parametrize(
    "run",
    [
        lambda randomiser, supports, _: [[math.nan] * randomiser.domain_size] * len(supports),
        lambda randomiser, supports, _: [1.0] * randomiser.domain_size,
        lambda randomiser, supports, _: {}[0],
        lambda randomiser, supports, _: sys.exit(0),
    ],
)
def test_an_estimator_that_fails_is_named_and_nothing_is_printed_as_estimated(
    plugged: Plug, run: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    toy = LocalEstimator("toy-estimator", "Toy", "Estimates for somebody else", "", run)
    plugged({"local-estimator.toy-estimator": toy})
    said = Announcement(PROTOCOLS["grr"].build(2, 1.0), "job", Domain(("a", "b"), False, True), None, True, 9, 1, False)
    write_reports(tmp_path / "reports.csv", said, np.zeros(9, dtype=np.int64), SeededSource(1))
    assert main(["aggregate", str(tmp_path / "reports.csv"), "--estimator", "toy-estimator"]) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert "The plug-in Toy (toy-plug 0.1) failed: " in printed.err
