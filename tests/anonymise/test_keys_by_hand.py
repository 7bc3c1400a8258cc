"""Counting by every way there is, against a dictionary; thresholds moved so that each way is taken."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from workbench.anonymise import contingency, keys
from workbench.anonymise.contingency import _Pairs
from workbench.anonymise.keys import count_keys, count_sorted, group_ranks, group_wide, key_kind, narrowed, run_starts
from workbench.core.table import Column

RADICES = [1, 2, 7, 1000, 1 << 14, (1 << 14) + 1, 1 << 31, 1 << 52, 1 << 61, keys.WIDEST]
WEIGHTS = [1, 2, 3, 255, 1 << 20, 1 << 40]


@pytest.fixture(params=[1, 3, 1 << 16])
def _parts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "_CHUNK", request.param)


@pytest.mark.usefixtures("_parts")
@pytest.mark.parametrize("dense", [0, 1 << 14])
@pytest.mark.parametrize("most", [1, 200, 1 << 40])
@pytest.mark.parametrize("few", [0, 1, 16])
def test_weights_are_added_up_for_each_key(dense: int, most: int, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys, "ALWAYS_COUNTED", dense)
    monkeypatch.setattr(keys, "_FEW", few)
    draw = random.Random(most)
    for radix in RADICES:
        for entries in (0, 1, 2, 9, 40):
            ends = [0, radix - 1, radix // 2, min(1, radix - 1)]
            found = [draw.choice([*ends, draw.randrange(radix)]) for _ in range(entries)]
            weights = [min(draw.choice(WEIGHTS), most) for _ in found]
            wanted: Counter[int] = Counter()
            for key, weight in zip(found, weights, strict=True):
                wanted[key] += weight
            given = np.array(found, dtype=np.int64), np.array(weights, dtype=np.int64)
            distinct, sums = count_keys(*given, radix)
            assert distinct.tolist() == sorted(wanted)
            assert sums.tolist() == [wanted[key] for key in sorted(wanted)]


@pytest.mark.usefixtures("_parts")
@pytest.mark.parametrize("dense", [0, 1 << 14])
@pytest.mark.parametrize("most", [1, 200, 1 << 40])
@pytest.mark.parametrize("few", [0, 16])
@pytest.mark.parametrize("bits", [1, 4])
def test_keys_of_a_class_become_one_that_says_whether_they_differ(
    bits: int, dense: int, most: int, few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "ALWAYS_COUNTED", dense)
    monkeypatch.setattr(keys, "_FEW", few)
    monkeypatch.setattr(keys, "_SPARSE", dense)
    draw, several = random.Random(f"{bits} {most}"), (1 << bits) - 1
    for classes in (1, 3, 1000, 1 << 27, 1 << 31, 1 << 57):
        for entries in (0, 1, 2, 40):
            found = [
                draw.choice([0, min(1, classes - 1), classes - 1, draw.randrange(classes)]) << bits
                | draw.randrange(several + 1)
                for _ in range(entries)
            ]
            weights = [min(draw.choice(WEIGHTS), most) for _ in found]
            wanted: Counter[int] = Counter()
            values: dict[int, set[int]] = {}
            for key, weight in zip(found, weights, strict=True):
                wanted[key >> bits] += weight
                values.setdefault(key >> bits, set()).add(key & several)
            radix = classes << bits
            given = np.array(found, dtype=key_kind(entries, radix)), narrowed(np.array(weights, dtype=np.int64))
            distinct, sums = count_keys(*given, radix, bits)
            assert distinct.dtype == sums.dtype == np.int64
            assert distinct.tolist() == [
                one << bits | (several if len(values[one]) > 1 else min(values[one])) for one in sorted(wanted)
            ]
            assert sums.tolist() == [wanted[one] for one in sorted(wanted)]


@pytest.mark.parametrize("bits", range(20, 64))
def test_keys_and_weights_share_sixty_three_bits_and_not_one_more(bits: int) -> None:
    """The largest key with the largest weight, on both sides of where they no longer fit together."""
    radix = min(1 << bits, keys.WIDEST)
    for weight_bits in (max(62 - bits, 1), max(63 - bits, 1), max(64 - bits, 1)):
        weight = (1 << weight_bits) - 1
        found, sums = count_keys(np.array([radix - 1, 0, radix - 1]), np.array([weight, 1, 1]), radix)
        assert found.tolist() == [0, radix - 1] and sums.tolist() == [1, weight + 1]


@pytest.mark.usefixtures("_parts")
@pytest.mark.parametrize("kind", [np.uint32, np.int64])
@pytest.mark.parametrize("bits", [2, 9, 20, 28, 31, 32])
def test_few_weights_too_long_for_a_short_key_are_added_all_the_same(
    bits: int, kind: type[np.integer], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On both sides of the longest weight there is room for, and of how many longer ones there may be."""
    monkeypatch.setattr(keys, "_addressed", lambda entries, radix: False)
    draw, radix = random.Random(bits), 1 << bits
    room = 32 - bits
    for many in (0, 1, 2, 3, 4, 64):
        found = [draw.choice([0, 1, radix - 1, draw.randrange(radix)]) for _ in range(64)]
        shorter, longer = draw.choice([1, (1 << room) - 1]), draw.choice([1 << room, (1 << room) + 1, 1 << 40])
        weights = [longer] * many + [shorter] * (64 - many)
        draw.shuffle(weights)
        wanted: Counter[int] = Counter()
        for key, weight in zip(found, weights, strict=True):
            wanted[key] += weight
        distinct, sums = count_keys(np.array(found, dtype=kind), narrowed(np.array(weights)), radix)
        assert distinct.dtype == sums.dtype == np.int64
        assert dict(zip(distinct.tolist(), sums.tolist(), strict=True)) == dict(sorted(wanted.items()))
        assert distinct.tolist() == sorted(wanted)


def test_keys_are_short_where_they_fit_and_are_sorted() -> None:
    assert key_kind(10, (1 << 32) - 1) is np.uint32 and key_kind(10, 1 << 32) is np.int64
    assert key_kind(10, keys.ALWAYS_COUNTED) is np.int64


def test_numbers_are_kept_in_the_smallest_integers_that_hold_them() -> None:
    for most, kind in (
        (0, np.int8), (127, np.int8), (128, np.int16), (32767, np.int16), (32768, np.int32),
        (2**31 - 1, np.int32), (2**31, np.int64),
    ):  # fmt: skip
        found = narrowed(np.array([1, most, 0], dtype=np.int64))
        assert found.dtype == kind and found.tolist() == [1, most, 0]
    assert narrowed(np.array([], dtype=np.int64)).dtype == np.int8


@pytest.mark.usefixtures("_parts")
@pytest.mark.parametrize("seed", range(5))
def test_runs_begin_where_a_number_differs_from_the_one_before(seed: int) -> None:
    draw = random.Random(seed)
    for size in (0, 1, 2, 3, 4, 7, 30):
        numbers = sorted(draw.randrange(12) for _ in range(size))
        for ignored in (0, 1, 2):
            cut = [number >> ignored for number in numbers]
            wanted = [place for place in range(size) if not place or cut[place] != cut[place - 1]]
            assert run_starts(np.array(numbers, dtype=np.int64), ignored).tolist() == wanted
        distinct, often = count_sorted(np.array(numbers, dtype=np.int64))
        assert dict(zip(distinct.tolist(), often.tolist(), strict=True)) == Counter(numbers)


@pytest.mark.parametrize("widest", [1, 10, 100, keys.WIDEST])
def test_entries_are_grouped_by_all_of_their_digits(widest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Alike where all digits are, and in the order of the digits, however often a long prefix is ranked between."""
    monkeypatch.setattr(keys, "WIDEST", widest)
    draw = random.Random(widest)
    for sizes in ((), (1,), (3,), (4, 3), (2, 5, 3), (7, 1, 6, 2)):
        rows = [tuple(draw.randrange(size) for size in sizes) for _ in range(25)]
        parts = [(np.array([row[place] for row in rows]), size) for place, size in enumerate(sizes)]
        order = sorted(set(rows))
        ranks, first = group_wide(parts, len(rows))
        assert ranks.tolist() == group_ranks(parts, len(rows)).tolist() == [order.index(row) for row in rows]
        assert [rows[place] for place in first.tolist()] == order
    assert group_ranks([], 0).tolist() == []


@pytest.mark.parametrize("countable", [0, 1 << 20])
def test_pairs_of_two_columns_are_counted_as_they_stand(countable: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contingency, "_COUNTABLE", countable)
    draw = random.Random(2)
    for rows in (0, 1, 5, 60):
        texts = [(draw.choice("abcdefgh"), draw.choice("xy")) for _ in range(rows)]
        columns = [Column.from_texts(name, [pair[side] for pair in texts]) for side, name in enumerate("ab")]
        found = _Pairs.of(*columns)
        counted = Counter(
            {
                (found.texts[0][one], found.texts[1][other]): count
                for one, other, count in zip(
                    *(code.tolist() for code in found.codes), found.counts.tolist(), strict=True
                )
            }
        )
        assert counted == Counter(texts)
        for side in (0, 1):
            assert found.totals(side) == dict(Counter(pair[side] for pair in texts))
