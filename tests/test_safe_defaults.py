"""What is not asked for is not done: the default of whatever decides about a promise, a person or a file."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from workbench.anonymise._roots import crossing, first_holding
from workbench.anonymise.claimed_sum import summed
from workbench.anonymise.goal import Goal
from workbench.anonymise.promise import Promise
from workbench.anonymise.risk import assess_risk
from workbench.engines.writing import write_stored
from workbench.ldp.binning import date_bins
from workbench.ldp.by_distance import distance_sensitive
from workbench.ldp.iteration import fit
from workbench.ldp.protocols.the import tuned
from workbench.ldp.reports_together import together
from workbench.ldp.simulation import simulate_mean
from workbench.mechanisms.places import Parts
from workbench.project.place import DocumentPlace
from workbench.project.storage import save_project
from workbench.query import remaining_budget
from workbench.query.ledger import Ledger
from workbench.query.partition import keys_of, partition_of, ranges_of
from workbench.query.placed_values import Sorted
from workbench.query.recorded_look import RecordedLook
from workbench.query.sketch_folder import SketchFolder
from workbench.report.recheck import Rechecked
from workbench.report.recheck_files import ReleasedFiles
from workbench.session.collection.price import price

DEFAULTS: list[tuple[Callable[..., Any], str, object]] = [
    # No row is suppressed and no group counts twice unless somebody says so.
    (Goal, "suppression_limit", 0.0),
    (summed, "uncounted", False),
    (assess_risk, "threshold", 0.2),
    # Whether somebody is there is hidden, unless the number of rows is said to be known.
    (summed, "number_known", False),
    (Ledger.remaining, "number_known", False),
    (remaining_budget.remaining, "number_known", False),
    (remaining_budget.remaining_after, "number_known", False),
    (remaining_budget.check, "number_known", False),
    (Ledger.spent, "number_known", False),
    (Ledger.remaining_after, "number_known", False),
    (Ledger.charge, "number_known", False),
    (Ledger.plan, "number_known", False),
    # What leaves is taken to promise something, so that the budget must have room for it.
    (Ledger.charge, "promises", True),
    # Reports are those of one file, of people who answered in earnest.
    (together, "one_file_per_person", False),
    (together, "with_trials", False),
    (price, "number_known", False),
    (Promise.means, "replacing", False),
    (Promise.in_short, "replacing", False),
    (Promise.compared, "replacing", False),
    (Promise.in_letters, "replacing", False),
    (Promise.deniable, "replacing", False),
    # A budget is kept by adding up; a look is no draw; no key is made by looking for one.
    (Ledger.set_budget, "order", 0.0),
    (RecordedLook.now, "drawn", False),
    (SketchFolder.key, "make", False),
    # Cells are those that were named, and what lies outside counts at the ends.
    (keys_of, "other", False),
    (partition_of, "other", False),
    (ranges_of, "clip", True),
    (Sorted.merged, "keep", False),
    # Nothing is written over, taken for one's own or told to nobody else.
    (DocumentPlace.claim, "overwrite", False),
    (save_project, "private", False),
    (write_stored, "parts", False),
    (ReleasedFiles.of, "own", False),
    (Rechecked.to_json, "public", False),
    # Figures are worked out in full, and in the units they have.
    (crossing, "tolerance", 1e-11),
    (first_holding, "tolerance", 1e-9),
    (fit, "accelerated", False),
    (date_bins, "seconds", False),
    (distance_sensitive, "power", 1.0),
    (tuned, "theta", 0.0),
    (simulate_mean, "half_range", 1.0),
    (simulate_mean, "middle", 0.0),
    (Parts.of, "single", False),
]


@pytest.mark.parametrize("case", range(len(DEFAULTS)))
def test_what_is_not_asked_for_is_not_done(case: int) -> None:
    function, name, default = DEFAULTS[case]
    found = inspect.signature(function).parameters[name].default
    assert (type(found), found) == (type(default), default)
