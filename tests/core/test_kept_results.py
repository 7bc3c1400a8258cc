"""Results are kept by their size, and not by their number alone."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from fractions import Fraction

import pytest

from workbench.anonymise.recipe import ReleaseMechanism
from workbench.anonymise.trim_guarantee import TrimGuarantee
from workbench.core.kept_results import kept_within
from workbench.core.loss_pairs import sampling_pair
from workbench.core.trim_law import trim_law
from workbench.report.recheck_trim_law import recomputed_trimming
from workbench.session import Session
from workbench.session.release.claims import guarantee_of


def test_what_was_not_asked_for_longest_gives_way_once_all_are_too_large() -> None:
    made: list[int] = []

    def letters(text: str) -> int:
        return len(text)

    @kept_within(10_000, letters)
    def text(length: int, *, letter: str = "a") -> str:
        made.append(length)
        return letter * length

    assert text(3_000) is text(3_000) and text(3_001) is text(3_001) and text(3_000, letter="b") == "b" * 3_000
    assert made == [3_000, 3_001, 3_000]
    made.clear()
    assert len(text(3_000)) == 3_000 and made == [3_000], "three did not fit"
    assert len(text(50_000)) == len(text(50_000)) and made == [3_000, 50_000], "the last is kept whatever it is"
    assert text(1) == "a" and text(3_000) and made == [3_000, 50_000, 1, 3_000]


def test_what_fails_is_tried_again() -> None:
    tried: list[int] = []

    @kept_within(10_000, lambda _: 1)
    def fails(number: int) -> int:
        tried.append(number)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fails(1)
    assert tried == [1, 1]


def test_large_pairs_of_losses_and_laws_do_not_add_up() -> None:
    first = weakref.ref(sampling_pair(0.0001, 20).adding)
    assert sampling_pair(0.0001, 20).adding is first()
    for number in range(3):
        sampling_pair(0.0001, 21 + number)
    gc.collect()
    assert first() is None
    laws = [weakref.ref(trim_law(Fraction(1, 1000), Fraction(number, 10**6))) for number in range(1, 80)]
    gc.collect()
    assert laws[-1]() is not None and laws[0]() is None


def test_large_laws_that_are_checked_again_do_not_add_up() -> None:
    laws = [weakref.ref(recomputed_trimming(Fraction(1, 1000), Fraction(number, 10**6), 1)) for number in range(1, 60)]
    gc.collect()
    assert laws[-1]() is not None and laws[0]() is None


def test_guarantees_of_a_window_keep_no_more_laws_than_have_room() -> None:
    session = Session()
    session.release.set_mechanism(ReleaseMechanism.TRIM)
    found: list[weakref.ref[object]] = []
    for number in range(1, 60):
        wanted = replace(session.project.anonymise.guarantee, epsilon=0.001, delta=number * 1e-6)
        session.release.set_guarantee(wanted)
        made = guarantee_of(session.state)
        assert isinstance(made, TrimGuarantee)
        found.append(weakref.ref(made))
    del made
    gc.collect()
    assert found[-1]() is not None and found[0]() is None
