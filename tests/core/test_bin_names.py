"""Bins are shown in one spelling, and no other text is touched."""

from __future__ import annotations

import doctest
import re

import numpy as np
import pytest

from workbench.core import bin_names
from workbench.core.bin_names import bin_name
from workbench.ldp.binning import equal_bins, own_bins


def test_the_examples_say_what_is_shown() -> None:
    found = doctest.testmod(bin_names)
    assert found.attempted == 6
    assert not found.failed


@pytest.mark.parametrize("text", ["", "Paris", "[a, b[", "[1, 2", "[1, 2, 3]", "(1, 2]", "[1,2)", "18–24", "*"])
def test_what_is_no_bin_stays_as_it_is(text: str) -> None:
    assert bin_name(text) == bin_name(text, whole=True) == text


def test_shown_bins_are_those_that_stay_apart() -> None:
    for bins in (equal_bins(0, 100, 7), equal_bins(-50, 50, 10), own_bins([0, 18, 65, 120])):
        names = [bin_name(label) for label in bins.labels]
        assert len(set(names)) == len(names)
        assert all(name.endswith(")") for name in names[:-1])
        assert names[-1].endswith("]")


def test_whole_numbers_belong_to_the_bin_that_names_them() -> None:
    bins = own_bins([0, 18, 65, 120])
    assert [bin_name(label, whole=True) for label in bins.labels] == ["0–17", "18–64", "65–120"]
    shown = [bin_name(label, whole=True) for label in equal_bins(17, 90, 8).labels]
    assert shown[:2] == ["17–26", "27–35"] and shown[-1] == "81–90"
    assert bin_name("[20.25, 20.5[", whole=True) == "[20.25, 20.5)", "no whole number is in it"


def test_named_whole_numbers_are_those_that_are_counted() -> None:
    for bins in (equal_bins(17, 90, 20), equal_bins(-7, 8, 4), equal_bins(0.5, 9.5, 3)):
        for place, label in enumerate(bins.labels):
            inside = [n for n in range(-10, 100) if bins.locate(np.array([float(n)]))[0] == place]
            first, last = re.findall(r"-?\d+", bin_name(label, whole=True).replace("–", " "))
            assert (int(first), int(last)) == (inside[0], inside[-1])
