"""The contracts of plug-ins: the program's own keep them, and those that lie are caught."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests import plugin_toys as toys
from tests.remembering import remembering
from workbench.anonymise.metrics.loss import PLUGIN as LOSS
from workbench.contracts import CONTRACTS, check_all, check_installed
from workbench.contracts.contract import BROKEN, UNTRIED, ContractResult
from workbench.contracts.statistics import chi_square_tail, matches
from workbench.core import discrete_noise
from workbench.core.building import BuilderSettings, BuilderValues, Levels, ProvenanceAssessment
from workbench.core.hierarchy import Provenance
from workbench.query import likely
from workbench.session.plugins import KINDS

Plug = Callable[..., None]
OWN = [(registry.kind, plugin.identifier) for registry in KINDS for plugin in registry.own]


@pytest.fixture(scope="module", autouse=True)
def bounds_worked_out_once() -> Iterator[None]:
    """An exact audit goes through the same noisy sums for every table, and draws hundreds of times at the same rate."""
    with remembering(likely, "shares_between", "variances_between"), remembering(discrete_noise, "_exponentials"):
        yield


def broken(kind: str, plugin: Any) -> dict[str, str]:
    """The contracts that are seen broken, with what was found."""
    return {
        one.contract: one.detail for one in check_installed(kind, plugin.identifier).results if one.verdict == BROKEN
    }


@pytest.mark.parametrize(("kind", "identifier"), OWN)
def test_the_programs_own_plugins_keep_their_contracts(kind: str, identifier: str) -> None:
    report = check_installed(kind, identifier)
    assert report.holds, report
    assert len(report.results) == len(CONTRACTS[kind])
    if kind == "query":
        tried = {one.contract for one in report.results if one.verdict != UNTRIED}
        assert tried & {"sensitivity", "exact audit"}, "nothing looked at its ε"


@pytest.mark.parametrize(
    ("mechanism", "contract"),
    [
        (toys.Sharp, "sensitivity"),
        (toys.Sharp, "exact audit"),
        (toys.Sly, "sensitivity"),
        (toys.Sly, "exact audit"),
        (toys.Leaky, "sensitivity"),
        (toys.Leaky, "exact audit"),
        (toys.Forgetful, "sensitivity"),
        (toys.Forgetful, "exact audit"),
        (toys.Private, "exact audit"),
    ],
)
def test_a_question_that_lies_is_caught(plugged: Plug, mechanism: Any, contract: str) -> None:
    kind = toys.query("lying-count", mechanism)
    plugged({"query.lying-count": kind})
    assert contract in broken("query", kind)


def test_an_honest_question_passes(plugged: Plug) -> None:
    plugged({"query.half-count": toys.HALF})
    assert not broken("query", toys.HALF)


def test_reports_with_more_than_is_stated_are_caught(plugged: Plug) -> None:
    plugged({"local-protocol.lazy-rr": toys.protocol(2.0)})
    found = broken("local protocol", toys.protocol())
    assert {"reports as sent", "exact audit", "bias"} <= set(found)
    plugged({"local-protocol.honest-rr": toys.replace(toys.protocol(), identifier="honest-rr")})
    assert check_installed("local protocol", "honest-rr").holds


def test_a_builder_that_looks_at_the_data_and_calls_itself_public_is_caught(plugged: Plug) -> None:
    def build(settings: BuilderSettings, material: BuilderValues) -> Levels:
        places = np.arange(len(material.values))
        return Levels(places, [(places * 0, [f"up to {max(material.values)}"])])

    peeking = toys.replace(
        toys.BUILDER,
        identifier="peeking",
        build=build,
        assess=lambda settings, column: ProvenanceAssessment(Provenance.PUBLIC, "A rule."),
    )
    plugged({"hierarchy-builder.peeking": peeking, "hierarchy-builder.toy-mask": toys.BUILDER})
    assert "depending on which other values occur" in broken("hierarchy builder", peeking)["public means public"]


def test_an_estimator_that_says_something_else_each_time_is_caught(plugged: Plug) -> None:
    def run(randomiser: Any, supports: Any, progress: Any) -> Any:
        return np.random.default_rng().random((len(supports), randomiser.domain_size))

    fickle = toys.replace(toys.ESTIMATOR, identifier="fickle", run=run)
    plugged({"local-estimator.fickle": fickle})
    assert "something else" in broken("local estimator", fickle)["estimates"]


def test_a_metric_with_a_wrong_bound_is_caught(plugged: Plug) -> None:
    def fit(values: Any, setting: Any) -> Any:
        made = LOSS.fit(values, setting)
        floor = made.floor
        made.floor = lambda: floor() + 1
        return made

    hasty = toys.replace(LOSS, identifier="hasty", fit=fit)
    plugged({"loss-metric.hasty": hasty})
    assert "below its floor" in broken("loss metric", hasty)["bounds of the search"]


def test_a_contract_that_fails_in_its_own_way_is_broken_and_the_rest_is_tried(plugged: Plug) -> None:
    def crash(asked: Any) -> Any:
        raise ZeroDivisionError("by nothing")

    kind = toys.query("crashing", crash)
    plugged({"query.crashing": kind})
    found = check_installed("query", "crashing").results
    assert ContractResult("shape", BROKEN, "ZeroDivisionError: by nothing") in found and len(found) == len(
        CONTRACTS["query"]
    )
    assert check_all(kind, ()).holds


def test_the_tail_of_chi_square_is_that_of_the_library() -> None:
    for freedom in (1, 2, 3, 8, 31, 200):
        for score in (0.1, 1.0, 7.3, 40.0, 260.0):
            assert chi_square_tail(score, freedom) == pytest.approx(stats.chi2.sf(score, freedom), rel=1e-9, abs=1e-300)
    chances = np.array([0.5, 0.3, 0.2])
    assert matches(np.array([5030, 2990, 1980]), chances) and not matches(np.array([6000, 2500, 1500]), chances)
